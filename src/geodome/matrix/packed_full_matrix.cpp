#include "geodome/matrix/packed_full_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geodome/base/threads.h"
#include "geodome/matrix/full_matrix.h"

namespace geodome::internal {
namespace {

std::size_t packed_place(Index i, Index j) {
  return static_cast<std::size_t>(packed_size(std::max(i, j)) + std::min(i, j));
}

}  // namespace

PackedFullMatrix::PackedFullMatrix(Index size, std::vector<float> values, DistanceKind kind)
    : size_(size),
      values_(std::make_shared<const std::vector<float>>(std::move(values))),
      view_(size, PackedValues(std::span<const float>(*values_))),
      kind_(kind),
      finite_(
          std::all_of(values_->begin(), values_->end(), [](float value) { return std::isfinite(value); })) {}

PackedFullMatrix::PackedFullMatrix(const PackedFullMatrix& other, DistanceKind kind)
    : size_(other.size_),
      values_(other.values_),
      view_(size_, PackedValues(std::span<const float>(*values_))),
      kind_(kind),
      finite_(other.finite_) {}

double PackedFullMatrix::entry(Index i, Index j) const {
  const auto distance = static_cast<double>((*values_)[packed_place(i, j)]);
  return kind_ == DistanceKind::squared ? distance * distance : distance;
}

Vector PackedFullMatrix::entries(std::span<const Index> I, std::span<const Index> J, const Execution&) const {
  require_pairs(I, J);
  Vector result(static_cast<Eigen::Index>(I.size()));
  for (std::size_t k = 0; k < I.size(); ++k) result[static_cast<Eigen::Index>(k)] = entry(I[k], J[k]);
  return result;
}

RowMatrix<double> PackedFullMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                          const Execution& execution) const {
  require_rows(X.rows());
  require_finite(finite_);
  using Power = PackedSymmetric::Power;
  return view_.times(X, kind_ == DistanceKind::squared ? Power::two : Power::one, execution);
}

std::int64_t PackedFullMatrix::bytes() const {
  return static_cast<std::int64_t>(values_->size() * sizeof(float));
}

std::int64_t packed_full_bytes(Index vertices) {
  return 4 * packed_size(vertices);
}

std::vector<float> packed_distances(const GeodesicSolver& solver, std::int64_t memory_bound,
                                    const Execution& execution) {
  const Index size = solver.size();
  require_memory_for_all(size, static_cast<double>(packed_full_bytes(size)), memory_bound);
  std::vector<float> values(static_cast<std::size_t>(packed_size(size)));
  constexpr std::size_t numbers = std::size_t{1} << 25;
  const auto together = static_cast<Index>(
      std::clamp<std::size_t>(numbers / static_cast<std::size_t>(std::max<Index>(1, size)), 1, 1024));
  RowMatrix<double> rows;
  for (Index begin = 0; begin < size; begin += together) {
    std::vector<Index> sources(static_cast<std::size_t>(std::min(together, size - begin)));
    std::iota(sources.begin(), sources.end(), begin);
    rows.resize(static_cast<Eigen::Index>(sources.size()), size);
    const double done = static_cast<double>(begin) / size;
    solver.distances(sources, rows, part_of(execution, "all distances", done, done));
    for (const Index source : sources)
      for (Index other = 0; other < size; ++other) {
        float& value = values[packed_place(source, other)];
        const double distance = rows(source - begin, other);
        // Rows come in order: the other direction is there already for every vertex before.
        value = static_cast<float>(other < source ? (static_cast<double>(value) + distance) / 2 : distance);
      }
    execution.report("all distances", static_cast<double>(begin + static_cast<Index>(sources.size())) / size);
  }
  return values;
}

std::vector<float> packed_entries(const DistanceMatrix& matrix, std::int64_t memory_bound,
                                  const Execution& execution) {
  const Index size = matrix.size();
  require_memory_for_all(size, static_cast<double>(packed_full_bytes(size)), memory_bound);
  std::vector<float> values(static_cast<std::size_t>(packed_size(size)));
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  parallel_for(all.size(), execution, "all distances", [&](std::size_t item, int) {
    // The longest rows first.
    const Index row = size - 1 - static_cast<Index>(item);
    const std::vector<Index> same(static_cast<std::size_t>(row) + 1, row);
    const Vector entries = matrix.entries(same, std::span(all).first(same.size()), Execution{1, {}});
    for (Index column = 0; column <= row; ++column)
      values[packed_place(row, column)] = static_cast<float>(matrix.kind() == DistanceKind::squared
                                                                 ? std::sqrt(std::max(0.0, entries[column]))
                                                                 : entries[column]);
  });
  return values;
}

}  // namespace geodome::internal
