#include "geodome/evaluation/distance_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/evaluation/histogram.h"
#include "geodome/evaluation/ratio_interval.h"
#include "geodome/geodesic/shared_rows.h"

namespace geodome {

using namespace internal;

namespace {

/// What is summed up of some pairs.
struct Totals {
  std::int64_t pairs = 0;
  double squared_error = 0;
  double squared_truth = 0;
  double relative = 0;
  double largest = 0;
  double largest_ratio = 1, ratio_distance = 0;  ///< of distances (SpotCheck)
  std::int64_t beyond = 0;

  void add_ratio(double found, double truth) {
    const double ratio = std::max(found, truth) / std::min(found, truth);
    largest_ratio = std::max(largest_ratio, ratio);
    if (!(ratio > worst_ratio)) return;
    ++beyond;
    ratio_distance = std::max(ratio_distance, truth);
  }
  void add(double error, double truth) {
    ++pairs;
    squared_error += error * error;
    squared_truth += truth * truth;
    relative += error / truth;
    largest = std::max(largest, error / truth);
  }
  void add(const Totals& other) {
    pairs += other.pairs;
    squared_error += other.squared_error;
    squared_truth += other.squared_truth;
    relative += other.relative;
    largest = std::max(largest, other.largest);
    largest_ratio = std::max(largest_ratio, other.largest_ratio);
    ratio_distance = std::max(ratio_distance, other.ratio_distance);
    beyond += other.beyond;
  }
};

/// Of one row.
struct RowTotals {
  std::vector<Totals> band;
  double squared_error_at_zero = 0;  ///< of the diagonal, and of other pairs whose distance is zero
  std::int64_t infinite_pairs = 0;

  Totals all() const {
    Totals total;
    for (const Totals& some : band) total.add(some);
    return total;
  }
};

[[noreturn]] void disagree(Index i, Index j, bool connected) {
  throw InputError(text("vertices ", i, " and ", j, connected ? " are" : " are not",
                        " connected on the shape, in contradiction to the matrix: it was built from another "
                        "shape or with another mask"));
}

PairErrors summarise(const Totals& totals, const Histogram& histogram) {
  PairErrors errors;
  errors.pairs = totals.pairs;
  if (totals.pairs == 0) return errors;
  errors.relative_error = totals.squared_error / totals.squared_truth;
  errors.mean_relative_error = totals.relative / static_cast<double>(totals.pairs);
  errors.median_relative_error = std::min(histogram.quantile(0.5), totals.largest);
  errors.p99_relative_error = std::min(histogram.quantile(0.99), totals.largest);
  errors.max_relative_error = totals.largest;
  return errors;
}

/// Adds up errors row by row, in an order that does not depend on the number of threads.
class Comparison {
 public:
  Comparison(const DistanceBands& bands, DistanceKind kind, int threads)
      : bands_(bands),
        kind_(kind),
        totals_(bands.size()),
        histograms_(static_cast<std::size_t>(threads), std::vector<Histogram>(bands.size())) {}

  /// K and its approximation, row by row the rows of these vertices.
  void add(std::span<const Index> vertices, const RowMatrix<double>& approximate,
           const RowMatrix<double>& truth, const Execution& execution) {
    if (row_error_.empty()) set_unit(truth, nullptr);
    for (const RowTotals& row : compare(vertices, approximate, truth, execution)) add(row);
  }

