/// A matrix of given distances in an NPY file: mapped, read row by row, and built upon.

#include "geodome/geodesic/precomputed.h"

#include "geodome/matrix/query.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  static fuzz::MemoryFile file;
  file.store({reinterpret_cast<const char*>(data), size});
  fuzz::allow_refusal([&] {
    const PrecomputedDistances given(file.path());
    if (given.size() == 0 || given.size() > 64) return;
    const RowMatrix<double> rows = fuzz::all_distances(given);
    for (const double distance : rows.reshaped())
      fuzz::expect(distance >= 0, "a given distance of ", distance);
    BuildOptions options;
    options.distances = file.path();
    options.landmarks.count = 1 + given.size() / 2;
    const Build built = build_matrix(make_path_graph(given.size()), options, {1, {}});
    fuzz::check_consistent(*query_matrix(built.matrix, LowerBound()), "given");
  });
  return 0;
}
