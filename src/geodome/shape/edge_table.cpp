#include "geodome/shape/edge_table.h"

#include <algorithm>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// `next` gives the corner that follows a corner in its face.
template <typename Next>
EdgeTable find_edges(Index vertices, const Index* corners, std::int64_t corner_count, Next next) {
  for (std::int64_t c = 0; c < corner_count; ++c) {
    if (corners[c] < 0 || corners[c] >= vertices) {
      throw InputError(
          text("face corner ", c, " refers to vertex ", corners[c], ", outside [0, ", vertices, ")"));
    }
  }
  // Corners are sorted by the lower end of their edge first (counting), then each small group by the upper
  // end.
  const auto low = [&](std::int64_t c) { return std::min(corners[c], corners[next(c)]); };
  const auto high = [&](std::int64_t c) { return std::max(corners[c], corners[next(c)]); };
  std::vector<std::int64_t> start(static_cast<std::size_t>(vertices) + 1, 0);
  for (std::int64_t c = 0; c < corner_count; ++c) ++start[low(c) + 1];
  for (Index v = 0; v < vertices; ++v) start[v + 1] += start[v];
  struct Entry {
    Index high;
    std::int64_t corner;
  };
  std::vector<Entry> sorted(corner_count);
  {
    std::vector<std::int64_t> fill(start.begin(), start.end() - 1);
    for (std::int64_t c = 0; c < corner_count; ++c) sorted[fill[low(c)]++] = {high(c), c};
  }
  EdgeTable table;
  table.edge_of_corner.resize(corner_count);
  table.edges.reserve(corner_count / 2);
  for (Index v = 0; v < vertices; ++v) {
    std::sort(sorted.begin() + start[v], sorted.begin() + start[v + 1],
              [](const Entry& a, const Entry& b) { return a.high < b.high; });
    for (std::int64_t k = start[v]; k < start[v + 1]; ++k) {
      if (k == start[v] || sorted[k].high != sorted[k - 1].high) {
        table.edges.push_back({v, sorted[k].high});
        table.faces_on_edge.push_back(0);
      }
      table.edge_of_corner[sorted[k].corner] = table.size() - 1;
      ++table.faces_on_edge.back();
    }
  }
  return table;
}

}  // namespace

EdgeTable find_edges(const TriangleMesh& mesh) {
  return find_edges(static_cast<Index>(mesh.points.rows()), mesh.triangles.data(), mesh.triangles.size(),
                    [](std::int64_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; });
}

EdgeTable find_edges(const PolygonMesh& mesh) {
  std::vector<std::int64_t> next(mesh.corners.size());
  for (std::size_t f = 0; f + 1 < mesh.offsets.size(); ++f) {
    for (std::int64_t c = mesh.offsets[f]; c < mesh.offsets[f + 1]; ++c) next[c] = c + 1;
    if (mesh.offsets[f] < mesh.offsets[f + 1]) next[mesh.offsets[f + 1] - 1] = mesh.offsets[f];
  }
  return find_edges(static_cast<Index>(mesh.points.rows()), mesh.corners.data(),
                    static_cast<std::int64_t>(mesh.corners.size()),
                    [&](std::int64_t corner) { return next[corner]; });
}

}  // namespace geodome::internal
