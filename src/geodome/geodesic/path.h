#pragma once
/// Shortest paths as polylines.
///
///   const auto shape = geodome::clean_shape(geodome::read_shape("bunny.obj")).shape;
///   const auto path = geodome::shortest_path(shape, SurfacePoint(7), SurfacePoint(42));
///   path.length;  path.positions;  // #P by 3

#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/geodesic/options.h"
#include "geodome/geodesic/solver.h"
#include "geodome/shape/shape.h"
#include "geodome/shape/surface_point.h"

namespace geodome {

/// A shortest path between two points. On surfaces it is straight between consecutive points, which are the
/// two ends, and where the path crosses edges and passes vertices: each has at most two corners of positive
/// weight, except the ends. Along edges all are vertices.
struct ShortestPath {
  std::vector<SurfacePoint> points;  ///< in order; empty if the ends are not connected
  RowMatrix<double> positions;       ///< #P by d: where they are; #P by 0 on graphs, which have no positions
  double length = infinity;          ///< of the polyline, or of its edges
  double distance = infinity;        ///< of the method; see `exact`
  /// Whether this is a shortest path: its length differs from the distance by rounding, except around
  /// slivers. Otherwise it was found by descent of approximate distances, and may be longer than the
  /// shortest one.
  bool exact = true;
};

/// Shortest paths from one point to each of `to`, in that order. On meshes, polygons and clouds they run over
/// the triangles and are exact with `automatic` and `exact`; with `graph`, and on graphs and samples, they
/// run along edges between vertices. With the other methods paths over triangles descend the approximate
/// distances and are then pulled straight: each is the shortest among the triangles around it, usually the
/// shortest of all (docs/methods/paths.md). options.keep leaves out vertices, which paths go around. Polygons
/// are split and clouds triangulated as for distances (factory.h); points off the vertices lie in those
/// triangles.
///
/// Cost: exact paths as one exact row to the farthest target (exact.h), after preparing the surface (1 µs per
/// vertex); along edges as one search; by descent as making a solver and one row, and little per path. Throws
/// InputError on vertices out of range, and points whose corners are not those of a triangle; NumericalError
/// where rounding leaves no path to follow, which takes triangles lower than 1e-6 of their longest side.
std::vector<ShortestPath> shortest_paths(const Shape& shape, const SurfacePoint& from,
                                         std::span<const SurfacePoint> to,
                                         const GeodesicOptions& options = {},
                                         const Execution& execution = {});

/// The same with a solver at hand, of this shape and these options (make_solver): paths by descent that begin
/// at a vertex need no other. Exact paths, and those along edges, do not use it.
std::vector<ShortestPath> shortest_paths(const Shape& shape, const GeodesicSolver& solver,
                                         const SurfacePoint& from, std::span<const SurfacePoint> to,
                                         const GeodesicOptions& options = {},
                                         const Execution& execution = {});

/// One of them.
ShortestPath shortest_path(const Shape& shape, const SurfacePoint& from, const SurfacePoint& to,
                           const GeodesicOptions& options = {}, const Execution& execution = {});

}  // namespace geodome
