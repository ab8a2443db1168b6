// Shapes on which a biharmonic solve runs out of digits unless the Laplacian is bounded.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "geodome/base/error.h"
#include "geodome/interpolation/bounded_weights.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/cells.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

struct HardShape {
  std::string name;
  TriangleMesh mesh;
  /// Faces without area have no cotangents: to the Laplacian the surface is slit there.
  bool slit = false;
};

TriangleMesh with_faces(TriangleMesh mesh, const Triangles& more) {
  const Index before = static_cast<Index>(mesh.triangles.rows());
  mesh.triangles.conservativeResize(before + more.rows(), 3);
  mesh.triangles.bottomRows(more.rows()) = more;
  return mesh;
}

/// Moves every tenth vertex to `gap` times its distance from a neighbour: needles at all its faces.
TriangleMesh with_needles(TriangleMesh mesh, double gap) {
  std::vector<char> moved(static_cast<std::size_t>(mesh.points.rows()), 0);
  for (Index f = 0; f < mesh.triangles.rows(); f += 20) {
    const Index a = mesh.triangles(f, 0), b = mesh.triangles(f, 1);
    if (moved[a] || moved[b]) continue;
    mesh.points.row(a) = (1 - gap) * mesh.points.row(b) + gap * mesh.points.row(a);
    moved[a] = moved[b] = 1;
  }
  return mesh;
}

/// Puts a vertex close to the middle of a side of every tenth face and splits the face there: caps.
TriangleMesh with_caps(const TriangleMesh& mesh, double height) {
  TriangleMesh result = mesh;
  std::vector<Eigen::RowVector3d> points;
  std::vector<Eigen::RowVector3i> faces;
  for (Index f = 0; f < mesh.triangles.rows(); f += 10) {
    const Eigen::RowVector3i corner = mesh.triangles.row(f);
    const Eigen::RowVector3d side = (mesh.points.row(corner[0]) + mesh.points.row(corner[1])) / 2;
    const auto middle = static_cast<Index>(mesh.points.rows() + static_cast<Eigen::Index>(points.size()));
    points.push_back((1 - height) * side + height * mesh.points.row(corner[2]));
    result.triangles.row(f) << corner[0], corner[1], middle;
    faces.emplace_back(corner[1], corner[2], middle);
    faces.emplace_back(corner[2], corner[0], middle);
  }
  result.points.conservativeResize(mesh.points.rows() + static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t k = 0; k < points.size(); ++k)
    result.points.row(mesh.points.rows() + static_cast<Eigen::Index>(k)) = points[k];
  Triangles more(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t k = 0; k < faces.size(); ++k) more.row(static_cast<Eigen::Index>(k)) = faces[k];
  return with_faces(std::move(result), more);
}

/// A sphere, single triangles and pairs of them far smaller than its own, and a vertex that no face uses.
TriangleMesh with_specks(TriangleMesh mesh) {
  const Index before = static_cast<Index>(mesh.points.rows());
  mesh.points.conservativeResize(before + 3 + 4 + 4 + 1, 3);
  mesh.points.bottomRows(12) << 3, 0, 0, 3 + 1e-6, 0, 0, 3, 1e-6, 0,  // a speck
      4, 0, 0, 5, 0, 0, 5, 1e-5, 0, 4, 1e-5, 0,                       // two needles side by side
      6, 0, 0, 6, 0, 0, 6, 1, 0, 7, 1, 0,                             // two of its corners in one place
      8, 8, 8;
  Triangles more(5, 3);
  more << 0, 1, 2, 3, 4, 5, 3, 5, 6, 7, 8, 9, 8, 9, 10;
  return with_faces(std::move(mesh), (more.array() + before).matrix());
}

std::vector<HardShape> hard_shapes() {
  const TriangleMesh sphere = make_sphere(8);
  std::vector<HardShape> shapes{{"duplicate faces", with_faces(sphere, sphere.triangles.topRows(100))},
                                {"specks", with_specks(sphere)}};
  for (const double gap : {1e-2, 1e-5, 1e-8, 1e-12, 0.0}) {
    shapes.push_back({"needles " + text(gap), with_needles(sphere, gap), gap < 1e-7});
    shapes.push_back({"caps " + text(gap), with_caps(make_torus(30, 14), gap), gap < 1e-7});
  }
  return shapes;
}

