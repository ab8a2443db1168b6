#include <zlib.h>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/report/picture.h"

namespace geodome::internal {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift & 255));
}

/// Length, type, data and the checksum of the last two.
void append_chunk(std::string& file, std::string type_and_data) {
  append_big_endian(file, static_cast<std::uint32_t>(type_and_data.size() - 4));
  const uLong sum =
      crc32(0, reinterpret_cast<const Bytef*>(type_and_data.data()), static_cast<uInt>(type_and_data.size()));
  file += type_and_data;
  append_big_endian(file, static_cast<std::uint32_t>(sum));
}

}  // namespace

void write_png(const Image& image, const std::string& path) {
  const std::size_t line = 3 * static_cast<std::size_t>(image.width);
  if (image.width < 1 || image.height < 1 || image.rgb.size() != line * image.height) {
    throw InputError(text("a picture of ", image.width, " by ", image.height, " pixels with ",
                          image.rgb.size(), " bytes: expected 3 bytes per pixel"));
  }
  // Each line is preceded by its filter: 2, the difference to the line above, suits smooth shading.
  std::string lines;
  lines.reserve((line + 1) * image.height);
  for (int y = 0; y < image.height; ++y) {
    lines.push_back(2);
    for (std::size_t k = 0; k < line; ++k) {
      const std::size_t at = y * line + k;
      const int above = y > 0 ? image.rgb[at - line] : 0;
      lines.push_back(static_cast<char>(image.rgb[at] - above));
    }
  }
  uLongf packed = compressBound(static_cast<uLong>(lines.size()));
  std::string data(4 + packed, '\0');
  data.replace(0, 4, "IDAT");
  if (compress2(reinterpret_cast<Bytef*>(data.data() + 4), &packed,
                reinterpret_cast<const Bytef*>(lines.data()), static_cast<uLong>(lines.size()), 9) != Z_OK) {
    throw NumericalError(text("cannot compress the picture for ", path));
  }
  data.resize(4 + packed);
  std::string header = "IHDR";
  append_big_endian(header, static_cast<std::uint32_t>(image.width));
  append_big_endian(header, static_cast<std::uint32_t>(image.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, no interlacing
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, header);
  append_chunk(file, data);
  append_chunk(file, "IEND");
  AtomicFile out(path);
  out.write(file);
  out.commit();
}

}  // namespace geodome::internal
