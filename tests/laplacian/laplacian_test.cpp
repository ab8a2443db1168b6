#include "geodome/laplacian/laplacian.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"
#include "geodome/laplacian/eigen.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

PolygonMesh polygons(const Points& points, const std::vector<std::vector<Index>>& faces) {
  PolygonMesh mesh;
  mesh.points = points;
  for (const auto& face : faces) {
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
  return mesh;
}

PolygonMesh as_polygons(const TriangleMesh& mesh) {
  std::vector<std::vector<Index>> faces;
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    faces.push_back({mesh.triangles(f, 0), mesh.triangles(f, 1), mesh.triangles(f, 2)});
  return polygons(mesh.points, faces);
}

/// Quadrilaterals between `columns` by `rows` points of the unit square, moved by `height`.
PolygonMesh quads(Index columns, Index rows, double height) {
  const TriangleMesh plane = make_plane(columns, rows);
  std::vector<std::vector<Index>> faces;
  for (Index r = 0; r + 1 < rows; ++r)
    for (Index c = 0; c + 1 < columns; ++c) {
      const Index corner = r * columns + c;
      faces.push_back({corner, corner + 1, corner + columns + 1, corner + columns});
    }
  PolygonMesh mesh = polygons(plane.points, faces);
  for (Index v = 0; v < mesh.points.rows(); ++v)
    mesh.points(v, 2) = height * std::sin(9 * mesh.points(v, 0)) * std::cos(7 * mesh.points(v, 1));
  return mesh;
}

/// Flat, with L-shaped (concave) and square faces: interior vertices are (1, 1) and its like.
PolygonMesh concave_floor() {
  Points points(16, 3);
  for (Index v = 0; v < 16; ++v) points.row(v) << v % 4 + 0.1 * std::sin(v), v / 4 + 0.1 * std::cos(3 * v), 0;
  return polygons(points, {{0, 1, 2, 6, 5, 9, 8, 4},
                           {2, 3, 7, 6},
                           {5, 6, 7, 11, 10, 9},
                           {8, 9, 10, 14, 13, 12},
                           {10, 11, 15, 14}});
}

TriangleMesh moebius() {
  TriangleMesh mesh;
  const Index around = 24, across = 4;
  mesh.points.resize(around * across, 3);
  std::vector<std::array<Index, 3>> faces;
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      const double angle = 2 * std::numbers::pi * i / around, width = 0.3 * (2.0 * j / (across - 1) - 1);
      const double radius = 1 + width * std::cos(angle / 2);
      mesh.points.row(i * across + j) << radius * std::cos(angle), radius * std::sin(angle),
          width * std::sin(angle / 2);
      if (j + 1 == across) continue;
      const auto at = [&](Index a, Index b) { return a < around ? a * across + b : across - 1 - b; };
      faces.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      faces.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  mesh.triangles.resize(static_cast<Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f)
    mesh.triangles.row(static_cast<Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  return mesh;
}

/// Random points of a plane, a fan of three faces at an edge, a face without area, an unreferenced vertex.
TriangleMesh bad_mesh() {
  TriangleMesh mesh;
  mesh.points.resize(8, 3);
  mesh.points << 0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.6, -1, 0.2, 0.5, 0.1, 1, 2, 0, 0, 3, 0, 0, 9, 9, 9;
  mesh.triangles.resize(5, 3);
  mesh.triangles << 0, 1, 2, 0, 1, 3, 0, 1, 4, 1, 5, 6, 2, 2, 4;
  return mesh;
}

TriangleMesh sheared_torus() {
  TriangleMesh mesh = make_torus(30, 12);
  mesh.points.col(0) += 3 * mesh.points.col(1);  // sheared: long obtuse triangles
  return mesh;
}

Graph small_graph() {
  Graph graph;
  graph.vertices = 6;
  graph.edges = {{0, 1, 2}, {1, 2, 1}, {2, 0, 3}, {2, 3, 0.5}, {3, 2, 0.7}, {4, 4, 1}};
  return graph;
}

Samples rolled_samples(Index count, Index dimension) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  Samples samples;
  samples.values = RowMatrix<double>::Zero(count, dimension);
  for (Index v = 0; v < count; ++v) {
    const double angle = 5 + 8 * uniform(random);
    samples.values(v, 0) = angle * std::cos(angle);
    samples.values(v, 1) = angle * std::sin(angle);
    samples.values(v, 2) = 10 * uniform(random);
    for (Index k = 3; k < dimension; ++k) samples.values(v, k) = 0.01 * uniform(random);
  }
  return samples;
}

struct Case {
  std::string name;
  Shape shape;
  LaplacianOptions options = {};
};

std::vector<Case> family() {
  LaplacianOptions delaunay, inverse, gaussian, narrow;
  delaunay.intrinsic_delaunay = true;
  inverse.graph_weights = GraphWeights::inverse_length;
  gaussian.graph_weights = GraphWeights::gaussian;
  narrow.perplexity = 5;
  PointCloud repeated{make_sphere(4).points, {}};
  repeated.points.conservativeResize(200, 3);
  repeated.points.bottomRows(38) = repeated.points.topRows(38);
  std::vector<Case> cases{{"sphere", make_sphere(4)},
                          {"plane", make_plane(9, 7)},
                          {"cylinder", make_cylinder(12, 9)},
                          {"moebius", moebius()},
                          {"bad", bad_mesh()},
                          {"sheared", sheared_torus()},
                          {"moebius delaunay", moebius(), delaunay},
                          {"bad delaunay", bad_mesh(), delaunay},
                          {"sheared delaunay", sheared_torus(), delaunay},
                          {"flat quads", quads(8, 6, 0)},
                          {"warped quads", quads(8, 6, 0.2)},
                          {"concave polygons", concave_floor()},
                          {"cloud", PointCloud{make_torus(20, 10).points, {}}},
                          {"repeated cloud", repeated},
                          {"graph", small_graph()},
                          {"graph by inverse length", small_graph(), inverse},
                          {"graph by gaussian", small_graph(), gaussian},
                          {"samples", rolled_samples(150, 3), narrow},
                          {"samples in many dimensions", rolled_samples(150, 20), narrow},
                          {"empty", TriangleMesh{}}};
  return cases;
}

TEST(Laplacian, IsSymmetricSemiDefiniteAndVanishesOnConstants) {
  for (const Case& item : family()) {
    SCOPED_TRACE(item.name);
    const Laplacian operators = laplacian(item.shape, item.options);
    const Index count = vertex_count(item.shape);
    ASSERT_EQ(operators.stiffness.rows(), count);
    ASSERT_EQ(operators.mass.size(), count);
    if (count == 0) continue;
    const Eigen::MatrixXd dense = operators.stiffness;
    const double size = dense.cwiseAbs().maxCoeff();
    EXPECT_EQ((dense - dense.transpose()).cwiseAbs().maxCoeff(), 0);
    EXPECT_LE(dense.rowwise().sum().cwiseAbs().maxCoeff(), 1e-13 * size);
    EXPECT_GE(dense.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-12 * size);
    EXPECT_GE(operators.mass.minCoeff(), 0);
    for (Index v = 0; v < count; ++v)
      if (operators.mass[v] == 0) {
        EXPECT_EQ(dense.row(v).cwiseAbs().maxCoeff(), 0) << "vertex " << v;
      }
  }
}

Shape moved(Shape shape, double scale, const Eigen::Matrix3d& rotation) {
  std::visit(
      [&](auto& value) {
        if constexpr (requires { value.points; })
          value.points = scale * (value.points * rotation);
        else if constexpr (requires { value.edges; })
          for (Edge& edge : value.edges) edge.length *= scale;
        else
          value.values *= scale;
      },
      shape);
  return shape;
}

TEST(Laplacian, StiffnessIgnoresScaleAndRotationAndMassGoesWithArea) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -0.5).normalized()).toRotationMatrix();
  for (const Case& item : family()) {
    const Laplacian operators = laplacian(item.shape, item.options);
    if (operators.mass.size() == 0) continue;
    const bool surface = item.shape.index() < 3;
    for (const double scale : {1e-8, 1.0, 1e8}) {
      SCOPED_TRACE(item.name + " at scale " + std::to_string(scale));
      const Laplacian other = laplacian(moved(item.shape, scale, turn), item.options);
      const double size = operators.stiffness.coeffs().cwiseAbs().maxCoeff();
      EXPECT_LE((operators.stiffness - other.stiffness).norm(), 1e-6 * size);
      const Vector mass = surface ? Vector(other.mass / (scale * scale)) : other.mass;
      EXPECT_LE((operators.mass - mass).norm(), 1e-7 * operators.mass.norm());
    }
  }
}

