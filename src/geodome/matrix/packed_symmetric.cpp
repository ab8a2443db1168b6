#include "geodome/matrix/packed_symmetric.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "geodome/base/error.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/lanes.h"

namespace geodome::internal {
namespace {

using Power = PackedSymmetric::Power;

std::size_t row_begin(Index row) {
  return static_cast<std::size_t>(packed_size(row));
}

template <Power power, typename T>
double value(T stored) {
  const auto number = static_cast<double>(stored);
  if constexpr (power == Power::two) return number * number;
  return number;
}

/// Σ weight[k] · values[at(k)] over [begin, end). Four sums side by side, because one alone would wait for
/// every addition to finish before the next.
template <Power power, typename T, typename At>
double gather(const T* values, const double* weight, std::size_t begin, std::size_t end, At at) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = begin;
  for (; k + 4 <= end; k += 4) {
    s0 += weight[k] * value<power>(values[at(k)]);
    s1 += weight[k + 1] * value<power>(values[at(k + 1)]);
    s2 += weight[k + 2] * value<power>(values[at(k + 2)]);
    s3 += weight[k + 3] * value<power>(values[at(k + 3)]);
  }
  for (; k < end; ++k) s0 += weight[k] * value<power>(values[at(k)]);
  return (s0 + s1) + (s2 + s3);
}

struct WeightsView {
  const Index* column;
  const double* value;
  std::size_t size;
};

WeightsView view(const Weights& weights) {
  return {weights.column.data(), weights.value.data(), weights.size()};
}

/// Weights four columns at a time. Landmarks are numbered along the shape, so those of a row of P lie close
/// together: reading whole groups, with weight zero in between, is faster than picking single numbers.
struct Quads {
  static constexpr std::size_t most = 128;
  alignas(32) double weight[most][4];
  Index first[most];  ///< column of each, a multiple of four
  std::size_t
      entries[most + 1];  ///< where its entries begin; of the one after the last, where those left over do
  std::size_t count = 0;

  /// Of long rows the beginning; the rest is left over.
  explicit Quads(const Weights& weights) {
    std::size_t k = 0;
    for (; k < weights.size(); ++k) {
      const Index begin = weights.column[k] & ~Index{3};
      if (count == 0 || first[count - 1] != begin) {
        if (count == most) break;
        first[count] = begin;
        entries[count] = k;
        for (double& one : weight[count]) one = 0;
        ++count;
      }
      weight[count - 1][weights.column[k] - begin] = weights.value[k];
    }
    entries[count] = k;
  }
};

namespace plain {
#include "geodome/matrix/packed_symmetric_rows.inc"
}  // namespace plain

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GEODOME_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
#include "geodome/matrix/packed_symmetric_rows.inc"
}  // namespace avx2
#pragma GCC pop_options
#endif

/// Every entry is met in its own row, so that memory is read along rows only: down a column each entry would
/// be in a cache line of its own.
template <Power power, typename T>
double bilinear_sum(const T* values, const Weights& a, const Weights& b) {
  constexpr bool squared = power == Power::two;
  const Quads a_quads(a), b_quads(b);
#ifdef GEODOME_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return avx2::bilinear<squared>(values, view(a), a_quads, view(b), b_quads);
#endif
  return plain::bilinear<squared>(values, view(a), a_quads, view(b), b_quads);
}

template <Power power, typename T>
double quadratic_sum(const T* values, const Weights& a) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T* own = values + row_begin(a.column[i]);
    const double left = gather<power>(own, a.value.data(), 0, i, [&](std::size_t k) { return a.column[k]; });
    total += a.value[i] * (2 * left + a.value[i] * value<power>(own[a.column[i]]));
  }
  return total;
}

/// Row by row, so that a packed row is read from beginning to end and never across.
template <Power power, typename T>
std::vector<double> times_sparse(const T* values, Index size, const Weights& a) {
  std::vector<double> result(static_cast<std::size_t>(size), 0.0);
  std::size_t before = 0;  // columns of a smaller than the row
  for (Index row = 0; row < size; ++row) {
    const T* own = values + row_begin(row);
    const bool weighted = before < a.size() && a.column[before] == row;
    if (weighted) {
      const double weight = a.value[before];
      for (Index c = 0; c < row; ++c) result[c] += weight * value<power>(own[c]);
      ++before;
    }
    result[row] += gather<power>(own, a.value.data(), 0, before, [&](std::size_t k) { return a.column[k]; });
  }
  return result;
}

