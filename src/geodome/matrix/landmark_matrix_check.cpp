#include "geodome/matrix/landmark_matrix_check.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

void check_components(const LandmarkArrays& arrays, Index vertices) {
  const auto& first = arrays.component_first;
  const std::size_t count = arrays.landmark.size();
  if (first.size() < 2 || first.front() != 0 || static_cast<std::size_t>(first.back()) != count)
    throw InputError(text("the components do not partition the ", count, " landmarks"));
  for (std::size_t c = 0; c + 1 < first.size(); ++c)
    if (first[c] >= first[c + 1]) throw InputError(text("component ", c, " has no landmark"));
  const auto components = static_cast<Index>(first.size() - 1);
  if (arrays.component.empty()) {
    if (components != 1)
      throw InputError(text(components, " components, but no component labels of the vertices"));
    return;
  }
  if (arrays.component.size() != static_cast<std::size_t>(vertices))
    throw InputError(text(arrays.component.size(), " component labels for ", vertices, " vertices"));
  for (std::size_t v = 0; v < arrays.component.size(); ++v)
    if (arrays.component[v] < -1 || arrays.component[v] >= components)
      throw InputError(text("vertex ", v, " is in component ", arrays.component[v], ", out of range [-1, ",
                            components, ")"));
}

void check_landmarks(const LandmarkArrays& arrays, Index vertices) {
  std::size_t c = 0;
  for (std::size_t position = 0; position < arrays.landmark.size(); ++position) {
    while (static_cast<std::size_t>(arrays.component_first[c + 1]) <= position) ++c;
    const Index vertex = arrays.landmark[position];
    if (vertex < 0 || vertex >= vertices)
      throw InputError(text("landmark ", vertex, " is out of range [0, ", vertices, ")"));
    if (!arrays.component.empty() && arrays.component[vertex] != static_cast<Index>(c))
      throw InputError(text("landmark ", vertex, " is in component ", arrays.component[vertex],
                            " but listed in component ", c));
  }
}

}  // namespace

void check_landmark_arrays(const LandmarkArrays& arrays, Index vertices) {
  check_components(arrays, vertices);
  check_landmarks(arrays, vertices);
  const std::size_t components = arrays.component_first.size() - 1;
  std::int64_t expected = 0;
  for (std::size_t c = 0; c < components; ++c)
    expected += packed_size(arrays.component_first[c + 1] - arrays.component_first[c]);
  const auto found =
      static_cast<std::int64_t>(std::visit([](const auto& all) { return all.size(); }, arrays.W));
  if (found != expected)
    throw InputError(text("W has ", found, " numbers, but its landmarks require ", expected));
  const bool quantised = std::holds_alternative<std::span<const std::uint16_t>>(arrays.W);
  if (arrays.step.size() != components && (quantised || !arrays.step.empty()))
    throw InputError(text(arrays.step.size(), " quantisation steps for ", components, " components"));
  if (arrays.spacing.size() != components)
    throw InputError(text(arrays.spacing.size(), " landmark spacings for ", components, " components"));
  for (const std::span<const double> numbers : {arrays.step, arrays.spacing})
    for (const double number : numbers)
      if (!(number >= 0 && std::isfinite(number)))
        throw InputError(text("a step or spacing of W must be a non-negative number, got ", number));
}

void check_surface_point(const SurfacePoint& point, Index vertices) {
  constexpr double tolerance =
      1e-6;  // weights have no unit: what single precision can promise, with a margin
  double total = 0;
  for (int k = 0; k < 3; ++k) {
    if (point.vertex[k] < 0 || point.vertex[k] >= vertices)
      throw InputError(text("vertex ", point.vertex[k], " is out of range [0, ", vertices, ")"));
    if (!(point.weight[k] >= -tolerance))
      throw InputError(text("barycentric weights must not be negative, got ", point.weight[k]));
    total += point.weight[k];
  }
  if (!(std::abs(total - 1) <= 3 * tolerance))
    throw InputError(text("barycentric weights must sum to one, got ", total));
}

Index heaviest(const SurfacePoint& point) {
  return point.vertex[static_cast<std::size_t>(std::max_element(point.weight.begin(), point.weight.end()) -
                                               point.weight.begin())];
}

}  // namespace geodome::internal
