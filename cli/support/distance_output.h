#pragma once
/// Where the rows of `geodome distances` go, by the extension of the file, and how a file numbers its
/// vertices.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
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

/// Takes rows of distances, a block at a time. The file appears, complete, with `finish`.
class DistanceOutput {
 public:
  virtual ~DistanceOutput() = default;
  virtual void append(const RowMatrix<double>& rows) = 0;
  /// Adds to `facts` what only this kind of output knows.
  virtual void finish(nlohmann::ordered_json& facts) = 0;
};

/// An empty path writes nothing. `sources` are the file's numbers; shape and numbering must outlive the
/// result. Throws InputError when the extension is none of .npy, .csv, .ply and .png or does not suit the
/// shape, and FileError when the file cannot be created.
std::unique_ptr<DistanceOutput> make_distance_output(const std::string& path, const Shape& shape,
                                                     const Numbering& numbering,
                                                     const std::vector<std::int64_t>& sources);

}  // namespace geodome::cli
