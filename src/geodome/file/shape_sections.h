#pragma once
/// The shape inside a `.geodome` file.

#include <optional>

#include "geodome/file/container.h"
#include "geodome/file/container_writer.h"
#include "geodome/shape/shape.h"

namespace geodome {

/// Everything but a graph's labels, which the file keeps apart.
void write_shape_sections(ContainerWriter& writer, const Shape& shape);

/// Nothing if the file holds no shape. Throws FileError where its sections do not fit each other or the
/// number of vertices.
std::optional<Shape> read_shape_sections(const Container& file, Index vertices);

}  // namespace geodome
