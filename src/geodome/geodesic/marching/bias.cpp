#include "geodome/geodesic/marching/bias.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

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
  std::int64_t count = 0;
  for (int r = 0; r < rows; ++r) {
    // Vertices are numbered along a curve through the shape, so equal steps spread over it.
    exact.sources.push_back(members[members.size() * (2 * r + 1) / (2 * rows)]);
    windows.run(exact.sources.back());
    count += windows.counts().windows;
    for (Index v = 0; v < surface.points.rows(); ++v) exact.distances(r, v) = windows.distance(v);
  }
  exact.windows = static_cast<double>(count) / static_cast<double>(exact.distances.size());
  return exact;
}

BiasFit fit_bias(const ExactRows& exact, const Stencil& stencil, const MarchingKernel& kernel) {
  Marcher marcher(stencil, kernel);
  RowMatrix<float> found(static_cast<Eigen::Index>(exact.sources.size()), stencil.vertices);
  const auto each_pair = [&](const auto& use) {
    for (Eigen::Index r = 0; r < found.rows(); ++r)
      for (Index v = 0; v < stencil.vertices; ++v)
        if (std::isfinite(found(r, v)) && std::isfinite(exact.distances(r, v)))
          use(static_cast<double>(found(r, v)), exact.distances(r, v));
  };
  for (Eigen::Index r = 0; r < found.rows(); ++r) {
    marcher.run(exact.sources[static_cast<std::size_t>(r)]);
    for (Index v = 0; v < stencil.vertices; ++v) found(r, v) = marcher.distance(v);
  }
  double products = 0, squares = 0;
  each_pair([&](double distance, double truth) {
    products += distance * truth;
    squares += distance * distance;
  });
  BiasFit fit;
  if (squares > 0)
    fit.factor = static_cast<float>(std::clamp(products / squares, least_factor, greatest_factor));
  double total = 0, pairs = 0;
  each_pair([&](double distance, double truth) {
    if (!(truth > 0)) return;
    total += std::abs(static_cast<double>(fit.factor) * distance - truth) / truth;
    ++pairs;
  });
  fit.mean_relative_error = pairs > 0 ? total / pairs : 0;
  return fit;
}

}  // namespace geodome::internal
