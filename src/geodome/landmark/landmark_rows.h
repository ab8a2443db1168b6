#pragma once
/// One-sided distances between landmarks, block by block: from the log as far as it goes, from the solver
/// beyond, and with a team measured by all ranks.

#include <optional>
#include <string>
#include <vector>

#include "geodome/base/team.h"
#include "geodome/geodesic/shared_rows.h"
#include "geodome/landmark/block_log.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/landmark/landmark_triangle.h"

namespace geodome::internal {

/// What a rank that needs whole rows, to fold all of them or for the log, receives of them at once, unless
/// one block is more.
inline constexpr std::size_t most_whole_numbers = std::size_t{1} << 29;

/// Rows of W from some landmarks of a component, as far as this rank needs them.
template <typename Scalar>
struct FoldedRows {
  std::size_t begin = 0;  ///< the landmarks begin, begin + 1, …
  std::size_t first_column = 0;
  RowMatrix<Scalar> columns;  ///< #rows by some of the landmarks: those from first_column on
  bool whole = true;          ///< whether these are all landmarks
  /// Else, of the rows that this rank folds, the distances to the landmarks before: one, two, … numbers more
  /// for each row.
  std::vector<Scalar> folded;
  std::size_t first_folded = 0;

  std::size_t count() const { return static_cast<std::size_t>(columns.rows()); }
  /// The distances from a landmark that this rank folds, at least to those before it.
  const Scalar* row(std::size_t landmark) const;
};

/// What the rows are for.
struct LandmarkBlocks {
  std::span<const Index> landmarks;  ///< of one component
  std::size_t together = 0;          ///< in a block
  std::vector<FoldRange> folded;     ///< by each rank
};

template <typename Scalar>
class LandmarkRowSource {
 public:
  LandmarkRowSource(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                    const LandmarkDistanceOptions& options, const Execution& execution);

  /// The block of landmarks that begins there. Blocks must be requested in the same order in every run.
  FoldedRows<Scalar> next(const LandmarkBlocks& blocks, std::size_t begin);

  Index recalled() const { return recalled_; }

 private:
  FoldedRows<Scalar> whole_block(const LandmarkBlocks& blocks, std::size_t begin);
  bool recall(RowMatrix<Scalar>& rows);
  void measure_round(const LandmarkBlocks& blocks, std::size_t begin);
  std::size_t blocks_in_round(const LandmarkBlocks& blocks, std::size_t begin) const;
  Execution part(double rows) const;

  const GeodesicSolver& solver_;
  bool solver_shares_;
  double first_share_;
  double all_, done_ = 0;
  const Execution& execution_;
  const Team* team_;
  bool logs_;  ///< whether there is a log, which rank 0 keeps
  std::optional<BlockLog> log_;
  std::size_t block_ = 0;
  std::size_t in_log_ = 0;  ///< blocks that the log had in the beginning
  Index recalled_ = 0;
  std::vector<FoldedRows<Scalar>> round_;  ///< measured, and not requested yet; the next one last
};

}  // namespace geodome::internal
