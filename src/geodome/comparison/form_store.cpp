#include "geodome/comparison/form_store.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "geodome/base/error.h"
#include "geodome/shape/io/npy.h"

namespace geodome::internal {

std::string form_key(const std::string& recipe) {
  // FNV-1a, 64 bits.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : recipe) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string form_path(const std::string& folder, const std::string& name, const std::string& key) {
  return (std::filesystem::path(folder) / (name + "-" + key + ".npy")).string();
}

std::optional<RowMatrix<double>> load_form(const std::string& path, Index vertices, Index dimensions) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    RowMatrix<double> Z = read_npy_matrix(path);
    if (Z.rows() == vertices && Z.cols() == dimensions && Z.allFinite()) return Z;
  } catch (const FileError&) {
    // Damaged: it is made again.
  }
  return std::nullopt;
}

void save_form(const std::string& path, const RowMatrix<double>& Z) {
  write_npy(Z, path);
}

}  // namespace geodome::internal
