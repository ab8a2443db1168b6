#pragma once
/// Writes a matrix as comma-separated values; samples are read by read_shape.

#include <string>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// One line per row, each number with as many digits as it takes to read the same number again. `names`, if
/// given, are the first line: one for each column. Throws FileError, or InputError where the names do not
/// fit.
void write_csv(const Eigen::Ref<const RowMatrix<double>>& matrix, const std::string& path,
               const std::vector<std::string>& names = {});

}  // namespace geodome::internal
