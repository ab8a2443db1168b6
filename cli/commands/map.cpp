#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/stopwatch.h"
#include "geodome/maps/eccentricity.h"
#include "geodome/maps/interpolate_values.h"
#include "geodome/maps/mean_distance.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/matrix_input.h"
#include "support/output_check.h"
#include "support/value_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* map_explanation =
    R"(Computes one number per vertex from the distances of a .geodome file:
  mean          the mean distance to all vertices of the component, the vertex
                itself included. One product with the matrix: it takes less than
                a second for 100,000 vertices.
  area-mean     the same with each vertex weighted by its area: the mean over
                the surface, which does not depend on how finely parts of it
                are meshed (requires the shape in the file)
  eccentricity  the largest distance to any vertex; also printed: the diameter
                and the centre, the vertex of least eccentricity. Only rows that
                can still matter are computed, until results are at most
                --tolerance (of the diameter) below the largest entry of their
                row, or --rows rows; the bound that holds is printed.

Vertices left out by a mask have no value (NaN). The extension of -o determines
the output:
  .npy  64-bit floats
  .csv  lines VERTEX,VALUE
  .gii  GIFTI (name it .shape.gii), 32-bit floats
  .ply  the mesh or point cloud in colours
  .png  an image of the same (meshes only)

Examples:
  geodome map cortex.geodome --of mean -o mean.shape.gii
  geodome map cortex.geodome --of area-mean -o mean.png
  geodome map bunny.geodome --of eccentricity --json
  geodome map bunny.geodome --of eccentricity --tolerance 0 --rows 0 \
    -o exact.npy)";

struct MapArguments : CommonOptions {
  std::string file;
  std::string of = "mean";
  std::string output;
  double tolerance = EccentricityOptions().tolerance;
  std::int64_t rows = EccentricityOptions().most_rows;
};

Vector mean_map(const MapArguments& options, const Distances& distances, const Execution& execution,
                Json& facts) {
  Vector areas;
  if (options.of == "area-mean") {
    const auto shape = distances.shape();
    if (!shape)
      throw InputError(
          text("'", options.file, "' does not contain the shape, which area-mean requires: use mean"));
    areas = vertex_areas(*shape, distances.path_options(), execution);
  }
  const Stopwatch product;
  const Vector mean =
      mean_distance(distances.matrix(), {areas.data(), static_cast<std::size_t>(areas.size())}, execution);
  facts["product_seconds"] = product.seconds();
  return mean;
}

Vector eccentricity_map(const MapArguments& options, const MatrixInput& input, const Execution& execution,
                        Json& facts) {
  const Eccentricity found = eccentricity(
      input.distances.matrix(), {.tolerance = options.tolerance, .most_rows = options.rows}, execution);
  const auto number = [&](Index v) { return v < 0 ? Json() : Json(input.numbering.number(v)); };
  facts["diameter"] = found.diameter;
  facts["diameter_vertices"] = {number(found.from), number(found.to)};
  facts["radius"] = found.radius;
  facts["centre"] = number(found.centre);
  facts["bound"] = found.bound;
  facts["rows"] = found.rows;
  return found.eccentricity;
}

void add_range(const Vector& values, Json& facts) {
  double smallest = infinity, largest = -infinity;
  for (const double value : values)
    if (std::isfinite(value)) {
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  facts["minimum"] = finite_or_null(smallest);
  facts["maximum"] = finite_or_null(largest);
}

void print_map(const Json& facts) {
  const auto number = [&](const char* name) {
    return facts[name].is_null() ? "none" : brief(facts[name].get<double>());
  };
  std::cout << facts["of"].get<std::string>() << ": from " << number("minimum") << " to " << number("maximum")
            << '\n';
  if (facts.contains("diameter"))
    std::cout << "diameter " << number("diameter") << " (vertices " << facts["diameter_vertices"][0]
              << " and " << facts["diameter_vertices"][1] << "), centre vertex " << facts["centre"]
              << ", radius " << number("radius") << "; at most " << number("bound") << " too small, from "
              << facts["rows"] << " rows\n";
  if (!facts["output"].is_null()) std::cout << "wrote " << facts["output"].get<std::string>() << '\n';
  std::cout << brief(facts["seconds"].get<double>()) << " s\n";
}

void run(const MapArguments& options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  require_output(options.output, {options.file});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  const MatrixInput input = open_matrix(options.file);
  const std::string extension =
      options.output.empty() ? "" : options.output.substr(options.output.rfind('.') + 1);
  const auto shape = extension == "ply" || extension == "png" ? input.distances.shape() : nullptr;
  if (!options.output.empty()) require_value_extension(options.output, shape.get());
  Json facts;
  facts["file"] = options.file;
  facts["of"] = options.of;
  facts["vertices"] = input.distances.size();
  const Vector values = options.of == "eccentricity" ? eccentricity_map(options, input, execution, facts)
                                                     : mean_map(options, input.distances, execution, facts);
  add_range(values, facts);
  if (!options.output.empty())
    write_values(options.output, values, {options.of}, shape.get(), input.numbering);
  facts["output"] = options.output.empty() ? Json() : Json(options.output);
  facts["seconds"] = clock.seconds();
  if (options.json)
    print_json(facts);
  else if (!options.quiet)
    print_map(facts);
}

}  // namespace

void add_map_command(CLI::App& app) {
  auto options = std::make_shared<MapArguments>();
  CLI::App* command =
      app.add_subcommand("map", "Compute mean distances or eccentricities from a .geodome file");
  command->footer(map_explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command->add_option("--of", options->of, "mean, area-mean or eccentricity")
      ->capture_default_str()
      ->check(CLI::IsMember({"mean", "area-mean", "eccentricity"}));
  command->add_option("-o,--output", options->output, "Output file: .npy, .csv, .gii, .ply or .png");
  command
      ->add_option("--tolerance", options->tolerance,
                   "Largest error of eccentricities, as a share of the diameter; 0: none")
      ->capture_default_str()
      ->check(number_from(0, 1));
  command->add_option("--rows", options->rows, "Largest number of rows for eccentricities; 0: no limit")
      ->capture_default_str()
      ->check(whole_number(0));
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
