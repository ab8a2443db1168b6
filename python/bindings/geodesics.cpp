// Plain geodesic distances.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

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

RowMatrix<double> measure(const GeodesicSolver& solver, std::span<const Index> sources, double radius,
                          const Execution& execution) {
  RowMatrix<double> rows(static_cast<Eigen::Index>(sources.size()), solver.size());
  if (radius < infinity)
    measure_balls(solver, sources, radius, rows, execution);
  else
    solver.distances(sources, rows, execution);
  return rows;
}

void require_radius(double radius) {
  if (!(radius >= 0)) throw InputError(text("the radius ", radius, " is negative"));
}

/// `rows`: how many will be asked for, which an automatic choice depends on.
Prepared prepare(const SharedShape& shape, const nb::dict& given, std::size_t rows, const Run& run) {
  GeodesicOptions options = geodesic_options(given);
  options.expected_sources = rows;
  return run_watched(run, [shape, options](const Execution& execution) {
    GeodesicOptions own = options;
    PathDomain domain = make_path_domain(*shape.shape, own, execution);
    own.method = resolve_method(domain, own);
    std::string name(geodesic_method_name(own.method));
    return Prepared{make_solver(std::move(domain), own, execution), std::move(name)};
  });
}

/// One source is measured in this thread: a row takes milliseconds.
MatrixOut<double> prepared_distances(const Prepared& self, const VectorIn<Index>& sources, double radius,
                                     const Run& run) {
  require_radius(radius);
  if (sources.shape(0) == 1)
    return to_numpy(run_quickly(run.threads, [&](const Execution& execution) {
      return measure(*self.solver, span_of(sources), radius, execution);
    }));
  return to_numpy(
      run_watched(run, [solver = self.solver, radius, from = copied(sources)](const Execution& execution) {
        return measure(*solver, from, radius, execution);
      }));
}

MatrixOut<double> distances(const SharedShape& shape, const VectorIn<Index>& sources, const nb::dict& given,
                            double radius, const Run& run) {
  require_radius(radius);
  GeodesicOptions options = geodesic_options(given);
  options.expected_sources = sources.shape(0);
  return to_numpy(
      run_watched(run, [shape, options, radius, from = copied(sources)](const Execution& execution) {
        return measure(*make_solver(*shape.shape, options, execution), from, radius, execution);
      }));
}

}  // namespace

void add_geodesics(nb::module_& module) {
  module.def("distances", distances, nb::arg("shape"), nb::arg("sources"), nb::arg("options"),
             nb::arg("radius"), nb::arg("run"));
  nb::class_<Prepared>(module, "Prepared", "A geodesic solver that is made once.")
      .def_prop_ro("size", [](const Prepared& self) { return self.solver->size(); })
      .def_ro("method", &Prepared::method)
      .def("warnings", [](const Prepared& self) { return solver_warnings(*self.solver); })
      .def("distances", prepared_distances, nb::arg("sources"), nb::arg("radius"), nb::arg("run"));
  module.def("prepare", prepare, nb::arg("shape"), nb::arg("options"), nb::arg("rows"), nb::arg("run"));
}

}  // namespace geodome::python
