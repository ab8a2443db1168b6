#include "geodome/geodesic/factory.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/heat.h"
#include "geodome/geodesic/kept_rows.h"
#include "geodome/geodesic/marching/bias.h"
#include "geodome/geodesic/marching/carried.h"
#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/laplacian/cloud_mesh.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/laplacian/neighbours.h"
#include "geodome/shape/mask.h"
#include "geodome/shape/triangulate.h"
#include "geodome/shape/unit.h"

namespace geodome {

using namespace internal;

namespace {

constexpr GeodesicMethodName methods[] = {
    {GeodesicMethod::automatic, "auto",
     "exact on small surfaces and for few sources, otherwise marching; edges on graphs and samples"},
    {GeodesicMethod::fast_marching, "marching", "fast marching; error of a few tenths of a per cent"},
    {GeodesicMethod::fast_marching_1ring, "marching-1ring",
     "fast marching with a smaller stencil; slightly faster on some processors, about 70 per cent more "
     "error"},
    {GeodesicMethod::carried, "carried",
     "fast marching in which every vertex stores the origin of its path; slower, error of about 0.05 per "
     "cent"},
    {GeodesicMethod::exact, "exact", "exact shortest paths on the triangles"},
    {GeodesicMethod::heat, "heat", "heat method; error of a few per cent"},
    {GeodesicMethod::graph, "edges", "shortest paths along edges"},
};

bool is_surface(const Shape& shape) {
  return !std::holds_alternative<Graph>(shape) && !std::holds_alternative<Samples>(shape);
}

void require_suitable(const Shape& shape, GeodesicMethod method) {
  if (is_surface(shape) || method == GeodesicMethod::automatic || method == GeodesicMethod::graph) return;
  throw InputError(
      text("the geodesic method '", geodesic_method_name(method), "' requires a surface, and this shape is ",
           std::holds_alternative<Graph>(shape) ? "a graph" : "a set of samples", ": use 'edges' or 'auto'"));
}

/// An edge from every point to each of its nearest neighbours.
Graph neighbour_graph(const Eigen::Ref<const RowMatrix<double>>& points, const GeodesicOptions& options,
                      const Execution& execution) {
  Graph graph;
  graph.vertices = static_cast<Index>(points.rows());
  const Neighbours found = nearest_neighbours(points, options.neighbours, options.seed, execution);
  graph.edges.reserve(static_cast<std::size_t>(found.vertex.size()));
  for (Index v = 0; v < found.vertex.rows(); ++v)
    for (Index k = 0; k < found.vertex.cols(); ++k)
      graph.edges.push_back({v, found.vertex(v, k), found.distance(v, k)});
  return graph;
}

struct EdgesOf {
  const GeodesicOptions& options;
  const Execution& execution;

