#include "geodome/shape/io/parse/npy_header.h"

#include <charconv>
#include <cstdint>
#include <limits>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// A cursor over the Python dictionary that is the header: strings, True, False, tuples of integers.
class HeaderText {
 public:
  HeaderText(std::string_view header, const std::string& file) : rest_(header), file_(file) {}

  [[noreturn]] void fail(const std::string& cause) const {
    throw FileError(text("'", file_, "': NPY header: ", cause));
  }

  bool accept(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail(text("expected '", token, "' before '", rest_.substr(0, 20), "'"));
  }

  std::string_view quoted() {
    const char quote = accept("'") ? '\'' : '"';
    if (quote == '"') expect("\"");
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view inside = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  bool truth() {
    if (accept("True")) return true;
    expect("False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect("(");
    while (!accept(")")) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc{} || value < 0) fail("the shape is not a tuple of sizes");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept("L");  // Python 2 wrote long integers with this suffix
      values.push_back(value);
      if (values.size() > 32) fail("more than 32 dimensions");
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    return values;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  std::string_view rest_;
  const std::string& file_;
};

void parse_descr(HeaderText& cursor, NpyHeader& header) {
  if (cursor.accept("[")) cursor.fail("records (structured types) are not supported; save one plain array");
  const std::string_view descr = cursor.quoted();
  static constexpr std::pair<std::string_view, NumberType> types[] = {
      {"b1", NumberType::uint8},   {"i1", NumberType::int8},    {"u1", NumberType::uint8},
      {"i2", NumberType::int16},   {"u2", NumberType::uint16},  {"i4", NumberType::int32},
      {"u4", NumberType::uint32},  {"i8", NumberType::int64},   {"u8", NumberType::uint64},
      {"f2", NumberType::float16}, {"f4", NumberType::float32}, {"f8", NumberType::float64}};
  if (descr.size() == 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
    for (const auto& [name, type] : types) {
      if (descr.substr(1) != name) continue;
      header.type = type;
      header.order = descr[0] == '>' ? ByteOrder::big : ByteOrder::little;
      return;
    }
  }
  cursor.fail(
      text("numbers of type '", descr, "' are not supported; save as float64, float32 or an integer type"));
}

void parse_dictionary(std::string_view dictionary, const std::string& file, NpyHeader& header) {
  HeaderText cursor(dictionary, file);
  bool has_descr = false;
  bool has_order = false;
  bool has_shape = false;
  cursor.expect("{");
  while (!cursor.accept("}")) {
    const std::string_view key = cursor.quoted();
    cursor.expect(":");
    if (key == "descr") {
      parse_descr(cursor, header);
      has_descr = true;
    } else if (key == "fortran_order") {
      header.fortran_order = cursor.truth();
      has_order = true;
    } else if (key == "shape") {
      header.shape = cursor.tuple();
      has_shape = true;
    } else {
      cursor.fail(text("unknown key '", key, "'"));
    }
    if (!cursor.accept(",")) {
      cursor.expect("}");
      break;
    }
  }
  if (!has_descr || !has_order || !has_shape) cursor.fail("descr, fortran_order or shape is missing");
}

void check_length(const NpyHeader& header, std::size_t file_size, const std::string& file) {
  // Sizes are multiplied only while the product fits the file, so it cannot overflow; a zero size makes it
  // empty.
  const std::uint64_t held = file_size - header.data_offset;
  std::uint64_t bytes = number_size(header.type);
  bool empty = false;
  for (std::int64_t size : header.shape) empty = empty || size == 0;
  if (empty) bytes = 0;
  for (std::int64_t size : header.shape) {
    if (empty) break;
    if (static_cast<std::uint64_t>(size) > held / bytes) {
      throw FileError(text("'", file, "': NPY header declares more numbers than the ", held,
                           " bytes after it can hold; the file is cut short or damaged"));
    }
    bytes *= static_cast<std::uint64_t>(size);
  }
  if (bytes != held) {
    throw FileError(
        text("'", file, "': NPY header declares ", bytes, " bytes of numbers, the file holds ", held));
  }
}

}  // namespace

bool is_npy(std::string_view bytes) {
  return bytes.starts_with(magic);
}

NpyHeader parse_npy_header(std::string_view bytes, std::size_t file_size, const std::string& file) {
  if (!is_npy(bytes))
    throw FileError(text("'", file, "': not an NPY file: it does not start with \\x93NUMPY"));
  if (bytes.size() < 10) throw FileError(text("'", file, "': the NPY header is cut short"));
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    throw FileError(text("'", file, "': NPY version ", version, " is not 1, 2 or 3"));
  const std::size_t prefix = version == 1 ? 10 : 12;
  if (bytes.size() < prefix) throw FileError(text("'", file, "': the NPY header is cut short"));
  const std::size_t length = version == 1 ? load_value<std::uint16_t>(bytes.data() + 8, ByteOrder::little)
                                          : load_value<std::uint32_t>(bytes.data() + 8, ByteOrder::little);
  if (length > bytes.size() - prefix) {
    throw FileError(
        text("'", file, "': the NPY header is ", length, " bytes long, more than the file holds"));
  }
  NpyHeader header;
  header.data_offset = prefix + length;
  parse_dictionary(bytes.substr(prefix, length), file, header);
  check_length(header, file_size, file);
  return header;
}

std::string make_npy_header(std::string_view descr, std::int64_t rows, std::int64_t columns) {
  std::string dictionary =
      text("{'descr': '", descr, "', 'fortran_order': False, 'shape': (", rows, ", ", columns, "), }");
  constexpr std::size_t prefix = 10;
  dictionary.append(63 - (prefix + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace geodome::internal