double mesh_area(const TriangleMesh& mesh) {
  double area = 0;
  for (Index f = 0; f < mesh.triangles.rows(); ++f) {
    const Eigen::RowVector3d a = mesh.points.row(mesh.triangles(f, 0)),
                             b = mesh.points.row(mesh.triangles(f, 1)),
                             c = mesh.points.row(mesh.triangles(f, 2));
    area += (b - a).cross(c - a).norm() / 2;
  }
  return area;
}

TEST(Laplacian, MassesSumToTheArea) {
  LaplacianOptions delaunay;
  delaunay.intrinsic_delaunay = true;
  for (const TriangleMesh& mesh :
       {make_sphere(5), make_plane(7, 9), make_cylinder(9, 5), moebius(), sheared_torus()}) {
    const double area = mesh_area(mesh);
    EXPECT_NEAR(laplacian(mesh).mass.sum(), area, 1e-12 * area);
    EXPECT_NEAR(laplacian(mesh, delaunay).mass.sum(), area, 1e-9 * area);
    EXPECT_NEAR(laplacian(as_polygons(mesh)).mass.sum(), area, 1e-12 * area);
  }
  EXPECT_NEAR(laplacian(quads(8, 6, 0)).mass.sum(), 1, 1e-12);
  EXPECT_NEAR(laplacian(PointCloud{make_plane(9, 8).points, {}}).mass.sum(), 1, 1e-9);
}

