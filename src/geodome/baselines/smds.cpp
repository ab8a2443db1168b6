#include "geodome/baselines/smds.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/baselines/signed_root.h"

namespace geodome::internal {
namespace {

void require_valid(const Eigenpairs& pairs, std::span<const Index> landmarks, const Eigen::MatrixXd& W,
                   const SmdsOptions& options) {
  if (options.eigenvectors < 1)
    throw InputError(text("the number of eigenvectors must be at least 1, got ", options.eigenvectors));
  if (!(options.weight > 0 && std::isfinite(options.weight)))
    throw InputError(text("the weight must be positive and finite, got ", options.weight));
  const auto count = static_cast<Eigen::Index>(landmarks.size());
  if (W.rows() != count || W.cols() != count)
    throw InputError(text(W.rows(), " by ", W.cols(), " distances for ", count, " landmarks"));
  for (const Index landmark : landmarks)
    if (landmark < 0 || landmark >= pairs.vectors.rows())
      throw InputError(text("landmark ", landmark, " is out of range [0, ", pairs.vectors.rows(), ")"));
}

}  // namespace

FactoredMatrix smds(const Eigenpairs& pairs, std::span<const Index> landmarks, const Eigen::MatrixXd& W,
                    const std::vector<Index>& component, DistanceKind kind, const SmdsOptions& options) {
  require_valid(pairs, landmarks, W, options);
  const Eigen::Index m = std::min<Eigen::Index>(options.eigenvectors, pairs.values.size());
  Eigen::MatrixXd Phi = pairs.vectors.leftCols(m);
  Phi.colwise().normalize();
  Eigen::MatrixXd at_landmarks(static_cast<Eigen::Index>(landmarks.size()), m);
  for (std::size_t k = 0; k < landmarks.size(); ++k)
    at_landmarks.row(static_cast<Eigen::Index>(k)) = Phi.row(landmarks[k]);
  Eigen::MatrixXd system = options.weight * at_landmarks.transpose() * at_landmarks;
  system.diagonal() += pairs.values.head(m);
  const Eigen::LLT<Eigen::MatrixXd> factor(system);
  if (factor.info() != Eigen::Success)
    throw NumericalError(text("the system of SMDS with ", m, " eigenvectors, ", landmarks.size(),
                              " landmarks and a weight of ", options.weight,
                              " is numerically singular: increase the weight or use fewer eigenvectors"));
  const Eigen::MatrixXd H = options.weight * factor.solve(at_landmarks.transpose());
  const Eigen::MatrixXd values = kind == DistanceKind::squared ? Eigen::MatrixXd(W.cwiseAbs2()) : W;
  const SignedRoot root = signed_root(H * values * H.transpose(), 1e-14, false);
  Factors factors;
  factors.A = (Phi * root.root).cast<float>();
  factors.sign = root.sign.transpose().cast<float>();
  if (std::any_of(component.begin(), component.end(), [](Index c) { return c != 0; }))
    factors.component = component;
  return {std::move(factors), kind};
}

}  // namespace geodome::internal
