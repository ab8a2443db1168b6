#include "geodome/cell/fit_distances.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/sparse_cholesky.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr double ridge = 1e-3;

SparseCholesky normal_factor(const SparseMatrix& P) {
  SparseMatrix A = P.transpose() * P;
  double trace = 0;
  for (Eigen::Index k = 0; k < A.cols(); ++k) trace += A.coeff(k, k);
  SparseMatrix identity(A.cols(), A.cols());
  identity.setIdentity();
  A += ridge * trace / static_cast<double>(A.cols()) * identity;
  return SparseCholesky(A);
}

/// Solves for all columns of B, some at a time.
void solve_columns(const SparseCholesky& factor, Eigen::MatrixXd& B, const Execution& execution) {
  constexpr Eigen::Index width = 64;
  const auto parts = static_cast<std::size_t>((B.cols() + width - 1) / width);
  parallel_for(parts, execution, {}, [&](std::size_t part, int) {
    const Eigen::Index first = static_cast<Eigen::Index>(part) * width,
                       count = std::min(width, B.cols() - first);
    B.middleCols(first, count) = factor.solve(RowMatrix<double>(B.middleCols(first, count)));
  });
}

/// What is missing, #vertices by #sources, where it is known.
template <typename Distance>
Eigen::MatrixXd missing(const SparseMatrix& P, const Eigen::MatrixXd& W, const SparseMatrix& Q,
                        const Distance& distance) {
  Eigen::MatrixXd E = P * (W * Q.transpose());
  for (Eigen::Index t = 0; t < E.cols(); ++t)
    for (Eigen::Index v = 0; v < E.rows(); ++v) {
      const double one = distance(t, v) - E(v, t);
      E(v, t) = std::isfinite(one) ? one : 0;
    }
  return E;
}

/// The part of a change that leaves the least of E.
double best_length(const Eigen::MatrixXd& effect, const Eigen::MatrixXd& E) {
  const double square = effect.squaredNorm();
  return square > 0 ? std::clamp(effect.cwiseProduct(E).sum() / square, 0.0, 1.0) : 0;
}

double length_for_others(const CellModel& model, const TrainingSums::Sample& sample, const SparseMatrix& P,
                         const Eigen::MatrixXd& W, const Eigen::MatrixXd& change) {
  const SparseMatrix Q = weights_of(model, sample.others, static_cast<Index>(W.rows()));
  const Eigen::MatrixXd E = missing(P, W, Q, [&](Eigen::Index t, Eigen::Index v) {
    return sample.other_distances[static_cast<std::size_t>(t)][static_cast<std::size_t>(v)];
  });
  return best_length(P * (change * Q.transpose()), E);
}

}  // namespace

SparseMatrix weights_of(const CellModel& model, std::span<const Index> vertices, Index landmarks) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t row = 0; row < vertices.size(); ++row) {
    const CellModel::Cell& cell = model.cells[model.cell[vertices[row]]];
    const std::int16_t* code = model.code.data() + model.first[vertices[row]];
    double left = 1;
    for (std::size_t s = 0, k = 0; s < cell.support.size(); ++s) {
      if (static_cast<Index>(s) == cell.centre) continue;
      double weight = std::ldexp(static_cast<double>(cell.mean.value[k]), -cell.mean.digits);
      for (std::size_t j = 0; j < cell.directions.size(); ++j)
        weight += code[j] *
                  std::ldexp(static_cast<double>(cell.directions[j].value[k]), -cell.directions[j].digits);
      entries.emplace_back(static_cast<int>(row), cell.support[s], weight);
      left -= weight;
      ++k;
    }
    entries.emplace_back(static_cast<int>(row), cell.support[static_cast<std::size_t>(cell.centre)], left);
  }
  SparseMatrix P(static_cast<Eigen::Index>(vertices.size()), landmarks);
  P.setFromTriplets(entries.begin(), entries.end());
  return P;
}

void fit_distances(const CellModel& model, const TrainingSums::Sample& sample,
                   std::span<const Index> landmarks, Index first_landmark, Eigen::MatrixXd& W,
                   const Execution& execution) {
  const auto count = static_cast<Index>(landmarks.size());
  const SparseMatrix P = weights_of(model, sample.vertices, count);
  std::vector<Index> sources;
  for (const Index position : sample.sources) sources.push_back(landmarks[position - first_landmark]);
  const SparseMatrix Q = weights_of(model, sources, count);
  const Eigen::MatrixXd E =
      missing(P, W, Q, [&](Eigen::Index t, Eigen::Index v) { return sample.distances(t, v); });
  Eigen::MatrixXd left = P.transpose() * E;  // #landmarks by #sources
  solve_columns(normal_factor(P), left, execution);
  Eigen::MatrixXd right = Q.transpose() * left.transpose();  // #landmarks by #landmarks
  solve_columns(normal_factor(Q), right, execution);
  // One side after the other, made symmetric: the direction is good, its length may not be, and the fit has
  // seen no rows but those of landmarks. Never worse on others than W as it is.
  const Eigen::MatrixXd change = (right + right.transpose()) / 2;
  W += sample.others.empty() ? best_length(P * (change * Q.transpose()), E) * change
                             : length_for_others(model, sample, P, W, change) * change;
}

}  // namespace geodome::internal
