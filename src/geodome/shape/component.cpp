#include "geodome/shape/component.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

/// The new number of every vertex, or -1 for those that go.
std::vector<Index> number_largest(const FaceView& faces, Index vertices) {
  DisjointSets sets(vertices);
  std::vector<char> referenced(static_cast<std::size_t>(vertices), 0);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (out_of_range(faces[f], vertices))
      throw InputError(text("face ", f, " refers to a vertex outside 0 ... ", vertices - 1));
    for (const Index corner : faces[f]) {
      referenced[corner] = 1;
      sets.unite(faces[f][0], corner);
    }
  }
  std::vector<Index> members(static_cast<std::size_t>(vertices), 0);
  for (Index v = 0; v < vertices; ++v)
    if (referenced[v]) ++members[sets.find(v)];
  std::int64_t largest = -1;
  for (Index v = 0; v < vertices; ++v)
    if (referenced[v] && (largest < 0 || members[sets.find(v)] > members[largest])) largest = sets.find(v);

  std::vector<Index> number(static_cast<std::size_t>(vertices), -1);
  Index count = 0;
  for (Index v = 0; v < vertices; ++v)
    if (referenced[v] && sets.find(v) == largest) number[v] = count++;
  return number;
}

Points keep_points(const Points& points, const std::vector<Index>& number) {
  const auto count = std::count_if(number.begin(), number.end(), [](Index n) { return n >= 0; });
  Points kept(count, 3);
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] >= 0) kept.row(number[v]) = points.row(static_cast<Eigen::Index>(v));
  return kept;
}

TriangleMesh keep(const TriangleMesh& mesh, const std::vector<Index>& number) {
  TriangleMesh result{keep_points(mesh.points, number), Triangles(mesh.triangles.rows(), 3)};
  Eigen::Index count = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    if (number[mesh.triangles(f, 0)] < 0) continue;
    for (int k = 0; k < 3; ++k) result.triangles(count, k) = number[mesh.triangles(f, k)];
    ++count;
  }
  result.triangles.conservativeResize(count, 3);
  return result;
}

PolygonMesh keep(const PolygonMesh& mesh, const std::vector<Index>& number) {
  PolygonMesh result;
  result.points = keep_points(mesh.points, number);
  const FaceView faces(mesh);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (faces[f].empty() || number[faces[f][0]] < 0) continue;
    for (const Index corner : faces[f]) result.corners.push_back(number[corner]);
    result.offsets.push_back(static_cast<std::int64_t>(result.corners.size()));
  }
  return result;
}

template <typename Mesh>
Shape largest_of(const Mesh& mesh) {
  if (FaceView(mesh).size() == 0) throw InputError("the mesh has no faces, so it has no largest component");
  return keep(mesh, number_largest(FaceView(mesh), static_cast<Index>(mesh.points.rows())));
}

}  // namespace

Shape largest_component(const Shape& shape) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return largest_of(*mesh);
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape)) return largest_of(*mesh);
  throw InputError(text("the largest component requires a mesh, got a ", kind_name(shape)));
}

}  // namespace geodome::internal
