/// A `.geodome` file of any bytes, with its checksums made right again: header, table and footer.

#include "geodome/file/container.h"

#include "geodome/file/matrix_file.h"
#include "geodome/geodome.h"
#include "support/expect.h"
#include "support/memory_file.h"
#include "support/sections.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  static fuzz::MemoryFile file;
  file.store(fuzz::repair_checksums(std::string(reinterpret_cast<const char*>(data), size)));
  fuzz::allow_refusal([&] {
    const Distances distances = open(file.path());
    const MatrixFile& opened = *distances.file();
    fuzz::expect(opened.file_bytes() == size, "a file of another length was opened");
    opened.verify({1, {}});
    opened.shape();
  });
  return 0;
}
