#include "geodome/interpolation/patch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/sparsify.h"

namespace geodome {
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
    throw NumericalError(text("rounding spoils the interpolation of a constant by ", miss, ", more than ",
                              allowed, ": the weights of the Laplacian differ too much"));
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
    patch.unknowns.push_back(unknown);
    patch.rim.push_back(outside);
  }
  return patch;
}

Patch whole_patch(const InterpolationSystem& system) {
  Patch patch;
  patch.whole = true;
  patch.unknowns.resize(system.vertex_of.size());
  std::iota(patch.unknowns.begin(), patch.unknowns.end(), 0);
  patch.rim.assign(patch.unknowns.size(), 0);
  return patch;
}

RowMatrix<double> right_hand_sides(const InterpolationSystem& system, const Patch& patch,
                                   std::span<const Index> landmarks) {
  RowMatrix<double> block = RowMatrix<double>::Zero(static_cast<Eigen::Index>(patch.unknowns.size()),
                                                    static_cast<Eigen::Index>(landmarks.size()));
  for (std::size_t c = 0; c < landmarks.size(); ++c)
    for (SparseMatrix::InnerIterator entry(system.M, landmarks[c]); entry; ++entry) {
      const Index unknown = system.unknown_of[entry.row()];
      if (unknown < 0) continue;
      const auto at = std::lower_bound(patch.unknowns.begin(), patch.unknowns.end(), unknown);
      if (at != patch.unknowns.end() && *at == unknown)
        block(at - patch.unknowns.begin(), static_cast<Eigen::Index>(c)) = -entry.value();
    }
  return block;
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

bool select_largest(const InterpolationSystem& system, const Patch& patch, const RowMatrix<double>& block,
                    std::size_t count, std::span<std::vector<ColumnEntry>> columns) {
  // Column after column, so that each is read along memory.
  const RowMatrix<float> values = block.cast<float>().transpose();
  std::vector<float> magnitudes;
  bool complete = true;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const float* value = values.row(static_cast<Eigen::Index>(c)).data();
    float rim = 0;
    magnitudes.clear();
    for (std::size_t i = 0; i < patch.unknowns.size(); ++i) {
      if (value[i] == 0) continue;
      magnitudes.push_back(std::abs(value[i]));
      if (patch.rim[i]) rim = std::max(rim, magnitudes.back());
    }
    const bool all_kept = magnitudes.size() <= count;
    Threshold threshold = threshold_for(magnitudes, count);
    const float smallest = threshold.smallest;
    columns[c].clear();
    columns[c].reserve(std::min(count, magnitudes.size()) + 1);
    for (std::size_t i = 0; i < patch.unknowns.size(); ++i)
      if (value[i] != 0 && threshold.keeps(std::abs(value[i])))
        columns[c].push_back({system.vertex_of[patch.unknowns[i]], value[i]});
    complete &= patch.whole || (!all_kept && smallest >= rim);
  }
  return complete;
}

}  // namespace geodome
