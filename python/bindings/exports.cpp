// Files for other programs.

#include "geodome/export/export.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "geodome/geodome.h"
#include "geodome/shape/area.h"
#include "module.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

ExportPrecision precision_of(int bytes) {
  return bytes == 8 ? ExportPrecision::float64 : ExportPrecision::float32;
}

/// None where there is no shape or it has no faces.
std::optional<double> area_of(const Distances& distances) {
  const std::shared_ptr<const Shape> shape = distances.shape();
  return shape ? surface_area(*shape) : std::nullopt;
}

}  // namespace

void add_exports(nb::module_& module) {
  module.def(
      "export_npy",
      [](const Distances& matrix, const std::string& path, int bytes, bool stored, const Run& run) {
        run_watched(run, [=](const Execution& execution) {
          export_npy(stored ? matrix.matrix() : matrix.queries(), path, precision_of(bytes), execution);
        });
      },
      nb::arg("matrix"), nb::arg("path"), nb::arg("bytes"), nb::arg("stored"), nb::arg("run"));
  module.def(
      "export_mat",
      [](const Distances& matrix, const std::string& path, int bytes, const Run& run) {
        run_watched(run, [=](const Execution& execution) {
          export_mat(matrix.queries(), area_of(matrix), path, precision_of(bytes), execution);
        });
      },
      nb::arg("matrix"), nb::arg("path"), nb::arg("bytes"), nb::arg("run"));
  module.def(
      "export_brainsmash",
      [](const Distances& matrix, const std::string& folder, Index neighbours, const Run& run) {
        return run_watched(run, [=](const Execution& execution) {
          return export_brainsmash(matrix.queries(), folder, {neighbours}, execution);
        });
      },
      nb::arg("matrix"), nb::arg("folder"), nb::arg("neighbours"), nb::arg("run"));
  module.def(
      "export_factors",
      [](const Distances& matrix, const std::string& folder, const Run& run) {
        return run_watched(run, [=](const Execution& execution) {
          return export_factors(require_factors(matrix), folder, execution);
        });
      },
      nb::arg("matrix"), nb::arg("folder"), nb::arg("run"));
}

}  // namespace geodome::python
