#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/writers.h"

namespace geodome::internal {

void write_edge_list(const Graph& graph, AtomicFile& file) {
  std::vector<bool> has_edge(static_cast<std::size_t>(graph.vertices), false);
  for (const Edge& edge : graph.edges)
    has_edge[static_cast<std::size_t>(edge.a)] = has_edge[static_cast<std::size_t>(edge.b)] = true;
  for (std::size_t vertex = 0; vertex < has_edge.size(); ++vertex)
    if (!has_edge[vertex])
      throw InputError(text("an edge list cannot store vertex ", vertex, ", which has no edges: use .mtx"));

  const auto name = [&](Index vertex) {
    return graph.labels.empty() ? std::int64_t{vertex} : graph.labels[static_cast<std::size_t>(vertex)];
  };
  std::string line;
  for (const Edge& edge : graph.edges) {
    line.clear();
    append_number(line, name(edge.a));
    append_number(line, name(edge.b));
    append_number(line, edge.length);
    line += '\n';
    file.write(line);
  }
}

void write_matrix_market(const Graph& graph, AtomicFile& file) {
  if (!graph.labels.empty())
    throw InputError("a Matrix Market file cannot store vertex numbers with gaps: use .edges");
  std::string line = "%%MatrixMarket matrix coordinate real general\n";
  append_number(line, std::int64_t{graph.vertices});
  append_number(line, std::int64_t{graph.vertices});
  append_number(line, static_cast<std::int64_t>(graph.edges.size()));
  line += '\n';
  file.write(line);
  for (const Edge& edge : graph.edges) {
    line.clear();
    append_number(line, std::int64_t{edge.a} + 1);
    append_number(line, std::int64_t{edge.b} + 1);
    append_number(line, edge.length);
    line += '\n';
    file.write(line);
  }
}

}  // namespace geodome::internal
