// Plain geodesic distances.

#include <nanobind/stl/string.h>

#include "arrays.h"
#include "geodome/base/threads.h"
#include "geodome/geodesic/factory.h"
#include "module.h"
#include "options.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

/// Only what lies within the radius, at a cost in proportion to it.
void measure_balls(const GeodesicSolver& solver, std::span<const Index> sources, double radius,
                   RowMatrix<double>& rows, const Execution& execution) {
  rows.setConstant(infinity);
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int) {
    for (const Neighbour& near : solver.within(sources[s], radius))
      rows(static_cast<Eigen::Index>(s), near.vertex) = near.distance;
  });
}

MatrixOut<double> distances(const SharedShape& shape, const VectorIn<Index>& sources, const nb::dict& given,
                            double radius, const Run& run) {
  if (!(radius >= 0)) throw InputError(text("the radius ", radius, " is negative"));
  GeodesicOptions options = geodesic_options(given);
  options.expected_sources = sources.shape(0);
  return to_numpy(
      run_watched(run, [shape, options, radius, from = copied(sources)](const Execution& execution) {
        const auto solver = make_solver(*shape.shape, options, execution);
        RowMatrix<double> rows(static_cast<Eigen::Index>(from.size()), solver->size());
        if (radius < infinity)
          measure_balls(*solver, from, radius, rows, execution);
        else
          solver->distances(from, rows, execution);
        return rows;
      }));
}

}  // namespace

void add_geodesics(nb::module_& module) {
  module.def("distances", distances, nb::arg("shape"), nb::arg("sources"), nb::arg("options"),
             nb::arg("radius"), nb::arg("run"));
}

}  // namespace geodome::python
