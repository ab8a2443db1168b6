#include "support/embed_report.h"

#include <algorithm>
#include <sstream>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Vector& values) {
  return std::vector<double>(values.begin(), values.end());
}

void add_quality(Json& facts, const EmbeddingQuality& quality) {
  const auto value = [](const std::optional<Stress>& one) { return one ? Json(one->value) : Json(); };
  const auto normalised = [](const std::optional<Stress>& one) {
    return one ? Json(one->normalised) : Json();
  };
  facts["stress"] = value(quality.stress);
  facts["model_stress"] = value(quality.model_stress);
  facts["normalised_stress"] = normalised(quality.stress);
  facts["normalised_model_stress"] = normalised(quality.model_stress);
  if (quality.stress) {
    const Stress& stress = *quality.stress;
    facts["stress_interval"] = {stress.interval.low, stress.interval.high};
    facts["normalised_stress_interval"] = {stress.normalised_interval.low, stress.normalised_interval.high};
    facts["stress_rows"] = stress.rows;
    facts["stress_is_exact"] = stress.exact;
  }
  if (quality.exact_stress) {
    facts["exact_stress"] = quality.exact_stress->value;
    facts["normalised_exact_stress"] = quality.exact_stress->normalised;
    facts["stress_above_exact"] = quality.stress->value - quality.exact_stress->value;
  }
}

}  // namespace

const ComponentEmbedding& largest_component(const Embedding& embedding) {
  if (embedding.components.empty()) throw InputError("no two vertices of the shape are connected");
  return *std::max_element(embedding.components.begin(), embedding.components.end(),
                           [](const auto& a, const auto& b) { return a.vertices < b.vertices; });
}

Json embedding_facts(const Embedding& embedding, const EmbeddingQuality& quality) {
  const ComponentEmbedding& largest = largest_component(embedding);
  Json facts;
  facts["vertices"] = embedding.Z.rows();
  facts["dimensions"] = embedding.Z.cols();
  facts["components"] = embedding.components.size();
  facts["eigenvalues"] = numbers(largest.eigenvalues);
  facts["residuals"] = numbers(largest.residuals);
  facts["negative_share"] = largest.negative_share;
  facts["negative_share_exact"] = largest.share_exact;
  facts["products"] = largest.products;
  facts["fallback"] = largest.fallback;
  if (embedding.components.size() > 1) {
    facts["by_component"] = Json::array();
    for (const ComponentEmbedding& one : embedding.components)
      facts["by_component"].push_back({{"vertices", one.vertices},
                                       {"eigenvalues", numbers(one.eigenvalues)},
                                       {"residuals", numbers(one.residuals)},
                                       {"negative_share", one.negative_share},
                                       {"negative_share_exact", one.share_exact}});
  }
  add_quality(facts, quality);
  return facts;
}

std::string embedding_text(const Embedding& embedding, const EmbeddingQuality& quality) {
  const ComponentEmbedding& largest = largest_component(embedding);
  std::ostringstream out;
  if (embedding.components.size() > 1)
    out << embedding.components.size()
        << " components, each embedded separately and centred at the origin; the largest has "
        << largest.vertices << " vertices:\n";
  out << "eigenvalues";
  for (const double value : largest.eigenvalues) out << ' ' << value;
  out << "; residuals at most " << largest.residuals.maxCoeff() << "\nnegative share "
      << largest.negative_share;
  if (!largest.share_exact) out << " (estimated from " << largest.spectrum_size << " vertices)";
  out << " (0 if the distances are Euclidean)\n";
  if (largest.axes < embedding.Z.cols())
    out << "only " << largest.axes << " of " << embedding.Z.cols()
        << " axes have a positive eigenvalue; the other coordinates are zero\n";
  if (largest.fallback) out << "Lanczos iteration failed its residual check; a dense method was used\n";
  if (quality.stress) {
    out << "stress " << quality.stress->value << ", normalised " << quality.stress->normalised;
    if (!quality.stress->exact)
      out << " (95 %: " << quality.stress->normalised_interval.low << " to "
          << quality.stress->normalised_interval.high << ", from " << quality.stress->rows << " rows)";
    out << '\n';
  }
  if (quality.model_stress)
    out << "model stress " << quality.model_stress->value << ", normalised "
        << quality.model_stress->normalised << '\n';
  if (quality.exact_stress)
    out << "stress above exact scaling " << quality.stress->value - quality.exact_stress->value << '\n';
  return out.str();
}

}  // namespace geodome::cli
