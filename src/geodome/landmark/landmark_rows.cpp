#include "geodome/landmark/landmark_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Whole rows that rank 0 collects for the log in one round.
constexpr std::size_t most_logged_numbers = std::size_t{1} << 29;

/// What must be the same for rows that were kept to be of use.
std::string key_of(const OrderedLandmarks& landmarks, const LandmarkDistanceOptions& options,
                   std::size_t scalar) {
  const std::uint32_t digest = crc32c(std::as_bytes(std::span(landmarks.vertices)));
  return text(options.log_key, "\n", landmarks.vertices.size(), " landmarks ", digest, ", ", options.together,
              " together, numbers of ", scalar, " bytes");
}

template <typename Scalar>
std::span<Scalar> numbers_of(RowMatrix<Scalar>& rows) {
  return {rows.data(), static_cast<std::size_t>(rows.size())};
}

/// Which columns a rank wants of rows from `begin` on: those that it folds, or all of them.
std::vector<Index> wanted_columns(const LandmarkBlocks& blocks, FoldRange folded, std::size_t begin,
                                  bool all) {
  const std::size_t first = all ? 0 : std::max(folded.begin, begin);
  const std::size_t last = all ? blocks.landmarks.size() : std::max(folded.end, first);
  std::vector<Index> columns(last - first);
  std::iota(columns.begin(), columns.end(), static_cast<Index>(first));
  return columns;
}

/// Whole rows: those in `ranges[r]` for rank r, of rows from `begin` on that any rank has measured.
template <typename Scalar>
RowMatrix<Scalar> exchange_rows(const Team& team, std::size_t begin, const SomeRows& mine,
                                const std::vector<FoldRange>& ranges, std::size_t columns) {
  std::vector<Bytes> to;
  std::vector<Scalar> row(columns);
  for (const FoldRange& one : ranges) {
    BytesWriter writer;
    const auto wanted = [&](std::size_t source) { return one.has(begin + source); };
    writer.put(static_cast<std::size_t>(std::count_if(mine.sources.begin(), mine.sources.end(), wanted)));
    for (std::size_t k = 0; k < mine.sources.size(); ++k) {
      if (!wanted(mine.sources[k])) continue;
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] =
            static_cast<Scalar>(mine.distances(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(c)));
      writer.put(begin + mine.sources[k]);
      writer.put_all(std::span<const Scalar>(row));
    }
    to.push_back(writer.take());
  }
  const FoldRange range = ranges[static_cast<std::size_t>(team.rank())];
  RowMatrix<Scalar> result(static_cast<Eigen::Index>(range.end - range.begin),
                           static_cast<Eigen::Index>(columns));
  for (const Bytes& bytes : team.exchange(std::move(to))) {
    BytesReader reader(bytes);
    for (std::size_t left = reader.get<std::size_t>(); left > 0; --left) {
      const auto at = static_cast<Eigen::Index>(reader.get<std::size_t>() - range.begin);
      reader.get_all(std::span(result.row(at).data(), row.size()));
    }
  }
  return result;
}

}  // namespace

template <typename Scalar>
LandmarkRowSource<Scalar>::LandmarkRowSource(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                                             const LandmarkDistanceOptions& options,
                                             const Execution& execution)
    : solver_(solver),
      solver_shares_(options.solver_shares),
      all_(static_cast<double>(landmarks.vertices.size())),
      execution_(execution),
      team_(team_of(execution)),
      logs_(!options.log.empty()) {
  if (team_ != nullptr) require_same(*team_, "landmarks", std::as_bytes(std::span(landmarks.vertices)));
  if (logs_ && (team_ == nullptr || team_->rank() == 0))
    log_.emplace(options.log, key_of(landmarks, options, sizeof(Scalar)));
  if (log_) in_log_ = log_->count();
  if (team_ != nullptr) team_->broadcast(std::as_writable_bytes(std::span(&in_log_, 1)), 0);
}

template <typename Scalar>
FoldedRows<Scalar> LandmarkRowSource<Scalar>::next(const LandmarkBlocks& blocks, std::size_t begin) {
  FoldedRows<Scalar> rows;
  const bool by_rounds = team_ != nullptr && !solver_shares_;
  if (round_.empty() && by_rounds && block_ >= in_log_) measure_round(blocks, begin);
  if (!round_.empty()) {
    rows = std::move(round_.back());
    round_.pop_back();
  } else {
    rows = whole_block(blocks, begin);
  }
  ++block_;
  done_ += static_cast<double>(rows.count());
  return rows;
}

/// What a step of the work, on so many landmarks, reports to.
template <typename Scalar>
Execution LandmarkRowSource<Scalar>::part(double rows) const {
  Execution inner{execution_.threads, {}, execution_.team};
  if (execution_.progress)
    inner.progress = [this, rows](std::string_view, double fraction) {
      return execution_.progress("landmark distances", (done_ + fraction * rows) / all_);
    };
  return inner;
}

