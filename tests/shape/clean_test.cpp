#include "geodome/shape/clean.h"

#include <gtest/gtest.h>

#include <limits>

#include "geodome/base/error.h"
#include "shape/small_shapes.h"

namespace geodome {
namespace {

using namespace testing;
using ::testing::IsSubstring;

std::string refusal(const Shape& shape) {
  try {
    clean_shape(shape);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CleanShape, LeavesAGoodShapeAlone) {
  const CleanShape clean = clean_shape(tetrahedron());
  EXPECT_TRUE(clean.notes.empty());
  EXPECT_EQ(std::get<TriangleMesh>(clean.shape).triangles, tetrahedron().triangles);
}

TEST(CleanShape, LooksForTheDefectsThatTheFullReportHas) {
  TriangleMesh bad = tetrahedron();
  bad.points.row(1) = bad.points.row(0) + 1e-9 * (bad.points.row(2) - bad.points.row(0));
  bad.triangles.conservativeResize(9, 3);
  bad.triangles.row(4) << 1, 0, 2;
  bad.triangles.row(5) << 3, 3, 1;
  bad.triangles.row(6) << 0, 4, 2;
  bad.triangles.row(7) << 0, 1, 2;
  bad.triangles.row(8) << 2, 3, -1;
  TriangleMesh infinite = tetrahedron();
  infinite.points(2, 1) = infinity;
  PointCloud cloud{tetrahedron().points, tetrahedron().points};
  cloud.normals(3, 0) = infinity;
  const Graph graph{3, {{0, 0, 1}, {0, 1, 2}, {1, 0, 1}, {2, 5, 1}, {1, 2, -1}}, {}};
  const Shape shapes[] = {tetrahedron(),
                          bad,
                          as_polygons(bad),
                          infinite,
                          cloud,
                          graph,
                          Samples{RowMatrix<double>(infinite.points)}};
  for (const Shape& shape : shapes) {
    const ShapeReport all = check_shape(shape), some = internal::check_defects(shape);
    const auto facts = [](const ShapeReport& report) {
      return std::vector<std::int64_t>{report.vertices,           report.faces,
                                       report.collapsed_faces,    report.duplicate_faces,
                                       report.zero_area_faces,    report.narrow_faces,
                                       report.out_of_range,       report.first_out_of_range,
                                       report.self_loops,         report.repeated_edges,
                                       report.nonfinite_vertices, report.first_nonfinite,
                                       report.bad_lengths,        report.nonfinite_normals,
                                       report.first_bad_length};
    };
    EXPECT_EQ(facts(some), facts(all));
    EXPECT_EQ(cleaning_notes(some), cleaning_notes(all));
  }
}

TEST(CleanShape, RefusesWhatIsNotFiniteByName) {
  TriangleMesh mesh = tetrahedron();
  mesh.points(2, 1) = std::numeric_limits<double>::quiet_NaN();
  mesh.points(3, 1) = infinity;
  EXPECT_PRED_FORMAT2(IsSubstring, "vertex 2 has a coordinate that is not finite (2 vertices", refusal(mesh));
  EXPECT_PRED_FORMAT2(IsSubstring, "vertex 2", refusal(PointCloud{mesh.points, {}}));
  EXPECT_PRED_FORMAT2(IsSubstring, "vertex 2", refusal(Samples{RowMatrix<double>(mesh.points)}));
}

TEST(CleanShape, RefusesIndicesOutOfRangeByName) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles(3, 1) = 4;
  EXPECT_PRED_FORMAT2(IsSubstring, "face 3 refers to a vertex out of range [0, 4)", refusal(mesh));
  EXPECT_PRED_FORMAT2(IsSubstring, "face 3", refusal(as_polygons(mesh)));
  EXPECT_PRED_FORMAT2(IsSubstring, "edge 1 refers to a vertex out of range [0, 2)",
                      refusal(Graph{2, {{0, 1, 1}, {0, 2, 1}}, {}}));
}

TEST(CleanShape, RefusesBadLengths) {
  EXPECT_PRED_FORMAT2(IsSubstring, "edge 1 has a length", refusal(Graph{3, {{0, 1, 1}, {1, 2, -1}}, {}}));
  EXPECT_PRED_FORMAT2(IsSubstring, "edge 0 has a length",
                      refusal(Graph{3, {{0, 1, std::numeric_limits<double>::quiet_NaN()}, {1, 2, 1}}, {}}));
}

TEST(CleanShape, RefusesNothingToWorkOn) {
  for (const Shape& shape :
       {Shape(TriangleMesh{}), Shape(PolygonMesh{}), Shape(PointCloud{}), Shape(Graph{}), Shape(Samples{})})
    EXPECT_PRED_FORMAT2(IsSubstring, "the shape has no vertices", refusal(shape));
  EXPECT_PRED_FORMAT2(IsSubstring, "no surface to compute on",
                      refusal(make_mesh({{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}})));
  EXPECT_PRED_FORMAT2(IsSubstring, "no paths to compute on",
                      refusal(Graph{2, {{0, 0, 1}, {0, 0, 1}, {1, 1, 1}}, {}}));
}

TEST(CleanShape, DropsCopiesAndCollapsedFacesAndKeepsEveryVertex) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles.conservativeResize(7, 3);
  mesh.triangles.row(4) << 1, 0, 2;
  mesh.triangles.row(5) << 3, 3, 1;
  mesh.triangles.row(6) << 3, 1, 2;
  const Shape shapes[] = {mesh, as_polygons(mesh)};
  for (const Shape& shape : shapes) {
    const CleanShape clean = clean_shape(shape);
    EXPECT_EQ(clean.notes.size(), 2u);
    EXPECT_EQ(clean.notes[0], "1 face with fewer than three different corners removed");
    EXPECT_EQ(clean.notes[1], "2 duplicate faces removed");
    const ShapeReport report = check_shape(clean.shape);
    EXPECT_EQ(report.vertices, 4);
    EXPECT_EQ(report.faces, 4);
    EXPECT_TRUE(report.closed() && report.manifold() && report.oriented());
    EXPECT_TRUE(clean_shape(clean.shape).notes.empty()) << "clean twice is clean once";
  }
  const Shape cleaned = clean_shape(as_polygons(mesh)).shape;
  EXPECT_EQ(std::get<PolygonMesh>(cleaned).corners, as_polygons(tetrahedron()).corners);
}

TEST(CleanShape, KeepsFacesWithoutAreaBecauseTheyHoldTheSurfaceTogether) {
  // Two triangles, joined only by one whose corners lie on a line.
  const TriangleMesh mesh = make_mesh({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 1, 0}},
                                      {{0, 2, 1}, {2, 3, 0}, {3, 4, 5}});
  const CleanShape clean = clean_shape(mesh);
  ASSERT_EQ(clean.notes.size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, "1 zero-area face kept with weight zero", clean.notes[0]);
  EXPECT_EQ(check_shape(clean.shape).components, 1);
  EXPECT_EQ(check_shape(clean.shape).faces, 3);
}

TEST(CleanShape, MergesRepeatedEdgesIntoTheShortest) {
  const CleanShape clean = clean_shape(Graph{4, {{0, 1, 5}, {2, 2, 1}, {2, 3, 1}, {1, 0, 2}, {0, 1, 3}}, {}});
  const Graph& graph = std::get<Graph>(clean.shape);
  EXPECT_EQ(graph.vertices, 4);
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.edges[0].a, 2);
  EXPECT_EQ(graph.edges[1].length, 2);
  ASSERT_EQ(clean.notes.size(), 2u);
  EXPECT_EQ(clean.notes[0], "1 self-loop removed");
  EXPECT_PRED_FORMAT2(IsSubstring, "2 repeated edges merged", clean.notes[1]);
}

TEST(CleanShape, LeavesOutNormalsThatAreNotFinite) {
  PointCloud cloud{tetrahedron().points, tetrahedron().points};
  EXPECT_TRUE(clean_shape(cloud).notes.empty());
  cloud.normals(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const CleanShape clean = clean_shape(cloud);
  EXPECT_EQ(std::get<PointCloud>(clean.shape).normals.rows(), 0);
  EXPECT_EQ(clean.notes.size(), 1u);
}

}  // namespace
}  // namespace geodome
