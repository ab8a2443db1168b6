/// The reader of elevation tiles. The first twelve bytes are the name. A tile has a fixed length of
/// megabytes, and reading it takes half a second under sanitizers: one input in 16,384, by its checksum, is
/// repeated to that length.

#include <zlib.h>

#include "geodome/shape/io/formats.h"
#include "support/checks.h"
#include "support/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  constexpr std::size_t tile_bytes = 2 * 1201 * 1201;
  InputFile file{"", "hgt", std::string(reinterpret_cast<const char*>(data), size)};
  file.path = file.content.substr(0, 12);
  const bool whole = size > 12 && crc32(0, data, static_cast<uInt>(size)) % 16384 == 0;
  if (whole) {
    const std::string pattern = file.content.substr(12);
    while (file.content.size() < tile_bytes) file.content += pattern;
    file.content.resize(tile_bytes);
  }
  fuzz::allow_refusal([&] {
    recognise_hgt(file);
    fuzz::check_indices(read_hgt(file));
  });
  return 0;
}
