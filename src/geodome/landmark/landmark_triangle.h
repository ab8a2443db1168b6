#pragma once
/// The packed triangle of distances between the landmarks of one component, folded from both directions.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/team.h"
#include "geodome/base/types.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {

inline bool usable(double distance) {
  return std::isfinite(distance) && distance >= 0;
}

/// Distances stored as they are.
template <typename Number>
class PlainNumbers {
 public:
  using Measured = Number;

  PlainNumbers(Number* values, std::size_t /*size*/, double /*largest*/) : values_(values) {}
  double get(std::size_t k) const { return static_cast<double>(values_[k]); }
  void put(std::size_t k, double distance) { values_[k] = static_cast<Number>(distance); }
  double step() const { return 0; }
  double rounding() const { return 0; }
  void agree(const Team& /*team*/) {}

 private:
  Number* values_;
};

/// Distances in 16 bits, as multiples of a step that grows when a distance does not fit.
class SteppedNumbers {
 public:
  using Measured = float;

  SteppedNumbers(std::uint16_t* values, std::size_t size, double largest)
      : values_(values, size), step_((1 + room) * largest / most) {}
  double get(std::size_t k) const { return values_[k] == unusable ? infinity : values_[k] * step_; }
  void put(std::size_t k, double distance) {
    if (usable(distance) && distance > most * step_) grow((1 + room) * distance / most);
    values_[k] = usable(distance) ? rounded(distance) : unusable;
  }
  double step() const { return step_; }
  /// No distance is off by more: the first direction is rounded, then the average, and all when the step
  /// grows.
  double rounding() const { return step_ * (0.75 + 0.5 * growths_); }
  /// With the first rank, which has put all numbers.
  void agree(const Team& team) {
    team.broadcast(std::as_writable_bytes(std::span(&step_, 1)), 0);
    team.broadcast(std::as_writable_bytes(std::span(&growths_, 1)), 0);
  }

 private:
  static constexpr std::uint16_t unusable = 65535, most = 65534;
  /// Each time the step grows, numbers are rounded once more: let it not grow often.
  static constexpr double room = 0.05;

  std::uint16_t rounded(double distance) const {
    return step_ > 0 ? static_cast<std::uint16_t>(std::min<double>(std::round(distance / step_), most)) : 0;
  }
  void grow(double step) {
    const double before = std::exchange(step_, step);
    ++growths_;
    for (std::uint16_t& value : values_)
      if (value != unusable) value = rounded(value * before);
  }

  std::span<std::uint16_t> values_;
  double step_;
  int growths_ = 0;
};

/// Rows of a triangle that one of several ranks folds: [begin, end).
struct FoldRange {
  std::size_t begin = 0, end = 0;
  bool has(std::size_t row) const { return row >= begin && row < end; }
};

/// Which rows of a triangle each rank folds: as many numbers each.
inline std::vector<FoldRange> shared_rows(std::size_t count, int ranks) {
  std::vector<FoldRange> ranges;
  const auto first = [&](int rank) {
    return static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(rank) / ranks) * static_cast<double>(count)));
  };
  for (int rank = 0; rank < ranks; ++rank) ranges.push_back({first(rank), first(rank + 1)});
  return ranges;
}

/// The triangle of one component, or some of its rows, while they fill up, row by row of the solver. The
/// numbers are those of these rows.
template <typename Numbers>
class Triangle {
 public:
  using Measured = typename Numbers::Measured;

  Triangle(std::span<const Index> landmarks, double tolerance, Numbers numbers, FoldRange range)
      : landmarks_(landmarks),
        tolerance_(tolerance),
        numbers_(numbers),
        range_(range),
        nearest_(landmarks.size(), infinity),
        disagreeing_(landmarks.size(), 0),
        disagreement_(landmarks.size(), 0) {}

  /// First directions: distances from the landmarks begin, begin + 1, … to those from first_column on. Blocks
  /// come in increasing order.
  void put(std::size_t begin, const RowMatrix<Measured>& rows, std::size_t first_column) {
    const std::size_t end = begin + static_cast<std::size_t>(rows.rows());
    const std::size_t last = std::min(range_.end, first_column + static_cast<std::size_t>(rows.cols()));
    // Few columns at a time: their numbers lie far apart, those of one column close together.
    constexpr std::size_t columns = 16;
    for (std::size_t some = std::max({begin, first_column, range_.begin}); some < last; some += columns)
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t c = some; c < std::min(some + columns, last); ++c)
          if (c > row)
            numbers_.put(place(c, row),
                         static_cast<double>(rows(static_cast<Eigen::Index>(row - begin),
                                                  static_cast<Eigen::Index>(c - first_column))));
  }

  /// Second directions: from a landmark to those before it, whose first directions have been put.
  void meet(std::size_t row, const Measured* distances) {
    for (std::size_t c = 0; c < row; ++c) meet(row, c, static_cast<double>(distances[c]));
    numbers_.put(place(row, row), 0);
  }

  /// Makes what is known about landmarks the same on all ranks, each of which has folded some rows.
  void combine(const Team& team) {
    reduce(team, std::span<double>(nearest_), [](double a, double b) { return std::min(a, b); });
    reduce(team, std::span<std::size_t>(disagreeing_), std::plus<std::size_t>());
    reduce(team, std::span<double>(disagreement_), std::plus<double>());
    numbers_.agree(team);
  }

  std::vector<Index> suspects(Index first) const {
    std::vector<Index> found;
    for (std::size_t k = 0; k < landmarks_.size(); ++k)
      if (2 * disagreeing_[k] > landmarks_.size() - 1) found.push_back(first + static_cast<Index>(k));
    return found;
  }
  double spacing() const {
    if (landmarks_.size() < 2) return 0;
    std::vector<double> sorted = nearest_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
  double total_disagreement() const {
    return std::accumulate(disagreement_.begin(), disagreement_.end(), 0.0);
  }
  double step() const { return numbers_.step(); }
  double rounding() const { return numbers_.rounding(); }

 private:
  std::size_t place(std::size_t row, std::size_t column) const {
    const auto begin = [](std::size_t r) {
      return static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(r)));
    };
    return begin(row) - begin(range_.begin) + column;
  }

  /// The second direction of a pair; the first is where the result goes.
  void meet(std::size_t row, std::size_t column, double second) {
    const double first = numbers_.get(place(row, column));
    if (!usable(first) && !usable(second))
      throw NumericalError(text("the distance between landmarks ", landmarks_[row], " and ",
                                landmarks_[column], ", in one component, is ", second,
                                ": try another geodesic method"));
    const bool both = usable(first) && usable(second);
    const double larger = both ? std::max(first, second) : 0;
    // The first was rounded where it is stored in steps: that much is no disagreement.
    const double apart = both ? std::max(0.0, std::abs(first - second) - numbers_.step() / 2) : 0;
    const double difference = !both ? 1 : larger > 0 ? apart / larger : 0;
    const double distance = both ? (first + second) / 2 : usable(first) ? first : second;
    numbers_.put(place(row, column), distance);
    disagreement_[row] += difference;
    for (const std::size_t end : {row, column}) {
      disagreeing_[end] += difference > tolerance_;
      nearest_[end] = std::min(nearest_[end], distance);
    }
  }

  std::span<const Index> landmarks_;
  double tolerance_;
  Numbers numbers_;
  FoldRange range_;
  std::vector<double> nearest_;
  std::vector<std::size_t> disagreeing_;
  std::vector<double> disagreement_;  ///< summed up over each row
};

}  // namespace geodome::internal
