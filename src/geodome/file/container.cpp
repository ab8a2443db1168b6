#include "geodome/file/container.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/base/platform.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr const char* damaged_hint = "; the file is damaged: copy it again or build it again";

/// A struct of the format from any place of the file; the caller knows that it lies inside.
template <typename T>
T load(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The largest number of this type that is at most `limit`.
template <typename T>
T largest_up_to(double limit) {
  constexpr T most = std::numeric_limits<T>::max();
  if (limit >= static_cast<double>(most)) return most;
  const T rounded = static_cast<T>(limit);
  return static_cast<double>(rounded) > limit ? std::nextafter(rounded, -most) : rounded;
}

/// Position of the first number outside [least, most], if any.
template <typename T>
std::optional<std::uint64_t> first_outside(std::span<const std::byte> bytes, double least, double most) {
  const std::span<const T> numbers(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
  const T low = -largest_up_to<T>(-least), high = largest_up_to<T>(most);
  const auto outside = [low, high](T number) { return !((number >= low) & (number <= high)); };  // NaN too
  int any = 0;  // without branches, so that it costs little beside the checksum
  for (const T number : numbers) any |= static_cast<int>(outside(number));
  if (any == 0) return std::nullopt;
  return static_cast<std::uint64_t>(std::find_if(numbers.begin(), numbers.end(), outside) - numbers.begin());
}

}  // namespace

Container Container::open(const std::string& path, std::span<const KnownSection> known) {
  Container container(path);
  container.check(known);
  return container;
}

std::optional<Container> Container::open_if_container(const std::string& path,
                                                      std::span<const KnownSection> known) {
  Container container(path);
  if (!container.starts_as_one()) return {};
  container.check(known);
  return container;
}

void Container::check(std::span<const KnownSection> known) {
  check_header();
  read_table(check_footer());
  check_kinds(known);
}

bool Container::starts_as_one() const {
  return file_->as_text().starts_with(std::string_view(container_magic.data(), container_magic.size()));
}

Container::Container(const std::string& path) : file_(std::make_unique<const MappedFile>(path)) {}

void Container::check_header() const {
  if (!starts_as_one()) fail("is not a geodome file: its first bytes are wrong");
  if (file_->size() < sizeof(ContainerHeader) + sizeof(ContainerFooter)) {
    fail(text("is truncated: it has ", file_->size(), " bytes, fewer than an empty geodome file"));
  }
  const auto header = load<ContainerHeader>(file_->bytes(), 0);
  if (checksum_of(header) != header.checksum) {
    fail(text("has a wrong checksum in its header, bytes 0 to ", sizeof header, damaged_hint));
  }
  if (header.major > container_major) {
    fail(text("has format version ", header.major, ".", header.minor, ", this program reads up to version ",
              container_major, ": use geodome ", header.needs[0], ".", header.needs[1], ".", header.needs[2],
              " or later"));
  }
  if (header.major == 0) fail("has format version 0, which does not exist");
}

ContainerFooter Container::check_footer() const {
  const std::uint64_t start = file_->size() - sizeof(ContainerFooter);
  const auto footer = load<ContainerFooter>(file_->bytes(), start);
  if (checksum_of(footer) != footer.checksum) {
    fail(text("is truncated or damaged: its last ", sizeof footer, " bytes, from byte ", start,
              " on, are not the end of a geodome file; copy it again or build it again"));
  }
  if (footer.file_length != file_->size()) {
    fail(text("has ", file_->size(), " bytes, but should have ", footer.file_length, damaged_hint));
  }
  if (footer.table_offset < sizeof(ContainerHeader) || footer.table_offset > start ||
      footer.table_offset % container_alignment != 0) {
    fail(text("has its table at byte ", footer.table_offset, ", not at a multiple of ", container_alignment,
              " between ", sizeof(ContainerHeader), " and ", start));
  }
  const std::uint64_t table_length = start - footer.table_offset;
  if (footer.section_count > table_length / sizeof(SectionEntry)) {
    fail(text("claims ", footer.section_count, " sections in a table of ", table_length, " bytes"));
  }
  if (crc32c(file_->bytes().subspan(footer.table_offset, table_length)) != footer.table_checksum) {
    fail(text("has a wrong checksum in its table, bytes ", footer.table_offset, " to ", start, damaged_hint));
  }
  return footer;
}

void Container::read_table(const ContainerFooter& footer) {
  table_offset_ = footer.table_offset;
  sections_.reserve(footer.section_count);
  std::uint64_t end = sizeof(ContainerHeader);
  for (std::uint64_t i = 0; i < footer.section_count; ++i) {
    Section section;
    section.entry_ = load<SectionEntry>(file_->bytes(), table_offset_ + i * sizeof(SectionEntry));
    check_entry(section.entry_, end, table_offset_);
    end = section.entry_.offset + section.entry_.length;
    blocks_ += block_count(section.entry_.length);
    sections_.push_back(section);
  }
  if (align_section(end) != table_offset_) {
    fail(text("has its table at byte ", table_offset_, ", but its last section ends at ", end));
  }
  const std::uint64_t checksums = table_offset_ + sections_.size() * sizeof(SectionEntry);
  const std::uint64_t room = file_->size() - sizeof(ContainerFooter) - checksums;
  if (room != blocks_ * sizeof(std::uint32_t)) {
    fail(text("has ", room, " bytes of checksums for ", blocks_, " blocks of its sections"));
  }

  checked_ = std::make_unique<Section::Flag[]>(blocks_);
  std::uint64_t first_block = 0;
  for (Section& section : sections_) {
    section.file_ = file_.get();
    section.data_ = file_->bytes().data() + section.entry_.offset;
    section.checksums_ =
        reinterpret_cast<const std::uint32_t*>(file_->bytes().data() + checksums) + first_block;
    section.checked_ = checked_.get() + first_block;
    first_block += block_count(section.entry_.length);
  }
}

void Container::check_entry(const SectionEntry& entry, std::uint64_t previous_end,
                            std::uint64_t table_offset) const {
  if (!entry.kind.printable()) fail(text("has a section with the unprintable name ", entry.kind.name()));
  if (entry.offset != align_section(previous_end)) {
    fail(text("has section ", entry.kind.name(), " at byte ", entry.offset, " instead of ",
              align_section(previous_end), ", right after what comes before it"));
  }
  if (entry.offset > table_offset || entry.length > table_offset - entry.offset) {
    fail(text("has section ", entry.kind.name(), " at byte ", entry.offset, " with ", entry.length,
              " bytes, more than there are before the table at byte ", table_offset));
  }
  const std::size_t size = element_size(entry.element);
  if (size != 0 && entry.length % size != 0) {
    fail(text("has section ", entry.kind.name(), " with ", entry.length, " bytes, not a multiple of the ",
              size, " of one ", element_name(entry.element)));
  }
}

void Container::check_kinds(std::span<const KnownSection> known) {
  std::vector<SectionKind> kinds;
  kinds.reserve(sections_.size());
  for (Section& section : sections_) {
    kinds.push_back(section.kind());
    const auto found = std::find_if(known.begin(), known.end(), [&section](const KnownSection& one) {
      return one.kind == section.kind();
    });
    const KnownSection range = found != known.end() ? *found : KnownSection(section.kind());
    section.has_range_ = range.has_range;
    section.least_ = range.least;
    section.most_ = range.most;
    if (section.mandatory() && found == known.end()) {
      fail(text("has a mandatory section ", section.kind().name(), " (", section.bytes(), " bytes at byte ",
                section.file_offset(), ") that this program does not know: use a later version of geodome"));
    }
  }
  std::sort(kinds.begin(), kinds.end());
  const auto twice = std::adjacent_find(kinds.begin(), kinds.end());
  if (twice != kinds.end()) fail(text("has two sections ", twice->name()));
}

const Section* Container::find(SectionKind kind) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [kind](const Section& section) { return section.kind() == kind; });
  return found == sections_.end() ? nullptr : &*found;
}

