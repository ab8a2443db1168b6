#include "support/matrix_input.h"

#include <utility>

#include "geodome/file/matrix_file.h"

namespace geodome::cli {

using namespace internal;

namespace {

MatrixInput make_input(const std::string& path, Distances distances) {
  Numbering numbering(distances.size(), distances.labels());
  return {path, std::move(distances), std::move(numbering)};
}

}  // namespace

MatrixInput open_matrix(const std::string& path) {
  if (auto input = open_if_matrix(path)) return std::move(*input);
  throw FileError(text("'", path, "' is not a .geodome file: build one from a shape with 'geodome build'"));
}

std::optional<MatrixInput> open_if_matrix(const std::string& path) {
  auto distances = geodome::open_if_matrix(path);
  if (!distances) return {};
  return make_input(path, std::move(*distances));
}

Distances in_mode(const MatrixInput& input, bool raw) {
  return raw ? input.distances.with(QueryMode::raw) : input.distances;
}

std::string mode_name(const MatrixInput& input, bool raw) {
  if (input.distances.factors() == nullptr) {
    const std::string method = input.distances.method();
    return method.empty() ? "distances" : method;
  }
  return raw ? "raw" : "near-field";
}

const LandmarkMatrix& require_factors(const MatrixInput& input, const std::string& option) {
  if (const LandmarkMatrix* factors = input.distances.factors()) return *factors;
  throw InputError(text(option, " requires the factors P W Pᵀ; '", input.path, "' has none (stored as '",
                        input.distances.file()->stored_as(), "'): build it with --method cell, sbha or bha"));
}

void require_same_shape(const MatrixInput& input, const Shape& shape, const std::string& shape_path) {
  try {
    input.distances.require_same_shape(shape);
  } catch (const InputError& error) {
    throw InputError(text("'", input.path, "' was not built from '", shape_path, "': ", error.what()));
  }
}

}  // namespace geodome::cli
