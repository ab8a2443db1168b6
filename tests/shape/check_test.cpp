#include "geodome/shape/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "geodome/shape/area.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"
#include "shape/small_shapes.h"
#include "shape/surface_facts.h"

namespace geodome {
namespace {

using namespace testing;
using internal::surface_area;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CheckShape, CountsATetrahedron) {
  const ShapeReport report = check_shape(tetrahedron());
  EXPECT_EQ(report.vertices, 4);
  EXPECT_EQ(report.faces, 4);
  EXPECT_EQ(report.edges, 6);
  EXPECT_EQ(report.faces_by_degree, (std::map<std::int64_t, std::int64_t>{{3, 4}}));
  EXPECT_EQ(report.components, 1);
  EXPECT_EQ(report.largest_component, 4);
  EXPECT_EQ(report.euler_characteristic(), 2);
  EXPECT_TRUE(report.closed() && report.manifold() && report.oriented());
  EXPECT_DOUBLE_EQ(report.area, 1.5 + std::sqrt(3.0) / 2);
  EXPECT_DOUBLE_EQ(report.shortest_edge, 1);
  EXPECT_DOUBLE_EQ(report.longest_edge, std::sqrt(2.0));
  EXPECT_EQ(report.low, Vector::Zero(3));
  EXPECT_EQ(report.high, Vector::Ones(3));
}

TEST(CheckShape, CountsPolygonsWithoutSplittingThem) {
  const ShapeReport report = check_shape(cube());
  EXPECT_EQ(report.edges, 12);
  EXPECT_EQ(report.faces_by_degree, (std::map<std::int64_t, std::int64_t>{{4, 6}}));
  EXPECT_EQ(report.euler_characteristic(), 2);
  EXPECT_TRUE(report.closed() && report.manifold() && report.oriented());
  EXPECT_DOUBLE_EQ(report.area, 6);
}

TEST(SurfaceArea, IsThatOfTheReportAndAbsentWithoutFaces) {
  const TriangleMesh mesh = make_mesh({{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}, {{0, 1, 2}, {0, 1, 1}});
  EXPECT_EQ(surface_area(Shape(mesh)), 3);
  EXPECT_EQ(surface_area(mesh), check_shape(mesh).area);
  TriangleMesh wide = mesh;
  wide.points *= 1e120;
  EXPECT_DOUBLE_EQ(surface_area(wide) / 1e240, 3);
  EXPECT_EQ(surface_area(Shape(make_mesh({{0, 0, 0}}, {}))), std::nullopt);
  EXPECT_EQ(surface_area(Shape(PointCloud{mesh.points, {}})), std::nullopt);
  EXPECT_EQ(surface_area(Shape(Graph{2, {{0, 1, 1.0}}, {}})), std::nullopt);
}

TEST(CheckShape, SeesThatAMoebiusStripCannotBeOriented) {
  const ShapeReport report = check_shape(moebius_strip());
  EXPECT_EQ(report.edges, 10);
  EXPECT_EQ(report.boundary_edges, 5);
  EXPECT_TRUE(report.manifold());
  EXPECT_GT(report.inconsistent_edges, 0);
  EXPECT_EQ(report.euler_characteristic(), 0);
}

TEST(CheckShape, CountsAnEdgeOfThreeFacesOnce) {
  const ShapeReport report = check_shape(fan_of_three());
  EXPECT_EQ(report.nonmanifold_edges, 1);
  EXPECT_EQ(report.nonmanifold_vertices, 0);  // the three faces still form one fan around 0 and around 1
  EXPECT_EQ(report.boundary_edges, 6);
  EXPECT_EQ(report.inconsistent_edges, 0);
  EXPECT_FALSE(report.manifold());
}

TEST(CheckShape, CountsAVertexOfTwoFans) {
  const ShapeReport report = check_shape(hourglass());
  EXPECT_EQ(report.nonmanifold_vertices, 1);
  EXPECT_EQ(report.nonmanifold_edges, 0);
  EXPECT_EQ(report.components, 1);
  EXPECT_TRUE(report.closed());
  EXPECT_FALSE(report.manifold());
}

TEST(CheckShape, CountsATurnedFaceByItsEdges) {
  TriangleMesh mesh = tetrahedron();
  std::swap(mesh.triangles(0, 0), mesh.triangles(0, 1));
  const ShapeReport report = check_shape(mesh);
  EXPECT_EQ(report.inconsistent_edges, 3);
  EXPECT_TRUE(report.closed() && report.manifold());
}

TEST(CheckShape, CountsCopiesOfAFaceHoweverTheyAreWritten) {
  const auto with = [](std::vector<Index> copy) {
    PolygonMesh mesh = cube();
    mesh.corners.insert(mesh.corners.end(), copy.begin(), copy.end());
    mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
    return check_shape(mesh).duplicate_faces;
  };
  EXPECT_EQ(with({4, 5, 6, 7}), 1);
  EXPECT_EQ(with({6, 7, 4, 5}), 1);
  EXPECT_EQ(with({7, 6, 5, 4}), 1);
  EXPECT_EQ(with({4, 6, 5, 7}), 0) << "the same corners in another order are another face";
  EXPECT_EQ(with({4, 5, 6}), 0);
  const TriangleMesh thrice = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 0, 1}, {0, 2, 1}});
  EXPECT_EQ(check_shape(thrice).duplicate_faces, 2);
  EXPECT_EQ(check_shape(thrice).nonmanifold_edges, 3);
}

