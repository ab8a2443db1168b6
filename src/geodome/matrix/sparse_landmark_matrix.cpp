#include "geodome/matrix/sparse_landmark_matrix.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/lanes.h"
#include "geodome/matrix/rescaled_arrays.h"

namespace geodome::internal {
namespace {

Index vertex_count(const SparseLandmarkArrays& arrays) {
  const std::size_t numbers = std::visit([](const auto& all) { return all.size(); }, arrays.row_begin);
  if (numbers == 0 || numbers - 1 > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(text("invalid number of row offsets: ", numbers));
  return static_cast<Index>(numbers - 1);
}

/// One row of P: where its entries are.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::size_t weight_count(const SparseLandmarkArrays& arrays) {
  return std::visit([](const auto& all) { return all.size(); }, arrays.weight);
}

/// Of a row whose offsets are sound.
Extent row_extent(const SparseLandmarkArrays& arrays, Index row) {
  const Extent extent = std::visit(
      [&](const auto& all) -> Extent {
        return {all[row], all[static_cast<std::size_t>(row) + 1]};
      },
      arrays.row_begin);
  if (extent.begin > extent.end || extent.end > weight_count(arrays))
    throw InputError(text("row ", row, " of P has the entries ", extent.begin, " to ", extent.end, " of ",
                          weight_count(arrays)));
  return extent;
}

/// Before the offsets of the rows [first, last) are read.
void touch_offsets(const SparseLandmarkArrays& arrays, Index first, Index last) {
  const auto count = static_cast<std::size_t>(last - first) + 1;
  std::visit([&](const auto& all) { verify(arrays.landmarks.check, all.subspan(first, count)); },
             arrays.row_begin);
}

Extent checked_extent(const SparseLandmarkArrays& arrays, Index row) {
  touch_offsets(arrays, row, row + 1);
  return row_extent(arrays, row);
}

/// Before the entries of P from `begin` to `end` are read.
void touch_entries(const SparseLandmarkArrays& arrays, std::size_t begin, std::size_t end) {
  const StorageCheck* check = arrays.landmarks.check;
  if (check == nullptr) return;
  const auto touch_some = [&](const auto& all) { verify(check, all.subspan(begin, end - begin)); };
  std::visit(touch_some, arrays.weight);
  std::visit(touch_some, arrays.column);
}

/// The same for the rows [first, last).
void verify_rows(const SparseLandmarkArrays& arrays, Index first, Index last) {
  if (arrays.landmarks.check == nullptr || first >= last) return;
  touch_offsets(arrays, first, last);
  const std::size_t begin = row_extent(arrays, first).begin, end = row_extent(arrays, last - 1).end;
  if (begin <= end) touch_entries(arrays, begin, end);
}

/// Whether all columns are in [first, first + count). Without branches, so that it costs next to nothing.
template <typename Column>
bool all_within(const Column* column, std::size_t size, Index first, Index count) {
  std::uint32_t outside = 0;
  for (std::size_t k = 0; k < size; ++k)
    outside |= static_cast<std::uint32_t>(static_cast<std::uint32_t>(column[k]) -
                                              static_cast<std::uint32_t>(first) >=
                                          static_cast<std::uint32_t>(count));
  return outside == 0;
}

[[noreturn]] void bad_column(Index row, Index first, Index count) {
  throw InputError(text("row ", row, " of P has columns out of order or outside the landmarks [", first, ", ",
                        first + count, ") of its component"));
}

template <int lanes>
void add_scaled(double weight, const double* from, double* to) {
  for (int lane = 0; lane < lanes; ++lane) to[lane] += weight * from[lane];
}

/// `out` is what the weights say as they are stored, times `step`.
template <int lanes, typename Column, typename Weight>
void multiply_row(const Column* column, const Weight* weight, std::size_t size, const double* Z, double step,
                  double* out) {
  if constexpr (lanes == 1) {
    // Four sums side by side: one alone would wait for every addition to finish.
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4) {
      s0 += static_cast<double>(weight[k]) * Z[column[k]];
      s1 += static_cast<double>(weight[k + 1]) * Z[column[k + 1]];
      s2 += static_cast<double>(weight[k + 2]) * Z[column[k + 2]];
      s3 += static_cast<double>(weight[k + 3]) * Z[column[k + 3]];
    }
    for (; k < size; ++k) s0 += static_cast<double>(weight[k]) * Z[column[k]];
    out[0] = step * ((s0 + s1) + (s2 + s3));
  } else {
    double sum[lanes] = {};
    for (std::size_t k = 0; k < size; ++k)
      add_scaled<lanes>(static_cast<double>(weight[k]), Z + static_cast<std::size_t>(column[k]) * lanes, sum);
    for (int lane = 0; lane < lanes; ++lane) out[lane] = step * sum[lane];
  }
}

}  // namespace

