#include "geodome/rivals/ctg.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/each_pair.h"

namespace geodome {

CtgMatrix::CtgMatrix(CtgParts parts, DistanceKind kind) : parts_(std::move(parts)), kind_(kind) {
  const auto& first = parts_.component_first;
  std::int64_t numbers = 0;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    begin_.push_back(numbers);
    numbers += packed_size(first[c + 1] - first[c]);
  }
  if (first.empty() || static_cast<std::int64_t>(parts_.W.size()) != numbers)
    throw InputError(text(parts_.W.size(), " distances between samples where there must be ", numbers));
  if (parts_.distance.size() != parts_.of_vertex.size() || parts_.component.size() != parts_.triangle.size())
    throw InputError(text(parts_.of_vertex.size(), " vertices and ", parts_.triangle.size(),
                          " triangles, but distances of ", parts_.distance.size(), " and components of ",
                          parts_.component.size()));
  if (parts_.position.cols() != 0 && (parts_.position.cols() != 3 || parts_.position.rows() != size()))
    throw InputError(text(parts_.position.rows(), " by ", parts_.position.cols(), " coordinates of ", size(),
                          " vertices"));
  for (std::size_t t = 0; t < parts_.triangle.size(); ++t) {
    const Index c = parts_.component[t];
    if (c < 0 || static_cast<std::size_t>(c) >= begin_.size())
      throw InputError(text("component ", c, " is out of range [0, ", begin_.size(), ")"));
    for (const Index corner : parts_.triangle[t])
      if (corner < first[c] || corner >= first[c + 1])
        throw InputError(text("corner ", corner, " of triangle ", t, " is out of range [", first[c], ", ",
                              first[c + 1], ")"));
  }
  for (const Index t : parts_.of_vertex)
    if (t < -1 || t >= static_cast<Index>(parts_.triangle.size()))
      throw InputError(text("triangle ", t, " is out of range [-1, ", parts_.triangle.size(), ")"));
}

/// Of two samples, by their positions among those of their component, whose triangle of W is at `begin`.
double CtgMatrix::between(Index a, Index b, std::int64_t begin) const {
  return parts_.W[static_cast<std::size_t>(begin + packed_size(std::max(a, b)) + std::min(a, b))];
}

PlaneTriangle CtgMatrix::plane(Index triangle) const {
  const Index c = parts_.component[triangle], first = parts_.component_first[c];
  const auto [i, j, k] = parts_.triangle[triangle];
  return PlaneTriangle({between(j - first, k - first, begin_[c]), between(i - first, k - first, begin_[c]),
                        between(i - first, j - first, begin_[c])});
}

CornerDistances CtgMatrix::corners(Index vertex) const {
  const auto& kept = parts_.distance[vertex];
  return {kept[0], kept[1], kept[2]};
}

double CtgMatrix::distance(Index i, Index j) const {
  const Index here = parts_.of_vertex[i], there = parts_.of_vertex[j];
  const Index c = parts_.component[here], first = parts_.component_first[c];
  const PlaneTriangle a = plane(here), b = plane(there);
  const CornerDistances p = corners(i), q = corners(j);
  CornerDistances p_there, q_here;
  std::array<CornerDistances, 3> W;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t s = 0; s < 3; ++s)
      W[r][s] = between(parts_.triangle[here][r] - first, parts_.triangle[there][s] - first, begin_[c]);
  for (std::size_t k = 0; k < 3; ++k) {
    p_there[k] = a.distance(p, {W[0][k], W[1][k], W[2][k]});
    q_here[k] = b.distance(q, W[k]);
  }
  const double unfolded = (b.distance(p_there, q) + a.distance(q_here, p)) / 2;
  if (parts_.position.cols() == 0) return unfolded;
  const double chord = (parts_.position.row(i).cast<double>() - parts_.position.row(j).cast<double>()).norm();
  return std::max(unfolded, chord);
}

Vector CtgMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution) const {
  require_pairs(I, J);
  return each_pair(I, J, execution, [&](Index i, Index j) {
    if (i == j) return 0.0;
    const Index here = parts_.of_vertex[i], there = parts_.of_vertex[j];
    if (here < 0 || there < 0 || parts_.component[here] != parts_.component[there]) return infinity;
    const double found = distance(i, j);
    return kind_ == DistanceKind::squared ? found * found : found;
  });
}

std::int64_t CtgMatrix::bytes() const {
  const auto of = [](const auto& array) { return array.size() * sizeof(array[0]); };
  return static_cast<std::int64_t>(of(parts_.component_first) + of(parts_.W) + of(parts_.triangle) +
                                   of(parts_.of_vertex) + of(parts_.distance) + of(parts_.component) +
                                   static_cast<std::size_t>(parts_.position.size()) * sizeof(float));
}

CtgMatrix make_ctg(const LandmarkColumns& measured, const CtgTriangles& triangles, const Points* points,
                   DistanceKind kind) {
  CtgParts parts;
  parts.component_first = measured.order.component_first;
  for (Index c = 0; c < measured.components(); ++c)
    for (Index r = 0; r < measured.count(c); ++r)
      for (Index s = 0; s <= r; ++s)
        parts.W.push_back(measured.C(measured.order.vertices[measured.first(c) + r], s));
  parts.triangle = triangles.triangle;
  for (const auto& corners : parts.triangle)
    parts.component.push_back(measured.order.component[measured.order.vertices[corners[0]]]);
  parts.of_vertex = triangles.of_vertex;
  parts.distance.assign(parts.of_vertex.size(), {0, 0, 0});
  for (std::size_t v = 0; v < parts.of_vertex.size(); ++v) {
    if (parts.of_vertex[v] < 0) continue;
    const Index first = measured.first(measured.order.component[v]);
    for (std::size_t k = 0; k < 3; ++k)
      parts.distance[v][k] =
          measured.C(static_cast<Eigen::Index>(v), parts.triangle[parts.of_vertex[v]][k] - first);
  }
  // From the middle: single precision has few digits for a shape far from the origin.
  if (points != nullptr) {
    const Eigen::RowVector3d middle = (points->colwise().minCoeff() + points->colwise().maxCoeff()) / 2;
    parts.position = (points->rowwise() - middle).cast<float>();
  }
  return {std::move(parts), kind};
}

}  // namespace geodome
