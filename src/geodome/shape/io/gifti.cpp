#include "geodome/shape/io/gifti.h"

#include <charconv>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/read_number.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/xml.h"

namespace geodome::internal {
namespace {

[[noreturn]] void fail(const InputFile& file, const std::string& cause) {
  throw FileError(text("'", file.path, "': GIFTI: ", cause));
}

template <typename Value>
struct Name {
  std::string_view name;
  Value value;
};

// The value that goes with a name, among those a reader knows.
template <typename Value, std::size_t count>
Value look_up(const Name<Value> (&names)[count], std::string_view name, const char* what,
              const InputFile& file) {
  for (const Name<Value>& known : names) {
    if (known.name == name) return known.value;
  }
  fail(file, text(what, " '", name, "' is not known"));
}

constexpr Name<NumberType> gifti_types[] = {
    {"NIFTI_TYPE_FLOAT32", NumberType::float32}, {"NIFTI_TYPE_FLOAT64", NumberType::float64},
    {"NIFTI_TYPE_INT32", NumberType::int32},     {"NIFTI_TYPE_UINT32", NumberType::uint32},
    {"NIFTI_TYPE_UINT8", NumberType::uint8},     {"NIFTI_TYPE_INT8", NumberType::int8},
    {"NIFTI_TYPE_INT16", NumberType::int16},     {"NIFTI_TYPE_UINT16", NumberType::uint16},
    {"NIFTI_TYPE_INT64", NumberType::int64},     {"NIFTI_TYPE_UINT64", NumberType::uint64}};

constexpr Name<ByteOrder> orders[] = {{"LittleEndian", ByteOrder::little},
                                      {"BigEndian", ByteOrder::big},
                                      {"GIFTI_ENDIAN_LITTLE", ByteOrder::little},
                                      {"GIFTI_ENDIAN_BIG", ByteOrder::big}};

constexpr Name<GiftiArray::Encoding> encodings[] = {
    {"ASCII", GiftiArray::Encoding::ascii},
    {"Base64Binary", GiftiArray::Encoding::base64},
    {"GZipBase64Binary", GiftiArray::Encoding::gzip_base64},
    {"GIFTI_ENCODING_ASCII", GiftiArray::Encoding::ascii},
    {"GIFTI_ENCODING_B64BIN", GiftiArray::Encoding::base64},
    {"GIFTI_ENCODING_B64GZ", GiftiArray::Encoding::gzip_base64}};

constexpr Name<bool> index_orders[] = {{"RowMajorOrder", false}, {"ColumnMajorOrder", true}};

// Some writers give the number of the intent instead of its name.
constexpr Name<std::string_view> intent_codes[] = {{"1008", "NIFTI_INTENT_POINTSET"},
                                                   {"1009", "NIFTI_INTENT_TRIANGLE"}};

std::string_view required(const XmlToken& tag, const char* name, const InputFile& file) {
  const std::string* value = tag.attribute(name);
  if (value == nullptr) fail(file, text("a DataArray has no attribute ", name));
  return *value;
}

std::int64_t parse_size(std::string_view digits, const std::string& name, const InputFile& file) {
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc{} || end != digits.data() + digits.size() || size < 0) {
    fail(file, text(name, "=\"", digits, "\" is not a size"));
  }
  return size;
}

GiftiArray parse_array_tag(const XmlToken& tag, const InputFile& file) {
  GiftiArray array;
  array.intent = required(tag, "Intent", file);
  for (const auto& [code, name] : intent_codes) {
    if (array.intent == code) array.intent = name;
  }
  const std::string_view encoding = required(tag, "Encoding", file);
  if (encoding == "ExternalFileBinary" || encoding == "GIFTI_ENCODING_EXTBIN") {
    fail(file, text("the ", array.intent, " array is stored in another file, which is not supported; ",
                    "store it as GZipBase64Binary"));
  }
  array.encoding = look_up(encodings, encoding, "Encoding", file);
  array.type = look_up(gifti_types, required(tag, "DataType", file), "DataType", file);
  if (array.encoding != GiftiArray::Encoding::ascii) {
    array.order = look_up(orders, required(tag, "Endian", file), "Endian", file);
  }
  if (const std::string* order = tag.attribute("ArrayIndexingOrder")) {
    array.column_major = look_up(index_orders, *order, "ArrayIndexingOrder", file);
  }
  const std::int64_t dimensions = parse_size(required(tag, "Dimensionality", file), "Dimensionality", file);
  if (dimensions < 1 || dimensions > 6) fail(file, text("Dimensionality ", dimensions, " is not in [1, 6]"));
  for (std::int64_t d = 0; d < dimensions; ++d) {
    const std::string name = text("Dim", d);
    const std::int64_t size = parse_size(required(tag, name.c_str(), file), name, file);
    // No array in memory comes near; below it the product of two sizes cannot overflow.
    constexpr std::int64_t largest = std::int64_t{1} << 31;
    std::int64_t& side = d == 0 ? array.rows : array.columns;
    if (size >= largest || (d > 0 && (side *= size) >= largest))
      fail(file, text(name, "=", size, " is too large"));
    if (d == 0) side = size;
  }
  return array;
}

std::vector<double> parse_numbers(const std::string& numbers, std::size_t count, const std::string& context) {
  // A number and the space after it take two bytes at least.
  if (count > numbers.size() / 2 + 1) {
    throw FileError(
        text(context, count, " numbers are declared, more than ", numbers.size(), " bytes can hold"));
  }
  std::vector<double> values;
  values.reserve(count);
  const char* place = numbers.data();
  const char* const end = place + numbers.size();
  const auto skip_spaces = [&] {
    while (place != end && (*place == ' ' || *place == '\n' || *place == '\t' || *place == '\r')) ++place;
  };
  for (skip_spaces(); place != end; skip_spaces()) {
    if (values.size() == count) throw FileError(text(context, "more than the ", count, " numbers declared"));
    if (*place == '+') ++place;
    double value = 0;
    const auto [after, error] = read_number(place, end, value);
    if (error != std::errc{}) throw FileError(text(context, "number ", values.size(), " cannot be read"));
    values.push_back(value);
    place = after;
  }
  if (values.size() != count) {
    throw FileError(text(context, values.size(), " numbers where ", count, " are declared"));
  }
  return values;
}

std::vector<double> decode_flat(const GiftiArray& array, std::size_t count, const std::string& context) {
  if (array.encoding == GiftiArray::Encoding::ascii) return parse_numbers(array.data, count, context);
  // Deflate grows nothing more than 1032 times: a first bound, below which no product overflows.
  if (count / 1032 > array.data.size()) {
    throw FileError(
        text(context, count, " numbers are declared, more than ", array.data.size(), " bytes can hold"));
  }
  std::vector<char> bytes = decode_base64(array.data, context);
  const std::size_t size = count * number_size(array.type);
  if (array.encoding == GiftiArray::Encoding::gzip_base64) bytes = inflate_exactly(bytes, size, context);
  if (bytes.size() != size) {
    throw FileError(text(context, bytes.size(), " bytes of data where ", size, " are declared"));
  }
  std::vector<double> values(count);
  decode_numbers(bytes.data(), count, array.type, array.order, values.data());
  return values;
}

const GiftiArray& only_array(const std::vector<GiftiArray>& arrays, const char* intent,
                             const InputFile& file) {
  const GiftiArray* found = nullptr;
  for (const GiftiArray& array : arrays) {
    if (array.intent != intent) continue;
    if (found != nullptr) fail(file, text("more than one array of intent ", intent));
    found = &array;
  }
  if (found == nullptr) fail(file, text("no array of intent ", intent, ", so this is not a surface"));
  if (found->columns != 3) fail(file, text("the ", intent, " array has ", found->columns, " columns, not 3"));
  return *found;
}

}  // namespace

