#include "geodome/comparison/screening.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr Eigen::Index quantiles = 16;

/// Scaled so that the distance of two signatures is a root mean square in the forms' units.
Eigen::RowVectorXd signature(const FormSamples& form) {
  const RowMatrix<double> centred = form.samples().rowwise() - form.centre();
  const Eigen::Index n = centred.rows(), m = centred.cols();
  Vector radii = centred.rowwise().norm();
  std::sort(radii.begin(), radii.end());
  Eigen::RowVectorXd result(quantiles + m);
  for (Eigen::Index q = 0; q < quantiles; ++q)
    result[q] = radii[(2 * q + 1) * n / (2 * quantiles)] / std::sqrt(static_cast<double>(quantiles));
  const Eigen::MatrixXd covariance = centred.transpose() * centred / static_cast<double>(n);
  result.tail(m) = symmetric_eigenvalues(covariance).cwiseMax(0).cwiseSqrt().transpose();
  return result;
}

FormPair ordered(Index a, Index b) {
  return {std::max(a, b), std::min(a, b)};
}

}  // namespace

RowMatrix<double> signature_distances(const std::vector<FormSamples>& forms) {
  const auto n = static_cast<Eigen::Index>(forms.size());
  if (n == 0) return {};
  RowMatrix<double> signatures(n, quantiles + forms[0].samples().cols());
  for (Eigen::Index i = 0; i < n; ++i) {
    const FormSamples& form = forms[static_cast<std::size_t>(i)];
    if (form.samples().cols() != forms[0].samples().cols())
      throw InputError(text("a canonical form of ", form.samples().cols(),
                            " dimensions cannot be aligned with one of ", forms[0].samples().cols()));
    signatures.row(i) = signature(form);
  }
  RowMatrix<double> distances = RowMatrix<double>::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      distances(i, j) = distances(j, i) = (signatures.row(i) - signatures.row(j)).norm();
  return distances;
}

std::vector<FormPair> nearest_pairs(const RowMatrix<double>& distances, Index candidates) {
  const auto n = static_cast<Index>(distances.rows());
  std::set<FormPair> pairs;
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < n; ++j)
      if (j != i) others.push_back(j);
    const auto end = others.begin() + std::min<std::ptrdiff_t>(candidates, std::ssize(others));
    std::partial_sort(others.begin(), end, others.end(), [&](Index a, Index b) {
      return std::pair(distances(i, a), a) < std::pair(distances(i, b), b);
    });
    for (auto other = others.begin(); other != end; ++other) pairs.insert(ordered(i, *other));
  }
  return {pairs.begin(), pairs.end()};
}

SignatureScale signature_scale(const RowMatrix<double>& signatures, const RowMatrix<double>& aligned) {
  std::vector<double> ratios;
  for (Eigen::Index i = 0; i < aligned.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (aligned(i, j) < infinity && signatures(i, j) > 0)
        ratios.push_back(aligned(i, j) / signatures(i, j));
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  return {ratios[ratios.size() / 2], ratios[ratios.size() / 100]};
}

std::vector<FormPair> doubtful_pairs(const RowMatrix<double>& signatures, const RowMatrix<double>& aligned,
                                     const SignatureScale& scale, Index most) {
  const auto n = static_cast<Index>(aligned.rows());
  std::set<FormPair> pairs;
  for (Index i = 0; i < n; ++i) {
    double nearest = infinity;
    for (Index j = 0; j < n; ++j)
      if (j != i) nearest = std::min(nearest, aligned(i, j));
    std::vector<Index> doubtful;
    for (Index j = 0; j < n; ++j)
      if (j != i && aligned(i, j) == infinity && scale.least * signatures(i, j) < nearest)
        doubtful.push_back(j);
    const auto end = doubtful.begin() + std::min<std::ptrdiff_t>(most, std::ssize(doubtful));
    std::partial_sort(doubtful.begin(), end, doubtful.end(), [&](Index a, Index b) {
      return std::pair(signatures(i, a), a) < std::pair(signatures(i, b), b);
    });
    for (auto other = doubtful.begin(); other != end; ++other) pairs.insert(ordered(i, *other));
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace geodome::internal
