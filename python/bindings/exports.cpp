// Files for other programs.

#include "geodome/export/export.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "geodome/geodome.h"
#include "geodome/shape/check.h"
#include "module.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

ExportPrecision precision_of(int bytes) {
  return bytes == 8 ? ExportPrecision::float64 : ExportPrecision::float32;
}

/// Of all faces; none where there are no faces.
std::optional<double> surface_area(const Shape* shape) {
  if (shape == nullptr || face_count(*shape) == 0 || std::holds_alternative<Graph>(*shape)) return {};
  return check_shape(*shape).area;
}

}  // namespace

void add_exports(nb::module_& module) {
  module.def(
      "export_npy",
      [](const Distances& matrix, const std::string& path, int bytes, const Run& run) {
        run_watched(run, [=](const Execution& execution) {
          export_npy(matrix.queries(), path, precision_of(bytes), execution);
        });
      },
      nb::arg("matrix"), nb::arg("path"), nb::arg("bytes"), nb::arg("run"));
  module.def(
      "export_mat",
      [](const Distances& matrix, const std::string& path, int bytes, const Run& run) {
        run_watched(run, [=](const Execution& execution) {
          export_mat(matrix.queries(), surface_area(matrix.shape().get()), path, precision_of(bytes),
                     execution);
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
