#include <gtest/gtest.h>

#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/builtin_catalogue.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/edge_table.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using testing::surface_facts;

TEST(SwissRoll, EveryTriangleIsCongruentToItsFlatOne) {
  const SwissRoll roll = make_swiss_roll_grid(40, 7);
  const TriangleMesh mesh = make_swiss_roll(40, 7);
  EXPECT_EQ(mesh.points, roll.points);
  for (const auto& [a, b] : find_edges(mesh).edges) {
    const double flat = (roll.flat.row(a) - roll.flat.row(b)).norm();
    EXPECT_NEAR((mesh.points.row(a) - mesh.points.row(b)).norm(), flat, 1e-12 * flat);
  }
  const auto facts = surface_facts(mesh);
  EXPECT_EQ(facts.euler, 1);
  EXPECT_EQ(facts.boundary_loops, 1);
  EXPECT_TRUE(facts.consistent);
  EXPECT_NEAR(facts.area, 21 * roll.flat.col(0).maxCoeff(), 1e-9);
}

TEST(SwissRoll, SamplesLieOnTheRollWhereTheirFlatPlacesSay) {
  const SwissRoll roll = sample_swiss_roll(500, 3), fine = make_swiss_roll_grid(20000, 2);
  const double length = fine.flat.col(0).maxCoeff();
  for (Eigen::Index p = 0; p < 500; ++p) {
    const auto column = static_cast<Eigen::Index>(std::lround(roll.flat(p, 0) / length * 19999));
    EXPECT_LT((roll.points.row(p).head<2>() - fine.points.row(column).head<2>()).norm(), 0.01);
    EXPECT_EQ(roll.points(p, 2), roll.flat(p, 1));
  }
  EXPECT_NEAR(roll.flat.col(0).mean(), length / 2, length / 20);
  EXPECT_EQ(sample_swiss_roll(500, 3).points, roll.points);
  EXPECT_NE(sample_swiss_roll(500, 4).points, roll.points);
}

