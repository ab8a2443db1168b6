#pragma once
/// The files `geodome embed` writes, by their extensions.

#include <string>
#include <vector>

#include "geodome/embedding/embedding.h"
#include "geodome/report/picture.h"
#include "geodome/shape/shape.h"

namespace geodome::cli {

/// Throws InputError unless the extension is one of those for the form itself (.ply, .npy, .csv, .png) or,
/// with `coloured`, for the original shape in canonical colours (.ply, .obj, .off, .png).
void require_embedding_extension(const std::string& path, bool coloured);

/// The form: a PLY has the canonical coordinates as vertices and as colours, and the shape's faces; NPY and
/// CSV have one row per vertex; PNG is a picture. Pictures need a mesh. `shape` may be null where coordinates
/// are enough.
void write_form(const std::string& path, const Embedding& embedding, const Shape* shape);

/// The original shape coloured by canonical coordinates.
void write_coloured(const std::string& path, const Embedding& embedding, const Shape* shape,
                    internal::UpAxis up);

}  // namespace geodome::cli
