#pragma once
/// Graphs for tests: random ones with every oddity a file may hold.

#include <random>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::testing {

/// A random graph with zero-length edges, repeated edges of different lengths and self-loops, in several
/// components if `edges` is small; the last vertex has no edge.
inline Graph random_graph(Index vertices, int edges, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph;
  graph.vertices = vertices;
  const auto vertex = [&] { return static_cast<Index>(random() % static_cast<unsigned>(vertices - 1)); };
  for (int e = 0; e < edges; ++e) {
    const Edge edge{vertex(), vertex(),
                    random() % 20 == 0 ? 0.0 : 1 + static_cast<double>(random() % 1000) / 250};
    graph.edges.push_back(edge);
    if (random() % 10 == 0) graph.edges.push_back({edge.b, edge.a, edge.length / 2});
    if (random() % 10 == 0) graph.edges.push_back({edge.a, edge.a, 1});
  }
  return graph;
}

/// `columns` by `rows` vertices with edges of the given length between neighbours; vertex (c, r) is r *
/// columns + c.
inline Graph grid_graph(Index columns, Index rows, double length = 1) {
  Graph graph;
  graph.vertices = columns * rows;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const Index v = r * columns + c;
      if (c + 1 < columns) graph.edges.push_back({v, v + 1, length});
      if (r + 1 < rows) graph.edges.push_back({v, v + columns, length});
    }
  return graph;
}

/// Both graphs side by side, the second one's vertices numbered after the first one's.
inline Graph disjoint_union(Graph first, const Graph& second) {
  for (const Edge& edge : second.edges)
    first.edges.push_back({edge.a + first.vertices, edge.b + first.vertices, edge.length});
  first.vertices += second.vertices;
  return first;
}

}  // namespace geodome::testing
