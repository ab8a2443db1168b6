#include "geodome/comparison/point_tree.h"

#include <nanoflann.hpp>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Rows of coordinates as nanoflann wants to see them.
struct Cloud {
  RowMatrix<double> points;

  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(points.rows()); }
  double kdtree_get_pt(std::size_t row, std::size_t column) const {
    return points(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
  }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

RowMatrix<double> checked(RowMatrix<double> points) {
  if (points.rows() == 0) throw InputError("the point set is empty");
  if (!points.allFinite()) throw InputError("the point set contains a point that is not finite");
  return points;
}

}  // namespace

struct PointTree::Tree {
  explicit Tree(RowMatrix<double> points) : cloud{std::move(points)} {}
  virtual ~Tree() = default;
  virtual NearestPoint nearest(const double* coordinates, geodome::Index near) const = 0;

  Cloud cloud;
};

/// With the number of coordinates known to the compiler a search takes two thirds of the time; -1 is any.
template <int dimension>
struct PointTree::TreeOf final : Tree {
  using Index =
      nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, dimension>;

  explicit TreeOf(RowMatrix<double> points)
      : Tree(std::move(points)), index(static_cast<int>(cloud.points.cols()), cloud) {}

  NearestPoint nearest(const double* coordinates, geodome::Index near) const override {
    nanoflann::KNNResultSet<double> result(1);
    std::size_t found = 0;
    double squared = 0;
    result.init(&found, &squared);
    if (near != none) result.addPoint(squared_distance(coordinates, near), static_cast<std::size_t>(near));
    index.findNeighbors(result, coordinates, nanoflann::SearchParams());
    return {static_cast<geodome::Index>(found), std::sqrt(squared)};
  }

  double squared_distance(const double* coordinates, geodome::Index point) const {
    double sum = 0;
    for (Eigen::Index k = 0; k < cloud.points.cols(); ++k) {
      const double step = coordinates[k] - cloud.points(point, k);
      sum += step * step;
    }
    return sum;
  }

  Index index;
};

PointTree::PointTree(RowMatrix<double> points) {
  points = checked(std::move(points));
  if (points.cols() == 3)
    tree_ = std::make_unique<TreeOf<3>>(std::move(points));
  else
    tree_ = std::make_unique<TreeOf<-1>>(std::move(points));
}
PointTree::~PointTree() = default;
PointTree::PointTree(PointTree&&) noexcept = default;

const RowMatrix<double>& PointTree::points() const {
  return tree_->cloud.points;
}

NearestPoint PointTree::nearest(const double* coordinates, Index near) const {
  return tree_->nearest(coordinates, near);
}

namespace {

/// The points that are nearer to one chosen point than to those chosen before and after it.
struct Neighbourhood {
  std::vector<Index> points;
  Index farthest = 0;
  double squared = -1;  ///< distance of the farthest

  void look_at(Index point, double distance) {
    if (distance > squared || (distance == squared && point < farthest)) {
      squared = distance;
      farthest = point;
    }
  }
};

}  // namespace

std::vector<Index> farthest_points(const Eigen::Ref<const RowMatrix<double>>& points, Index count) {
  std::vector<Index> chosen;
  if (points.rows() == 0 || count < 1) return chosen;
  const auto squared_distance = [&, m = points.cols()](Index a, Index b) {
    const double* x = points.data() + a * points.outerStride();
    const double* y = points.data() + b * points.outerStride();
    double sum = 0;
    for (Eigen::Index k = 0; k < m; ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
  };
  const Eigen::RowVectorXd mean = points.colwise().mean();
  Eigen::Index first = 0;
  (points.rowwise() - mean).rowwise().squaredNorm().maxCoeff(&first);
  chosen.push_back(static_cast<Index>(first));
  Vector distance(points.rows());
  std::vector<Neighbourhood> around(1);
  for (Index v = 0; v < static_cast<Index>(points.rows()); ++v) {
    distance[v] = squared_distance(v, chosen[0]);
    around[0].points.push_back(v);
    around[0].look_at(v, distance[v]);
  }
  while (static_cast<Index>(chosen.size()) < std::min<Eigen::Index>(count, points.rows())) {
    Neighbourhood widest;
    for (const Neighbourhood& one : around) widest.look_at(one.farthest, one.squared);
    if (widest.squared <= 0) break;
    const Index next = widest.farthest;
    Neighbourhood taken;
    for (std::size_t k = 0; k < around.size(); ++k) {
      // Points at most r from a chosen one are not nearer to another that is at least 2 r from it.
      if (squared_distance(next, chosen[k]) >= 4 * around[k].squared) continue;
      Neighbourhood left;
      left.points.swap(around[k].points);
      std::size_t stay = 0;
      for (const Index v : left.points) {
        const double now = squared_distance(v, next);
        if (now < distance[v]) {
          distance[v] = now;
          taken.points.push_back(v);
          taken.look_at(v, now);
        } else {
          left.points[stay++] = v;
          left.look_at(v, distance[v]);
        }
      }
      left.points.resize(stay);
      around[k] = std::move(left);
    }
    chosen.push_back(next);
    around.push_back(std::move(taken));
  }
  return chosen;
}

}  // namespace geodome::internal
