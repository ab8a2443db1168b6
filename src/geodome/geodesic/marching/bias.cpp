#include "geodome/geodesic/marching/bias.h"

#include <algorithm>
#include <cmath>

#include "geodome/geodesic/exact/halfedge.h"
#include "geodome/geodesic/exact/windows.h"
#include "geodome/geodesic/marching/marcher.h"

namespace geodome::internal {
namespace {

/// Marching is never off by so much; a factor beyond these would mean the fit is wrong.
constexpr double least_factor = 0.9, greatest_factor = 1.1;

std::vector<Index> largest_component(const Surface& surface) {
  std::vector<Index> sizes(surface.components, 0);
  for (const Index c : surface.component) ++sizes[c];
  const auto largest = static_cast<Index>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<Index> members;
  for (Index v = 0; v < surface.points.rows(); ++v)
    if (surface.component[v] == largest) members.push_back(v);
  return members;
}

}  // namespace

int rows_for_bias(Index vertices) {
  return std::clamp(100000 / std::max<Index>(1, vertices), 1, 3);
}

ExactRows exact_rows(const Surface& surface, int rows) {
  if (surface.triangles.rows() == 0) return {};
  const std::vector<Index> members = largest_component(surface);
  const HalfEdges edges(surface.points, surface.triangles);
  WindowPropagation windows(edges);
  ExactRows exact;
  exact.distances.resize(rows, surface.points.rows());
  for (int r = 0; r < rows; ++r) {
    // Vertices are numbered along a curve through the shape, so equal steps spread over it.
    exact.sources.push_back(members[members.size() * (2 * r + 1) / (2 * rows)]);
    windows.run(exact.sources.back());
    for (Index v = 0; v < surface.points.rows(); ++v) exact.distances(r, v) = windows.distance(v);
  }
  return exact;
}

float bias_factor(const ExactRows& exact, const Stencil& stencil, const MarchingKernel& kernel) {
  Marcher marcher(stencil, kernel);
  double products = 0, squares = 0;
  for (std::size_t r = 0; r < exact.sources.size(); ++r) {
    marcher.run(exact.sources[r]);
    for (Index v = 0; v < stencil.vertices; ++v) {
      const double found = marcher.distance(v), truth = exact.distances(static_cast<Eigen::Index>(r), v);
      if (!std::isfinite(found) || !std::isfinite(truth)) continue;
      products += found * truth;
      squares += found * found;
    }
  }
  return squares > 0 ? static_cast<float>(std::clamp(products / squares, least_factor, greatest_factor)) : 1;
}

}  // namespace geodome::internal
