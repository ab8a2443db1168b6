#pragma once
/// Where the polylines of `geodome path` go, by the extension of the file, and how points are written on the
/// command line.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/geodesic/path.h"
#include "support/distance_output.h"

namespace geodome::cli {

/// "17", or "17:0.5,18:0.5": corners of a triangle with their weights. Throws InputError.
SurfacePoint parse_point(const std::string& words, const Numbering& numbering);

/// The point as the command line writes it, with the file's vertex numbers.
std::string point_text(const SurfacePoint& point, const Numbering& numbering);

/// All points of a path: {"vertices", "weights", "position"} each.
nlohmann::ordered_json points_json(const ShortestPath& path, const Numbering& numbering);

/// Throws InputError unless the extension is .ply, .obj, .csv, .json or .png and suits the shape.
void require_path_extension(const std::string& path, const Shape& shape);

/// Writes all paths. Throws FileError.
void write_paths(const std::string& path, const Shape& shape, const Numbering& numbering,
                 const std::vector<ShortestPath>& paths);

}  // namespace geodome::cli
