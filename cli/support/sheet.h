#pragma once
/// Facts as aligned text.

#include <string>
#include <utility>
#include <vector>

#include "geodome/base/format.h"

namespace geodome::cli {

/// Lines of "  label   value", the values in one column.
class Sheet {
 public:
  void add(const std::string& label, const std::string& value) { lines_.emplace_back(label, value); }
  std::string print() const;
  bool empty() const { return lines_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace geodome::cli
