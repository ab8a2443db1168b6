#include "geodome/interpolation/patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/sparsify.h"

namespace geodome::internal {
namespace {

/// A constant has no curvature, so where all beyond the patch is one, the solution has to be one: what it
/// misses is what rounding costs every column.
void require_accurate(const InterpolationSystem& system, const Patch& patch, const SparseCholesky& factor) {
  constexpr double allowed = 1e-4;
  std::vector<char> inside(system.vertex_of.size(), 0);
  for (const Index unknown : patch.unknowns) inside[unknown] = 1;
  Vector ones = Vector::Zero(static_cast<Eigen::Index>(patch.unknowns.size()));
  for (std::size_t i = 0; i < patch.unknowns.size(); ++i)
    for (SparseMatrix::InnerIterator entry(system.M, system.vertex_of[patch.unknowns[i]]); entry; ++entry) {
      const Index unknown = system.unknown_of[entry.row()];
      if (unknown < 0 || !inside[unknown]) ones[static_cast<Eigen::Index>(i)] -= entry.value();
    }
  ones = factor.solve(ones);
  const double miss = ones.size() > 0 ? (ones.array() - 1).abs().maxCoeff() : 0;
  if (!(miss <= allowed))
    throw NumericalError(text("rounding errors in the interpolation of a constant are ", miss, ", more than ",
                              allowed, ": the weights of the Laplacian differ too much in size"));
}

}  // namespace

Patch patch_around(const InterpolationSystem& system, const CellGraph& cells, std::span<const Index> cluster,
                   Index rings, Index rim) {
  const Neighbourhood around = cells_around(cells, cluster, rings);
  std::vector<std::pair<Index, char>> members;
  for (std::size_t i = 0; i < around.cells.size(); ++i)
    for (const Index vertex : cells.members[around.cells[i]])
      if (system.unknown_of[vertex] >= 0)
        members.emplace_back(system.unknown_of[vertex], around.ring[i] + rim > rings);
  std::sort(members.begin(), members.end());
  Patch patch;
  patch.whole = around.whole;
  for (const auto& [unknown, outside] : members) {
    if (outside) patch.rim.push_back(static_cast<Index>(patch.unknowns.size()));
    patch.unknowns.push_back(unknown);
  }
  return patch;
}

Patch whole_patch(const InterpolationSystem& system) {
  Patch patch;
  patch.whole = true;
  patch.unknowns.resize(system.vertex_of.size());
  std::iota(patch.unknowns.begin(), patch.unknowns.end(), 0);
  return patch;
}

SparseCholesky factor_whole(const InterpolationSystem& system) {
  const SingleThreadedBlas blas;
  SparseCholesky factor(system.unknown_matrix());
  require_accurate(system, whole_patch(system), factor);
  return factor;
}

SparseCholesky factor_patch(const InterpolationSystem& system, const Patch& patch) {
  std::vector<Index> vertices(patch.unknowns.size()), position(system.unknown_of.size(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i] = system.vertex_of[patch.unknowns[i]];
    position[vertices[i]] = static_cast<Index>(i);
  }
  SparseCholesky factor(principal_submatrix(system.M, vertices, position), FactorOrdering::quick);
  require_accurate(system, patch, factor);
  return factor;
}

void solve_columns(const InterpolationSystem& system, const Patch& patch, std::span<const Index> landmarks,
                   FactorOf factor, PartialSolve& solve, std::vector<float>& columns) {
  const std::size_t size = patch.unknowns.size(), count = landmarks.size();
  std::vector<Index> own;  // rows of the patch's own factor
  if (factor == FactorOf::patch) {
    own.resize(size);
    std::iota(own.begin(), own.end(), 0);
  }
  const std::span<const Index> rows = factor == FactorOf::patch ? own : patch.unknowns;
  solve.begin(rows, static_cast<int>(count));
  for (std::size_t c = 0; c < count; ++c)
    for (SparseMatrix::InnerIterator entry(system.M, landmarks[c]); entry; ++entry) {
      const Index unknown = system.unknown_of[entry.row()];
      const auto at = std::lower_bound(patch.unknowns.begin(), patch.unknowns.end(), unknown);
      if (at != patch.unknowns.end() && *at == unknown)
        solve.right_hand_side(rows[static_cast<std::size_t>(at - patch.unknowns.begin())])[c] =
            -entry.value();
    }
  solve.solve();
  columns.resize(count * size);
  constexpr std::size_t together = 16;  // rows, so that whole cache lines are written
  for (std::size_t first = 0; first < size; first += together) {
    const std::size_t some = std::min(together, size - first);
    std::array<const double*, together> from;
    for (std::size_t i = 0; i < some; ++i) from[i] = solve.solution(rows[first + i]);
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t i = 0; i < some; ++i) columns[c * size + first + i] = static_cast<float>(from[i][c]);
  }
}

std::optional<std::vector<ColumnEntry>> select_largest(const InterpolationSystem& system, const Patch& patch,
                                                       std::span<const float> column, std::size_t count) {
  LargestEntries largest = largest_entries(column, patch.unknowns, count);
  float rim = 0;
  for (const Index i : patch.rim) rim = std::max(rim, std::abs(column[i]));
  if (!patch.whole && (largest.smallest == 0 || largest.smallest < rim)) return std::nullopt;
  for (ColumnEntry& entry : largest.entries) entry.row = system.vertex_of[entry.row];
  return std::move(largest.entries);
}

}  // namespace geodome::internal
