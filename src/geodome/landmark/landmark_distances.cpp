#include "geodome/landmark/landmark_distances.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/landmark/landmark_rows.h"
#include "geodome/landmark/landmark_triangle.h"

namespace geodome::internal {
namespace {

/// About the largest distance between some landmarks: what one comes to by going to the farthest a few times.
/// Cost: three rows of the solver.
double estimate_largest(const GeodesicSolver& solver, std::span<const Index> landmarks,
                        const Execution& execution) {
  double largest = 0;
  std::size_t at = 0;
  for (int sweep = 0; sweep < 3 && landmarks.size() > 1; ++sweep) {
    const RowMatrix<double> row =
        solver.between(landmarks.subspan(at, 1), landmarks, {execution.threads, {}});
    for (Eigen::Index k = 0; k < row.cols(); ++k)
      if (usable(row(0, k)) && row(0, k) > largest) {
        largest = row(0, k);
        at = static_cast<std::size_t>(k);
      }
  }
  return largest;
}

/// Which rows of a triangle each rank folds: as many numbers each.
std::vector<FoldRange> shared_rows(std::size_t count, int ranks) {
  std::vector<FoldRange> ranges;
  const auto first = [&](int rank) {
    return static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(rank) / ranks) * static_cast<double>(count)));
  };
  for (int rank = 0; rank < ranks; ++rank) ranges.push_back({first(rank), first(rank + 1)});
  return ranges;
}

template <typename Scalar, typename Numbers = PlainNumbers<Scalar>>
class Fill {
 public:
  Fill(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
       const LandmarkDistanceOptions& options, const Execution& execution)
      : solver_(solver),
        landmarks_(landmarks),
        options_(options),
        execution_(execution),
        team_(team_of(execution)),
        rows_(solver, landmarks, options, execution) {}

  std::vector<Scalar> run(LandmarkDistances& result) {
    const auto& first = landmarks_.component_first;
    std::int64_t all = 0;
    for (std::size_t c = 0; c + 1 < first.size(); ++c) all += packed_size(first[c + 1] - first[c]);
    std::vector<Scalar> values(static_cast<std::size_t>(all));
    std::size_t begin = 0;
    for (std::size_t c = 0; c + 1 < first.size(); ++c) {
      const auto size = static_cast<std::size_t>(packed_size(first[c + 1] - first[c]));
      fill_component(c, std::span(values).subspan(begin, size), result);
      begin += size;
    }
    result.mean_disagreement = pairs_ > 0 ? disagreement_ / static_cast<double>(pairs_) : 0;
    result.recalled = rows_.recalled();
    return values;
  }

 private:
  static constexpr bool stepped = std::is_same_v<Numbers, SteppedNumbers>;

  void fill_component(std::size_t c, std::span<Scalar> own, LandmarkDistances& result) {
    const Index first = landmarks_.component_first[c];
    const auto count = static_cast<std::size_t>(landmarks_.component_first[c + 1] - first);
    const auto some = std::span(landmarks_.vertices).subspan(static_cast<std::size_t>(first), count);
    const double largest = stepped ? estimate_largest(solver_, some, execution_) : 0;
    const LandmarkBlocks blocks{some, sources_together(count, options_), ranges(count)};
    const FoldRange range = blocks.folded[team_ != nullptr ? static_cast<std::size_t>(team_->rank()) : 0];
    Triangle<Numbers> triangle(some, options_.tolerance, Numbers(own.data(), own.size(), largest), range);
    const auto fold = [&] { fold_blocks(blocks, range, triangle); };
    team_ != nullptr ? fail_together(*team_, fold) : fold();
    if (team_ != nullptr && !stepped) {
      triangle.combine(*team_);
      for (std::size_t rank = 0; rank < blocks.folded.size(); ++rank) {
        const auto at = [&](std::size_t row) {
          return static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(row)));
        };
        const std::size_t begin = at(blocks.folded[rank].begin), end = at(blocks.folded[rank].end);
        if (end > begin)
          team_->broadcast(std::as_writable_bytes(own.subspan(begin, end - begin)), static_cast<int>(rank));
      }
    }
    const auto suspects = triangle.suspects(first);
    result.suspects.insert(result.suspects.end(), suspects.begin(), suspects.end());
    result.spacing.push_back(triangle.spacing());
    if (stepped) result.step.push_back(triangle.step());
    if (stepped) result.rounding.push_back(triangle.rounding());
    disagreement_ += triangle.total_disagreement();
    pairs_ += packed_size(static_cast<std::int64_t>(count) - 1);
  }

  /// All rows, where this process works alone, or where what is done to a number depends on the numbers
  /// before.
  std::vector<FoldRange> ranges(std::size_t count) const {
    if (team_ == nullptr || stepped)
      return std::vector<FoldRange>(team_ == nullptr ? 1 : static_cast<std::size_t>(team_->size()),
                                    {0, count});
    return shared_rows(count, team_->size());
  }

  /// Ranks that fail go on to the end of the rows, which all of them measure together.
  void fold_blocks(const LandmarkBlocks& blocks, FoldRange range, Triangle<Numbers>& triangle) {
    std::optional<NumericalError> failure;
    for (std::size_t begin = 0; begin < blocks.landmarks.size();) {
      const auto rows = rows_.next(blocks, begin);
      const std::size_t end = begin + rows.count();
      try {
        if (!failure) triangle.put(begin, rows.columns, rows.first_column);
        for (std::size_t row = std::max(begin, range.begin); row < std::min(end, range.end) && !failure;
             ++row)
          triangle.meet(row, rows.row(row));
      } catch (const NumericalError& error) {
        if (team_ == nullptr) throw;
        failure = error;
      }
      begin = end;
    }
    if (failure) throw NumericalError(*failure);
  }

  const GeodesicSolver& solver_;
  const OrderedLandmarks& landmarks_;
  const LandmarkDistanceOptions& options_;
  const Execution& execution_;
  const Team* team_;
  LandmarkRowSource<typename Numbers::Measured> rows_;
  double disagreement_ = 0;
  std::int64_t pairs_ = 0;
};

template <typename Scalar, typename Numbers = PlainNumbers<Scalar>>
std::vector<Scalar> fill(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                         const LandmarkDistanceOptions& options, const Execution& execution,
                         LandmarkDistances& result) {
  return Fill<Scalar, Numbers>(solver, landmarks, options, execution).run(result);
}

}  // namespace

std::size_t sources_together(std::size_t targets, const LandmarkDistanceOptions& options) {
  if (options.together > 0) return static_cast<std::size_t>(options.together);
  constexpr std::size_t numbers = std::size_t{1} << 24, group = 64, least = 20 * group;
  return std::max(least, numbers / targets / group * group);
}

LandmarkDistances landmark_distances(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                                     const LandmarkDistanceOptions& options, const Execution& execution) {
  if (!(options.tolerance > 0))
    throw InputError(text("the tolerance of landmark distances must be positive, got ", options.tolerance));
  LandmarkDistances result;
  if (options.precision == Precision::float64)
    result.values = fill<double>(solver, landmarks, options, execution, result);
  else if (options.precision == Precision::uint16)
    result.values = fill<std::uint16_t, SteppedNumbers>(solver, landmarks, options, execution, result);
  else
    result.values = fill<float>(solver, landmarks, options, execution, result);
  return result;
}

}  // namespace geodome::internal
