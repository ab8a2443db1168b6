#include "geodome/matrix/near_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/landmark_matrix_check.h"

namespace geodome::internal {
namespace {

/// In landmark spacings: below the first only the squared form counts, above the second only the linear one.
constexpr double blend_begin = 0.7, blend_end = 1.3;

constexpr std::size_t near_chunk = 4096;

/// Rows of a thresholded P may miss sum one; where δ does not sum to zero, far distances leak into the near
/// field.
double unit_scale(const Weights& weights) {
  const double total = sum(weights);
  return total > 0.5 ? 1 / total : 1;
}

double near_distance(const PackedSymmetric& W, const Weights& a, const Weights& b) {
  const Weights difference = combine(unit_scale(a), a, -unit_scale(b), b);
  return std::sqrt(std::max(0.0, -W.quadratic(difference, PackedSymmetric::Power::two) / 2));
}

}  // namespace

NearField::NearField(const LandmarkMatrix& matrix, LowerBound bound, QueryMode mode)
    : matrix_(matrix), bound_(std::move(bound)), mode_(mode) {
  if (!bound_.fits(matrix.size()))
    throw InputError(text("the lower bound is not for ", matrix.size(), " vertices"));
}

double NearField::correct(double raw, Index component, const Weights& a, const Weights& b,
                          double bound) const {
  if (mode_ == QueryMode::raw) return raw;
  const double spacing = matrix_.spacing(component);
  double distance = raw;
  if (raw < blend_end * spacing) {
    double near = near_distance(matrix_.W(component), a, b);
    // Two points that P does not tell apart: without a bound, the smooth form is all that is known.
    if (bound <= 0 && !bound_.has_positions() && a.column == b.column && a.value == b.value) near = raw;
    // Close by the chord is the better guess: the form is weak at boundaries and cannot see what is finer
    // than the landmarks. It says how far that holds: two sheets that touch are far apart in it.
    if (bound_.has_positions() && near > bound)
      near = bound + (near - bound) * std::min(1.0, near / (blend_begin * spacing));
    const double share = std::clamp((raw / spacing - blend_begin) / (blend_end - blend_begin), 0.0, 1.0);
    distance = share * raw + (1 - share) * near;
  }
  return std::max({distance, bound, 0.0});
}

double NearField::query(Index i, Index j) const {
  return query(std::span(&i, 1), std::span(&j, 1), Execution{1, {}})[0];
}

double NearField::query(const SurfacePoint& a, const SurfacePoint& b) const {
  const auto first = matrix_.weights(a), second = matrix_.weights(b);
  if (first.component < 0 && second.component < 0) return heaviest(a) == heaviest(b) ? 0 : infinity;
  if (first.component != second.component) return infinity;
  const double raw = matrix_.W(first.component).bilinear(first.weights, second.weights);
  if (mode_ != QueryMode::raw && a == b) return 0;
  return correct(raw, first.component, first.weights, second.weights, bound_(a, b));
}

Vector NearField::query(std::span<const Index> I, std::span<const Index> J,
                        const Execution& execution) const {
  require_pairs(I, J);
  Vector result(static_cast<Eigen::Index>(I.size()));
  parallel_for((I.size() + near_chunk - 1) / near_chunk, execution, {}, [&](std::size_t item, int) {
    Weights a, b;
    for (std::size_t k = item * near_chunk; k < std::min(I.size(), (item + 1) * near_chunk); ++k) {
      const auto [i, j] = std::minmax(I[k], J[k]);
      const Index c = matrix_.component(i);
      double& distance = result[static_cast<Eigen::Index>(k)];
      if (c < 0 || c != matrix_.component(j) || (i == j && mode_ != QueryMode::raw)) {
        distance = i == j ? 0 : infinity;
        continue;
      }
      matrix_.read_weights(i, a);
      matrix_.read_weights(j, b);
      distance = correct(matrix_.W(c).bilinear(a, b), c, a, b, bound(i, j));
    }
  });
  return result;
}

Vector NearField::row(Index i, const Execution& execution) const {
  return rows(std::span(&i, 1), execution).row(0);
}

RowMatrix<double> NearField::rows(std::span<const Index> I, const Execution& execution) const {
  RowMatrix<double> result = matrix_.distance_rows(I, execution);
  if (mode_ == QueryMode::raw) return result;
  const std::size_t count = static_cast<std::size_t>(matrix_.size()),
                    parts = (count + near_chunk - 1) / near_chunk;
  parallel_for(I.size() * parts, execution, {}, [&](std::size_t item, int) {
    const std::size_t row = item / parts, first = (item % parts) * near_chunk;
    correct_row(I[row], static_cast<Index>(first), static_cast<Index>(std::min(count, first + near_chunk)),
                &result(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(first)));
  });
  return result;
}

RowMatrix<double> NearField::block(std::span<const Index> I, std::span<const Index> J,
                                   const Execution& execution) const {
  // A row costs less than its entries one by one where more than 1 / row_part of it is needed.
  constexpr std::size_t row_part = 50, at_once = 64;
  if (row_part * J.size() <= static_cast<std::size_t>(size())) return DistanceMatrix::block(I, J, execution);
  require_vertices(I);
  require_vertices(J);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  for (std::size_t begin = 0; begin < I.size(); begin += at_once) {
    const auto some = I.subspan(begin, std::min(at_once, I.size() - begin));
    const RowMatrix<double> all = rows(some, execution);
    for (std::size_t j = 0; j < J.size(); ++j)
      result.col(static_cast<Eigen::Index>(j))
          .segment(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size())) = all.col(J[j]);
  }
  return result;
}

void NearField::correct_row(Index i, Index first, Index last, double* raw) const {
  const Index c = matrix_.component(i);
  if (c < 0) return;
  const Weights mine = matrix_.weights(i);
  Weights other;
  std::array<double, near_chunk> bounds;
  bound_.row(i, first, last, bounds.data());
  for (Index j = first; j < last; ++j) {
    if (matrix_.component(j) != c) continue;
    double& distance = raw[j - first];
    if (i == j) {
      distance = 0;
    } else if (distance < blend_end * matrix_.spacing(c)) {
      matrix_.read_weights(j, other);
      distance = correct(distance, c, mine, other, bounds[static_cast<std::size_t>(j - first)]);
    } else {
      distance = std::max(distance, bounds[static_cast<std::size_t>(j - first)]);
    }
  }
}

}  // namespace geodome::internal
