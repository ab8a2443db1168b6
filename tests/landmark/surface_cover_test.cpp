#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

TriangleMesh both(const TriangleMesh& first, const TriangleMesh& second) {
  TriangleMesh mesh;
  mesh.points.resize(first.points.rows() + second.points.rows(), 3);
  mesh.points << first.points, second.points;
  mesh.triangles.resize(first.triangles.rows() + second.triangles.rows(), 3);
  mesh.triangles << first.triangles,
      (second.triangles.array() + static_cast<Index>(first.points.rows())).matrix();
  return mesh;
}

/// A plane and a sphere, one vertex of no face, and two vertices at one place joined by an edge.
TriangleMesh odd_mesh() {
  TriangleMesh mesh = both(make_plane(16, 11), make_sphere(5));
  mesh.points.conservativeResize(mesh.points.rows() + 1, 3);
  mesh.points.bottomRows(1) << 9, 9, 9;
  mesh.points.row(40) = mesh.points.row(41);
  return mesh;
}

std::vector<TriangleMesh> meshes() {
  return {make_plane(25, 17), make_sphere(8), make_torus(40, 16), make_cylinder(30, 20), odd_mesh()};
}

LandmarkOptions farthest(Index count, std::uint64_t seed = 1) {
  return {LandmarkMethod::farthest, count, seed, {}};
}

Landmarks fast(const TriangleMesh& mesh, const LandmarkOptions& options) {
  return choose_landmarks(*make_surface_cover(prepare_surface(mesh)), options);
}

/// The largest distance to the nearest of the first `count` landmarks, by whole rows of a solver.
double radius_by_rows(const GeodesicSolver& solver, const std::vector<Index>& vertices, Index count) {
  RowMatrix<double> rows(count, solver.size());
  solver.distances(std::span(vertices).first(count), rows);
  double radius = 0;
  for (Index v = 0; v < solver.size(); ++v) {
    const double nearest = rows.col(v).minCoeff();
    if (nearest < infinity) radius = std::max(radius, nearest);
  }
  return radius;
}

TEST(SurfaceCover, ReportsTheRadiusThatWholeRowsGive) {
  for (const TriangleMesh& mesh : meshes()) {
    const FastMarching solver(mesh, {.ring = 1});
    const Landmarks landmarks = fast(mesh, farthest(40));
    for (const Index count : {3, 10, 40}) {
      const double expected = radius_by_rows(solver, landmarks.vertices, count);
      EXPECT_NEAR(landmarks.cover_radius[count - 1], expected, 0.02 * expected);
    }
  }
}

TEST(SurfaceCover, PrunedUpdatesCoverAsWellAsWholeRows) {
  for (const TriangleMesh& mesh : meshes()) {
    const Landmarks pruned = fast(mesh, farthest(30)),
                    rows = choose_landmarks(FastMarching(mesh, {.ring = 1}), farthest(30));
    EXPECT_EQ(pruned.components, rows.components);
    EXPECT_TRUE(std::equal(pruned.vertices.begin(), pruned.vertices.begin() + pruned.components,
                           rows.vertices.begin()));
    // The two may part where several vertices are about equally far, so only the radii are compared.
    for (const Index count : {5, 12, 30})
      EXPECT_NEAR(pruned.cover_radius[count - 1], rows.cover_radius[count - 1],
                  0.15 * rows.cover_radius[count - 1]);
  }
}

TEST(SurfaceCover, LandmarksAreDistinctNestedAndCoverBetterAndBetter) {
  for (const TriangleMesh& mesh : meshes()) {
    const Landmarks many = fast(mesh, farthest(60)), few = fast(mesh, farthest(20));
    EXPECT_EQ(std::set<Index>(many.vertices.begin(), many.vertices.end()).size(), 60u);
    EXPECT_TRUE(std::equal(few.vertices.begin(), few.vertices.end(), many.vertices.begin()));
    EXPECT_TRUE(std::is_sorted(many.cover_radius.rbegin(), many.cover_radius.rend()));
    // Balls of radius r around l landmarks cover the surface: r falls like 1 / sqrt(l).
    EXPECT_LT(many.cover_radius[59], 0.75 * many.cover_radius[19]);
  }
}

TEST(SurfaceCover, LeavesUnreferencedAndRepeatedPlacesAlone) {
  const TriangleMesh mesh = odd_mesh();
  const Index places = static_cast<Index>(mesh.points.rows()) - 2;
  const Landmarks all = fast(mesh, farthest(places));
  EXPECT_EQ(all.components, 2);
  EXPECT_EQ(all.cover_radius.back(), 0);
  EXPECT_EQ(std::count(all.vertices.begin(), all.vertices.end(), places + 1), 0);
  EXPECT_EQ(std::count(all.vertices.begin(), all.vertices.end(), 40) +
                std::count(all.vertices.begin(), all.vertices.end(), 41),
            1);
  EXPECT_THROW(fast(mesh, farthest(places + 1)), InputError);
  EXPECT_THROW(fast(mesh, farthest(1)), InputError);
}

TEST(SurfaceCover, DoesNotChangeWithScale) {
  const Landmarks one = fast(make_torus(30, 14), farthest(50));
  for (const double scale : {1e-8, 1e8}) {
    TriangleMesh scaled = make_torus(30, 14);
    scaled.points *= scale;
    const Landmarks other = fast(scaled, farthest(50));
    EXPECT_NEAR(other.cover_radius.back() / scale, one.cover_radius.back(), 0.15 * one.cover_radius.back());
  }
  TriangleMesh doubled = make_torus(30, 14);
  doubled.points *= 0x1p20;
  EXPECT_EQ(fast(doubled, farthest(50)).vertices, one.vertices);
}

}  // namespace
}  // namespace geodome::internal
