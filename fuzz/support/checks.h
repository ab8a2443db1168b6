#pragma once
/// Properties that hold for every shape the library accepts. Each function ends the process when one does
/// not.

#include <cmath>

#include "geodome/geodesic/solver.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/shape/shape.h"

namespace geodome::fuzz {

/// Indices in range, faces of three corners and more, arrays that fit each other.
void check_indices(const Shape& shape);

/// Whether squared areas of a shape of this size fit a double, as its Laplacian needs them to. Builds compute
/// in another unit beyond.
inline bool has_areas(double size) {
  return size > 1e-70 && size < 1e70;
}

/// Symmetric, finite, rows that sum to zero, no negative energy, no negative mass.
void check_laplacian(const internal::Laplacian& laplacian);

/// #V by #V, row by row, on one thread.
RowMatrix<double> all_distances(const GeodesicSolver& solver);

/// #V by #V straight distances; empty for graphs. Safe for every finite coordinate.
RowMatrix<double> chords_of(const Shape& shape);

/// What to allow for rounding: a part of the distance and a part of the shape's size.
struct Tolerance {
  double relative = 4e-6;
  double of_size = 1e-9;
  double size = 0;

  double at(double distance) const { return relative * std::abs(distance) + of_size * size; }
};

/// The largest absolute value of a finite entry.
double largest_finite(const RowMatrix<double>& numbers);

/// No NaN, nothing negative, zero on the diagonal; finite in both directions or in none.
void check_rows(const RowMatrix<double>& distances, const char* name);
void check_symmetric(const RowMatrix<double>& distances, const Tolerance& tolerance, const char* name);
void check_triangle_inequality(const RowMatrix<double>& distances, const Tolerance& tolerance,
                               const char* name);
/// Nothing shorter than the straight line; `chords` may be empty.
void check_chords(const RowMatrix<double>& distances, const RowMatrix<double>& chords,
                  const Tolerance& tolerance, const char* name);
/// Finite at the same pairs.
void check_same_components(const RowMatrix<double>& distances, const RowMatrix<double>& reference,
                           const char* name);
/// Nothing longer than `bound`.
void check_at_most(const RowMatrix<double>& distances, const RowMatrix<double>& bound,
                   const Tolerance& tolerance, const char* name);

/// Single entries, rows and blocks are the same numbers, none of them NaN. Returns all of them. `magnitude`:
/// of the largest numbers that are added up to an entry, where they are larger than the entries.
RowMatrix<double> check_consistent(const DistanceMatrix& matrix, const char* name, double magnitude = 0);
/// The product with a vector is that of the entries. Only for matrices that are linear forms.
void check_product(const DistanceMatrix& matrix, const RowMatrix<double>& entries, const char* name,
                   double magnitude = 0);

}  // namespace geodome::fuzz
