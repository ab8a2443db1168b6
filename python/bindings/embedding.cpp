// Classical scaling, and its stress.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "arrays.h"
#include "geodome/base/names.h"
#include "geodome/embedding/stress.h"
#include "geodome/geodome.h"
#include "geodome/matrix/query.h"
#include "module.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

constexpr Named<ScalingMethod> scalings[] = {{ScalingMethod::lanczos, "sbmds", ""},
                                             {ScalingMethod::qr, "bmds", ""},
                                             {ScalingMethod::dense, "dense", ""}};

/// Lanczos iteration by default for factors P W Pᵀ; for other matrices the scaling that suits them.
ScalingMethod scaling_of(const Distances& matrix, const std::optional<std::string>& name) {
  if (name) return choice_of(std::span<const Named<ScalingMethod>>(scalings), *name, "method");
  return matrix.factors() != nullptr ? ScalingMethod::lanczos : ScalingMethod::automatic;
}

nb::dict to_dict(Embedding embedding) {
  nb::list components;
  for (ComponentEmbedding& one : embedding.components) {
    nb::dict facts;
    facts["vertices"] = one.vertices;
    facts["eigenvalues"] = to_numpy(std::move(one.eigenvalues));
    facts["residuals"] = to_numpy(std::move(one.residuals));
    facts["axes"] = one.axes;
    facts["negative_share"] = one.negative_share;
    facts["negative_share_exact"] = one.share_exact;
    facts["products"] = one.products;
    facts["fallback"] = one.fallback;
    components.append(facts);
  }
  nb::dict result;
  result["Z"] = to_numpy(std::move(embedding.Z));
  result["component"] = to_numpy(std::move(embedding.component));
  result["components"] = components;
  return result;
}

nb::dict embed_matrix(const Distances& matrix, Index dimensions, const std::optional<std::string>& method,
                      std::uint64_t seed, double memory, const Run& run) {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.method = scaling_of(matrix, method);
  options.seed = seed;
  options.memory_bound = static_cast<std::int64_t>(memory);
  return to_dict(run_watched(
      run, [matrix, options](const Execution& execution) { return matrix.embed(options, execution); }));
}

nb::dict stress_facts(const Stress& stress) {
  nb::dict facts;
  facts["value"] = stress.value;
  facts["normalised"] = stress.normalised;
  facts["interval"] = nb::make_tuple(stress.normalised_interval.low, stress.normalised_interval.high);
  facts["rows"] = stress.rows;
  facts["exact"] = stress.exact;
  return facts;
}

StressOptions stress_options(Index rows, std::uint64_t seed) {
  StressOptions options;
  options.rows = rows;
  options.seed = seed;
  return options;
}

/// Against the squared distances of the matrix.
nb::dict model_stress(const Distances& matrix, const MatrixIn<double>& Z, const VectorIn<Index>& component,
                      Index rows, std::uint64_t seed, const Run& run) {
  const auto squared = squared_matrix(matrix.shared_matrix());
  if (squared == nullptr)
    throw InputError(
        text("the stress requires squared distances: build '", matrix.method(), "' with squared=True"));
  return stress_facts(run_watched(run, [=](const Execution& execution) {
    return stress(matrix_of(Z), span_of(component), squared_rows(*squared, execution),
                  stress_options(rows, seed));
  }));
}

/// Against newly measured distances; None where the shape is unknown or distances were not measured on it.
nb::object shape_stress(const Distances& matrix, const MatrixIn<double>& Z, const VectorIn<Index>& component,
                        Index rows, std::uint64_t seed, const Run& run) {
  if (!matrix.has_shape() || !matrix.measured()) return nb::none();
  return stress_facts(run_watched(run, [=](const Execution& execution) {
    const auto solver = make_solver(*matrix.shape(), matrix.path_options(), execution);
    return stress(matrix_of(Z), span_of(component), squared_rows(*solver, execution),
                  stress_options(rows, seed));
  }));
}

}  // namespace

void add_embedding(nb::module_& module) {
  module.def("embed_matrix", embed_matrix, nb::arg("matrix"), nb::arg("dimensions"), nb::arg("method").none(),
             nb::arg("seed"), nb::arg("memory"), nb::arg("run"));
  module.def("model_stress", model_stress, nb::arg("matrix"), nb::arg("Z"), nb::arg("component"),
             nb::arg("rows"), nb::arg("seed"), nb::arg("run"));
  module.def("shape_stress", shape_stress, nb::arg("matrix"), nb::arg("Z"), nb::arg("component"),
             nb::arg("rows"), nb::arg("seed"), nb::arg("run"));
}

}  // namespace geodome::python
