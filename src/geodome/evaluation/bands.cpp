#include "geodome/evaluation/bands.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome {

using namespace internal;

namespace {

Neighbour farthest(const GeodesicSolver& solver, Index source, const Execution& execution) {
  RowMatrix<double> row(1, solver.size());
  solver.distances(std::span(&source, 1), row, execution);
  Neighbour result{source, 0};
  for (Index v = 0; v < solver.size(); ++v)
    if (std::isfinite(row(0, v)) && row(0, v) > result.distance) result = {v, row(0, v)};
  return result;
}

}  // namespace

std::size_t DistanceBands::find(double distance) const {
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, distance / unit);
  return static_cast<std::size_t>(above - edges.begin()) - 1;
}

DistanceBands spacing_bands(const LandmarkMatrix& matrix) {
  Index largest = 0;
  for (Index c = 1; c < matrix.components(); ++c)
    if (matrix.W(c).size() > matrix.W(largest).size()) largest = c;
  const double spacing = matrix.components() > 0 ? matrix.spacing(largest) : 0;
  // One landmark alone has no spacing.
  return {"landmark spacing", spacing > 0 ? spacing : 1, {0, 0.5, 1, 2, 3, 5, 10, 20, infinity}};
}

DistanceBands extent_bands(const GeodesicSolver& solver, const Execution& execution) {
  DistanceBands bands{"extent", 1, {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, infinity}};
  if (solver.size() == 0) return bands;
  const double extent = farthest(solver, farthest(solver, 0, execution).vertex, execution).distance;
  if (extent > 0) bands.unit = extent;
  return bands;
}

void internal::check_bands(const DistanceBands& bands) {
  if (!(bands.unit > 0) || !std::isfinite(bands.unit))
    throw InputError(text("the unit of distance bands is ", bands.unit, "; it must be positive and finite"));
  const std::vector<double>& edges = bands.edges;
  if (edges.size() < 2 || edges.front() != 0 || edges.back() != infinity)
    throw InputError("the edges of distance bands must begin with 0 and end with infinity");
  for (std::size_t b = 0; b + 1 < edges.size(); ++b)
    if (!(edges[b] < edges[b + 1]))
      throw InputError(
          text("the edges of distance bands must increase, but ", edges[b + 1], " follows ", edges[b]));
}

}  // namespace geodome
