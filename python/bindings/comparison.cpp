// Canonical forms against each other.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "geodome/base/error.h"
#include "geodome/comparison/correspondence.h"
#include "geodome/comparison/shape_distances.h"
#include "geodome/comparison/table.h"
#include "module.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

nb::tuple align_forms(const MatrixIn<double>& from, const MatrixIn<double>& to, Index samples,
                      bool reflections, const Run& run) {
  AlignmentOptions options;
  options.reflections = reflections;
  const Alignment found = run_watched(run, [=](const Execution&) {
    return align(FormSamples(matrix_of(from), samples), FormSamples(matrix_of(to), samples), options);
  });
  return nb::make_tuple(to_numpy(RowMatrix<double>(found.turn)), to_numpy(Vector(found.shift.transpose())),
                        found.distance);
}

VectorOut<Index> match_points(const MatrixIn<double>& moved, const MatrixIn<double>& to, const Run& run) {
  return to_numpy(run_watched(run, [=](const Execution& execution) {
    return correspondence(matrix_of(moved), PointTree(matrix_of(to)), execution);
  }));
}

nb::tuple compare_forms(const std::vector<MatrixIn<double>>& arrays, Index samples, bool ignore_size,
                        const std::optional<Index>& candidates, const Run& run) {
  std::vector<RowMatrix<double>> forms;
  for (const auto& array : arrays) forms.emplace_back(matrix_of(array));
  ShapeDistanceOptions options;
  options.samples = samples;
  options.ignore_size = ignore_size;
  options.candidates = candidates;
  ShapeDistances table = run_watched(
      run, [=](const Execution& execution) { return shape_distances(forms, options, execution); });
  RowMatrix<double> map = shape_map(table.distances);
  std::vector<Index> nearest = nearest_shapes(table.distances);
  return nb::make_tuple(to_numpy(std::move(table.distances)), table.scale, to_numpy(std::move(nearest)),
                        to_numpy(std::move(map)), to_numpy(std::move(table.estimated)));
}

}  // namespace

void add_comparison(nb::module_& module) {
  module.def("align", align_forms, nb::arg("from_"), nb::arg("to"), nb::arg("samples"),
             nb::arg("reflections"), nb::arg("run"));
  module.def("correspondence", match_points, nb::arg("moved"), nb::arg("to"), nb::arg("run"));
  module.def("compare_forms", compare_forms, nb::arg("forms"), nb::arg("samples"), nb::arg("ignore_size"),
             nb::arg("candidates").none(), nb::arg("run"));
}

}  // namespace geodome::python
