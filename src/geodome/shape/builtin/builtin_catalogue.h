#pragma once
/// All built-in shapes by name, at the resolution nearest to a number of vertices.

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct BuiltinOptions {
  Index vertices = 10000;  ///< enough to look smooth, few enough for exact distances in moments
  int pose = 0;            ///< of shapes that have poses
  std::uint64_t seed = 0;  ///< of shapes with random points
};

struct BuiltinShape {
  Shape shape;
  Colours colours;  ///< #V by 3, or empty
};

struct BuiltinName {
  std::string name;
  std::string summary;  ///< one line
  int poses = 1;
};

/// Every name, in the order to list them.
std::vector<BuiltinName> builtin_names();

/// The shape of that name whose number of vertices is nearest to the requested one, up to a row of its grid.
/// Throws InputError for an unknown name (listing the names), a pose it has not, or fewer than 1 vertex.
BuiltinShape make_builtin(const std::string& name, const BuiltinOptions& options = {},
                          const Execution& execution = {});

}  // namespace geodome::internal
