#pragma once
/// Values of vertices from files.

#include <string>
#include <vector>

#include "geodome/base/types.h"
#include "support/numbering.h"

namespace geodome::cli {

/// #V by m with NaN where there is no value, from .npy (#V rows), GIFTI (arrays of #V values) or text: one
/// line per vertex, or a first line of names that begins with "vertex" (in any case) and then lines that
/// begin with a vertex number, for some vertices. "nan", "na" and empty fields are missing. Fields may be in
/// quotes. `names` of the columns, if the file has any. Throws FileError.
RowMatrix<double> read_values(const std::string& path, const Numbering& numbering, Index vertices,
                              std::vector<std::string>& names);

}  // namespace geodome::cli
