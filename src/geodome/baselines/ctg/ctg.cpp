#include "geodome/baselines/ctg/ctg.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/each_pair.h"

namespace geodome::internal {
namespace {

CtgArrays view(std::shared_ptr<const CtgParts> parts) {
  CtgArrays arrays{parts->component_first, parts->W,         parts->triangle, parts->of_vertex,
                   parts->distance,        parts->component, parts->position, nullptr};
  arrays.owner = std::move(parts);
  return arrays;
}

/// Throws InputError unless the components' samples follow each other, one or more each. Where each
/// component's triangle of W begins.
std::vector<std::int64_t> triangle_begins(const CtgArrays& arrays) {
  const std::span<const Index> first = arrays.component_first;
  if (first.empty() || first[0] != 0) throw InputError("the samples of the first component must begin at 0");
  std::vector<std::int64_t> begins;
  std::int64_t numbers = 0;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    if (first[c] >= first[c + 1])
      throw InputError(text("component ", c, " has the samples ", first[c], " to ", first[c + 1]));
    begins.push_back(numbers);
    numbers += packed_size(first[c + 1] - first[c]);
  }
  if (static_cast<std::int64_t>(arrays.W.size()) != numbers)
    throw InputError(text(arrays.W.size(), " distances between samples, expected ", numbers));
  return begins;
}

void check_sizes(const CtgArrays& arrays) {
  const std::size_t vertices = arrays.of_vertex.size();
  if (vertices > static_cast<std::size_t>(std::numeric_limits<Index>::max()) ||
      arrays.triangle.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(text(vertices, " vertices and ", arrays.triangle.size(), " triangles are more than ",
                          std::numeric_limits<Index>::max()));
  if (arrays.distance.size() != vertices || arrays.component.size() != arrays.triangle.size())
    throw InputError(text(vertices, " vertices and ", arrays.triangle.size(), " triangles, but distances of ",
                          arrays.distance.size(), " and components of ", arrays.component.size()));
  if (!arrays.position.empty() && arrays.position.size() != vertices)
    throw InputError(text(arrays.position.size(), " positions for ", vertices, " vertices"));
}

void check_indices(const CtgArrays& arrays) {
  const std::span<const Index> first = arrays.component_first;
  for (std::size_t t = 0; t < arrays.triangle.size(); ++t) {
    const Index c = arrays.component[t];
    if (c < 0 || static_cast<std::size_t>(c) + 1 >= first.size())
      throw InputError(text("component ", c, " is out of range [0, ", first.size() - 1, ")"));
    for (const Index corner : arrays.triangle[t])
      if (corner < first[c] || corner >= first[c + 1])
        throw InputError(text("corner ", corner, " of triangle ", t, " is out of range [", first[c], ", ",
                              first[c + 1], ")"));
  }
  for (const Index t : arrays.of_vertex)
    if (t < -1 || t >= static_cast<Index>(arrays.triangle.size()))
      throw InputError(text("triangle ", t, " is out of range [-1, ", arrays.triangle.size(), ")"));
}

}  // namespace

CtgMatrix::CtgMatrix(CtgArrays arrays, DistanceKind kind)
    : arrays_(std::move(arrays)), kind_(kind), begin_(triangle_begins(arrays_)) {
  check_sizes(arrays_);
  check_indices(arrays_);
}

CtgMatrix::CtgMatrix(CtgParts parts, DistanceKind kind)
    : CtgMatrix(view(std::make_shared<const CtgParts>(std::move(parts))), kind) {}

/// Of two samples, by their positions among those of their component, whose triangle of W is at `begin`.
double CtgMatrix::between(Index a, Index b, std::int64_t begin) const {
  return arrays_.W[static_cast<std::size_t>(begin + packed_size(std::max(a, b)) + std::min(a, b))];
}

PlaneTriangle CtgMatrix::plane(Index triangle) const {
  const Index c = arrays_.component[triangle], first = arrays_.component_first[c];
  const auto [i, j, k] = arrays_.triangle[triangle];
  return PlaneTriangle({between(j - first, k - first, begin_[c]), between(i - first, k - first, begin_[c]),
                        between(i - first, j - first, begin_[c])});
}

CornerDistances CtgMatrix::corners(Index vertex) const {
  const auto& kept = arrays_.distance[vertex];
  return {kept[0], kept[1], kept[2]};
}

double CtgMatrix::distance(Index i, Index j) const {
  const Index here = arrays_.of_vertex[i], there = arrays_.of_vertex[j];
  const Index c = arrays_.component[here], first = arrays_.component_first[c];
  const PlaneTriangle a = plane(here), b = plane(there);
  const CornerDistances p = corners(i), q = corners(j);
  CornerDistances p_there, q_here;
  std::array<CornerDistances, 3> W;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t s = 0; s < 3; ++s)
      W[r][s] = between(arrays_.triangle[here][r] - first, arrays_.triangle[there][s] - first, begin_[c]);
  for (std::size_t k = 0; k < 3; ++k) {
    p_there[k] = a.distance(p, {W[0][k], W[1][k], W[2][k]});
    q_here[k] = b.distance(q, W[k]);
  }
  const double unfolded = (b.distance(p_there, q) + a.distance(q_here, p)) / 2;
  if (arrays_.position.empty()) return unfolded;
  const auto place = [&](Index v) { return Eigen::Map<const Eigen::Vector3f>(arrays_.position[v].data()); };
  return std::max(unfolded, (place(i).cast<double>() - place(j).cast<double>()).norm());
}

Vector CtgMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution) const {
  require_pairs(I, J);
  return each_pair(I, J, execution, [&](Index i, Index j) {
    if (i == j) return 0.0;
    const Index here = arrays_.of_vertex[i], there = arrays_.of_vertex[j];
    if (here < 0 || there < 0 || arrays_.component[here] != arrays_.component[there]) return infinity;
    const double found = distance(i, j);
    return kind_ == DistanceKind::squared ? found * found : found;
  });
}

std::vector<Index> CtgMatrix::component_labels(const Execution&) const {
  std::vector<Index> labels;
  labels.reserve(arrays_.of_vertex.size());
  for (const Index t : arrays_.of_vertex) labels.push_back(t < 0 ? -1 : arrays_.component[t]);
  return labels;
}

MatrixFacts CtgMatrix::facts() const {
  MatrixFacts facts;
  facts.landmarks = samples();
  facts.counts = {{"triangles", static_cast<std::int64_t>(arrays_.triangle.size())}};
  return facts;
}

std::int64_t CtgMatrix::bytes() const {
  return static_cast<std::int64_t>(arrays_.component_first.size_bytes() + arrays_.W.size_bytes() +
                                   arrays_.triangle.size_bytes() + arrays_.of_vertex.size_bytes() +
                                   arrays_.distance.size_bytes() + arrays_.component.size_bytes() +
                                   arrays_.position.size_bytes());
}

CtgParts ctg_parts(const LandmarkColumns& measured, const CtgTriangles& triangles, const Points* points) {
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
    for (const auto point : points->rowwise()) {
      const Eigen::RowVector3f place = (point - middle).cast<float>();
      parts.position.push_back({place[0], place[1], place[2]});
    }
  }
  return parts;
}

CtgMatrix make_ctg(const LandmarkColumns& measured, const CtgTriangles& triangles, const Points* points,
                   DistanceKind kind) {
  return {ctg_parts(measured, triangles, points), kind};
}

}  // namespace geodome::internal
