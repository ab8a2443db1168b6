#pragma once
/// What a table of distances between shapes says: who is nearest to whom, whether that is one of its own
/// kind, and a map.

#include <string>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// For every shape the nearest other; -1 where there is none. `distances` is n by n; ties go to the first.
std::vector<Index> nearest_shapes(const RowMatrix<double>& distances);

/// The share of shapes whose nearest other has the same label, among those that share their label with
/// another; 0 where there is none of them. Throws InputError when the sizes differ.
struct CategoryAccuracy {
  Index right = 0;
  Index of = 0;
  double share() const { return of > 0 ? static_cast<double>(right) / of : 0; }
};
CategoryAccuracy category_accuracy(const RowMatrix<double>& distances,
                                   const std::vector<std::string>& labels);

/// A label from a file's name: without folder, endings, and what numbers it ("poses/cat10.off.gz" is "cat",
/// "david-2" is "david"). A name that is only a number keeps it.
std::string label_of(const std::string& path);

/// Labels from a file with a line "NAME LABEL" per shape, separated by comma, tab or spaces; NAME is a
/// shape's file name, with or without folder and ending. Lines that begin with # are skipped. Throws
/// FileError naming the line, or the shape without a label.
std::vector<std::string> read_labels(const std::string& path, const std::vector<std::string>& shapes);

/// Points in the plane whose distances are near those of the table: its classical scaling, n by 2.
RowMatrix<double> shape_map(const RowMatrix<double>& distances);

}  // namespace geodome::internal
