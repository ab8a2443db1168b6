#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/shape/check.h"
#include "geodome/shape/component.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/resample/decimate.h"
#include "geodome/shape/resample/subdivide.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/input.h"
#include "support/output_check.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr const char* resample_explanation =
    R"(Writes a finer or coarser version of a mesh, or its largest component.

--subdivide K splits every face into four, K times. With --smooth, new vertices
are placed by the rules of Loop (triangles) or Catmull-Clark (quads and
polygons), so that the surface becomes smooth. Vertices of the input keep
their numbers.

--decimate N collapses edges, smallest change first, until N vertices remain.
Connected components, boundary loops and genus are preserved. If that or a
non-manifold part prevents N, more vertices remain, and a note is printed.

--largest-component keeps only the largest component; its vertices are
renumbered in the same order. It is applied before --subdivide or --decimate,
and can be used alone.

Examples:
  geodome resample bunny.obj -o fine.ply --subdivide 2 --smooth
  geodome resample dragon.ply -o coarse.ply --decimate 20000)";

struct ResampleArguments : CommonOptions {
  InputOptions input;
  std::string output;
  int subdivide = -1;
  bool smooth = false;
  Index decimate = -1;
  bool largest_component = false;
};

struct Resampled {
  Shape shape;
  std::string note;
};

Resampled coarser(const Shape& shape, const ResampleArguments& options) {
  const auto* mesh = std::get_if<TriangleMesh>(&shape);
  if (mesh == nullptr) {
    throw InputError(
        text("'", options.input.path, "' is a ", kind_name(shape), "; --decimate requires a triangle mesh"));
  }
  Decimated result = decimate(*mesh, options.decimate, {}, make_execution(options));
  return {std::move(result.mesh), std::move(result.note)};
}

Resampled resample(const Shape& shape, const ResampleArguments& options) {
  if (options.subdivide >= 0) return {subdivide(shape, options.subdivide, options.smooth), ""};
  if (options.decimate >= 0) return coarser(shape, options);
  return {shape, ""};
}

void run(const ResampleArguments& options) {
  const bool finer = options.subdivide >= 0, fewer = options.decimate >= 0;
  if (finer == fewer && (finer || !options.largest_component))
    throw InputError("expected --subdivide K or --decimate N (not both), or --largest-component");
  if (options.smooth && options.subdivide < 0) throw InputError("--smooth requires --subdivide");
  require_output(options.output, {options.input.path});
  const Shape shape = load_shape(options.input).shape;
  require_shape_extension(shape, options.output);
  require_workable(options.input, check_shape(shape));
  const Resampled result =
      options.largest_component ? resample(largest_component(shape), options) : resample(shape, options);
  write_shape(result.shape, options.output);
  if (options.json) {
    nlohmann::ordered_json facts = {{"vertices", vertex_count(result.shape)},
                                    {"faces", face_count(result.shape)},
                                    {"file", options.output}};
    if (!result.note.empty()) facts["note"] = result.note;
    print_json(facts);
  } else if (!options.quiet) {
    std::cout << options.output << ": " << vertex_count(result.shape) << " vertices, "
              << face_count(result.shape) << " faces (before: " << vertex_count(shape) << ", "
              << face_count(shape) << ")\n";
    if (!result.note.empty()) std::cout << "note: " << result.note << '\n';
  }
}

}  // namespace

void add_resample_command(CLI::App& app) {
  auto options = std::make_shared<ResampleArguments>();
  CLI::App* command = app.add_subcommand("resample", "Subdivide or decimate a mesh");
  command->footer(resample_explanation);
  add_input_options(*command, "FILE", options->input);
  command->add_option("-o,--output", options->output, "Output file: .obj, .off or .ply")->required();
  command->add_option("--subdivide", options->subdivide, "Number of times every face is split into four")
      ->check(whole_number(0, 15));
  command->add_flag("--smooth", options->smooth, "With --subdivide: smooth the surface");
  command->add_option("--decimate", options->decimate, "Number of vertices to keep")->check(whole_number(1));
  command->add_flag("--largest-component", options->largest_component,
                    "Keep only the largest connected component");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
