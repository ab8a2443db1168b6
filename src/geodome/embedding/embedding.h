#pragma once
/// Classical scaling: points in few dimensions whose distances are as near as possible to those of a shape.
/// In three dimensions this is the canonical form of a shape, which hardly changes when the shape bends.
///
///   const SparseLandmarkMatrix squared = matrix.as(DistanceKind::squared);
///   const Embedding form = embed(squared);
///   // form.Z is #V by 3
///
/// Citation: [Torgerson 1952] for classical scaling, [Turek and Huth 2018] for BMDS and sBMDS.

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome {

enum class ScalingMethod {
  automatic,  ///< the matrix's own: its points, QR of dense factors where memory allows it, else lanczos
  lanczos,    ///< only products with the matrix: of a compact matrix, sBMDS
  qr,         ///< BMDS: a QR decomposition of J P; forms P W Pᵀ only
  dense,      ///< all entries and all eigenvalues: the reference
};

struct EmbeddingOptions {
  Index dimensions = 3;
  ScalingMethod method = ScalingMethod::lanczos;
  double tolerance = 1e-6;  ///< of residuals, relative to the largest eigenvalue (eigenpairs.h)
  /// Of random starting vectors and samples. The result depends on it within the tolerance only, except that
  /// axes of equal eigenvalues may be turned among themselves.
  std::uint64_t seed = 0;
  /// What a method other than lanczos may hold. Two gigabytes: a quarter of a small machine.
  std::int64_t memory_bound = std::int64_t{2} << 30;
};

/// What is known about the embedding of one component.
struct ComponentEmbedding {
  Index vertices = 0;
  Vector eigenvalues;  ///< #dimensions, decreasing. Those that are not positive have no coordinates.
  Vector residuals;    ///< #dimensions: ‖Bv - λv‖ / largest |λ|
  Index axes = 0;      ///< how many eigenvalues are positive; further columns of Z are zero
  /// Σ|λ| over negative eigenvalues / Σ|λ| over all: zero for distances of points in a Euclidean space,
  /// larger the less the shape can be laid out in any number of dimensions. From the whole spectrum up to
  /// 1,000 vertices or, of a form P W Pᵀ, 400 landmarks; else an estimate from a random sample of vertices,
  /// which is often 10 to 20 % too low.
  double negative_share = 0;
  bool share_exact = true;  ///< whether it is from the whole spectrum
  Index spectrum_size = 0;  ///< how many eigenvalues that share was taken from
  int products = 0;         ///< with one column; zero where none were needed
  bool fallback = false;    ///< Lanczos iteration failed its residual check and a dense method took over
};

struct Embedding {
  /// #V by #dimensions, each component centred at the origin, axes by decreasing eigenvalue. Zero for a
  /// vertex that reaches no other. Signs: the third moment along every axis is positive; along an axis that
  /// is symmetric, the coordinate of the first of the farthest vertices.
  RowMatrix<double> Z;
  std::vector<Index> component;  ///< #V, or -1
  std::vector<ComponentEmbedding> components;
  std::string note{};  ///< where the matrix's own scaling takes too much memory and another was used
};

/// Throws InputError naming the bound unless there are from 1 to as many dimensions as vertices (3 where
/// there are fewer vertices), and where the result and its eigenvectors would take more memory than the
/// machine has.
void require_dimensions(Index dimensions, Index vertices);

/// Embeds every component on its own. `squared` must be of kind squared: scaling plain distances gives
/// something, but not a canonical form. Where the matrix has no fast product (`quadratic_product()`), its
/// entries are computed once and stored for the 20 to 40 products of `lanczos`, if memory_bound allows it.
/// Throws InputError for kind distance, as `require_dimensions`, for `qr` on anything but a form P W Pᵀ, and
/// where memory_bound is too little (naming the bytes needed); NumericalError where no method gets residuals
/// below the tolerance.
Embedding embed(const DistanceMatrix& squared, const EmbeddingOptions& options = {},
                const Execution& execution = {});

/// Exact classical scaling: of all geodesic distances themselves. Cost: one row of the solver per vertex and
/// 8 n² bytes. Throws InputError naming the bytes needed above memory_bound.
Embedding embed_exactly(const GeodesicSolver& solver, const EmbeddingOptions& options = {},
                        const Execution& execution = {});

namespace internal {

/// +1 or -1: by what the coordinates along an axis are multiplied, so that its sign is as Embedding says.
double axis_orientation(const Eigen::Ref<const Vector>& axis);

}  // namespace internal

}  // namespace geodome
