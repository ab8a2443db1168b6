#include "geodome/shape/edge_table.h"

#include <algorithm>
#include <span>

#include "geodome/base/error.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

/// The side from a corner to the next one of its face.
struct CornerSide {
  Index high = 0;
  std::int64_t corner = 0;
  auto operator<=>(const CornerSide&) const = default;
};

EdgeTable find_edges(Index vertices, std::span<const Index> corners, const FaceView& faces) {
  for (std::size_t c = 0; c < corners.size(); ++c) {
    if (corners[c] < 0 || corners[c] >= vertices) {
      throw InputError(
          text("face corner ", c, " refers to vertex ", corners[c], ", outside [0, ", vertices, ")"));
    }
  }
  const auto each_side = [&](auto add) {
    for (std::int64_t f = 0; f < faces.size(); ++f) {
      const std::int64_t begin = faces.begin(f), end = faces.begin(f + 1);
      for (std::int64_t c = begin; c < end; ++c) {
        const auto [low, high] = std::minmax(corners[c], corners[c + 1 == end ? begin : c + 1]);
        add(low, CornerSide{high, c});
      }
    }
  };
  EdgeTable table;
  table.edge_of_corner.resize(corners.size());
  table.edges.reserve(corners.size() / 2);
  visit_edges<CornerSide>(vertices, each_side, [&](Index low, std::span<const CornerSide> sides) {
    for (const CornerSide& side : sides) table.edge_of_corner[side.corner] = table.size();
    table.edges.push_back({low, sides.front().high});
    table.faces_on_edge.push_back(static_cast<Index>(sides.size()));
  });
  return table;
}

}  // namespace

EdgeTable find_edges(const TriangleMesh& mesh) {
  return find_edges(static_cast<Index>(mesh.points.rows()),
                    {mesh.triangles.data(), static_cast<std::size_t>(mesh.triangles.size())}, FaceView(mesh));
}

EdgeTable find_edges(const PolygonMesh& mesh) {
  return find_edges(static_cast<Index>(mesh.points.rows()), mesh.corners, FaceView(mesh));
}

}  // namespace geodome::internal
