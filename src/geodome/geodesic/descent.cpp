#include "geodome/geodesic/descent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/geodesic/exact/windows.h"

namespace geodome::internal {
namespace {

/// A path that crosses an edge within this part of its length from an end goes through the end, if that is
/// lower. Around a vertex to which all gradients point it would otherwise come closer for ever.
constexpr double snap = 1e-3;
/// A path is pulled straight again while that shortens it by more than this part of its length.
constexpr double worthwhile = 1e-6;
/// Each time the band of triangles moves by one or two triangles: enough for paths far from straight.
constexpr int most_bands = 50;

/// Where a path leaves a triangle: `at` along this half-edge of it.
struct Crossing {
  Index half_edge = -1;
  double at = 0;
  double value = infinity;
};

/// Neighbours of the apex of a half-edge in its triangle.
std::array<Neighbour, 2> sides_at_apex(const HalfEdge& edge) {
  return {{{edge.a, edge.a_apex}, {edge.b, edge.b_apex}}};
}

/// Follows one path, from its target to its source.
class Descent {
 public:
  Descent(const HalfEdges& edges, std::span<const double> values, Index source)
      : edges_(edges), values_(values), source_(source) {}

  std::vector<EdgePoint> from(Index target) {
    Index here = target;
    add_vertex(here);
    while (here != source_) {
      here = leave(here);
      add_vertex(here);
    }
    std::reverse(points_.begin(), points_.end());
    return std::move(points_);
  }

 private:
  /// Where a vertex is left in the steepest direction, and how steep that is.
  struct Way {
    double slope = 0;
    Index vertex = -1;  ///< along the edge to this one, or
    Crossing crossing;  ///< through a triangle
  };

  void add_vertex(Index vertex) { points_.push_back({vertex, vertex, 0}); }

  double value_at(const HalfEdge& edge, double at) const {
    return std::lerp(values_[edge.a], values_[edge.b], at / edge.length);  // never beyond either
  }

  /// The direction of steepest descent in the plane of the half-edge, as long as it is steep.
  Eigen::Vector2d downhill(const HalfEdge& edge) const {
    const double along = (values_[edge.b] - values_[edge.a]) / edge.length;
    const double away = (values_[edge.apex] - values_[edge.a] - along * edge.x) / edge.y;
    return {-along, -away};
  }

  /// Goes on from a vertex and returns the next vertex on the path, with all crossings up to it added.
  Index leave(Index vertex) {
    Way best;
    for (const Index h : edges_.corners(vertex)) {
      const HalfEdge& edge = edges_[h];
      if (edge.a == source_ || edge.b == source_) return source_;
      for (const Neighbour& end : sides_at_apex(edge)) {
        const double slope = (values_[vertex] - values_[end.vertex]) / end.distance;
        if (slope > best.slope) best = {slope, end.vertex, {}};
      }
      through_opposite_side(h, best);
    }
    if (best.crossing.half_edge >= 0) return follow(best.crossing);
    return best.vertex >= 0 ? best.vertex : escape(vertex);
  }

  /// From the apex of h across its triangle, if that is steeper than the best way so far.
  void through_opposite_side(Index h, Way& best) const {
    const HalfEdge& edge = edges_[h];
    const Eigen::Vector2d down = downhill(edge);
    if (!(down.y() < 0 && down.norm() > best.slope)) return;
    const double at = edge.x - down.x() / down.y() * edge.y;
    if (!(at > snap * edge.length && at < (1 - snap) * edge.length)) return;
    const double value = value_at(edge, at);
    if (value < values_[edge.apex]) best = {down.norm(), -1, {h, at, value}};
  }

  /// Follows a path over edges until it meets a vertex, which is returned.
  Index follow(Crossing here) {
    for (Index crossed = 0; crossed < edges_.size(); ++crossed) {
      const HalfEdge& edge = edges_[here.half_edge];
      points_.push_back({edge.a, edge.b, here.at / edge.length});
      if (edge.a == source_ || edge.b == source_) return source_;
      Crossing next;
      double steepest = 0;
      for (Index h = edge.next; h != here.half_edge; h = edges_[h].next) {
        if (edges_[h].apex == source_) return source_;
        across(h, edges_[h].a == edge.a ? here.at : edge.length - here.at, here.value, next, steepest);
      }
      if (next.half_edge < 0) break;
      here = next;
      const HalfEdge& out = edges_[here.half_edge];
      const bool at_a = here.at <= snap * out.length, at_b = here.at >= (1 - snap) * out.length;
      if (const Index end = at_a ? out.a : out.b; (at_a || at_b) && values_[end] < here.value) return end;
    }
    const HalfEdge& edge = edges_[here.half_edge];
    return values_[edge.a] < values_[edge.b] ? edge.a : edge.b;
  }

