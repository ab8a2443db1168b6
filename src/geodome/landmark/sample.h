#pragma once
/// Vertices spread over a shape: farthest points, or random ones.
///
///   const VertexSample sample = sample_vertices(shape, {.count = 500});
///   sample.vertices;  sample.cover_radius.back();  sample.cell[v];

#include <cstdint>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/options.h"
#include "geodome/landmark/options.h"
#include "geodome/shape/shape.h"

namespace geodome {

struct SampleOptions {
  Index count = 100;  ///< the vertices to start with included
  LandmarkMethod method = LandmarkMethod::farthest;
  std::uint64_t seed = 0;      ///< of the first vertex of each component, or of all random ones
  std::vector<Index> start{};  ///< vertices to start with, in this order
};

struct VertexSample {
  std::vector<Index> vertices;  ///< in the order of choice: the first m of them are the sample of m
  std::vector<double>
      cover_radius;              ///< after each: the largest distance of any vertex to the nearest of them
  std::vector<Index> cell;       ///< #V: the nearest of them, as a position in `vertices`; -1 where none
  std::vector<double> distance;  ///< #V: to it; infinite where none
};

/// Farthest points [Gonzalez 1985]: each vertex is the farthest one from all before, so that no two are
/// nearer than the cover radius and no vertex is farther than it from the sample. Every component gets at
/// least one. Distances are by fast marching on surfaces: about a per cent off where cells have hundreds of
/// vertices, and up to some ten per cent too long for the neighbours of a sampled vertex where they have ten;
/// exact along edges with GeodesicMethod::graph and on graphs and samples. Other methods of `geodesic` do not
/// matter.
///
/// Cost: about 0.5 µs · #V · (1 + ln count): only what is nearer to a new vertex than to all before is
/// visited. Throws InputError for fewer vertices than components, more than there are at distinct positions,
/// and start vertices that are out of range, repeated or left out.
VertexSample sample_vertices(const Shape& shape, const SampleOptions& options = {},
                             const GeodesicOptions& geodesic = {}, const Execution& execution = {});

}  // namespace geodome
