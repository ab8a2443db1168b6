#include "geodome/embedding/landmark_scaling.h"

#include <algorithm>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr double gigabyte = 1e9;

/// W∘W of the part, all of it.
Eigen::MatrixXd squared_landmark_distances(const PackedSymmetric& W) {
  Eigen::MatrixXd result(W.size(), W.size());
  for (Index r = 0; r < W.size(); ++r)
    for (Index c = 0; c <= r; ++c) {
      const double d = W(r, c);
      result(r, c) = result(c, r) = d * d;
    }
  return result;
}

/// J P of the part, #vertices by #landmarks.
Eigen::MatrixXd centred_weights(const LandmarkMatrix& form, const std::vector<Index>& vertices,
                                Index landmarks) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(vertices.size()), landmarks);
  Weights row;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    form.read_weights(vertices[v], row);
    for (std::size_t k = 0; k < row.size(); ++k)
      P(static_cast<Eigen::Index>(v), row.column[k]) = row.value[k];
  }
  P.rowwise() -= P.colwise().mean().eval();
  return P;
}

/// The eigenvalues of -½ R W₂ Rᵀ, decreasing, and the vectors of the `count` largest.
LandmarkScaling small_problem(const Eigen::MatrixXd& R, const Eigen::MatrixXd& W2, Index count) {
  Eigen::MatrixXd B = R * W2 * R.transpose() / -2;
  B = ((B + B.transpose()) / 2).eval();
  const SymmetricEigen pairs = symmetric_eigen(B);
  const Eigen::Index found = std::min<Eigen::Index>(count, B.rows());
  return {pairs.values.reverse(), pairs.vectors.rightCols(found).rowwise().reverse()};
}

/// Σ p_v p_vᵀ - n μμᵀ and μ, the mean of the rows.
struct WeightMoments {
  Eigen::MatrixXd gram;
  Vector mean;
};

WeightMoments weight_moments(const LandmarkMatrix& form, const std::vector<Index>& vertices,
                             Index landmarks) {
  WeightMoments moments{Eigen::MatrixXd::Zero(landmarks, landmarks), Vector::Zero(landmarks)};
  Weights row;
  for (const Index vertex : vertices) {
    form.read_weights(vertex, row);
    for (std::size_t a = 0; a < row.size(); ++a) {
      moments.mean[row.column[a]] += row.value[a];
      for (std::size_t b = 0; b <= a; ++b)
        moments.gram(row.column[a], row.column[b]) += row.value[a] * row.value[b];
    }
  }
  const auto n = static_cast<double>(vertices.size());
  moments.mean /= n;
  moments.gram.selfadjointView<Eigen::Lower>().rankUpdate(moments.mean, -n);
  moments.gram.triangularView<Eigen::StrictlyUpper>() = moments.gram.transpose();
  return moments;
}

}  // namespace

LandmarkScaling scale_by_qr(const LandmarkMatrix& form, const std::vector<Index>& vertices, Index count,
                            std::int64_t memory_bound) {
  const Index part = form.component(vertices.front());
  const Index landmarks = form.W(part).size();
  const double needed = 8.0 * static_cast<double>(vertices.size()) * landmarks;
  if (needed > static_cast<double>(memory_bound))
    throw InputError(text("BMDS of ", vertices.size(), " vertices with ", landmarks, " landmarks requires ",
                          needed / gigabyte, " GB, above the bound of ",
                          static_cast<double>(memory_bound) / gigabyte,
                          " GB: use sBMDS, which gives the same result, or fewer landmarks"));
  const ThinQr qr(centred_weights(form, vertices, landmarks));
  LandmarkScaling scaling = small_problem(qr.R(), squared_landmark_distances(form.W(part)), count);
  scaling.vectors = qr.times(scaling.vectors);
  return scaling;
}

std::int64_t gram_bytes(Index landmarks) {
  return 32 * static_cast<std::int64_t>(landmarks) * landmarks;
}

LandmarkScaling scale_by_gram(const LandmarkMatrix& form, const std::vector<Index>& vertices, Index count) {
  const Index part = form.component(vertices.front());
  const Index landmarks = form.W(part).size();
  const WeightMoments moments = weight_moments(form, vertices, landmarks);
  const SymmetricEigen axes = symmetric_eigen(moments.gram);
  // J P has a null vector: P carries a constant to a constant.
  const double cut = 1e-12 * axes.values.maxCoeff();
  const Eigen::Index kept = (axes.values.array() > cut).count();
  const Vector root = axes.values.tail(kept).cwiseSqrt();
  const Eigen::MatrixXd U = axes.vectors.rightCols(kept);
  LandmarkScaling scaling =
      small_problem(root.asDiagonal() * U.transpose(), squared_landmark_distances(form.W(part)), count);
  const Eigen::MatrixXd at_landmarks = U * root.cwiseInverse().asDiagonal() * scaling.vectors;
  const Eigen::RowVectorXd offset = moments.mean.transpose() * at_landmarks;
  Eigen::MatrixXd vectors(static_cast<Eigen::Index>(vertices.size()), at_landmarks.cols());
  Weights row;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    form.read_weights(vertices[v], row);
    Eigen::RowVectorXd value = -offset;
    for (std::size_t k = 0; k < row.size(); ++k) value += row.value[k] * at_landmarks.row(row.column[k]);
    vectors.row(static_cast<Eigen::Index>(v)) = value;
  }
  scaling.vectors = std::move(vectors);
  return scaling;
}

}  // namespace geodome::internal
