#include "support/distance_colours.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/report/colour_map.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr double most_lines = 20;
/// A line is about an edge wide, and must leave some of the colours between it and the next.
constexpr double edges_between_lines = 5;

std::vector<Edge> mesh_edges(const Shape& shape) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return face_edges(*mesh);
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape)) return face_edges(*mesh);
  return {};
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1, 2, 5})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

double isoline_step(const std::vector<Edge>& edges, const Vector& distance, double maximum) {
  double sum = 0;
  std::size_t count = 0;
  for (const Edge& edge : edges)
    if (distance[edge.a] < infinity && distance[edge.b] < infinity) {
      sum += edge.length;
      ++count;
    }
  if (count == 0 || maximum <= 0) return 0;
  const double mean_edge = sum / static_cast<double>(count);
  return round_step(std::max(maximum / most_lines, edges_between_lines * mean_edge));
}

}  // namespace

DistanceColours colour_by_distance(const Shape& shape, const Vector& distance) {
  DistanceColours result;
  for (const double d : distance)
    if (d < infinity) result.maximum = std::max(result.maximum, d);
  result.colours.resize(distance.size(), 3);
  for (Eigen::Index v = 0; v < distance.size(); ++v) {
    const bool reached = distance[v] < infinity;
    const auto colour = uniform_colour(result.maximum > 0 ? distance[v] / result.maximum : 0);
    for (int k = 0; k < 3; ++k) result.colours(v, k) = reached ? colour[k] : std::uint8_t{128};
  }

  const std::vector<Edge> edges = mesh_edges(shape);
  result.isoline_step = isoline_step(edges, distance, result.maximum);
  if (result.isoline_step == 0) return result;
  for (const Edge& edge : edges) {
    if (!(distance[edge.a] < infinity && distance[edge.b] < infinity)) continue;
    const double a = distance[edge.a] / result.isoline_step, b = distance[edge.b] / result.isoline_step;
    const double level = std::max(std::floor(a), std::floor(b));
    if (std::floor(a) == std::floor(b)) continue;
    const Index nearer = std::abs(a - level) <= std::abs(b - level) ? edge.a : edge.b;
    result.colours.row(nearer).setZero();
  }
  return result;
}

}  // namespace geodome::cli