  /// The same where this rank has measured some of the rows, and others the rest.
  void add(std::span<const Index> vertices, const RowMatrix<double>& approximate, const SomeRows& truth,
           const Team& team, const Execution& execution) {
    if (row_error_.empty()) set_unit(truth.distances, &team);
    std::vector<Index> mine;
    for (const std::size_t source : truth.sources) mine.push_back(vertices[source]);
    const std::vector<RowTotals> found = compare(mine, approximate, truth.distances, execution);
    BytesWriter writer;
    for (std::size_t r = 0; r < found.size(); ++r) {
      writer.put(truth.sources[r]);
      writer.put_all(std::span<const Totals>(found[r].band));
      writer.put(found[r].squared_error_at_zero);
      writer.put(found[r].infinite_pairs);
    }
    std::vector<RowTotals> rows(vertices.size());
    for (const Bytes& bytes : team.gather(writer.take())) {
      BytesReader reader(bytes);
      while (!reader.empty()) {
        RowTotals& row = rows[reader.get<std::size_t>()];
        row.band.resize(bands_.size());
        reader.get_all(std::span<Totals>(row.band));
        row.squared_error_at_zero = reader.get<double>();
        row.infinite_pairs = reader.get<std::int64_t>();
      }
    }
    for (const RowTotals& row : rows) add(row);
  }

  /// After all rows: what each rank has counted.
  void merge(const Team& team) {
    for (std::size_t b = 0; b < totals_.size(); ++b) {
      Histogram all;
      for (std::vector<Histogram>& thread : histograms_) {
        all.merge(thread[b]);
        thread[b] = Histogram();
      }
      all.merge(team);
      histograms_[0][b] = std::move(all);
    }
  }

  ErrorReport report(std::int64_t population) const {
    ErrorReport result;
    Totals all;
    Histogram histogram;
    for (std::size_t b = 0; b < totals_.size(); ++b) {
      Histogram of_band;
      for (const std::vector<Histogram>& thread : histograms_) of_band.merge(thread[b]);
      result.by_band.push_back(summarise(totals_[b], of_band));
      all.add(totals_[b]);
      histogram.merge(of_band);
    }
    static_cast<PairErrors&>(result) = summarise(all, histogram);
    const double error = std::accumulate(row_error_.begin(), row_error_.end(), 0.0);
    const double truth = std::accumulate(row_truth_.begin(), row_truth_.end(), 0.0);
    result.relative_error = error > 0 ? error / truth : 0;
    result.interval = ratio_interval(row_error_, row_truth_, population);
    result.mean_interval = ratio_interval(row_relative_, row_pairs_, population);
    const auto pairs = static_cast<double>(std::max<std::int64_t>(1, all.pairs));
    result.check = {static_cast<Index>(row_error_.size()), result.mean_relative_error, all.largest_ratio,
                    all.ratio_distance, static_cast<double>(all.beyond) / pairs};
    result.infinite_pairs = infinite_pairs_;
    return result;
  }

 private:
  std::vector<RowTotals> compare(std::span<const Index> vertices, const RowMatrix<double>& approximate,
                                 const RowMatrix<double>& truth, const Execution& execution) {
    std::vector<RowTotals> rows(vertices.size());
    parallel_for(vertices.size(), execution, {}, [&](std::size_t r, int thread) {
      const auto row = static_cast<Eigen::Index>(r);
      rows[r] = compare_row(vertices[r], &approximate(row, 0), &truth(row, 0),
                            static_cast<Index>(truth.cols()), histograms_[static_cast<std::size_t>(thread)]);
    });
    return rows;
  }

  void add(const RowTotals& row) {
    for (std::size_t b = 0; b < totals_.size(); ++b) totals_[b].add(row.band[b]);
    const Totals all = row.all();
    row_error_.push_back(all.squared_error + row.squared_error_at_zero);
    row_truth_.push_back(all.squared_truth);
    row_relative_.push_back(all.relative);
    row_pairs_.push_back(static_cast<double>(all.pairs));
    infinite_pairs_ += row.infinite_pairs;
  }

  /// Errors are relative, so the unit is free: one in which squares of squared distances fit a double.
  void set_unit(const RowMatrix<double>& truth, const Team* team) {
    double largest = 0;
    for (const double distance : truth.reshaped())
      if (std::isfinite(distance)) largest = std::max(largest, distance);
    if (team != nullptr)
      reduce(*team, std::span<double>(&largest, 1), [](double a, double b) { return std::max(a, b); });
    if (largest > 0 && (largest < 1e-30 || largest > 1e30)) unit_ = std::ldexp(1.0, std::ilogb(largest));
  }

