/// The choice of a format by content and extension, and gzip: the first byte chooses the extension.

#include "geodome/shape/io/formats.h"
#include "support/byte_source.h"
#include "support/checks.h"
#include "support/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  static constexpr const char* names[] = {
      "fuzz",        "fuzz.txt",        "fuzz.csv", "fuzz.xyz", "fuzz.edges", "fuzz.obj",    "fuzz.stl",
      "fuzz.idx.gz", "fuzz.idx3-ubyte", "lh.pial",  "fuzz.ply", "fuzz.gii",   "N01E001.hgt", "fuzz.mtx"};
  fuzz::ByteSource bytes(data, size);
  const char* const name = names[bytes.below(std::size(names))];
  fuzz::allow_refusal([&] {
    const InputFile file = load_bytes(bytes.rest(), name);
    if (file.content.size() > 100 * size + 10000) return;  // a bomb below the limit: nothing but time
    fuzz::check_indices(find_format(file).read(file));
  });
  return 0;
}
