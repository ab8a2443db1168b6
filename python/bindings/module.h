#pragma once
/// What the parts of the extension module share.

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome {
struct ErrorReport;
struct SpotCheck;
}  // namespace geodome

namespace geodome::python {

namespace nb = nanobind;

/// A shape fit to work on, and what was dropped to make it so. Shared: matrices keep theirs.
struct SharedShape {
  std::shared_ptr<const Shape> shape;
  std::vector<std::string> notes;
};

/// How far off distances are, by the names that `DistanceMatrix.evaluate` has.
nb::dict error_facts(const ErrorReport& report);
nb::dict check_facts(const SpotCheck& check);
nb::list warnings_of(const std::vector<std::string>& warnings);

/// One function per file, each adding its part.
void add_shapes(nb::module_& module);
void add_geodesics(nb::module_& module);
void add_matrix(nb::module_& module);
void add_exports(nb::module_& module);
void add_build(nb::module_& module);
void add_rivals(nb::module_& module);
void add_embedding(nb::module_& module);
void add_comparison(nb::module_& module);

}  // namespace geodome::python
