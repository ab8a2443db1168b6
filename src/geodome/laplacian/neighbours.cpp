#include "geodome/laplacian/neighbours.h"

// The library's vector path prefetches one link past the end of its lists, and rounds as the processor does.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/close_pairs.h"

namespace geodome::internal {
namespace {

/// Above, a k-d tree visits nearly every leaf.
constexpr Eigen::Index most_tree_dimensions = 15;
/// Below, trying every pair costs less than building a search graph, and is exact.
constexpr Eigen::Index most_exhaustive_points = 2000;

constexpr std::string_view neighbour_stage = "neighbours";

using Candidates = ClosePairs::Candidates;

/// Keeps the k nearest, nearest first, ties by index.
void keep_nearest(Candidates& candidates, std::size_t k) {
  k = std::min(k, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(k),
                    candidates.end());
  candidates.resize(k);
}

void store(const Candidates& candidates, Index point, Neighbours& out) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    out.vertex(point, static_cast<Eigen::Index>(i)) = candidates[i].second;
    out.distance(point, static_cast<Eigen::Index>(i)) = candidates[i].first;
  }
}

void search_exhaustively(const Eigen::Ref<const RowMatrix<double>>& points, Index point, Index k,
                         Neighbours& out) {
  Candidates candidates;
  for (Index other = 0; other < points.rows(); ++other)
    if (other != point) candidates.emplace_back((points.row(point) - points.row(other)).norm(), other);
  keep_nearest(candidates, static_cast<std::size_t>(k));
  store(candidates, point, out);
}

/// Squared distance in eight lanes, which compilers turn into vector instructions and every machine rounds
/// alike.
float squared_distance(const void* left, const void* right, const void* dimension) {
  const auto* a = static_cast<const float*>(left);
  const auto* b = static_cast<const float*>(right);
  const std::size_t size = *static_cast<const std::size_t*>(dimension);
  constexpr std::size_t lanes = 8;
  float sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      sum[lane] += difference * difference;
    }
  for (; i < size; ++i) sum[0] += (a[i] - b[i]) * (a[i] - b[i]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// What the search graph asks of a metric.
class EuclideanSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit EuclideanSpace(std::size_t dimension) : dimension_(dimension) {}
  std::size_t get_data_size() override { return dimension_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return squared_distance; }
  void* get_dist_func_param() override { return &dimension_; }

 private:
  std::size_t dimension_;
};

/// The graph compares 32-bit floats: centred and scaled to one, they neither overflow nor lose small shapes.
/// Its own insertion is sequential, because the result depends on the order.
void search_by_graph(const Eigen::Ref<const RowMatrix<double>>& points, Index k, std::uint64_t seed,
                     const Execution& execution, Neighbours& out) {
  const Eigen::RowVectorXd centre = points.colwise().mean();
  RowMatrix<float> unit(points.rows(), points.cols());
  double size = 0;
  for (Eigen::Index v = 0; v < points.rows(); ++v)
    size = std::max(size, (points.row(v) - centre).cwiseAbs().maxCoeff());
  for (Eigen::Index v = 0; v < points.rows(); ++v)
    unit.row(v) = ((points.row(v) - centre) / (size > 0 ? size : 1)).cast<float>();

  EuclideanSpace space(static_cast<std::size_t>(points.cols()));
  constexpr double insertion = 0.6;                             // of all the time
  constexpr std::size_t links = 16, construction_effort = 200;  // the library's own advice for high recall
  hnswlib::HierarchicalNSW<float> graph(&space, static_cast<std::size_t>(points.rows()), links,
                                        construction_effort, static_cast<std::size_t>(seed));
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    graph.addPoint(unit.row(v).data(), static_cast<hnswlib::labeltype>(v));
    if (v % 100 == 0)
      execution.report(neighbour_stage,
                       insertion * static_cast<double>(v) / static_cast<double>(points.rows()));
  }
  graph.setEf(std::max<std::size_t>(construction_effort, 2 * static_cast<std::size_t>(k)));

  const Execution rest = part_of(execution, neighbour_stage, insertion, 1);
  for_each_point(points.rows(), rest, neighbour_stage, [&](Index point) {
    // A few more than requested, since the final order is by exact distances.
    auto found = graph.searchKnn(unit.row(point).data(), static_cast<std::size_t>(k) + 8);
    Candidates candidates;
    for (; !found.empty(); found.pop()) {
      const Index other = static_cast<Index>(found.top().second);
      if (other != point) candidates.emplace_back((points.row(point) - points.row(other)).norm(), other);
    }
    keep_nearest(candidates, static_cast<std::size_t>(k));
    if (candidates.size() == static_cast<std::size_t>(k))
      store(candidates, point, out);
    else  // crowds of exact duplicates can disconnect the graph
      search_exhaustively(points, point, k, out);
  });
}

