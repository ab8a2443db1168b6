#include "geodome/laplacian/close_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/random_unit.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr std::size_t leaf_size = 64;
constexpr Eigen::Index most_directions = 63;
constexpr float nowhere = std::numeric_limits<float>::infinity();

namespace plain {
#define GEODOME_VECTOR 16
#include "geodome/laplacian/close_pairs.inc"
#undef GEODOME_VECTOR
}  // namespace plain

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GEODOME_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")
#define GEODOME_VECTOR 32
namespace avx2 {
#include "geodome/laplacian/close_pairs.inc"
}  // namespace avx2
#undef GEODOME_VECTOR
#pragma GCC pop_options
#endif

/// Orthonormal columns (d by m) near those along which some of the rows vary most: how near only decides how
/// many pairs are told apart.
Eigen::MatrixXd main_directions(const RowMatrix<float>& points) {
  constexpr Eigen::Index most_rows = 1000;
  constexpr int rounds = 3;
  const Eigen::Index rows = std::min(points.rows(), most_rows), d = points.cols();
  Eigen::MatrixXd sample(rows, d);
  for (Eigen::Index i = 0; i < rows; ++i) sample.row(i) = points.row(i * points.rows() / rows).cast<double>();
  std::mt19937_64 generator(1);
  const Eigen::Index directions = std::min(most_directions, d / 2);
  Eigen::MatrixXd axes =
      Eigen::MatrixXd::NullaryExpr(d, directions, [&] { return random_unit(generator) - 0.5; });
  for (int round = 0; round < rounds; ++round) {
    const Eigen::MatrixXd along = sample * orthonormal(axes);
    axes = sample.transpose() * along;
  }
  axes = orthonormal(axes);
  // The first ones should tell most.
  const Eigen::MatrixXd along = sample * axes;
  return axes * symmetric_eigen(along.transpose() * along).vectors.rowwise().reverse();
}

}  // namespace

/// Points in leaves of a k-d tree: near ones lie in few of them.
struct ClosePairs::Leaves {
  RowMatrix<float> unit;       ///< #V by d: centred, in [-1, 1]
  RowMatrix<float> direct;     ///< #V by m: along the directions, then the length of what is left
  std::vector<Index> order;    ///< leaf by leaf
  std::vector<Index> first;    ///< #leaves + 1: positions in `order`
  std::vector<float> packed;   ///< of each leaf m by leaf_size, filled up with points that are nowhere
  RowMatrix<float> low, high;  ///< #leaves by m: the box of each
  double absolute = 0;         ///< errors of 32-bit distances: this,
  double relative = 0;         ///< and this times the distance
  /// Of the best level of vector instructions.
  decltype(&plain::squared_distance) squared_distance = plain::squared_distance;
  decltype(&plain::project_leaf) project_leaf = plain::project_leaf;

  Leaves() {
#ifdef GEODOME_AVX2
    if (!__builtin_cpu_supports("avx2")) return;
    squared_distance = avx2::squared_distance;
    project_leaf = avx2::project_leaf;
#endif
  }

  std::size_t count() const {
    return first.size() - 1;
  }
  std::size_t directions() const {
    return static_cast<std::size_t>(direct.cols());
  }
  const float* leaf(std::size_t number) const {
    return packed.data() + number * directions() * leaf_size;
  }

  void split(Index begin, Index end);
  void pack();
};

/// At the median along the direction in which these points are spread most.
void ClosePairs::Leaves::split(Index begin, Index end) {
  if (end - begin <= static_cast<Index>(leaf_size)) {
    first.push_back(end);
    return;
  }
  Eigen::RowVectorXf least = direct.row(order[begin]), most = least;
  for (Index k = begin; k < end; ++k) {
    least = least.cwiseMin(direct.row(order[k]));
    most = most.cwiseMax(direct.row(order[k]));
  }
  Eigen::Index axis = 0;
  (most - least).maxCoeff(&axis);
  // Whole leaves on the left.
  const auto whole = static_cast<Index>(leaf_size);
  const Index leaves = (end - begin + whole - 1) / whole, middle = begin + leaves / 2 * whole;
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](Index a, Index b) {
    return std::pair(direct(a, axis), a) < std::pair(direct(b, axis), b);
  });
  split(begin, middle);
  split(middle, end);
}

