/// What a `.geodome` file holds, in every form of matrix: the input is a list of sections (sections.h), which
/// always become a file with right checksums.

#include "geodome/file/matrix_file.h"

#include <algorithm>
#include <cmath>

#include "geodome/geodome.h"
#include "geodome/matrix/near_field.h"
#include "geodome/pipeline/build.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/memory_file.h"
#include "support/sections.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

constexpr Index most_vertices = 64;

/// A bound of the numbers that are added up to an entry: weights of a file may be large and cancel.
double magnitude_of(const LandmarkMatrix& form) {
  double largest = 0;
  for (Index v = 0; v < form.size(); ++v) {
    double weight = 0;
    for (const double value : form.weights(v).value) weight += std::abs(value);
    largest = std::max(largest, weight);
  }
  double distance = 0;
  for (Index c = 0; c < form.components(); ++c)
    for (Index row = 0; row < form.W(c).size(); ++row)
      for (Index column = 0; column <= row; ++column)
        distance = std::max(distance, std::abs(form.W(c)(row, column)));
  return largest * largest * (form.kind() == DistanceKind::squared ? distance * distance : distance);
}

void check_near_field(const LandmarkMatrix& form, LowerBound bound) {
  const NearField near_field(form, std::move(bound));
  fuzz::check_rows(fuzz::check_consistent(near_field, "near field", magnitude_of(form)), "near field");
}

/// What is read from the file in place, and from a copy of the shape.
void check_bound(const LowerBound& mapped, const LowerBound& copied, Index vertices) {
  for (Index i = 0; i < vertices; ++i)
    for (Index j = 0; j < vertices; ++j) {
      const double a = mapped(i, j), b = copied(i, j);
      fuzz::expect(a == b || (std::isnan(a) && std::isnan(b)), "a bound of ", a, ", and of a copy ", b);
    }
}

/// Whatever the file says about errors, an interval is one.
void check_intervals(const MatrixFile& file) {
  const Distances distances = distances_in(file);
  const Index last = distances.size() - 1;
  for (const auto& [i, j] : {std::pair(Index{0}, last), std::pair(last / 2, last), std::pair(last, last)}) {
    const Interval found = distances.bounds(i, j);
    fuzz::expect(found.low >= 0 && found.low <= found.high, "an interval from ", found.low, " to ",
                 found.high);
  }
}

void check_matrix(const MatrixFile& file) {
  const DistanceMatrix& matrix = file.matrix();
  if (matrix.size() > most_vertices) return;
  const LandmarkMatrix* form = file.matrix().landmark_matrix();
  const double magnitude = form ? magnitude_of(*form) : 0;
  const RowMatrix<double> entries = fuzz::check_consistent(matrix, "matrix", magnitude);
  if (!matrix.quadratic_product()) fuzz::check_product(matrix, entries, "matrix", magnitude);
  matrix.component_labels({1, {}});
  if (form) check_near_field(*form, LowerBound());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile memory;
  memory.store(fuzz::join_container(fuzz::decode_sections({data, size})));
  fuzz::allow_refusal([&] {
    const MatrixFile file = MatrixFile::open(memory.path());
    fuzz::allow_refusal([&] { check_matrix(file); });
    const std::optional<Shape> shape = file.shape();
    if (!shape) return;
    fuzz::check_indices(*shape);
    if (file.matrix().size() > most_vertices) return;
    const LowerBound bound = file.lower_bound();
    check_bound(bound, lower_bound(*shape), file.matrix().size());
    const LandmarkMatrix* form = file.matrix().landmark_matrix();
    if (form != nullptr && bound.has_positions()) check_near_field(*form, bound);
    if (form != nullptr && form->size() > 0) fuzz::allow_refusal([&] { check_intervals(file); });
  });
  return 0;
}
