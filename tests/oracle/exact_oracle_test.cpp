/// Exact distances and paths against CGAL's implementation of the same definitions.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Surface_mesh_shortest_path.h>
#include <gtest/gtest.h>

#include "geodesic/exact/exact_shapes.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/path.h"

namespace geodome::testing {

using namespace internal;

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using OraclePath = CGAL::Surface_mesh_shortest_path<CGAL::Surface_mesh_shortest_path_traits<Kernel, Mesh>>;

std::vector<Mesh::Vertex_index> copy_mesh(const TriangleMesh& input, Mesh& mesh) {
  std::vector<Mesh::Vertex_index> vertices;
  for (Index v = 0; v < input.points.rows(); ++v)
    vertices.push_back(mesh.add_vertex({input.points(v, 0), input.points(v, 1), input.points(v, 2)}));
  for (Index f = 0; f < input.triangles.rows(); ++f)
    mesh.add_face(vertices[input.triangles(f, 0)], vertices[input.triangles(f, 1)],
                  vertices[input.triangles(f, 2)]);
  return vertices;
}

Vector oracle_distances(const TriangleMesh& input, Index source) {
  Mesh mesh;
  const std::vector<Mesh::Vertex_index> vertices = copy_mesh(input, mesh);
  OraclePath paths(mesh);
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

/// The length of CGAL's polyline from `source` to each target.
std::vector<double> oracle_path_lengths(const TriangleMesh& input, Index source,
                                        const std::vector<Index>& targets) {
  Mesh mesh;
  const std::vector<Mesh::Vertex_index> vertices = copy_mesh(input, mesh);
  OraclePath paths(mesh);
  paths.add_source_point(vertices[source]);
  std::vector<double> lengths;
  for (const Index target : targets) {
    std::vector<Kernel::Point_3> points;
    paths.shortest_path_points_to_source_points(vertices[target], std::back_inserter(points));
    double length = points.empty() ? infinity : 0;
    for (std::size_t p = 1; p < points.size(); ++p)
      length += std::sqrt(CGAL::squared_distance(points[p - 1], points[p]));
    lengths.push_back(length);
  }
  return lengths;
}

TEST(PathOracle, AgreesToNineDigits) {
  for (const TriangleMesh& mesh :
       {roughened(make_sphere(7), 0.15, 0.02), roughened(make_torus(24, 12), 0.15, 0.03),
        roughened(make_plane(14, 14), 0.1, 0.015)}) {
    std::vector<Index> targets;
    std::vector<SurfacePoint> to;
    for (Index v = 1; v < mesh.points.rows(); v += 17) {
      targets.push_back(v);
      to.emplace_back(v);
    }
    const std::vector<double> expected = oracle_path_lengths(mesh, 0, targets);
    const std::vector<ShortestPath> found = shortest_paths(mesh, SurfacePoint(0), to);
    for (std::size_t t = 0; t < targets.size(); ++t)
      EXPECT_NEAR(found[t].length, expected[t], 1e-9 * expected[t]) << targets[t];
  }
}

}  // namespace
}  // namespace geodome::testing