Match recognise_gifti(const InputFile& file) {
  const std::string_view start = std::string_view(file.content).substr(0, 4096);
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool gifti = first != std::string_view::npos && start[first] == '<' &&
                     start.find("<GIFTI", first) != std::string_view::npos;
  return gifti ? Match::certain : Match::no;
}

std::vector<GiftiArray> parse_gifti(const InputFile& file) {
  XmlReader reader(file.content, file.path);
  std::vector<GiftiArray> arrays;
  bool in_array = false;
  bool in_data = false;
  while (true) {
    const XmlToken& token = reader.next();
    if (token.kind == XmlToken::Kind::end) break;
    if (token.kind == XmlToken::Kind::open) {
      if (in_data) fail(file, text("<", token.name, "> inside <Data>"));
      if (token.name == "DataArray") {
        if (in_array) fail(file, "a DataArray inside a DataArray");
        arrays.push_back(parse_array_tag(token, file));
        in_array = true;
      } else if (token.name == "Data" && in_array) {
        in_data = true;
      }
    } else if (token.kind == XmlToken::Kind::close) {
      if (token.name == "DataArray") in_array = false;
      if (token.name == "Data") in_data = false;
    } else if (in_data) {
      arrays.back().data += token.text;
    }
  }
  return arrays;
}

RowMatrix<double> decode_gifti(const GiftiArray& array, const InputFile& file) {
  const std::string context = text("'", file.path, "': GIFTI: ", array.intent, " array: ");
  const std::size_t count = static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.columns);
  const std::vector<double> values = decode_flat(array, count, context);
  if (count == 0) return RowMatrix<double>(0, array.columns);
  if (!array.column_major) {
    return Eigen::Map<const RowMatrix<double>>(values.data(), array.rows, array.columns);
  }
  return Eigen::Map<const Eigen::MatrixXd>(values.data(), array.rows, array.columns);
}

Shape read_gifti(const InputFile& file) {
  const std::vector<GiftiArray> arrays = parse_gifti(file);
  TriangleMesh mesh;
  mesh.points = decode_gifti(only_array(arrays, "NIFTI_INTENT_POINTSET", file), file);
  if (mesh.points.rows() == 0) fail(file, "the surface has no vertices");
  const RowMatrix<double> corners = decode_gifti(only_array(arrays, "NIFTI_INTENT_TRIANGLE", file), file);
  mesh.triangles.resize(corners.rows(), 3);
  for (Eigen::Index f = 0; f < corners.rows(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const double corner = corners(f, c);
      if (!(corner >= 0 && corner < static_cast<double>(mesh.points.rows())) ||
          corner != std::floor(corner)) {
        fail(file, text("triangle ", f, " refers to vertex ", corner, ", out of range [0, ",
                        mesh.points.rows(), ")"));
      }
      mesh.triangles(f, c) = static_cast<Index>(corner);
    }
  }
  return mesh;
}

}  // namespace geodome::internal
