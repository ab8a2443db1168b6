#include "geodome/geodesic/path.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/geodesic/descent.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/geodesic/exact/trace.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/split_faces.h"

namespace geodome {

using namespace internal;

namespace {

/// Where surface vertices are on the mesh that the surface was made of. Of vertices at the same place the
/// first stands for all.
class SurfacePlaces {
 public:
  SurfacePlaces(const Surface& surface, const SplitMesh& split)
      : surface_(surface), split_(split), first_(surface.points.rows(), -1) {
    for (Index v = static_cast<Index>(surface.of_input.size()) - 1; v >= 0; --v)
      if (surface.of_input[v] >= 0) first_[surface.of_input[v]] = v;
    // What stands for no input vertex is in the middle between the two others of its triangle.
    for (Index f = 0; f < surface.triangles.rows(); ++f)
      for (int k = 0; k < 3; ++k)
        if (const Index v = surface.triangles(f, k); first_[v] < 0)
          between_[v] = {surface.triangles(f, (k + 1) % 3), surface.triangles(f, (k + 2) % 3)};
  }

  /// With at most three corners of positive weight.
  SurfacePoint place(const EdgePoint& point) const {
    std::map<Index, double> weight;
    add(point.a, point.is_vertex() ? 1 : 1 - point.part, weight);
    if (!point.is_vertex()) add(point.b, point.part, weight);
    std::erase_if(weight, [](const auto& one) { return !(one.second > 0); });
    SurfacePoint result(weight.begin()->first);
    result.weight = {0, 0, 0};
    std::size_t k = 0;
    for (const auto& [vertex, part] : weight) {
      if (k == 3) break;
      result.vertex[k] = vertex;
      result.weight[k++] = part;
    }
    return result;
  }

 private:
  void add(Index v, double part, std::map<Index, double>& weight) const {
    if (first_[v] < 0) {
      const auto [a, b] = between_.at(v);
      add(a, part / 2, weight);
      add(b, part / 2, weight);
      return;
    }
    const SurfacePoint point = split_.place(first_[v]);
    for (int k = 0; k < 3; ++k)
      if (point.weight[k] > 0) weight[first_[surface_.of_input[point.vertex[k]]]] += part * point.weight[k];
  }

  const Surface& surface_;
  const SplitMesh& split_;
  std::vector<Index> first_;
  std::map<Index, std::pair<Index, Index>> between_;
};

/// Leaves out points inside faces, where the path is straight, and points that repeat the one before.
std::vector<SurfacePoint> on_edges(const std::vector<EdgePoint>& traced, const SurfacePlaces& places,
                                   const SurfacePoint& from, const SurfacePoint& to) {
  std::vector<SurfacePoint> points{from};
  for (std::size_t i = 1; i + 1 < traced.size(); ++i) {
    const SurfacePoint point = places.place(traced[i]);
    if (corner_count(point) < 3 && !(point == points.back())) points.push_back(point);
  }
  if (!(points.back() == to) || points.size() == 1) points.push_back(to);
  return points;
}

/// A surface with the ends of paths among its vertices.
struct PathSurface {
  SplitMesh split;
  Surface surface;
  HalfEdges edges;

  PathSurface(TriangleMesh mesh, const std::vector<SurfacePoint>& ends)
      : split(split_at_points(std::move(mesh), ends)),
        surface(prepare_surface(split.mesh)),
        edges(surface.points, surface.triangles) {}

