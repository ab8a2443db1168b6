#include "geodome/pipeline/operators.h"

#include <vector>

#include "geodome/geodesic/surface.h"
#include "geodome/shape/mask.h"

namespace geodome::internal {
namespace {

bool joined(const std::vector<Index>& component, Eigen::Index a, Eigen::Index b) {
  return component[static_cast<std::size_t>(a)] >= 0 &&
         component[static_cast<std::size_t>(a)] == component[static_cast<std::size_t>(b)];
}

/// Each entry that crosses goes to the diagonal, so that rows still sum to zero.
SparseMatrix without_crossings(const SparseMatrix& stiffness, const std::vector<Index>& component) {
  SparseMatrix result(stiffness.rows(), stiffness.cols());
  result.reserve(stiffness.nonZeros());
  for (Eigen::Index column = 0; column < stiffness.cols(); ++column) {
    double crossing = 0;
    for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry)
      if (entry.row() != column && !joined(component, entry.row(), column)) crossing += entry.value();
    result.startVec(column);
    for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry) {
      if (entry.row() == column)
        result.insertBack(entry.row(), column) =
            component[static_cast<std::size_t>(column)] >= 0 ? entry.value() + crossing : 0.0;
      else if (joined(component, entry.row(), column))
        result.insertBack(entry.row(), column) = entry.value();
    }
  }
  result.finalize();
  return result;
}

bool crosses(const SparseMatrix& stiffness, const std::vector<Index>& component) {
  for (Eigen::Index column = 0; column < stiffness.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry)
      if (entry.value() != 0 && !joined(component, entry.row(), column)) return true;
  return false;
}

}  // namespace

Laplacian laplacian_within(const Shape& shape, const std::vector<char>& keep,
                           const std::vector<Index>& component, const LaplacianOptions& options,
                           const Execution& execution) {
  const bool maskable = !std::holds_alternative<PointCloud>(shape) && !std::holds_alternative<Samples>(shape);
  Laplacian result = keep.empty() || !maskable ? laplacian(shape, options, execution)
                                               : laplacian(apply_mask(shape, keep), options, execution);
  if (crosses(result.stiffness, component)) result.stiffness = without_crossings(result.stiffness, component);
  for (Eigen::Index v = 0; v < result.mass.size(); ++v)
    if (component[static_cast<std::size_t>(v)] < 0) result.mass[v] = 0;
  return result;
}

Adjacency path_edges(const PathDomain& domain, const Execution& execution) {
  if (const auto* adjacency = std::get_if<Adjacency>(&domain.paths)) return *adjacency;
  const auto& [mesh, surface] = std::get<MeshPaths>(domain.paths);
  const auto component = [&surface = surface](Index vertex) {
    const Index at = surface.of_input[static_cast<std::size_t>(vertex)];
    return at < 0 ? -1 : surface.component[static_cast<std::size_t>(at)];
  };
  return make_adjacency(
      mesh, [&](Index a, Index b) { return component(a) >= 0 && component(a) == component(b); }, execution);
}

}  // namespace geodome::internal
