#pragma once
/// How geodesic distances are measured.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/base/types.h"

namespace geodome {

enum class GeodesicMethod { automatic, fast_marching, fast_marching_1ring, carried, exact, heat, graph };

/// A method with the name that the command line and the documentation use.
struct GeodesicMethodName {
  GeodesicMethod method;
  const char* name;
  const char* description;
};

/// All methods, the default first.
std::span<const GeodesicMethodName> geodesic_methods();

/// Throws InputError, listing the names, when there is no such method.
GeodesicMethod geodesic_method(std::string_view name);
std::string_view geodesic_method_name(GeodesicMethod method);

/// A method and how far its distances were from a few exact rows.
struct MeasuredSolver {
  std::string method;
  double mean_relative_error = 0;
};

/// A mesh with some of the vertices of a shape, which distances between these may be measured on.
struct CoarseMesh {
  Index share = 1;  ///< it has about one in so many of the vertices
  Index vertices = 0;
  double mean_relative_error = 0;  ///< of distances on it, on a few exact rows of the shape
};

struct GeodesicOptions {
  GeodesicMethod method = GeodesicMethod::automatic;

  /// `automatic` is exact up to this many vertices: there exact distances cost little more than approximate
  /// ones.
  Index exact_up_to = 12000;

  /// The total number of sources that will be requested, 0 if unknown. Fast marching is fitted on a few
  /// exact rows (bias.h): `automatic` is exact where no more rows than those are wanted.
  std::size_t expected_sources = 0;

  /// Nearest neighbours each sample is joined to, and each point of a cloud with `graph`: enough to
  /// hold together what belongs together, few enough not to jump across a bend.
  Index neighbours = 10;

  /// One value per vertex, zero for those left out: paths may not cross them. Empty: all are kept.
  std::vector<char> keep{};

  /// For the approximate neighbour search among samples of many dimensions.
  std::uint64_t seed = 0;
};

}  // namespace geodome