TEST(CheckShape, CountsComponentsOverReferencedVertices) {
  const TriangleMesh mesh =
      make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {6, 1, 0}},
                {{0, 1, 2}, {4, 5, 6}, {6, 5, 7}});
  const ShapeReport report = check_shape(mesh);
  EXPECT_EQ(report.components, 2);
  EXPECT_EQ(report.largest_component, 4);
  EXPECT_EQ(report.unreferenced_vertices, 1);
  EXPECT_EQ(report.euler_characteristic(), 2);
}

TEST(CheckShape, CountsDegenerateFaces) {
  const TriangleMesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 1, 0}},
                                      {{0, 1, 2}, {0, 2, 3}, {2, 3, 4}, {1, 1, 0}, {2, 2, 2}});
  const ShapeReport report = check_shape(mesh);
  EXPECT_EQ(report.collapsed_faces, 2);
  EXPECT_EQ(report.zero_area_faces, 2);  // 0 1 2 on a line; 2 3 4 with two corners in one place
  EXPECT_EQ(report.zero_length_edges, 1);
  EXPECT_EQ(report.duplicate_positions, 1);
  EXPECT_EQ(report.faces, 5);
  EXPECT_DOUBLE_EQ(report.area, 1);
  EXPECT_DOUBLE_EQ(report.shortest_edge, 0);
}

TEST(CheckShape, ANeedleHasAreaUntilItIsThinnerThanTheBound) {
  const auto needle = [](double width) {
    return check_shape(make_mesh({{0, 0, 0}, {1, 0, 0}, {0.5, width, 0}}, {{0, 1, 2}})).zero_area_faces;
  };
  EXPECT_EQ(needle(4e-12), 0);
  EXPECT_EQ(needle(1e-12), 1);
}

TEST(CheckShape, AreasHoldAtAnySize) {
  for (const double scale : {1e-110, 1.0, 1e110}) {
    const ShapeReport report = check_shape(make_mesh({{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}}, {{0, 1, 2}}));
    EXPECT_EQ(report.zero_area_faces + report.narrow_faces, 0);
    EXPECT_DOUBLE_EQ(report.area / scale / scale, 0.5);
  }
}

TEST(CheckShape, NarrowFacesAreCountedAndNoted) {
  for (const auto& [width, narrow] : {std::pair(1e-5, 0), {2e-6, 0}, {5e-7, 1}, {1e-10, 1}, {1e-13, 0}}) {
    const TriangleMesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {0.5, width, 0}}, {{0, 1, 2}});
    const ShapeReport report = check_shape(mesh);
    EXPECT_EQ(report.narrow_faces, narrow) << width;
    EXPECT_EQ(report.zero_area_faces, width < 1e-12 ? 1 : 0);
    EXPECT_EQ(cleaning_notes(report).size(), width < 1e-6 ? 1u : 0u);
  }
}

