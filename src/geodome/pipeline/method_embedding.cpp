#include <chrono>

#include "geodome/base/error.h"
#include "geodome/pipeline/methods.h"
#include "geodome/rivals/factored_scaling.h"
#include "geodome/rivals/points.h"

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

}  // namespace

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
    result.embedding = embed(*built.matrix, own, execution);
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
