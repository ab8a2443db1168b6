#pragma once
/// Options as dictionaries: what Python leaves out keeps the library's own default.

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <string>

#include "geodome/pipeline/options.h"

namespace geodome::python {

namespace nb = nanobind;

/// Calls `set` with every key and value. Throws InputError where it returns false: there is no such option;
/// or where the value is of a type or size that does not fit.
void set_each(const nb::dict& given, const std::function<bool(const std::string&, nb::handle)>& set);

/// Keys: geodesic, neighbours, mask (bytes, one per vertex), seed. Throws InputError for any other.
GeodesicOptions geodesic_options(const nb::dict& given);

/// Options of a build. Matrices keep the options, and with them `options.solver`; those with factors P W Pᵀ
/// not the function that it calls, which may hold all distances: that lives as long as `callback`.
struct BuildRequest {
  BuildOptions options;
  Index size = 0;  ///< number of vertices that `callback` gives distances of
  std::shared_ptr<const nb::object> callback;
};

/// Keys: those, and method, landmarks (a number), given_landmarks (32-bit), landmark_method, nonzeros,
/// rounding, sparsity, solver, precision, squared, perplexity, graph_weights, intrinsic_delaunay, distances
/// (a path), rows (a size and a function of a vertex that gives its distances to all), resume (the path of
/// the log), save_every, coarsen ("auto", "off" or a number). For a method without factors P W Pᵀ also
/// truncation, softening, square_root, eigenvectors, smds_weight, dimensions, columns, repair and places.
BuildRequest build_request(const nb::dict& given);

}  // namespace geodome::python
