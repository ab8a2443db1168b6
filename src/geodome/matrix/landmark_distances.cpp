#include "geodome/matrix/landmark_distances.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/block_log.h"
#include "geodome/matrix/checksum.h"

namespace geodome {
namespace {

bool usable(double distance) {
  return std::isfinite(distance) && distance >= 0;
}

/// The triangle of one component while it fills up, row by row of the solver.
template <typename Scalar>
class Triangle {
 public:
  Triangle(std::span<const Index> landmarks, double tolerance, Scalar* values)
      : landmarks_(landmarks),
        tolerance_(tolerance),
        values_(values),
        nearest_(landmarks.size(), infinity),
        disagreeing_(landmarks.size(), 0) {}

  /// Distances from landmark `row`; rows come in increasing order.
  void add(std::size_t row, const Scalar* distance) {
    for (std::size_t c = 0; c < row; ++c) meet(row, c, static_cast<double>(distance[c]));
    at(row, row) = 0;
    for (std::size_t c = row + 1; c < landmarks_.size(); ++c) at(c, row) = distance[c];
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

 private:
  Scalar& at(std::size_t row, std::size_t column) {
    return values_[static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(row))) + column];
  }

  /// The second direction of a pair; the first is where the result goes.
  void meet(std::size_t row, std::size_t column, double second) {
    Scalar& entry = at(row, column);
    const auto first = static_cast<double>(entry);
    if (!usable(first) && !usable(second))
      throw NumericalError(text("the distance between landmarks ", landmarks_[row], " and ",
                                landmarks_[column], ", in one component, is ", second,
                                ": try another geodesic method"));
    const bool both = usable(first) && usable(second);
    const double larger = both ? std::max(first, second) : 0;
    const double difference = !both ? 1 : larger > 0 ? std::abs(first - second) / larger : 0;
    const double distance = both ? (first + second) / 2 : usable(first) ? first : second;
    entry = static_cast<Scalar>(distance);
    total_disagreement_ += difference;
    for (const std::size_t end : {row, column}) {
      disagreeing_[end] += difference > tolerance_;
      nearest_[end] = std::min(nearest_[end], distance);
    }
  }

  std::span<const Index> landmarks_;
  double tolerance_;
  Scalar* values_;
  std::vector<double> nearest_;
  std::vector<std::size_t> disagreeing_;
  double total_disagreement_ = 0;
};

/// Enough sources at once for a solver to group and share out, few enough for their rows to stay small.
std::size_t sources_together(std::size_t targets, const LandmarkDistanceOptions& options) {
  if (options.together > 0) return static_cast<std::size_t>(options.together);
  constexpr std::size_t numbers = std::size_t{1} << 24;
  return std::max<std::size_t>(64, numbers / targets);
}

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

  /// Distances from the sources to the targets. Blocks must be asked for in the same order in every run.
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

template <typename Scalar>
std::vector<Scalar> fill(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                         const LandmarkDistanceOptions& options, const Execution& execution,
                         LandmarkDistances& result) {
  const auto& first = landmarks.component_first;
  std::int64_t numbers = 0, pairs = 0;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) numbers += packed_size(first[c + 1] - first[c]);
  std::vector<Scalar> values(static_cast<std::size_t>(numbers));
  Scalar* own = values.data();
  double disagreement = 0;
  RowSource<Scalar> source(solver, landmarks, options, execution);
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const auto count = static_cast<std::size_t>(first[c + 1] - first[c]);
    const auto some = std::span(landmarks.vertices).subspan(static_cast<std::size_t>(first[c]), count);
    Triangle<Scalar> triangle(some, options.tolerance, own);
    const std::size_t together = sources_together(count, options);
    for (std::size_t begin = 0; begin < count; begin += together) {
      const RowMatrix<Scalar> rows =
          source.next(some.subspan(begin, std::min(together, count - begin)), some);
      for (Eigen::Index s = 0; s < rows.rows(); ++s)
        triangle.add(begin + static_cast<std::size_t>(s), rows.row(s).data());
    }
    const auto suspects = triangle.suspects(first[c]);
    result.suspects.insert(result.suspects.end(), suspects.begin(), suspects.end());
    result.spacing.push_back(triangle.spacing());
    disagreement += triangle.total_disagreement();
    pairs += packed_size(static_cast<std::int64_t>(count) - 1);
    own += packed_size(static_cast<std::int64_t>(count));
  }
  result.mean_disagreement = pairs > 0 ? disagreement / static_cast<double>(pairs) : 0;
  result.recalled = source.recalled();
  return values;
}

/// 16 bits per distance, each component in steps of its own.
std::vector<std::uint16_t> quantise(const std::vector<float>& values, std::span<const Index> component_first,
                                    std::vector<double>& steps) {
  constexpr double levels = 65535;
  std::vector<std::uint16_t> result(values.size());
  std::size_t begin = 0;
  for (std::size_t c = 0; c + 1 < component_first.size(); ++c) {
    const std::size_t end =
        begin + static_cast<std::size_t>(packed_size(component_first[c + 1] - component_first[c]));
    float largest = 0;
    for (std::size_t k = begin; k < end; ++k) largest = std::max(largest, values[k]);
    const double step = static_cast<double>(largest) / levels;
    steps.push_back(step);
    for (std::size_t k = begin; k < end && step > 0; ++k)
      result[k] = static_cast<std::uint16_t>(std::lround(static_cast<double>(values[k]) / step));
    begin = end;
  }
  return result;
}

}  // namespace

LandmarkDistances landmark_distances(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                                     const LandmarkDistanceOptions& options, const Execution& execution) {
  if (!(options.tolerance > 0))
    throw InputError(text("tolerance of landmark distances must be positive, not ", options.tolerance));
  LandmarkDistances result;
  if (options.precision == Precision::float64) {
    result.values = fill<double>(solver, landmarks, options, execution, result);
    return result;
  }
  std::vector<float> values = fill<float>(solver, landmarks, options, execution, result);
  if (options.precision == Precision::uint16)
    result.values = quantise(values, landmarks.component_first, result.step);
  else
    result.values = std::move(values);
  return result;
}

}  // namespace geodome