TEST(CheckShape, APolygonWithThreeCornersOnALineKeepsItsArea) {
  const PolygonMesh mesh = make_polygons({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, {{0, 1, 2, 3}});
  EXPECT_EQ(check_shape(mesh).zero_area_faces, 1);
  EXPECT_DOUBLE_EQ(check_shape(mesh).area, 1);
}

TEST(CheckShape, CountsWhatIsNotFiniteAndGoesOn) {
  TriangleMesh mesh = tetrahedron();
  mesh.points(2, 1) = nan;
  mesh.points(3, 0) = infinity;
  const ShapeReport report = check_shape(mesh);
  EXPECT_EQ(report.nonfinite_vertices, 2);
  EXPECT_EQ(report.first_nonfinite, 2);
  EXPECT_EQ(report.duplicate_positions, 0);
  EXPECT_EQ(report.zero_area_faces, 0);
  EXPECT_TRUE(report.closed());
  EXPECT_EQ(report.high, Eigen::Vector3d(1, 0, 0));
  EXPECT_DOUBLE_EQ(report.longest_edge, 1);
}

TEST(CheckShape, CountsIndicesOutOfRangeAndGoesOn) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles(1, 2) = 4;
  mesh.triangles(3, 0) = -1;
  const ShapeReport report = check_shape(mesh);
  EXPECT_EQ(report.out_of_range, 2);
  EXPECT_EQ(report.first_out_of_range, 1);
  EXPECT_EQ(report.boundary_edges, 4);
}

TEST(CheckShape, DescribesNothing) {
  for (const Shape& shape :
       {Shape(TriangleMesh{}), Shape(PolygonMesh{}), Shape(PointCloud{}), Shape(Graph{}), Shape(Samples{})}) {
    const ShapeReport report = check_shape(shape);
    EXPECT_EQ(report.vertices, 0);
    EXPECT_EQ(report.components, 0);
    EXPECT_FALSE(report.closed());
  }
}

TEST(CheckShape, CountsAGraph) {
  Graph graph;
  graph.vertices = 7;
  graph.edges = {{0, 1, 2}, {1, 0, 3}, {1, 2, 1}, {3, 3, 1}, {4, 5, 0}, {2, 1, 1}};
  const ShapeReport report = check_shape(graph);
  EXPECT_EQ(report.edges, 4);
  EXPECT_EQ(report.self_loops, 1);
  EXPECT_EQ(report.repeated_edges, 2);
  EXPECT_EQ(report.components, 3);
  EXPECT_EQ(report.largest_component, 3);
  EXPECT_EQ(report.unreferenced_vertices, 1);
  EXPECT_EQ(report.zero_length_edges, 1);
  EXPECT_EQ(report.longest_edge, 3);
  EXPECT_EQ(report.faces, 0);
  graph.edges[1].length = -1;
  graph.edges[4].b = 7;
  EXPECT_EQ(check_shape(graph).bad_lengths, 1);
  EXPECT_EQ(check_shape(graph).first_bad_length, 1);
  EXPECT_EQ(check_shape(graph).first_out_of_range, 4);
}

TEST(CheckShape, CountsCloudsAndSamples) {
  PointCloud cloud{make_points({{0, 0, 0}, {1, 2, 3}, {-0.0, 0, 0}, {nan, 0, 0}, {nan, 0, 0}}), {}};
  cloud.normals = cloud.points;
  ShapeReport report = check_shape(cloud);
  EXPECT_EQ(report.dimension, 3);
  EXPECT_EQ(report.duplicate_positions, 1) << "minus zero is zero; what is not a number equals nothing";
  EXPECT_EQ(report.nonfinite_vertices, 2);
  EXPECT_EQ(report.nonfinite_normals, 2);

  Samples samples;
  samples.values = RowMatrix<double>::Zero(3, 5);
  samples.values(1, 4) = 7;
  report = check_shape(samples);
  EXPECT_EQ(report.dimension, 5);
  EXPECT_EQ(report.duplicate_positions, 1);
  EXPECT_EQ(report.high[4], 7);
}

