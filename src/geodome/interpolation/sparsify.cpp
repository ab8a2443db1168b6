#include "geodome/interpolation/sparsify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "geodome/base/team.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

double row_sum(const SparseRows& matrix, Index row) {
  return std::accumulate(matrix.value.begin() + matrix.begin[row],
                         matrix.value.begin() + matrix.begin[row + 1], 0.0);
}

}  // namespace

Threshold threshold_for(std::vector<float>& magnitudes, std::size_t count) {
  if (count > magnitudes.size()) return {};
  if (count == 0) return {std::numeric_limits<float>::infinity(), 0};
  const auto last = magnitudes.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(magnitudes.begin(), last, magnitudes.end(), std::greater());
  const auto larger = std::count_if(magnitudes.begin(), last, [&](float one) { return one > *last; });
  return {*last, count - static_cast<std::size_t>(larger)};
}

LargestEntries largest_entries(std::span<const float> values, std::span<const Index> rows,
                               std::size_t count) {
  // As bits magnitudes are ordered like the numbers; the upper ones of each say in which bucket it is.
  constexpr std::uint32_t all_but_sign = 0x7fffffff, shift = 20;
  const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint32_t>(values[i]) & all_but_sign; };
  std::array<std::uint32_t, (all_but_sign >> shift) + 1> bucket{};
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ++bucket[bits(i) >> shift];
    zeros += bits(i) == 0;
  }
  LargestEntries result;
  Threshold threshold{std::bit_cast<float>(std::uint32_t{1})};
  if (values.size() - zeros > count) {
    std::size_t larger = 0;  // in the buckets above
    std::uint32_t at = bucket.size() - 1;
    while (larger + bucket[at] < count) larger += bucket[at--];
    std::vector<float> inside;
    inside.reserve(bucket[at]);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (bits(i) >> shift == at) inside.push_back(std::abs(values[i]));
    threshold = threshold_for(inside, count - larger);
    result.smallest = threshold.smallest;
  }
  const std::uint32_t smallest = std::bit_cast<std::uint32_t>(threshold.smallest);
  result.entries.resize(std::min(count, values.size() - zeros) + 1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size() && kept + 1 < result.entries.size(); ++i) {
    result.entries[kept] = {rows[i], values[i]};
    kept += bits(i) > smallest || (bits(i) == smallest && threshold.keeps(threshold.smallest));
  }
  result.entries.resize(kept);
  return result;
}

