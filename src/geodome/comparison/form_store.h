#pragma once
/// Canonical forms kept in a folder, so that a run that was broken off or repeated goes on where it was.

#include <optional>
#include <string>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Sixteen hexadecimal digits of a text: different texts have different keys, but for one chance in 2⁶⁴.
std::string form_key(const std::string& recipe);

/// Where the form of a shape is kept: in the folder, under the shape's name and the key of how it was made.
std::string form_path(const std::string& folder, const std::string& name, const std::string& key);

/// The form, if it is there, whole, and of this size; anything else counts as not there.
std::optional<RowMatrix<double>> load_form(const std::string& path, Index vertices, Index dimensions);

/// The file appears whole or not at all. Throws FileError.
void save_form(const std::string& path, const RowMatrix<double>& Z);

}  // namespace geodome::internal