  Graph operator()(const TriangleMesh& mesh) const {
    return {static_cast<Index>(mesh.points.rows()), face_edges(mesh), {}};
  }
  Graph operator()(const PolygonMesh& mesh) const {
    return {static_cast<Index>(mesh.points.rows()), face_edges(mesh), {}};
  }
  Graph operator()(const PointCloud& cloud) const {
    return neighbour_graph(cloud.points, options, execution);
  }
  Graph operator()(const Graph& graph) const { return {graph.vertices, graph.edges, {}}; }
  Graph operator()(const Samples& samples) const {
    return neighbour_graph(samples.values, options, execution);
  }
};

/// Triangulated in a unit in which products of lengths neither vanish nor overflow.
TriangleMesh cloud_surface(const PointCloud& cloud, const Execution& execution) {
  const double unit = unit_of(cloud);
  const Index neighbours = LaplacianOptions{}.cloud_neighbours;
  if (unit == 1) return triangulate_cloud(cloud, neighbours, execution);
  TriangleMesh mesh = triangulate_cloud(std::get<PointCloud>(in_units(cloud, unit)), neighbours, execution);
  mesh.points = cloud.points;
  return mesh;
}

TriangleMesh surface_of(const Shape& shape, const Execution& execution) {
  if (const auto* polygons = std::get_if<PolygonMesh>(&shape)) return triangulate(*polygons);
  if (const auto* cloud = std::get_if<PointCloud>(&shape)) return cloud_surface(*cloud, execution);
  return std::get<TriangleMesh>(shape);
}

/// Masked after it was made: points of a cloud and samples must not be joined across a gap only because what
/// lies between is left out.
template <typename Kind>
Kind masked(Kind shape, const std::vector<char>& keep) {
  if (keep.empty()) return shape;
  return std::get<Kind>(apply_mask(std::move(shape), keep));
}

GeodesicMethod resolve(bool surface, Index vertices, const GeodesicOptions& options) {
  if (options.method != GeodesicMethod::automatic) return options.method;
  if (!surface) return GeodesicMethod::graph;
  const bool few = options.expected_sources > 0 &&
                   options.expected_sources <= static_cast<std::size_t>(rows_for_bias(vertices));
  return vertices <= options.exact_up_to || few ? GeodesicMethod::exact : GeodesicMethod::fast_marching;
}

}  // namespace

std::span<const GeodesicMethodName> geodesic_methods() {
  return methods;
}

GeodesicMethod geodesic_method(std::string_view name) {
  std::string all;
  for (const GeodesicMethodName& entry : methods) {
    if (name == entry.name) return entry.method;
    all += (all.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InputError(text("unknown geodesic method '", name, "': use one of ", all));
}

std::string_view geodesic_method_name(GeodesicMethod method) {
  for (const GeodesicMethodName& entry : methods)
    if (entry.method == method) return entry.name;
  throw InputError(text("unknown geodesic method number ", static_cast<int>(method)));
}

Paths internal::make_paths(const Shape& shape, const GeodesicOptions& options, const Execution& execution) {
  require_suitable(shape, options.method);
  if (is_surface(shape) && options.method != GeodesicMethod::graph)
    return masked(surface_of(shape, execution), options.keep);
  const Graph graph = masked(std::visit(EdgesOf{options, execution}, shape), options.keep);
  return make_adjacency(graph.vertices, graph.edges);
}

PathDomain internal::make_path_domain(const Shape& shape, const GeodesicOptions& options,
                                      const Execution& execution) {
  Paths paths = make_paths(shape, options, execution);
  if (auto* adjacency = std::get_if<Adjacency>(&paths)) return {std::move(*adjacency)};
  MeshPaths triangles{std::move(std::get<TriangleMesh>(paths)), {}};
  triangles.surface = prepare_surface(triangles.mesh);
  return {std::move(triangles)};
}

GeodesicMethod internal::resolve_method(const PathDomain& domain, const GeodesicOptions& options) {
  const auto* paths = std::get_if<MeshPaths>(&domain.paths);
  return resolve(paths != nullptr, paths ? static_cast<Index>(paths->mesh.points.rows()) : 0, options);
}

GeodesicMethod internal::resolve_method(const Shape& shape, const GeodesicOptions& options) {
  return resolve(is_surface(shape), vertex_count(shape), options);
}

GeodesicMethod internal::exact_method(const Shape& shape) {
  const bool edges_only = std::holds_alternative<Graph>(shape) || std::holds_alternative<Samples>(shape);
  return edges_only ? GeodesicMethod::graph : GeodesicMethod::exact;
}

std::unique_ptr<GeodesicSolver> internal::make_solver(PathDomain domain, const GeodesicOptions& options,
                                                      const Execution& execution) {
  const GeodesicMethod method = resolve_method(domain, options);
  if (auto* adjacency = std::get_if<Adjacency>(&domain.paths)) {
    if (method != GeodesicMethod::graph)
      throw InputError(text("the geodesic method '", geodesic_method_name(method),
                            "' requires a surface, and these paths run along edges: use 'edges' or 'auto'"));
    return std::make_unique<DijkstraSolver>(std::move(*adjacency));
  }
  auto& [mesh, surface] = std::get<MeshPaths>(domain.paths);
  if (method != GeodesicMethod::graph && method != GeodesicMethod::automatic) mesh = {};  // not needed
  switch (method) {
    case GeodesicMethod::fast_marching:
      return std::make_unique<FastMarching>(std::move(surface), FastMarchingOptions{.ring = 2}, execution);
    case GeodesicMethod::fast_marching_1ring:
      return std::make_unique<FastMarching>(std::move(surface), FastMarchingOptions{.ring = 1}, execution);
    case GeodesicMethod::carried:
      return std::make_unique<CarriedMarching>(std::move(surface));
    case GeodesicMethod::exact:
      return std::make_unique<ExactSolver>(std::move(surface));
    case GeodesicMethod::heat:
      return std::make_unique<HeatSolver>(std::move(surface));
    case GeodesicMethod::graph:
    case GeodesicMethod::automatic:
      break;
  }
  return std::make_unique<DijkstraSolver>(
      make_adjacency(static_cast<Index>(mesh.points.rows()), face_edges(mesh)));
}

std::unique_ptr<GeodesicSolver> make_solver(const Shape& shape, const GeodesicOptions& options,
                                            const Execution& execution) {
  return make_solver(make_path_domain(shape, options, execution), options, execution);
}

std::vector<std::string> internal::solver_warnings(const GeodesicSolver& solver) {
  if (const auto* kept = dynamic_cast<const KeptRows*>(&solver)) return solver_warnings(kept->solver());
  const auto* exact = dynamic_cast<const ExactSolver*>(&solver);
  if (exact == nullptr || exact->incomplete_runs() == 0) return {};
  return {text(counted(exact->incomplete_runs(), "row", "rows"),
               " with upper bounds instead of exact distances: triangles of extreme aspect ratio led to too "
               "many windows; use another geodesic method, or remesh the shape")};
}

}  // namespace geodome
