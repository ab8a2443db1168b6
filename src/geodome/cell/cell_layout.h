#pragma once
/// How vertices are grouped for learned weights: cells around some of the landmarks, and for each cell the
/// landmarks that its vertices take their distances from.

#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/landmark/landmark_order.h"

namespace geodome::internal {

struct CellLayout {
  struct Cell {
    Index component = 0;
    Index centre = 0;            ///< a landmark, as a position among all
    double near = 0;             ///< the distance of the sixth landmark around the centre, along edges
    std::vector<Index> support;  ///< positions of landmarks of the component, increasing, `centre` among them
  };
  std::vector<Cell> cells;             ///< those of a component side by side
  std::vector<Index> component_first;  ///< #components + 1: positions in `cells`
  std::vector<Index> cell;             ///< #V: position in `cells`, -1 where unreferenced
  std::vector<Index> first;            ///< #cells + 1: positions in `members`
  std::vector<Index> members;          ///< the vertices of each cell, increasing
};

struct CellSizes {
  Index cells = 0;    ///< of a component with this many landmarks
  Index support = 0;  ///< landmarks of each
};

/// For a component of `vertices` vertices at distinct positions and `landmarks` landmarks: cells large enough
/// for their tables to be worth their bytes, at least one for every four landmarks. Where all positions have
/// a landmark, each is a cell with no other in its support, and distances are W.
CellSizes cell_sizes(Index vertices, Index landmarks);

/// `sequence`: the landmarks (vertices) in the order in which they were chosen; the cells of a component are
/// those of its first ones. Nearest means nearest along edges. Cost: O(#E log #V) and one search per cell
/// that ends after its support.
CellLayout lay_out_cells(const Adjacency& edges, const OrderedLandmarks& landmarks,
                         std::span<const Index> sequence, const Execution& execution = {});

}  // namespace geodome::internal
