/// Masks in every format: the first byte is the number of vertices.

#include "geodome/shape/mask.h"

#include "geodome/shape/builtin/builtin.h"
#include "support/byte_source.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  static fuzz::MemoryFile file;
  fuzz::ByteSource bytes(data, size);
  const Index vertices = bytes.between(1, 100);
  file.store(bytes.rest());
  fuzz::allow_refusal([&] {
    const std::vector<char> keep = read_mask(file.path(), vertices);
    fuzz::expect(keep.size() == static_cast<std::size_t>(vertices), keep.size(), " values for ", vertices,
                 " vertices");
    const Shape masked = apply_mask(make_path_graph(vertices), keep);
    fuzz::check_indices(masked);
    for (const Edge& edge : std::get<Graph>(masked).edges)
      fuzz::expect(keep[static_cast<std::size_t>(edge.a)] != 0 && keep[static_cast<std::size_t>(edge.b)] != 0,
                   "an edge of a vertex that is left out");
  });
  return 0;
}
