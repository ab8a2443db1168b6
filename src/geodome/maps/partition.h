#pragma once
/// Divides a shape into regions: the cells of given vertices, or regions of nearly equal area.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome {

struct Partition {
  std::vector<Index> label;  ///< #V: the region, as a position in `centre`; -1 for a vertex without component
  std::vector<Index> centre;  ///< #regions
  std::vector<double> area;   ///< #regions: the sum of the weights of its vertices
  double ratio = 0;           ///< largest by smallest area
};

/// The geodesic Voronoi cells of these vertices: each vertex belongs to the nearest (ties: the first). A
/// vertex that reaches none of them gets -1. `weights` (#V) are the areas; none: one each. Cost: a row per
/// seed. Throws InputError on seeds out of range or repeated.
Partition voronoi_cells(const DistanceMatrix& matrix, std::span<const Index> seeds,
                        std::span<const double> weights = {}, const Execution& execution = {});

struct PartitionOptions {
  Index parts = 100;
  std::uint64_t seed = 0;  ///< of the first centre of each component
  /// Rounds of moving centres; the areas settle within ten on all shapes that we tried.
  int rounds = 12;
};

/// `parts` regions of nearly equal area: k-medoids with the areas balanced. Centres start at farthest points.
/// In each round a vertex goes to the centre for which its distance less an offset of the centre is smallest,
/// offsets grow where areas are too small [as in capacity-constrained Voronoi diagrams, Aurenhammer et al.
/// 1998], and centres move to the vertex of their region with the least sum of squared distances. Of all
/// rounds the one with the smallest ratio of areas is returned. Components get regions in proportion to their
/// area, at least one.
///
/// Cost: parts · (rounds + 2) rows, and parts numbers per vertex. Throws InputError for fewer parts than
/// components, and more than vertices.
Partition partition(const DistanceMatrix& matrix, const PartitionOptions& options = {},
                    std::span<const double> weights = {}, const Execution& execution = {});

}  // namespace geodome
