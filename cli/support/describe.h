#pragma once
/// What `geodome info` says about a shape: as JSON for programs and as aligned text for people.

#include <nlohmann/json.hpp>
#include <string>

#include "geodome/shape/check.h"
#include "geodome/shape/shape.h"

namespace geodome::cli {

/// What is known about a file that holds a shape.
struct ShapeFacts {
  std::string path;
  std::string format;  ///< "OBJ"
  std::string kind;    ///< "triangle mesh"
  std::string note;    ///< on how it was read; may be empty
  bool normals = false;
  ShapeReport report;
};

/// One object: kind, format, vertices, faces, components (null where there is no connectivity), every count
/// that the kind of shape has, and `notes`: how it was read, where that is ambiguous, and what would be
/// dropped or set aside.
nlohmann::ordered_json to_json(const ShapeFacts& facts);

/// Several lines: sizes, how it hangs together, then what is wrong and what is done about it.
std::string to_text(const ShapeFacts& facts);

}  // namespace geodome::cli