  RowTotals compare_row(Index i, const double* approximate, const double* distance, Index size,
                        std::vector<Histogram>& histograms) const {
    RowTotals row;
    row.band.resize(bands_.size());
    for (Index j = 0; j < size; ++j) {
      if (std::isnan(approximate[j]) || std::isnan(distance[j]))
        throw NumericalError(
            text("the distance between vertices ", i, " and ", j, " is NaN ",
                 std::isnan(approximate[j]) ? "in the matrix" : "in the computed distances"));
      if (std::isinf(approximate[j]) != std::isinf(distance[j])) disagree(i, j, std::isfinite(distance[j]));
      if (std::isinf(distance[j])) {
        ++row.infinite_pairs;
        continue;
      }
      const bool squared = kind_ == DistanceKind::squared;
      const double length = distance[j] / unit_, truth = squared ? length * length : length;
      const double error = std::abs((squared ? approximate[j] / unit_ : approximate[j]) / unit_ - truth);
      if (j == i || !(truth > 0)) {
        row.squared_error_at_zero += error * error;
        continue;
      }
      const std::size_t band = bands_.find(distance[j]);
      row.band[band].add(error, truth);
      const double entry = std::max(0.0, approximate[j]);
      row.band[band].add_ratio(squared ? std::sqrt(entry) : entry, distance[j]);
      histograms[band].add(error / truth);
    }
    return row;
  }

  const DistanceBands& bands_;
  DistanceKind kind_;
  double unit_ = 1;
  std::vector<Totals> totals_;                      // by band
  std::vector<std::vector<Histogram>> histograms_;  // by thread and band
  std::vector<double> row_error_, row_truth_, row_relative_, row_pairs_;
  std::int64_t infinite_pairs_ = 0;
};

/// Independent of the number of threads: which sources are measured together may matter to a solver.
std::size_t rows_at_once(Index size) {
  constexpr std::size_t most = 64, numbers = std::size_t{1} << 24;
  return std::clamp<std::size_t>(numbers / static_cast<std::size_t>(std::max<Index>(1, size)), 8, most);
}

void compare_alone(const DistanceMatrix& matrix, const GeodesicSolver& solver, std::span<const Index> rows,
                   Comparison& comparison, const Execution& execution) {
  const std::size_t block = rows_at_once(matrix.size());
  RowMatrix<double> truth;
  for (std::size_t begin = 0; begin < rows.size(); begin += block) {
    const auto some = rows.subspan(begin, std::min(block, rows.size() - begin));
    const auto share = [&](std::size_t done) {
      return static_cast<double>(begin + done) / static_cast<double>(rows.size());
    };
    truth.resize(static_cast<Eigen::Index>(some.size()), matrix.size());
    solver.distances(some, truth, part_of(execution, "evaluation", share(0), share(some.size())));
    comparison.add(some, matrix.rows(some, Execution{execution.threads, {}}), truth, execution);
    execution.report("evaluation", share(some.size()));
  }
}

/// The approximate rows of some of the vertices in these blocks. Last bits depend on what is queried
/// together: that is a block, as without a team.
RowMatrix<double> rows_measured(const DistanceMatrix& matrix,
                                const std::vector<std::span<const Index>>& blocks,
                                const std::vector<std::size_t>& wanted, const Execution& execution) {
  RowMatrix<double> result(static_cast<Eigen::Index>(wanted.size()), matrix.size());
  std::size_t begin = 0, k = 0;
  for (const std::span<const Index> block : blocks) {
    const std::size_t end = begin + block.size();
    if (k < wanted.size() && wanted[k] < end) {
      const RowMatrix<double> rows = matrix.rows(block, Execution{execution.threads, {}});
      for (; k < wanted.size() && wanted[k] < end; ++k)
        result.row(static_cast<Eigen::Index>(k)) = rows.row(static_cast<Eigen::Index>(wanted[k] - begin));
    }
    begin = end;
  }
  return result;
}

/// The same blocks, as many at once as there are ranks.
void compare_together(const DistanceMatrix& matrix, const GeodesicSolver& solver, std::span<const Index> rows,
                      const Team& team, Comparison& comparison, const Execution& execution) {
  const std::size_t block = rows_at_once(matrix.size());
  std::vector<Index> all(static_cast<std::size_t>(matrix.size()));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t begin = 0; begin < rows.size();) {
    std::vector<std::span<const Index>> blocks;
    std::size_t end = begin;
    for (int k = 0; k < team.size() && end < rows.size(); ++k) {
      blocks.push_back(rows.subspan(end, std::min(block, rows.size() - end)));
      end += blocks.back().size();
    }
    const auto share = [&](std::size_t row) {
      return static_cast<double>(row) / static_cast<double>(rows.size());
    };
    const SomeRows truth = my_rows_of_blocks(solver, blocks, all, team,
                                             part_of(execution, "evaluation", share(begin), share(end)));
    const RowMatrix<double> approximate = rows_measured(matrix, blocks, truth.sources, execution);
    comparison.add(rows.subspan(begin, end - begin), approximate, truth, team, execution);
    execution.report("evaluation", share(end));
    begin = end;
  }
  comparison.merge(team);
}

/// The vertices that rows are drawn from, increasing.
std::vector<Index> drawn_from(Index size, const std::vector<Index>& leave_out) {
  std::vector<char> out(static_cast<std::size_t>(size), 0);
  for (const Index vertex : leave_out) {
    if (vertex < 0 || vertex >= size)
      throw InputError(text("vertex ", vertex, " is out of range [0, ", size, ")"));
    out[static_cast<std::size_t>(vertex)] = 1;
  }
  std::vector<Index> left;
  for (Index v = 0; v < size; ++v)
    if (out[static_cast<std::size_t>(v)] == 0) left.push_back(v);
  if (!left.empty()) return left;
  left.resize(static_cast<std::size_t>(size));
  std::iota(left.begin(), left.end(), 0);
  return left;
}

}  // namespace