TEST(Laplacian, LinearFunctionsVanishInsideAFlatPatch) {
  const auto expect_linear = [](const Shape& shape, const Points& points, const std::vector<char>& inside,
                                const LaplacianOptions& options) {
    const Laplacian operators = laplacian(shape, options);
    const Vector values = 3 * points.col(0) - 2 * points.col(1);
    const Vector image = operators.stiffness * values;
    Index checked = 0;
    for (Index v = 0; v < image.size(); ++v)
      if (inside[static_cast<std::size_t>(v)]) {
        EXPECT_NEAR(image[v], 0, 1e-12);
        ++checked;
      }
    EXPECT_GT(checked, 0);
    // And the energy of a linear function is area times slope squared, exactly.
    EXPECT_NEAR(values.dot(image), 13 * operators.mass.sum(), 1e-9);
  };
  TriangleMesh plane = make_plane(9, 8);
  std::vector<char> inside;
  for (Index v = 0; v < 72; ++v) inside.push_back(v % 9 > 0 && v % 9 < 8 && v / 9 > 0 && v / 9 < 7);
  LaplacianOptions delaunay;
  delaunay.intrinsic_delaunay = true;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> shake(-0.03, 0.03);
  for (Index v = 0; v < 72; ++v)
    if (inside[static_cast<std::size_t>(v)])
      plane.points.row(v) += Eigen::RowVector3d(shake(random), shake(random), 0);
  expect_linear(plane, plane.points, inside, {});
  expect_linear(plane, plane.points, inside, delaunay);
  PolygonMesh floor = quads(9, 8, 0);
  floor.points = plane.points;
  expect_linear(floor, floor.points, inside, {});
  const PolygonMesh concave = concave_floor();
  std::vector<char> middle(16, 0);
  for (const std::size_t v : {5, 6, 9, 10}) middle[v] = 1;
  expect_linear(concave, concave.points, middle, {});
}

TEST(Laplacian, CloudReproducesLinearFunctionsInsideAFlatPatch) {
  PointCloud cloud{make_plane(12, 12).points, {}};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> shake(-0.02, 0.02);
  for (Index v = 0; v < 144; ++v) cloud.points.row(v) += Eigen::RowVector3d(shake(random), shake(random), 0);
  const Laplacian operators = laplacian(cloud);
  const Vector image = operators.stiffness * (3 * cloud.points.col(0) - 2 * cloud.points.col(1));
  for (Index v = 0; v < 144; ++v)
    if (v % 12 > 1 && v % 12 < 10 && v / 12 > 1 && v / 12 < 10) {
      EXPECT_NEAR(image[v], 0, 1e-12);
    }
}

