#include "geodome/laplacian/tangent_planes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace geodome::internal {
namespace {

constexpr Index first_fit = 8;
constexpr Index second_fit = 16;
/// The first fit takes at most this many points to get away from a line.
constexpr Index most_fitted = 128;
/// Points whose variance across their main direction is a smaller part of that along it than this are nearly
/// on a line: the plane could turn around it. A half disc has 0.28.
constexpr double least_width = 0.1;
/// Spacings are compared over this many neighbours.
constexpr Index compared = 12;
/// Height above a plane, in spacings, up to which a point belongs to the same sheet.
constexpr double sheet_height = 1.2;

/// Neighbours of a point, nearest first.
struct Near {
  std::vector<Index> vertex;
  std::vector<double> distance;
  double reach = infinity;  ///< distance of the first point that is not among them
};

struct Fit {
  TangentPlane plane;
  double width = 0;  ///< variance across the main direction, as a part of that along it
};

TangentPlane plane_of_normal(const Eigen::RowVector3d& normal) {
  const Eigen::Vector3d x = Eigen::Vector3d(normal.transpose()).unitOrthogonal();
  return {x.transpose(), normal.cross(x.transpose()), normal, 0};
}

class PlaneFitter {
 public:
  PlaneFitter(const Points& points, const Points& normals, const NeighbourTree& tree)
      : points_(points), normals_(normals), tree_(tree) {}

  /// From the nearest points alone, with a first estimate of the spacing.
  TangentPlane first(Index point) const {
    Near near;
    Fit fit;
    for (Index count = first_fit; count <= most_fitted; count *= 2) {
      near = nearest(point, count);
      if (near.vertex.empty()) return plane_of_normal({0, 0, 1});
      fit = fitted(point, near);
      if (fit.width >= least_width || near.reach == infinity) break;
    }
    TangentPlane plane = given(point) ? plane_of_normal(normals_.row(point)) : fit.plane;
    const bool all = near.reach == infinity;
    const double radius = all ? near.distance.back() : near.reach;
    const double inside = static_cast<double>(near.vertex.size() + (all ? 0 : 1));
    plane.spacing = radius * std::sqrt(std::numbers::pi / inside);
    return plane;
  }

  /// The lower quartile of the first estimates around a point.
  double spacing(Index point, const std::vector<TangentPlane>& planes) const {
    std::vector<double> around{planes[static_cast<std::size_t>(point)].spacing};
    for (const Index other : nearest(point, compared).vertex)
      around.push_back(planes[static_cast<std::size_t>(other)].spacing);
    const auto quartile = around.begin() + static_cast<std::ptrdiff_t>((around.size() - 1) / 4);
    std::nth_element(around.begin(), quartile, around.end());
    return *quartile;
  }

  /// Fitted to points on the same sheet, or as before where these are too few.
  TangentPlane second(Index point, const std::vector<TangentPlane>& planes) const {
    const TangentPlane& before = planes[static_cast<std::size_t>(point)];
    if (given(point)) return before;
    Near near = nearest(point, second_fit);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < near.vertex.size(); ++i) {
      const TangentPlane& other = planes[static_cast<std::size_t>(near.vertex[i])];
      const Eigen::RowVector3d offset = points_.row(near.vertex[i]) - points_.row(point);
      const double limit = sheet_height * std::max(before.spacing, other.spacing);
      if (std::abs(offset.dot(before.normal)) > limit || std::abs(offset.dot(other.normal)) > limit) continue;
      near.vertex[kept] = near.vertex[i];
      near.distance[kept++] = near.distance[i];
    }
    near.vertex.resize(kept);
    near.distance.resize(kept);
    if (kept < first_fit / 2) return before;
    Fit fit = fitted(point, near);
    if (fit.width < least_width) return before;
    fit.plane.spacing = before.spacing;
    return fit.plane;
  }

 private:
  bool given(Index point) const { return normals_.rows() > 0 && normals_.row(point).squaredNorm() > 0; }

  Near nearest(Index point, Index count) const {
    Near near;
    tree_.nearest(point, count + 1, near.vertex, near.distance);
    if (near.vertex.size() > static_cast<std::size_t>(count)) {
      near.reach = near.distance.back();
      near.vertex.pop_back();
      near.distance.pop_back();
    }
    return near;
  }

  /// Plane of least squares. Weights fall towards the reach, so that the plane does not jump with the choice
  /// among points that are equally far.
  Fit fitted(Index point, const Near& near) const {
    const double unit = near.distance.back();  // tiny shapes would underflow when squared
    std::vector<double> weight;
    Eigen::RowVector3d mean = Eigen::RowVector3d::Zero();
    double total = 1;
    for (std::size_t i = 0; i < near.vertex.size(); ++i) {
      const double relative = near.distance[i] / near.reach;
      weight.push_back(1 - 0.99 * relative * relative);
      mean += weight[i] * (points_.row(near.vertex[i]) - points_.row(point)) / unit;
      total += weight[i];
    }
    mean /= total;
    Eigen::Matrix3d covariance = mean.transpose() * mean;  // of the point itself
    for (std::size_t i = 0; i < near.vertex.size(); ++i) {
      const Eigen::RowVector3d offset = (points_.row(near.vertex[i]) - points_.row(point)) / unit - mean;
      covariance += weight[i] * offset.transpose() * offset;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    const Eigen::Matrix3d& axes = solver.eigenvectors();
    const Eigen::Vector3d& variance = solver.eigenvalues();
    return {{axes.col(2).transpose(), axes.col(1).transpose(), axes.col(0).transpose(), 0},
            variance[2] > 0 ? variance[1] / variance[2] : 0};
  }

  const Points& points_;
  const Points& normals_;
  const NeighbourTree& tree_;
};

}  // namespace

std::vector<TangentPlane> tangent_planes(const Points& points, const Points& normals,
                                         const NeighbourTree& tree, const Execution& execution) {
  const PlaneFitter fitter(points, normals, tree);
  const auto count = static_cast<std::size_t>(points.rows());
  std::vector<TangentPlane> first(count), planes(count);
  std::vector<double> spacing(count);
  for_each_point(points.rows(), execution, "tangent planes", [&](Index v) { first[v] = fitter.first(v); });
  for_each_point(points.rows(), execution, "", [&](Index v) { spacing[v] = fitter.spacing(v, first); });
  for (std::size_t v = 0; v < count; ++v) first[v].spacing = spacing[v];
  for_each_point(points.rows(), execution, "", [&](Index v) { planes[v] = fitter.second(v, first); });
  return planes;
}

}  // namespace geodome::internal
