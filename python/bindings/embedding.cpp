// Classical scaling, and its stress.

#include "embedding.h"

#include <nanobind/stl/string.h>

#include "arrays.h"
#include "geodome/base/names.h"
#include "geodome/embedding/stress.h"
#include "matrix.h"
#include "options.h"
#include "run.h"

namespace geodome::python {

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

namespace {

constexpr Named<ScalingMethod> methods[] = {{ScalingMethod::lanczos, "sbmds", ""},
                                            {ScalingMethod::qr, "bmds", ""},
                                            {ScalingMethod::dense, "dense", ""}};

EmbeddingOptions options_from(Index dimensions, const std::string& method, std::uint64_t seed,
                              double memory) {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.method = choice_of(std::span<const Named<ScalingMethod>>(methods), method, "method");
  options.seed = seed;
  options.memory_bound = static_cast<std::int64_t>(memory);
  return options;
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

nb::dict embed_matrix(const Matrix& matrix, Index dimensions, const std::string& method, std::uint64_t seed,
                      double memory, const Run& run) {
  const EmbeddingOptions options = options_from(dimensions, method, seed, memory);
  return to_dict(run_watched(run, [matrix = held(matrix), options](const Execution& execution) {
    return embed(*squared_form(matrix->form()), options, execution);
  }));
}

StressOptions stress_options(Index rows, std::uint64_t seed) {
  StressOptions options;
  options.rows = rows;
  options.seed = seed;
  return options;
}

nb::dict model_stress(const Matrix& matrix, const MatrixIn<double>& Z, const VectorIn<Index>& component,
                      Index rows, std::uint64_t seed, const Run& run) {
  return stress_facts(run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
    const auto squared = squared_form(matrix->form());
    return stress(matrix_of(Z), span_of(component), squared_rows(*squared, execution),
                  stress_options(rows, seed));
  }));
}

nb::dict shape_stress(const SharedShape& shape, const nb::dict& geodesic, const MatrixIn<double>& Z,
                      const VectorIn<Index>& component, Index rows, std::uint64_t seed, const Run& run) {
  const GeodesicOptions paths = geodesic_options(geodesic);
  return stress_facts(run_watched(run, [=](const Execution& execution) {
    const auto solver = make_solver(*shape.shape, paths, execution);
    return stress(matrix_of(Z), span_of(component), squared_rows(*solver, execution),
                  stress_options(rows, seed));
  }));
}

}  // namespace

void add_embedding(nb::module_& module) {
  module.def("embed_matrix", embed_matrix, nb::arg("matrix"), nb::arg("dimensions"), nb::arg("method"),
             nb::arg("seed"), nb::arg("memory"), nb::arg("run"));
  module.def("model_stress", model_stress, nb::arg("matrix"), nb::arg("Z"), nb::arg("component"),
             nb::arg("rows"), nb::arg("seed"), nb::arg("run"));
  module.def("shape_stress", shape_stress, nb::arg("shape"), nb::arg("geodesic"), nb::arg("Z"),
             nb::arg("component"), nb::arg("rows"), nb::arg("seed"), nb::arg("run"));
}

}  // namespace geodome::python
