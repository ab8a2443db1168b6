#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/maps/interpolate_values.h"
#include "geodome/maps/partition.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/matrix_input.h"
#include "support/numbers.h"
#include "support/output_check.h"
#include "support/value_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* partition_explanation =
    R"(Divides the shape of a .geodome file into regions:
  -k N          N regions of nearly equal area (k-medoids with balanced areas)
  --seeds FILE  the geodesic Voronoi cells of these vertices (text or NPY)

Areas are those of the surface around each vertex if the file contains the
shape, otherwise, and on graphs and samples, numbers of vertices. Vertices left
out by a mask belong to no region.

The extension of -o determines the output:
  .npy  32-bit integers from 0, -1 for none
  .csv  lines VERTEX,LABEL
  .gii  GIFTI (name it .label.gii): labels from 1, 0 for none
  .ply  the mesh or point cloud, each region in a colour of its own
  .png  an image of the same (meshes only)

Examples:
  geodome partition cortex.geodome -k 100 -o parcels.label.gii
  geodome partition bunny.geodome -k 50 -o parcels.png
  geodome partition bunny.geodome --seeds vertices.txt -o labels.npy --json)";

struct PartitionArguments : CommonOptions {
  std::string file;
  Index parts = 0;
  std::string seeds;
  std::string output;
};

Vector areas_of(const Distances& distances, const Execution& execution) {
  const auto shape = distances.shape();
  if (!shape) return {};
  return vertex_areas(*shape, distances.path_options(), execution);
}

void run(const PartitionArguments& options) {
  const Stopwatch clock;
  if ((options.parts > 0) == !options.seeds.empty())
    throw InputError("pass either -k, the number of regions, or --seeds, a file of vertices");
  const Execution execution = make_execution(options);
  require_output(options.output, {options.file, options.seeds});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  const MatrixInput input = open_matrix(options.file);
  const auto shape = input.distances.shape();
  require_value_extension(options.output, shape.get());
  std::vector<Index> seeds;
  if (!options.seeds.empty())
    for (const std::int64_t number : read_numbers(options.seeds))
      seeds.push_back(input.numbering.vertex(number));
  const Vector areas = areas_of(input.distances, execution);
  const std::span<const double> weights(areas.data(), static_cast<std::size_t>(areas.size()));
  const Partition found = options.parts > 0
                              ? partition(input.distances.matrix(),
                                          {.parts = options.parts, .seed = options.seed}, weights, execution)
                              : voronoi_cells(input.distances.queries(), seeds, weights, execution);
  write_labels(options.output, found.label, shape.get(), input.numbering);
  Json facts;
  facts["file"] = options.file;
  facts["vertices"] = input.distances.size();
  facts["regions"] = found.centre.size();
  facts["centres"] = Json::array();
  for (const Index v : found.centre) facts["centres"].push_back(input.numbering.number(v));
  facts["areas"] = found.area;
  facts["area_ratio"] = finite_or_null(found.ratio);
  facts["output"] = options.output;
  facts["seconds"] = clock.seconds();
  if (options.json) return print_json(facts);
  if (options.quiet) return;
  std::cout << "wrote " << options.output << ": "
            << counted(static_cast<std::int64_t>(found.centre.size()), "region", "regions")
            << ", largest by smallest area " << brief(found.ratio) << ", " << brief(clock.seconds())
            << " s\n";
}

}  // namespace

void add_partition_command(CLI::App& app) {
  auto options = std::make_shared<PartitionArguments>();
  CLI::App* command = app.add_subcommand("partition", "Divide a shape into regions from a .geodome file");
  command->footer(partition_explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command->add_option("-k,--regions", options->parts, "Number of regions")->check(whole_number(1));
  command->add_option("--seeds", options->seeds, "File of vertices (text or NPY) whose cells are wanted");
  command->add_option("-o,--output", options->output, "Output file: .npy, .csv, .gii, .ply or .png")
      ->required();
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
