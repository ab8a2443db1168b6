#pragma once
/// What `geodome embed` says about a form.

#include <nlohmann/json.hpp>
#include <optional>

#include "geodome/embedding/embedding.h"
#include "geodome/embedding/stress.h"

namespace geodome::cli {

struct EmbeddingQuality {
  std::optional<internal::Stress> stress;        ///< against fresh distances
  std::optional<internal::Stress> model_stress;  ///< against the matrix
  std::optional<internal::Stress> exact_stress;  ///< of exact scaling, against the same distances
};

/// The component with most vertices, whose numbers stand for the shape. Throws InputError where there is
/// none.
const ComponentEmbedding& largest_component(const Embedding& embedding);

/// Sizes, eigenvalues and residuals of the largest component, all components where there are several, and the
/// quality; null where it was not measured.
nlohmann::ordered_json embedding_facts(const Embedding& embedding, const EmbeddingQuality& quality);

/// The same as a few lines of text.
std::string embedding_text(const Embedding& embedding, const EmbeddingQuality& quality);

}  // namespace geodome::cli
