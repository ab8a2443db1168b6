/// Exact distances against CGAL's implementation of the same definition.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Surface_mesh_shortest_path.h>
#include <gtest/gtest.h>

#include "geodesic/exact/exact_shapes.h"
#include "geodome/geodesic/exact/exact.h"

namespace geodome::testing {

using namespace internal;

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using ShortestPath = CGAL::Surface_mesh_shortest_path<CGAL::Surface_mesh_shortest_path_traits<Kernel, Mesh>>;

Vector oracle_distances(const TriangleMesh& input, Index source) {
  Mesh mesh;
  std::vector<Mesh::Vertex_index> vertices;
  for (Index v = 0; v < input.points.rows(); ++v)
    vertices.push_back(mesh.add_vertex({input.points(v, 0), input.points(v, 1), input.points(v, 2)}));
  for (Index f = 0; f < input.triangles.rows(); ++f)
    mesh.add_face(vertices[input.triangles(f, 0)], vertices[input.triangles(f, 1)],
                  vertices[input.triangles(f, 2)]);
  ShortestPath paths(mesh);
  paths.add_source_point(vertices[source]);
  Vector result(input.points.rows());
  for (Index v = 0; v < result.size(); ++v) {
    const double distance = paths.shortest_distance_to_source_points(vertices[v]).first;
    result[v] = distance < 0 ? infinity : distance;
  }
  return result;
}

TEST(ExactOracle, AgreesToNineDigits) {
  const TriangleMesh shapes[] = {make_sphere(6),
                                 roughened(make_sphere(9), 0.15, 0.02),
                                 roughened(make_plane(20, 20), 0.1, 0.015),
                                 roughened(make_cylinder(20, 12), 0.2, 0.03),
                                 roughened(make_torus(30, 14), 0.15, 0.03),
                                 split_at_midpoints(roughened(make_sphere(4), 0.2, 0.05)),
                                 joined(roughened(make_sphere(4), 0.2, 0.05), make_plane(4, 4))};
  for (const TriangleMesh& mesh : shapes) {
    const ExactSolver solver(mesh);
    for (const Index source : {Index{0}, solver.size() / 3}) {
      const Vector expected = oracle_distances(mesh, source), found = distances_from(solver, source);
      for (Index v = 0; v < solver.size(); ++v) {
        if (expected[v] == infinity)
          ASSERT_EQ(found[v], infinity);
        else
          ASSERT_NEAR(found[v], expected[v], 1e-9 * expected[v]) << source << " to " << v;
      }
    }
  }
}

}  // namespace
}  // namespace geodome::testing
