#include "geodome/baselines/ctg/ctg_triangles.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "geodome/base/threads.h"
#include "geodome/baselines/ctg/unfolding.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

/// A triangle flatter than this lays out its points badly: it is taken only where there is no other.
constexpr double least_roundness = 0.02;
/// Following samples among which the third corner is looked for where the dual has no triangle.
constexpr int repair_samples = 8;

using Corners = std::array<Index, 3>;

double measured_distance(const LandmarkColumns& measured, Index vertex, Index sample) {
  const Index c = measured.order.component[static_cast<std::size_t>(vertex)];
  return measured.C(vertex, sample - measured.first(c));
}

CornerDistances corner_distances(const LandmarkColumns& measured, Index vertex, const Corners& corners) {
  CornerDistances result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = measured_distance(measured, vertex, corners[k]);
  return result;
}

PlaneTriangle plane_of(const LandmarkColumns& measured, const Corners& corners) {
  std::array<double, 3> sides;
  for (std::size_t k = 0; k < 3; ++k)
    sides[k] =
        measured_distance(measured, measured.order.vertices[corners[(k + 1) % 3]], corners[(k + 2) % 3]);
  return PlaneTriangle(sides);
}

std::vector<Index> grow_cells(const Adjacency& edges, const LandmarkColumns& measured) {
  using Front = std::tuple<double, Index, Index>;  // distance, sample, vertex: ties to the earlier sample
  std::priority_queue<Front, std::vector<Front>, std::greater<>> front;
  std::vector<Index> cell(measured.order.component.size(), -1);
  for (std::size_t k = 0; k < measured.order.vertices.size(); ++k)
    front.emplace(0.0, static_cast<Index>(k), measured.order.vertices[k]);
  while (!front.empty()) {
    const auto [distance, sample, vertex] = front.top();
    front.pop();
    if (cell[vertex] >= 0) continue;
    cell[vertex] = sample;
    for (std::int64_t e = edges.offsets[vertex]; e < edges.offsets[vertex + 1]; ++e)
      if (const Index next = edges.neighbours[e]; cell[next] < 0)
        front.emplace(measured_distance(measured, next, sample), sample, next);
  }
  return cell;
}

/// The triangles of the dual, and which samples lie beside each other.
struct Dual {
  std::vector<Corners> triangle;
  std::vector<std::vector<Index>> star;        ///< #samples: triangles at it
  std::vector<std::vector<Index>> neighbours;  ///< #samples: those whose cells touch its own
};

Dual dual_of(const Triangles& faces, const Adjacency& edges, const std::vector<Index>& cell,
             std::size_t samples) {
  Dual dual;
  for (Eigen::Index f = 0; f < faces.rows(); ++f) {
    Corners corners{cell[faces(f, 0)], cell[faces(f, 1)], cell[faces(f, 2)]};
    std::sort(corners.begin(), corners.end());
    if (corners[0] >= 0 && corners[0] != corners[1] && corners[1] != corners[2])
      dual.triangle.push_back(corners);
  }
  std::sort(dual.triangle.begin(), dual.triangle.end());
  dual.triangle.erase(std::unique(dual.triangle.begin(), dual.triangle.end()), dual.triangle.end());
  dual.star.resize(samples);
  for (std::size_t t = 0; t < dual.triangle.size(); ++t)
    for (const Index corner : dual.triangle[t]) dual.star[corner].push_back(static_cast<Index>(t));
  dual.neighbours.resize(samples);
  for (Index v = 0; v < edges.size(); ++v)
    for (std::int64_t e = edges.offsets[v]; e < edges.offsets[v + 1]; ++e) {
      const Index here = cell[v], there = cell[edges.neighbours[e]];
      if (here >= 0 && there >= 0 && here != there) dual.neighbours[here].push_back(there);
    }
  for (auto& some : dual.neighbours) {
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
  }
  return dual;
}

/// Vertices at an edge of a single face.
std::vector<char> border_vertices(const Triangles& faces, Index vertices) {
  std::vector<char> border(static_cast<std::size_t>(vertices), 0);
  visit_edges(faces, vertices, [&](Index low, std::span<const TriangleSide> sides) {
    if (sides.size() == 1) border[low] = border[sides.front().high] = 1;
  });
  return border;
}

/// Whether the triangles at a sample form one ring around it, or one fan.
bool whole_star(const Dual& dual, Index sample, bool at_border) {
  const auto& neighbours = dual.neighbours[sample];
  const auto position = [&](Index other) {
    return std::lower_bound(neighbours.begin(), neighbours.end(), other) - neighbours.begin();
  };
  std::vector<std::vector<std::ptrdiff_t>> link(neighbours.size());
  for (const Index t : dual.star[sample]) {
    std::vector<std::ptrdiff_t> others;
    for (const Index corner : dual.triangle[t])
      if (corner != sample) others.push_back(position(corner));
    link[others[0]].push_back(others[1]);
    link[others[1]].push_back(others[0]);
  }
  std::size_t ends = 0;
  for (const auto& beside : link) {
    if (beside.empty() || beside.size() > 2) return false;
    ends += beside.size() == 1;
  }
  if (neighbours.size() < 2 || (ends != 0 && (ends != 2 || !at_border))) return false;
  if (ends == 0 && neighbours.size() < 3) return false;
  std::vector<char> seen(neighbours.size(), 0);
  std::vector<std::ptrdiff_t> todo{0};
  std::size_t reached = 0;
  while (!todo.empty()) {
    const std::ptrdiff_t at = todo.back();
    todo.pop_back();
    if (std::exchange(seen[at], char{1})) continue;
    ++reached;
    todo.insert(todo.end(), link[at].begin(), link[at].end());
  }
  return reached == neighbours.size();
}

