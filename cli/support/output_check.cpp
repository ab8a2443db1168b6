#include "support/output_check.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"

namespace geodome::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// Of the file behind all links; none where there is none.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void refuse_inputs(const std::string& path, const struct stat& output,
                   const std::vector<std::string>& inputs) {
  if (!S_ISREG(output.st_mode)) return;
  for (const std::string& input : inputs) {
    const auto status = status_of(input);
    if (status && is_same_file(*status, output))
      throw InputError(
          text("the output '", path, "' is the same file as the input '", input, "': choose another name"));
  }
}

/// Where the file will be once all links are followed, so that two names of one new file can be compared.
fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(follow_links(path), error), error);
  return error ? fs::path(path) : place;
}

}  // namespace

void require_output(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  const auto status = status_of(path);
  if (status) {
    if (S_ISDIR(status->st_mode))
      throw InputError(text("cannot write '", path, "': it is a folder; pass a file name"));
    refuse_inputs(path, *status, inputs);
    if (!S_ISREG(status->st_mode) && !S_ISBLK(status->st_mode)) return;  // opening a pipe would wait
  }
  const AtomicFile probe(path);
}

void require_regular_output(const std::string& path, const std::vector<std::string>& inputs) {
  const auto status = status_of(path);
  if (status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode))
    throw InputError(
        text("cannot write '", path, "': it is a pipe or a device; the output must be a regular file"));
  if (is_standard_output(path))
    throw InputError(
        text("cannot write '", path, "': standard output is not supported here; pass a file name"));
  require_output(path, inputs);
}

void require_outputs_in(const std::string& folder, const std::vector<std::string>& names,
                        const std::vector<std::string>& inputs) {
  for (const std::string& name : names) {
    const std::string path = (fs::path(folder) / name).string();
    if (const auto status = status_of(path)) refuse_inputs(path, *status, inputs);
  }
}

void require_distinct_outputs(const std::vector<std::string>& paths) {
  for (std::size_t a = 0; a < paths.size(); ++a)
    for (std::size_t b = a + 1; b < paths.size(); ++b) {
      if (paths[a].empty() || paths[b].empty()) continue;
      const auto first = status_of(paths[a]), second = status_of(paths[b]);
      const bool regular = !first || S_ISREG(first->st_mode);
      if (regular &&
          (first && second ? is_same_file(*first, *second) : place_of(paths[a]) == place_of(paths[b])))
        throw InputError(text("the outputs '", paths[a], "' and '", paths[b],
                              "' are the same file: choose different names"));
    }
}

void refuse_other_extension(const std::string& path, std::initializer_list<std::string_view> own,
                            const char* contents) {
  constexpr std::array<std::string_view, 9> others = {"html", "htm", "pdf",  "png", "jpg",
                                                      "jpeg", "svg", "json", "mat"};
  const std::string extension = file_extension(path);
  if (std::find(own.begin(), own.end(), extension) != own.end()) return;
  const auto refuse = [&](std::string_view owner) {
    throw InputError(text("the output '", path, "' has the extension of ", owner, " files, and would be ",
                          contents, ": choose another name"));
  };
  for (const Format& format : formats())
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end())
      refuse(format.name);
  if (extension == "geodome" || std::find(others.begin(), others.end(), extension) != others.end())
    refuse("." + extension);
}

bool is_standard_output(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

}  // namespace geodome::cli
