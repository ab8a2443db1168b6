// Files for other programs.

#include "geodome/export/export.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "geodome/base/error.h"
#include "geodome/shape/check.h"
#include "matrix.h"
#include "rival.h"
#include "run.h"

namespace geodome::python {
namespace {

ExportPrecision precision_of(int bytes) {
  return bytes == 8 ? ExportPrecision::float64 : ExportPrecision::float32;
}

/// Of all faces; none where there are no faces.
std::optional<double> surface_area(const Shape* shape) {
  if (shape == nullptr || face_count(*shape) == 0 || std::holds_alternative<Graph>(*shape)) return {};
  return check_shape(*shape).area;
}

/// What needs nothing but rows, of either kind of matrix.
template <typename Kept>
void add_row_exports(nb::module_& module) {
  module.def(
      "export_npy",
      [](const Kept& matrix, const std::string& path, int bytes, bool raw, const Run& run) {
        run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
          export_npy(matrix->field(raw), path, precision_of(bytes), execution);
        });
      },
      nb::arg("matrix"), nb::arg("path"), nb::arg("bytes"), nb::arg("raw"), nb::arg("run"));
  module.def(
      "export_mat",
      [](const Kept& matrix, const std::string& path, int bytes, bool raw, const Run& run) {
        run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
          export_mat(matrix->field(raw), surface_area(matrix->shape().get()), path, precision_of(bytes),
                     execution);
        });
      },
      nb::arg("matrix"), nb::arg("path"), nb::arg("bytes"), nb::arg("raw"), nb::arg("run"));
  module.def(
      "export_brainsmash",
      [](const Kept& matrix, const std::string& folder, Index neighbours, bool raw, const Run& run) {
        return run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
          return export_brainsmash(matrix->field(raw), folder, {neighbours}, execution);
        });
      },
      nb::arg("matrix"), nb::arg("folder"), nb::arg("neighbours"), nb::arg("raw"), nb::arg("run"));
}

}  // namespace

void add_exports(nb::module_& module) {
  add_row_exports<Matrix>(module);
  add_row_exports<Rival>(module);
  module.def(
      "export_factors",
      [](const Matrix& matrix, const std::string& folder, const Run& run) {
        return run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
          return export_factors(matrix->form(), folder, execution);
        });
      },
      nb::arg("matrix"), nb::arg("folder"), nb::arg("run"));
}

}  // namespace geodome::python