[[noreturn]] void fail_to_square(Index point) {
  throw NumericalError(
      text("squared distances from point ", point, " overflow a double: use another unit of length"));
}

/// Of one processor, fitted on a sphere, a rolled sheet in 10-D and a surface in 30-D of 20,000 and 100,000
/// points.
double graph_seconds(double count, double dimensions) {
  return 2 * count * std::log2(count + 2) * (3e-6 + 5e-8 * dimensions);
}

/// Exact neighbours, found by all threads, are worth this many times the work of approximate ones.
constexpr double most_pairs = 2;

/// False, with nothing found, where it would take too long.
bool search_pairs(const Eigen::Ref<const RowMatrix<double>>& points, Index k, const Execution& execution,
                  Neighbours& out) {
  const ClosePairs pairs(points, execution);
  const double most =
      most_pairs * graph_seconds(static_cast<double>(points.rows()), static_cast<double>(points.cols()));
  if (pairs.estimated_seconds(k, most, execution) > most) return false;
  pairs.search(k, execution, [&](Index point, const Candidates& found) {
    if (found.size() < static_cast<std::size_t>(k) || found.back().first == infinity) fail_to_square(point);
    store(found, point, out);
  });
  return true;
}

void search_tree(const Eigen::Ref<const RowMatrix<double>>& points, Index k, const Execution& execution,
                 Neighbours& out) {
  const NeighbourTree tree(points);
  for_each_point(points.rows(), execution, neighbour_stage, [&](Index point) {
    std::vector<Index> vertex;
    std::vector<double> distance;
    tree.nearest(point, k, vertex, distance);
    if (vertex.size() < static_cast<std::size_t>(k)) fail_to_square(point);
    for (Index i = 0; i < k; ++i) {
      out.vertex(point, i) = vertex[static_cast<std::size_t>(i)];
      out.distance(point, i) = distance[static_cast<std::size_t>(i)];
    }
  });
}

Neighbours space_for(const Eigen::Ref<const RowMatrix<double>>& points, Index k) {
  return {RowMatrix<Index>(points.rows(), k), RowMatrix<double>(points.rows(), k)};
}

}  // namespace

struct NeighbourTree::Tree {
  using Metric = nanoflann::L2_Simple_Adaptor<double, Tree, double, Index>;
  using Flann = nanoflann::KDTreeSingleIndexAdaptor<Metric, Tree, -1, Index>;

  explicit Tree(const Eigen::Ref<const RowMatrix<double>>& rows)
      : data(rows.data()),
        count(static_cast<Index>(rows.rows())),
        stride(rows.outerStride()),
        flann(static_cast<Index>(rows.cols()), *this, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {}

  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(count); }
  double kdtree_get_pt(Index point, std::size_t axis) const {
    return data[point * stride + static_cast<Eigen::Index>(axis)];
  }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }

  const double* data;
  Index count;
  Eigen::Index stride;
  Flann flann;
};

NeighbourTree::NeighbourTree(const Eigen::Ref<const RowMatrix<double>>& points) : tree_(new Tree(points)) {}
NeighbourTree::~NeighbourTree() = default;
NeighbourTree::NeighbourTree(NeighbourTree&&) noexcept = default;
NeighbourTree& NeighbourTree::operator=(NeighbourTree&&) noexcept = default;