/// The same for several weights at once.
template <Power power, int lanes, typename T>
void times_columns(const T* values, std::span<const Index> columns, const double* X,
                   RowMatrix<double>& result) {
  std::size_t before = 0;  // columns smaller than the row
  for (Index row = 0; row < result.rows(); ++row) {
    const T* own = values + row_begin(row);
    double* out = result.data() + static_cast<std::size_t>(row) * lanes;
    if (before < columns.size() && columns[before] == row) {
      const double* x = X + before * lanes;
      for (Index c = 0; c < row; ++c) {
        const double w = value<power>(own[c]);
        double* mirror = result.data() + static_cast<std::size_t>(c) * lanes;
        for (int lane = 0; lane < lanes; ++lane) mirror[lane] += w * x[lane];
      }
      ++before;
    }
    std::array<double, lanes> sum{};
    for (std::size_t k = 0; k < before; ++k) {
      const double w = value<power>(own[columns[k]]);
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += w * X[k * lanes + lane];
    }
    for (int lane = 0; lane < lanes; ++lane) out[lane] += sum[lane];
  }
}

/// Rows [begin, end) of the triangle: `mine` (size by lanes) gets what they and their mirror images add.
template <Power power, int lanes, typename T>
void add_rows(const T* values, Index begin, Index end, const double* X, double* mine) {
  for (Index row = begin; row < end; ++row) {
    const T* own = values + row_begin(row);
    const double* x = X + static_cast<std::size_t>(row) * lanes;
    std::array<double, lanes> sum{};
    for (Index c = 0; c < row; ++c) {
      const double w = value<power>(own[c]);
      const double* other = X + static_cast<std::size_t>(c) * lanes;
      double* mirror = mine + static_cast<std::size_t>(c) * lanes;
      for (int lane = 0; lane < lanes; ++lane) {
        sum[lane] += w * other[lane];
        mirror[lane] += w * x[lane];
      }
    }
    double* out = mine + static_cast<std::size_t>(row) * lanes;
    for (int lane = 0; lane < lanes; ++lane) out[lane] += sum[lane] + value<power>(own[row]) * x[lane];
  }
}

/// The triangle is cut into a fixed number of parts of equal work, whatever the number of threads, and their
/// sums are added in order: the result is always the same.
constexpr int parts = 16;

/// Of the rows between two shares of all work.
std::array<Index, parts + 1> equal_work(Index size, double from = 0, double to = 1) {
  std::array<Index, parts + 1> first{};
  for (int part = 0; part <= parts; ++part) {
    const double share = part == parts ? to : from + (to - from) * part / parts;
    first[part] = share < 1 ? static_cast<Index>(size * std::sqrt(share)) : size;
  }
  return first;
}

/// Before the rows [begin, end) are read.
template <typename T>
void verify_range(const StorageCheck* check, std::span<const T> values, Index begin, Index end) {
  verify(check, values.subspan(row_begin(begin), row_begin(end) - row_begin(begin)));
}

template <Power power, int lanes, typename T>
void times_panel(std::span<const T> values, const StorageCheck* check, const RowMatrix<double>& X,
                 Eigen::Index column, RowMatrix<double>& result, const Execution& execution) {
  const auto size = static_cast<Index>(X.rows());
  const RowMatrix<double> panel = X.middleCols(column, lanes);
  const auto first = equal_work(size);
  std::array<std::vector<double>, parts> sums;
  SharedItems shared;
  shared.work = [&](std::size_t item, int) {
    const std::size_t part = parts - 1 - item;
    sums[part].assign(static_cast<std::size_t>(first[part + 1]) * lanes, 0.0);
    // Only here, so that ranks read no more of a file than they multiply with.
    verify_range(check, values, first[part], first[part + 1]);
    add_rows<power, lanes>(values.data(), first[part], first[part + 1], panel.data(), sums[part].data());
  };
  shared.pack = [&](std::size_t item, BytesWriter& to) { to.put_vector(sums[parts - 1 - item]); };
  shared.unpack = [&](std::size_t item, BytesReader& from) {
    sums[parts - 1 - item] = from.get_vector<double>();
  };
  share_items(parts, {execution.threads, {}, execution.team}, {}, shared);
  for (const std::vector<double>& some : sums)
    for (std::size_t k = 0; k < some.size(); ++k)
      result(static_cast<Eigen::Index>(k / lanes), column + static_cast<Eigen::Index>(k % lanes)) += some[k];
}

template <Power power, typename T>
RowMatrix<double> times_dense(std::span<const T> values, const StorageCheck* check,
                              const RowMatrix<double>& X, const Execution& execution) {
  RowMatrix<double> result = RowMatrix<double>::Zero(X.rows(), X.cols());
  Eigen::Index column = 0;
  for (; column + 16 <= X.cols(); column += 16)
    times_panel<power, 16>(values, check, X, column, result, execution);
  for (; column + 4 <= X.cols(); column += 4)
    times_panel<power, 4>(values, check, X, column, result, execution);
  for (; column < X.cols(); ++column) times_panel<power, 1>(values, check, X, column, result, execution);
  return result;
}

/// Calls `work` with the stored values and the power as a compile-time constant.
template <typename Work>
auto dispatch(const PackedValues& stored, Power power, Work&& work) {
  return std::visit(
      [&](const auto& values) {
        if (power == Power::two) return work(values, std::integral_constant<Power, Power::two>());
        return work(values, std::integral_constant<Power, Power::one>());
      },
      stored);
}

