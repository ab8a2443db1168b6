#pragma once
/// Makes a shape fit to work on, or says why it cannot be: the one policy for defects
/// (docs/reference/shapes.md has it as a table). Vertices are never dropped, merged or renumbered, so an
/// index always means what it means in the file.
///
/// - Refused: nothing to work on, a coordinate that is not finite, an index out of range, a graph edge whose
///   length is negative or not finite, a size below 1e-120 or above 1e120 (unit.h).
/// - Dropped with a note: faces with fewer than three different corners, duplicate faces, self-loops, all but
/// the
///   shortest of repeated graph edges, normals of a cloud if one of them is not finite.
/// - Kept with a note: narrow faces, and faces without area. They add nothing to areas and Laplacians, but
/// their edges still
///   hold the surface together, so dropping them could tear it apart.

#include <string>
#include <vector>

#include "geodome/shape/check.h"
#include "geodome/shape/shape.h"

namespace geodome {

struct CleanShape {
  Shape shape;
  std::vector<std::string> notes;  ///< one plain sentence for each thing dropped or set aside; empty if none
};

/// Components and the vertices they are made of stay as check_shape counts them, except that a graph's vertex
/// whose only edge was a self-loop becomes unreferenced.
/// Cost: O(size log size) time. Throws InputError naming the first offender, how many there are and the
/// bound.
CleanShape clean_shape(Shape shape);

/// Throws InputError if clean_shape would, for the shape this report describes.
void require_workable(const ShapeReport& report);

/// The notes clean_shape would give for the shape this report describes.
std::vector<std::string> cleaning_notes(const ShapeReport& report);

}  // namespace geodome
