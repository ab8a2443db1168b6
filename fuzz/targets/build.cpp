/// The whole way from a hostile shape of any kind to a queried matrix.

#include "geodome/pipeline/build.h"

#include "geodome/matrix/query.h"
#include "geodome/shape/clean.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/shapes.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

BuildOptions decode_options(fuzz::ByteSource& bytes) {
  BuildOptions options;
  options.method = bytes.below(3) == 0 ? Method::bha : Method::sbha;
  options.landmarks.count = bytes.below(24);
  options.interpolation.nonzeros = bytes.between(1, 20);
  options.interpolation.sparsity = static_cast<Sparsity>(bytes.below(4));
  options.precision = static_cast<Precision>(bytes.below(3));
  options.seed = bytes.byte();
  return options;
}

/// Not an error bound: beyond ten diameters the interpolation has exploded.
void check_magnitude(const RowMatrix<double>& distances, const RowMatrix<double>& exact) {
  for (Eigen::Index i = 0; i < exact.rows(); ++i) {
    double farthest = 0;
    for (Eigen::Index j = 0; j < exact.cols(); ++j)
      if (exact(i, j) < infinity) farthest = std::max(farthest, exact(i, j));
    for (Eigen::Index j = 0; j < exact.cols(); ++j)
      fuzz::expect(exact(i, j) == infinity || distances(i, j) <= 10 * farthest, "d(", i, ", ", j,
                   ") = ", distances(i, j), ", but the farthest vertex is ", farthest, " away");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::ByteSource bytes(data, size);
  fuzz::allow_refusal([&] {
    const BuildOptions options = decode_options(bytes);
    const Shape shape = clean_shape(fuzz::decode_any_shape(bytes)).shape;
    const Build built = build_matrix(shape, options, {1, {}});
    const RowMatrix<double> exact = fuzz::all_distances(*make_solver(shape, {}, {1, {}}));

    const RowMatrix<double> raw = fuzz::check_consistent(*built.matrix, "raw");
    fuzz::check_same_components(raw, exact, "raw");
    fuzz::check_product(*built.matrix, raw, "raw");

    const RowMatrix<double> chords = fuzz::chords_of(shape);
    const fuzz::Tolerance tolerance{.size = chords.size() > 0 ? chords.maxCoeff() : 0};
    const RowMatrix<double> distances =
        fuzz::check_consistent(*query_matrix(built.matrix, lower_bound(shape)), "near field");
    fuzz::check_rows(distances, "near field");
    fuzz::check_same_components(distances, exact, "near field");
    fuzz::check_symmetric(distances, tolerance, "near field");
    fuzz::check_chords(distances, chords, tolerance, "near field");
    check_magnitude(distances, exact);
  });
  return 0;
}
