#pragma once
/// Intervals that contain the distances of the shape (docs/methods/bounds.md).

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geodome/base/interval.h"
#include "geodome/matrix/landmark_error.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/lower_bound.h"
#include "geodome/matrix/near_shape.h"

namespace geodome::internal {

/// By the triangle inequality: for a landmark a near i and a landmark b near j, the distance of i and j
/// differs from that of a and b by at most d(i, a) + d(j, b). Const and thread-safe; refers to its arguments.
class PairBounds {
 public:
  /// `error.parts` fit the landmarks of the matrix.
  PairBounds(const LandmarkMatrix& matrix, const LowerBound& chord, const NearShape& shape,
             const LandmarkError& error);

  /// For every pair (I[k], J[k]), which must be in range, an interval low[k] to high[k]. Cost: for each
  /// vertex a search on the shape up to three landmark spacings, for each pair some 1,000 entries of W.
  void find(std::span<const Index> I, std::span<const Index> J, Vector& low, Vector& high,
            const Execution& execution = {}) const;

 private:
  /// What is known around a vertex: all that is not farther than `radius`.
  struct Ball {
    double radius = 0;
    std::vector<std::pair<Index, double>>
        landmarks;                                 ///< positions in the component, increasing, and distances
    std::vector<std::pair<Index, double>> others;  ///< the other ends of its pairs, increasing
  };

  Ball ball(Index vertex, std::span<const Index> others) const;
  Interval range(Index i, Index j, const Ball& from, const Ball& to) const;

  const LandmarkMatrix& matrix_;
  const LowerBound& chord_;
  const NearShape& shape_;
  const LandmarkError& error_;
  std::vector<std::pair<Index, Index>> position_;  ///< vertices of landmarks, increasing, and their positions
};

}  // namespace geodome::internal
