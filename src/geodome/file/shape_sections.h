#pragma once
/// The shape inside a `.geodome` file.

#include <memory>
#include <optional>

#include "geodome/file/container.h"
#include "geodome/file/container_writer.h"
#include "geodome/matrix/lower_bound.h"
#include "geodome/matrix/near_shape.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Everything but a graph's labels, which the file keeps apart.
void write_shape_sections(ContainerWriter& writer, const Shape& shape);

/// Nothing if the file holds no shape. Throws FileError where its sections do not fit each other or the
/// number of vertices.
std::optional<Shape> read_shape_sections(const Container& file, Index vertices);

/// What no distance on the shape is below, from sections that are read where they lie: nothing is copied, and
/// blocks are verified when they are first read. No bound if the file holds no shape. Throws FileError as
/// above.
LowerBound stored_lower_bound(std::shared_ptr<const Container> file, Index vertices);

/// The faces of a triangle mesh, read where they lie as above; nothing if the file holds no such shape. The
/// corners are checked now. Throws FileError.
std::optional<MeshArrays> stored_mesh(std::shared_ptr<const Container> file, Index vertices);

}  // namespace geodome::internal
