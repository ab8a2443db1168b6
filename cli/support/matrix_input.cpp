#include "support/matrix_input.h"

#include "geodome/base/error.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/methods.h"
#include "geodome/shape/digest.h"

namespace geodome::cli {

MatrixInput open_matrix(const std::string& path) {
  if (!MatrixFile::is_one(path))
    throw FileError(text("'", path, "' is not a .geodome file; 'geodome build' makes one from a shape"));
  MatrixFile file = MatrixFile::open(path, file_codecs());
  std::optional<Shape> shape = file.shape();
  Numbering numbering(file.matrix().size(), file.labels());
  auto recipe = nlohmann::json::parse(file.recipe(), nullptr, false);
  if (!recipe.is_object()) recipe = nlohmann::json::object();
  return {std::move(file), std::move(recipe), std::move(shape), std::move(numbering)};
}

std::string measured_by(const MatrixInput& input) {
  return input.recipe.value("/geodesic/method"_json_pointer, std::string());
}

bool bounds_hold(const MatrixInput& input) {
  const std::string method = measured_by(input);
  return input.shape && !method.empty() && method != "given";
}

LowerBound distance_bound(const MatrixInput& input) {
  return bounds_hold(input) ? lower_bound(*input.shape) : LowerBound();
}

std::shared_ptr<const DistanceMatrix> make_distances(const MatrixInput& input, bool raw) {
  const auto form = input.file.landmark_matrix();
  if (form == nullptr) return distance_matrix(input.file.shared_matrix());
  return std::make_shared<NearField>(*form, distance_bound(input),
                                     raw ? QueryMode::raw : QueryMode::near_field);
}

std::string form_name(const MatrixInput& input, bool raw) {
  if (input.file.landmark_matrix() == nullptr) return input.recipe.value("method", "distances");
  return raw ? "raw" : "near-field";
}

Index landmark_count(const MatrixFile& file) {
  if (const auto form = file.landmark_matrix()) return static_cast<Index>(form->landmarks().size());
  if (const auto* ctg = dynamic_cast<const CtgMatrix*>(&file.matrix())) return ctg->samples();
  const auto recipe = nlohmann::json::parse(file.recipe(), nullptr, false);
  return recipe.is_object() ? recipe.value("/landmarks/count"_json_pointer, Index{0}) : 0;
}

GeodesicOptions path_options(const MatrixInput& input) {
  GeodesicOptions options;
  options.neighbours = input.recipe.value("/geodesic/neighbours"_json_pointer, options.neighbours);
  options.seed = input.recipe.value("seed", options.seed);
  bool complete = true;
  for (const Index component : input.file.matrix().component_labels()) {
    options.keep.push_back(component >= 0 ? 1 : 0);
    complete &= options.keep.back() != 0;
  }
  if (complete) options.keep.clear();
  return options;
}

void require_same_shape(const MatrixInput& input, const Shape& shape, const std::string& shape_path) {
  const std::string expected = input.recipe.value("/shape/digest"_json_pointer, std::string());
  const std::string found = shape_digest(shape);
  if (expected != found)
    throw InputError(text("'", input.file.path(), "' was made from another shape than '", shape_path,
                          "': its digest is ", expected.empty() ? "missing" : expected, ", this shape's is ",
                          found));
}

}  // namespace geodome::cli
