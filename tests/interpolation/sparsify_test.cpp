#include "geodome/interpolation/sparsify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace geodome::internal {
namespace {

/// Numbers over many orders of magnitude, some of them alike, some zero.
std::vector<float> random_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values;
  for (std::size_t k = 0; k < size; ++k) {
    const float magnitude =
        std::ldexp(static_cast<float>(1 + random() % 50), -static_cast<int>(random() % 30));
    values.push_back(random() % 10 == 0 ? 0.0f : random() % 2 == 0 ? magnitude : -magnitude);
  }
  return values;
}

/// The slow, obvious twin: sorted by magnitude, the earlier of two alike first.
std::vector<ColumnEntry> largest_by_sorting(std::vector<ColumnEntry> entries, std::size_t count) {
  std::erase_if(entries, [](const ColumnEntry& entry) { return entry.value == 0; });
  std::stable_sort(entries.begin(), entries.end(), [](const ColumnEntry& a, const ColumnEntry& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  entries.resize(std::min(count, entries.size()));
  std::sort(entries.begin(), entries.end(),
            [](const ColumnEntry& a, const ColumnEntry& b) { return a.row < b.row; });
  return entries;
}

void expect_same(const std::vector<ColumnEntry>& a, const std::vector<ColumnEntry>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].row, b[k].row);
    EXPECT_EQ(a[k].value, b[k].value);
  }
}

TEST(LargestEntries, AreThoseThatSortingFinds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<float> values = random_values(1 + 37 * seed, seed);
    std::vector<Index> rows;
    std::vector<ColumnEntry> all;
    for (std::size_t k = 0; k < values.size(); ++k) {
      rows.push_back(static_cast<Index>(3 * k + 1));
      all.push_back({rows.back(), values[k]});
    }
    for (const std::size_t count :
         {std::size_t{1}, values.size() / 3 + 1, values.size(), 2 * values.size()}) {
      const LargestEntries largest = largest_entries(values, rows, count);
      const std::vector<ColumnEntry> expected = largest_by_sorting(all, count);
      expect_same(largest.entries, expected);
      float smallest = infinity;
      for (const ColumnEntry& entry : expected) smallest = std::min(smallest, std::abs(entry.value));
      const bool cut = expected.size() < largest_by_sorting(all, values.size()).size();
      EXPECT_EQ(largest.smallest, cut ? smallest : 0) << values.size() << " " << count;
    }
  }
}

TEST(Assemble, KeepsTheLargestOfEveryRowOnAnyNumberOfThreads) {
  constexpr Index rows = 5000, columns = 30;
  std::vector<std::vector<ColumnEntry>> given(columns);
  std::vector<std::vector<ColumnEntry>> by_row(rows);  // `row` of these is the column
  for (Index c = 0; c < columns; ++c) {
    const std::vector<float> values = random_values(rows, static_cast<unsigned>(c));
    for (Index r = 0; r < rows; ++r)
      if (values[r] != 0 && r % 7 != 3) {
        given[c].push_back({r, values[r]});
        by_row[r].push_back({c, values[r]});
      }
  }
  for (const Index most : {1, 12, 30})
    for (const int threads : {1, 3}) {
      auto copy = given;
      const SparseRows matrix = assemble(copy, rows, most, Execution{threads, {}});
      ASSERT_EQ(matrix.rows(), rows);
      EXPECT_EQ(matrix.columns, columns);
      for (Index r = 0; r < rows; ++r) {
        std::vector<ColumnEntry> got;
        for (std::int64_t k = matrix.begin[r]; k < matrix.begin[r + 1]; ++k)
          got.push_back({matrix.column[k], matrix.value[k]});
        expect_same(got, largest_by_sorting(by_row[r], static_cast<std::size_t>(most)));
      }
    }
}

}  // namespace
}  // namespace geodome::internal
