#include "matrix_input.h"

#include "geodome/base/error.h"
#include "geodome/matrix/shape_digest.h"
#include "geodome/pipeline/build.h"

namespace geodome::cli {

MatrixInput open_matrix(const std::string& path) {
  if (!MatrixFile::is_one(path))
    throw FileError(text("'", path, "' is not a .geodome file; 'geodome build' makes one from a shape"));
  MatrixFile file = MatrixFile::open(path);
  std::optional<Shape> shape = file.shape();
  Numbering numbering(file.matrix().size(), file.labels());
  auto recipe = nlohmann::json::parse(file.recipe(), nullptr, false);
  if (!recipe.is_object()) recipe = nlohmann::json::object();
  return {std::move(file), std::move(recipe), std::move(shape), std::move(numbering)};
}

std::string measured_by(const MatrixInput& input) {
  return input.recipe.value("/geodesic/method"_json_pointer, std::string());
}

RowMatrix<double> chord_positions(const MatrixInput& input) {
  const std::string method = measured_by(input);
  const bool measured = !method.empty() && method != "given";
  return input.shape && measured ? positions_of(*input.shape) : RowMatrix<double>();
}

NearField make_near_field(const MatrixInput& input, bool raw) {
  return NearField(input.file.matrix(), chord_positions(input), raw ? QueryForm::raw : QueryForm::near_field);
}

GeodesicOptions path_options(const MatrixInput& input) {
  GeodesicOptions options;
  options.neighbours = input.recipe.value("/geodesic/neighbours"_json_pointer, options.neighbours);
  options.seed = input.recipe.value("seed", options.seed);
  const SymmetricForm& matrix = input.file.matrix();
  bool complete = true;
  for (Index v = 0; v < matrix.size(); ++v) {
    options.keep.push_back(matrix.component(v) >= 0 ? 1 : 0);
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