const Section& Container::section(SectionKind kind) const {
  const Section* found = find(kind);
  if (found == nullptr) fail(text("has no section ", kind.name()));
  return *found;
}

void Container::verify(const Execution& execution) const {
  struct Block {
    const Section* section;
    std::uint64_t number;
    bool sound = false;
  };
  std::vector<Block> blocks;
  blocks.reserve(blocks_);
  for (const Section& section : sections_) {
    for (std::uint64_t number = 0; number < block_count(section.bytes()); ++number) {
      blocks.push_back({&section, number});
    }
  }
  parallel_for(blocks.size(), execution, "verify", [&blocks](std::size_t item, int) {
    blocks[item].sound = blocks[item].section->check_block(blocks[item].number);
  });
  // Only now: whichever thread was faster, the first damage is the one named.
  for (const Block& block : blocks) {
    if (!block.sound) block.section->fail_block(block.number);
  }
  check_padding();
}

void Container::check_padding() const {
  std::uint64_t end = sizeof(ContainerHeader);
  const auto check = [this, &end](std::uint64_t next) {
    for (; end < next; ++end) {
      if (file_->bytes()[end] != std::byte{0}) {
        fail(text("has a wrong byte between its sections, at byte ", end, damaged_hint));
      }
    }
  };
  for (const Section& section : sections_) {
    check(section.file_offset());
    end = section.file_offset() + section.bytes();
  }
  check(table_offset_);
}

