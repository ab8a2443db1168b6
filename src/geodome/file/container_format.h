#pragma once
/// The layout of a `.geodome` file, byte by byte. All numbers are little-endian.
///
///   header    64 bytes   magic, format version, the oldest geodome that reads it, checksum
///   sections             each starts at a multiple of 64, after as few zero bytes as that takes
///   table                starts like a section: one 32-byte entry per section, in the order of the sections,
///                        then the checksums (4 bytes each) of every 1 MiB block of every section, in order
///   footer    64 bytes   where the table is, its checksum, the file's length, checksum
///
/// Equal sections give equal files. With the table at the end, a file is written in one pass. Checksums are
/// CRC-32C. Reserved bytes and flags are zero when written and ignored when read.
///
/// Later versions keep the header as it is, so that every version can tell which one is needed. A new kind of
/// section needs no new version: it is marked optional if it can be ignored without a wrong answer.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace geodome::internal {

static_assert(std::endian::native == std::endian::little, "the file is mapped into memory as it is");

inline constexpr std::uint16_t container_major = 1;
inline constexpr std::uint16_t container_minor = 0;
inline constexpr std::size_t container_alignment = 64;
inline constexpr std::size_t container_block = std::size_t{1} << 20;

/// Four printable characters that name a section's contents, such as SectionKind("RCPE").
struct SectionKind {
  std::array<char, 4> code = {};

  constexpr SectionKind() = default;
  constexpr explicit SectionKind(const char (&name)[5]) : code{name[0], name[1], name[2], name[3]} {}
  bool printable() const;
  /// Between quotes, with anything unprintable as '?'.
  std::string name() const;
  bool operator==(const SectionKind&) const = default;
  bool operator<(const SectionKind& other) const { return code < other.code; }
};

/// A kind of section that a reader understands and, where it has one, the range of its floating-point
/// numbers. Numbers outside of it, and NaN, are refused like a wrong checksum.
struct KnownSection {
  SectionKind kind;
  bool has_range = false;
  double least = 0;
  double most = 0;

  constexpr KnownSection(SectionKind code) : kind(code) {}
  constexpr KnownSection(SectionKind code, double low, double high)
      : kind(code), has_range(true), least(low), most(high) {}
};

/// What a section is a sequence of. The numbers are part of the format.
enum class ElementType : std::uint32_t {
  bytes = 0,
  text = 1,
  int8 = 2,
  uint8 = 3,
  int16 = 4,
  uint16 = 5,
  int32 = 6,
  uint32 = 7,
  int64 = 8,
  uint64 = 9,
  float32 = 10,
  float64 = 11,
};

/// Bytes of one element; 0 if this version does not know the type.
std::size_t element_size(ElementType type);
std::string element_name(ElementType type);

/// The element type of a C++ type, checked at compile time.
template <typename T>
consteval ElementType element_type_of() {
  if constexpr (std::is_same_v<T, std::byte>) return ElementType::bytes;
  if constexpr (std::is_same_v<T, char>) return ElementType::text;
  if constexpr (std::is_same_v<T, float>) return ElementType::float32;
  if constexpr (std::is_same_v<T, double>) return ElementType::float64;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, bool>) {
    constexpr std::uint32_t power = std::countr_zero(sizeof(T));
    return static_cast<ElementType>(2 + 2 * power + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

inline constexpr std::array<char, 8> container_magic = {'\x89', 'g', 'e', 'o', 'd', 'o', 'm', 'e'};

struct ContainerHeader {
  std::array<char, 8> magic = container_magic;
  std::uint16_t major = container_major;
  std::uint16_t minor = container_minor;
  std::array<std::uint16_t, 3> needs = {0, 1, 0};  ///< the first geodome that reads this major version
  std::array<char, 42> reserved = {};
  std::uint32_t checksum = 0;  ///< of the bytes before it
};

struct SectionEntry {
  static constexpr std::uint32_t mandatory = 1;

  SectionKind kind;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;  ///< from the start of the file
  std::uint64_t length = 0;  ///< in bytes
  ElementType element = ElementType::bytes;
  std::uint32_t reserved = 0;
};

struct ContainerFooter {
  std::uint64_t table_offset = 0;
  std::uint64_t file_length = 0;
  std::uint32_t section_count = 0;
  std::uint32_t table_checksum = 0;  ///< of everything from table_offset to the footer
  std::array<char, 36> reserved = {};
  std::uint32_t checksum = 0;  ///< of the bytes before it
};

static_assert(sizeof(ContainerHeader) == 64 && std::has_unique_object_representations_v<ContainerHeader>);
static_assert(sizeof(SectionEntry) == 32 && std::has_unique_object_representations_v<SectionEntry>);
static_assert(sizeof(ContainerFooter) == 64 && std::has_unique_object_representations_v<ContainerFooter>);

/// The checksum that belongs into a header or footer.
std::uint32_t checksum_of(const ContainerHeader& header);
std::uint32_t checksum_of(const ContainerFooter& footer);

/// The smallest multiple of 64 that is not below `offset`.
constexpr std::uint64_t align_section(std::uint64_t offset) {
  return (offset + container_alignment - 1) / container_alignment * container_alignment;
}

/// How many blocks, the last one perhaps shorter, hold `length` bytes.
constexpr std::uint64_t block_count(std::uint64_t length) {
  return length / container_block + (length % container_block != 0 ? 1 : 0);
}

}  // namespace geodome::internal
