#include "geodome/shape/builtin/creature.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/shape/builtin/creature_field.h"
#include "geodome/shape/builtin/creature_pose.h"
#include "geodome/shape/builtin/marching_tetrahedra.h"
#include "geodome/shape/resample/decimate.h"
#include "geodome/shape/resample/fairing.h"
#include "geodome/shape/resample/split_edges.h"

namespace geodome::internal {
namespace {

using Eigen::Vector3d;

/// Above this the mesh is one of fewer vertices with its edges split: regular inside the old triangles.
constexpr Index most_base_vertices = 12000;

/// An even mesh of exactly this many vertices.
TriangleMesh make_base(Index vertices, const CreatureField& field, const Execution& execution) {
  const auto project = [&field](const Vector3d& point) { return field.project(point); };
  // Marching gives about 4.4 vertices per cell face's worth of area. Some more than requested, and never so
  // few that toes and eyes fall through the grid.
  const double cell = std::sqrt(4.4 * CreatureField::area / std::max(1.5 * vertices, 24000.0));
  TriangleMesh mesh = mesh_zero_set([&field](const Vector3d& point) { return field(point).value; },
                                    CreatureField::low(), CreatureField::high(), cell);
  relax(mesh, 3, project, execution);
  DecimateOptions even;
  even.uniformity = 0.3;
  mesh = decimate(mesh, vertices, even).mesh;
  for (int round = 0; round < 8; ++round) {
    flip_to_even_degrees(mesh);
    relax(mesh, 3, project, execution);
  }
  for (int round = 0; round < 4 && flip_to_delaunay(mesh) > 0; ++round) relax(mesh, 1, project, execution);
  return mesh;
}

}  // namespace

Creature make_creature(Index vertices, const Execution& execution) {
  if (vertices < fewest_creature_vertices) {
    throw InputError(
        text("a creature requires at least ", fewest_creature_vertices, " vertices, got ", vertices));
  }
  const CreatureField field;
  const auto parts =
      static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(vertices) / most_base_vertices)));
  // A closed genus-zero mesh of b vertices has 3 (b - 2) edges and 2 (b - 2) faces: split, it has parts² (b -
  // 2) + 2.
  const auto base =
      static_cast<Index>(std::lround((vertices - 2.0) / (static_cast<double>(parts) * parts))) + 2;
  Creature creature{make_base(base, field, execution)};
  if (parts > 1) {
    creature.stretched = split_edges(creature.stretched, parts);
    relax(
        creature.stretched, 4, [&field](const Vector3d& point) { return field.project(point); }, execution);
  }
  return creature;
}

int creature_pose_count() {
  return static_cast<int>(creature_poses().size());
}

std::string creature_pose_name(int pose) {
  return creature_poses().at(pose).name;
}

TriangleMesh pose_creature(const Creature& creature, int pose) {
  if (pose < 0 || pose >= creature_pose_count()) {
    throw InputError(text("the creature has no pose ", pose, ": use 0 to ", creature_pose_count() - 1));
  }
  TriangleMesh mesh{bend_creature(creature.stretched.points, creature_poses()[pose]),
                    creature.stretched.triangles};
  mesh.points.rowwise() -= mesh.points.colwise().mean().eval();
  return mesh;
}

Colours creature_colours(const Creature& creature) {
  const Vector3d back(92, 150, 128), belly(226, 214, 176), spot(58, 112, 104), eye(28, 26, 30);
  const auto blend = [](const Vector3d& a, const Vector3d& b, double t) {
    t = std::clamp(t, 0.0, 1.0);
    return Vector3d(a + t * t * (3 - 2 * t) * (b - a));
  };
  Colours colours(creature.stretched.points.rows(), 3);
  for (Eigen::Index v = 0; v < colours.rows(); ++v) {
    const Vector3d p = creature.stretched.points.row(v).transpose();
    Vector3d colour = blend(belly, back, (p.z() + 0.30 - 0.18 * std::abs(p.x())) / 0.28);
    // Bands over the back that grow fainter towards the belly.
    const double band = 0.5 + 0.5 * std::cos(17 * p.x());
    colour = blend(colour, spot,
                   (band - 0.62) / 0.25 * std::clamp((p.z() - 0.02) / 0.06, 0.0, 1.0) * (p.x() < 1.45));
    const Vector3d to_eye = Vector3d(p.x(), std::abs(p.y()), p.z()) - Vector3d(1.694, 0.130, 0.080);
    colour = blend(eye, colour, (to_eye.norm() - 0.036) / 0.01);
    const double glint = (to_eye - Vector3d(0.018, 0.026, 0.024)).norm();
    colour = blend(Vector3d(250, 250, 250), colour, (glint - 0.008) / 0.008);
    for (int k = 0; k < 3; ++k) colours(v, k) = static_cast<std::uint8_t>(std::lround(colour[k]));
  }
  return colours;
}

}  // namespace geodome::internal
