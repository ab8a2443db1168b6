#include "support/embed_output.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "geodome/base/error.h"
#include "geodome/report/canonical_shape.h"
#include "geodome/report/picture.h"
#include "geodome/shape/io/csv.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/triangulate.h"

namespace geodome::cli {

using namespace internal;

namespace {

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

const Shape& require_shape(const Shape* shape, const std::string& path) {
  if (shape == nullptr)
    throw InputError(
        text("cannot write '", path,
             "': the file does not contain the shape; pass it with --shape, or write .npy or .csv"));
  return *shape;
}

/// Draws a mesh; polygons are split first.
void write_picture(const Shape& shape, const Colours& colours, const std::string& path, UpAxis up) {
  const View view{.up = up};
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape))
    return write_png(render(*mesh, colours, view), path);
  if (const auto* polygons = std::get_if<PolygonMesh>(&shape))
    return write_png(render(triangulate(*polygons), colours, view), path);
  throw InputError(text("cannot write '", path, "': a ", kind_name(shape), " has no faces: write .ply"));
}

void write_any(const Shape& shape, const Colours& colours, const std::string& path, UpAxis up = UpAxis::z) {
  if (extension_of(path) == ".png")
    write_picture(shape, colours, path, up);
  else
    write_shape(shape, path, colours);
}

std::vector<std::string> axis_names(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index axis = 0; axis < count; ++axis) names.push_back(text("z", axis + 1));
  return names;
}

}  // namespace

void require_embedding_extension(const std::string& path, bool coloured) {
  const std::string extension = extension_of(path);
  const std::vector<std::string> known = coloured ? std::vector<std::string>{".ply", ".obj", ".off", ".png"}
                                                  : std::vector<std::string>{".ply", ".npy", ".csv", ".png"};
  if (std::find(known.begin(), known.end(), extension) != known.end()) return;
  std::string names;
  for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
  throw InputError(text("cannot write '", path, "': the extension must be one of ", names));
}

void write_form(const std::string& path, const Embedding& embedding, const Shape* shape) {
  const std::string extension = extension_of(path);
  if (extension == ".npy") return write_npy(embedding.Z, path);
  if (extension == ".csv") return write_csv(embedding.Z, path, axis_names(embedding.Z.cols()));
  write_any(canonical_shape(require_shape(shape, path), embedding.Z),
            canonical_colours(embedding.Z, embedding.component), path);
}

void write_coloured(const std::string& path, const Embedding& embedding, const Shape* shape, UpAxis up) {
  const Shape& original = require_shape(shape, path);
  if (std::holds_alternative<Graph>(original) || std::holds_alternative<Samples>(original))
    throw InputError(text("cannot write '", path, "': a ", kind_name(original),
                          " has no coordinates; write the canonical form with -o FILE.ply instead"));
  write_any(original, canonical_colours(embedding.Z, embedding.component), path, up);
}

}  // namespace geodome::cli
