#include "geodome/interpolation/thinned_samples.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "geodome/base/threads.h"
#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {
namespace {

constexpr Index most_per_landmark = 60;
/// Kept samples that a row is taken from: more than twice as many as surround a sample of a surface.
constexpr std::size_t surrounding = 16;
/// Ridge, as a part of their mean squared distance: directions in which they vary less are noise. It grows
/// with the squared distance along edges, so that a sample beside a landmark stays close to it. (0.03 to 1
/// change ε by less than 5 %.)
constexpr double ridge = 0.3;

/// What a thread searches and sums up in. Arrays are clean between uses.
class RowExtension {
 public:
  RowExtension(const SparseRows& P, const RowMatrix<double>& values, const Adjacency& edges,
               std::span<const Index> row_of)
      : P_(P),
        values_(values),
        edges_(edges),
        row_of_(row_of),
        distance_(row_of.size(), infinity),
        sum_(static_cast<std::size_t>(P.columns), 0),
        used_(sum_.size(), 0) {}

  std::vector<ColumnEntry> row(Index sample, std::size_t nonzeros) {
    find_surrounding(sample);
    for (const Index column : columns_) sum_[column] = used_[column] = 0;
    columns_.clear();
    const Vector weight = weights(sample);
    for (std::size_t i = 0; i < found_.size(); ++i)
      add(row_of_[found_[i]], weight[static_cast<Eigen::Index>(i)]);
    std::sort(columns_.begin(), columns_.end());
    std::vector<float> magnitudes;
    for (const Index column : columns_) magnitudes.push_back(std::abs(static_cast<float>(sum_[column])));
    Threshold threshold = threshold_for(magnitudes, nonzeros);
    std::vector<ColumnEntry> entries;
    for (const Index column : columns_)
      if (const auto value = static_cast<float>(sum_[column]); value != 0 && threshold.keeps(std::abs(value)))
        entries.push_back({column, value});
    return entries;
  }

 private:
  /// The kept samples nearest along edges.
  void find_surrounding(Index sample) {
    found_.clear();
    squared_.clear();
    heap_.clear();
    reach(sample, 0);
    while (!heap_.empty() && found_.size() < surrounding) {
      const Neighbour next = heap_.pop();
      if (next.distance > distance_[next.vertex]) continue;
      if (row_of_[next.vertex] >= 0) {
        found_.push_back(next.vertex);
        squared_.push_back(next.distance * next.distance);
      }
      for (std::int64_t k = edges_.offsets[next.vertex]; k < edges_.offsets[next.vertex + 1]; ++k)
        reach(edges_.neighbours[k], next.distance + edges_.lengths[k]);
    }
    for (const Index vertex : reached_) distance_[vertex] = infinity;
    reached_.clear();
  }

  void reach(Index vertex, double distance) {
    if (!(distance < distance_[vertex])) return;
    if (distance_[vertex] == infinity) reached_.push_back(vertex);
    distance_[vertex] = distance;
    heap_.push(vertex, distance);
  }

  /// Of the samples found: they sum to one.
  Vector weights(Index sample) const {
    const auto count = static_cast<Eigen::Index>(found_.size());
    RowMatrix<double> offset(count, values_.cols());
    for (Eigen::Index i = 0; i < count; ++i)
      offset.row(i) = values_.row(found_[static_cast<std::size_t>(i)]) - values_.row(sample);
    const double size = offset.rowwise().squaredNorm().mean();
    const Eigen::Map<const Vector> squared(squared_.data(), count);
    // Duplicates of the sample at no distance would make the system singular.
    const double least = 1e-6 * squared.mean();
    if (!(size > 0 && least > 0)) return Vector::Constant(count, 1.0 / static_cast<double>(count));
    Eigen::MatrixXd system = offset * offset.transpose() / size;
    system.diagonal().array() += ridge * (squared.array() + least) / squared.mean();
    const Vector weight = system.llt().solve(Vector::Ones(count));
    return weight / weight.sum();
  }

