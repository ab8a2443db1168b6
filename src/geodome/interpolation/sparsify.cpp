#include "geodome/interpolation/sparsify.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace geodome {
namespace {

double row_sum(const SparseRows& matrix, Index row) {
  return std::accumulate(matrix.value.begin() + matrix.begin[row],
                         matrix.value.begin() + matrix.begin[row + 1], 0.0);
}

}  // namespace

Threshold threshold_for(std::vector<float>& magnitudes, std::size_t count) {
  if (count >= magnitudes.size()) return {};
  if (count == 0) return {std::numeric_limits<float>::infinity(), 0};
  const auto last = magnitudes.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(magnitudes.begin(), last, magnitudes.end(), std::greater());
  const auto larger = std::count_if(magnitudes.begin(), last, [&](float one) { return one > *last; });
  return {*last, count - static_cast<std::size_t>(larger)};
}

void keep_largest(std::vector<ColumnEntry>& column, std::size_t count) {
  const auto by_row = [](const ColumnEntry& a, const ColumnEntry& b) { return a.row < b.row; };
  if (!std::is_sorted(column.begin(), column.end(), by_row)) std::sort(column.begin(), column.end(), by_row);
  if (count >= column.size()) return;
  std::vector<float> magnitudes;
  magnitudes.reserve(column.size());
  for (const ColumnEntry& entry : column) magnitudes.push_back(std::abs(entry.value));
  Threshold threshold = threshold_for(magnitudes, count);
  std::erase_if(column, [&](const ColumnEntry& entry) { return !threshold.keeps(std::abs(entry.value)); });
  column.shrink_to_fit();
}

SparseRows assemble(std::vector<std::vector<ColumnEntry>>& columns, Index rows) {
  SparseRows result;
  result.columns = static_cast<Index>(columns.size());
  result.begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& column : columns)
    for (const ColumnEntry& entry : column) ++result.begin[entry.row + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.column.resize(result.begin.back());
  result.value.resize(result.begin.back());
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const ColumnEntry& entry : columns[c]) {
      const std::int64_t at = next[entry.row]++;
      result.column[at] = static_cast<Index>(c);
      result.value[at] = entry.value;
    }
    std::vector<ColumnEntry>().swap(columns[c]);
  }
  return result;
}

SparseRows keep_largest_per_row(const SparseRows& matrix, Index count) {
  SparseRows result;
  result.columns = matrix.columns;
  result.begin.reserve(matrix.begin.size());
  std::vector<float> magnitudes;
  for (Index r = 0; r < matrix.rows(); ++r) {
    magnitudes.clear();
    for (std::int64_t k = matrix.begin[r]; k < matrix.begin[r + 1]; ++k)
      magnitudes.push_back(std::abs(matrix.value[k]));
    Threshold threshold = threshold_for(magnitudes, static_cast<std::size_t>(count));
    for (std::int64_t k = matrix.begin[r]; k < matrix.begin[r + 1]; ++k) {
      if (!threshold.keeps(std::abs(matrix.value[k]))) continue;
      result.column.push_back(matrix.column[k]);
      result.value.push_back(matrix.value[k]);
    }
    result.begin.push_back(static_cast<std::int64_t>(result.column.size()));
  }
  return result;
}

void normalise_rows(SparseRows& matrix) {
  for (Index r = 0; r < matrix.rows(); ++r) {
    const double sum = row_sum(matrix, r);
    if (sum < 0.5) continue;
    for (std::int64_t k = matrix.begin[r]; k < matrix.begin[r + 1]; ++k)
      matrix.value[k] = static_cast<float>(matrix.value[k] / sum);
  }
}

RowSums row_sums(const SparseRows& matrix) {
  RowSums result;
  for (Index r = 0; r < matrix.rows(); ++r) {
    if (matrix.begin[r] == matrix.begin[r + 1]) continue;
    const double deviation = std::abs(row_sum(matrix, r) - 1);
    if (deviation > 1e-3) ++result.incomplete;
    result.largest_deviation = std::max(result.largest_deviation, deviation);
  }
  return result;
}

}  // namespace geodome
