#pragma once
/// How often a text contains another.

#include <string>

namespace geodome::internal {

inline std::size_t count_of(const std::string& what, const std::string& in) {
  std::size_t count = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++count;
  return count;
}

}  // namespace geodome::internal
