#include "geodome/laplacian/delaunay_star.h"

#include <algorithm>
#include <limits>

namespace geodome::internal {
namespace {

struct HullPoint {
  Eigen::Vector2d position;
  Index source = -1;  ///< -1: the origin itself
};

/// Positive when a, b, c turn left.
double turn(const HullPoint& a, const HullPoint& b, const HullPoint& c) {
  const Eigen::Vector2d u = b.position - a.position, v = c.position - a.position;
  return u.x() * v.y() - u.y() * v.x();
}

/// Corners of the convex hull, counter-clockwise, by monotone chains.
std::vector<HullPoint> convex_hull(std::vector<HullPoint> points) {
  std::sort(points.begin(), points.end(), [](const HullPoint& a, const HullPoint& b) {
    if (a.position.x() != b.position.x()) return a.position.x() < b.position.x();
    if (a.position.y() != b.position.y()) return a.position.y() < b.position.y();
    return a.source < b.source;
  });
  std::vector<HullPoint> hull;
  const auto extend = [&](const HullPoint& point, std::size_t floor) {
    while (hull.size() >= floor + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0) hull.pop_back();
    hull.push_back(point);
  };
  for (const HullPoint& point : points) extend(point, 0);
  const std::size_t lower = hull.size() - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) extend(points[i], lower);
  hull.pop_back();
  return hull;
}

}  // namespace

std::vector<std::array<Index, 2>> delaunay_star(std::span<const StarPoint> points) {
  double unit =
      std::numeric_limits<double>::infinity();  // nearest neighbour: inverted points stay near size one
  for (const StarPoint& point : points) {
    const double norm = point.position.norm();
    if (norm > 0) unit = std::min(unit, norm);
  }
  std::vector<HullPoint> inverted{{Eigen::Vector2d::Zero(), -1}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector2d position = points[i].position / unit;
    const double power = position.squaredNorm() - points[i].weight / (unit * unit);
    if (position.squaredNorm() > 0 && power > 0)
      inverted.push_back({position / power, static_cast<Index>(i)});
  }
  std::vector<std::array<Index, 2>> ring;
  if (inverted.size() < 3) return ring;
  const std::vector<HullPoint> hull = convex_hull(std::move(inverted));
  if (hull.size() < 3) return ring;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const HullPoint& next = hull[(i + 1) % hull.size()];
    if (hull[i].source >= 0 && next.source >= 0) ring.push_back({hull[i].source, next.source});
  }
  return ring;
}

}  // namespace geodome::internal