/// From the log; with a team rank 0 tells whether the block is there, and what is in it.
template <typename Scalar>
bool LandmarkRowSource<Scalar>::recall(RowMatrix<Scalar>& rows) {
  if (block_ >= in_log_) return false;
  const auto bytes = std::as_writable_bytes(numbers_of(rows));
  char found = log_ && log_->recall(block_, bytes) ? 1 : 0;
  if (team_ != nullptr) team_->broadcast(std::as_writable_bytes(std::span(&found, 1)), 0);
  if (team_ != nullptr && found != 0) team_->broadcast(bytes, 0);
  if (found == 0) in_log_ = block_;  // it ends here now
  return found != 0;
}

/// All of its rows: by one process, or known to all ranks.
template <typename Scalar>
FoldedRows<Scalar> LandmarkRowSource<Scalar>::whole_block(const LandmarkBlocks& blocks, std::size_t begin) {
  const auto all = blocks.landmarks;
  const auto sources = all.subspan(begin, std::min(blocks.together, all.size() - begin));
  FoldedRows<Scalar> rows;
  rows.begin = begin;
  rows.columns.resize(static_cast<Eigen::Index>(sources.size()), static_cast<Eigen::Index>(all.size()));
  if (recall(rows.columns)) {
    recalled_ += static_cast<Index>(sources.size());
    return rows;
  }
  const Execution inner = part(static_cast<double>(sources.size()));
  rows.columns =
      (solver_shares_ ? solver_.between(sources, all, inner) : shared_between(solver_, sources, all, inner))
          .template cast<Scalar>();
  if (log_) log_->keep(std::as_bytes(numbers_of(rows.columns)));
  return rows;
}

template <typename Scalar>
std::size_t LandmarkRowSource<Scalar>::blocks_in_round(const LandmarkBlocks& blocks,
                                                       std::size_t begin) const {
  const std::size_t left = (blocks.landmarks.size() - begin + blocks.together - 1) / blocks.together;
  const std::size_t count = std::min(left, static_cast<std::size_t>(team_->size()));
  if (!logs_) return count;
  return std::clamp<std::size_t>(most_logged_numbers / (blocks.together * blocks.landmarks.size()), 1, count);
}

/// Several blocks at once, each by its own ranks. Every rank then receives what it folds.
template <typename Scalar>
void LandmarkRowSource<Scalar>::measure_round(const LandmarkBlocks& blocks, std::size_t begin) {
  const auto all = blocks.landmarks;
  std::vector<std::span<const Index>> sources;
  std::size_t end = begin;
  for (std::size_t k = blocks_in_round(blocks, begin); k > 0; --k) {
    sources.push_back(all.subspan(end, std::min(blocks.together, all.size() - end)));
    end += sources.back().size();
  }
  const SomeRows mine =
      my_rows_of_blocks(solver_, sources, all, *team_, part(static_cast<double>(end - begin)));

  std::vector<std::vector<Index>> wanted;
  std::vector<FoldRange> ranges;  // of rows that come whole, besides
  for (std::size_t rank = 0; rank < blocks.folded.size(); ++rank) {
    const FoldRange folded = blocks.folded[rank];
    const bool whole = (logs_ && rank == 0) || folded.end - folded.begin == all.size();
    wanted.push_back(wanted_columns(blocks, folded, begin, whole));
    ranges.push_back({std::clamp(folded.begin, begin, end), std::clamp(folded.end, begin, end)});
    if (whole) ranges.back() = {begin, begin};
  }
  const RowMatrix<Scalar> columns = exchange_columns<Scalar>(*team_, end - begin, mine, wanted);
  const RowMatrix<Scalar> rows = exchange_rows<Scalar>(*team_, begin, mine, ranges, all.size());
  const auto rank = static_cast<std::size_t>(team_->rank());
  const FoldRange range = ranges[rank];
  const std::size_t first_column = wanted[rank].empty() ? 0 : static_cast<std::size_t>(wanted[rank][0]);
  for (const std::span<const Index> block : sources) {
    FoldedRows<Scalar> one;
    const auto count = static_cast<Eigen::Index>(block.size());
    one.begin = round_.empty() ? begin : round_.back().begin + round_.back().count();
    one.first_column = first_column;
    one.columns = columns.middleRows(static_cast<Eigen::Index>(one.begin - begin), count);
    if (log_) log_->keep(std::as_bytes(numbers_of(one.columns)));
    one.first_folded = std::clamp(range.begin, one.begin, one.begin + block.size());
    const std::size_t last = std::clamp(range.end, one.first_folded, one.begin + block.size());
    if (last > one.first_folded)
      one.folded = rows.middleRows(static_cast<Eigen::Index>(one.first_folded - range.begin),
                                   static_cast<Eigen::Index>(last - one.first_folded));
    round_.push_back(std::move(one));
  }
  std::reverse(round_.begin(), round_.end());
}

template class LandmarkRowSource<float>;
template class LandmarkRowSource<double>;

}  // namespace geodome::internal
