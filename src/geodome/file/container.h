#pragma once
/// Reads a `.geodome` file where it lies: opening checks its header and table only. Every block of 1 MiB is
/// checked when it is first touched: its checksum, and the range of its floating-point numbers.
///
///   const Container file = Container::open("dragon.geodome", known_kinds);
///   const Section& weights = file.section(weights_kind);
///   const std::span<const float> row = weights.view<float>(first, count);

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/mapped_file.h"
#include "geodome/file/container_format.h"

namespace geodome::internal {

/// One section of an open container, valid as long as that is (also when it is moved). All methods are const
/// and thread-safe. What they return points into the file.
/// Throws FileError naming the file, the section, the place and the cause.
class Section {
 public:
  SectionKind kind() const { return entry_.kind; }
  ElementType element() const { return entry_.element; }
  bool mandatory() const { return (entry_.flags & SectionEntry::mandatory) != 0; }
  /// Where it starts in the file.
  std::uint64_t file_offset() const { return entry_.offset; }
  /// Its length in bytes.
  std::uint64_t bytes() const { return entry_.length; }

  /// The `length` bytes from `offset` on. Cost: once they were touched, one load for each block.
  std::span<const std::byte> verified(std::uint64_t offset, std::uint64_t length) const {
    if (length > entry_.length || offset > entry_.length - length) fail_range(offset, length, 1);
    verify(offset, length);
    return {data_ + offset, length};
  }

  /// `count` elements from number `first` on. T must be the type of the section's elements. Cost: as above.
  template <typename T>
  std::span<const T> view(std::uint64_t first, std::uint64_t count) const {
    if (element_type_of<T>() != entry_.element) fail_type(element_type_of<T>());
    const std::uint64_t size = entry_.length / sizeof(T);
    if (count > size || first > size - count) fail_range(first, count, sizeof(T));
    verify(first * sizeof(T), count * sizeof(T));
    return {reinterpret_cast<const T*>(data_) + first, static_cast<std::size_t>(count)};
  }

  /// All elements. Cost: the first time, a pass over the section.
  template <typename T>
  std::span<const T> view() const {
    return view<T>(0, entry_.length / sizeof(T));
  }

  /// All of a section of text.
  std::string_view as_text() const;

 private:
  friend class Container;
  using Flag = std::atomic<std::uint8_t>;

  void verify(std::uint64_t offset, std::uint64_t length) const {
    if (length == 0) return;
    const std::uint64_t last = (offset + length - 1) / container_block;
    for (std::uint64_t block = offset / container_block; block <= last; ++block) {
      // Relaxed: the flag guards nothing that a thread writes, the bytes were there before.
      if (checked_[block].load(std::memory_order_relaxed) == 0) require_block(block, length);
    }
  }
  std::span<const std::byte> block_bytes(std::uint64_t block) const;
  /// Reads the block and compares; marks it as checked if it is sound.
  bool check_block(std::uint64_t block) const;
  /// The first number of the block that is out of range, counted in elements of the section; nothing if none.
  std::optional<std::uint64_t> bad_number(std::uint64_t block) const;
  /// `wanted`: bytes that are read of it afterwards, or more.
  void require_block(std::uint64_t block, std::uint64_t wanted) const;
  [[noreturn]] void fail_block(std::uint64_t block) const;
  [[noreturn]] void fail_range(std::uint64_t first, std::uint64_t count, std::size_t size) const;
  [[noreturn]] void fail_type(ElementType wanted) const;

  SectionEntry entry_;
  const MappedFile* file_ = nullptr;
  const std::byte* data_ = nullptr;
  const std::uint32_t* checksums_ = nullptr;  // one for each block
  Flag* checked_ = nullptr;                   // likewise; nonzero once the block was found sound
  bool has_range_ = false;                    // whether floating-point numbers are between these
  double least_ = 0, most_ = 0;
};

/// const and thread-safe. The file must not be changed in place while it is open; it may be replaced.
class Container {
 public:
  /// `known`: the kinds the caller understands. A mandatory section of any other kind is refused by name, an
  /// optional one is ignored.
  /// Throws FileError naming the file, the place and the cause: it is no such file, cut short, damaged, of
  /// inconsistent sizes, or needs a later version of geodome (which it names).
  /// Cost: a look at the header and the table, 4 bytes for each MiB of the file.
  static Container open(const std::string& path, std::span<const KnownSection> known);

  /// The same; nothing where the file does not start as one.
  static std::optional<Container> open_if_container(const std::string& path,
                                                    std::span<const KnownSection> known);

  const std::string& path() const { return file_->path(); }
  std::uint64_t file_bytes() const { return file_->size(); }
  /// All of them, in the order of the file; also those not known.
  std::span<const Section> sections() const { return sections_; }

  /// nullptr if there is no such section.
  const Section* find(SectionKind kind) const;
  /// Throws FileError if there is no such section.
  const Section& section(SectionKind kind) const;

  /// Checks every byte of the file, on all threads of `execution`. Throws FileError naming the first damage.
  void verify(const Execution& execution = {}) const;

 private:
  explicit Container(const std::string& path);
  bool starts_as_one() const;
  void check(std::span<const KnownSection> known);
  void check_header() const;
  ContainerFooter check_footer() const;
  void read_table(const ContainerFooter& footer);
  void check_kinds(std::span<const KnownSection> known);
  /// The entry's section starts where the one before it ends and lies before the table.
  void check_entry(const SectionEntry& entry, std::uint64_t previous_end, std::uint64_t table_offset) const;
  void check_padding() const;
  [[noreturn]] void fail(const std::string& cause) const;

  std::unique_ptr<const MappedFile> file_;  // its address is kept when the container moves
  std::vector<Section> sections_;
  std::unique_ptr<Section::Flag[]> checked_;
  std::uint64_t blocks_ = 0;  // of all sections
  std::uint64_t table_offset_ = 0;
};

}  // namespace geodome::internal
