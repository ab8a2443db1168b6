#pragma once
/// Polylines as tubes, so that pictures of meshes show them.

#include <array>
#include <cstdint>

#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Appends a tube of this radius around a polyline (#P by 3), with a ball-like cap at both ends, to a mesh
/// and its colours (#V by 3). A line of one point becomes a ball.
void add_tube(const Eigen::Ref<const RowMatrix<double>>& line, double radius,
              const std::array<std::uint8_t, 3>& colour, TriangleMesh& mesh, Colours& colours);

}  // namespace geodome::internal
