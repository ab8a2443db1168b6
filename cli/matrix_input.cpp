#include "matrix_input.h"

#include <nlohmann/json.hpp>

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
  return {std::move(file), std::move(shape), std::move(numbering)};
}

NearField make_near_field(const MatrixInput& input, bool raw) {
  const auto recipe = nlohmann::json::parse(input.file.recipe(), nullptr, false);
  const bool measured = recipe.is_object() && recipe.value("/geodesic/method"_json_pointer, "") != "given";
  return NearField(input.file.matrix(),
                   input.shape && measured ? positions_of(*input.shape) : RowMatrix<double>(),
                   raw ? QueryForm::raw : QueryForm::near_field);
}

void require_same_shape(const MatrixFile& file, const Shape& shape, const std::string& shape_path) {
  const auto recipe = nlohmann::json::parse(file.recipe(), nullptr, false);
  const std::string expected =
      recipe.is_object() ? recipe.value("/shape/digest"_json_pointer, std::string()) : std::string();
  const std::string found = shape_digest(shape);
  if (expected != found)
    throw InputError(text("'", file.path(), "' was made from another shape than '", shape_path,
                          "': its digest is ", expected.empty() ? "missing" : expected, ", this shape's is ",
                          found));
}

}  // namespace geodome::cli