void ClosePairs::Leaves::pack() {
  const auto m = static_cast<Eigen::Index>(directions());
  low.resize(static_cast<Eigen::Index>(count()), m);
  high.resize(static_cast<Eigen::Index>(count()), m);
  packed.assign(count() * directions() * leaf_size, nowhere);
  for (std::size_t number = 0; number < count(); ++number) {
    const auto row = static_cast<Eigen::Index>(number);
    low.row(row) = high.row(row) = direct.row(order[first[number]]);
    float* own = packed.data() + number * directions() * leaf_size;
    for (Index k = first[number]; k < first[number + 1]; ++k) {
      const auto point = direct.row(order[k]);
      low.row(row) = low.row(row).cwiseMin(point);
      high.row(row) = high.row(row).cwiseMax(point);
      for (Eigen::Index t = 0; t < m; ++t)
        own[static_cast<std::size_t>(t) * leaf_size + static_cast<std::size_t>(k - first[number])] = point[t];
    }
  }
}

ClosePairs::ClosePairs(const Eigen::Ref<const RowMatrix<double>>& points, const Execution& execution)
    : points_(points) {
  auto leaves = std::make_unique<Leaves>();
  const Eigen::RowVectorXd centre = points.colwise().mean();
  const auto rows = [&](const auto& work) {
    constexpr Eigen::Index chunk = 256;
    parallel_for(static_cast<std::size_t>((points.rows() + chunk - 1) / chunk), execution, "",
                 [&](std::size_t item, int) {
                   const Eigen::Index begin = static_cast<Eigen::Index>(item) * chunk;
                   work(begin, std::min(chunk, points.rows() - begin));
                 });
  };
  double size = 0, largest = 0;
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    size = std::max(size, (points.row(v) - centre).cwiseAbs().maxCoeff());
    largest = std::max(largest, points.row(v).cwiseAbs().maxCoeff());
  }
  if (!(size > 0)) size = 1;
  leaves->unit.resize(points.rows(), points.cols());
  rows([&](Eigen::Index begin, Eigen::Index count) {
    leaves->unit.middleRows(begin, count) =
        ((points.middleRows(begin, count).rowwise() - centre) / size).cast<float>();
  });
  const Eigen::MatrixXd axes = main_directions(leaves->unit);
  leaves->direct.resize(points.rows(), axes.cols() + 1);
  rows([&](Eigen::Index begin, Eigen::Index count) {
    const RowMatrix<double> own = leaves->unit.middleRows(begin, count).cast<double>();
    const RowMatrix<double> along = own * axes;
    leaves->direct.block(begin, 0, count, axes.cols()) = along.cast<float>();
    // Two lengths differ by no more than what they are the lengths of.
    leaves->direct.block(begin, axes.cols(), count, 1) =
        (own.rowwise().squaredNorm() - along.rowwise().squaredNorm()).cwiseMax(0).cwiseSqrt().cast<float>();
  });
  leaves->order.resize(static_cast<std::size_t>(points.rows()));
  std::iota(leaves->order.begin(), leaves->order.end(), 0);
  leaves->first = {0};
  leaves->split(0, static_cast<Index>(points.rows()));
  leaves->pack();
  // Each coordinate is rounded, to double when it is centred and then to float; sums of d squares are, too.
  constexpr double single = 0x1p-24, exact = 0x1p-53;
  const auto d = static_cast<double>(points.cols());
  leaves->absolute = std::sqrt(d) * (8 * single + 8 * exact * largest / size) + d * single / 4;
  leaves->relative = (d + 16) * single;
  leaves_ = std::move(leaves);
}

ClosePairs::~ClosePairs() = default;

/// All nearest neighbours of the points of one leaf.
class ClosePairs::Searcher {
 public:
  Searcher(const ClosePairs& pairs, Index k)
      : points_(pairs.points_), leaves_(*pairs.leaves_), k_(static_cast<std::size_t>(k)), own_(leaf_size) {}

  /// What was done so far, at the speed of a processor of 2024.
  double seconds() const {
    return projections_ * 2e-7 + evaluations_ * (5e-8 + 1.5e-10 * static_cast<double>(points_.cols()));
  }

  /// False where it takes longer than `allowed`.
  bool search(std::size_t number, double allowed = infinity) {
    const auto size = static_cast<std::size_t>(leaves_.first[number + 1] - leaves_.first[number]);
    for (std::size_t i = 0; i < size; ++i)
      own_[i] = {leaves_.order[leaves_.first[number] + static_cast<Index>(i)]};
    order_leaves(number);
    for (const auto& [distance, other] : near_) {
      float limit = 0;
      for (std::size_t i = 0; i < size; ++i) limit = std::max(limit, own_[i].limit);
      if (distance > limit) break;
      for (std::size_t i = 0; i < size; ++i) visit(own_[i], other);
      if (seconds() > allowed) return false;
    }
    for (std::size_t i = 0; i < size; ++i) own_[i].narrow(k_, leaves_);
    return true;
  }

  Index size(std::size_t number) const { return leaves_.first[number + 1] - leaves_.first[number]; }

