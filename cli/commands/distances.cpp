#include <algorithm>
#include <iostream>
#include <memory>
#include <span>

#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/base/threads.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/mask.h"
#include "support/bounds.h"
#include "support/build_report.h"
#include "support/command.h"
#include "support/distance_output.h"
#include "support/input.h"
#include "support/output_check.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr const char* distances_explanation =
    R"(Computes the geodesic distance (length of the shortest path on the shape) from
each source to every vertex. Vertices are numbered from 0 in the order of the
file; vertices of a graph keep the numbers of the file. The distance to a vertex
that cannot be reached is infinite.

The extension of -o determines the output:
  .npy  one row of 64-bit floats per source, in the order of the sources
  .csv  one line per vertex, one column per source
  .ply  the mesh or point cloud, coloured by the distance to the nearest source,
        with isolines (meshes)
  .png  an image of the same (meshes only)

Printed for each source: the farthest vertex, its distance, and the number of
vertices reached.

Examples:
  geodome distances bunny.obj --source 0
  geodome distances bunny.obj --source 0 --source 1500 -o d.npy
  geodome distances bunny.obj --source 0 -o bunny_distances.ply
  geodome distances lh.pial --source 12000 --mask cortex.label --radius 20 \
    -o near.csv
  geodome distances roads.txt --source 981 --json)";

struct DistancesArguments : CommonOptions {
  InputOptions input;
  std::vector<std::int64_t> sources;
  std::string output;
  std::string method = std::string(geodesic_method_name(GeodesicOptions().method));
  std::string mask;
  double radius = infinity;
};

/// What is worth saying about one row.
struct Farthest {
  Index vertex = -1;  ///< -1 if the source reaches no other vertex
  double distance = 0;
  Index reached = 0;  ///< vertices at a finite distance, the source included
};

Farthest farthest_in(const Eigen::Ref<const RowMatrix<double>>& row, Index source) {
  Farthest farthest;
  for (Index v = 0; v < row.cols(); ++v) {
    if (!(row(0, v) < infinity)) continue;
    ++farthest.reached;
    if (v != source && (farthest.vertex < 0 || row(0, v) > farthest.distance))
      farthest = {v, row(0, v), farthest.reached};
  }
  return farthest;
}

/// Rows of distances; only balls with a radius, which cost in proportion to their size.
RowMatrix<double> compute(const GeodesicSolver& solver, std::span<const Index> sources, double radius,
                          const Execution& execution) {
  RowMatrix<double> rows(static_cast<Eigen::Index>(sources.size()), solver.size());
  if (radius == infinity) {
    solver.distances(sources, rows, execution);
    return rows;
  }
  rows.setConstant(infinity);
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int) {
    for (const Neighbour& near : solver.within(sources[s], radius))
      rows(static_cast<Eigen::Index>(s), near.vertex) = near.distance;
  });
  return rows;
}

/// All rows in blocks, each handed on before the next is made.
std::vector<Farthest> run(const GeodesicSolver& solver, std::span<const Index> sources,
                          const DistancesArguments& options, const Execution& execution,
                          DistanceOutput& output) {
  constexpr std::size_t numbers_at_once = std::size_t{1} << 25;  // 256 MB
  const std::size_t block = std::max<std::size_t>(1, numbers_at_once / std::max<Index>(1, solver.size()));
  std::vector<Farthest> farthest;
  for (std::size_t begin = 0; begin < sources.size(); begin += block) {
    const auto part = sources.subspan(begin, std::min(block, sources.size() - begin));
    const auto whole = static_cast<double>(sources.size());
    const Execution scaled{execution.threads, [&](std::string_view stage, double fraction) {
                             const double done =
                                 static_cast<double>(begin) + fraction * static_cast<double>(part.size());
                             return execution.progress(stage, done / whole);
                           }};
    const RowMatrix<double> rows = compute(solver, part, options.radius, scaled);
    for (std::size_t s = 0; s < part.size(); ++s)
      farthest.push_back(farthest_in(rows.row(static_cast<Eigen::Index>(s)), part[s]));
    output.append(rows);
  }
  return farthest;
}