std::vector<Index> broken_samples(const Dual& dual, const std::vector<Index>& cell,
                                  const std::vector<char>& border) {
  std::vector<char> at_border(dual.star.size(), 0);
  for (std::size_t v = 0; v < cell.size(); ++v)
    if (cell[v] >= 0 && border[v]) at_border[cell[v]] = 1;
  std::vector<Index> broken;
  for (std::size_t s = 0; s < dual.star.size(); ++s)
    if (!whole_star(dual, static_cast<Index>(s), at_border[s])) broken.push_back(static_cast<Index>(s));
  return broken;
}

/// The nearest samples of a vertex, nearest first.
std::vector<Index> nearest_samples(const LandmarkColumns& measured, Index vertex, std::size_t count) {
  const Index c = measured.order.component[static_cast<std::size_t>(vertex)];
  std::vector<std::pair<float, Index>> order;
  for (Index k = 0; k < measured.count(c); ++k)
    order.emplace_back(measured.C(vertex, k), measured.first(c) + k);
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
  std::vector<Index> result;
  for (std::size_t k = 0; k < count; ++k) result.push_back(order[k].second);
  return result;
}

Corners nearest_corners(const LandmarkColumns& measured, Index vertex) {
  const std::vector<Index> near = nearest_samples(measured, vertex, 2 + repair_samples);
  Corners best{near[0], near[std::min<std::size_t>(1, near.size() - 1)],
               near[near.size() > 2 ? 2 : near.size() - 1]};
  double roundest = -1;
  for (std::size_t k = 2; k < near.size(); ++k) {
    const Corners corners{near[0], near[1], near[k]};
    const double roundness = plane_of(measured, corners).roundness();
    if (roundness > roundest) {
      roundest = roundness;
      best = corners;
    }
  }
  std::sort(best.begin(), best.end());
  return best;
}

/// The triangle of the dual that a vertex lies in, or least outside of; -1 where there is none.
Index triangle_around(const LandmarkColumns& measured, const Dual& dual,
                      const std::vector<PlaneTriangle>& plane, Index vertex, Index sample) {
  Index best = -1;
  double inside = -infinity;
  const auto consider = [&](Index at) {
    for (const Index t : dual.star[at]) {
      if (plane[t].roundness() < least_roundness) continue;
      const auto weights = plane[t].weights(corner_distances(measured, vertex, dual.triangle[t]));
      const double least = std::min({weights[0], weights[1], weights[2]});
      if (least > inside) {
        inside = least;
        best = t;
      }
    }
  };
  consider(sample);
  if (inside < 0)
    for (const Index other : dual.neighbours[sample]) consider(other);
  return best;
}

}  // namespace

CtgTriangles ctg_triangles(const Triangles& faces, const Adjacency& edges, const LandmarkColumns& measured,
                           const Execution& execution) {
  CtgTriangles result;
  result.cell = grow_cells(edges, measured);
  const Dual dual = dual_of(faces, edges, result.cell, measured.order.vertices.size());
  result.broken = broken_samples(dual, result.cell, border_vertices(faces, edges.size()));
  result.triangle = dual.triangle;
  std::vector<PlaneTriangle> plane;
  for (const Corners& corners : dual.triangle) plane.push_back(plane_of(measured, corners));
  const std::size_t count = result.cell.size();
  result.of_vertex.assign(count, -1);
  constexpr std::size_t chunk = 512;
  parallel_for((count + chunk - 1) / chunk, execution, "triangulation", [&](std::size_t item, int) {
    for (std::size_t v = item * chunk; v < std::min(count, (item + 1) * chunk); ++v)
      if (result.cell[v] >= 0)
        result.of_vertex[v] = triangle_around(measured, dual, plane, static_cast<Index>(v), result.cell[v]);
  });
  for (std::size_t v = 0; v < count; ++v) {
    if (result.cell[v] < 0 || result.of_vertex[v] >= 0) continue;
    result.of_vertex[v] = static_cast<Index>(result.triangle.size());
    result.triangle.push_back(nearest_corners(measured, static_cast<Index>(v)));
    ++result.repaired;
  }
  return result;
}

std::vector<Index> samples_to_add(const CtgTriangles& triangles, const LandmarkColumns& measured) {
  std::vector<Index> farthest(measured.order.vertices);
  std::vector<double> radius(farthest.size(), 0);
  for (std::size_t v = 0; v < triangles.cell.size(); ++v) {
    const Index sample = triangles.cell[v];
    if (sample < 0) continue;
    const double distance = measured_distance(measured, static_cast<Index>(v), sample);
    if (distance > radius[sample]) {
      radius[sample] = distance;
      farthest[sample] = static_cast<Index>(v);
    }
  }
  std::vector<Index> result;
  for (const Index sample : triangles.broken)
    if (radius[sample] > 0) result.push_back(farthest[sample]);
  return result;
}

}  // namespace geodome::internal
