#pragma once
/// What a long computation has finished so far, in a file beside its result, so that a run that was broken
/// off (power, Ctrl-C, no memory) goes on where it was.
///
///   BlockLog log("dragon.geodome.progress", recipe);
///   for (std::size_t block = 0; block < blocks; ++block)
///     if (!log.recall(block, rows)) log.keep(rows = compute(block));

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geodome::internal {

/// Blocks of bytes in the order of their numbers, each behind its length and checksum, each synced before the
/// next is begun. A log of another key is begun anew; of one that is damaged or was cut off, the sound blocks
/// before that count. A file that is no log is refused and left as it is.
class BlockLog {
 public:
  /// `key` says what is computed, with all that decides it. Throws FileError where the file cannot be
  /// written or is no log, and InputError where another process is using it.
  BlockLog(const std::string& path, std::string_view key);
  ~BlockLog();
  BlockLog(const BlockLog&) = delete;
  BlockLog& operator=(const BlockLog&) = delete;

  /// How many blocks are there: those with numbers below this.
  std::size_t count() const { return begins_.size(); }

  /// Reads a block of this length. Where it is not there, or not sound, the log ends before it from now on,
  /// and the answer is false. Throws FileError.
  bool recall(std::size_t block, std::span<std::byte> bytes);

  /// Appends block number count(). Throws FileError.
  void keep(std::span<const std::byte> bytes);

 private:
  void find_blocks(std::string_view header);
  void read(std::uint64_t begin, std::span<std::byte> bytes) const;
  void write(std::span<const std::byte> bytes);
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t end_ = 0;              ///< where the next block begins
  std::vector<std::uint64_t> begins_;  ///< of each block
};

/// Whether this is the file of a BlockLog; an empty one counts, as the start of a log.
bool is_block_log(const std::string& path);

/// Removes a log that is no longer needed, if there is one. A file that is no log stays.
void remove_block_log(const std::string& path);

}  // namespace geodome::internal
