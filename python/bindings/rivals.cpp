// Every other method by name, behind the same questions as our own matrix.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "embedding.h"
#include "geodome/base/error.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/search.h"
#include "geodome/pipeline/measured_error.h"
#include "geodome/pipeline/rival_build.h"
#include "matrix.h"
#include "options.h"
#include "rival.h"
#include "run.h"

namespace geodome::python {

Rival::Rival(MethodMatrix built, std::string recipe, std::shared_ptr<const Shape> shape,
             std::vector<std::int64_t> labels, std::optional<RivalRecipe> how)
    : built_(std::move(built)),
      distances_(distance_matrix(built_.matrix)),
      recipe_(std::move(recipe)),
      shape_(std::move(shape)),
      labels_(std::move(labels)),
      how_(std::move(how)) {}

namespace {

/// False where it is no option of a rival's own.
bool set_own(MethodOptions& options, const std::string& key, nb::handle value) {
  if (key == "method")
    options.method = choice_of(methods(), nb::cast<std::string>(value), "method");
  else if (key == "truncation")
    options.truncation = nb::cast<double>(value);
  else if (key == "softening")
    options.softening = nb::cast<double>(value);
  else if (key == "square_root")
    options.square_root = nb::cast<bool>(value);
  else if (key == "eigenvectors")
    options.eigenvectors = nb::cast<Index>(value);
  else if (key == "smds_weight")
    options.smds_weight = nb::cast<double>(value);
  else if (key == "dimensions")
    options.dimensions = nb::cast<Index>(value);
  else if (key == "columns")
    options.columns = nb::cast<Index>(value);
  else if (key == "repair")
    options.repair = nb::cast<double>(value);
  else if (key == "places")
    options.places = nb::cast<Index>(value);
  else
    return false;
  return true;
}

/// The options of a rival's own, and those that it shares with our methods.
struct Asked {
  MethodOptions own;
  BuildOptions common;
};

Asked asked_from(const nb::dict& given) {
  Asked asked;
  nb::dict common;
  set_each(given, [&](const std::string& key, nb::handle value) {
    if (!set_own(asked.own, key, value)) common[key.c_str()] = value;
    return true;
  });
  asked.common = build_options(common);
  return asked;
}

MethodMatrix build_squared(const RivalRecipe& recipe, const Execution& execution) {
  PreparedShape prepared(*recipe.shape, recipe.prepare, execution);
  require_ordinary_size(prepared);
  MethodOptions options = recipe.method;
  options.kind = DistanceKind::squared;
  return build_method(prepared, options, execution);
}

nb::tuple make_rival(const SharedShape& shape, const nb::dict& given, Index evaluate, const Run& run) {
  const Asked asked = asked_from(given);
  RivalRecipe how{shape.shape, prepare_options(asked.common, asked.own.method),
                  method_options(asked.common, asked.own)};
  auto [built, error] = run_watched(
      run,
      [shape, asked, evaluate](const Execution& execution) {
        RivalBuild made = build_rival(*shape.shape, asked.common, asked.own, execution);
        ErrorReport measured;
        if (evaluate > 0)
          measured = measure_and_note_error(made, *shape.shape, asked.common, evaluate, execution);
        return std::pair(std::move(made), std::move(measured));
      },
      asked.common.solver ? AfterCancel::wait : AfterCancel::leave);
  nb::dict facts, seconds;
  if (evaluate > 0) facts["measured_error"] = error_facts(error);
  facts["method"] = std::string(name_of(methods(), asked.own.method));
  facts["landmarks"] = built.made.landmarks;
  facts["nbytes"] = built.made.bytes;
  facts["reference_nbytes"] = built.made.reference_bytes;
  facts["workspace_nbytes"] = built.made.workspace_bytes;
  seconds["total"] = built.made.total_seconds();
  for (const auto& [stage, own] : built.made.seconds) seconds[stage.c_str()] = own;
  facts["seconds"] = seconds;
  facts["note"] = built.made.note;
  facts["check"] = check_facts(built.check);
  facts["warnings"] = warnings_of(built.warnings);
  const auto* graph = std::get_if<Graph>(shape.shape.get());
  Rival rival(std::move(built.made), std::move(built.recipe), shape.shape,
              graph != nullptr ? graph->labels : std::vector<std::int64_t>(), std::move(how));
  return nb::make_tuple(std::move(rival), facts);
}

nb::dict embed_rival(const Rival& self, Index dimensions, std::uint64_t seed, double memory, const Run& run) {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.seed = seed;
  options.memory_bound = static_cast<std::int64_t>(memory);
  return to_dict(run_watched(run, [self = held(self), options](const Execution& execution) {
    const auto squared = squared_matrix(self->built().matrix);
    if (!self->how()) return embed_by_products(squared, options, execution);
    const Method method = self->how()->method.method;
    MethodMatrix built = self->built();
    if (squared != nullptr)
      built.matrix = squared;
    else if (!is_embedding(method))
      built = build_squared(*self->how(), execution);
    return embed_method(built, method, options, execution).embedding;
  }));
}

/// Against distances measured afresh on a shape.
nb::dict rival_error(const Rival& self, const SharedShape& shape, const nb::dict& given, Index rows,
                     std::uint64_t seed, const Run& run) {
  GeodesicOptions options = geodesic_options(given);
  options.expected_sources = static_cast<std::size_t>(rows > 0 ? rows : self.matrix().size());
  return error_facts(run_watched(run, [=, self = held(self)](const Execution& execution) {
    const auto solver = make_solver(*shape.shape, options, execution);
    return measure_error(self->matrix(), *solver, {rows, seed, {}}, execution);
  }));
}

void save_rival(const Rival& self, const std::string& path, bool with_shape) {
  const nb::gil_scoped_release released;
  save_matrix(path, self.matrix(), self.recipe(), with_shape ? self.shape().get() : nullptr, self.labels(),
              file_codecs());
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Named<Method>& one : methods()) names.emplace_back(one.name);
  return names;
}

}  // namespace

