/// Values and lists of vertices, as commands read them, in every format: the first byte is the number of
/// vertices, the second says how they are numbered.

#include <cmath>

#include "geodome/base/format.h"
#include "support/byte_source.h"
#include "support/expect.h"
#include "support/memory_file.h"
#include "support/numbers.h"
#include "support/value_input.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

/// A table that names its vertices.
std::string table_of(const RowMatrix<double>& values, const cli::Numbering& numbering) {
  std::string table = "vertex";
  for (Eigen::Index c = 0; c < values.cols(); ++c) table += text(",column", c);
  for (Eigen::Index v = 0; v < values.rows(); ++v) {
    table += text('\n', numbering.number(static_cast<Index>(v)));
    for (const double value : values.row(v)) table += ',' + exact_digits(value);
  }
  return table;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  fuzz::ByteSource bytes(data, size);
  const Index vertices = bytes.between(1, 100);
  std::vector<std::int64_t> labels;
  if (bytes.flag())
    for (Index v = 0; v < vertices; ++v) labels.push_back(3 * v + 1);
  const cli::Numbering numbering(vertices, labels);
  const std::string content = bytes.rest();
  file.store(content);
  fuzz::allow_refusal([&] {
    for (const std::int64_t number : cli::read_numbers(file.path()))
      fuzz::expect(std::abs(static_cast<double>(number)) <= 9007199254740992, number, " is not exact");
  });
  fuzz::allow_refusal([&] {
    std::vector<std::string> names;
    const RowMatrix<double> values = cli::read_values(file.path(), numbering, vertices, names);
    fuzz::expect(values.rows() == vertices, values.rows(), " rows for ", vertices, " vertices");
    fuzz::expect(values.cols() > 0, "no columns");
    fuzz::expect(names.size() == static_cast<std::size_t>(values.cols()), names.size(), " names of ",
                 values.cols(), " columns");
    file.store(table_of(values, numbering));
    const RowMatrix<double> again = cli::read_values(file.path(), numbering, vertices, names);
    fuzz::expect(again.cols() == values.cols(), again.cols(), " columns instead of ", values.cols());
    for (Eigen::Index k = 0; k < values.size(); ++k)
      fuzz::expect(same(values.data()[k], again.data()[k]), again.data()[k], " read back instead of ",
                   values.data()[k]);
  });
  return 0;
}
