#include "geodome/shape/io/parse/face_list.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "geodome/base/error.h"

namespace geodome::internal {

void FaceList::end_face() {
  assert(open_corners() >= 3);
  if (open_corners() != 3 && offsets_.empty())
    for (std::int64_t face = 0; face <= faces_; ++face) offsets_.push_back(3 * face);
  closed_ = static_cast<std::int64_t>(corners_.size());
  if (!offsets_.empty()) offsets_.push_back(closed_);
  ++faces_;
}

void FaceList::add_triangle(Index a, Index b, Index c) {
  corners_.insert(corners_.end(), {a, b, c});
  end_face();
}

Shape FaceList::finish(const InputFile& file, Points points, Points normals, int first) {
  const auto vertices = static_cast<Index>(points.rows());
  if (vertices == 0) throw FileError(text("'", file.path, "' contains no vertices"));
  const auto bad = std::find_if(corners_.begin(), corners_.end(),
                                [&](Index corner) { return corner < 0 || corner >= vertices; });
  if (bad != corners_.end()) {
    const std::int64_t place = bad - corners_.begin();
    const std::int64_t face =
        offsets_.empty() ? place / 3
                         : std::upper_bound(offsets_.begin(), offsets_.end(), place) - offsets_.begin() - 1;
    throw FileError(text("'", file.path, "': face ", face + first, " refers to vertex ",
                         static_cast<std::int64_t>(*bad) + first, ", outside [", first, ", ",
                         static_cast<std::int64_t>(vertices) + first, ")"));
  }
  if (faces_ == 0) {
    if (normals.rows() != points.rows()) normals.resize(0, 3);
    return PointCloud{std::move(points), std::move(normals)};
  }
  if (!offsets_.empty()) return PolygonMesh{std::move(points), std::move(corners_), std::move(offsets_)};
  Triangles triangles = Eigen::Map<const Triangles>(corners_.data(), faces_, 3);
  return TriangleMesh{std::move(points), std::move(triangles)};
}

Points to_points(const std::vector<double>& coordinates, const InputFile& file) {
  const std::size_t rows = coordinates.size() / 3;
  if (rows > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw FileError(text("'", file.path, "' contains ", rows, " vertices; at most 2147483647 are supported"));
  return Eigen::Map<const Points>(coordinates.data(), static_cast<Eigen::Index>(rows), 3);
}

}  // namespace geodome::internal
