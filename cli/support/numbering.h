#pragma once
/// How a file numbers its vertices.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/shape/shape.h"

namespace geodome::cli {

/// The numbers by which the file knows its vertices.
class Numbering {
 public:
  explicit Numbering(const Shape& shape);
  /// `labels` is empty where vertices are numbered 0, 1, 2, …; they must outlive this object.
  Numbering(Index count, std::span<const std::int64_t> labels) : count_(count), labels_(labels) {}
  Numbering(const Numbering&) = delete;
  Numbering(Numbering&&) = default;

  /// Throws InputError when the file has no vertex of this number.
  Index vertex(std::int64_t number) const;
  std::int64_t number(Index vertex) const { return labels_.empty() ? vertex : labels_[vertex]; }

 private:
  Index count_;
  std::vector<std::int64_t> own_;  // of a shape
  std::span<const std::int64_t> labels_;
};

}  // namespace geodome::cli
