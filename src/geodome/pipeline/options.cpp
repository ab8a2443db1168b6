#include "geodome/pipeline/options.h"

#include <algorithm>

namespace geodome {

Index default_landmark_count(Index vertices, Index components) {
  constexpr Index most = 1000, least = 50;
  const Index enough = std::max((vertices + 4) / 5, std::min(vertices, least));
  return std::max({components, std::min(most, enough), Index{1}});
}

std::span<const Named<Precision>> precisions() {
  static constexpr Named<Precision> all[] = {
      {Precision::float32, "float32", "4 bytes per pair of landmarks, 2 per weight of P"},
      {Precision::uint16, "uint16", "2 bytes, in steps of about a 65,535th of the largest distance"},
      {Precision::float64, "float64", "8 bytes, and 4 per weight of P"},
  };
  return all;
}

std::span<const Named<Sparsity>> sparsities() {
  static constexpr Named<Sparsity> all[] = {
      {Sparsity::rows, "rows", "the largest of every row, scaled to sum one"},
      {Sparsity::columns, "columns", "the largest of every column: the rule of the paper"},
      {Sparsity::columns_normalised, "columns-normalised", "the same, rows scaled to sum one"},
      {Sparsity::pursuit, "pursuit", "as many in every column by matching pursuit: slow, for comparison"},
  };
  return all;
}

std::span<const Named<InterpolationMethod>> interpolation_methods() {
  static constexpr Named<InterpolationMethod> all[] = {
      {InterpolationMethod::automatic, "auto", "whichever costs less"},
      {InterpolationMethod::patches, "patches", "a small factorisation around every group of landmarks"},
      {InterpolationMethod::partial, "partial", "one factorisation, solved only around the landmarks"},
      {InterpolationMethod::plain, "plain", "one factorisation, solved everywhere"},
  };
  return all;
}

std::span<const Named<LandmarkMethod>> landmark_methods() {
  static constexpr Named<LandmarkMethod> all[] = {
      {LandmarkMethod::farthest, "farthest", "each one farthest from all before it"},
      {LandmarkMethod::random, "random", "by the seed alone"},
      {LandmarkMethod::user, "given", "a list"},
  };
  return all;
}

std::span<const Named<DistanceKind>> distance_kinds() {
  static constexpr Named<DistanceKind> all[] = {
      {DistanceKind::distance, "distance", "distances"},
      {DistanceKind::squared, "squared", "squared distances, which scaling works on"},
  };
  return all;
}

std::span<const Named<GraphWeights>> graph_weights() {
  static constexpr Named<GraphWeights> all[] = {
      {GraphWeights::unit, "unit", "1 for every edge"},
      {GraphWeights::inverse_length, "inverse-length", "the shorter, the stronger"},
      {GraphWeights::gaussian, "gaussian", "a bell curve of the length"},
  };
  return all;
}

}  // namespace geodome
