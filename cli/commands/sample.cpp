#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/landmark/sample.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/mask.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/input.h"
#include "support/output_check.h"
#include "support/value_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* sample_explanation =
    R"(Chooses vertices that are spread evenly over the shape: each farthest point is
the vertex with the largest geodesic distance from all chosen before. The first
m of n vertices are the sample of m vertices. Every connected component gets at
least one vertex. Distances are measured by fast marching (about 1 % off where a
cell has hundreds of vertices), on graphs and samples along edges.

The extension of -o determines the output:
  .txt  one vertex number per line, in the order of choice
  .npy  the same as integers
  .ply  the chosen vertices as a point cloud (shapes with positions)

--cells writes the cell of each vertex: the chosen vertex nearest to it, as a
position in the sample (.npy, .csv, .gii, .ply or .png).

Examples:
  geodome sample bunny.obj -n 500 -o vertices.txt
  geodome sample bunny.obj -n 100 --start 17 -o vertices.npy --cells cells.png
  geodome sample lh.pial -n 1000 --mask cortex.label --json
  geodome sample bunny.obj -n 500 --method random --seed 3 -o vertices.txt)";

struct SampleArguments : CommonOptions {
  InputOptions input;
  Index count = SampleOptions().count;
  std::string method = "farthest";
  std::vector<std::int64_t> start;
  std::string output;
  std::string cells;
  std::string mask;
  bool edges = false;
};

void require_sample_extension(const std::string& path, const Shape& shape) {
  if (path.empty()) return;
  const std::string extension = path.ends_with(".gz") ? "gz" : file_extension(path);
  if (extension != "txt" && extension != "npy" && extension != "ply")
    throw InputError(text("cannot write '", path, "': the extension must be one of .txt, .npy, .ply"));
  if (extension == "ply" && positions_of(shape).cols() != 3)
    throw InputError(text("cannot write '", path,
                          "': .ply output requires a shape with positions in 3-D, and this ",
                          "one is of kind '", kind_name(shape), "': write .txt or .npy"));
}

void write_sample(const std::string& path, const Shape& shape, const Numbering& numbering,
                  const std::vector<Index>& vertices) {
  const std::string extension = file_extension(path);
  const auto count = static_cast<Eigen::Index>(vertices.size());
  if (extension == "ply") {
    const RowMatrix<double> all = positions_of(shape);
    PointCloud cloud{Points(count, 3), {}};
    for (Eigen::Index k = 0; k < count; ++k)
      cloud.points.row(k) = all.row(vertices[static_cast<std::size_t>(k)]);
    return write_shape(cloud, path);
  }
  RowMatrix<std::int64_t> numbers(count, 1);
  for (Eigen::Index k = 0; k < count; ++k)
    numbers(k, 0) = numbering.number(vertices[static_cast<std::size_t>(k)]);
  if (extension == "npy") return write_npy(numbers, path);
  AtomicFile file(path);
  for (const std::int64_t number : numbers.reshaped()) file.write(text(number, '\n'));
  file.commit();
}

void run(const SampleArguments& options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  require_output(options.output, {options.input.path, options.mask});
  require_output(options.cells, {options.input.path, options.mask});
  require_distinct_outputs({options.output, options.cells});
  if (options.json && (is_standard_output(options.output) || is_standard_output(options.cells)))
    throw InputError("--json and an output cannot both write to standard output: pass a file name");
  auto [shape, notes] = load_clean_shape(options.input);
  if (!options.quiet && !options.json)
    for (const std::string& note : notes) std::cerr << "note: " << note << '\n';
  require_sample_extension(options.output, shape);
  if (!options.cells.empty()) require_value_extension(options.cells, &shape);
  const Numbering numbering(shape);
  SampleOptions wanted;
  wanted.count = options.count;
  wanted.method = options.method == "random" ? LandmarkMethod::random : LandmarkMethod::farthest;
  wanted.seed = options.seed;
  for (const std::int64_t number : options.start) wanted.start.push_back(numbering.vertex(number));
  GeodesicOptions geodesic;
  geodesic.seed = options.seed;
  if (options.edges) geodesic.method = GeodesicMethod::graph;
  if (!options.mask.empty()) geodesic.keep = read_mask(options.mask, vertex_count(shape));
  const VertexSample sample = sample_vertices(shape, wanted, geodesic, execution);
  if (!options.output.empty()) write_sample(options.output, shape, numbering, sample.vertices);
  if (!options.cells.empty()) write_labels(options.cells, sample.cell, &shape, numbering);
  if (options.json) {
    Json facts;
    facts["shape"] = options.input.path;
    facts["kind"] = kind_name(shape);
    facts["vertices"] = vertex_count(shape);
    facts["method"] = options.method;
    facts["sample"] = Json::array();
    for (const Index v : sample.vertices) facts["sample"].push_back(numbering.number(v));
    facts["cover_radius"] = finite_or_null(sample.cover_radius.back());
    facts["output"] = options.output.empty() ? Json() : Json(options.output);
    facts["cells"] = options.cells.empty() ? Json() : Json(options.cells);
    facts["notes"] = notes;
    facts["seconds"] = clock.seconds();
    return print_json(facts);
  }
  if (options.output.empty())
    for (const Index v : sample.vertices) std::cout << numbering.number(v) << '\n';
  if (options.quiet) return;
  // With the vertices on standard output, the summary must not be between them.
  (options.output.empty() ? std::cerr : std::cout)
      << counted(static_cast<std::int64_t>(sample.vertices.size()), "vertex", "vertices") << ", cover radius "
      << brief(sample.cover_radius.back()) << ", " << brief(clock.seconds()) << " s\n";
}

}  // namespace

void add_sample_command(CLI::App& app) {
  auto options = std::make_shared<SampleArguments>();
  CLI::App* command =
      app.add_subcommand("sample", "Choose vertices spread evenly over a shape (farthest points)");
  command->footer(sample_explanation);
  add_input_options(*command, "SHAPE", options->input);
  command->add_option("-n,--count", options->count, "Number of vertices")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--method", options->method, "farthest or random")
      ->capture_default_str()
      ->check(CLI::IsMember({"farthest", "random"}));
  command->add_option("--start", options->start, "Vertex to start with; can be repeated, or a list: 3,17,40")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(vertex_number());
  command->add_option("-o,--output", options->output, "Output file: .txt, .npy or .ply; default: stdout");
  command->add_option("--cells", options->cells, "Output file of the cells: .npy, .csv, .gii, .ply or .png");
  command->add_option("--mask", options->mask,
                      "File with one value per vertex, or a label file; vertices with value 0 are excluded");
  command->add_flag("--edges", options->edges, "Measure distances along edges");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
