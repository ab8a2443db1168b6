#pragma once
/// Values and labels of vertices in files, by the extension.

#include <span>
#include <string>
#include <vector>

#include "geodome/shape/shape.h"
#include "support/numbering.h"

namespace geodome::cli {

/// Throws InputError unless the extension is .npy, .csv, .gii, .ply or .png; the last two require a mesh (or,
/// .ply, a point cloud) in `shape`, which may be null.
void require_value_extension(const std::string& path, const Shape* shape);

/// One column per function. .npy: 64-bit floats, one-dimensional for one column; .csv: with the vertex
/// numbers; .gii: one array of 32-bit floats per column; .ply and .png: coloured by the first column, from
/// its smallest value (dark) to its largest, grey where there is none. Throws FileError.
void write_values(const std::string& path, const Eigen::Ref<const RowMatrix<double>>& values,
                  const std::vector<std::string>& names, const Shape* shape, const Numbering& numbering);

/// One label per vertex, -1 for none. .npy: 32-bit integers; .gii: labels from 1, 0 for none; .csv; .ply and
/// .png: every label in a colour of its own.
void write_labels(const std::string& path, std::span<const Index> labels, const Shape* shape,
                  const Numbering& numbering);

}  // namespace geodome::cli
