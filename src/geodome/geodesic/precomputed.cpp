#include "geodome/geodesic/precomputed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// Each entry of the other half is another page of the file: some thousands take no time even from a disk.
constexpr Index sampled_rows = 16, sampled_columns = 256;

/// `source` begins the message.
template <typename Failure>
void check_row(const std::string& source, Index row, std::span<const double> entries) {
  for (std::size_t column = 0; column < entries.size(); ++column)
    if (!(entries[column] >= 0))
      throw Failure(text(source, "entry (", row, ", ", column, ") is ", entries[column],
                         "; distances must be numbers and not negative"));
  if (entries[row] != 0)
    throw Failure(text(source, "entry (", row, ", ", row, ") is ", entries[row],
                       "; the distance from a vertex to itself must be zero"));
}

void check_request(std::span<const Index> sources, const Eigen::Ref<RowMatrix<double>>& out, Index size) {
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != size)
    throw InputError(
        text("the result is ", out.rows(), " by ", out.cols(), ", not ", sources.size(), " by ", size));
  for (const Index source : sources)
    if (source < 0 || source >= size)
      throw InputError(text("source ", source, " is out of range [0, ", size, ")"));
}

}  // namespace

PrecomputedDistances::PrecomputedDistances(const std::string& path, const PrecomputedOptions& options)
    : path_(path), matrix_(path) {
  if (matrix_.rows() != matrix_.columns())
    throw FileError(
        text(path, ": expected a square distance matrix, got ", matrix_.rows(), " by ", matrix_.columns()));
  if (matrix_.rows() > std::numeric_limits<Index>::max())
    throw FileError(text(path, ": ", matrix_.rows(), " rows; at most ", std::numeric_limits<Index>::max(),
                         " are supported"));
  check_symmetry(options.symmetry_tolerance);
}

void PrecomputedDistances::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                                     const Execution& execution) const {
  check_request(sources, out, size());
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int) {
    const auto row = static_cast<Eigen::Index>(s);
    read_checked_row(sources[s], std::span(out.row(row).data(), static_cast<std::size_t>(size())));
  });
}

void PrecomputedDistances::read_checked_row(Index row, std::span<double> out) const {
  matrix_.read_row(row, out.data());
  check_row<FileError>(path_ + ": ", row, out);
}

void PrecomputedDistances::check_symmetry(double tolerance) const {
  const Index rows = std::min(size(), sampled_rows), columns = std::min(size(), sampled_columns);
  std::vector<double> entries(static_cast<std::size_t>(size()));
  for (Index r = 0; r < rows; ++r) {
    const Index row = static_cast<Index>(static_cast<std::int64_t>(r) * size() / rows);
    read_checked_row(row, entries);
    double largest = 0;
    for (const double entry : entries)
      if (entry < infinity) largest = std::max(largest, entry);
    for (Index c = 0; c < columns; ++c) {
      const Index column = static_cast<Index>(static_cast<std::int64_t>(c) * size() / columns);
      const double there = entries[column], back = matrix_(column, row);
      if (there == back || std::abs(there - back) <= tolerance * largest) continue;
      throw FileError(text(path_, ": entry (", row, ", ", column, ") is ", there, " but entry (", column,
                           ", ", row, ") is ", back,
                           "; distances must be symmetric (use the mean of the matrix and its transpose)"));
    }
  }
}

void CallbackDistances::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                                  const Execution& execution) const {
  check_request(sources, out, size());
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int) {
    const std::span<double> row(out.row(static_cast<Eigen::Index>(s)).data(),
                                static_cast<std::size_t>(size()));
    row_(sources[s], row);
    check_row<InputError>("the user-supplied distances: ", sources[s], row);
  });
}

}  // namespace geodome::internal