  /// Of the beginning, which is end 0, and of the others.
  Index vertex(std::size_t end) const { return surface.of_input[split.vertex[end]]; }
  bool connected(std::size_t end) const {
    const Index source = vertex(0), target = vertex(end);
    return source >= 0 && target >= 0 && surface.component[target] == surface.component[source];
  }
};

/// From the first end to each of the others: `trace` gives the path to end t, `distance` its distance.
template <typename Trace, typename Distance>
std::vector<ShortestPath> trace_all(const PathSurface& on, const std::vector<SurfacePoint>& ends,
                                    const Execution& execution, const Trace& trace,
                                    const Distance& distance) {
  const SurfacePlaces places(on.surface, on.split);
  std::vector<ShortestPath> paths(ends.size() - 1);
  for (std::size_t t = 1; t < ends.size(); ++t) {
    ShortestPath& path = paths[t - 1];
    if (on.split.vertex[t] == on.split.vertex[0]) {
      path.points = {ends[0]};
      path.distance = 0;
    } else if (on.connected(t)) {
      path.points = on_edges(trace(on.vertex(t)), places, ends[0], ends[t]);
      path.distance = distance(t);
    }
    execution.report("paths", static_cast<double>(t) / static_cast<double>(paths.size()));
  }
  return paths;
}

std::vector<ShortestPath> exact_paths(TriangleMesh mesh, const std::vector<SurfacePoint>& ends) {
  const PathSurface on(std::move(mesh), ends);
  WindowPropagation windows(on.edges);
  std::vector<Index> targets;
  for (std::size_t t = 1; t < ends.size(); ++t)
    if (on.connected(t)) targets.push_back(on.vertex(t));
  const Index source = on.vertex(0);
  if (!targets.empty()) windows.run_to(source, targets);
  return trace_all(
      on, ends, {}, [&](Index target) { return trace_back(on.edges, windows, source, target); },
      [&](std::size_t t) {
        const Surface& surface = on.surface;
        const double chord = (surface.points.row(source) - surface.points.row(on.vertex(t))).norm();
        return surface.scale * std::max(windows.distance(on.vertex(t)), chord);
      });
}

/// Distances from the first end to the vertices of the split mesh: of `solver` on the mesh before it was
/// split, linear on its faces, or, where the path begins off the vertices, of another one on the split mesh.
Vector distances_to_split(const PathSurface& on, const GeodesicSolver* solver, const GeodesicOptions& options,
                          const Execution& execution) {
  const SplitMesh& split = on.split;
  const Index source = split.vertex[0];
  std::unique_ptr<const GeodesicSolver> own;
  if (source >= split.original || solver == nullptr) {
    own = make_solver(PathDomain{MeshPaths{split.mesh, on.surface}}, options, execution);
    solver = own.get();
  }
  RowMatrix<double> row(1, solver->size());
  solver->distances(std::span(&source, 1), row, execution);
  Vector distance(split.original + static_cast<Index>(split.added.size()));
  for (Index v = 0; v < distance.size(); ++v) {
    if (v < solver->size()) {
      distance[v] = row(0, v);
      continue;
    }
    const SurfacePoint place = split.place(v);
    distance[v] = 0;
    for (int k = 0; k < 3; ++k)
      if (place.weight[k] > 0) distance[v] += place.weight[k] * row(0, place.vertex[k]);
  }
  return distance;
}

/// Of every surface vertex, in the unit of the surface. What stands for no input vertex is in the middle
/// between the two others of its triangle.
std::vector<double> on_surface(const Surface& surface, const Vector& distance) {
  std::vector<double> values(static_cast<std::size_t>(surface.points.rows()), infinity);
  for (std::size_t v = 0; v < surface.of_input.size(); ++v)
    if (const Index here = surface.of_input[v]; here >= 0)
      values[here] = distance[static_cast<Eigen::Index>(v)] / surface.scale;
  std::vector<char> known(values.size(), 0);
  for (const Index here : surface.of_input)
    if (here >= 0) known[here] = 1;
  for (Index f = 0; f < surface.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (const Index v = surface.triangles(f, k); !known[v])
        values[v] =
            (values[surface.triangles(f, (k + 1) % 3)] + values[surface.triangles(f, (k + 2) % 3)]) / 2;
  return values;
}

std::vector<ShortestPath> paths_by_descent(TriangleMesh mesh, const std::vector<SurfacePoint>& ends,
                                           const GeodesicSolver* solver, const GeodesicOptions& options,
                                           const Execution& execution) {
  const PathSurface on(std::move(mesh), ends);
  const Vector distance = distances_to_split(on, solver, options, execution);
  const std::vector<double> values = on_surface(on.surface, distance);
  const Index source = on.vertex(0);
  std::vector<ShortestPath> paths = trace_all(
      on, ends, execution,
      [&](Index target) {
        return straightened(on.surface, on.edges, descend(on.edges, values, source, target));
      },
      [&](std::size_t t) { return distance[on.split.vertex[t]]; });
  for (ShortestPath& path : paths) path.exact = false;
  return paths;
}

/// By the last vertex before each: one whose distance and edge give exactly the distance found.
std::vector<SurfacePoint> back_along_edges(const Adjacency& adjacency, const std::vector<double>& distance,
                                           const std::vector<Index>& turn, Index target) {
  std::vector<SurfacePoint> points{SurfacePoint(target)};
  while (turn[target] > 0) {
    Index before = -1;
    for (std::int64_t k = adjacency.offsets[target]; k < adjacency.offsets[target + 1]; ++k) {
      const Index other = adjacency.neighbours[k];
      const bool reached = turn[other] >= 0 && turn[other] < turn[target];
      if (reached && distance[other] + adjacency.lengths[k] == distance[target] &&
          (before < 0 || turn[other] < turn[before]))
        before = other;
    }
    target = before;
    points.emplace_back(target);
  }
  std::reverse(points.begin(), points.end());
  return points;
}

std::vector<ShortestPath> along_edges(const Adjacency& adjacency, const std::vector<SurfacePoint>& ends) {
  for (const SurfacePoint& end : ends)
    if (corner_count(end) != 1)
      throw InputError(
          "paths along edges begin and end at vertices: use a vertex instead of a point in a face");
  std::vector<double> distance(adjacency.size(), infinity);
  std::vector<Index> reached, turn(adjacency.size(), -1);
  DistanceHeap heap;
  lower_distances(adjacency, ends[0].vertex[0], infinity, distance, heap, &reached);
  for (std::size_t i = 0; i < reached.size(); ++i) turn[reached[i]] = static_cast<Index>(i);
  std::vector<ShortestPath> paths(ends.size() - 1);
  for (std::size_t t = 1; t < ends.size(); ++t) {
    const Index target = ends[t].vertex[0];
    if (turn[target] < 0) continue;
    paths[t - 1].points = back_along_edges(adjacency, distance, turn, target);
    paths[t - 1].distance = distance[target];
  }
  return paths;
}

RowMatrix<double> positions_on(const RowMatrix<double>& vertices, const std::vector<SurfacePoint>& points) {
  RowMatrix<double> positions =
      RowMatrix<double>::Zero(static_cast<Eigen::Index>(points.size()), vertices.cols());
  if (vertices.cols() == 0) return positions;
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int k = 0; k < 3; ++k)
      if (points[p].weight[k] > 0)
        positions.row(static_cast<Eigen::Index>(p)) +=
            points[p].weight[k] * vertices.row(points[p].vertex[k]);
  return positions;
}

double polyline_length(const RowMatrix<double>& positions) {
  double length = 0;
  for (Eigen::Index p = 1; p < positions.rows(); ++p)
    length += (positions.row(p) - positions.row(p - 1)).stableNorm();
  return length;
}

/// Whether paths with this method are the shortest, found with the distances themselves.
bool is_exact(GeodesicMethod method) {
  return method == GeodesicMethod::automatic || method == GeodesicMethod::exact ||
         method == GeodesicMethod::graph;
}

std::vector<ShortestPath> find_paths(const Shape& shape, const GeodesicSolver* solver,
                                     const SurfacePoint& from, std::span<const SurfacePoint> to,
                                     const GeodesicOptions& options, const Execution& execution) {
  std::vector<SurfacePoint> ends{normalised(from, vertex_count(shape))};
  for (const SurfacePoint& one : to) ends.push_back(normalised(one, vertex_count(shape)));
  Paths domain = make_paths(shape, options, execution);
  auto* triangles = std::get_if<TriangleMesh>(&domain);
  std::vector<ShortestPath> paths;
  if (triangles && !is_exact(options.method))
    paths = paths_by_descent(std::move(*triangles), ends, solver, options, execution);
  else
    parallel_for(1, execution, "paths", [&](std::size_t, int) {
      paths = triangles ? exact_paths(std::move(*triangles), ends)
                        : along_edges(std::get<Adjacency>(domain), ends);
    });
  const RowMatrix<double> vertices = positions_of(shape);
  for (ShortestPath& path : paths) {
    path.positions = positions_on(vertices, path.points);
    path.length = triangles && !path.points.empty() ? polyline_length(path.positions) : path.distance;
  }
  return paths;
}

}  // namespace

std::vector<ShortestPath> shortest_paths(const Shape& shape, const SurfacePoint& from,
                                         std::span<const SurfacePoint> to, const GeodesicOptions& options,
                                         const Execution& execution) {
  return find_paths(shape, nullptr, from, to, options, execution);
}

std::vector<ShortestPath> shortest_paths(const Shape& shape, const GeodesicSolver& solver,
                                         const SurfacePoint& from, std::span<const SurfacePoint> to,
                                         const GeodesicOptions& options, const Execution& execution) {
  if (solver.size() != vertex_count(shape))
    throw InputError(
        text("the solver is one of ", solver.size(), " vertices, but the shape has ", vertex_count(shape)));
  return find_paths(shape, &solver, from, to, options, execution);
}

ShortestPath shortest_path(const Shape& shape, const SurfacePoint& from, const SurfacePoint& to,
                           const GeodesicOptions& options, const Execution& execution) {
  return std::move(shortest_paths(shape, from, std::span(&to, 1), options, execution).front());
}

}  // namespace geodome
