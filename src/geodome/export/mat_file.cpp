#include "geodome/export/mat_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <type_traits>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

/// Kinds of data elements, and classes of arrays, as the format numbers them.
enum Element : std::uint32_t { int8 = 1, int32 = 5, uint32 = 6, single = 7, real = 9, matrix = 14 };
enum Class : std::uint32_t { real_class = 6, single_class = 7 };

constexpr std::int64_t tag_bytes = 8;

std::int64_t padded(std::int64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

template <typename Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_tag(std::string& out, Element kind, std::int64_t bytes) {
  put(out, static_cast<std::uint32_t>(kind));
  put(out, static_cast<std::uint32_t>(bytes));
}

void check_name(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto good = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > 63 || !letter(name.front()) ||
      !std::all_of(name.begin(), name.end(), good))
    throw InputError(text("'", name,
                          "' is not a valid MATLAB name: expected a letter, then letters, digits and "
                          "underscores, at most 63 characters"));
}

}  // namespace

MatFileWriter::MatFileWriter(const std::string& path) : file_(path) {
  std::string header = "MATLAB 5.0 MAT-file, written by geodome";
  header.resize(124, ' ');
  std::fill(header.begin() + 116, header.end(), '\0');  // no subsystem data
  put(header, std::uint16_t{0x0100});                   // version
  header += "IM";                                       // little endian
  file_.write(header);
}

template <typename Scalar>
void MatFileWriter::begin_matrix(std::string_view name, std::int64_t rows, std::int64_t columns) {
  static_assert(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double>);
  constexpr bool is_single = std::is_same_v<Scalar, float>;
  require_complete();
  check_name(name);
  constexpr std::int64_t scalar_bytes = sizeof(Scalar);
  if (rows < 0 || columns < 0 || (rows > 0 && columns > largest_matrix / scalar_bytes / rows))
    throw InputError(text("a matrix of ", rows, " by ", columns,
                          " exceeds the limit of a MAT file of level 5, "
                          "which is ",
                          largest_matrix, " bytes per matrix; write .npy instead"));
  missing_ = rows * columns * scalar_bytes;
  padding_ = padded(missing_) - missing_;
  number_bytes_ = scalar_bytes;
  const auto name_bytes = static_cast<std::int64_t>(name.size());

  std::string out;
  put_tag(out, matrix, 4 * tag_bytes + 8 + 8 + padded(name_bytes) + missing_ + padding_);
  put_tag(out, uint32, 8);
  put(out, static_cast<std::uint32_t>(is_single ? single_class : real_class));
  put(out, std::uint32_t{0});
  put_tag(out, int32, 8);
  put(out, static_cast<std::int32_t>(rows));
  put(out, static_cast<std::int32_t>(columns));
  put_tag(out, int8, name_bytes);
  out += name;
  out.resize(out.size() + static_cast<std::size_t>(padded(name_bytes) - name_bytes), '\0');
  put_tag(out, is_single ? single : real, missing_);
  file_.write(out);
}

template <typename Scalar>
void MatFileWriter::append(const Scalar* values, std::int64_t count) {
  const auto bytes = count * static_cast<std::int64_t>(sizeof(Scalar));
  if (sizeof(Scalar) != static_cast<std::size_t>(number_bytes_) || bytes > missing_)
    throw InputError(text(count, " numbers of ", sizeof(Scalar), " bytes do not fit a matrix that lacks ",
                          missing_, " bytes"));
  file_.write({reinterpret_cast<const char*>(values), static_cast<std::size_t>(bytes)});
  missing_ -= bytes;
  if (missing_ == 0) {
    file_.write(std::string(static_cast<std::size_t>(padding_), '\0'));
    padding_ = 0;
  }
}

void MatFileWriter::add_scalar(std::string_view name, double value) {
  begin_matrix<double>(name, 1, 1);
  append(&value, 1);
}

void MatFileWriter::require_complete() const {
  if (missing_ != 0) throw InputError(text("the matrix before still lacks ", missing_, " bytes"));
}

void MatFileWriter::commit() {
  require_complete();
  file_.commit();
}

template void MatFileWriter::begin_matrix<float>(std::string_view, std::int64_t, std::int64_t);
template void MatFileWriter::begin_matrix<double>(std::string_view, std::int64_t, std::int64_t);
template void MatFileWriter::append<float>(const float*, std::int64_t);
template void MatFileWriter::append<double>(const double*, std::int64_t);

}  // namespace geodome::internal
