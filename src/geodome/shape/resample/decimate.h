#pragma once
/// Coarser triangle meshes by quadric edge collapse that keeps the topology.

#include <string>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct DecimateOptions {
  /// Price of collapsing long edges, relative to moving the surface by the same length (both squared, times
  /// area). The default only decides where the surface is flat; 1 and more gives nearly equal edges
  /// everywhere.
  double uniformity = 1e-4;
  /// Price of moving a boundary relative to moving the surface.
  double boundary_weight = 10;
};

struct Decimated {
  TriangleMesh mesh;
  /// #V of the result: the input vertex each vertex grew from; increasing.
  std::vector<Index> origin;
  /// Empty, or why the result differs from the request.
  std::string note;
};

/// Collapses edges, cheapest first, until `vertices` are left or no edge can go without changing the topology
/// (components, boundary loops, genus), turning a triangle over or making a needle. Vertices on non-manifold
/// edges, and where several sheets meet in a point, stay where they are. Vertices without a face are dropped,
/// as are faces with a repeated corner. Deterministic. Cost: O(n log n) time, about 500 bytes per vertex.
/// Throws InputError for fewer than 4 requested vertices, a corner out of range or coordinates that are not
/// finite. [Garland and Heckbert 1997]
Decimated decimate(const TriangleMesh& mesh, Index vertices, const DecimateOptions& options = {},
                   const Execution& execution = {});

}  // namespace geodome::internal
