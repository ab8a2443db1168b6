#pragma once
/// How far every vertex is from its nearest landmark, kept up to date while landmarks are added.

#include <memory>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/solver.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

/// Where landmarks may be: the referenced vertices of a shape, those joined by an edge of length zero taken
/// as one place where the cover can tell.
struct Places {
  std::vector<Index> of_vertex;  ///< input vertex -> place, or -1 where unreferenced
  std::vector<Index> component;  ///< of each place, 0, 1, …, or -1 where unreferenced
  Index components = 0;
};

class Cover {
 public:
  virtual ~Cover() = default;

  const Places& places() const { return places_; }

  /// From a place to the nearest landmark so far; infinite as long as its component has none.
  virtual double distance(Index place) const = 0;

  /// The nearest landmark so far, counted from 0 in the order of `add`; -1 as long as there is none.
  virtual Index landmark(Index place) const = 0;

  /// Adds a landmark.
  virtual void add(Index place) = 0;

 protected:
  explicit Cover(Places places) : places_(std::move(places)) {}

 private:
  Places places_;
};

/// By shortest paths along edges, visiting only what the new landmark is nearest to. Exact.
/// Cost: O(#E log #V) time for the first landmark, about 1/k of it for the k-th.
std::unique_ptr<Cover> make_graph_cover(Adjacency adjacency);

/// By fast marching with the 1-ring stencil, visiting only what the new landmark is nearest to. Distances are
/// up to about a per cent too long. Cost: about 0.5 µs per vertex for the first landmark, 1/k of it for the
/// k-th; memory of the stencil (stencil.h).
std::unique_ptr<Cover> make_surface_cover(const Surface& surface, const Execution& execution = {1, {}});

/// By one whole row of a solver per landmark: slow and obvious, for any distance. `solver` must outlive it.
/// Cost: a row per component and unreferenced vertex to begin with, and a row per landmark.
std::unique_ptr<Cover> make_row_cover(const GeodesicSolver& solver);

}  // namespace geodome::internal