struct Chosen {
  std::vector<Index> vertices, cell;
};

Chosen landmarks_of(const TriangleMesh& mesh, Index count) {
  const Adjacency adjacency = make_adjacency(static_cast<Index>(mesh.points.rows()), face_edges(mesh));
  LandmarkOptions options;
  options.count = count;
  const auto cover = make_graph_cover(adjacency);
  Chosen chosen;
  chosen.vertices = choose_landmarks(*cover, options).vertices;
  chosen.cell = landmark_cells(adjacency, chosen.vertices);
  return chosen;
}

Eigen::MatrixXd dense_weights(const SparseRows& P) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(P.rows(), P.columns);
  for (Index r = 0; r < P.rows(); ++r)
    for (std::int64_t k = P.begin[r]; k < P.begin[r + 1]; ++k) result(r, P.column[k]) = P.value[k];
  return result;
}

TEST(HardShapes, EveryMethodInterpolatesAConstantByItself) {
  for (const HardShape& one : hard_shapes()) {
    const Chosen landmarks = landmarks_of(one.mesh, 30);
    const Laplacian operators = laplacian(one.mesh);
    for (const InterpolationMethod method :
         {InterpolationMethod::patches, InterpolationMethod::partial, InterpolationMethod::plain}) {
      const Interpolation result =
          interpolation_operator(operators, landmarks.vertices, landmarks.cell,
                                 {.sparsity = Sparsity::columns, .nonzeros = 30, .method = method});
      const Eigen::MatrixXd P = dense_weights(result.P);
      for (Index v = 0; v < P.rows(); ++v)
        EXPECT_NEAR(P.row(v).sum(), landmarks.cell[v] >= 0 ? 1 : 0, 1e-3) << one.name << " vertex " << v;
      for (std::size_t c = 0; c < landmarks.vertices.size(); ++c)
        EXPECT_EQ(P(landmarks.vertices[c], static_cast<Eigen::Index>(c)), 1) << one.name;
      EXPECT_LT(P.cwiseAbs().maxCoeff(), 3) << one.name;
    }
  }
}

TEST(HardShapes, ASmoothFunctionIsCarriedAcrossThem) {
  for (const HardShape& one : hard_shapes()) {
    const Chosen landmarks = landmarks_of(one.mesh, 150);  // some 0.3 apart
    const Laplacian operators = laplacian(one.mesh);
    const auto count = static_cast<Eigen::Index>(landmarks.vertices.size());
    RowMatrix<double> values(count, 1);
    for (Eigen::Index c = 0; c < count; ++c) values(c, 0) = one.mesh.points(landmarks.vertices[c], 2);
    const RowMatrix<double> function = interpolate(operators, landmarks.vertices, landmarks.cell, values);
    const RowMatrix<float> P = dense_interpolation_operator(operators, landmarks.vertices, landmarks.cell);
    const Vector through_P = P.cast<double>() * values.col(0);
    for (Index v = 0; v < function.rows(); ++v) {
      if (landmarks.cell[v] < 0) continue;
      EXPECT_NEAR(function(v, 0), one.mesh.points(v, 2), one.slit ? 0.12 : 0.05)
          << one.name << " vertex " << v;
      EXPECT_NEAR(through_P[v], function(v, 0), 1e-3) << one.name << " vertex " << v;
    }
  }
}

TEST(HardShapes, ScalingChangesNothing) {
  for (const HardShape& one : hard_shapes()) {
    const Chosen landmarks = landmarks_of(one.mesh, 40);
    const auto solve = [&](double scale) {
      const Laplacian operators = laplacian(TriangleMesh{one.mesh.points * scale, one.mesh.triangles});
      return Eigen::MatrixXd(
          dense_interpolation_operator(operators, landmarks.vertices, landmarks.cell).cast<double>());
    };
    const Eigen::MatrixXd expected = solve(1);
    for (const double scale : {1e-8, 1e8})
      EXPECT_LT((solve(scale) - expected).cwiseAbs().maxCoeff(), 1e-3) << one.name << " scale " << scale;
  }
}

