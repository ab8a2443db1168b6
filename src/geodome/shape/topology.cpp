#include "geodome/shape/topology.h"

#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// A face read from its smallest corner towards the smaller of that corner's two neighbours: two faces with
/// the same cycle of corners, turned or not, read the same.
struct Cycle {
  std::int64_t face = 0;
  std::int32_t start = 0;
  std::int32_t step = 1;

  Index at(std::span<const Index> corners, std::int64_t place) const {
    const auto degree = static_cast<std::int64_t>(corners.size());
    return corners[static_cast<std::size_t>((start + step * place + degree) % degree)];
  }
};

Cycle canonical_cycle(std::span<const Index> corners, std::int64_t face) {
  const auto degree = static_cast<std::int32_t>(corners.size());
  Cycle cycle{face, 0, 1};
  cycle.start = static_cast<std::int32_t>(std::min_element(corners.begin(), corners.end()) - corners.begin());
  const Index next = corners[(cycle.start + 1) % degree],
              previous = corners[(cycle.start + degree - 1) % degree];
  if (previous < next) cycle.step = -1;
  return cycle;
}

/// Negative, zero or positive as one cycle sorts before, with or after the other.
int compare(const FaceView& faces, const Cycle& a, const Cycle& b) {
  const auto left = faces[a.face], right = faces[b.face];
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  const auto degree = static_cast<std::int64_t>(left.size());
  for (std::int64_t place = 1; place < degree; ++place) {
    const Index one = a.at(left, place), other = b.at(right, place);
    if (one != other) return one < other ? -1 : 1;
  }
  return 0;
}

}  // namespace

FaceView::FaceView(const TriangleMesh& mesh)
    : corner_(mesh.triangles.data()), faces_(mesh.triangles.rows()) {}

FaceView::FaceView(const PolygonMesh& mesh)
    : corner_(mesh.corners.data()),
      offsets_(mesh.offsets.data()),
      faces_(std::max<std::int64_t>(0, static_cast<std::int64_t>(mesh.offsets.size()) - 1)) {}

bool out_of_range(std::span<const Index> face, Index vertices) {
  return std::any_of(face.begin(), face.end(), [=](Index v) { return v < 0 || v >= vertices; });
}

bool collapsed(std::span<const Index> face) {
  std::size_t second = 1;
  while (second < face.size() && face[second] == face[0]) ++second;
  for (std::size_t k = second + 1; k < face.size(); ++k)
    if (face[k] != face[0] && face[k] != face[second]) return false;
  return true;
}

VertexCorners::VertexCorners(const Triangles& triangles, Index vertices)
    : first_(static_cast<std::size_t>(vertices) + 1, 0),
      corners_(static_cast<std::size_t>(triangles.size())) {
  const Index* const vertex = triangles.data();
  const auto count = static_cast<Index>(triangles.size());
  for (Index corner = 0; corner < count; ++corner) ++first_[vertex[corner] + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<Index> place(first_.begin(), first_.end() - 1);
  for (Index corner = 0; corner < count; ++corner) corners_[place[vertex[corner]]++] = corner;
}

std::vector<Index> opposite_sides(const Triangles& triangles, const VertexCorners& corners,
                                  const Execution& execution) {
  std::vector<Index> opposite(static_cast<std::size_t>(triangles.size()), -1);
  // Every edge is found by its lower vertex, from the corners there: of each, two sides begin.
  parallel_pieces(corners.vertices(), piece_size, execution, [&](std::int64_t begin, std::int64_t end) {
    std::vector<TriangleSide> sides;
    for (auto v = static_cast<Index>(begin); v < end; ++v) {
      sides.clear();
      for (const Index corner : corners[v]) {
        const Index f = corner / 3, next = (corner + 1) % 3, last = (corner + 2) % 3;
        if (triangles(f, last) >= v) sides.push_back({triangles(f, last), 3 * f + next});
        if (triangles(f, next) >= v) sides.push_back({triangles(f, next), 3 * f + last});
      }
      std::sort(sides.begin(), sides.end());
      // A side from a vertex to itself has been found from both of its corners.
      sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
      for (auto first = sides.begin(), last = first; first != sides.end(); first = last) {
        while (last != sides.end() && last->high == first->high) ++last;
        if (last - first != 2) continue;
        opposite[first->number] = (first + 1)->number;
        opposite[(first + 1)->number] = first->number;
      }
    }
  });
  return opposite;
}

std::vector<Index> opposite_sides(const Triangles& triangles, Index vertices) {
  return opposite_sides(triangles, VertexCorners(triangles, vertices));
}

std::vector<char> find_duplicates(const FaceView& faces, Index vertices, const std::vector<char>& valid) {
  std::vector<std::int64_t> begin(static_cast<std::size_t>(vertices) + 1, 0);
  std::int64_t used = 0;
  for (std::int64_t f = 0; f < faces.size(); ++f)
    if (valid[f]) {
      ++begin[*std::min_element(faces[f].begin(), faces[f].end()) + 1];
      ++used;
    }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Cycle> cycles(static_cast<std::size_t>(used));
  std::vector<std::int64_t> place(begin.begin(), begin.end() - 1);
  for (std::int64_t f = 0; f < faces.size(); ++f)
    if (valid[f]) {
      const Cycle cycle = canonical_cycle(faces[f], f);
      cycles[place[faces[f][cycle.start]]++] = cycle;
    }

  std::vector<char> duplicate(static_cast<std::size_t>(faces.size()), 0);
  for (Index v = 0; v < vertices; ++v) {
    const auto first = cycles.begin() + begin[v], last = cycles.begin() + begin[v + 1];
    std::sort(first, last, [&](const Cycle& a, const Cycle& b) {
      const int order = compare(faces, a, b);
      return order != 0 ? order < 0 : a.face < b.face;
    });
    for (auto cycle = first; cycle != last; ++cycle)
      if (cycle != first && compare(faces, *(cycle - 1), *cycle) == 0) duplicate[cycle->face] = 1;
  }
  return duplicate;
}

DisjointSets::DisjointSets(std::int64_t count) : parent_(static_cast<std::size_t>(count)) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

}  // namespace geodome::internal