double scale(double step, Power power) {
  return power == Power::two ? step * step : step;
}

}  // namespace

PackedSymmetric::PackedSymmetric(Index size, PackedValues values, double step, const StorageCheck* check)
    : size_(size), values_(values), step_(step), check_(check) {
  const auto count =
      static_cast<std::int64_t>(std::visit([](const auto& all) { return all.size(); }, values));
  if (size < 0 || count != packed_size(size))
    throw InputError(text("a packed symmetric matrix of ", size, " rows has ", packed_size(size),
                          " entries, not ", count));
}

void PackedSymmetric::verify_all() const {
  if (check_ != nullptr) std::visit([&](const auto& all) { verify(check_, all); }, values_);
}

void PackedSymmetric::verify_rows(const Weights& rows, const Weights& columns) const {
  if (check_ == nullptr || rows.column.empty() || columns.column.empty()) return;
  // Of a small matrix all is checked at once: asking for every row would take longer than the rest.
  constexpr std::size_t small = std::size_t{16} << 20;
  // Columns are read in whole groups of four (packed_symmetric_rows.inc).
  const Index first = columns.column.front() & ~Index{3}, last = columns.column.back() | 3;
  std::visit(
      [&](const auto& all) {
        if (all.size_bytes() <= small) return verify(check_, all);
        for (const Index row : rows.column)
          if (row >= first)
            verify(check_, all.subspan(row_begin(row) + static_cast<std::size_t>(first),
                                       static_cast<std::size_t>(std::min(row, last) - first) + 1));
      },
      values_);
}

double PackedSymmetric::operator()(Index row, Index column) const {
  const std::size_t at = row_begin(std::max(row, column)) + static_cast<std::size_t>(std::min(row, column));
  return step_ * std::visit(
                     [&](const auto& all) {
                       verify(check_, all.subspan(at, 1));
                       return static_cast<double>(all[at]);
                     },
                     values_);
}

double PackedSymmetric::bilinear(const Weights& a, const Weights& b, Power power) const {
  verify_rows(a, b);
  verify_rows(b, a);
  return scale(step_, power) * dispatch(values_, power, [&](const auto& values, auto constant) {
           return bilinear_sum<constant.value>(values.data(), a, b);
         });
}

double PackedSymmetric::quadratic(const Weights& a, Power power) const {
  verify_rows(a, a);
  return scale(step_, power) * dispatch(values_, power, [&](const auto& values, auto constant) {
           return quadratic_sum<constant.value>(values.data(), a);
         });
}

std::vector<double> PackedSymmetric::times(const Weights& a, Power power) const {
  verify_all();
  std::vector<double> result = dispatch(values_, power, [&](const auto& values, auto constant) {
    return times_sparse<constant.value>(values.data(), size_, a);
  });
  for (double& entry : result) entry *= scale(step_, power);
  return result;
}

RowMatrix<double> PackedSymmetric::times(std::span<const Index> columns, const RowMatrix<double>& X,
                                         Power power) const {
  verify_all();
  RowMatrix<double> result = RowMatrix<double>::Zero(size_, X.cols());
  with_lanes(X.cols(), [&](auto lanes) {
    dispatch(values_, power, [&](const auto& values, auto constant) {
      times_columns<constant.value, lanes.value>(values.data(), columns, X.data(), result);
    });
  });
  result *= scale(step_, power);
  return result;
}

RowMatrix<double> PackedSymmetric::times(const RowMatrix<double>& X, Power power,
                                         const Execution& execution) const {
  if (X.rows() != size_)
    throw InputError(text("a matrix of ", X.rows(), " rows cannot be multiplied by one of ", size_));
  RowMatrix<double> result = dispatch(values_, power, [&](const auto& values, auto constant) {
    return times_dense<constant.value>(values, check_, X, execution);
  });
  result *= scale(step_, power);
  return result;
}

Vector PackedSymmetric::times_part(int rank, int ranks, const Vector& x, Power power,
                                   const Execution& execution) const {
  const auto first =
      equal_work(size_, static_cast<double>(rank) / ranks, static_cast<double>(rank + 1) / ranks);
  std::array<Vector, parts> sums;
  dispatch(values_, power, [&](const auto& values, auto constant) {
    parallel_for(parts, {execution.threads, {}}, {}, [&](std::size_t part, int) {
      sums[part] = Vector::Zero(first[part + 1]);
      verify_range(check_, values, first[part], first[part + 1]);
      add_rows<constant.value, 1>(values.data(), first[part], first[part + 1], x.data(), sums[part].data());
    });
  });
  Vector result = Vector::Zero(size_);
  for (const Vector& some : sums) result.head(some.size()) += some;
  return scale(step_, power) * result;
}

}  // namespace geodome::internal
