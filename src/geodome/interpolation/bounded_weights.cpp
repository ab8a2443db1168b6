#include "geodome/interpolation/bounded_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"

namespace geodome::internal {
namespace {

/// Calls `visit(a, b, weight)` for every edge, a < b.
template <typename Visit>
void for_each_edge(const SparseMatrix& stiffness, Visit visit) {
  for (Index column = 0; column < stiffness.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry)
      if (entry.row() < column) visit(static_cast<Index>(entry.row()), column, -entry.value());
}

/// Of the magnitudes that are not zero; zero where there are none.
double median_weight(const SparseMatrix& stiffness) {
  std::vector<double> magnitude;
  magnitude.reserve(static_cast<std::size_t>(stiffness.nonZeros()) / 2);
  for_each_edge(stiffness, [&](Index, Index, double weight) {
    if (weight != 0) magnitude.push_back(std::abs(weight));
  });
  if (magnitude.empty()) return 0;
  const auto middle = magnitude.begin() + static_cast<std::ptrdiff_t>(magnitude.size() / 2);
  std::nth_element(magnitude.begin(), middle, magnitude.end());
  return *middle;
}

/// The masses, none below its largest neighbour's share; marks those that rose.
Vector lifted(const Laplacian& laplacian, double bound, std::vector<char>& touched) {
  Vector mass = laplacian.mass;
  for_each_edge(laplacian.stiffness, [&](Index a, Index b, double weight) {
    if (weight == 0 || !(mass[a] > 0) || !(mass[b] > 0)) return;
    for (const auto [mine, other] : {std::array{a, b}, std::array{b, a}})
      if (const double least = laplacian.mass[other] / bound; mass[mine] < least) {
        mass[mine] = least;
        touched[mine] = 1;
      }
  });
  return mass;
}

}  // namespace

BoundedLaplacian bound_weights(const Laplacian& laplacian, double bound) {
  const double usual = median_weight(laplacian.stiffness);
  std::vector<char> extreme(static_cast<std::size_t>(laplacian.mass.size()), 0);
  for_each_edge(laplacian.stiffness, [&](Index a, Index b, double weight) {
    if (std::abs(weight) > bound * usual) extreme[a] = extreme[b] = 1;
  });
  std::vector<char> touched = extreme;
  BoundedLaplacian result{laplacian, 0, bound};
  result.laplacian.mass = lifted(laplacian, bound, touched);
  result.vertices = static_cast<Index>(std::count(touched.begin(), touched.end(), 1));
  if (std::find(extreme.begin(), extreme.end(), 1) == extreme.end()) return result;

  std::vector<Weight> weights;
  weights.reserve(static_cast<std::size_t>(laplacian.stiffness.nonZeros()) / 2);
  for_each_edge(laplacian.stiffness, [&](Index a, Index b, double weight) {
    const bool bounded = extreme[a] || extreme[b] || bound <= 1;
    weights.push_back({a, b, bounded ? std::clamp(weight, usual / bound, usual * bound) : weight});
  });
  result.laplacian.stiffness = assemble_stiffness(static_cast<Index>(laplacian.mass.size()), weights);
  return result;
}

void solve_with_bounded_weights(const Laplacian& laplacian, std::size_t landmarks,
                                const std::function<void(const BoundedLaplacian&)>& solve, double below) {
  const double per_landmark =
      static_cast<double>(laplacian.mass.size()) / static_cast<double>(std::max<std::size_t>(landmarks, 1));
  for (double bound = std::clamp(3e4 / per_landmark, 1e1, 1e4); bound > 1; bound /= 10) {
    if (bound >= below) continue;
    try {
      return solve(bound_weights(laplacian, bound));
    } catch (const NumericalError&) {
      // Too many digits were lost: bound the weights more tightly.
    }
  }
  solve(bound_weights(laplacian, 1));
}

}  // namespace geodome::internal
