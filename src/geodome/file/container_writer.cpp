#include "geodome/file/container_writer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {

namespace {

/// What a rank writes at once.
constexpr std::size_t most_pending = std::size_t{4} << 20;

/// The name of the file that all ranks write to; empty where the first one has to write all of it.
std::string shared_name(const Team& team, const std::optional<AtomicFile>& file) {
  return broadcast(team, file ? file->temporary() : std::string(), 0);
}

}  // namespace

ContainerWriter::ContainerWriter(const std::string& path, const Team* team) : team_(team), path_(path) {
  if (is_first_rank()) file_.emplace(path);
  if (team_ != nullptr)
    if (const std::string name = shared_name(*team_, file_); !name.empty())
      shared_ = team_->open_shared(name);
  ContainerHeader header;
  header.checksum = checksum_of(header);
  write(std::as_bytes(std::span(&header, 1)), is_first_rank());
}

void ContainerWriter::begin(SectionKind kind, ElementType element, SectionNeed need) {
  require_closed();
  if (!kind.printable()) {
    throw InputError(
        text("'", path_, "': the kind of a section must be four printable characters, got ", kind.name()));
  }
  for (const SectionEntry& entry : entries_) {
    if (entry.kind == kind) throw InputError(text("'", path_, "': section ", kind.name(), " begins twice"));
  }
  pad();
  SectionEntry entry;
  entry.kind = kind;
  entry.flags = need == SectionNeed::mandatory ? SectionEntry::mandatory : 0;
  entry.offset = written_;
  entry.element = element;
  entries_.push_back(entry);
  open_ = true;
}

void ContainerWriter::append_bytes(std::span<const std::byte> bytes, ElementType element) {
  if (!open_) throw InputError(text("'", path_, "': there is no section to append to"));
  SectionEntry& entry = entries_.back();
  if (entry.element != element) {
    throw InputError(text("'", path_, "': section ", entry.kind.name(), " holds ",
                          element_name(entry.element), ", not ", element_name(element)));
  }
  while (!bytes.empty()) {
    const std::size_t filled = entry.length % container_block;
    if (filled == 0) checksums_.push_back(0);
    const auto piece = bytes.first(std::min(bytes.size(), container_block - filled));
    const bool mine = is_mine(checksums_.size() - 1);
    if (mine) checksums_.back() = crc32c(piece, checksums_.back());
    write(piece, mine);
    entry.length += piece.size();
    bytes = bytes.subspan(piece.size());
  }
}

void ContainerWriter::end() {
  if (!open_) throw InputError(text("'", path_, "': there is no section to end"));
  open_ = false;
}

void ContainerWriter::add_text(SectionKind kind, std::string_view text, SectionNeed need) {
  add<char>(kind, std::span(text.data(), text.size()), need);
}

void ContainerWriter::commit() {
  require_closed();
  pad();
  if (shared_) reduce(*team_, std::span<std::uint32_t>(checksums_), std::plus<std::uint32_t>());
  ContainerFooter footer;
  footer.table_offset = written_;
  footer.section_count = static_cast<std::uint32_t>(entries_.size());
  const auto entries = std::as_bytes(std::span(entries_));
  const auto checksums = std::as_bytes(std::span(checksums_));
  footer.table_checksum = crc32c(checksums, crc32c(entries));
  write(entries, is_first_rank());
  write(checksums, is_first_rank());
  footer.file_length = written_ + sizeof footer;
  footer.checksum = checksum_of(footer);
  write(std::as_bytes(std::span(&footer, 1)), is_first_rank());
  write_pending();
  if (shared_) shared_->finish();
  if (file_) file_->commit();
  if (team_ != nullptr) static_cast<void>(team_->gather({}));  // until it has its name
  committed_ = true;
}

void ContainerWriter::require_closed() const {
  if (committed_) throw InputError(text("'", path_, "' is already complete"));
  if (open_) throw InputError(text("'", path_, "': section ", entries_.back().kind.name(), " has not ended"));
}

/// Blocks in turn, some at a time, which a rank can write at once.
bool ContainerWriter::is_mine(std::size_t block) const {
  if (!shared_) return is_first_rank();
  constexpr std::size_t together = most_pending / container_block;
  return block / together % static_cast<std::size_t>(team_->size()) ==
         static_cast<std::size_t>(team_->rank());
}

void ContainerWriter::write(std::span<const std::byte> bytes, bool mine) {
  if (mine && shared_) {
    if (pending_end_ != written_ || pending_.size() + bytes.size() > most_pending) write_pending();
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    pending_end_ = written_ + bytes.size();
  } else if (mine) {
    file_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  written_ += bytes.size();
}

void ContainerWriter::write_pending() {
  if (!pending_.empty()) shared_->write_at(pending_end_ - pending_.size(), pending_);
  pending_.clear();
}

void ContainerWriter::pad() {
  constexpr std::array<std::byte, container_alignment> zeros = {};
  write(std::span(zeros).first(align_section(written_) - written_), is_first_rank());
}

}  // namespace geodome::internal
