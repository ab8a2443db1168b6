#pragma once
/// What the parts of the extension module share.

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "geodome/geodesic/solver.h"
#include "geodome/shape/shape.h"
#include "geodome/shape/surface_point.h"

namespace geodome {
class Distances;
namespace internal {
class LandmarkMatrix;
}
}  // namespace geodome

namespace geodome::python {

namespace nb = nanobind;

/// A shape fit to work on, and what was dropped to make it so. Shared: matrices keep theirs.
struct SharedShape {
  std::shared_ptr<const Shape> shape;
  std::vector<std::string> notes;
};

/// A solver that is made once, and the method that it stands for.
struct Prepared {
  std::shared_ptr<const GeodesicSolver> solver;
  std::string method;
};

/// Throws InputError, naming the method, where there are no factors P W Pᵀ.
const internal::LandmarkMatrix& require_factors(const Distances& distances);

/// Points on a shape from corners and weights, #points by 3 each.
std::vector<SurfacePoint> surface_points(const MatrixIn<Index>& corners, const MatrixIn<double>& weights);

/// One function per file, each adding its part.
void add_shapes(nb::module_& module);
void add_geodesics(nb::module_& module);
void add_matrix(nb::module_& module);
void add_exports(nb::module_& module);
void add_build(nb::module_& module);
void add_embedding(nb::module_& module);
void add_comparison(nb::module_& module);
void add_maps(nb::module_& module);

}  // namespace geodome::python