TEST(Laplacian, PolygonsEqualTrianglesOnTriangles) {
  for (const TriangleMesh& mesh :
       {make_sphere(4), make_plane(6, 5), moebius(), bad_mesh(), sheared_torus()}) {
    const Laplacian triangles = laplacian(mesh), faces = laplacian(as_polygons(mesh));
    EXPECT_LE((triangles.stiffness - faces.stiffness).norm(), 1e-12 * triangles.stiffness.norm());
    EXPECT_LE((triangles.mass - faces.mass).norm(), 1e-12 * triangles.mass.norm());
  }
}

TEST(Laplacian, FacesOfManyCornersStayInProportion) {
  const Index count = 3000;
  Points circle(count, 3);
  std::vector<Index> face;
  for (Index v = 0; v < count; ++v) {
    const double angle = 2 * std::numbers::pi * v / count;
    circle.row(v) << std::cos(angle), std::sin(angle), 0;
    face.push_back(v);
  }
  const Laplacian operators = laplacian(polygons(circle, {face}));
  EXPECT_LT(operators.stiffness.nonZeros(), 100 * count);
  EXPECT_NEAR(operators.mass.sum(), std::numbers::pi, 1e-4);
  const Vector x = circle.col(0);
  EXPECT_NEAR(x.dot(operators.stiffness * x), std::numbers::pi, 1e-4);
}

TEST(Laplacian, IntrinsicDelaunayHasNoNegativeWeightsOnAClosedSurface) {
  LaplacianOptions delaunay;
  delaunay.intrinsic_delaunay = true;
  const auto negative = [](const SparseMatrix& stiffness) {
    double worst = 0;
    for (Index column = 0; column < stiffness.cols(); ++column)
      for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry)
        if (entry.row() != column) worst = std::max(worst, entry.value());
    return worst;
  };
  const TriangleMesh mesh = sheared_torus();
  EXPECT_GT(negative(laplacian(mesh).stiffness), 0.1);
  EXPECT_LT(negative(laplacian(mesh, delaunay).stiffness), 1e-9);
  // Nothing to flip: nothing changes.
  const TriangleMesh sphere = make_sphere(5);
  EXPECT_LE((laplacian(sphere).stiffness - laplacian(sphere, delaunay).stiffness).norm(), 1e-9);
}

TEST(Laplacian, CloudOfASphereHasTheSpectrumOfASphere) {
  const TriangleMesh sphere = make_sphere(8);
  const Vector from_mesh = low_eigenpairs(laplacian(sphere), 9).values;
  const Vector from_cloud = low_eigenpairs(laplacian(PointCloud{sphere.points, {}}), 9).values;
  EXPECT_LE((from_cloud - from_mesh).cwiseAbs().maxCoeff(), 0.02 * from_mesh[8]);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  PointCloud cloud;
  cloud.points.resize(1000, 3);
  for (Index v = 0; v < 1000; ++v)
    cloud.points.row(v) = Eigen::RowVector3d(normal(random), normal(random), normal(random)).normalized();
  const Vector values = low_eigenpairs(laplacian(cloud), 9).values;
  const Vector exact = (Vector(9) << 0, 2, 2, 2, 6, 6, 6, 6, 6).finished();
  EXPECT_NEAR(values[0], 0, 1e-8);
  for (Index k = 1; k < 9; ++k) EXPECT_NEAR(values[k] / exact[k], 1, 0.05);
}

TEST(Laplacian, QuadsHaveTheSpectrumOfTheSquare) {
  const Vector values =
      low_eigenpairs(laplacian(quads(25, 25, 0)), 6).values / (std::numbers::pi * std::numbers::pi);
  const Vector exact = (Vector(6) << 0, 1, 1, 2, 4, 4).finished();
  EXPECT_LE((values - exact).cwiseAbs().maxCoeff(), 0.03);
}

