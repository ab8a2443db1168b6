#include "geodome/pipeline/options.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/read_number.h"

namespace geodome {

Index default_landmark_count(std::span<const Index> sizes) {
  constexpr Index least = 50, step = 50;
  constexpr double usual = 1000, most = 10000;
  std::int64_t vertices = 0;
  double squares = 0;
  for (const Index size : sizes) {
    vertices += size;
    squares += static_cast<double>(size) * size;
  }
  // Shared in proportion to vertices, this many have as large a W as the usual number in one component.
  const double equal = squares > 0 ? usual * static_cast<double>(vertices) / std::sqrt(squares) : usual;
  const Index bound = step * static_cast<Index>(std::min(equal, most) / step);
  const auto enough =
      static_cast<Index>(std::max((vertices + 4) / 5, std::min<std::int64_t>(vertices, least)));
  return std::max({static_cast<Index>(sizes.size()), std::min(bound, enough), Index{1}});
}

Index coarsening(std::string_view given) {
  if (given == "auto") return 0;
  if (given == "off") return 1;
  Index share = 0;
  const auto [end, error] = internal::read_number(given.data(), given.data() + given.size(), share);
  if (error != std::errc() || end != given.data() + given.size() || share < 2 ||
      share > BuildOptions::coarsest)
    throw InputError(internal::text("the coarser mesh must be 'auto', 'off' or a whole number from 2 to ",
                                    BuildOptions::coarsest, " (one in so many vertices), got '", given, "'"));
  return share;
}

std::span<const Named<Precision>> precisions() {
  static constexpr Named<Precision> all[] = {
      {Precision::float32, "float32", "4 bytes per pair of landmarks, 2 bytes per weight of P"},
      {Precision::uint16, "uint16",
       "2 bytes per pair of landmarks, in steps of about 1/65,535 of the largest distance"},
      {Precision::float64, "float64", "8 bytes per pair of landmarks, 4 bytes per weight of P"},
  };
  return all;
}

std::span<const Named<Sparsity>> sparsities() {
  static constexpr Named<Sparsity> all[] = {
      {Sparsity::rows, "rows", "the largest entries of every row, scaled to sum one"},
      {Sparsity::columns, "columns", "the largest entries of every column, as in the paper"},
      {Sparsity::columns_normalised, "columns-normalised", "as columns, with rows scaled to sum one"},
      {Sparsity::pursuit, "pursuit",
       "the same number in every column, by matching pursuit; slow, for comparison"},
  };
  return all;
}

std::span<const Named<InterpolationMethod>> interpolation_methods() {
  static constexpr Named<InterpolationMethod> all[] = {
      {InterpolationMethod::automatic, "auto",
       "the solver with the smallest estimated cost; with more than 60 samples per landmark, on a part of "
       "them"},
      {InterpolationMethod::patches, "patches", "a small factorisation for every group of landmarks"},
      {InterpolationMethod::partial, "partial", "one factorisation, solved only near the landmarks"},
      {InterpolationMethod::plain, "plain", "one factorisation, solved at all vertices"},
  };
  return all;
}

std::span<const Named<LandmarkMethod>> landmark_methods() {
  static constexpr Named<LandmarkMethod> all[] = {
      {LandmarkMethod::farthest, "farthest",
       "farthest point sampling: each landmark is farthest from all previous ones"},
      {LandmarkMethod::random, "random", "random vertices"},
      {LandmarkMethod::user, "given", "user-supplied list"},
  };
  return all;
}

std::span<const Named<DistanceKind>> distance_kinds() {
  static constexpr Named<DistanceKind> all[] = {
      {DistanceKind::distance, "distance", "distances"},
      {DistanceKind::squared, "squared", "squared distances, as used by classical scaling"},
  };
  return all;
}

std::span<const Named<GraphWeights>> graph_weights() {
  static constexpr Named<GraphWeights> all[] = {
      {GraphWeights::unit, "unit", "1 for every edge"},
      {GraphWeights::inverse_length, "inverse-length", "1 / length, relative to the mean length"},
      {GraphWeights::gaussian, "gaussian", "Gaussian function of the length relative to the mean length"},
  };
  return all;
}

}  // namespace geodome
