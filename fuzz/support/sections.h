#pragma once
/// `.geodome` files as lists of sections, so that a fuzzer changes what is in a file and not its checksums.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/file/container_format.h"
#include "support/byte_source.h"

namespace geodome::fuzz {

struct RawSection {
  internal::SectionKind kind;
  std::uint8_t element = 0;
  std::uint8_t flags = 0;
  std::string bytes;
};

/// The sections of a valid file.
std::vector<RawSection> split_container(std::string_view file);
/// The same as input of a target: of each section its kind, element type, flags, length (two bytes) and
/// bytes.
std::string encode_sections(const std::vector<RawSection>& sections);
/// Accepts any bytes. A section ends at the latest where they end.
std::vector<RawSection> decode_sections(ByteSource bytes);
/// A file with these sections and right checksums.
std::string join_container(const std::vector<RawSection>& sections);

/// Recomputes every checksum of a damaged file that can still be located, and its length in the footer.
std::string repair_checksums(std::string file);

}  // namespace geodome::fuzz
