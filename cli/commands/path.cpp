#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/mask.h"
#include "support/build_report.h"
#include "support/command.h"
#include "support/input.h"
#include "support/output_check.h"
#include "support/path_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* path_explanation =
    R"(Computes shortest paths on the shape from the first point to each of the others.
On meshes and point clouds a path runs over the triangles and is exact: it is
straight inside each triangle, and its length is the geodesic distance. On
graphs and samples, and with --geodesic edges, it runs along edges.

With --geodesic marching, carried or heat a path descends the approximate
distances of that method and is then pulled straight: it is on the surface, and
as long as the shortest path or a little longer. For single paths exact ones
take less time.

A point is a vertex, such as 17, or a point of a triangle: its corners with
weights that sum to one, such as 17:0.5,18:0.25,40:0.25 (17:0.5,18:0.5 is the
middle of an edge). Vertices are numbered from 0 in the order of the file;
vertices of a graph keep the numbers of the file.

The extension of -o determines the output:
  .ply   polylines: vertices (with the number of the path) and edges
  .obj   polylines: one l line per path
  .csv   one line per point: corners with weights, and position
  .json  the same as objects
  .png   an image of the mesh with the paths as tubes

Examples:
  geodome path bunny.obj 0 1500
  geodome path bunny.obj 0 1500 2200 -o paths.ply
  geodome path bunny.obj 0 1500 -o path.png
  geodome path bunny.obj 17:0.5,18:0.5 1500 --json
  geodome path bunny.obj 0 1500 2200 --geodesic heat
  geodome path lh.pial 12000 8000 --mask cortex.label -o path.csv
  geodome path roads.txt 981 17)";

struct PathArguments : CommonOptions {
  InputOptions input;
  std::string from;
  std::vector<std::string> to;
  std::string output;
  std::string method = "auto";
  std::string mask;
};

Json facts_of(const std::vector<ShortestPath>& paths, const PathArguments& options,
              const Numbering& numbering) {
  Json all = Json::array();
  for (std::size_t p = 0; p < paths.size(); ++p) {
    Json one;
    one["to"] = options.to[p];
    one["length"] = finite_or_null(paths[p].length);
    one["distance"] = finite_or_null(paths[p].distance);
    one["exact"] = paths[p].exact;
    one["points"] = points_json(paths[p], numbering);
    all.push_back(one);
  }
  return all;
}

/// Lengths of exact paths that differ from the distance: around slivers only.
std::vector<std::string> length_warnings(const std::vector<ShortestPath>& paths,
                                         const PathArguments& options) {
  std::vector<std::string> warnings;
  for (std::size_t p = 0; p < paths.size(); ++p)
    if (paths[p].exact && paths[p].length < infinity && paths[p].length > paths[p].distance * (1 + 1e-6))
      warnings.push_back(text("the path to ", options.to[p], " is ",
                              brief(paths[p].length / paths[p].distance - 1),
                              " longer than the distance: it crosses triangles of extreme aspect ratio"));
  return warnings;
}

void print_paths(const std::vector<ShortestPath>& paths, const PathArguments& options, double seconds) {
  for (std::size_t p = 0; p < paths.size(); ++p) {
    std::cout << options.from << " to " << options.to[p] << ": ";
    if (paths[p].points.empty())
      std::cout << "not connected\n";
    else
      std::cout << "length " << paths[p].length << (paths[p].exact ? "" : " (approximate)") << ", "
                << counted(paths[p].points.size(), "point", "points") << '\n';
  }
  if (!options.output.empty()) std::cout << "wrote " << options.output << '\n';
  std::cout << brief(seconds) << " s\n";
}

void run(const PathArguments& options) {
  const Stopwatch clock;
  GeodesicOptions geodesic;
  geodesic.method = geodesic_method(options.method);
  geodesic.seed = options.seed;
  const Execution execution = make_execution(options);
  require_output(options.output, {options.input.path, options.mask});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  auto [shape, notes] = load_clean_shape(options.input);
  if (!options.quiet && !options.json)
    for (const std::string& note : notes) std::cerr << "note: " << note << '\n';
  require_path_extension(options.output, shape);
  const Numbering numbering(shape);
  const SurfacePoint from = parse_point(options.from, numbering);
  std::vector<SurfacePoint> to;
  for (const std::string& word : options.to) to.push_back(parse_point(word, numbering));
  if (!options.mask.empty()) geodesic.keep = read_mask(options.mask, vertex_count(shape));
  const std::vector<ShortestPath> paths = shortest_paths(shape, from, to, geodesic, execution);
  if (!options.output.empty()) write_paths(options.output, shape, numbering, paths);
  const std::vector<std::string> warnings = length_warnings(paths, options);
  print_warnings(warnings);
  if (!options.json) {
    if (!options.quiet) print_paths(paths, options, clock.seconds());
    return;
  }
  notes.insert(notes.end(), warnings.begin(), warnings.end());
  Json facts;
  facts["shape"] = options.input.path;
  facts["kind"] = kind_name(shape);
  facts["vertices"] = vertex_count(shape);
  facts["geodesic"] = geodesic_method_name(geodesic.method == GeodesicMethod::automatic ? exact_method(shape)
                                                                                        : geodesic.method);
  facts["from"] = options.from;
  facts["paths"] = facts_of(paths, options, numbering);
  facts["output"] = options.output.empty() ? Json() : Json(options.output);
  facts["notes"] = notes;
  facts["seconds"] = clock.seconds();
  print_json(facts);
}

}  // namespace

void add_path_command(CLI::App& app) {
  auto options = std::make_shared<PathArguments>();
  CLI::App* command = app.add_subcommand("path", "Compute shortest paths as polylines");
  command->footer(path_explanation);
  add_input_options(*command, "SHAPE", options->input);
  command->add_option("FROM", options->from, "Where the paths begin: a vertex or a point of a triangle")
      ->required();
  command->add_option("TO", options->to, "Where they end: one or several")->required();
  command->add_option("-o,--output", options->output, "Output file: .ply, .obj, .csv, .json or .png");
  command
      ->add_option("--geodesic", options->method,
                   "auto or exact (over triangles), edges, or an approximate method: marching, "
                   "marching-1ring, carried or heat")
      ->capture_default_str();
  command->add_option(
      "--mask", options->mask,
      "File with one value per vertex, or a label file; paths go around vertices with value 0");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