TEST(HardShapes, TinyGraphsOfEverySize) {
  for (Index size = 1; size <= 5; ++size)
    for (Index count = 1; count <= size; ++count) {
      Graph graph;
      graph.vertices = size;
      for (Index v = 0; v + 1 < size; ++v) graph.edges.push_back({v, v + 1});
      std::vector<Index> chosen, cell;
      for (Index v = 0; v < count; ++v) chosen.push_back(v);
      for (Index v = 0; v < size; ++v) cell.push_back(std::min(v, count - 1));
      const Eigen::MatrixXd P = dense_interpolation_operator(laplacian(graph), chosen, cell).cast<double>();
      EXPECT_LT((P.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-5) << size << " with " << count;
      const Eigen::MatrixXd sparse =
          dense_weights(interpolation_operator(laplacian(graph), chosen, cell, {.nonzeros = 5}).P);
      EXPECT_LT((sparse - P).cwiseAbs().maxCoeff(), 1e-5) << size << " with " << count;
    }
}

TEST(Temper, LeavesAnOrdinaryShapeAlone) {
  for (const TriangleMesh& mesh : {make_sphere(8), make_torus(30, 14), make_plane(20, 15)}) {
    const Laplacian before = laplacian(mesh);
    const BoundedLaplacian after = bound_weights(before, 100);
    EXPECT_EQ(after.vertices, 0);
    EXPECT_EQ((after.laplacian.stiffness - before.stiffness).norm(), 0);
    EXPECT_EQ(after.laplacian.mass, before.mass);
  }
}

TEST(Temper, BoundsTheWeightsAndKeepsTheRest) {
  for (const HardShape& one : hard_shapes()) {
    const Laplacian before = laplacian(one.mesh);
    for (const double bound : {1.0, 30.0, 1e3}) {
      const BoundedLaplacian after = bound_weights(before, bound);
      const SparseMatrix& L = after.laplacian.stiffness;
      EXPECT_LT((L * Vector::Ones(L.cols())).cwiseAbs().maxCoeff(), 1e-12 * L.coeffs().cwiseAbs().maxCoeff());
      EXPECT_EQ(SparseMatrix(L - SparseMatrix(L.transpose())).norm(), 0) << one.name;
      std::vector<double> weight;
      for (Index c = 0; c < L.cols(); ++c)
        for (SparseMatrix::InnerIterator entry(before.stiffness, c); entry; ++entry)
          if (entry.row() != c && entry.value() != 0) weight.push_back(std::abs(entry.value()));
      std::nth_element(weight.begin(), weight.begin() + static_cast<std::ptrdiff_t>(weight.size() / 2),
                       weight.end());
      const double usual = weight[weight.size() / 2];
      for (Index c = 0; c < L.cols(); ++c) {
        EXPECT_EQ(after.laplacian.mass[c] > 0, before.mass[c] > 0) << one.name;
        for (SparseMatrix::InnerIterator entry(L, c); entry; ++entry)
          if (entry.row() != c) {
            EXPECT_LE(std::abs(entry.value()), 1.01 * bound * usual) << one.name << " bound " << bound;
          }
      }
    }
  }
}

TEST(Temper, GivesUpOnlyAfterTheTightestBound) {
  const Laplacian operators = laplacian(make_sphere(5));
  int calls = 0;
  EXPECT_THROW(solve_with_bounded_weights(operators, 30,
                                          [&](const BoundedLaplacian&) {
                                            ++calls;
                                            throw NumericalError("never enough");
                                          }),
               NumericalError);
  EXPECT_GT(calls, 2);
  EXPECT_LT(calls, 7);
}

}  // namespace
}  // namespace geodome::internal
