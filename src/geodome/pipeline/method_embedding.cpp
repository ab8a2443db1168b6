#include <chrono>

#include "geodome/base/error.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/baselines/factored_scaling.h"
#include "geodome/baselines/packed_full_matrix.h"
#include "geodome/baselines/points.h"
#include "geodome/baselines/root.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/matrix/scaled.h"
#include "geodome/pipeline/methods.h"

namespace geodome {
namespace {

/// The points of a pure embedding as they are.
Embedding points_of(const PointMatrix& matrix, Index dimensions) {
  if (matrix.points().cols() != dimensions)
    throw InputError(text("the points have ", matrix.points().cols(), " dimensions, not ", dimensions,
                          ": build them with as many as are wanted"));
  Embedding result;
  result.Z = matrix.points().cast<double>();
  for (Index v = 0; v < matrix.size(); ++v) {
    const Index c = matrix.component(v);
    result.component.push_back(c);
    if (c < 0) continue;
    if (static_cast<std::size_t>(c) >= result.components.size())
      result.components.resize(static_cast<std::size_t>(c) + 1);
    ComponentEmbedding& part = result.components[c];
    if (part.vertices++ == 0) part.eigenvalues = part.residuals = Vector::Zero(dimensions);
    part.eigenvalues += result.Z.row(v).transpose().cwiseAbs2();
  }
  for (ComponentEmbedding& part : result.components)
    part.axes = static_cast<Index>((part.eigenvalues.array() > 0).count());
  return result;
}

/// Iteration takes some 20 to 40 products: where each goes through all entries, these are better computed
/// once, if there is room for them.
std::shared_ptr<const DistanceMatrix> with_fast_products(std::shared_ptr<const DistanceMatrix> matrix,
                                                         std::int64_t memory_bound,
                                                         const Execution& execution) {
  if (const auto* scaled = dynamic_cast<const ScaledMatrix*>(matrix.get()))
    return std::make_shared<ScaledMatrix>(with_fast_products(scaled->matrix(), memory_bound, execution),
                                          scaled->unit());
  const bool packed = dynamic_cast<const PackedFullMatrix*>(matrix.get()) != nullptr;
  if (packed || !matrix->quadratic_product() || packed_full_bytes(matrix->size()) > memory_bound)
    return matrix;
  return std::make_shared<PackedFullMatrix>(
      matrix->size(), packed_entries(*matrix, memory_bound, part_of(execution, "scaling", 0, 0.5)),
      matrix->kind());
}

}  // namespace

std::shared_ptr<const DistanceMatrix> squared_matrix(const std::shared_ptr<const DistanceMatrix>& matrix) {
  if (matrix->kind() == DistanceKind::squared) return matrix;
  if (const auto* scaled = dynamic_cast<const ScaledMatrix*>(matrix.get())) {
    auto squared = squared_matrix(scaled->matrix());
    return squared ? std::make_shared<ScaledMatrix>(std::move(squared), scaled->unit()) : nullptr;
  }
  if (const auto* form = dynamic_cast<const LandmarkMatrix*>(matrix.get())) return squared_form(*form);
  if (const auto* ctg = dynamic_cast<const CtgMatrix*>(matrix.get()))
    return std::make_shared<CtgMatrix>(ctg->as(DistanceKind::squared));
  if (const auto* spectral = dynamic_cast<const SpectrometerMatrix*>(matrix.get()))
    return std::make_shared<SpectrometerMatrix>(spectral->as(DistanceKind::squared));
  if (const auto* packed = dynamic_cast<const PackedFullMatrix*>(matrix.get()))
    return std::make_shared<PackedFullMatrix>(*packed, DistanceKind::squared);
  return nullptr;
}

std::shared_ptr<const DistanceMatrix> distance_matrix(const std::shared_ptr<const DistanceMatrix>& matrix) {
  if (matrix->kind() == DistanceKind::distance) return matrix;
  return std::make_shared<RootMatrix>(matrix);
}

Embedding embed_by_products(const std::shared_ptr<const DistanceMatrix>& squared, EmbeddingOptions options,
                            const Execution& execution) {
  options.method = ScalingMethod::lanczos;
  return embed(*with_fast_products(squared, options.memory_bound, execution), options, execution);
}

MethodEmbedding embed_method(const MethodMatrix& built, Method method, const EmbeddingOptions& options,
                             const Execution& execution) {
  const auto begin = std::chrono::steady_clock::now();
  MethodEmbedding result;
  EmbeddingOptions own = options;
  own.method = ScalingMethod::lanczos;
  const auto* factored = dynamic_cast<const FactoredMatrix*>(built.matrix.get());
  if (const auto* points = dynamic_cast<const PointMatrix*>(built.matrix.get())) {
    result.embedding = points_of(*points, options.dimensions);
  } else if ((factored == nullptr && method != Method::bha) || built.workspace_bytes > options.memory_bound) {
    if (factored != nullptr || method == Method::bha)
      result.note = text("the QR decomposition takes ", static_cast<double>(built.workspace_bytes) / 1e9,
                         " GB: Lanczos iteration took its place");
    result.embedding = embed_by_products(built.matrix, own, execution);
  } else if (factored != nullptr) {
    result.embedding = embed_factored(*factored, own, execution);
  } else {
    own.method = ScalingMethod::qr;
    result.embedding = embed(*built.matrix, own, execution);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace geodome
