// Graphs as lists of edges, one per line, with 2 columns (a b), 3 (a b length) or 4 (id a b length), the same
// number throughout. Lines of other words may come before the first edge. Vertices are the numbers that
// occur; where they are not 0, 1, 2, … the graph keeps them as labels.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/lines.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

struct NamedEdge {
  std::int64_t a;
  std::int64_t b;
  double length;
};

NamedEdge parse_edge(const LineReader& lines) {
  const auto& words = lines.words();
  const std::size_t first = words.size() == 4 ? 1 : 0;
  NamedEdge edge{0, 0, 1};
  for (std::size_t end : {std::size_t{0}, std::size_t{1}}) {
    if (!parse_integer(words[first + end], end == 0 ? edge.a : edge.b)) {
      lines.fail(text("'", words[first + end].substr(0, 40), "' is not a vertex number"));
    }
  }
  if (words.size() > 2 &&
      (!parse_number(words.back(), edge.length) || !std::isfinite(edge.length) || edge.length < 0)) {
    lines.fail(text("'", words.back().substr(0, 40),
                    "' is not a length: expected a finite number that is not negative"));
  }
  return edge;
}

std::vector<NamedEdge> read_edges(const InputFile& file) {
  LineReader lines(file);
  std::vector<NamedEdge> edges;
  std::vector<double> values;
  std::size_t columns = 0;
  while (lines.next()) {
    if (columns == 0 && !lines.numbers(values)) continue;
    const std::size_t count = lines.words().size();
    if (count < 2 || count > 4) {
      lines.fail(text("an edge has 2 columns (a b), 3 (a b length) or 4 (id a b length), not ", count));
    }
    if (columns != 0 && count != columns) {
      lines.fail(text(count, " columns, but the edges before have ", columns));
    }
    columns = count;
    edges.push_back(parse_edge(lines));
  }
  if (edges.empty()) lines.fail("there are no edges in the file");
  return edges;
}

}  // namespace

Match recognise_edge_list(const InputFile& file) {
  const TextLook look = look_at_text(file);
  const bool fits = look.columns >= 2 && look.columns <= 4 && look.integers >= (look.columns == 4 ? 3 : 2);
  return fits && !look.commas ? Match::possible : Match::no;
}

Shape read_edge_list(const InputFile& file) {
  const std::vector<NamedEdge> named = read_edges(file);
  std::vector<std::int64_t> labels;
  labels.reserve(2 * named.size());
  for (const NamedEdge& edge : named) labels.insert(labels.end(), {edge.a, edge.b});
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (labels.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw FileError(text("'", file.path, "' has ", labels.size(), " vertices, more than ",
                         std::numeric_limits<Index>::max()));
  }

  Graph graph;
  graph.vertices = static_cast<Index>(labels.size());
  graph.edges.reserve(named.size());
  const auto index_of = [&](std::int64_t label) {
    return static_cast<Index>(std::lower_bound(labels.begin(), labels.end(), label) - labels.begin());
  };
  for (const NamedEdge& edge : named)
    graph.edges.push_back({index_of(edge.a), index_of(edge.b), edge.length});
  const bool plain = labels.front() == 0 && labels.back() == graph.vertices - 1;
  if (!plain) graph.labels = std::move(labels);
  return graph;
}

}  // namespace geodome::internal
