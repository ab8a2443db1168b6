#include <chrono>

#include "geodome/base/error.h"
#include "geodome/pipeline/methods.h"

namespace geodome {
namespace {

bool scales_by_qr(Method method) {
  return method == Method::bha;
}

}  // namespace

MethodEmbedding embed_method(const MethodMatrix& built, Method method, const EmbeddingOptions& options,
                             const Execution& execution) {
  const auto begin = std::chrono::steady_clock::now();
  MethodEmbedding result;
  EmbeddingOptions own = options;
  own.method = ScalingMethod::lanczos;
  if (scales_by_qr(method)) {
    if (built.workspace_bytes <= options.memory_bound)
      own.method = ScalingMethod::qr;
    else
      result.note = text("the QR decomposition takes ", static_cast<double>(built.workspace_bytes) / 1e9,
                         " GB: Lanczos iteration took its place");
  }
  result.embedding = embed(*built.matrix, own, execution);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace geodome
