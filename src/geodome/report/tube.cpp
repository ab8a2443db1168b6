#include "geodome/report/tube.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

namespace geodome::internal {
namespace {

constexpr Index sides = 8;
/// Radius of the balls at both ends, in radii of the tube.
constexpr double ball = 2.5;

struct Ring {
  Eigen::RowVector3d centre;
  Eigen::RowVector3d along;
  double radius;
};

/// Half circles of rings at the ends, and one ring for each point.
std::vector<Ring> rings_of(const Eigen::Ref<const RowMatrix<double>>& line, double radius) {
  std::vector<Ring> rings;
  const Eigen::Index last = line.rows() - 1;
  const auto direction = [&](Eigen::Index p) -> Eigen::RowVector3d {
    const Eigen::RowVector3d way =
        line.row(std::min(p + 1, last)) - line.row(std::max<Eigen::Index>(p - 1, 0));
    return way.stableNorm() > 0 ? Eigen::RowVector3d(way.stableNormalized()) : Eigen::RowVector3d::UnitZ();
  };
  const auto add_ball = [&](Eigen::Index p) {
    for (int k = 0; k <= 6; ++k) {
      const double angle = std::numbers::pi * k / 6;
      const Eigen::RowVector3d centre = line.row(p) - ball * radius * std::cos(angle) * direction(p);
      rings.push_back({centre, direction(p), ball * radius * std::sin(angle)});
    }
  };
  add_ball(0);
  for (Eigen::Index p = 0; p <= last && last > 0; ++p) rings.push_back({line.row(p), direction(p), radius});
  if (last > 0) add_ball(last);
  return rings;
}

}  // namespace

void add_tube(const Eigen::Ref<const RowMatrix<double>>& line, double radius,
              const std::array<std::uint8_t, 3>& colour, TriangleMesh& mesh, Colours& colours) {
  if (line.rows() == 0) return;
  const std::vector<Ring> rings = rings_of(line, radius);
  const auto count = static_cast<Index>(rings.size());
  const auto first = static_cast<Index>(mesh.points.rows());
  Eigen::Index face = mesh.triangles.rows();
  mesh.points.conservativeResize(first + count * sides, 3);
  colours.conservativeResize(first + count * sides, 3);
  mesh.triangles.conservativeResize(face + 2 * (count - 1) * sides, 3);
  Eigen::RowVector3d right = rings.front().along.unitOrthogonal();
  for (Index r = 0; r < count; ++r) {
    const Ring& ring = rings[static_cast<std::size_t>(r)];
    // Carried along, so that the tube does not twist.
    const Eigen::RowVector3d carried = right - right.dot(ring.along) * ring.along;
    right = carried.norm() > 1e-3 ? Eigen::RowVector3d(carried.normalized()) : ring.along.unitOrthogonal();
    const Eigen::RowVector3d up = ring.along.cross(right);
    for (Index s = 0; s < sides; ++s) {
      const double turn = 2 * std::numbers::pi * s / sides;
      const Index vertex = first + r * sides + s;
      mesh.points.row(vertex) = ring.centre + ring.radius * (std::cos(turn) * right + std::sin(turn) * up);
      for (int k = 0; k < 3; ++k) colours(vertex, k) = colour[static_cast<std::size_t>(k)];
      if (r == 0) continue;
      const Index next = first + r * sides + (s + 1) % sides;
      mesh.triangles.row(face++) << vertex - sides, next - sides, next;
      mesh.triangles.row(face++) << vertex - sides, next, vertex;
    }
  }
}

}  // namespace geodome::internal
