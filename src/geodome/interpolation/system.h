#pragma once
/// The linear system behind the interpolation operator: which vertices are unknown, and what they depend on.

#include <span>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

struct InterpolationSystem {
  SparseMatrix M;                  ///< #V by #V, biharmonic
  std::vector<Index> unknown_of;   ///< vertex -> unknown, or -1 for landmarks and vertices not solved for
  std::vector<Index> vertex_of;    ///< unknown -> vertex, increasing
  std::vector<Index> copied;       ///< vertices that copy the landmark of their cell
  std::vector<Index> landmark_at;  ///< vertex -> position in the landmarks, or -1

  /// M restricted to the unknowns.
  SparseMatrix unknown_matrix() const;
};

/// The rows and columns `kept` (increasing) of a symmetric matrix; `position` (#rows) is the inverse of
/// `kept`, -1 for rows that are left out.
SparseMatrix principal_submatrix(const SparseMatrix& matrix, std::span<const Index> kept,
                                 std::span<const Index> position);

/// A vertex is solved for when it is not a landmark, has a Laplacian of its own, and is coupled through
/// others like it to a landmark; otherwise it copies the landmark of its cell, if it has one. Throws
/// InputError on landmarks out of range or repeated, or arguments of different sizes.
InterpolationSystem make_interpolation_system(const Laplacian& laplacian, std::span<const Index> landmarks,
                                              std::span<const Index> cell);

}  // namespace geodome::internal
