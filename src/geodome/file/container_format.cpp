#include "geodome/file/container_format.h"

#include <algorithm>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {

namespace {

bool is_printable(char c) {
  return c > ' ' && c <= '~';
}

}  // namespace

bool SectionKind::printable() const {
  return std::all_of(code.begin(), code.end(), is_printable);
}

std::string SectionKind::name() const {
  std::string name = "'";
  for (const char c : code) name += is_printable(c) ? c : '?';
  return name + "'";
}

std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::bytes:
    case ElementType::text:
    case ElementType::int8:
    case ElementType::uint8:
      return 1;
    case ElementType::int16:
    case ElementType::uint16:
      return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
      return 8;
  }
  return 0;
}

std::string element_name(ElementType type) {
  constexpr std::array names = {"bytes", "text",   "int8",  "uint8",  "int16",   "uint16",
                                "int32", "uint32", "int64", "uint64", "float32", "float64"};
  const auto number = static_cast<std::uint32_t>(type);
  return number < names.size() ? names[number] : text("numbers of the unknown type ", number);
}

std::uint32_t checksum_of(const ContainerHeader& header) {
  return crc32c(std::as_bytes(std::span(&header, 1)).first(offsetof(ContainerHeader, checksum)));
}

std::uint32_t checksum_of(const ContainerFooter& footer) {
  return crc32c(std::as_bytes(std::span(&footer, 1)).first(offsetof(ContainerFooter, checksum)));
}

}  // namespace geodome::internal
