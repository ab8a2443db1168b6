#include "geodome/laplacian/cloud_stars.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/delaunay_star.h"
#include "geodome/laplacian/neighbours.h"
#include "geodome/laplacian/tangent_planes.h"

namespace geodome::internal {
namespace {

/// Neighbours that rise more steeply than this above the tangent plane belong to another sheet: tan 60°,
/// beyond the 45° at the edge and the 35° at the corner of a cube.
constexpr double steepest = 1.7320508;
/// Slopes and tilts are judged only where heights exceed this many spacings: below, they may be noise.
constexpr double noise_height = 1.3;
/// A triangle is tilted at a corner if the angle between its normal and the corner's is above 60°.
constexpr double tilt_cosine = 0.5;
/// A gap in the ring wider than this requires more neighbours: 162°, since a straight border shows 180°.
constexpr double widest_gap = 0.9 * std::numbers::pi;
/// Relative size of the weights that decide ties: far above rounding, far below any visible shift.
constexpr double tie_weight = 1e-6;
/// How often the number of neighbours may double.
constexpr int growth_steps = 4;

/// What may be joined to a point.
struct Limits {
  double height;       ///< of a neighbour above the plane of either, in spacings
  int tilted_corners;  ///< triangles with this many are left out
};

/// Where triangles surround the point, no other sheet shows through them.
constexpr Limits inside{2, 2};
/// At a border nothing covers the view of other sheets: only what is nearly in the plane belongs to the
/// point.
constexpr Limits at_border{1.2, 1};

/// A distinct point's place in the order of positions decides ties: it survives renumbering and scaling.
double tie_breaker(std::size_t rank) {
  std::uint64_t hash = (rank + 1) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9ull;
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

class StarBuilder {
 public:
  /// Points are known by their rank in `distinct` from here on.
  StarBuilder(const PointCloud& cloud, const std::vector<Index>& distinct, const Execution& execution)
      : points_(cloud.points(distinct, Eigen::all)), tree_(points_) {
    if (cloud.normals.rows() > 0) normals_ = cloud.normals(distinct, Eigen::all);
    for (Eigen::Index v = 0; v < normals_.rows(); ++v) normals_.row(v).stableNormalize();
    planes_ = tangent_planes(points_, normals_, tree_, execution);
    set_weights(execution);
  }

  Eigen::Index count() const { return points_.rows(); }
  double spacing(Index rank) const { return plane(rank).spacing; }

  /// The star of the point with this rank, as ranks.
  std::vector<std::array<Index, 2>> star(Index rank, Index neighbours) const {
    std::vector<Index> found;
    std::vector<double> distance;
    std::vector<std::array<Index, 2>> result;
    double reach = 0;
    for (int step = 0; step <= growth_steps && reach < infinity; ++step, neighbours *= 2) {
      tree_.nearest(rank, neighbours, found, distance);
      if (found.size() < 2) return {};
      const bool all = static_cast<Eigen::Index>(found.size()) == points_.rows() - 1;
      reach = all ? infinity : distance.back();
      if (triangulate(rank, found, reach, inside, result)) return result;
    }
    triangulate(rank, found, reach, at_border, result);
    return result;
  }

 private:
  const TangentPlane& plane(Index rank) const { return planes_[static_cast<std::size_t>(rank)]; }

  void set_weights(const Execution& execution) {
    weights_.resize(static_cast<std::size_t>(points_.rows()), 0);
    for_each_point(points_.rows(), execution, "", [&](Index rank) {
      std::vector<Index> found;
      std::vector<double> distance;
      tree_.nearest(rank, 1, found, distance);
      if (!distance.empty())
        weights_[static_cast<std::size_t>(rank)] =
            tie_weight * distance[0] * distance[0] * tie_breaker(static_cast<std::size_t>(rank));
    });
  }

  /// Whether two points may be neighbours on one sheet, judged from the first one's plane and both heights.
  bool same_sheet(Index rank, Index other, const Limits& limits) const {
    if (normals_.rows() > 0 && normals_.row(other).dot(normals_.row(rank)) < 0) return false;
    const Eigen::RowVector3d offset = points_.row(other) - points_.row(rank);
    const double spacing = std::max(plane(rank).spacing, plane(other).spacing);
    const double height = std::abs(offset.dot(plane(rank).normal));
    const double height_there = std::abs(offset.dot(plane(other).normal));
    const double across = std::hypot(offset.dot(plane(rank).x), offset.dot(plane(rank).y));
    if (!(across > 0) || std::max(height, height_there) > limits.height * spacing) return false;
    return height <= steepest * across || height <= noise_height * spacing;
  }

  /// At how many corners the triangle stands on the tangent plane rather than lies in it.
  int tilted_corners(const std::array<Index, 3>& corner) const {
    const Eigen::RowVector3d u = points_.row(corner[1]) - points_.row(corner[0]);
    const Eigen::RowVector3d v = points_.row(corner[2]) - points_.row(corner[0]);
    const double unit = std::max(u.norm(), v.norm());
    const Eigen::RowVector3d normal = (u / unit).cross(v / unit).stableNormalized();
    double spacing = 0;
    for (const Index c : corner) spacing = std::max(spacing, plane(c).spacing);
    int count = 0;
    for (const Index c : corner) {
      const double at_u = u.dot(plane(c).normal), at_v = v.dot(plane(c).normal);
      const double height = std::max({0.0, at_u, at_v}) - std::min({0.0, at_u, at_v});
      count += height > noise_height * spacing && std::abs(normal.dot(plane(c).normal)) <= tilt_cosine;
    }
    return count;
  }

  /// Fills `result` with the triangles at the point; true when they close up around it. Triangles whose empty
  /// circle reaches beyond the points looked at may hide others and are left out.
  bool triangulate(Index rank, const std::vector<Index>& found, double reach, const Limits& limits,
                   std::vector<std::array<Index, 2>>& result) const {
    std::vector<StarPoint> planar;
    std::vector<Index> source;
    for (const Index other : found) {
      if (!same_sheet(rank, other, limits)) continue;
      const Eigen::RowVector3d offset = points_.row(other) - points_.row(rank);
      const Eigen::Vector2d flat(offset.dot(plane(rank).x), offset.dot(plane(rank).y));
      // At its distance in space, nearer to the distance along the surface than the projected one.
      planar.push_back({flat * (offset.norm() / flat.norm()), weights_[static_cast<std::size_t>(other)] -
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
      const Index from = source[static_cast<std::size_t>(a)], to = source[static_cast<std::size_t>(b)];
      if (tilted_corners({rank, from, to}) >= limits.tilted_corners) continue;
      covered += angle;
      result.push_back({from, to});
    }
    return covered > 2 * std::numbers::pi * (1 - 1e-9);
  }

  Points points_;
  NeighbourTree tree_;
  Points normals_;
  std::vector<TangentPlane> planes_;
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
    throw InputError(text("the number of cloud neighbours must be at least 5, got ", neighbours));

  CloudStars stars;
  const std::vector<Index> distinct = order_positions(cloud.points, stars.representative);
  stars.spacing.assign(static_cast<std::size_t>(cloud.points.rows()), 0);
  std::vector<std::vector<std::array<Index, 2>>> found(static_cast<std::size_t>(cloud.points.rows()));
  if (!distinct.empty()) {
    const StarBuilder builder(cloud, distinct, execution);
    for_each_point(builder.count(), execution, "local triangulations", [&](Index rank) {
      const auto vertex = static_cast<std::size_t>(distinct[static_cast<std::size_t>(rank)]);
      stars.spacing[vertex] = builder.spacing(rank);
      found[vertex] = builder.star(rank, neighbours);
      for (auto& pair : found[vertex])
        for (Index& corner : pair) corner = distinct[static_cast<std::size_t>(corner)];
    });
  }
  for (const auto& star : found) {
    stars.triangles.insert(stars.triangles.end(), star.begin(), star.end());
    stars.offsets.push_back(stars.triangles.size());
  }
  return stars;
}

}  // namespace geodome::internal