namespace {

/// Rows [first, last) of a matrix that is given by columns.
class RowRange {
 public:
  RowRange(const std::vector<std::vector<ColumnEntry>>& columns, Index first, Index last)
      : first_(first), begin_(static_cast<std::size_t>(last - first) + 1, 0) {
    const auto by_row = [](const ColumnEntry& entry, Index row) { return entry.row < row; };
    for (const auto& column : columns) {
      const auto from = std::lower_bound(column.begin(), column.end(), first, by_row);
      parts_.emplace_back(from, std::lower_bound(from, column.end(), last, by_row));
      for (const ColumnEntry& entry : parts_.back()) ++begin_[entry.row - first + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  }

  Index entries_in(Index row) const { return begin_[row - first_ + 1] - begin_[row - first_]; }

  /// Puts them where the result says they go.
  void write(SparseRows& result) const {
    std::vector<Index> column(static_cast<std::size_t>(begin_.back())),
        next(begin_.begin(), begin_.end() - 1);
    std::vector<float> value(column.size());
    for (std::size_t c = 0; c < parts_.size(); ++c)
      for (const ColumnEntry& entry : parts_[c]) {
        const Index at = next[entry.row - first_]++;
        column[at] = static_cast<Index>(c);
        value[at] = entry.value;
      }
    std::vector<float> magnitudes;
    for (std::size_t r = 0; r + 1 < begin_.size(); ++r) {
      std::int64_t at = result.begin[first_ + r];
      const auto room = static_cast<std::size_t>(result.begin[first_ + r + 1] - at);
      magnitudes.assign(value.begin() + begin_[r], value.begin() + begin_[r + 1]);
      for (float& one : magnitudes) one = std::abs(one);
      Threshold threshold = threshold_for(magnitudes, room);
      for (Index k = begin_[r]; k < begin_[r + 1]; ++k)
        if (threshold.keeps(std::abs(value[k]))) {
          result.column[at] = column[k];
          result.value[at++] = value[k];
        }
    }
  }

 private:
  Index first_;
  std::vector<Index> begin_;                         ///< of each row, counted from the range's first
  std::vector<std::span<const ColumnEntry>> parts_;  ///< of each column, what lies in the range
};

SparseRows assemble_alone(std::vector<std::vector<ColumnEntry>>& columns, Index rows, Index most,
                          const Execution& execution) {
  SparseRows result;
  result.columns = static_cast<Index>(columns.size());
  result.begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  // Few enough rows for their entries to stay in the cache while they are sorted in.
  constexpr Index together = 2048;
  std::vector<std::unique_ptr<RowRange>> ranges((rows + together - 1) / together);
  parallel_for(ranges.size(), {execution.threads, {}}, {}, [&](std::size_t item, int) {
    const Index first = static_cast<Index>(item) * together, last = std::min(rows, first + together);
    ranges[item] = std::make_unique<RowRange>(columns, first, last);
    for (Index row = first; row < last; ++row)
      result.begin[row + 1] = std::min(most, ranges[item]->entries_in(row));
  });
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.column.resize(result.begin.back());
  result.value.resize(result.begin.back());
  parallel_for(ranges.size(), {execution.threads, {}}, {}, [&](std::size_t item, int) {
    ranges[item]->write(result);
    ranges[item].reset();
  });
  std::vector<std::vector<ColumnEntry>>().swap(columns);
  return result;
}

/// The rows that a rank assembles: first_row(rank) to first_row(rank + 1).
Index first_row(const Team& team, int rank, Index rows) {
  return static_cast<Index>(std::int64_t{rows} * rank / team.size());
}

/// All columns, as far as they are in the rows of this rank, which are counted from its first.
std::vector<std::vector<ColumnEntry>> exchange_rows(const Team& team,
                                                    std::vector<std::vector<ColumnEntry>>& columns,
                                                    Index rows) {
  const auto by_row = [](const ColumnEntry& entry, Index row) { return entry.row < row; };
  std::vector<BytesWriter> to(static_cast<std::size_t>(team.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto from = columns[c].begin();
    for (int rank = 0; rank < team.size(); ++rank) {
      const Index first = first_row(team, rank, rows);
      const auto end = std::lower_bound(from, columns[c].end(), first_row(team, rank + 1, rows), by_row);
      if (from == end) continue;
      const std::span some(from, end);
      for (ColumnEntry& entry : some) entry.row -= first;
      BytesWriter& writer = to[static_cast<std::size_t>(rank)];
      writer.put(c);
      writer.put(some.size());
      writer.put_all(std::span<const ColumnEntry>(some));
      from = end;
    }
    std::vector<ColumnEntry>().swap(columns[c]);
  }
  std::vector<Bytes> sent;
  for (BytesWriter& writer : to) sent.push_back(writer.take());
  std::vector<std::vector<ColumnEntry>> result(columns.size());
  for (const Bytes& bytes : team.exchange(std::move(sent)))
    for (BytesReader reader(bytes); !reader.empty();) {
      const auto column = reader.get<std::size_t>();
      result[column] = reader.get_vector<ColumnEntry>();
    }
  return result;
}

/// The rows of all ranks, one after the other.
SparseRows join_rows(const Team& team, const SparseRows& mine, Index rows) {
  SparseRows result;
  result.columns = mine.columns;
  BytesWriter writer;
  writer.put_all(std::span(mine.begin).subspan(1));
  int rank = 0;
  for (const Bytes& bytes : team.gather(writer.take())) {
    const std::int64_t before = result.begin.back();
    BytesReader reader(bytes);
    for (Index row = first_row(team, rank, rows); row < first_row(team, rank + 1, rows); ++row)
      result.begin.push_back(before + reader.get<std::int64_t>());
    ++rank;
  }
  const auto join = [&](const auto& own, auto& all) {
    all.resize(static_cast<std::size_t>(result.nonzeros()));
    for (int root = 0; root < team.size(); ++root) {
      const std::int64_t begin = result.begin[first_row(team, root, rows)],
                         end = result.begin[first_row(team, root + 1, rows)];
      const auto part = std::span(all).subspan(begin, end - begin);
      if (root == team.rank()) std::copy(own.begin(), own.end(), part.begin());
      if (!part.empty()) team.broadcast(std::as_writable_bytes(part), root);
    }
  };
  join(mine.column, result.column);
  join(mine.value, result.value);
  return result;
}

}  // namespace

SparseRows assemble(std::vector<std::vector<ColumnEntry>>& columns, Index rows, Index most,
                    const Execution& execution) {
  const Team* team = team_of(execution);
  if (team == nullptr) return assemble_alone(columns, rows, most, execution);
  columns = exchange_rows(*team, columns, rows);
  const Index own = first_row(*team, team->rank() + 1, rows) - first_row(*team, team->rank(), rows);
  return join_rows(*team, assemble_alone(columns, own, most, execution), rows);
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

}  // namespace geodome::internal
