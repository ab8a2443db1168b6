/// Point clouds: cleaning, Laplacian, exact distances over the local triangulation, and along edges.

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
    const Shape shape = clean_shape(fuzz::decode_cloud(bytes)).shape;
    const RowMatrix<double> chords = fuzz::chords_of(shape);
    const fuzz::Tolerance tolerance{.size = chords.maxCoeff()};
    if (fuzz::has_areas(tolerance.size)) fuzz::check_laplacian(laplacian(shape, {}, {1, {}}));
    for (const auto method : {GeodesicMethod::graph, GeodesicMethod::exact}) {
      GeodesicOptions options;
      options.method = method;
      const char* const name = method == GeodesicMethod::graph ? "edges" : "exact";
      const RowMatrix<double> distances = fuzz::all_distances(*make_solver(shape, options, {1, {}}));
      fuzz::check_rows(distances, name);
      fuzz::check_chords(distances, chords, tolerance, name);
      fuzz::check_symmetric(distances, tolerance, name);
      fuzz::check_triangle_inequality(distances, tolerance, name);
    }
  });
  return 0;
}