SparseLandmarkMatrix::SparseLandmarkMatrix(SparseLandmarkArrays arrays, DistanceKind kind)
    : LandmarkMatrix(vertex_count(arrays), kind, arrays.landmarks), arrays_(std::move(arrays)) {
  const std::size_t columns = std::visit([](const auto& all) { return all.size(); }, arrays_.column);
  if (columns != weight_count(arrays_))
    throw InputError(text("P has ", columns, " columns but ", weight_count(arrays_), " weights"));
  if (!(arrays_.weight_step > 0 && arrays_.weight_step <= 1))
    throw InputError(text("the step of the weights of P must be in (0, 1], got ", arrays_.weight_step));
  if (size() > 0) checked_extent(arrays_, size() - 1);
}

std::shared_ptr<const LandmarkMatrix> SparseLandmarkMatrix::in_unit(double unit) const {
  return std::make_shared<SparseLandmarkMatrix>(rescaled(arrays_, unit), kind());
}

std::int64_t SparseLandmarkMatrix::nonzeros() const {
  return static_cast<std::int64_t>(weight_count(arrays_));
}

std::int64_t SparseLandmarkMatrix::bytes() const {
  const auto count = [](const auto& all) { return all.size_bytes(); };
  return landmark_bytes() +
         static_cast<std::int64_t>(std::visit(count, arrays_.row_begin) + std::visit(count, arrays_.column) +
                                   std::visit(count, arrays_.weight));
}

void SparseLandmarkMatrix::read_weights(Index vertex, Weights& row) const {
  const auto [begin, end] = checked_extent(arrays_, vertex);
  touch_entries(arrays_, begin, end);
  const Index c = component(vertex);
  const Index first = c >= 0 ? first_landmark(c) : 0, count = c >= 0 ? W(c).size() : 0;
  row.column.resize(end - begin);
  row.value.resize(end - begin);
  std::visit(
      [&, from = begin](const auto& column, const auto& weight) {
        Index before = -1;
        bool good = true;
        for (std::size_t k = 0; k < row.size(); ++k) {
          row.column[k] = static_cast<Index>(column[from + k]) - first;
          row.value[k] = static_cast<double>(weight[from + k]) * arrays_.weight_step;
          good &= row.column[k] > before;
          before = row.column[k];
        }
        if (!good || before >= count) bad_column(vertex, first, count);
      },
      arrays_.column, arrays_.weight);
}

void SparseLandmarkMatrix::prefetch_weights(Index vertex, bool near) const {
  const auto row = static_cast<std::size_t>(vertex);
  if (!near) {
    std::visit([&](const auto& all) { __builtin_prefetch(all.data() + row); }, arrays_.row_begin);
    return;
  }
  const Extent extent = checked_extent(arrays_, vertex);
  const auto lines = [](const auto* first, const auto* last) {
    const auto* const stop = reinterpret_cast<const char*>(last);
    for (const auto* at = reinterpret_cast<const char*>(first); at < stop; at += 64) __builtin_prefetch(at);
  };
  const auto fetch = [&](const auto& all) { lines(all.data() + extent.begin, all.data() + extent.end); };
  std::visit(fetch, arrays_.weight);
  std::visit(fetch, arrays_.column);
}

void SparseLandmarkMatrix::spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const {
  verify_rows(arrays_, begin, end);
  const auto count = static_cast<Index>(Z.rows());
  with_lanes(Z.cols(), [&](auto lanes) {
    std::visit(
        [&](const auto& column, const auto& weight) {
          for (Index row = begin; row < end; ++row, out += lanes.value) {
            const Extent extent = row_extent(arrays_, row);
            const std::size_t size = extent.end - extent.begin;
            const auto* columns = column.data() + extent.begin;
            if (!all_within(columns, size, 0, count)) bad_column(row, 0, count);
            multiply_row<lanes.value>(columns, weight.data() + extent.begin, size, Z.data(),
                                      arrays_.weight_step, out);
          }
        },
        arrays_.column, arrays_.weight);
  });
}

void SparseLandmarkMatrix::collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const {
  verify_rows(arrays_, begin, end);
  const auto count = static_cast<Index>(sums.rows());
  with_lanes(sums.cols(), [&](auto lanes) {
    std::visit(
        [&](const auto& column, const auto& weight) {
          const double* x = X;
          for (Index row = begin; row < end; ++row, x += lanes.value) {
            const Extent extent = row_extent(arrays_, row);
            const auto* columns = column.data() + extent.begin;
            if (!all_within(columns, extent.end - extent.begin, 0, count)) bad_column(row, 0, count);
            for (std::size_t k = extent.begin; k < extent.end; ++k)
              add_scaled<lanes.value>(static_cast<double>(weight[k]) * arrays_.weight_step, x,
                                      sums.data() + static_cast<std::size_t>(column[k]) * lanes.value);
          }
        },
        arrays_.column, arrays_.weight);
  });
}

}  // namespace geodome::internal
