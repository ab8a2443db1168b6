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
  virtual NearestPoint nearest(const double* coordinates, geodome::Index near, float slack) const = 0;

  Cloud cloud;
};

/// With the number of coordinates known to the compiler a search takes two thirds of the time; -1 is any.
template <int dimension>
struct PointTree::TreeOf final : Tree {
  using Index =
      nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, dimension>;

  explicit TreeOf(RowMatrix<double> points)
      : Tree(std::move(points)), index(static_cast<int>(cloud.points.cols()), cloud) {}

  NearestPoint nearest(const double* coordinates, geodome::Index near, float slack) const override {
    nanoflann::KNNResultSet<double> result(1);
    std::size_t found = 0;
    double squared = 0;
    result.init(&found, &squared);
    if (near != none) result.addPoint(squared_distance(coordinates, near), static_cast<std::size_t>(near));
    index.findNeighbors(result, coordinates, nanoflann::SearchParams(0, slack));
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

NearestPoint PointTree::nearest(const double* coordinates, Index near, double slack) const {
  return tree_->nearest(coordinates, near, static_cast<float>((1 + slack) * (1 + slack) - 1));
}

std::vector<Index> farthest_points(const Eigen::Ref<const RowMatrix<double>>& points, Index count) {
  std::vector<Index> chosen;
  if (points.rows() == 0 || count < 1) return chosen;
  const Eigen::RowVectorXd mean = points.colwise().mean();
  Vector distance = (points.rowwise() - mean).rowwise().squaredNorm();
  Eigen::Index next = 0;
  distance.maxCoeff(&next);
  distance.setConstant(infinity);
  while (static_cast<Index>(chosen.size()) < std::min<Eigen::Index>(count, points.rows())) {
    if (distance[next] == 0) break;
    chosen.push_back(static_cast<Index>(next));
    const Eigen::RowVectorXd place = points.row(next);
    double farthest = -1;
    for (Eigen::Index v = 0; v < points.rows(); ++v) {
      distance[v] = std::min(distance[v], (points.row(v) - place).squaredNorm());
      if (distance[v] > farthest) {
        farthest = distance[v];
        next = v;
      }
    }
  }
  return chosen;
}

}  // namespace geodome::internal
