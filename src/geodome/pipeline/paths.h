#pragma once
/// Small steps between a shape and its landmarks that builds of every method share.

#include <memory>
#include <string>
#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/options.h"

namespace geodome::internal {

/// The user's own distances. Throws FileError where they cannot be read, InputError where they are of another
/// number of vertices.
std::unique_ptr<GeodesicSolver> open_precomputed_distances(const std::string& path, Index vertices);

/// The solver itself. Throws InputError where it has another number of vertices.
std::shared_ptr<const GeodesicSolver> require_size(std::shared_ptr<const GeodesicSolver> solver,
                                                   Index vertices);

/// The user-supplied distances of a build, from a file or a solver.
std::shared_ptr<const GeodesicSolver> precomputed_distances(const BuildOptions& options, Index vertices);

/// The options to measure this number of landmarks with. An automatic method is exact while that takes a few
/// seconds; beyond, marching measures many rows together in a tenth of the time, and its error is small
/// compared with that of interpolation.
GeodesicOptions landmark_geodesics(GeodesicOptions options, Index landmarks);

/// Faces that have shrunk to a point may leave a vertex that is a component by itself: it has no distances
/// but to itself, as if it were unreferenced. Takes such out of `landmarks`. Throws InputError when none is
/// left.
void leave_out_lone_points(const Adjacency& edges, std::vector<Index>& landmarks);

}  // namespace geodome::internal
