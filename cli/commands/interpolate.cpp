#include <cmath>
#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/maps/interpolate_values.h"
#include "geodome/shape/mask.h"
#include "support/command.h"
#include "support/input.h"
#include "support/output_check.h"
#include "support/value_input.h"
#include "support/value_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* interpolate_explanation =
    R"(Continues functions that are known at some vertices to all vertices: the result
is the smoothest function through the given values (of least biharmonic energy).
It may go beyond the smallest and the largest given value.

Values are read from text (comma-separated, or separated by spaces), NPY or
GIFTI:
  one line or row per vertex, with nan or nothing where a value is missing; or
  a first line that begins with vertex, then lines VERTEX,VALUE[,VALUE ...] for
  the vertices with values.
Each column is one function; columns may have values at different vertices.

The extension of -o determines the output:
  .npy  64-bit floats, one column per function
  .csv  lines VERTEX,VALUE[,VALUE ...]
  .gii  GIFTI, one array of 32-bit floats per function
  .ply  the mesh or point cloud, coloured by the first function
  .png  an image of the same (meshes only)

Examples:
  geodome interpolate bunny.obj --values v.csv -o full.npy
  geodome interpolate bunny.obj --values v.csv -o full.png
  geodome interpolate lh.pial --values thickness.csv --mask cortex.label \
    -o thickness.shape.gii)";

struct InterpolateArguments : CommonOptions {
  InputOptions input;
  std::string values;
  std::string output;
  std::string mask;
};

void run(const InterpolateArguments& options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  require_output(options.output, {options.input.path, options.values, options.mask});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  auto [shape, notes] = load_clean_shape(options.input);
  if (!options.quiet && !options.json)
    for (const std::string& note : notes) std::cerr << "note: " << note << '\n';
  require_value_extension(options.output, &shape);
  const Numbering numbering(shape);
  std::vector<std::string> names;
  const RowMatrix<double> values = read_values(options.values, numbering, vertex_count(shape), names);
  GeodesicOptions geodesic;
  geodesic.seed = options.seed;
  if (!options.mask.empty()) geodesic.keep = read_mask(options.mask, vertex_count(shape));
  const RowMatrix<double> full = interpolate_values(shape, values, geodesic, execution);
  write_values(options.output, full, names, &shape, numbering);
  const Eigen::Index missing = full.array().isNaN().rowwise().any().count();
  Json facts;
  facts["shape"] = options.input.path;
  facts["kind"] = kind_name(shape);
  facts["vertices"] = vertex_count(shape);
  facts["columns"] = names;
  facts["values"] = Json::array();
  for (Eigen::Index c = 0; c < values.cols(); ++c)
    facts["values"].push_back(values.rows() - values.col(c).array().isNaN().count());
  facts["without_value"] = missing;
  facts["output"] = options.output;
  facts["notes"] = notes;
  facts["seconds"] = clock.seconds();
  if (options.json) return print_json(facts);
  if (options.quiet) return;
  std::cout << "wrote " << options.output << ": " << counted(values.cols(), "column", "columns") << ", from "
            << facts["values"].dump() << " of " << grouped(values.rows()) << " vertices";
  if (missing > 0) std::cout << "; " << counted(missing, "vertex has", "vertices have") << " no value";
  std::cout << ", " << brief(clock.seconds()) << " s\n";
}

}  // namespace

void add_interpolate_command(CLI::App& app) {
  auto options = std::make_shared<InterpolateArguments>();
  CLI::App* command =
      app.add_subcommand("interpolate", "Continue functions known at some vertices to all vertices");
  command->footer(interpolate_explanation);
  add_input_options(*command, "SHAPE", options->input);
  command->add_option("--values", options->values, "File of values (text, NPY or GIFTI)")->required();
  command->add_option("-o,--output", options->output, "Output file: .npy, .csv, .gii, .ply or .png")
      ->required();
  command->add_option("--mask", options->mask,
                      "File with one value per vertex, or a label file; vertices with value 0 are excluded");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