  /// From `at` on h into its triangle and to one of its other sides, if that is steeper than before and
  /// descends.
  void across(Index h, double at, double value, Crossing& next, double& steepest) const {
    const HalfEdge& edge = edges_[h];
    const Eigen::Vector2d down = downhill(edge), apex(edge.x - at, edge.y);
    if (!(down.y() > 0 && down.norm() > steepest)) return;
    const bool left = apex.x() * down.y() - apex.y() * down.x() > 0;
    const Index out = left ? HalfEdges::left_of(h) : HalfEdges::right_of(h);
    const Eigen::Vector2d base = left ? apex : Eigen::Vector2d(edge.length - at, 0);
    const Eigen::Vector2d side =
        left ? Eigen::Vector2d(-edge.x, -edge.y) : Eigen::Vector2d(edge.x - edge.length, edge.y);
    const double part =
        (base.x() * down.y() - base.y() * down.x()) / (down.x() * side.y() - down.y() * side.x());
    if (!(std::abs(part) < infinity)) return;
    const double there = std::clamp(part, 0.0, 1.0) * edges_[out].length;
    const double lower = value_at(edges_[out], there);
    if (!(lower < value)) return;
    next = {out, there, lower};
    steepest = down.norm();
  }

  /// Along edges to the nearest vertex with a smaller value, which is returned.
  Index escape(Index vertex) {
    std::unordered_map<Index, Neighbour> before{{vertex, {-1, 0}}};
    DistanceHeap heap;
    heap.push(vertex, 0);
    while (!heap.empty()) {
      const Neighbour near = heap.pop();
      if (near.distance > before[near.vertex].distance) continue;
      if (near.vertex == source_ || values_[near.vertex] < values_[vertex]) {
        const std::size_t first = points_.size();
        for (Index v = before[near.vertex].vertex; v != vertex; v = before[v].vertex) add_vertex(v);
        std::reverse(points_.begin() + static_cast<std::ptrdiff_t>(first), points_.end());
        return near.vertex;
      }
      for (const Index h : edges_.corners(near.vertex))
        for (const Neighbour& end : sides_at_apex(edges_[h])) {
          const double distance = near.distance + end.distance;
          const auto [place, isnew] = before.try_emplace(end.vertex, Neighbour{near.vertex, distance});
          if (!isnew && !(distance < place->second.distance)) continue;
          place->second = {near.vertex, distance};
          heap.push(end.vertex, distance);
        }
    }
    throw NumericalError("no path: the two ends are not connected");
  }

  const HalfEdges& edges_;
  std::span<const double> values_;
  Index source_;
  std::vector<EdgePoint> points_;
};

/// The triangles at all vertices of the edges that a path crosses and at those it passes, with vertices of
/// their own numbers.
struct Band {
  Points points;
  Triangles triangles;
  std::vector<Index> vertex;  ///< on the surface

  Index number(Index on_surface) const {
    return static_cast<Index>(std::lower_bound(vertex.begin(), vertex.end(), on_surface) - vertex.begin());
  }
};

void sort_and_unite(std::vector<Index>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

Band band_around(const Surface& surface, const HalfEdges& edges, std::span<const EdgePoint> path) {
  std::vector<Index> on_path, faces;
  for (const EdgePoint& point : path) on_path.insert(on_path.end(), {point.a, point.b});
  sort_and_unite(on_path);
  for (const Index v : on_path)
    for (const Index h : edges.corners(v)) faces.push_back(h / 3);
  sort_and_unite(faces);
  Band band;
  for (const Index f : faces)
    for (int k = 0; k < 3; ++k) band.vertex.push_back(surface.triangles(f, k));
  sort_and_unite(band.vertex);
  band.points = surface.points(band.vertex, Eigen::all);
  band.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k)
      band.triangles(static_cast<Eigen::Index>(f), k) = band.number(surface.triangles(faces[f], k));
  return band;
}

std::vector<EdgePoint> shortest_in(const Band& band, Index source, Index target) {
  const HalfEdges edges(band.points, band.triangles);
  WindowPropagation windows(edges);
  const Index from = band.number(source), to = band.number(target);
  windows.run_to(from, std::span(&to, 1));
  std::vector<EdgePoint> path = trace_back(edges, windows, from, to);
  for (EdgePoint& point : path) point = {band.vertex[point.a], band.vertex[point.b], point.part};
  return path;
}

}  // namespace

std::vector<EdgePoint> descend(const HalfEdges& edges, std::span<const double> values, Index source,
                               Index target) {
  return Descent(edges, values, source).from(target);
}

double length_of(const Points& points, std::span<const EdgePoint> path) {
  const auto position = [&](const EdgePoint& point) -> Eigen::RowVector3d {
    return (1 - point.part) * points.row(point.a) + point.part * points.row(point.b);
  };
  double length = 0;
  for (std::size_t p = 1; p < path.size(); ++p) length += (position(path[p]) - position(path[p - 1])).norm();
  return length;
}

std::vector<EdgePoint> straightened(const Surface& surface, const HalfEdges& edges,
                                    std::vector<EdgePoint> path) {
  if (path.size() < 3) return path;
  const Index source = path.front().a, target = path.back().a;
  for (int k = 0; k < most_bands; ++k) {
    const double length = length_of(surface.points, path);
    std::vector<EdgePoint> shorter;
    try {
      shorter = shortest_in(band_around(surface, edges, path), source, target);
    } catch (const NumericalError&) {
      return path;  // among slivers, where no exact path can be traced either
    }
    const double now = length_of(surface.points, shorter);
    if (now < length) path = std::move(shorter);
    if (!(now < length * (1 - worthwhile))) break;
  }
  return path;
}

}  // namespace geodome::internal