  void add(Index row, double weight) {
    for (std::int64_t k = P_.begin[row]; k < P_.begin[row + 1]; ++k) {
      const Index column = P_.column[k];
      if (!used_[column]) columns_.push_back(column);
      used_[column] = 1;
      sum_[column] += weight * static_cast<double>(P_.value[k]);
    }
  }

  const SparseRows& P_;
  const RowMatrix<double>& values_;
  const Adjacency& edges_;
  std::span<const Index> row_of_;  ///< #V: row of P, or -1
  std::vector<double> distance_;   ///< #V, infinite
  std::vector<Index> reached_;
  DistanceHeap heap_;
  std::vector<Index> found_;
  std::vector<double> squared_;  ///< distances of those along edges
  std::vector<double> sum_;      ///< #landmarks
  std::vector<char> used_;       ///< #landmarks: whether anything was added
  std::vector<Index> columns_;   ///< those
};

}  // namespace

bool thins_samples(Index samples, Index landmarks, const InterpolationOptions& options) {
  return options.method == InterpolationMethod::automatic && options.sparsity == Sparsity::rows &&
         samples / most_per_landmark > landmarks;
}

std::vector<Index> thinned_samples(const Adjacency& edges, const OrderedLandmarks& landmarks) {
  const Index count = edges.size();
  std::vector<char> kept(static_cast<std::size_t>(count), 0), beside(kept);
  const auto keep = [&](Index sample) {
    kept[sample] = 1;
    for (std::int64_t k = edges.offsets[sample]; k < edges.offsets[sample + 1]; ++k)
      beside[edges.neighbours[k]] = 1;
  };
  for (const Index landmark : landmarks.vertices) keep(landmark);
  for (Index sample = 0; sample < count; ++sample)
    if (landmarks.cell[sample] >= 0 && !kept[sample] && !beside[sample]) keep(sample);
  std::vector<Index> result;
  for (Index sample = 0; sample < count; ++sample)
    if (kept[sample]) result.push_back(sample);
  return result;
}

double thinned_perplexity(double perplexity) {
  return std::max(perplexity / 2, std::min(perplexity, 5.0));
}

ExtendedRows extend_rows(const SparseRows& P, std::span<const Index> kept, const RowMatrix<double>& values,
                         const Adjacency& edges, std::span<const Index> cell, Index nonzeros,
                         const Execution& execution) {
  constexpr std::size_t chunk = 1024;
  const std::size_t count = cell.size();
  std::vector<Index> row_of(count, -1);
  for (std::size_t row = 0; row < kept.size(); ++row) row_of[kept[row]] = static_cast<Index>(row);
  std::vector<std::vector<ColumnEntry>> rows(count);
  std::vector<std::unique_ptr<RowExtension>> extension(static_cast<std::size_t>(thread_count(execution)));
  parallel_for((count + chunk - 1) / chunk, execution, "interpolation", [&](std::size_t item, int thread) {
    auto& mine = extension[static_cast<std::size_t>(thread)];
    if (!mine) mine = std::make_unique<RowExtension>(P, values, edges, row_of);
    for (std::size_t v = item * chunk; v < std::min(count, (item + 1) * chunk); ++v)
      if (row_of[v] < 0 && cell[v] >= 0)
        rows[v] = mine->row(static_cast<Index>(v), static_cast<std::size_t>(nonzeros));
  });
  SparseRows result;
  result.columns = P.columns;
  result.begin.reserve(count + 1);
  for (std::size_t v = 0; v < count; ++v) {
    if (const Index row = row_of[v]; row >= 0) {
      const auto begin = P.begin[row], end = P.begin[row + 1];
      result.column.insert(result.column.end(), P.column.begin() + begin, P.column.begin() + end);
      result.value.insert(result.value.end(), P.value.begin() + begin, P.value.begin() + end);
    }
    for (const ColumnEntry& entry : rows[v]) {
      result.column.push_back(entry.row);
      result.value.push_back(entry.value);
    }
    std::vector<ColumnEntry>().swap(rows[v]);
    result.begin.push_back(static_cast<std::int64_t>(result.column.size()));
  }
  const RowSums sums = row_sums(result);  // those of P are one
  normalise_rows(result);
  return {std::move(result), sums};
}

}  // namespace geodome::internal
