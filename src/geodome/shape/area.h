#pragma once
/// The area of a surface.

#include <optional>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The sum over all faces, in their order; of a polygon the length of its vector area, which is its area if
/// it is flat. Faces with fewer than three different corners, a corner out of range or an area that is not
/// finite are left out. Works for any size at which the area itself fits a double.
double surface_area(const TriangleMesh& mesh);
double surface_area(const PolygonMesh& mesh);

/// The same of any shape; none where it has no faces.
std::optional<double> surface_area(const Shape& shape);

}  // namespace geodome::internal
