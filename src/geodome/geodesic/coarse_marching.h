#pragma once
/// Marching on a coarser mesh, as coarse as its error allows.

#include <memory>
#include <span>
#include <vector>

#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/geodesic/options.h"

namespace geodome::internal {

/// The largest mean relative error on exact rows of a coarser mesh that is chosen. Less than a third of that
/// of the solvers that are chosen on the mesh itself: landmark distances are the part of the error that more
/// landmarks do not lower.
constexpr double largest_coarse_error = 0.001;

struct CoarseMarching {
  /// Of the mesh's vertices, those on the coarser one have distances. Null: there is none that is accurate
  /// enough.
  std::shared_ptr<const FastMarching> solver;
  CoarseMesh mesh;                ///< on which it marches
  std::vector<CoarseMesh> tried;  ///< by measured error: the meshes, finest first
};

/// Whether a coarser mesh might save more time than it takes to find one: of `rows` rows to that many
/// landmarks, and with enough vertices left for them.
bool coarsening_pays(Index vertices, Index landmarks, Index rows);

/// The largest component on fewer of its vertices, landmarks and sources of the exact rows among them
/// (half_edge_collapse.h); the factor of marching is fitted to the exact rows, which are of the whole
/// surface. A `share` of 0 looks for the coarsest of the meshes with a half, a quarter, … of the vertices
/// whose mean error on these rows is small (largest_coarse_error), and that has at least four vertices per
/// landmark. Any other is the one to take, or as close to it as landmarks and topology allow. `landmarks` are
/// vertices of the input. Deterministic. Cost: about 7 microseconds per vertex.
CoarseMarching march_coarsely(const Surface& surface, const ExactRows& exact,
                              std::span<const Index> landmarks, Index share, const Execution& execution = {});

}  // namespace geodome::internal
