#pragma once
/// A geodesic solver for any kind of shape, by the name of a method.
///
///   const Shape shape = clean_shape(read_shape("bunny.obj")).shape;
///   const auto solver = make_solver(shape);
///   solver->distances(sources, rows);

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/options.h"
#include "geodome/geodesic/solver.h"
#include "geodome/geodesic/surface.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Triangles, and what solvers on them start from, made once for all of them.
struct MeshPaths {
  TriangleMesh mesh;
  Surface surface;
};

/// Triangles, or edges. Vertices are the shape's, in the same order; those left out by the mask are
/// unreferenced.
using Paths = std::variant<TriangleMesh, Adjacency>;

/// What the paths of make_path_domain run on, without what solvers on triangles start from. Throws as that
/// does.
Paths make_paths(const Shape& shape, const GeodesicOptions& options = {}, const Execution& execution = {});

/// What paths run on: a surface of triangles, or edges. Its vertices are the shape's, in the same order;
/// those left out by the mask are unreferenced.
struct PathDomain {
  std::variant<MeshPaths, Adjacency> paths;
};

/// The triangles of a mesh; of polygons after splitting them along diagonals; of a point cloud through its
/// local triangulations. The edges of a graph; between each sample and its nearest neighbours; and of any
/// shape with the method `graph`. Throws InputError when the method does not suit the kind of shape or the
/// mask does not fit.
PathDomain make_path_domain(const Shape& shape, const GeodesicOptions& options = {},
                            const Execution& execution = {});

/// The method that `automatic` stands for on this domain, or on that of this shape; any other is returned as
/// it is.
GeodesicMethod resolve_method(const PathDomain& domain, const GeodesicOptions& options = {});
GeodesicMethod resolve_method(const Shape& shape, const GeodesicOptions& options = {});

/// The method without any error: `exact` on surfaces, and `graph` where there is nothing but edges.
GeodesicMethod exact_method(const Shape& shape);

/// Throws InputError when the method does not suit the domain.
std::unique_ptr<GeodesicSolver> make_solver(PathDomain domain, const GeodesicOptions& options = {},
                                            const Execution& execution = {});

/// What a user must know about the distances this solver has computed so far, a sentence each; usually empty.
std::vector<std::string> solver_warnings(const GeodesicSolver& solver);

}  // namespace geodome::internal
