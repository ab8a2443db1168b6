#pragma once
/// Chooses the landmarks of a shape: farthest points, random ones, or the user's.
///
///   LandmarkOptions options;
///   options.count = 500;
///   const Landmarks landmarks = choose_landmarks(shape, options);
///   // landmarks.vertices[0 .. 500), landmarks.cover_radius.back()

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/solver.h"
#include "geodome/landmark/cover.h"
#include "geodome/landmark/options.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct Landmarks {
  std::vector<Index> vertices;       ///< in the order of choice, distinct, none at distance zero from another
  std::vector<double> cover_radius;  ///< after each of them: the largest distance to the nearest landmark,
                                     ///< never rising, infinite until every component has one
  Index components = 0;              ///< of the shape; unreferenced vertices belong to none
};

/// Farthest points [Gonzalez 1985]: the first landmarks are one vertex per component by the seed, the
/// component with most vertices first; each further one is the vertex farthest from all before. Of several
/// components, distances are multiplied by √(√n / m), n the number of vertices of the component and m their
/// mean distance from its first landmark (docs/methods/landmarks.md). The first m of l
/// landmarks are the run with m, for every m from the number of components on. Random landmarks are nested in
/// the same way. Cost: about as much as 1 + ln l rows for farthest and random landmarks of a shape, O(#V)
/// memory. Throws InputError when there are fewer landmarks than components, more than vertices at distinct
/// places, or when a given landmark is out of range, unreferenced or at distance zero from another.
Landmarks choose_landmarks(Cover& cover, const LandmarkOptions& options, const Execution& execution = {});

/// Farthest or random landmarks after those in `begin`, which come first and count; components with one of
/// them get no other first landmark. Throws InputError as above, and where there are more than options.count.
Landmarks choose_landmarks_from(Cover& cover, const LandmarkOptions& options, std::span<const Index> begin,
                                const Execution& execution = {});

/// On a shape, or on what its paths run on where that is at hand already: a shape's own solver (factory.h)
/// with the same options sees the same domain.
Landmarks choose_landmarks(const Shape& shape, const LandmarkOptions& options,
                           const GeodesicOptions& geodesic = {}, const Execution& execution = {});
Landmarks choose_landmarks(const PathDomain& domain, const LandmarkOptions& options,
                           const Execution& execution = {});

/// The same through whole rows of any solver: one row per landmark, component and unreferenced vertex.
Landmarks choose_landmarks(const GeodesicSolver& solver, const LandmarkOptions& options,
                           const Execution& execution = {});

}  // namespace geodome::internal
