#include "geodome/landmark/landmark_distances.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/landmark/block_log.h"

namespace geodome::internal {
namespace {

bool usable(double distance) {
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

/// The triangle of one component while it fills up, row by row of the solver.
template <typename Numbers>
class Triangle {
 public:
  using Measured = typename Numbers::Measured;

  Triangle(std::span<const Index> landmarks, double tolerance, Numbers numbers)
      : landmarks_(landmarks),
        tolerance_(tolerance),
        numbers_(numbers),
        nearest_(landmarks.size(), infinity),
        disagreeing_(landmarks.size(), 0) {}

  /// Distances from the landmarks begin, begin + 1, …; blocks come in increasing order.
  void add(std::size_t begin, const RowMatrix<Measured>& rows) {
    const auto count = static_cast<std::size_t>(rows.rows());
    const auto distance = [&](std::size_t row, std::size_t column) {
      return static_cast<double>(
          rows(static_cast<Eigen::Index>(row - begin), static_cast<Eigen::Index>(column)));
    };
    // Few columns at a time: their numbers lie far apart, those of one column close together.
    constexpr std::size_t columns = 16;
    for (std::size_t some = begin; some < landmarks_.size(); some += columns)
      for (std::size_t row = begin; row < begin + count; ++row)
        for (std::size_t c = some; c < std::min(some + columns, landmarks_.size()); ++c)
          if (c > row) numbers_.put(place(c, row), distance(row, c));
    for (std::size_t row = begin; row < begin + count; ++row) {
      for (std::size_t c = 0; c < row; ++c) meet(row, c, distance(row, c));
      numbers_.put(place(row, row), 0);
    }
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
  double total_disagreement() const { return total_disagreement_; }
  double step() const { return numbers_.step(); }
  double rounding() const { return numbers_.rounding(); }

 private:
  static std::size_t place(std::size_t row, std::size_t column) {
    return static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(row))) + column;
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
    total_disagreement_ += difference;
    for (const std::size_t end : {row, column}) {
      disagreeing_[end] += difference > tolerance_;
      nearest_[end] = std::min(nearest_[end], distance);
    }
  }

  std::span<const Index> landmarks_;
  double tolerance_;
  Numbers numbers_;
  std::vector<double> nearest_;
  std::vector<std::size_t> disagreeing_;
  double total_disagreement_ = 0;
};

/// What must be the same for rows that were kept to be of use.
std::string key_of(const OrderedLandmarks& landmarks, const LandmarkDistanceOptions& options,
                   std::size_t scalar) {
  const std::uint32_t digest = crc32c(std::as_bytes(std::span(landmarks.vertices)));
  return text(options.log_key, "\n", landmarks.vertices.size(), " landmarks ", digest, ", ", options.together,
              " together, numbers of ", scalar, " bytes");
}

/// Rows of W, from the log as far as it goes and from the solver beyond.
template <typename Scalar>
class RowSource {
 public:
  RowSource(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
            const LandmarkDistanceOptions& options, const Execution& execution)
      : solver_(solver), all_(static_cast<double>(landmarks.vertices.size())), execution_(execution) {
    if (!options.log.empty()) log_.emplace(options.log, key_of(landmarks, options, sizeof(Scalar)));
  }

  /// Distances from the sources to the targets. Blocks must be requested in the same order in every run.
  RowMatrix<Scalar> next(std::span<const Index> sources, std::span<const Index> targets) {
    RowMatrix<Scalar> rows(static_cast<Eigen::Index>(sources.size()),
                           static_cast<Eigen::Index>(targets.size()));
    const auto numbers = std::span(rows.data(), sources.size() * targets.size());
    if (log_ && log_->recall(block_, std::as_writable_bytes(numbers))) {
      recalled_ += static_cast<Index>(sources.size());
    } else {
      rows = measure(sources, targets).template cast<Scalar>();
      if (log_) log_->keep(std::as_bytes(numbers));
    }
    ++block_;
    done_ += static_cast<double>(sources.size());
    return rows;
  }

  Index recalled() const { return recalled_; }

 private:
  RowMatrix<double> measure(std::span<const Index> sources, std::span<const Index> targets) const {
    Execution inner{execution_.threads, {}};
    if (execution_.progress)
      inner.progress = [&](std::string_view, double fraction) {
        return execution_.progress("landmark distances",
                                   (done_ + fraction * static_cast<double>(sources.size())) / all_);
      };
    return solver_.between(sources, targets, inner);
  }

  const GeodesicSolver& solver_;
  double all_, done_ = 0;
  const Execution& execution_;
  std::optional<BlockLog> log_;
  std::size_t block_ = 0;
  Index recalled_ = 0;
};

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

template <typename Scalar, typename Numbers = PlainNumbers<Scalar>>
std::vector<Scalar> fill(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                         const LandmarkDistanceOptions& options, const Execution& execution,
                         LandmarkDistances& result) {
  constexpr bool stepped = std::is_same_v<Numbers, SteppedNumbers>;
  using Measured = typename Numbers::Measured;
  const auto& first = landmarks.component_first;
  std::int64_t all = 0, pairs = 0;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) all += packed_size(first[c + 1] - first[c]);
  std::vector<Scalar> values(static_cast<std::size_t>(all));
  Scalar* own = values.data();
  double disagreement = 0;
  RowSource<Measured> source(solver, landmarks, options, execution);
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const auto count = static_cast<std::size_t>(first[c + 1] - first[c]);
    const auto some = std::span(landmarks.vertices).subspan(static_cast<std::size_t>(first[c]), count);
    const auto size = static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(count)));
    const double largest = stepped ? estimate_largest(solver, some, execution) : 0;
    Triangle<Numbers> triangle(some, options.tolerance, Numbers(own, size, largest));
    const std::size_t together = sources_together(count, options);
    for (std::size_t begin = 0; begin < count; begin += together) {
      const std::size_t next = std::min(together, count - begin);
      triangle.add(begin, source.next(some.subspan(begin, next), some));
    }
    const auto suspects = triangle.suspects(first[c]);
    result.suspects.insert(result.suspects.end(), suspects.begin(), suspects.end());
    result.spacing.push_back(triangle.spacing());
    if (stepped) result.step.push_back(triangle.step());
    if (stepped) result.rounding.push_back(triangle.rounding());
    disagreement += triangle.total_disagreement();
    pairs += packed_size(static_cast<std::int64_t>(count) - 1);
    own += size;
  }
  result.mean_disagreement = pairs > 0 ? disagreement / static_cast<double>(pairs) : 0;
  result.recalled = source.recalled();
  return values;
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
