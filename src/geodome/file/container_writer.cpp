#include "geodome/file/container_writer.h"

#include <algorithm>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {

ContainerWriter::ContainerWriter(const std::string& path) : file_(path), path_(path) {
  ContainerHeader header;
  header.checksum = checksum_of(header);
  write(std::as_bytes(std::span(&header, 1)));
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
    checksums_.back() = crc32c(piece, checksums_.back());
    write(piece);
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
  ContainerFooter footer;
  footer.table_offset = written_;
  footer.section_count = static_cast<std::uint32_t>(entries_.size());
  const auto entries = std::as_bytes(std::span(entries_));
  const auto checksums = std::as_bytes(std::span(checksums_));
  footer.table_checksum = crc32c(checksums, crc32c(entries));
  write(entries);
  write(checksums);
  footer.file_length = written_ + sizeof footer;
  footer.checksum = checksum_of(footer);
  write(std::as_bytes(std::span(&footer, 1)));
  file_.commit();
  committed_ = true;
}

void ContainerWriter::require_closed() const {
  if (committed_) throw InputError(text("'", path_, "' is already complete"));
  if (open_) throw InputError(text("'", path_, "': section ", entries_.back().kind.name(), " has not ended"));
}

void ContainerWriter::write(std::span<const std::byte> bytes) {
  file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  written_ += bytes.size();
}

void ContainerWriter::pad() {
  constexpr std::array<std::byte, container_alignment> zeros = {};
  write(std::span(zeros).first(align_section(written_) - written_));
}

}  // namespace geodome::internal
