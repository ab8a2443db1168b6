#include "geodome/geodesic/coarse_marching.h"

#include <algorithm>
#include <utility>

#include "geodome/shape/resample/half_edge_collapse.h"

namespace geodome::internal {
namespace {

/// Fewer vertices are seldom more than their shape needs, and marching on them takes next to no time.
constexpr Index fewest_vertices = 80000;
/// Of a row less the search for a mesh is not paid back.
constexpr Index fewest_rows = 500;
/// Landmarks cannot go: with fewer vertices for each, meshes would hardly become coarser between them, and
/// their triangles thin.
constexpr Index vertices_per_landmark = 4;
/// Where topology or thin triangles stop the collapse early the next level would be the same mesh.
constexpr double largest_surplus = 1.1;

/// The vertices of a surface that a collapse has left.
Surface rest_of(const Surface& surface, const HalfEdgeCollapse& collapse, std::vector<Index>& vertices) {
  std::vector<Index> number(static_cast<std::size_t>(surface.points.rows()), -1);
  for (Index v = 0; v < surface.points.rows(); ++v) {
    if (!collapse.has(v)) continue;
    number[v] = static_cast<Index>(vertices.size());
    vertices.push_back(v);
  }
  Surface rest;
  rest.scale = surface.scale;
  rest.points = surface.points(vertices, Eigen::all);
  rest.triangles = collapse.triangles();
  for (Index& corner : rest.triangles.reshaped()) corner = number[corner];
  rest.of_input.reserve(surface.of_input.size());
  for (const Index v : surface.of_input) rest.of_input.push_back(v < 0 ? -1 : number[v]);
  rest.component.assign(vertices.size(), 0);
  rest.components = 1;
  return rest;
}

/// Of exact rows, what they say about some vertices (increasing), which include their sources.
ExactRows at_vertices(const ExactRows& exact, const std::vector<Index>& vertices) {
  ExactRows some;
  for (const Index source : exact.sources)
    some.sources.push_back(
        static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), source) - vertices.begin()));
  some.distances = exact.distances(Eigen::all, vertices);
  return some;
}

/// The triangles of one component.
Triangles triangles_of(const Surface& surface, Index component) {
  std::vector<Index> faces;
  for (Index f = 0; f < surface.triangles.rows(); ++f)
    if (surface.component[surface.triangles(f, 0)] == component) faces.push_back(f);
  return surface.triangles(faces, Eigen::all);
}

}  // namespace

bool coarsening_pays(Index vertices, Index landmarks, Index rows) {
  constexpr std::int64_t quarter = 4;
  return vertices >= fewest_vertices && rows >= fewest_rows &&
         vertices >= quarter * vertices_per_landmark * static_cast<std::int64_t>(landmarks);
}

CoarseMarching march_coarsely(const Surface& surface, const ExactRows& exact,
                              std::span<const Index> landmarks, Index share, const Execution& execution) {
  CoarseMarching result;
  if (exact.sources.empty()) return result;
  const Index component = surface.component[exact.sources[0]];
  std::vector<char> keep(static_cast<std::size_t>(surface.points.rows()), 0);
  for (const Index source : exact.sources) keep[source] = 1;
  std::int64_t kept = 0;
  for (const Index landmark : landmarks) {
    const Index v = surface.of_input[landmark];
    if (v < 0 || surface.component[v] != component) continue;
    keep[v] = 1;
    ++kept;
  }
  HalfEdgeCollapse collapse(surface.points, triangles_of(surface, component), std::move(keep));
  const Index all = collapse.vertices();
  for (Index part = share > 0 ? share : 2;; part *= 2) {
    const Index wanted = all / part;
    if (share == 0 && wanted < vertices_per_landmark * kept) return result;
    collapse.reduce_to(wanted, execution);
    if (share == 0 && collapse.vertices() > largest_surplus * wanted) return result;
    std::vector<Index> vertices;
    Surface rest = rest_of(surface, collapse, vertices);
    auto solver =
        std::make_shared<const FastMarching>(std::move(rest), at_vertices(exact, vertices),
                                             FastMarchingOptions{}, Execution{execution.threads, {}});
    const CoarseMesh mesh{part, static_cast<Index>(vertices.size()), solver->mean_relative_error()};
    result.tried.push_back(mesh);
    if (share == 0 && mesh.mean_relative_error > largest_coarse_error) return result;
    result.mesh = mesh;
    result.solver = std::move(solver);
    if (share > 0) return result;
  }
}

}  // namespace geodome::internal
