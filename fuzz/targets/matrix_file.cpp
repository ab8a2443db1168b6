/// What a `.geodome` file holds, in every form of matrix: the input is a list of sections (sections.h), which
/// always become a file with right checksums.

#include "geodome/matrix/matrix_file.h"

#include "geodome/matrix/near_field.h"
#include "geodome/pipeline/build.h"
#include "geodome/rivals/matrix_forms.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/memory_file.h"
#include "support/sections.h"

namespace {

using namespace geodome;

void check_near_field(const SymmetricForm& form, RowMatrix<double> positions) {
  const RowMatrix<double> distances =
      fuzz::check_consistent(NearField(form, std::move(positions)), "near field");
  fuzz::check_rows(distances, "near field");
}

void check_matrix(const MatrixFile& file) {
  const DistanceMatrix& matrix = file.matrix();
  if (matrix.size() > 64) return;
  const RowMatrix<double> entries = fuzz::check_consistent(matrix, "matrix");
  if (!matrix.quadratic_product()) fuzz::check_product(matrix, entries, "matrix");
  matrix.component_labels({1, {}});
  if (const auto form = file.symmetric_form()) check_near_field(*form, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile memory;
  memory.store(fuzz::join_container(fuzz::decode_sections({data, size})));
  fuzz::allow_refusal([&] {
    const MatrixFile file = MatrixFile::open(memory.path(), matrix_forms());
    fuzz::allow_refusal([&] { check_matrix(file); });
    const std::optional<Shape> shape = file.shape();
    if (!shape) return;
    fuzz::check_indices(*shape);
    if (const auto form = file.symmetric_form(); form && form->size() <= 64)
      check_near_field(*form, positions_of(*shape));
  });
  return 0;
}
