// Every other method by name, behind the same questions as our own matrix.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "embedding.h"
#include "geodome/base/error.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/methods.h"
#include "module.h"
#include "options.h"
#include "run.h"

namespace geodome::python {
namespace {

/// What a method is built from, so that its squared distances can be built too.
struct Recipe {
  std::shared_ptr<const Shape> shape;
  PrepareOptions prepare;
  MethodOptions method;
};

/// A matrix of another method.
struct Rival {
  Recipe recipe;
  MethodMatrix built;

  const DistanceMatrix& matrix() const { return *built.matrix; }
  /// Distances also where squares are held.
  template <typename Values>
  Values as_distances(Values values, bool raw) const {
    if (!raw && matrix().kind() == DistanceKind::squared) values = values.cwiseMax(0.0).cwiseSqrt();
    return values;
  }
};

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
  else if (key == "mending")
    options.mending = nb::cast<double>(value);
  else if (key == "places")
    options.places = nb::cast<Index>(value);
  else
    return false;
  return true;
}

Recipe recipe_from(const SharedShape& shape, const nb::dict& given) {
  Recipe recipe;
  nb::dict common;
  set_each(given, [&](const std::string& key, nb::handle value) {
    if (!set_own(recipe.method, key, value)) common[key.c_str()] = value;
    return true;
  });
  const BuildOptions options = build_options(common);
  if (options.solver != nullptr)
    throw InputError("distances= must be an NPY file for any method but sbha and bha");
  if (!options.log.empty()) throw InputError("resume= is for the methods sbha and bha only");
  recipe.shape = shape.shape;
  recipe.method.landmarks = options.landmarks;
  recipe.method.landmarks.seed = options.seed;
  recipe.method.kind = options.kind;
  recipe.method.interpolation = options.interpolation;
  recipe.method.precision = options.precision;
  recipe.prepare.geodesic = options.geodesic;
  recipe.prepare.distances = options.distances;
  recipe.prepare.laplacian = options.laplacian;
  recipe.prepare.seed = options.seed;
  recipe.prepare.keep_rows = needs_columns(recipe.method.method);
  return recipe;
}

MethodMatrix build_from(const Recipe& recipe, DistanceKind kind, const Execution& execution) {
  PreparedShape prepared(*recipe.shape, recipe.prepare, execution);
  MethodOptions options = recipe.method;
  options.kind = kind;
  return build_method(prepared, options, execution);
}

nb::tuple build_rival(const SharedShape& shape, const nb::dict& given, const Run& run) {
  Rival rival{recipe_from(shape, given), {}};
  rival.built = run_watched(run, [&](const Execution& execution) {
    return build_from(rival.recipe, rival.recipe.method.kind, execution);
  });
  nb::dict facts, seconds;
  facts["method"] = std::string(name_of(methods(), rival.recipe.method.method));
  facts["landmarks"] = rival.built.landmarks;
  facts["nbytes"] = rival.built.bytes;
  facts["reference_nbytes"] = rival.built.reference_bytes;
  facts["workspace_nbytes"] = rival.built.workspace_bytes;
  seconds["total"] = rival.built.total_seconds();
  for (const auto& [stage, own] : rival.built.seconds) seconds[stage.c_str()] = own;
  facts["seconds"] = seconds;
  facts["note"] = rival.built.note;
  return nb::make_tuple(std::move(rival), facts);
}

nb::dict embed_rival(const Rival& self, Index dimensions, std::uint64_t seed, double memory, const Run& run) {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.seed = seed;
  options.memory_bound = static_cast<std::int64_t>(memory);
  const Method method = self.recipe.method.method;
  return to_dict(run_watched(run, [&](const Execution& execution) {
    if (self.matrix().kind() == DistanceKind::squared || is_embedding(method))
      return embed_method(self.built, method, options, execution).embedding;
    return embed_method(build_from(self.recipe, DistanceKind::squared, execution), method, options, execution)
        .embedding;
  }));
}

/// Against distances measured afresh on the shape, by the exact method unless another is named.
nb::dict rival_error(const Rival& self, const std::string& geodesic, Index rows, std::uint64_t seed,
                     const Run& run) {
  const Shape& shape = *self.recipe.shape;
  GeodesicOptions options = self.recipe.prepare.geodesic;
  options.method = geodesic.empty() ? exact_method(shape) : geodesic_method(geodesic);
  options.expected_sources = static_cast<std::size_t>(rows > 0 ? rows : self.matrix().size());
  return error_facts(run_watched(run, [&](const Execution& execution) {
    const auto solver = make_solver(shape, options, execution);
    return measure_error(self.matrix(), *solver, {rows, seed, {}}, execution);
  }));
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
      .def(
          "entries",
          [](const Rival& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.as_distances(self.matrix().entries(span_of(I), span_of(J), execution), raw);
            }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("threads"))
      .def(
          "rows",
          [](const Rival& self, const VectorIn<Index>& I, bool raw, const Run& run) {
            return to_numpy(run_watched(run, [&](const Execution& execution) {
              return self.as_distances(self.matrix().rows(span_of(I), execution), raw);
            }));
          },
          nb::arg("I"), nb::arg("raw"), nb::arg("run"))
      .def(
          "block",
          [](const Rival& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw,
             const Run& run) {
            return to_numpy(run_watched(run, [&](const Execution& execution) {
              return self.as_distances(self.matrix().block(span_of(I), span_of(J), execution), raw);
            }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("run"))
      .def(
          "apply",
          [](const Rival& self, const MatrixIn<double>& X, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.matrix().apply(matrix_of(X), execution);
            }));
          },
          nb::arg("X"), nb::arg("threads"))
      .def("embed", embed_rival, nb::arg("dimensions"), nb::arg("seed"), nb::arg("memory"), nb::arg("run"))
      .def("measured_error", rival_error, nb::arg("geodesic"), nb::arg("rows"), nb::arg("seed"),
           nb::arg("run"));
  module.def("build_rival", build_rival, nb::arg("shape"), nb::arg("options"), nb::arg("run"));
  module.def("method_names", method_names);
}

}  // namespace geodome::python
