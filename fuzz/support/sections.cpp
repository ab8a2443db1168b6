#include "support/sections.h"

#include <cstring>

#include "geodome/base/checksum.h"

namespace geodome::fuzz {

using namespace internal;

namespace {

std::uint32_t checksum(std::string_view bytes) {
  return crc32c(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

template <typename T>
T load(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(static_cast<void*>(&value), bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
void place(std::string& bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// Calls visit(bytes) for every block of a section.
template <typename Visit>
void for_each_block(std::string_view section, const Visit& visit) {
  for (std::size_t begin = 0; begin < section.size(); begin += container_block)
    visit(section.substr(begin, container_block));
}

}  // namespace

std::vector<RawSection> split_container(std::string_view file) {
  const auto footer = load<ContainerFooter>(file, file.size() - sizeof(ContainerFooter));
  std::vector<RawSection> sections;
  for (std::size_t i = 0; i < footer.section_count; ++i) {
    const auto entry = load<SectionEntry>(file, footer.table_offset + i * sizeof(SectionEntry));
    sections.push_back({entry.kind, static_cast<std::uint8_t>(entry.element),
                        static_cast<std::uint8_t>(entry.flags),
                        std::string(file.substr(entry.offset, entry.length))});
  }
  return sections;
}

std::string encode_sections(const std::vector<RawSection>& sections) {
  std::string bytes;
  for (const RawSection& section : sections) {
    append(bytes, section.kind);
    append(bytes, section.element);
    append(bytes, section.flags);
    append(bytes, static_cast<std::uint16_t>(section.bytes.size()));
    bytes += section.bytes.substr(0, 0xffff);
  }
  return bytes;
}

std::vector<RawSection> decode_sections(ByteSource bytes) {
  std::vector<RawSection> sections;
  while (!bytes.empty()) {
    RawSection section;
    section.kind = bytes.raw<SectionKind>();
    section.element = bytes.byte();
    section.flags = bytes.byte();
    const auto length = bytes.raw<std::uint16_t>();
    section.bytes = bytes.take(length);
    sections.push_back(std::move(section));
  }
  return sections;
}

std::string join_container(const std::vector<RawSection>& sections) {
  ContainerHeader header;
  header.checksum = checksum_of(header);
  std::string file, table, checksums;
  append(file, header);
  for (const RawSection& section : sections) {
    file.resize(align_section(file.size()), '\0');
    append(table, SectionEntry{section.kind, section.flags, file.size(), section.bytes.size(),
                               static_cast<ElementType>(section.element), 0});
    file += section.bytes;
    for_each_block(section.bytes, [&](std::string_view block) { append(checksums, checksum(block)); });
  }
  file.resize(align_section(file.size()), '\0');
  ContainerFooter footer;
  footer.table_offset = file.size();
  footer.section_count = static_cast<std::uint32_t>(sections.size());
  table += checksums;
  footer.table_checksum = checksum(table);
  footer.file_length = file.size() + table.size() + sizeof footer;
  footer.checksum = checksum_of(footer);
  file += table;
  append(file, footer);
  return file;
}

std::string repair_checksums(std::string file) {
  if (file.size() < sizeof(ContainerHeader) + sizeof(ContainerFooter)) return file;
  auto header = load<ContainerHeader>(file, 0);
  header.checksum = checksum_of(header);
  place(file, 0, header);

  const std::size_t end = file.size() - sizeof(ContainerFooter);
  auto footer = load<ContainerFooter>(file, end);
  footer.file_length = file.size();
  const std::size_t begin = footer.table_offset;
  if (begin <= end) {
    std::size_t next = begin + std::size_t{footer.section_count} * sizeof(SectionEntry);
    for (std::size_t at = begin; at < next && next < end; at += sizeof(SectionEntry)) {
      const auto entry = load<SectionEntry>(file, at);
      if (entry.offset > begin || entry.length > begin - entry.offset) break;
      for_each_block(std::string_view(file).substr(entry.offset, entry.length), [&](std::string_view block) {
        if (end - next < sizeof(std::uint32_t)) return;
        place(file, next, checksum(block));
        next += sizeof(std::uint32_t);
      });
    }
    footer.table_checksum = checksum(std::string_view(file).substr(begin, end - begin));
  }
  footer.checksum = checksum_of(footer);
  place(file, end, footer);
  return file;
}

}  // namespace geodome::fuzz
