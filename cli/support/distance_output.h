#pragma once
/// Where the rows of `geodome distances` go, by the extension of the file.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/shape/shape.h"
#include "support/numbering.h"

namespace geodome::cli {

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