void Container::fail(const std::string& cause) const {
  throw FileError(text("'", file_->path(), "' ", cause));
}

std::string_view Section::as_text() const {
  const std::span<const char> characters = view<char>();
  return {characters.data(), characters.size()};
}

std::span<const std::byte> Section::block_bytes(std::uint64_t block) const {
  const std::uint64_t start = block * container_block;
  return {data_ + start,
          static_cast<std::size_t>(std::min<std::uint64_t>(container_block, entry_.length - start))};
}

std::optional<std::uint64_t> Section::bad_number(std::uint64_t block) const {
  if (!has_range_) return std::nullopt;
  const std::span<const std::byte> bytes = block_bytes(block);
  if (element() == ElementType::float32) return first_outside<float>(bytes, least_, most_);
  if (element() == ElementType::float64) return first_outside<double>(bytes, least_, most_);
  return std::nullopt;
}

bool Section::check_block(std::uint64_t block) const {
  const bool sound = crc32c(block_bytes(block)) == checksums_[block] && !bad_number(block);
  if (sound) checked_[block].store(1, std::memory_order_relaxed);
  return sound;
}

void Section::require_block(std::uint64_t block, std::uint64_t wanted) const {
  const std::span<const std::byte> bytes = block_bytes(block);
  fetch_pages(bytes.data(), bytes.size());
  if (!check_block(block)) fail_block(block);
  // A query of a large file reads some kilobytes from each of a hundred blocks.
  if (wanted < bytes.size() / 4) release_pages(bytes.data(), bytes.size());
}

void Section::fail_block(std::uint64_t block) const {
  const std::uint64_t start = block * container_block;
  const std::uint64_t end = start + block_bytes(block).size();
  if (crc32c(block_bytes(block)) == checksums_[block])
    throw FileError(text("'", file_->path(), "': section ", kind().name(), " has a number outside [", least_,
                         ", ", most_, "] at position ",
                         start / element_size(element()) + bad_number(block).value_or(0),
                         "; the file is not a valid matrix: build it again"));
  throw FileError(text("'", file_->path(), "': section ", kind().name(),
                       " has a wrong checksum in its bytes ", start, " to ", end, " (from byte ",
                       entry_.offset + start, " of the file on)", damaged_hint));
}

void Section::fail_range(std::uint64_t first, std::uint64_t count, std::size_t size) const {
  throw FileError(text("'", file_->path(), "': section ", kind().name(), " at byte ", entry_.offset, " has ",
                       entry_.length / size, size == 1 ? " bytes" : " elements", ", but ", count,
                       " from number ", first, " on were requested"));
}

void Section::fail_type(ElementType wanted) const {
  throw FileError(text("'", file_->path(), "': section ", kind().name(), " at byte ", entry_.offset,
                       " holds ", element_name(entry_.element), ", not ", element_name(wanted)));
}

}  // namespace geodome::internal
