#include "geodome/shape/area.h"

#include <cmath>

#include "geodome/shape/check.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

double sum_areas(const Points& points, const FaceView& faces) {
  const auto vertices = static_cast<Index>(points.rows());
  double sum = 0;
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (out_of_range(faces[f], vertices) || collapsed(faces[f])) continue;
    const Eigen::RowVector3d area = vector_area(points, faces[f]);
    // The squares of its components may not fit a double.
    if (const double length = area.stableNorm(); area.allFinite() && std::isfinite(length)) sum += length;
  }
  return sum;
}

}  // namespace

double surface_area(const TriangleMesh& mesh) {
  return sum_areas(mesh.points, FaceView(mesh));
}

double surface_area(const PolygonMesh& mesh) {
  return sum_areas(mesh.points, FaceView(mesh));
}

std::optional<double> surface_area(const Shape& shape) {
  if (face_count(shape) == 0) return {};
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return surface_area(*mesh);
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape)) return surface_area(*mesh);
  return {};
}

}  // namespace geodome::internal