void NeighbourTree::nearest(Index point, Index k, std::vector<Index>& vertex,
                            std::vector<double>& distance) const {
  const std::size_t wanted = static_cast<std::size_t>(std::min(k, tree_->count - 1));
  vertex.resize(wanted + 1);
  distance.resize(wanted + 1);
  const auto found = tree_->flann.knnSearch(tree_->data + point * tree_->stride,
                                            static_cast<Index>(wanted + 1), vertex.data(), distance.data());
  Candidates candidates;
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i)
    if (vertex[i] != point) candidates.emplace_back(std::sqrt(distance[i]), vertex[i]);
  keep_nearest(candidates, wanted);  // the point itself may be missing among many duplicates
  vertex.resize(candidates.size());
  distance.resize(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    vertex[i] = candidates[i].second;
    distance[i] = candidates[i].first;
  }
}

Neighbours graph_neighbours(const Eigen::Ref<const RowMatrix<double>>& points, Index k, std::uint64_t seed,
                            const Execution& execution) {
  Neighbours result = space_for(points, k);
  search_by_graph(points, k, seed, execution, result);
  return result;
}

Neighbours nearest_neighbours(const Eigen::Ref<const RowMatrix<double>>& points, Index k, std::uint64_t seed,
                              const Execution& execution) {
  if (k < 1) throw InputError(text("the number of neighbours must be at least 1, got ", k));
  require_finite(points);
  k = static_cast<Index>(std::min<Eigen::Index>(k, std::max<Eigen::Index>(0, points.rows() - 1)));
  Neighbours result = space_for(points, k);
  if (k == 0) return result;
  if (points.cols() <= most_tree_dimensions) {
    search_tree(points, k, execution, result);
  } else if (points.rows() <= most_exhaustive_points) {
    for_each_point(points.rows(), execution, neighbour_stage,
                   [&](Index point) { search_exhaustively(points, point, k, result); });
  } else if (!search_pairs(points, k, execution, result)) {
    search_by_graph(points, k, seed, execution, result);
  }
  return result;
}

struct NeighbourCost::Part {
  std::unique_ptr<const RowMatrix<double>> points;
  std::unique_ptr<const ClosePairs> pairs;

  Part(const Eigen::Ref<const RowMatrix<double>>& all, Eigen::Index count) {
    auto some = std::make_unique<RowMatrix<double>>(count, all.cols());
    for (Eigen::Index i = 0; i < count; ++i) some->row(i) = all.row(i * all.rows() / count);
    points = std::move(some);
    pairs = std::make_unique<const ClosePairs>(*points, Execution{1, {}});
  }
};

NeighbourCost::NeighbourCost(const Eigen::Ref<const RowMatrix<double>>& points)
    : count_(static_cast<double>(points.rows())), dimensions_(static_cast<double>(points.cols())) {
  constexpr Eigen::Index most_tried = 4000;
  if (points.cols() <= most_tree_dimensions || points.rows() <= most_exhaustive_points) return;
  const Eigen::Index tried = std::min(points.rows(), most_tried);
  parts_.emplace_back(points, tried / 2);
  parts_.emplace_back(points, tried);
}

NeighbourCost::~NeighbourCost() = default;

double NeighbourCost::seconds(Index k, int threads) const {
  if (parts_.empty()) return count_ * k * 2.5e-7 * (1 + dimensions_ / 20) / threads;
  const double some = parts_[0].pairs->estimated_seconds(k, infinity, {1, {}}),
               twice = parts_[1].pairs->estimated_seconds(k, infinity, {1, {}});
  // Along a surface every point has as many candidates among more points; in all dimensions it has more.
  const double growth = std::clamp(std::log2(twice / some), 1.0, 2.0);
  const double pairs = twice * std::pow(count_ / static_cast<double>(parts_[1].points->rows()), growth);
  const double preparation = count_ * dimensions_ * 3e-8, graph = graph_seconds(count_, dimensions_);
  return pairs <= most_pairs * graph ? (preparation + pairs) / threads : graph / 2 * (1 + 1.0 / threads);
}

}  // namespace geodome::internal
