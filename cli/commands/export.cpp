#include <iostream>
#include <memory>
#include <optional>

#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/export/export.h"
#include "geodome/landmark/precision.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/shape/area.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/guard.h"
#include "support/matrix_input.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr const char* export_explanation =
    R"(Writes the distances of a .geodome file in the format of another program:
  npy         all vertices x vertices distances, for NumPy
  csv         the same as text, for small shapes
  mat         the same for MATLAB (level 5, up to 2 GiB): the variables geodist
              and sqrt_area (square root of the surface area)
  brainsmash  distmat.npy and index.npy: for each vertex the nearest vertices,
              sorted by distance (input of BrainSMASH's Sampled). Vertices
              excluded by a mask have no row; mask.txt marks them
  mtx         P.mtx, W.mtx and landmarks.mtx: the factors of K = P W P' (Matrix
              Market); not available for files of ctg and spectrometer
-o is a file for npy, csv and mat, and a folder for brainsmash and mtx.

Distances are the same as those of 'geodome query', near ones exact if the file
contains the shape; --near blend and --raw are those of that command. Output of
more than 1 GiB requires --yes.

Printed: the names of the files written.

Examples:
  geodome export bunny.geodome --to npy -o bunny_distances.npy
  geodome export bunny.geodome --to mat -o bunny.mat
  geodome export lh.geodome --to brainsmash -o lh_brainsmash --neighbours 1000
  geodome export bunny.geodome --to mtx -o bunny_factors)";

struct ExportArguments : CommonOptions {
  std::string file;
  std::string format;
  std::string output;
  std::string precision = "float32";
  BrainsmashOptions brainsmash;
  ModeOptions mode;
  bool yes = false;
};

ExportPrecision precision_of(const ExportArguments& options) {
  return options.precision == "float64" ? ExportPrecision::float64 : ExportPrecision::float32;
}

std::int64_t text_bytes_of_factors(const LandmarkMatrix& matrix) {
  constexpr std::int64_t bytes_per_number = 12;
  std::int64_t numbers = 0;
  for (Index c = 0; c < matrix.components(); ++c) numbers += packed_size(matrix.W(c).size());
  return bytes_per_number * (numbers + 3 * matrix.nonzeros());
}

/// Bytes on disk, exact or about.
std::int64_t bytes_of(const ExportArguments& options, const MatrixInput& input) {
  const Index size = input.distances.size();
  if (options.format == "csv") return csv_bytes(size);
  if (options.format == "brainsmash") return brainsmash_bytes(size, options.brainsmash);
  if (options.format == "mtx") return text_bytes_of_factors(require_factors(input, "'--to mtx'"));
  return square_bytes(size, precision_of(options));
}

/// None where the file has no shape or the shape no faces.
std::optional<double> area_of(const Distances& distances) {
  const std::shared_ptr<const Shape> shape = distances.shape();
  return shape ? surface_area(*shape) : std::nullopt;
}

std::vector<std::string> write(const ExportArguments& options, const MatrixInput& input,
                               const Distances& distances, const Execution& execution) {
  if (options.format == "mtx")
    return export_factors(require_factors(input, "'--to mtx'"), options.output, execution);
  const DistanceMatrix& queries = distances.queries();
  if (options.format == "brainsmash")
    return export_brainsmash(queries, options.output, options.brainsmash, execution);
  if (options.format == "npy")
    export_npy(queries, options.output, precision_of(options), execution);
  else if (options.format == "mat")
    export_mat(queries, area_of(input.distances), options.output, precision_of(options), execution);
  else
    export_csv(queries, options.output, execution);
  return {options.output};
}

void check_output(const ExportArguments& options) {
  if (options.format == "mtx")
    return require_outputs_in(options.output, {"P.mtx", "W.mtx", "landmarks.mtx"}, {options.file});
  if (options.format == "brainsmash")
    return require_outputs_in(options.output, {"distmat.npy", "index.npy", "mask.txt"}, {options.file});
  require_output(options.output, {options.file});
  if (options.format == "csv")
    refuse_other_extension(options.output, {"csv", "txt"}, "CSV");
  else
    refuse_other_extension(options.output, {options.format},
                           options.format == "npy" ? "NPY" : "a MATLAB file");
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
}

void run(const ExportArguments& options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  check_output(options);
  const MatrixInput input = open_matrix(options.file);
  const Index size = input.distances.size();
  const std::int64_t bytes = bytes_of(options, input);
  require_consent(text("the ", options.format, " export of ", grouped(size), " vertices"), bytes, options.yes,
                  options.output);
  const bool factors = options.format == "mtx";
  const Distances distances =
      factors ? input.distances.with(QueryMode::raw) : in_mode(input, options.mode, options.quiet);
  const std::vector<std::string> files = write(options, input, distances, execution);

  nlohmann::ordered_json facts;
  facts["files"] = files;
  facts["format"] = options.format;
  facts["vertices"] = size;
  facts["form"] = mode_name(distances);
  facts["seconds"] = clock.seconds();
  if (options.json) {
    print_json(facts);
  } else if (!options.quiet && !is_standard_output(options.output)) {
    for (const std::string& file : files) std::cout << "wrote " << file << '\n';
  }
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write the distances of a .geodome file in other formats");
  command->footer(export_explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command->add_option("--to", options->format, "Output format")
      ->required()
      ->check(CLI::IsMember({"npy", "csv", "mat", "brainsmash", "mtx"}));
  command->add_option("-o,--output", options->output, "Output file or folder")->required();
  command->add_option("--precision", options->precision, "npy and mat: precision of the numbers")
      ->capture_default_str()
      ->check(CLI::IsMember({"float32", "float64"}));
  command
      ->add_option("--neighbours", options->brainsmash.neighbours,
                   "brainsmash: number of nearest vertices in each row; 0: all")
      ->capture_default_str()
      ->check(whole_number(0));
  add_mode_options(*command, options->mode);
  command->add_flag("--yes", options->yes, "Write more than 1 GiB");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
