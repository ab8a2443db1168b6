#include "geodome/pipeline/remembered_rows.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"

namespace geodome::internal {

void RememberedRows::measure(std::span<const Index> sources, const Execution& execution) const {
  const std::scoped_lock lock(mutex_);
  std::vector<Index> missing;
  for (const Index source : sources)
    if (!rows_.contains(source)) missing.push_back(source);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (missing.empty()) return;
  const double row_bytes = 4.0 * static_cast<double>(size());
  const double needed = row_bytes * static_cast<double>(rows_.size() + missing.size());
  if (needed > static_cast<double>(bound_))
    throw InputError(text("the distances of ", rows_.size() + missing.size(), " landmarks to ", size(),
                          " vertices require ", byte_count(static_cast<std::int64_t>(needed)),
                          ", above the bound of ", byte_count(bound_),
                          ": use fewer landmarks, or sbha, which stores no columns"));
  // Enough sources to keep threads and batched solvers busy; a block of rows in double precision stays small.
  constexpr std::size_t numbers = std::size_t{1} << 25;
  const std::size_t together =
      std::clamp<std::size_t>(numbers / static_cast<std::size_t>(std::max<Index>(1, size())), 1, 1024);
  RowMatrix<double> block;
  for (std::size_t begin = 0; begin < missing.size(); begin += together) {
    const auto some = std::span(missing).subspan(begin, std::min(together, missing.size() - begin));
    const Stopwatch clock;
    block.resize(static_cast<Eigen::Index>(some.size()), size());
    const double done = static_cast<double>(begin) / static_cast<double>(missing.size());
    solver_.distances(some, block, part_of(execution, "landmark distances", done, done));
    seconds_ += clock.seconds();
    measured_ += some.size();
    for (std::size_t k = 0; k < some.size(); ++k) {
      const double* from = block.row(static_cast<Eigen::Index>(k)).data();
      rows_[some[k]].assign(from, from + size());
    }
    execution.report("landmark distances",
                     static_cast<double>(begin + some.size()) / static_cast<double>(missing.size()));
  }
}

bool RememberedRows::has(std::span<const Index> sources) const {
  const std::scoped_lock lock(mutex_);
  return std::all_of(sources.begin(), sources.end(), [&](Index source) { return rows_.contains(source); });
}

const std::vector<float>& RememberedRows::row(Index source, const Execution& execution) const {
  measure(std::span(&source, 1), execution);
  const std::scoped_lock lock(mutex_);
  return rows_.at(source);
}

void RememberedRows::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                               const Execution& execution) const {
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != size())
    throw InputError(text("the result is ", out.rows(), " by ", out.cols(), ", but ", sources.size(), " by ",
                          size(), " distances were requested"));
  measure(sources, execution);
  const std::scoped_lock lock(mutex_);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::vector<float>& kept = rows_.at(sources[s]);
    out.row(static_cast<Eigen::Index>(s)) =
        Eigen::Map<const Eigen::RowVectorXf>(kept.data(), size()).cast<double>();
  }
}

std::int64_t RememberedRows::bytes() const {
  const std::scoped_lock lock(mutex_);
  return 4 * static_cast<std::int64_t>(rows_.size()) * size();
}

void RememberedRows::forget() {
  const std::scoped_lock lock(mutex_);
  rows_.clear();
}

double RememberedRows::seconds_per_row() const {
  const std::scoped_lock lock(mutex_);
  return measured_ > 0 ? seconds_ / static_cast<double>(measured_) : 0;
}

}  // namespace geodome::internal
