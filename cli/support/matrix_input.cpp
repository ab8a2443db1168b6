#include "support/matrix_input.h"

#include <iostream>
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

void add_mode_options(CLI::App& command, ModeOptions& options, const std::string& raw_text) {
  CLI::Option* near =
      command
          .add_option("--near", options.near,
                      "Distances below about one landmark spacing: exact (computed on the shape "
                      "in the file) or blend (estimated from P and W)")
          ->capture_default_str()
          ->check(CLI::IsMember({"exact", "blend"}));
  command.add_flag("--raw", options.raw, raw_text)->excludes(near);
}

Distances in_mode(const MatrixInput& input, const ModeOptions& options, bool quiet) {
  if (options.raw) return input.distances.with(QueryMode::raw);
  if (options.near == "blend") return input.distances.with(QueryMode::blend);
  const Distances& distances = input.distances;
  if (distances.factors() != nullptr && distances.measured() && !distances.has_shape() && !quiet)
    std::cerr << "note: '" << input.path
              << "' does not contain the shape: near distances are estimated (--near blend)\n";
  return distances;
}

std::string mode_name(const Distances& distances) {
  if (distances.factors() == nullptr) {
    const std::string method = distances.method();
    return method.empty() ? "distances" : method;
  }
  if (distances.mode() == QueryMode::raw) return "raw";
  return distances.exact_near_field() ? "near-field" : "near-blend";
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
