#pragma once
/// Small shapes with everything a matrix is made of, and the slow, obvious reference to compare with.

#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "geodome/geodesic/factory.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {

/// A mesh with its landmarks, P and solver.
struct MatrixCase {
  std::string name;
  TriangleMesh mesh;
  std::unique_ptr<GeodesicSolver> solver;
  OrderedLandmarks landmarks;
  Laplacian operators;
  SparseRows P;

  Index size() const { return static_cast<Index>(mesh.points.rows()); }

  SparseLandmarkMatrix compact(Precision precision = Precision::float32,
                               DistanceKind kind = DistanceKind::distance,
                               WeightPrecision weights = WeightPrecision::float32) const {
    return make_sparse_landmark_matrix(landmarks, P, landmark_distances(*solver, landmarks, {precision}),
                                       kind, weights);
  }
  DenseLandmarkMatrix dense(DistanceKind kind = DistanceKind::distance) const {
    return make_dense_landmark_matrix(
        landmarks, dense_interpolation_operator(operators, landmarks.vertices, landmarks.cell),
        landmark_distances(*solver, landmarks), kind);
  }
};

inline MatrixCase make_case(std::string name, TriangleMesh mesh, Index landmarks, Index nonzeros = 12,
                            Sparsity sparsity = Sparsity::rows) {
  MatrixCase one;
  one.name = std::move(name);
  one.mesh = std::move(mesh);
  one.solver = make_solver(one.mesh);
  LandmarkOptions options;
  options.count = landmarks;
  one.landmarks = order_landmarks(make_adjacency(one.size(), face_edges(one.mesh)),
                                  choose_landmarks(one.mesh, options).vertices);
  one.operators = laplacian(one.mesh);
  one.P = interpolation_operator(one.operators, one.landmarks.vertices, one.landmarks.cell,
                                 {.sparsity = sparsity, .nonzeros = nonzeros})
              .P;
  return one;
}

/// Two meshes apart from each other, with a vertex between them that no face uses.
inline TriangleMesh apart(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh both;
  both.points.resize(a.points.rows() + 1 + b.points.rows(), 3);
  both.points << a.points, Eigen::RowVector3d(2.5, 0, 0), (b.points.rowwise() + Eigen::RowVector3d(5, 0, 0));
  both.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  both.triangles << a.triangles, (b.triangles.array() + static_cast<Index>(a.points.rows()) + 1).matrix();
  return both;
}

inline std::vector<MatrixCase> matrix_cases() {
  std::vector<MatrixCase> cases;
  cases.push_back(make_case("closed", make_sphere(7), 40));
  cases.push_back(make_case("boundary", make_plane(17, 14), 30));
  cases.push_back(make_case("loses weight", make_torus(24, 11), 30, 8, Sparsity::columns));
  cases.push_back(make_case("large", {make_plane(12, 9).points * 1e8, make_plane(12, 9).triangles}, 20));
  cases.push_back(
      make_case("two components and a stray vertex", apart(make_sphere(5), make_plane(9, 8)), 35));
  return cases;
}

struct Pairs {
  std::vector<Index> I, J;
};

inline Pairs random_pairs(Index size, std::size_t count) {
  std::mt19937 random(11);
  Pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    pairs.I.push_back(static_cast<Index>(random() % static_cast<unsigned>(size)));
    pairs.J.push_back(static_cast<Index>(random() % static_cast<unsigned>(size)));
  }
  return pairs;
}

inline std::vector<Index> everything(Index size) {
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

inline Eigen::MatrixXd dense_rows(const SparseRows& P) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(P.rows(), P.columns);
  for (Index r = 0; r < P.rows(); ++r)
    for (std::int64_t k = P.begin[r]; k < P.begin[r + 1]; ++k) result(r, P.column[k]) = P.value[k];
  return result;
}

/// P W Pᵀ in double precision, straight from the solver, infinite where vertices cannot reach each other.
inline Eigen::MatrixXd reference_matrix(const MatrixCase& one, const Eigen::MatrixXd& P, DistanceKind kind) {
  Eigen::MatrixXd W = one.solver->between(one.landmarks.vertices, one.landmarks.vertices);
  W = ((W + W.transpose()) / 2).eval();
  if (kind == DistanceKind::squared) W = W.cwiseProduct(W).eval();
  const Eigen::MatrixXd finite = W.unaryExpr([](double w) { return std::isfinite(w) ? w : 0.0; });
  Eigen::MatrixXd K = P * finite * P.transpose();
  GeodesicOptions along_edges;
  along_edges.method = GeodesicMethod::graph;
  const auto edges = make_solver(one.mesh, along_edges);
  for (Index i = 0; i < K.rows(); ++i) {
    const auto from = edges->within(i, infinity);
    std::vector<char> reached(static_cast<std::size_t>(K.rows()), 0);
    for (const Neighbour& other : from) reached[other.vertex] = std::isfinite(other.distance);
    for (Index j = 0; j < K.cols(); ++j)
      if (!reached[j]) K(i, j) = infinity;
    if (one.landmarks.component[i] < 0) K(i, i) = 0;
  }
  return K;
}

inline double largest_finite(const Eigen::MatrixXd& K) {
  double largest = 0;
  for (const double entry : K.reshaped())
    if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
  return largest;
}

/// The largest difference relative to the largest finite entry; infinite where only one of them is infinite.
inline double difference(const Eigen::MatrixXd& K, const Eigen::MatrixXd& expected) {
  double worst = 0;
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j)
      if (K(i, j) != expected(i, j)) worst = std::max(worst, std::abs(K(i, j) - expected(i, j)));
  return worst > 0 ? worst / largest_finite(expected) : 0;
}

}  // namespace geodome::internal
