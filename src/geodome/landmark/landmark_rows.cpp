#include "geodome/landmark/landmark_rows.h"

#include <algorithm>
#include <utility>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

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

/// Of rank `rank`: which columns it receives of the rows of a block that begins there, as far as they hold
/// first directions for it; of a rank that receives whole rows, all of them.
FoldRange wanted_columns(const LandmarkBlocks& blocks, std::size_t rank, std::size_t begin, bool whole) {
  if (whole) return {0, blocks.landmarks.size()};
  const FoldRange folded = blocks.folded[rank];
  const std::size_t first = std::max(folded.begin, begin);
  return {first, std::max(folded.end, first)};
}

/// The numbers in the rows of a triangle before this one, without the diagonal.
std::size_t numbers_before(std::size_t row) {
  return static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(row) - 1));
}

/// Several blocks, each of whose rows was measured by some rank. Every rank receives what it folds: of each
/// row the first directions of its pairs, and the second ones where the row is one of its own.
template <typename Scalar>
class RoundExchange {
 public:
  /// `whole[r]`: rank r receives all of it.
  RoundExchange(const Team& team, const LandmarkBlocks& blocks, std::size_t begin, std::size_t end,
                std::vector<char> whole)
      : team_(team), blocks_(blocks), begin_(begin), end_(end), whole_(std::move(whole)) {}

  std::vector<FoldedRows<Scalar>> run(const SomeRows& mine) const {
    std::vector<Bytes> to;
    for (std::size_t rank = 0; rank < whole_.size(); ++rank) to.push_back(packed(mine, rank));
    std::vector<FoldedRows<Scalar>> rows;
    for (std::size_t begin = begin_; begin < end_; begin += blocks_.together) rows.push_back(room(begin));
    for (const Bytes& bytes : team_.exchange(std::move(to))) {
      BytesReader reader(bytes);
      while (!reader.empty()) unpack(reader, rows);
    }
    return rows;
  }

 private:
  std::size_t block_of(std::size_t row) const { return (row - begin_) / blocks_.together; }
  FoldRange columns_of(std::size_t rank, std::size_t row) const {
    return wanted_columns(blocks_, rank, begin_ + block_of(row) * blocks_.together, whole_[rank] != 0);
  }
  bool folds(std::size_t rank, std::size_t row) const {
    return whole_[rank] == 0 && blocks_.folded[rank].has(row);
  }

  Bytes packed(const SomeRows& mine, std::size_t rank) const {
    BytesWriter writer;
    std::vector<Scalar> some;
    const auto put = [&](std::size_t k, FoldRange columns) {
      const auto* row = &mine.distances(static_cast<Eigen::Index>(k), 0);
      some.clear();
      for (std::size_t c = columns.begin; c < columns.end; ++c) some.push_back(static_cast<Scalar>(row[c]));
      writer.put_all(std::span<const Scalar>(some));
    };
    for (std::size_t k = 0; k < mine.sources.size(); ++k) {
      const std::size_t row = begin_ + mine.sources[k];
      const FoldRange columns = columns_of(rank, row);
      if (columns.begin == columns.end && !folds(rank, row)) continue;
      writer.put(row);
      put(k, columns);
      if (folds(rank, row)) put(k, {0, row});
    }
    return writer.take();
  }

  /// For the block that begins there.
  FoldedRows<Scalar> room(std::size_t begin) const {
    const auto rank = static_cast<std::size_t>(team_.rank());
    const std::size_t end = std::min(begin + blocks_.together, end_);
    const FoldRange columns = columns_of(rank, begin);
    FoldedRows<Scalar> one;
    one.begin = begin;
    one.first_column = columns.begin;
    one.columns.resize(static_cast<Eigen::Index>(end - begin),
                       static_cast<Eigen::Index>(columns.end - columns.begin));
    one.whole = whole_[rank] != 0;
    if (one.whole) return one;
    one.first_folded = std::clamp(blocks_.folded[rank].begin, begin, end);
    const std::size_t last = std::clamp(blocks_.folded[rank].end, one.first_folded, end);
    one.folded.resize(numbers_before(last) - numbers_before(one.first_folded));
    return one;
  }

  void unpack(BytesReader& reader, std::vector<FoldedRows<Scalar>>& rows) const {
    const auto row = reader.get<std::size_t>();
    FoldedRows<Scalar>& one = rows.at(block_of(row));
    reader.get_all(std::span(one.columns.row(static_cast<Eigen::Index>(row - one.begin)).data(),
                             static_cast<std::size_t>(one.columns.cols())));
    if (folds(static_cast<std::size_t>(team_.rank()), row))
      reader.get_all(
          std::span(one.folded).subspan(numbers_before(row) - numbers_before(one.first_folded), row));
  }

  const Team& team_;
  const LandmarkBlocks& blocks_;
  std::size_t begin_, end_;
  std::vector<char> whole_;
};

}  // namespace

template <typename Scalar>
LandmarkRowSource<Scalar>::LandmarkRowSource(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                                             const LandmarkDistanceOptions& options,
                                             const Execution& execution)
    : solver_(solver),
      solver_shares_(options.solver_shares),
      first_share_(options.first_share),
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
  const bool whole = logs_ || blocks.folded[0].end - blocks.folded[0].begin == blocks.landmarks.size();
  if (!whole) return count;
  return std::clamp<std::size_t>(most_whole_numbers / (blocks.together * blocks.landmarks.size()), 1, count);
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
      my_rows_of_blocks(solver_, sources, all, *team_, part(static_cast<double>(end - begin)), first_share_);

  std::vector<char> whole;
  for (std::size_t rank = 0; rank < blocks.folded.size(); ++rank)
    whole.push_back((logs_ && rank == 0) ||
                    blocks.folded[rank].end - blocks.folded[rank].begin == all.size());
  round_ = RoundExchange<Scalar>(*team_, blocks, begin, end, std::move(whole)).run(mine);
  if (log_)
    for (FoldedRows<Scalar>& one : round_) log_->keep(std::as_bytes(numbers_of(one.columns)));
  std::reverse(round_.begin(), round_.end());
}

template <typename Scalar>
const Scalar* FoldedRows<Scalar>::row(std::size_t landmark) const {
  if (whole) return columns.data() + static_cast<Eigen::Index>(landmark - begin) * columns.cols();
  return folded.data() + (numbers_before(landmark) - numbers_before(first_folded));
}

template struct FoldedRows<float>;
template struct FoldedRows<double>;
template class LandmarkRowSource<float>;
template class LandmarkRowSource<double>;

}  // namespace geodome::internal
