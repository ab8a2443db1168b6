#pragma once
/// Small shapes decoded from a fuzzer's bytes, most of them hostile: soups, slivers, coincident vertices,
/// mixed scales. Every input decodes to some shape; nothing is cleaned here.

#include "geodome/shape/shape.h"
#include "support/byte_source.h"

namespace geodome::fuzz {

/// A triangle or polygon mesh of up to 64 vertices.
Shape decode_surface(ByteSource& bytes);
/// Up to 80 points: sheets, spheres, lines, and single points moved.
Shape decode_cloud(ByteSource& bytes);
/// Up to 40 vertices.
Shape decode_graph(ByteSource& bytes);
/// Up to 60 samples of up to 5 dimensions.
Shape decode_samples(ByteSource& bytes);
/// Any of them.
Shape decode_any_shape(ByteSource& bytes);

}  // namespace geodome::fuzz
