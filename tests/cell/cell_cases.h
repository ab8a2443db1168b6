#pragma once
/// Small shapes with landmarks and cells.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "geodesic/random_graph.h"
#include "geodome/cell/cell_layout.h"
#include "geodome/geodesic/factory.h"
#include "geodome/landmark/cells.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {

struct CellCase {
  std::string name;
  Adjacency edges;
  std::unique_ptr<GeodesicSolver> solver;
  std::vector<Index> sequence;
  OrderedLandmarks landmarks;
  CellLayout layout;
};

/// Farthest points along edges, the smallest vertex of every component first.
inline std::vector<Index> farthest_points(const Adjacency& edges, Index count) {
  const Components components = find_components(edges);
  std::vector<Index> found;
  for (Index c = 0; c < components.count; ++c)
    found.push_back(
        static_cast<Index>(std::find(components.of_vertex.begin(), components.of_vertex.end(), c) -
                           components.of_vertex.begin()));
  std::vector<double> reach;
  while (static_cast<Index>(found.size()) < count) {
    landmark_cells(edges, found, &reach);
    Index farthest = -1;
    for (Index v = 0; v < edges.size(); ++v)
      if (components.of_vertex[v] >= 0 && std::find(found.begin(), found.end(), v) == found.end() &&
          (farthest < 0 || reach[v] > reach[farthest]))
        farthest = v;
    found.push_back(farthest);
  }
  return found;
}

inline CellCase make_cell_case(std::string name, const Shape& shape, std::vector<Index> sequence) {
  CellCase one;
  one.name = std::move(name);
  if (const auto* graph = std::get_if<Graph>(&shape))
    one.edges = make_adjacency(graph->vertices, graph->edges);
  else
    one.edges = make_adjacency(vertex_count(shape), face_edges(std::get<TriangleMesh>(shape)));
  one.solver = make_solver(shape);
  one.sequence = std::move(sequence);
  one.landmarks = order_landmarks(one.edges, one.sequence);
  one.layout = lay_out_cells(one.edges, one.landmarks, one.sequence);
  return one;
}

inline CellCase make_cell_case(std::string name, const Shape& shape, Index landmarks) {
  const auto* graph = std::get_if<Graph>(&shape);
  const Adjacency edges =
      graph != nullptr ? make_adjacency(graph->vertices, graph->edges)
                       : make_adjacency(vertex_count(shape), face_edges(std::get<TriangleMesh>(shape)));
  return make_cell_case(std::move(name), shape, farthest_points(edges, landmarks));
}

inline std::vector<CellCase> cell_cases() {
  std::vector<CellCase> cases;
  cases.push_back(make_cell_case("sphere", make_sphere(8), 60));
  cases.push_back(make_cell_case("few landmarks", make_torus(40, 16), 9));
  cases.push_back(make_cell_case("one landmark", make_plane(9, 8), 1));
  cases.push_back(make_cell_case("all are landmarks", make_plane(7, 6), 42));
  cases.push_back(make_cell_case("grid", make_grid_graph(14, 11), 30));
  cases.push_back(make_cell_case("path", make_path_graph(200), 21));
  cases.push_back(
      make_cell_case("two components and a stray vertex", apart(make_sphere(5), make_plane(9, 8)), 40));
  cases.push_back(make_cell_case("one landmark each", apart(make_sphere(3), make_plane(5, 4)), 2));
  cases.push_back(make_cell_case("graph of many parts", testing::random_graph(150, 110, 3), 90));
  return cases;
}

}  // namespace geodome::internal
