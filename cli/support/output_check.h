#pragma once
/// Checks of output files before any work is done.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace geodome::cli {

/// Throws InputError where `path` is one of the inputs (the same file, under whatever name) or a folder, and
/// FileError where it cannot be created or written. Pipes and character devices are allowed. An empty path is
/// none. `inputs` may hold empty paths and files that do not exist.
void require_output(const std::string& path, const std::vector<std::string>& inputs);

/// The same for a file that is read again after it was written: pipes and devices are refused too.
void require_regular_output(const std::string& path, const std::vector<std::string>& inputs);

/// The same for files of these names in a folder that may not exist yet.
void require_outputs_in(const std::string& folder, const std::vector<std::string>& names,
                        const std::vector<std::string>& inputs);

/// Throws InputError where two of these outputs are the same file.
void require_distinct_outputs(const std::vector<std::string>& paths);

/// Throws InputError where the path has the extension of other contents than those that are written, whose
/// own extensions are `own` (lower case, without the dot). `contents` completes "and would be …".
void refuse_other_extension(const std::string& path, std::initializer_list<std::string_view> own,
                            const char* contents);

/// Whether the path is a name of standard output: nothing else may be printed there then.
bool is_standard_output(const std::string& path);

}  // namespace geodome::cli