void expect_same_counts(const ShapeReport& a, const ShapeReport& b) {
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.components, b.components);
  EXPECT_EQ(a.largest_component, b.largest_component);
  EXPECT_EQ(a.boundary_edges, b.boundary_edges);
  EXPECT_EQ(a.nonmanifold_edges, b.nonmanifold_edges);
  EXPECT_EQ(a.nonmanifold_vertices, b.nonmanifold_vertices);
  EXPECT_EQ(a.inconsistent_edges, b.inconsistent_edges);
  EXPECT_EQ(a.duplicate_faces, b.duplicate_faces);
  EXPECT_EQ(a.collapsed_faces, b.collapsed_faces);
  EXPECT_EQ(a.zero_area_faces, b.zero_area_faces);
  EXPECT_EQ(a.narrow_faces, b.narrow_faces);
  EXPECT_EQ(a.zero_length_edges, b.zero_length_edges);
  EXPECT_EQ(a.unreferenced_vertices, b.unreferenced_vertices);
  EXPECT_EQ(a.duplicate_positions, b.duplicate_positions);
}

/// Random triangles on few vertices: every kind of defect at once.
TriangleMesh random_soup(unsigned seed) {
  std::mt19937 random(seed);
  const Index vertices = 30, faces = 60;
  TriangleMesh mesh{Points(vertices, 3), Triangles(faces, 3)};
  for (Index v = 0; v < vertices; ++v)
    for (int k = 0; k < 3; ++k) mesh.points(v, k) = static_cast<double>(random() % 3);
  for (Index f = 0; f < faces; ++f)
    for (int k = 0; k < 3; ++k) mesh.triangles(f, k) = static_cast<Index>(random() % (vertices - 5));
  mesh.triangles.row(7) = mesh.triangles.row(3);
  return mesh;
}

TEST(CheckShape, DoesNotDependOnTheNumberingTheScaleOrTheKindOfMesh) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const TriangleMesh mesh = random_soup(seed);
    const ShapeReport report = check_shape(mesh);
    expect_same_counts(report, check_shape(as_polygons(mesh)));

    std::mt19937 random(seed + 1000);
    std::vector<Index> to(mesh.points.rows()), order(mesh.triangles.rows());
    std::iota(to.begin(), to.end(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(to.begin(), to.end(), random);
    std::shuffle(order.begin(), order.end(), random);
    TriangleMesh shuffled = mesh;
    for (Index v = 0; v < mesh.points.rows(); ++v) shuffled.points.row(to[v]) = mesh.points.row(v);
    for (Index f = 0; f < mesh.triangles.rows(); ++f)
      for (int k = 0; k < 3; ++k) shuffled.triangles(order[f], k) = to[mesh.triangles(f, (k + f) % 3)];
    expect_same_counts(report, check_shape(shuffled));

    for (double scale : {1e-8, 1e8}) {
      TriangleMesh scaled = mesh;
      scaled.points *= scale;
      const ShapeReport other = check_shape(scaled);
      expect_same_counts(report, other);
      EXPECT_NEAR(other.area / (scale * scale), report.area, 1e-12 * report.area);
      EXPECT_NEAR(other.longest_edge / scale, report.longest_edge, 1e-12 * report.longest_edge);
    }
  }
}

TEST(CheckShape, AgreesWithASlowCountOnBuiltInShapes) {
  for (const TriangleMesh& mesh : {make_plane(4, 7), make_sphere(3), make_torus(9, 5), make_cylinder(8, 4),
                                   make_box(3), moebius_strip()}) {
    const ShapeReport report = check_shape(mesh);
    const SurfaceFacts facts = surface_facts(mesh);
    EXPECT_EQ(report.euler_characteristic(), facts.euler);
    EXPECT_EQ(report.components, facts.components);
    EXPECT_EQ(report.boundary_edges, facts.boundary_edges);
    EXPECT_EQ(report.nonmanifold_edges, facts.non_manifold_edges);
    EXPECT_EQ(report.oriented(), facts.consistent);
    EXPECT_NEAR(report.area, facts.area, 1e-12 * facts.area);
  }
}

}  // namespace
}  // namespace geodome
