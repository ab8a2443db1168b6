#pragma once
/// Numbers of a running computation that are too many for memory, in a file that is gone when it ends.
///
///   ScratchFile file("dragon.geodome", bytes, team);
///   file.write_at(offset, mine);
///   const std::span<const std::byte> all = file.finish();

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "geodome/base/atomic_file.h"
#include "geodome/base/team.h"

namespace geodome::internal {

/// Made, finished and ended by all ranks of a team together. Nobody finds it later: where all of them are on
/// one machine its name is removed as soon as it is open, so that it ends with the last process that uses it,
/// however that ends. On several machines it keeps a temporary name (atomic_file.h) as long as the first rank
/// has it, because NFS takes a file without a name away from other machines.
class ScratchFile {
 public:
  /// `bytes` zeros, in the folder of `path`. Takes the room on the disk at once. Throws FileError where it
  /// cannot be created, WriteError where there is no room.
  ScratchFile(const std::string& path, std::uint64_t bytes, const Team* team = nullptr);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// All of it, for the first rank to write where no other does.
  std::span<std::byte> whole();
  /// By any rank of a team. Throws WriteError.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  /// What all ranks wrote, read through the page cache. Nothing can be written by others then. Throws
  /// WriteError.
  std::span<const std::byte> finish();

 private:
  void create(const std::string& path);
  void open();
  void map(bool writable);
  [[noreturn]] void fail(const char* action) const;
  bool is_first_rank() const { return team_ == nullptr || team_->rank() == 0; }

  const Team* team_;
  std::size_t size_;
  std::string name_;                    // of the file, as long as it has one
  std::optional<AtomicFile> named_;     // of the first rank, as long as the file has a name
  std::unique_ptr<SharedFile> shared_;  // with a team, until it is finished
  int descriptor_ = -1;
  std::byte* data_ = nullptr;  // once it is mapped
};

}  // namespace geodome::internal
