/// Samples are farthest points with the cells and radii that they claim.
#include "geodome/landmark/sample.h"

#include <gtest/gtest.h>

#include <set>

#include "geodome/base/error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::testing {
namespace {

Shape two_spheres() {
  TriangleMesh mesh = make_sphere(5), other = make_sphere(3);
  const Eigen::Index points = mesh.points.rows(), faces = mesh.triangles.rows();
  mesh.points.conservativeResize(points + other.points.rows(), 3);
  mesh.points.bottomRows(other.points.rows()) = other.points.array() + 5;
  mesh.triangles.conservativeResize(faces + other.triangles.rows(), 3);
  mesh.triangles.bottomRows(other.triangles.rows()) = other.triangles.array() + static_cast<Index>(points);
  return mesh;
}

Graph ring(Index vertices) {
  Graph graph{vertices, {}, {}};
  for (Index v = 0; v < vertices; ++v) graph.edges.push_back({v, (v + 1) % vertices, 1.0 + v % 3});
  return graph;
}

std::vector<Shape> shapes() {
  return {make_plane(15, 15), two_spheres(), ring(60), PointCloud{make_sphere(6).points, {}},
          Samples{RowMatrix<double>::Random(90, 4)}};
}

TEST(Sample, HasTheCellsAndRadiiThatItClaims) {
  for (const Shape& shape : shapes())
    for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
      const VertexSample sample = sample_vertices(shape, {.count = 12, .method = method});
      ASSERT_EQ(sample.vertices.size(), 12u);
      EXPECT_EQ(std::set<Index>(sample.vertices.begin(), sample.vertices.end()).size(), 12u);
      const auto solver = make_solver(shape, {.method = internal::exact_method(shape)});
      RowMatrix<double> rows(12, solver->size());
      solver->distances(sample.vertices, rows);
      double cover = 0;
      for (Index v = 0; v < solver->size(); ++v) {
        const double nearest = rows.col(v).minCoeff();
        // Fast marching is biased long, most where a cell has few vertices, as here; along edges all is
        // exact.
        const bool edges = std::holds_alternative<Graph>(shape) || std::holds_alternative<Samples>(shape);
        const double tolerance = edges ? 1e-12 : 0.5, rounding = edges ? 1e-12 : 0.03;
        EXPECT_GE(sample.distance[v], rows(sample.cell[v], v) * (1 - rounding));
        EXPECT_LE(sample.distance[v], nearest * (1 + tolerance) + 1e-12);
        cover = std::max(cover, sample.distance[v]);
      }
      EXPECT_DOUBLE_EQ(sample.cover_radius.back(), cover);
    }
}

TEST(Sample, IsNestedAndTheLandmarksOfABuild) {
  for (const Shape& shape : shapes()) {
    const VertexSample few = sample_vertices(shape, {.count = 5, .seed = 7}),
                       many = sample_vertices(shape, {.count = 15, .seed = 7});
    EXPECT_TRUE(std::equal(few.vertices.begin(), few.vertices.end(), many.vertices.begin()));
    LandmarkOptions landmarks(15);
    landmarks.seed = 7;
    EXPECT_EQ(many.vertices, internal::choose_landmarks(shape, landmarks).vertices);
  }
}

TEST(Sample, StartsWhereItIsTold) {
  for (const Shape& shape : shapes()) {
    const VertexSample sample = sample_vertices(shape, {.count = 8, .start = {31, 4}});
    EXPECT_EQ(sample.vertices[0], 31);
    EXPECT_EQ(sample.vertices[1], 4);
    const auto& first = sample.vertices;
    const VertexSample again = sample_vertices(shape, {.count = 11, .start = first});
    const VertexSample whole = sample_vertices(shape, {.count = 11, .start = {31, 4}});
    EXPECT_EQ(again.vertices, whole.vertices);
  }
}

TEST(Sample, LeavesOutWhatTheMaskLeavesOut) {
  GeodesicOptions options;
  options.keep.assign(15 * 15, 1);
  for (Index v = 0; v < 15 * 15; ++v)
    if (v % 15 > 9) options.keep[v] = 0;
  const VertexSample sample = sample_vertices(make_plane(15, 15), {.count = 20}, options);
  for (const Index v : sample.vertices) EXPECT_NE(options.keep[v], 0);
  for (Index v = 0; v < 15 * 15; ++v) EXPECT_EQ(sample.cell[v] >= 0, options.keep[v] != 0);
}

TEST(Sample, RefusesWhatItCannotDo) {
  const Shape shape = two_spheres();
  EXPECT_THROW(sample_vertices(shape, {.count = 1}), InputError);
  EXPECT_THROW(sample_vertices(shape, {.count = 100000}), InputError);
  EXPECT_THROW(sample_vertices(shape, {.count = 5, .start = {-1}}), InputError);
  EXPECT_THROW(sample_vertices(shape, {.count = 5, .start = {3, 3}}), InputError);
  EXPECT_THROW(sample_vertices(shape, {.count = 2, .start = {3, 5, 8}}), InputError);
  EXPECT_THROW(sample_vertices(shape, {.count = 2, .start = {3, 5}}), InputError);  // both in one component
  EXPECT_THROW(sample_vertices(shape, {.method = LandmarkMethod::user}), InputError);
}

}  // namespace
}  // namespace geodome::testing