TEST(JitteredSphere, IsIrregularAndNowhereFolded) {
  for (std::uint64_t seed : {0, 1, 2}) {
    const TriangleMesh mesh = make_jittered_sphere(10, seed);
    EXPECT_LT((mesh.points.rowwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_NEAR(facts.volume, 4 * std::numbers::pi / 3, 0.1);
    EXPECT_LT(testing::worst_quality(mesh), 0.7);
    for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
      const Eigen::Vector3d a = mesh.points.row(mesh.triangles(f, 0)),
                            b = mesh.points.row(mesh.triangles(f, 1)),
                            c = mesh.points.row(mesh.triangles(f, 2));
      EXPECT_GT(a.dot(b.cross(c)), 0);
    }
  }
  EXPECT_NE(make_jittered_sphere(5, 0).points, make_jittered_sphere(5, 1).points);
}

TEST(HardShapes, HaveTheirTopology) {
  const auto pair = surface_facts(make_two_spheres(4));
  EXPECT_EQ(pair.components, 2);
  EXPECT_EQ(pair.euler, 4);
  EXPECT_EQ(pair.boundary_edges, 0);
  for (auto [around, across] : {std::pair{3, 2}, {20, 5}, {21, 4}}) {
    const TriangleMesh strip = make_moebius(around, across);
    EXPECT_EQ(strip.points.rows(), around * across);
    const auto facts = surface_facts(strip);
    EXPECT_EQ(facts.euler, 0);
    EXPECT_EQ(facts.boundary_loops, 1);
    EXPECT_EQ(facts.boundary_edges, 2 * around);
    EXPECT_EQ(facts.non_manifold_edges, 0);
    EXPECT_FALSE(facts.consistent);
  }
  const auto plate = surface_facts(make_drilled_plate(3, 2, 8));
  EXPECT_EQ(plate.euler, 2 - 2 * 6);
  EXPECT_EQ(plate.boundary_edges, 0);
  EXPECT_EQ(plate.non_manifold_edges, 0);
  EXPECT_TRUE(plate.consistent);
  const double hole = 8 * 0.5 * 0.09 * std::sin(std::numbers::pi / 4),
               wall = 8 * 0.6 * std::sin(std::numbers::pi / 8);
  EXPECT_NEAR(plate.area, 2 * 6 - 2 * 6 * hole + 0.2 * (10 + 6 * wall), 1e-12);
  EXPECT_THROW(make_drilled_plate(1, 1, 6), InputError);
  const auto fan = surface_facts(make_fan(5, 7));
  EXPECT_EQ(fan.non_manifold_edges, 6);
  EXPECT_EQ(fan.euler, 1);
  EXPECT_NEAR(fan.area, 3, 1e-12);
}

TEST(Quads, CoverTheSameSurfaces) {
  const PolygonMesh plane = make_plane_quads(5, 4), sphere = make_sphere_quads(6);
  EXPECT_EQ(plane.points, make_plane(5, 4).points);
  EXPECT_EQ(plane.offsets.size(), 4u * 3 + 1);
  EXPECT_EQ(sphere.offsets.size(), 6u * 36 + 1);
  const EdgeTable edges = find_edges(sphere);
  EXPECT_EQ(sphere.points.rows() - edges.size() + 216, 2);
  for (Index count : edges.faces_on_edge) EXPECT_EQ(count, 2);
  for (std::size_t f = 0; f + 1 < sphere.offsets.size(); ++f) {
    const auto corner = [&](int k) -> Eigen::Vector3d {
      return sphere.points.row(sphere.corners[sphere.offsets[f] + k]);
    };
    EXPECT_GT(corner(0).dot((corner(1) - corner(0)).cross(corner(3) - corner(0))), 0);
  }
}

TEST(Graphs, HaveUnitEdgesBetweenNeighbours) {
  const Graph grid = make_grid_graph(4, 3), path = make_path_graph(5);
  EXPECT_EQ(grid.vertices, 12);
  EXPECT_EQ(grid.edges.size(), 3u * 3 + 4 * 2);
  for (const Edge& edge : grid.edges) {
    EXPECT_EQ(std::abs(edge.a % 4 - edge.b % 4) + std::abs(edge.a / 4 - edge.b / 4), 1);
    EXPECT_EQ(edge.length, 1);
  }
  EXPECT_EQ(path.edges.size(), 4u);
  for (const Edge& edge : path.edges) EXPECT_EQ(edge.b - edge.a, 1);
}

TEST(Catalogue, MakesEveryNameNearTheAskedSize) {
  for (const BuiltinName& entry : builtin_names()) {
    for (Index vertices : {1, 300, 2000}) {
      const Shape shape = make_builtin(entry.name, {.vertices = vertices}).shape;
      if (vertices > 1) {
        EXPECT_NEAR(vertex_count(shape), vertices, 0.2 * vertices) << entry.name;
      }
      EXPECT_GE(vertex_count(shape), 1) << entry.name;
    }
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_THROW(make_builtin(entry.name, {.vertices = 300, .pose = entry.poses}), InputError);
    EXPECT_THROW(make_builtin(entry.name, {.vertices = 0}), InputError);
  }
}

TEST(Catalogue, NamesWhatThereIsWhenANameIsUnknown) {
  try {
    make_builtin("cube");
    FAIL();
  } catch (const InputError& error) {
    for (const BuiltinName& entry : builtin_names()) {
      EXPECT_NE(std::string(error.what()).find(entry.name), std::string::npos);
    }
  }
}

TEST(Catalogue, ClosedShapesAreCentred) {
  for (const char* name : {"sphere", "torus", "box", "creature", "two-spheres"}) {
    const Shape shape = make_builtin(name, {.vertices = 500}).shape;
    EXPECT_LT(std::get<TriangleMesh>(shape).points.colwise().mean().norm(), 1e-12) << name;
  }
}

}  // namespace
}  // namespace geodome::internal