std::vector<Index> internal::sample_rows(Index population, Index count, std::uint64_t seed) {
  std::vector<Index> all(static_cast<std::size_t>(population));
  std::iota(all.begin(), all.end(), 0);
  if (count <= 0 || count >= population) return all;
  std::mt19937_64 random(seed);
  for (Index k = 0; k < count; ++k) {
    const auto left = static_cast<double>(population - k);
    std::swap(all[k], all[k + static_cast<Index>(random_unit(random) * left)]);
  }
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

ErrorReport measure_error(const DistanceMatrix& matrix, const GeodesicSolver& solver,
                          const ErrorOptions& options, const Execution& execution) {
  if (matrix.size() != solver.size())
    throw InputError(text("the matrix has ", matrix.size(), " vertices, but the shape has ", solver.size()));
  if (options.rows < 0) throw InputError(text("the number of rows must not be negative, got ", options.rows));
  check_bands(options.bands);

  const std::vector<Index> from = drawn_from(matrix.size(), options.leave_out);
  std::vector<Index> rows = sample_rows(static_cast<Index>(from.size()), options.rows, options.seed);
  for (Index& row : rows) row = from[static_cast<std::size_t>(row)];
  Comparison comparison(options.bands, matrix.kind(), thread_count(execution));
  const Team* team = team_of(execution);
  team != nullptr ? compare_together(matrix, solver, rows, *team, comparison, execution)
                  : compare_alone(matrix, solver, rows, comparison, execution);
  ErrorReport report = comparison.report(matrix.size());
  report.rows = std::move(rows);
  return report;
}

}  // namespace geodome
