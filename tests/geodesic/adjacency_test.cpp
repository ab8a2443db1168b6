#include "geodome/geodesic/adjacency.h"

#include <gtest/gtest.h>

#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// A sheet with copies of faces, collapsed ones, a wing and a vertex of its own.
TriangleMesh untidy_sheet(Index side) {
  TriangleMesh mesh = make_plane(side, side);
  const Eigen::Index points = mesh.points.rows(), faces = mesh.triangles.rows();
  mesh.points.conservativeResize(points + 2, 3);
  mesh.points.row(points) << 0.1, 0.2, 0.3;
  mesh.points.row(points + 1) << 1, 2, 3;
  mesh.triangles.conservativeResize(faces + 4, 3);
  mesh.triangles.row(faces) << 2, 1, 0;
  mesh.triangles.row(faces + 1) << mesh.triangles(3, 1), mesh.triangles(3, 0), mesh.triangles(3, 2);
  mesh.triangles.row(faces + 2) << 5, 5, 7;
  mesh.triangles.row(faces + 3) << mesh.triangles(4, 0), mesh.triangles(4, 1), static_cast<Index>(points);
  return mesh;
}

TEST(Adjacency, OfAMeshIsThatOfTheEdgesOfItsFaces) {
  const auto joins = [](Index a, Index b) { return a % 11 != 3 && b % 11 != 3; };
  for (const Index side : {3, 9, 140}) {
    const TriangleMesh mesh = untidy_sheet(side);
    std::vector<Edge> edges = face_edges(mesh);
    std::erase_if(edges, [&](const Edge& edge) { return !joins(edge.a, edge.b); });
    const Adjacency wanted = make_adjacency(static_cast<Index>(mesh.points.rows()), edges);
    for (const int threads : {1, 2, 3}) {
      const Adjacency found = make_adjacency(mesh, joins, Execution{threads, {}});
      EXPECT_EQ(found.offsets, wanted.offsets);
      EXPECT_EQ(found.neighbours, wanted.neighbours);
      EXPECT_EQ(found.lengths, wanted.lengths);
    }
  }
}

}  // namespace
}  // namespace geodome::internal
