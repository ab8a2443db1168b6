#pragma once
/// Options as dictionaries: what Python leaves out keeps the library's own default.

#include <nanobind/nanobind.h>

#include "geodome/pipeline/options.h"

namespace geodome::python {

namespace nb = nanobind;

/// Keys: geodesic, neighbours, mask (bytes, one per vertex), seed. Throws InputError for any other.
GeodesicOptions geodesic_options(const nb::dict& given);

/// Keys: those, and method, landmarks (a number), given_landmarks (32-bit), landmark_method, nonzeros,
/// sparsity, solver, precision, squared, perplexity, graph_weights, intrinsic_delaunay, distances (a path),
/// rows (a size and a function of a vertex that gives its distances to all), resume (the path of the log),
/// save_every.
BuildOptions build_options(const nb::dict& given);

}  // namespace geodome::python
