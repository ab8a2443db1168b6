#include "module.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "geodome/base/error.h"
#include "geodome/base/version.h"
#include "run.h"

namespace geodome::python {
namespace {

#ifdef GEODOME_WITH_CHOLMOD
constexpr const char* cholesky = "CHOLMOD";
constexpr const char* licence = "GPL-2.0-or-later";
#else
constexpr const char* cholesky = "Eigen";
constexpr const char* licence = "MIT";
#endif

/// Bad input is a ValueError and a bad file an OSError, as Python users expect.
void translate(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace
}  // namespace geodome::python

NB_MODULE(_core, module) {
  using namespace geodome::python;
  nanobind::exception<geodome::NumericalError>(module, "NumericalError", PyExc_ArithmeticError);
  nanobind::exception<geodome::Cancelled>(module, "Cancelled", PyExc_RuntimeError);
  nanobind::register_exception_translator(translate);
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(clean_up_work));
  module.attr("version") = geodome::version;
  module.attr("cholesky") = cholesky;
  module.attr("licence") = licence;
  nanobind::class_<Run>(module, "Run", "How a call runs: its threads, and whom it tells of its progress.")
      .def(nanobind::init<int, nanobind::object>(), nanobind::arg("threads") = 0,
           nanobind::arg("progress").none() = nanobind::none());
  add_shapes(module);
  add_geodesics(module);
  add_matrix(module);
  add_exports(module);
  add_build(module);
  add_embedding(module);
  add_comparison(module);
  add_maps(module);
}
