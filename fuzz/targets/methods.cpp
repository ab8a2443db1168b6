/// Every other method of building a matrix, on hostile shapes.

#include "geodome/pipeline/methods.h"

#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/clean.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  fuzz::ByteSource bytes(data, size);
  fuzz::allow_refusal([&] {
    const auto all = methods();
    BuildOptions options;
    const auto& method = all[static_cast<std::size_t>(bytes.below(static_cast<int>(all.size())))];
    options.method = method.choice;
    options.baseline.eigenvectors = bytes.between(1, 20);
    options.baseline.square_root = bytes.flag();
    options.landmarks.count = bytes.below(24);
    options.seed = bytes.byte();
    const Shape shape = clean_shape(fuzz::decode_any_shape(bytes)).shape;
    const Build built = build_matrix(shape, options, {1, {}});
    const RowMatrix<double> distances = fuzz::check_consistent(*built.matrix, method.name);
    const RowMatrix<double> exact = fuzz::all_distances(*make_solver(shape, {}, {1, {}}));
    fuzz::check_same_components(distances, exact, method.name);
    fuzz::check_symmetric(distances, {.size = fuzz::largest_finite(distances)}, method.name);
  });
  return 0;
}
