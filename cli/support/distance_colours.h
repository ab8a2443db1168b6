#pragma once
/// Colours that make distances visible on a mesh: a perceptually uniform map with isolines.

#include "geodome/base/types.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::cli {

struct DistanceColours {
  Colours colours;          ///< #V by 3
  double maximum = 0;       ///< of the finite distances: the end of the colour map
  double isoline_step = 0;  ///< distance from one isoline to the next; 0 if there are none
};

/// Colours from zero (dark) to the largest finite distance (light); vertices that are not reached are grey.
/// On a mesh, the vertices next to each multiple of a round step are drawn black: some twenty lines, fewer
/// where the mesh is too coarse to tell them apart.
DistanceColours colour_by_distance(const Shape& shape, const Vector& distance);

}  // namespace geodome::cli
