#include "geodome/shape/io/parse/ply_header.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

PlyType parse_type(TextScanner& scanner) {
  static constexpr std::pair<std::string_view, PlyType> names[] = {
      {"char", PlyType::int8},      {"int8", PlyType::int8},       {"uchar", PlyType::uint8},
      {"uint8", PlyType::uint8},    {"short", PlyType::int16},     {"int16", PlyType::int16},
      {"ushort", PlyType::uint16},  {"uint16", PlyType::uint16},   {"int", PlyType::int32},
      {"int32", PlyType::int32},    {"uint", PlyType::uint32},     {"uint32", PlyType::uint32},
      {"float", PlyType::float32},  {"float32", PlyType::float32}, {"double", PlyType::float64},
      {"float64", PlyType::float64}};
  const std::string_view word = scanner.word("a type");
  for (const auto& [name, type] : names)
    if (name == word) return type;
  scanner.fail(text("unknown type '", word.substr(0, 40),
                    "'; PLY has char, uchar, short, ushort, int, uint, float, double"));
}

PlyEncoding parse_encoding(TextScanner& scanner) {
  const std::string_view word = scanner.word("the encoding");
  if (word == "ascii") return PlyEncoding::ascii;
  if (word == "binary_little_endian") return PlyEncoding::little_endian;
  if (word == "binary_big_endian") return PlyEncoding::big_endian;
  scanner.fail(text("unknown encoding '", word.substr(0, 40),
                    "'; expected ascii, binary_little_endian or binary_big_endian"));
}

PlyElement parse_element(TextScanner& scanner) {
  PlyElement element;
  element.name = scanner.word("an element's name");
  element.rows = scanner.count(text("the number of rows of element ", element.name.substr(0, 40)));
  return element;
}

PlyProperty parse_property(TextScanner& scanner) {
  PlyProperty property;
  TextScanner behind_list = scanner;
  if (behind_list.word("a type") == "list") {
    scanner = behind_list;
    property.is_list = true;
    property.count_type = parse_type(scanner);
    if (property.count_type == PlyType::float32 || property.count_type == PlyType::float64)
      scanner.fail("the length of a list cannot be a floating point number");
  }
  property.type = parse_type(scanner);
  property.name = scanner.word("a property's name");
  return property;
}

/// Each row takes at least one byte, so that no count in the header can keep a reader busy for long.
void check_rows(const PlyHeader& header, const TextScanner& scanner) {
  for (const PlyElement& element : header.elements) {
    if (element.properties.empty()) continue;
    const std::size_t row_bytes =
        header.encoding == PlyEncoding::ascii ? 2 * element.properties.size() : element.least_row_bytes();
    if (static_cast<std::uint64_t>(element.rows) > (scanner.remaining() + 1) / row_bytes)
      scanner.fail(text("declares ", element.rows, " rows of element ", element.name, ", but only ",
                        scanner.remaining(), " bytes follow the header"));
  }
}

}  // namespace

std::size_t size_of(PlyType type) {
  static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

double load_ply_value(PlyType type, const char* bytes, ByteOrder order) {
  switch (type) {
    case PlyType::int8:
      return load_value<std::int8_t>(bytes, order);
    case PlyType::uint8:
      return load_value<std::uint8_t>(bytes, order);
    case PlyType::int16:
      return load_value<std::int16_t>(bytes, order);
    case PlyType::uint16:
      return load_value<std::uint16_t>(bytes, order);
    case PlyType::int32:
      return load_value<std::int32_t>(bytes, order);
    case PlyType::uint32:
      return load_value<std::uint32_t>(bytes, order);
    case PlyType::float32:
      return static_cast<double>(load_value<float>(bytes, order));
    case PlyType::float64:
      break;
  }
  return load_value<double>(bytes, order);
}

int PlyElement::find(std::initializer_list<std::string_view> names) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (std::find(names.begin(), names.end(), properties[i].name) != names.end()) return static_cast<int>(i);
  return -1;
}

bool PlyElement::has_lists() const {
  return std::any_of(properties.begin(), properties.end(), [](const PlyProperty& p) { return p.is_list; });
}

std::size_t PlyElement::least_row_bytes() const {
  std::size_t bytes = 0;
  for (const PlyProperty& property : properties)
    bytes += size_of(property.is_list ? property.count_type : property.type);
  return bytes;
}

PlyHeader read_ply_header(const InputFile& file) {
  TextScanner scanner(file, {.comment = '\0'});
  if (scanner.word("the keyword ply") != "ply") scanner.fail("a PLY file begins with the line 'ply'");
  PlyHeader header;
  bool has_format = false;
  while (true) {
    scanner.next_line();
    const std::string_view keyword = scanner.word("the line end_header");
    if (keyword == "format") {
      header.encoding = parse_encoding(scanner);
      has_format = true;
    } else if (keyword == "element") {
      header.elements.push_back(parse_element(scanner));
    } else if (keyword == "property") {
      if (header.elements.empty()) scanner.fail("a property comes before the first element");
      header.elements.back().properties.push_back(parse_property(scanner));
    } else if (keyword == "end_header") {
      break;
    } else if (keyword != "comment" && keyword != "obj_info") {
      scanner.fail(text("unknown word '", keyword.substr(0, 40), "' in the header"));
    }
  }
  if (!has_format) scanner.fail("the header has no format line");
  scanner.next_line();
  header.body = scanner.position();
  check_rows(header, scanner);
  return header;
}

}  // namespace geodome::internal
