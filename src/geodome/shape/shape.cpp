#include "geodome/shape/shape.h"

namespace geodome {
namespace {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
// The guide that C++20 implies for such a class; clang before version 17 does not make it.
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

Index vertex_count(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Graph& graph) { return graph.vertices; },
                 [](const Samples& samples) { return static_cast<Index>(samples.values.rows()); },
                 [](const auto& other) { return static_cast<Index>(other.points.rows()); }},
      shape);
}

std::int64_t face_count(const Shape& shape) {
  return std::visit(
      Overloaded{[](const TriangleMesh& mesh) { return static_cast<std::int64_t>(mesh.triangles.rows()); },
                 [](const PolygonMesh& mesh) { return static_cast<std::int64_t>(mesh.offsets.size()) - 1; },
                 [](const Graph& graph) { return static_cast<std::int64_t>(graph.edges.size()); },
                 [](const auto&) { return std::int64_t{0}; }},
      shape);
}

RowMatrix<double> positions_of(const Shape& shape) {
  return std::visit(Overloaded{[](const Graph&) { return RowMatrix<double>(); },
                               [](const Samples& samples) { return samples.values; },
                               [](const auto& other) { return RowMatrix<double>(other.points); }},
                    shape);
}

std::string kind_name(const Shape& shape) {
  static const char* const names[] = {"triangle mesh", "polygon mesh", "point cloud", "graph", "samples"};
  return names[shape.index()];
}

}  // namespace geodome