TEST(Laplacian, OfAGraphIsTheTextbookMatrix) {
  const Laplacian operators = laplacian(small_graph());
  Eigen::MatrixXd expected(6, 6);
  expected << 2, -1, -1, 0, 0, 0, -1, 2, -1, 0, 0, 0, -1, -1, 3, -1, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0;
  EXPECT_EQ(Eigen::MatrixXd(operators.stiffness), expected);
  EXPECT_EQ(operators.mass, Vector::Ones(6));
  // Mean length of the four distinct edges: (2 + 1 + 3 + 0.5) / 4; the shorter of the repeated pair counts.
  LaplacianOptions options;
  options.graph_weights = GraphWeights::inverse_length;
  EXPECT_DOUBLE_EQ(laplacian(small_graph(), options).stiffness.coeff(3, 2), -1.625 / 0.5);
  options.graph_weights = GraphWeights::gaussian;
  EXPECT_DOUBLE_EQ(laplacian(small_graph(), options).stiffness.coeff(3, 2),
                   -std::exp(-0.5 * std::pow(0.5 / 1.625, 2)));
}

TEST(Laplacian, NamesWhatIsWrong) {
  TriangleMesh mesh = make_plane(3, 3);
  mesh.triangles(2, 1) = 9;
  EXPECT_THROW(laplacian(mesh), InputError);
  mesh = make_plane(3, 3);
  mesh.points(4, 2) = std::nan("");
  EXPECT_THROW(laplacian(mesh), InputError);
  EXPECT_THROW(laplacian(as_polygons(mesh)), InputError);
  PolygonMesh polygon = as_polygons(make_plane(3, 3));
  polygon.corners[3] = -1;
  EXPECT_THROW(laplacian(polygon), InputError);
  Graph graph = small_graph();
  graph.edges[1].length = 0;
  EXPECT_NO_THROW(laplacian(graph));
  LaplacianOptions options;
  options.graph_weights = GraphWeights::inverse_length;
  EXPECT_THROW(laplacian(graph, options), InputError);
  graph.edges[0].b = 6;
  EXPECT_THROW(laplacian(graph), InputError);
  options.perplexity = 1;
  EXPECT_THROW(laplacian(rolled_samples(10, 3), options), InputError);
}

TEST(Biharmonic, IsTheProductOfTheScaledStiffnessWithItself) {
  for (const Case& item : family()) {
    SCOPED_TRACE(item.name);
    const Laplacian operators = laplacian(item.shape, item.options);
    const Vector root =
        operators.mass.unaryExpr([](double mass) { return mass > 0 ? 1 / std::sqrt(mass) : 0.0; });
    const SparseMatrix scaled = root.asDiagonal() * operators.stiffness;
    const SparseMatrix transposed = scaled.transpose();
    const SparseMatrix wanted = transposed * scaled, found = biharmonic(operators);
    ASSERT_EQ(found.nonZeros(), wanted.nonZeros());
    for (Index column = 0; column < wanted.cols(); ++column) {
      SparseMatrix::InnerIterator mine(found, column);
      for (SparseMatrix::InnerIterator entry(wanted, column); entry; ++entry, ++mine) {
        ASSERT_EQ(mine.row(), entry.row());
        ASSERT_EQ(mine.value(), entry.value());
      }
    }
  }
}

TEST(Biharmonic, IsSymmetricSemiDefiniteAndInterpolatesConstants) {
  for (const Case& item : family()) {
    SCOPED_TRACE(item.name);
    const Laplacian operators = laplacian(item.shape, item.options);
    const SparseMatrix energy = biharmonic(operators);
    if (energy.rows() == 0) continue;
    const Eigen::MatrixXd dense = energy;
    const double size = dense.cwiseAbs().maxCoeff();
    EXPECT_EQ((dense - dense.transpose()).cwiseAbs().maxCoeff(), 0);
    EXPECT_LE(dense.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12 * size);
    EXPECT_GE(dense.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-11 * size);
  }
  // Values fixed at a few vertices extend to the others with least energy: a constant stays one.
  const SparseMatrix energy = biharmonic(laplacian(make_torus(20, 10)));
  const Index fixed = 5, free = static_cast<Index>(energy.rows()) - fixed;
  const SparseMatrix inner = energy.bottomRightCorner(free, free),
                     coupling = energy.bottomLeftCorner(free, fixed);
  const Vector extended = SparseCholesky(inner).solve(Vector(-(coupling * Vector::Constant(fixed, 4.5))));
  EXPECT_LE((extended.array() - 4.5).abs().maxCoeff(), 1e-7);
}

}  // namespace
}  // namespace geodome::internal
