#include "geodome/laplacian/cloud_stars.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/delaunay_star.h"
#include "geodome/laplacian/neighbours.h"

namespace geodome {
namespace {

/// Neighbours that rise more steeply than this above the tangent plane belong to another sheet: tan 60°,
/// beyond the 45° at the edge and the 35° at the corner of a cube.
constexpr double steepest = 1.7320508;
/// A gap in the ring wider than this asks for more neighbours: 162°, since a straight border shows 180°.
constexpr double widest_gap = 0.9 * 3.14159265358979;
/// Relative size of the weights that decide ties: far above rounding, far below any visible shift.
constexpr double tie_weight = 1e-6;
/// How often the number of neighbours may double.
constexpr int growth_steps = 2;

/// Tangent frame at a point: two rows spanning the plane, and its normal.
struct Frame {
  Eigen::RowVector3d x, y, normal;
};

/// A distinct point's place in the order of positions decides ties: it survives renumbering and scaling.
double tie_breaker(std::size_t rank) {
  std::uint64_t hash = (rank + 1) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9ull;
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

Frame frame_of_normal(const Eigen::RowVector3d& normal) {
  const Eigen::Vector3d x = Eigen::Vector3d(normal.transpose()).unitOrthogonal();
  return {x.transpose(), normal.cross(x.transpose()), normal};
}

class StarBuilder {
 public:
  /// Points are known by their rank in `distinct` from here on.
  StarBuilder(const PointCloud& cloud, const std::vector<Index>& distinct)
      : points_(cloud.points(distinct, Eigen::all)), tree_(points_) {
    if (cloud.normals.rows() > 0) normals_ = cloud.normals(distinct, Eigen::all);
    for (Eigen::Index v = 0; v < normals_.rows(); ++v) normals_.row(v).stableNormalize();
    set_weights();
  }

  /// The star of the point with this rank, as ranks.
  std::vector<std::array<Index, 2>> star(Index rank, Index neighbours) const {
    std::vector<Index> found;
    std::vector<double> distance;
    std::vector<std::array<Index, 2>> result;
    for (int step = 0; step <= growth_steps; ++step, neighbours *= 2) {
      tree_.nearest(rank, neighbours, found, distance);
      if (found.size() < 2) return {};
      const bool all = static_cast<Eigen::Index>(found.size()) == points_.rows() - 1;
      const double reach = all ? infinity : distance.back();
      const bool closed = triangulate(rank, found, reach, result);
      if (closed || all) break;
    }
    return result;
  }

 private:
  void set_weights() {
    weights_.resize(static_cast<std::size_t>(points_.rows()), 0);
    std::vector<Index> found;
    std::vector<double> distance;
    for (Index rank = 0; rank < points_.rows(); ++rank) {
      tree_.nearest(rank, 1, found, distance);
      if (!distance.empty())
        weights_[static_cast<std::size_t>(rank)] =
            tie_weight * distance[0] * distance[0] * tie_breaker(static_cast<std::size_t>(rank));
    }
  }

  Frame tangent_frame(Index rank, const std::vector<Index>& found) const {
    if (normals_.rows() > 0 && normals_.row(rank).squaredNorm() > 0)
      return frame_of_normal(normals_.row(rank));
    // Scaled by the neighbourhood's radius, so that tiny shapes do not underflow when squared.
    const double radius = (points_.row(found.back()) - points_.row(rank)).norm();
    Eigen::RowVector3d mean = Eigen::RowVector3d::Zero();
    for (const Index other : found) mean += (points_.row(other) - points_.row(rank)) / radius;
    mean /= static_cast<double>(found.size() + 1);
    Eigen::Matrix3d covariance = mean.transpose() * mean;  // of the point itself
    for (const Index other : found) {
      const Eigen::RowVector3d offset = (points_.row(other) - points_.row(rank)) / radius - mean;
      covariance += offset.transpose() * offset;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    const Eigen::Matrix3d axes = solver.eigenvectors();
    return {axes.col(2).transpose(), axes.col(1).transpose(), axes.col(0).transpose()};
  }

  /// Fills `result` with the triangles at the point; true when they close up around it. Triangles whose empty
  /// circle reaches beyond the points looked at may hide others and are left out.
  bool triangulate(Index rank, const std::vector<Index>& found, double reach,
                   std::vector<std::array<Index, 2>>& result) const {
    const Frame frame = tangent_frame(rank, found);
    std::vector<StarPoint> planar;
    std::vector<Index> source;
    for (const Index other : found) {
      const Eigen::RowVector3d offset = points_.row(other) - points_.row(rank);
      const Eigen::Vector2d flat(offset.dot(frame.x), offset.dot(frame.y));
      const double across = flat.norm(), length = offset.norm();
      if (!(across > 0) || std::abs(offset.dot(frame.normal)) > steepest * across) continue;
      if (normals_.rows() > 0 && normals_.row(other).dot(normals_.row(rank)) < 0) continue;
      // At its distance in space, nearer to the distance along the surface than the projected one.
      planar.push_back({flat * (length / across), weights_[static_cast<std::size_t>(other)] -
                                                      weights_[static_cast<std::size_t>(rank)]});
      source.push_back(other);
    }
    result.clear();
    double covered = 0;
    for (const auto& [a, b] : delaunay_star(planar)) {
      const Eigen::Vector2d& p = planar[static_cast<std::size_t>(a)].position;
      const Eigen::Vector2d& q = planar[static_cast<std::size_t>(b)].position;
      const double cross = p.x() * q.y() - p.y() * q.x();
      const double angle = std::atan2(cross, p.dot(q));
      if (!(angle > 0) || angle > widest_gap) continue;
      const double diameter = p.norm() * q.norm() * (p - q).norm() / cross;
      if (diameter > reach) continue;
      covered += angle;
      result.push_back({source[static_cast<std::size_t>(a)], source[static_cast<std::size_t>(b)]});
    }
    return covered > 2 * 3.14159265358979 * (1 - 1e-9);
  }

  Points points_;
  NeighbourTree tree_;
  Points normals_;
  std::vector<double> weights_;
};

/// Points in the order of their positions, and for each the first point in the input at the same position.
std::vector<Index> order_positions(const Points& points, std::vector<Index>& representative) {
  const auto key = [&](Index v) { return std::tuple(points(v, 0), points(v, 1), points(v, 2)); };
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  representative.resize(order.size());
  std::vector<Index> distinct;
  for (const Index v : order) {
    if (distinct.empty() || key(distinct.back()) != key(v)) distinct.push_back(v);
    representative[static_cast<std::size_t>(v)] = distinct.back();
  }
  return distinct;
}

}  // namespace

CloudStars cloud_stars(const PointCloud& cloud, Index neighbours, const Execution& execution) {
  require_finite(cloud.points);
  if (cloud.normals.rows() > 0) {
    if (cloud.normals.rows() != cloud.points.rows())
      throw InputError(
          text("the cloud has ", cloud.points.rows(), " points but ", cloud.normals.rows(), " normals"));
    require_finite(cloud.normals);
  }
  if (neighbours < 5)
    throw InputError(
        text("asked for ", neighbours, " cloud neighbours; at least 5 are needed to surround a point"));

  CloudStars stars;
  const std::vector<Index> distinct = order_positions(cloud.points, stars.representative);
  std::vector<std::vector<std::array<Index, 2>>> found(static_cast<std::size_t>(cloud.points.rows()));
  if (!distinct.empty()) {
    const StarBuilder builder(cloud, distinct);
    constexpr std::size_t chunk = 256;
    parallel_for((distinct.size() + chunk - 1) / chunk, execution, "local triangulations",
                 [&](std::size_t item, int) {
                   const std::size_t end = std::min(distinct.size(), (item + 1) * chunk);
                   for (std::size_t rank = item * chunk; rank < end; ++rank) {
                     auto& star = found[static_cast<std::size_t>(distinct[rank])];
                     star = builder.star(static_cast<Index>(rank), neighbours);
                     for (auto& pair : star)
                       for (Index& corner : pair) corner = distinct[static_cast<std::size_t>(corner)];
                   }
                 });
  }
  for (const auto& star : found) {
    stars.triangles.insert(stars.triangles.end(), star.begin(), star.end());
    stars.offsets.push_back(stars.triangles.size());
  }
  return stars;
}

}  // namespace geodome
