#pragma once
/// Where W is while it is folded, and afterwards: in memory, or in a scratch file.

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geodome/base/scratch_file.h"
#include "geodome/base/team.h"
#include "geodome/landmark/landmark_distances.h"

namespace geodome::internal {

/// Consecutive numbers of W: [begin, end).
struct PackedPart {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// Made and used by all ranks of a team together. In memory every rank ends up with all numbers.
template <typename Number>
class PackedStore {
 public:
  PackedStore(std::size_t count, const LandmarkDistanceOptions& options, const Team* team) : team_(team) {
    const std::size_t bytes = count * sizeof(Number);
    if (is_beyond(bytes, options))
      file_ = std::make_shared<ScratchFile>(options.scratch, bytes, team_);
    else
      memory_ = std::make_shared<std::vector<Number>>(count);
  }

  bool in_file() const { return file_ != nullptr; }

  /// Room for a part until `share`, zero where it is new. With a file: of the first rank alone, where no
  /// other rank has a part (`alone`), or of each of them.
  std::span<Number> room(PackedPart part, bool alone) {
    if (part.size() == 0) return {};
    if (memory_) return std::span(*memory_).subspan(part.begin, part.size());
    if (alone) {
      const std::span<std::byte> all = file_->whole();
      return {reinterpret_cast<Number*>(all.data()) + part.begin, part.size()};
    }
    own_.assign(part.size(), Number{});
    return own_;
  }

  /// parts[r] has been filled by rank r.
  void share(const std::vector<PackedPart>& parts) {
    if (memory_) {
      for (std::size_t rank = 0; rank < parts.size(); ++rank)
        if (const auto part = std::span(*memory_).subspan(parts[rank].begin, parts[rank].size());
            !part.empty())
          team_->broadcast(std::as_writable_bytes(part), static_cast<int>(rank));
    } else if (!own_.empty()) {
      const std::size_t begin = parts[static_cast<std::size_t>(team_->rank())].begin;
      file_->write_at(begin * sizeof(Number), std::as_bytes(std::span(own_)));
      std::vector<Number>().swap(own_);
    }
  }

  void give(LandmarkDistances& result) && {
    if (memory_) {
      result.values = std::span<const Number>(*memory_);
      result.owner = std::move(memory_);
      return;
    }
    const std::span<const std::byte> all = file_->finish();
    result.values = std::span(reinterpret_cast<const Number*>(all.data()), all.size() / sizeof(Number));
    result.scratch_bytes = static_cast<std::int64_t>(all.size());
    result.owner = std::move(file_);
  }

 private:
  /// The same on all ranks: where one of them cannot have it in memory, none has.
  bool is_beyond(std::size_t bytes, const LandmarkDistanceOptions& options) const {
    char beyond = !options.scratch.empty() && static_cast<std::int64_t>(bytes) > options.memory ? 1 : 0;
    if (team_ != nullptr)
      reduce(*team_, std::span(&beyond, 1), [](char a, char b) { return std::max(a, b); });
    return beyond != 0;
  }

  const Team* team_;
  std::shared_ptr<std::vector<Number>> memory_;
  std::shared_ptr<ScratchFile> file_;
  std::vector<Number> own_;  ///< the part of this rank, on its way to the file
};

}  // namespace geodome::internal
