#include "support/numbering.h"

#include <algorithm>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

Numbering::Numbering(const Shape& shape) : count_(vertex_count(shape)) {
  if (const auto* graph = std::get_if<Graph>(&shape)) own_ = graph->labels;
  labels_ = own_;
}

Index Numbering::vertex(std::int64_t number) const {
  if (labels_.empty()) {
    if (number < 0 || number >= count_)
      throw InputError(text("vertex ", number, " is out of range [0, ", count_, ")"));
    return static_cast<Index>(number);
  }
  const auto found = std::lower_bound(labels_.begin(), labels_.end(), number);
  if (found == labels_.end() || *found != number)
    throw InputError(text("vertex ", number, " is not in the graph: its ", count_,
                          " vertices are numbered from ", labels_.front(), " to ", labels_.back(),
                          ", with gaps"));
  return static_cast<Index>(found - labels_.begin());
}

}  // namespace geodome::cli
