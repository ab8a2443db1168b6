#include "geodome/base/stems.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace geodome::internal {

std::vector<std::string> distinct_stems(const std::vector<std::string>& paths) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string file = std::filesystem::path(path).filename().string();
    const std::string name =
        file.substr(0, std::max<std::size_t>(1, std::min(file.find('.', 1), file.size())));
    const int count = ++seen[name];
    names.push_back(count == 1 ? name : name + "_" + std::to_string(count));
  }
  return names;
}

}  // namespace geodome::internal