void add_rivals(nb::module_& module) {
  nb::class_<Rival>(module, "Rival")
      .def_prop_ro("size", [](const Rival& self) { return self.matrix().size(); })
      .def_prop_ro("squared", [](const Rival& self) { return self.matrix().kind() == DistanceKind::squared; })
      .def_prop_ro("nbytes", [](const Rival& self) { return self.matrix().bytes(); })
      .def_prop_ro("recipe", &Rival::recipe)
      .def_prop_ro(
          "labels", [](const Rival& self) { return to_numpy(self.labels()); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "component", [](const Rival& self) { return to_numpy(self.matrix().component_labels()); },
          nb::rv_policy::automatic)
      .def_prop_ro("shape",
                   [](const Rival& self) -> nb::object {
                     if (!self.shape()) return nb::none();
                     return nb::cast(SharedShape{self.shape(), {}});
                   })
      .def(
          "entries",
          [](const Rival& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.field(raw).entries(span_of(I), span_of(J), execution);
            }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("threads"))
      .def(
          "rows",
          [](const Rival& self, const VectorIn<Index>& I, bool raw, const Run& run) {
            return to_numpy(
                run_watched(run, [self = held(self), I = copied(I), raw](const Execution& execution) {
                  return self->field(raw).rows(I, execution);
                }));
          },
          nb::arg("I"), nb::arg("raw"), nb::arg("run"))
      .def(
          "block",
          [](const Rival& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw,
             const Run& run) {
            return to_numpy(run_watched(
                run, [self = held(self), I = copied(I), J = copied(J), raw](const Execution& execution) {
                  return self->field(raw).block(I, J, execution);
                }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("run"))
      .def(
          "nearest",
          [](const Rival& self, Index vertex, Index count) {
            return to_tuple(run_quickly(
                1, [&](const Execution&) { return nearest_in_row(self.field(false), vertex, count); }));
          },
          nb::arg("vertex"), nb::arg("count"))
      .def(
          "within",
          [](const Rival& self, Index vertex, double radius) {
            return to_tuple(run_quickly(
                1, [&](const Execution&) { return within_in_row(self.field(false), vertex, radius); }));
          },
          nb::arg("vertex"), nb::arg("radius"))
      .def(
          "apply",
          [](const Rival& self, const MatrixIn<double>& X, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.matrix().apply(matrix_of(X), execution);
            }));
          },
          nb::arg("X"), nb::arg("threads"))
      .def("embed", embed_rival, nb::arg("dimensions"), nb::arg("seed"), nb::arg("memory"), nb::arg("run"))
      .def("measured_error", rival_error, nb::arg("shape"), nb::arg("options"), nb::arg("rows"),
           nb::arg("seed"), nb::arg("run"))
      .def("save", save_rival, nb::arg("path"), nb::arg("with_shape"));
  module.def("build_rival", make_rival, nb::arg("shape"), nb::arg("options"), nb::arg("evaluate"),
             nb::arg("run"));
  module.def("method_names", method_names);
}

}  // namespace geodome::python
