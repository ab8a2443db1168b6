#pragma once
/// Masks: which vertices of a shape take part. A mask keeps the vertices whose value is not zero and leaves
/// out the others, as the cortex masks of brain tools do (zero on the medial wall).

#include <string>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// One value per vertex, nonzero: keep. Formats, each possibly gzipped:
///  - NPY: an array of one dimension, or of two of which one is 1; any number type;
///  - GIFTI: the only array with one value per vertex (a .shape, .func or .label file);
///  - FreeSurfer label (ASCII, "#!ascii label …"): the vertices it lists are kept;
///  - text: numbers separated by spaces, commas or line ends; lines that begin with # are skipped.
/// Throws FileError naming the file and the cause: a length other than `vertices` (both are named), a value
/// that is not a number, a vertex out of range.
std::vector<char> read_mask(const std::string& path, Index vertices);

/// The shape without the faces (or edges) that touch a vertex left out, which so belongs to nothing; all
/// vertices stay, and with them their indices. Throws InputError where the mask has another length, and for
/// point clouds and samples: they have neither faces nor edges, so a vertex could be left out only by
/// renumbering the others.
Shape apply_mask(const Shape& shape, const std::vector<char>& keep);

}  // namespace geodome::internal
