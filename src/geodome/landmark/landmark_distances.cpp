#include "geodome/landmark/landmark_distances.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/landmark/landmark_rows.h"
#include "geodome/landmark/landmark_triangle.h"
#include "geodome/landmark/packed_store.h"

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

PackedPart packed_part(const FoldRange& rows, std::size_t begin) {
  const auto at = [&](std::size_t row) {
    return begin + static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(row)));
  };
  return {at(rows.begin), at(rows.end)};
}

std::size_t size_of_all(std::span<const Index> first) {
  std::int64_t all = 0;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) all += packed_size(first[c + 1] - first[c]);
  return static_cast<std::size_t>(all);
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
        rows_(solver, landmarks, options, execution),
        store_(size_of_all(landmarks.component_first), options, team_) {}

  void run(LandmarkDistances& result) && {
    const auto& first = landmarks_.component_first;
    std::size_t begin = 0;
    for (std::size_t c = 0; c + 1 < first.size(); ++c) {
      fill_component(c, begin, result);
      begin += static_cast<std::size_t>(packed_size(first[c + 1] - first[c]));
    }
    result.mean_disagreement = pairs_ > 0 ? disagreement_ / static_cast<double>(pairs_) : 0;
    result.recalled = rows_.recalled();
    std::move(store_).give(result);
  }

 private:
  /// What is done to a number depends on the numbers before.
  static constexpr bool stepped = std::is_same_v<Numbers, SteppedNumbers>;

  void fill_component(std::size_t c, std::size_t begin, LandmarkDistances& result) {
    const Index first = landmarks_.component_first[c];
    const auto count = static_cast<std::size_t>(landmarks_.component_first[c + 1] - first);
    const auto some = std::span(landmarks_.vertices).subspan(static_cast<std::size_t>(first), count);
    const double largest = stepped ? estimate_largest(solver_, some, execution_) : 0;
    const LandmarkBlocks blocks{some, sources_together(count, options_), ranges(count)};
    const FoldRange range = blocks.folded[team_ != nullptr ? static_cast<std::size_t>(team_->rank()) : 0];
    const std::span<Scalar> own = store_.room(packed_part(range, begin), team_ == nullptr || stepped);
    Triangle<Numbers> triangle(some, options_.tolerance, Numbers(own.data(), own.size(), largest), range);
    const auto fold = [&] { fold_blocks(blocks, range, triangle); };
    team_ != nullptr ? fail_together(*team_, fold) : fold();
    if (team_ != nullptr && (!stepped || store_.in_file())) {
      triangle.combine(*team_);
      std::vector<PackedPart> parts;
      for (const FoldRange& folded : blocks.folded) parts.push_back(packed_part(folded, begin));
      store_.share(parts);
    }
    const auto suspects = triangle.suspects(first);
    result.suspects.insert(result.suspects.end(), suspects.begin(), suspects.end());
    result.spacing.push_back(triangle.spacing());
    if (stepped) result.step.push_back(triangle.step());
    if (stepped) result.rounding.push_back(triangle.rounding());
    disagreement_ += triangle.total_disagreement();
    pairs_ += packed_size(static_cast<std::int64_t>(count) - 1);
  }

  /// Steps allow for no division: all ranks fold all rows in memory, and the first one in a file.
  std::vector<FoldRange> ranges(std::size_t count) const {
    if (team_ == nullptr) return {{0, count}};
    if (!stepped) return shared_rows(count, team_->size());
    const FoldRange all{0, count}, none{0, 0};
    std::vector<FoldRange> result(static_cast<std::size_t>(team_->size()), store_.in_file() ? none : all);
    result[0] = all;
    return result;
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
  PackedStore<Scalar> store_;
  double disagreement_ = 0;
  std::int64_t pairs_ = 0;
};

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
    Fill<double>(solver, landmarks, options, execution).run(result);
  else if (options.precision == Precision::uint16)
    Fill<std::uint16_t, SteppedNumbers>(solver, landmarks, options, execution).run(result);
  else
    Fill<float>(solver, landmarks, options, execution).run(result);
  return result;
}

}  // namespace geodome::internal
