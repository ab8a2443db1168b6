/// One reader on any bytes: compiled once for each format, which the build names as FUZZ_FORMAT.

#include "geodome/shape/check.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/formats.h"
#include "support/checks.h"
#include "support/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace geodome;
  using namespace geodome::internal;
  static const Format& format = format_by_name(FUZZ_FORMAT);
  static const std::string name = text("fuzz.", format.extensions.front());
  fuzz::allow_refusal([&] {
    const InputFile file{name, std::string(format.extensions.front()),
                         std::string(reinterpret_cast<const char*>(data), size)};
    format.recognise(file);
    Shape shape = format.read(file);
    fuzz::check_indices(shape);
    if (vertex_count(shape) > 5000) return;  // isolated vertices of a graph: describing them takes the time
    const ShapeReport report = check_shape(shape);
    fuzz::expect(report.vertices == vertex_count(shape), "the report has another number of vertices");
    fuzz::check_indices(clean_shape(std::move(shape)).shape);
  });
  return 0;
}