  /// The result of one of them.
  Index result(std::size_t i, Candidates& neighbours) const {
    const Own& own = own_[i];
    neighbours.clear();
    for (const auto& [distance, other] : own.kept)
      neighbours.emplace_back((points_.row(own.point) - points_.row(other)).norm(), other);
    const std::size_t k = std::min(k_, neighbours.size());
    std::partial_sort(neighbours.begin(), neighbours.begin() + static_cast<std::ptrdiff_t>(k),
                      neighbours.end());
    neighbours.resize(k);
    return own.point;
  }

 private:
  struct Own {
    Index point = 0;
    std::vector<std::pair<float, Index>> kept = {};  ///< squared distances
    float limit = nowhere;                           ///< squared: none of the nearest is farther
    std::size_t next = 0;                            ///< size of `kept` at which it is narrowed

    /// Leaves those that may be among the k nearest.
    void narrow(std::size_t k, const Leaves& leaves) {
      if (kept.size() > k) {
        const auto last = kept.begin() + static_cast<std::ptrdiff_t>(k) - 1;
        std::nth_element(kept.begin(), last, kept.end());
        const double reach =
            (std::sqrt(static_cast<double>(last->first)) + 2 * leaves.absolute) * (1 + 4 * leaves.relative);
        limit = static_cast<float>(reach * reach * (1 + 1e-6));
        std::erase_if(kept, [&](const auto& one) { return one.first > limit; });
      }
      next = 2 * std::max(kept.size(), k) + 16;
    }
  };

  /// By the distance of their boxes.
  void order_leaves(std::size_t number) {
    near_.clear();
    const auto row = static_cast<Eigen::Index>(number);
    for (std::size_t other = 0; other < leaves_.count(); ++other) {
      const auto column = static_cast<Eigen::Index>(other);
      const float distance = (leaves_.low.row(column) - leaves_.high.row(row))
                                 .cwiseMax(leaves_.low.row(row) - leaves_.high.row(column))
                                 .cwiseMax(0)
                                 .squaredNorm();
      near_.emplace_back(other == number ? -1 : distance, other);
    }
    std::sort(near_.begin(), near_.end());
    projections_ += static_cast<double>(leaves_.count()) / 2;
  }

  void visit(Own& own, std::size_t other) {
    if (own.next == 0) own.next = 2 * k_ + 16;
    float projected[leaf_size];
    const float* point = &leaves_.direct(own.point, 0);
    ++projections_;
    if (!leaves_.project_leaf(point, leaves_.leaf(other), leaves_.directions(), own.limit, projected)) return;
    const Index begin = leaves_.first[other], end = leaves_.first[other + 1];
    const auto d = static_cast<std::size_t>(leaves_.unit.cols());
    for (Index at = begin; at < end; ++at) {
      const Index candidate = leaves_.order[at];
      if (!(projected[at - begin] <= own.limit) || candidate == own.point) continue;
      const float distance =
          leaves_.squared_distance(&leaves_.unit(own.point, 0), &leaves_.unit(candidate, 0), d);
      ++evaluations_;
      if (distance <= own.limit) own.kept.emplace_back(distance, candidate);
    }
    if (own.kept.size() >= own.next) own.narrow(k_, leaves_);
  }

  const Eigen::Ref<const RowMatrix<double>>& points_;
  const Leaves& leaves_;
  std::size_t k_;
  std::vector<Own> own_;
  std::vector<std::pair<float, std::size_t>> near_;
  double projections_ = 0;  ///< of a leaf, for one point
  double evaluations_ = 0;  ///< of whole distances
};

double ClosePairs::estimated_seconds(Index k, double most, const Execution& execution) const {
  constexpr std::size_t step = 100, fewest = 16;
  const std::size_t count = leaves_->count(), some = std::min(count, std::max(fewest, count / step));
  // Many equal points have no end: a leaf that takes so much more than its part is enough to know.
  const double allowed = 30 * most / static_cast<double>(count);
  std::vector<double> seconds(some);
  parallel_for(some, execution, "", [&](std::size_t item, int) {
    Searcher searcher(*this, k);
    seconds[item] = searcher.search(item * count / some, allowed) ? searcher.seconds() : infinity;
  });
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) * static_cast<double>(count) /
         static_cast<double>(some);
}

void ClosePairs::search(Index k, const Execution& execution,
                        const std::function<void(Index, const Candidates&)>& found) const {
  parallel_for(leaves_->count(), execution, "neighbours", [&](std::size_t number, int) {
    Searcher searcher(*this, k);
    Candidates neighbours;
    searcher.search(number);
    for (std::size_t i = 0; i < static_cast<std::size_t>(searcher.size(number)); ++i) {
      const Index point = searcher.result(i, neighbours);
      found(point, neighbours);
    }
  });
}

}  // namespace geodome::internal
