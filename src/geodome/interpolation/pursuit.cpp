#include "geodome/interpolation/pursuit.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/sparse_cholesky.h"

namespace geodome::internal {
namespace {

constexpr std::size_t rounds = 10;
/// The square of M loses half of the digits; solving again for what is left brings them back.
constexpr int refinements = 3;

/// The `count` unknowns outside the support with the largest scores (ties: the smaller) join it, in order.
void extend(std::vector<Index>& support, const Vector& score, std::size_t count) {
  std::vector<char> inside(static_cast<std::size_t>(score.size()), 0);
  for (const Index unknown : support) inside[unknown] = 1;
  std::vector<Index> others;
  for (Index unknown = 0; unknown < score.size(); ++unknown)
    if (!inside[unknown] && score[unknown] > 0) others.push_back(unknown);
  count = std::min(count, others.size());
  std::nth_element(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count), others.end(),
                   [&](Index a, Index b) { return score[a] != score[b] ? score[a] > score[b] : a < b; });
  support.insert(support.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(support.begin(), support.end());
}

}  // namespace

ColumnPursuit::ColumnPursuit(const InterpolationSystem& system)
    : system_(system), A_(system.unknown_matrix()) {
  square_ = A_ * A_;
  norm_ = square_.diagonal().cwiseSqrt();
}

std::vector<ColumnEntry> ColumnPursuit::column(Index landmark, std::size_t count) const {
  Vector b = Vector::Zero(A_.rows());
  for (SparseMatrix::InnerIterator entry(system_.M, landmark); entry; ++entry)
    if (const Index unknown = system_.unknown_of[entry.row()]; unknown >= 0) b[unknown] = -entry.value();
  std::vector<Index> support, position(static_cast<std::size_t>(A_.rows()), -1);
  Vector fitted, residual = b;
  // What is chosen lies within a few rings of what was chosen before, so it may take more rounds to get far.
  for (std::size_t round = 1; support.size() < count; ++round) {
    const Vector explained = (A_ * residual).cwiseAbs().cwiseQuotient(norm_);
    const std::size_t before = support.size();
    const std::size_t goal = std::min(count, std::max(before + 1, count * round / rounds));
    extend(support, explained, goal - before);
    if (support.size() == before) break;
    for (std::size_t k = 0; k < support.size(); ++k) position[support[k]] = static_cast<Index>(k);
    const SparseCholesky factor(principal_submatrix(square_, support, position), FactorOrdering::quick);
    fitted = Vector::Zero(static_cast<Eigen::Index>(support.size()));
    residual = b;
    for (int step = 0; step < refinements; ++step) {
      const Vector towards = A_ * residual;  // A is symmetric
      fitted += factor.solve(Vector(towards(support)));
      residual = b;
      for (std::size_t k = 0; k < support.size(); ++k)
        residual -= fitted[static_cast<Eigen::Index>(k)] * A_.col(support[k]);
    }
  }
  std::vector<ColumnEntry> column;
  for (std::size_t k = 0; k < support.size(); ++k)
    column.push_back(
        {system_.vertex_of[support[k]], static_cast<float>(fitted[static_cast<Eigen::Index>(k)])});
  return column;
}

}  // namespace geodome::internal
