#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/shape/io/formats.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/matrix_input.h"
#include "support/numbers.h"
#include "support/output_check.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr const char* rows_explanation =
    R"(Writes rows of the distance matrix of a .geodome file. A row contains the
distances from one vertex to all vertices. The extension of -o determines
the output:
  .npy  one row of 64-bit floats per requested vertex, in the same order
  .csv  one line per vertex of the shape, one column per requested vertex
  .ply  the mesh or point cloud, coloured by the distance to the nearest
        requested vertex
  .png  an image of the same (meshes only)

Examples:
  geodome rows bunny.geodome 17 -o row.npy
  geodome rows bunny.geodome 0 100 200 --raw -o rows.npy
  geodome rows bunny.geodome --list sources.txt -o rows.npy)";

struct RowsArguments : CommonOptions {
  std::string file;
  std::vector<std::int64_t> vertices;
  std::string list;
  std::string output;
  ModeOptions mode;
};

/// Blocks of rows, so that memory holds a few at a time.
void compute(const Distances& distances, const std::vector<Index>& vertices, const Execution& execution,
             DistanceOutput& output) {
  constexpr std::size_t together = 16;
  for (std::size_t begin = 0; begin < vertices.size(); begin += together) {
    const std::size_t count = std::min(together, vertices.size() - begin);
    const std::span<const Index> some(vertices.data() + begin, count);
    output.append(distances.rows(some, execution));
    execution.report("rows", static_cast<double>(begin + count) / static_cast<double>(vertices.size()));
  }
}

/// Tables need the number of vertices only; pictures need the shape.
std::shared_ptr<const Shape> shape_for(const std::string& output, const MatrixInput& input) {
  const std::string extension = file_extension(output);
  if (extension != "ply" && extension != "png")
    return std::make_shared<const Shape>(Graph{input.distances.size(), {}, {}});
  if (auto shape = input.distances.shape()) return shape;
  throw InputError(text("'", input.path, "' does not contain the shape, which .", extension,
                        " output requires: write .npy or .csv"));
}

void run(RowsArguments options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  require_output(options.output, {options.file, options.list});
  const MatrixInput input = open_matrix(options.file);
  if (!options.list.empty())
    for (const std::int64_t one : read_numbers(options.list)) options.vertices.push_back(one);
  if (options.vertices.empty()) throw InputError("no vertices: pass vertex numbers or --list FILE");
  std::vector<Index> vertices;
  for (const std::int64_t number : options.vertices) vertices.push_back(input.numbering.vertex(number));
  const std::shared_ptr<const Shape> shape = shape_for(options.output, input);
  const auto output = make_distance_output(options.output, *shape, input.numbering, options.vertices);
  const Distances distances = in_mode(input, options.mode, options.quiet);
  compute(distances, vertices, execution, *output);
  nlohmann::ordered_json facts;
  facts["rows"] = options.vertices.size();
  facts["vertices"] = input.distances.size();
  facts["form"] = mode_name(distances);
  output->finish(facts);
  facts["output"] = options.output;
  facts["seconds"] = clock.seconds();
  if (options.json)
    print_json(facts);
  else if (!options.quiet)
    std::cout << "wrote " << options.output << ": "
              << counted(static_cast<std::int64_t>(options.vertices.size()), "row", "rows") << " of "
              << grouped(input.distances.size()) << " distances, " << duration(clock.seconds()) << '\n';
}

}  // namespace

void add_rows_command(CLI::App& app) {
  auto options = std::make_shared<RowsArguments>();
  CLI::App* command = app.add_subcommand("rows", "Write rows of the distance matrix of a .geodome file");
  command->footer(rows_explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command->add_option("VERTICES", options->vertices, "Vertices whose rows are written")
      ->check(vertex_number());
  command->add_option("--list", options->list, "File of vertices (text or NPY)");
  command->add_option("-o,--output", options->output, "Output file: .npy, .csv, .ply or .png")->required();
  add_mode_options(*command, options->mode);
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