void print_summary(const DistancesArguments& options, const Numbering& numbering,
                   const std::vector<Farthest>& farthest, const nlohmann::ordered_json& facts) {
  for (std::size_t s = 0; s < farthest.size(); ++s) {
    std::cout << "source " << options.sources[s] << ": ";
    if (farthest[s].vertex < 0)
      std::cout << "no other vertex is connected to it\n";
    else
      std::cout << "farthest is vertex " << numbering.number(farthest[s].vertex) << " at "
                << farthest[s].distance << "; " << farthest[s].reached << " of " << facts["vertices"]
                << " vertices reached\n";
  }
  if (!options.output.empty()) {
    std::cout << "wrote " << options.output;
    if (facts.contains("isoline_step") && facts["isoline_step"] > 0)
      std::cout << ", isolines at multiples of " << facts["isoline_step"];
    std::cout << '\n';
  }
  std::cout << "method " << facts["method"].get<std::string>() << ", " << facts["seconds"] << " s\n";
}

void add_rows(nlohmann::ordered_json& facts, const Numbering& numbering,
              const std::vector<Farthest>& farthest) {
  auto vertices = nlohmann::ordered_json::array(), distances = vertices, reached = vertices;
  double maximum = 0;
  for (const Farthest& row : farthest) {
    vertices.push_back(row.vertex < 0 ? nlohmann::ordered_json()
                                      : nlohmann::ordered_json(numbering.number(row.vertex)));
    distances.push_back(row.distance);
    reached.push_back(row.reached);
    maximum = std::max(maximum, row.distance);
  }
  facts["maximum"] = maximum;
  facts["farthest"] = vertices;
  facts["farthest_distances"] = distances;
  facts["reached"] = reached;
}

void measure_distances(const DistancesArguments& options) {
  const Stopwatch clock;
  GeodesicOptions geodesic;
  geodesic.method = geodesic_method(options.method);
  geodesic.seed = options.seed;
  geodesic.expected_sources = options.sources.size();
  const Execution execution = make_execution(options);

  require_output(options.output, {options.input.path, options.mask});
  auto [shape, notes] = load_clean_shape(options.input);
  if (!options.quiet && !options.json)
    for (const std::string& note : notes) std::cerr << "note: " << note << '\n';
  const Numbering numbering(shape);
  std::vector<Index> sources;
  for (const std::int64_t number : options.sources) sources.push_back(numbering.vertex(number));
  if (!options.mask.empty()) geodesic.keep = read_mask(options.mask, vertex_count(shape));
  const auto output = make_distance_output(options.output, shape, numbering, options.sources);

  PathDomain domain = make_path_domain(shape, geodesic, execution);
  geodesic.method = resolve_method(domain, geodesic);
  const auto solver = make_solver(std::move(domain), geodesic, execution);
  const std::vector<Farthest> farthest = run(*solver, sources, options, execution, *output);
  const std::vector<std::string> warnings = solver_warnings(*solver);
  print_warnings(warnings);
  notes.insert(notes.end(), warnings.begin(), warnings.end());

  nlohmann::ordered_json facts;
  facts["shape"] = options.input.path;
  facts["kind"] = kind_name(shape);
  facts["vertices"] = vertex_count(shape);
  facts["method"] = geodesic_method_name(geodesic.method);
  facts["sources"] = options.sources;
  add_rows(facts, numbering, farthest);
  if (options.radius < infinity) facts["radius"] = options.radius;
  output->finish(facts);
  facts["output"] =
      options.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.output);
  facts["notes"] = notes;
  facts["seconds"] = clock.seconds();
  if (options.json)
    print_json(facts);
  else if (!options.quiet)
    print_summary(options, numbering, farthest, facts);
}

std::string distances_method_help() {
  std::string help = "Geodesic method:";
  for (const GeodesicMethodName& entry : geodesic_methods())
    help += text("\n  ", entry.name, ": ", entry.description);
  return help;
}

}  // namespace

void add_distances_command(CLI::App& app) {
  auto options = std::make_shared<DistancesArguments>();
  CLI::App* command =
      app.add_subcommand("distances", "Compute distances from one or several vertices to all vertices");
  command->footer(distances_explanation);
  add_input_options(*command, "SHAPE", options->input);
  command->add_option("--source", options->sources, "Source vertex; can be repeated, or a list: 3,17,40")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(vertex_number());
  command->add_option("-o,--output", options->output, "Output file: .npy, .csv, .ply or .png");
  command->add_option("--geodesic", options->method, distances_method_help())->capture_default_str();
  command->add_option(
      "--mask", options->mask,
      "File with one value per vertex, or a label file; vertices with value 0 are excluded, also from paths");
  command->add_option("--radius", options->radius, "Largest distance to compute; larger ones become infinite")
      ->check(number_from(0));
  add_common_options(*command, *options);
  command->callback([options] { measure_distances(*options); });
}

}  // namespace geodome::cli
