#include "support/sheet.h"

#include <algorithm>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

std::string Sheet::print() const {
  std::size_t width = 0;
  for (const auto& [label, value] : lines_) width = std::max(width, label.size());
  std::string page;
  for (const auto& [label, value] : lines_)
    page += text("  ", label, std::string(width - label.size() + 2, ' '), value, '\n');
  return page;
}

}  // namespace geodome::cli
