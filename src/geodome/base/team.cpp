#include "geodome/base/team.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

Bytes bytes_of(const std::string& text) {
  BytesWriter writer;
  writer.put_all(std::span(text.data(), text.size()));
  return writer.take();
}

}  // namespace

void Team::sum(std::span<double> values) const {
  reduce(*this, values, std::plus<double>());
}

void BytesReader::take(std::span<std::byte> out) {
  if (out.size() > bytes_.size())
    throw Error(text("expected ", out.size(), " more bytes from another rank, got ", bytes_.size()));
  if (!out.empty()) std::memcpy(out.data(), bytes_.data(), out.size());
  bytes_ = bytes_.subspan(out.size());
}

std::size_t BytesReader::checked_count(std::size_t count, std::size_t bytes) const {
  if (count > bytes_.size() / bytes)
    throw Error(text("expected ", count, " numbers from another rank, got ", bytes_.size(), " bytes"));
  return count;
}

Bytes broadcast(const Team& team, Bytes mine, int root) {
  std::size_t size = mine.size();
  team.broadcast(std::as_writable_bytes(std::span(&size, 1)), root);
  mine.resize(size);
  if (size > 0) team.broadcast(mine, root);
  return mine;
}

std::string broadcast(const Team& team, const std::string& mine, int root) {
  const Bytes all = broadcast(team, bytes_of(mine), root);
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

void fail_together(const Team& team, const std::function<void()>& work) {
  std::optional<std::string> failure;
  try {
    work();
  } catch (const NumericalError& error) {
    failure = error.what();
  }
  Bytes mine;
  if (failure) {
    mine = bytes_of(*failure);
    mine.push_back(std::byte{0});  // of a message without text too
  }
  for (const Bytes& one : team.gather(mine))
    if (!one.empty())
      throw NumericalError(std::string(reinterpret_cast<const char*>(one.data()), one.size() - 1));
}

void require_same(const Team& team, std::string_view what, std::span<const std::byte> bytes) {
  BytesWriter writer;
  writer.put(bytes.size());
  writer.put(crc32c(bytes));
  const std::vector<Bytes> all = team.gather(writer.take());
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(text(what, " of ranks 0 and ", rank,
                       " differ: all ranks must run the same program on processors of the same kind"));
}

void share_items(std::size_t items, const Execution& execution, std::string_view stage,
                 const SharedItems& shared) {
  const Team* team = team_of(execution);
  if (team == nullptr) return parallel_for(items, execution, stage, shared.work);
  std::vector<std::vector<std::size_t>> of_rank(static_cast<std::size_t>(team->size()));
  for (std::size_t item = 0; item < items; ++item)
    of_rank[shared.owner ? static_cast<std::size_t>(shared.owner(item)) : item % of_rank.size()].push_back(
        item);
  const auto rank = static_cast<std::size_t>(team->rank());
  const std::vector<std::size_t>& mine = of_rank[rank];
  fail_together(*team, [&] {
    parallel_for(mine.size(), execution, stage,
                 [&](std::size_t k, int thread) { shared.work(mine[k], thread); });
  });
  for (std::size_t root = 0; root < of_rank.size(); ++root) {
    if (of_rank[root].empty()) continue;
    BytesWriter writer;
    if (root == rank)
      for (const std::size_t item : mine) shared.pack(item, writer);
    const Bytes bytes = broadcast(*team, writer.take(), static_cast<int>(root));
    if (root == rank) continue;
    BytesReader reader(bytes);
    for (const std::size_t item : of_rank[root]) shared.unpack(item, reader);
  }
}

}  // namespace geodome::internal
