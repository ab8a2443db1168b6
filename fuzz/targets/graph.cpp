/// Graphs and samples: cleaning, Laplacian, distances along edges.

#include "geodome/geodesic/factory.h"
#include "geodome/shape/clean.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  fuzz::ByteSource bytes(data, size);
  fuzz::allow_refusal([&] {
    const auto weights = static_cast<GraphWeights>(bytes.below(3));
    Shape given = bytes.flag() ? fuzz::decode_graph(bytes) : fuzz::decode_samples(bytes);
    const Shape shape = clean_shape(std::move(given)).shape;
    LaplacianOptions options;
    options.graph_weights = weights;
    fuzz::check_laplacian(laplacian(shape, options, {1, {}}));
    const RowMatrix<double> distances = fuzz::all_distances(*make_solver(shape, {}, {1, {}}));
    // Sums of lengths: nothing but rounding.
    const fuzz::Tolerance tolerance{1e-12, 0, 0};
    fuzz::check_rows(distances, "edges");
    fuzz::check_chords(distances, fuzz::chords_of(shape), tolerance, "edges");
    fuzz::check_symmetric(distances, tolerance, "edges");
    fuzz::check_triangle_inequality(distances, tolerance, "edges");
  });
  return 0;
}
