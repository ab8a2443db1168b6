#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/names.h"
#include "geodome/base/stopwatch.h"
#include "geodome/embedding/embedding.h"
#include "geodome/embedding/stress.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/matrix/query.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/embed_output.h"
#include "support/embed_report.h"
#include "support/input.h"
#include "support/matrix_input.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "Lays the shape out in few dimensions so that straight distances are as near as possible to the\n"
    "distances over the shape (classical scaling). In three dimensions this is the canonical form: it "
    "hardly\n"
    "changes when the shape bends, so poses of one creature look alike and other creatures do not.\n"
    "\n"
    "INPUT is a shape, or a .geodome file made by 'geodome build', which saves the time to build it again. "
    "Files\n"
    "by ctg and spectrometer are no products: all their distances are computed once, and kept where\n"
    "--memory allows it.\n"
    "\n"
    "What is written depends on the extension:\n"
    "  -o  .ply  the form: canonical coordinates as vertices and as colours, with the shape's faces\n"
    "      .png  a picture of it\n"
    "      .npy  one row of 64-bit floats per vertex; .csv the same as text\n"
    "  --coloured  .ply .obj .off .png  the shape as it was, canonical coordinates as red, green and blue\n"
    "\n"
    "What is printed:\n"
    "  eigenvalues     the extent along each axis, squared and summed over vertices\n"
    "  negative share  how far the distances are from those of any straight space; 0 is flat\n"
    "  stress          the misfit ||ZZ' + JEJ/2||, measured against fresh distances on the shape; "
    "normalised\n"
    "                  it is 0 for a perfect layout and 1 for a single point\n"
    "  model stress    the same against the approximate distances that were scaled\n"
    "\n"
    "Examples:\n"
    "  geodome embed cat.ply -o cat_form.ply --coloured cat_colours.ply\n"
    "  geodome build dragon.ply -o dragon.geodome && geodome embed dragon.geodome -o form.ply\n"
    "  geodome embed brain.obj -o z.npy --method bmds --landmarks 500 --compare-exact\n"
    "  geodome embed small.off -o z.csv --method exact --dimensions 2 --json";

enum class Method { sbmds, bmds, exact };

constexpr Named<Method> methods[] = {
    {Method::sbmds, "sbmds", "Lanczos iteration on the sparse form; any size"},
    {Method::bmds, "bmds", "a QR decomposition of the dense form; vertices x landmarks numbers"},
    {Method::exact, "exact", "all distances themselves; vertices x vertices numbers"}};

struct Options : CommonOptions {
  InputOptions input;
  InputOptions shape;  ///< for a file without one
  std::vector<std::string> outputs;
  std::string coloured;
  std::string up = "z";
  std::string method = "sbmds", geodesic = "auto";
  Index landmarks = 0;
  Index nonzeros = InterpolationOptions().nonzeros;
  Index dimensions = EmbeddingOptions().dimensions;
  Index stress_rows = StressOptions().rows;
  bool compare_exact = false;
  double memory = 4;  ///< gigabytes
};

/// What is embedded: the distances, unless everything is to be exact, and the shape, where it is known.
struct Subject {
  std::optional<Distances> distances;
  std::shared_ptr<const DistanceMatrix> squared;
  std::shared_ptr<const Shape> shape;
  std::vector<std::string> notes;
  GeodesicOptions paths;  ///< for fresh distances; the method is left open
  double build_seconds = 0;
  std::int64_t peak_bytes = 0;
};

Subject use_file(const Options& options, MatrixInput input) {
  Subject subject;
  if (options.method == "bmds") require_factors(input, "'--method bmds'");
  if (!options.shape.path.empty()) {
    CleanShape clean = load_clean_shape(options.shape);
    require_same_shape(input, clean.shape, options.shape.path);
    subject.shape = std::make_shared<const Shape>(std::move(clean.shape));
    subject.notes = std::move(clean.notes);
  } else {
    subject.shape = input.distances.shape();
  }
  subject.paths = input.distances.path_options();
  subject.distances = std::move(input.distances);
  return subject;
}

Subject build_shape(const Options& options, Method method, const Execution& execution) {
  CleanShape clean = load_clean_shape(options.input);
  Subject subject;
  subject.notes = clean.notes;
  subject.paths.seed = options.seed;
  require_dimensions(options.dimensions, vertex_count(clean.shape));
  if (method == Method::exact) {
    subject.shape = std::make_shared<const Shape>(std::move(clean.shape));
    return subject;
  }
  require_blas_memory();
  BuildOptions build_options;
  build_options.method = method == Method::bmds ? geodome::Method::bha : geodome::Method::sbha;
  build_options.landmarks.count = options.landmarks;
  build_options.interpolation.nonzeros = options.nonzeros;
  build_options.geodesic.method = geodesic_method(options.geodesic);
  build_options.kind = DistanceKind::squared;
  build_options.seed = options.seed;
  build_options.memory_bound = std::numeric_limits<std::int64_t>::max();
  subject.distances = build(std::move(clean), build_options, execution);
  subject.shape = subject.distances->shape();
  subject.build_seconds = subject.distances->summary().seconds;
  subject.peak_bytes = subject.distances->summary().peak_bytes;
  return subject;
}

/// A solver that sees what the matrix sees: vertices it leaves out are left out.
std::unique_ptr<GeodesicSolver> fresh_solver(const Subject& subject, const Options& options,
                                             const Execution& execution) {
  GeodesicOptions geodesic = subject.paths;
  geodesic.method = geodesic_method(options.geodesic);
  return make_solver(*subject.shape, geodesic, execution);
}

Embedding scale(const Subject& subject, const Options& options, const EmbeddingOptions& how,
                const Execution& execution) {
  if (!subject.distances) return embed_exactly(*fresh_solver(subject, options, execution), how, execution);
  return subject.distances->embed(how, execution);
}

EmbeddingQuality measure(const Subject& subject, const Options& options,
                         const EmbeddingOptions& embedding_options, const Embedding& embedding,
                         const Execution& execution) {
  EmbeddingQuality quality;
  if (options.stress_rows == 0) return quality;
  StressOptions stress_options;
  stress_options.rows = options.stress_rows;
  stress_options.seed = options.seed;
  const auto stress_of = [&](const Embedding& form, const SquaredRows& rows) {
    return stress(form.Z, form.component, rows, stress_options);
  };
  if (subject.squared) quality.model_stress = stress_of(embedding, squared_rows(*subject.squared, execution));
  if (!subject.shape || (subject.distances && subject.distances->geodesic() == "given")) return quality;
  const auto solver = fresh_solver(subject, options, execution);
  if (options.compare_exact || (subject.distances && solver->size() <= stress_options.exact_up_to)) {
    const FullMatrix full =
        full_matrix(*solver, DistanceKind::squared, embedding_options.memory_bound, execution);
    stress_options.exact_up_to = solver->size();
    quality.stress = stress_of(embedding, squared_rows(full, execution));
    EmbeddingOptions exact = embedding_options;
    exact.method = ScalingMethod::lanczos;
    quality.exact_stress = stress_of(embed(full, exact, execution), squared_rows(full, execution));
  } else {
    quality.stress = stress_of(embedding, squared_rows(*solver, execution));
  }
  return quality;
}

constexpr Named<UpAxis> axes[] = {{UpAxis::x, "x", ""}, {UpAxis::y, "y", ""}, {UpAxis::z, "z", ""}};

UpAxis up_axis(const Options& options) {
  return choice_of(std::span<const Named<UpAxis>>(axes), options.up, "axis");
}

void check(const Options& options) {
  up_axis(options);
  if (options.outputs.empty() && options.coloured.empty() && !options.json)
    throw InputError("nothing to write: give -o FILE, --coloured FILE, or --json for the numbers alone");
  for (const std::string& path : options.outputs) require_embedding_extension(path, false);
  if (!options.coloured.empty()) require_embedding_extension(options.coloured, true);
  std::vector<std::string> written = options.outputs;
  written.push_back(options.coloured);
  for (const std::string& path : written) require_output(path, {options.input.path, options.shape.path});
  require_distinct_outputs(written);
  if (options.stress_rows == 1)
    throw InputError("stress from 1 row: give --stress-rows 2 or more, or 0 for none");
}

void run(const Options& options) {
  const Stopwatch total;
  check(options);
  const Method method = choice_of(std::span<const Named<Method>>(methods), options.method, "method");
  const Execution execution = make_execution(options);
  auto file = open_if_matrix(options.input.path);
  if (file && method == Method::exact)
    throw InputError(
        text("'", options.input.path, "' contains approximate distances: pass the shape for exact ones"));
  Subject subject = file ? use_file(options, std::move(*file)) : build_shape(options, method, execution);
  if (subject.distances) subject.squared = squared_matrix(subject.distances->shared_matrix());
  if (!options.quiet && !options.json)
    for (const std::string& note : subject.notes) std::cerr << "note: " << note << '\n';

  EmbeddingOptions embedding_options;
  embedding_options.dimensions = options.dimensions;
  embedding_options.seed = options.seed;
  embedding_options.memory_bound = static_cast<std::int64_t>(options.memory * 1e9);
  if (method == Method::bmds) embedding_options.method = ScalingMethod::qr;
  const Stopwatch scaling;
  const Embedding embedding = scale(subject, options, embedding_options, execution);
  const double scaling_seconds = scaling.seconds();
  const Stopwatch writing;
  const Shape* shape = subject.shape.get();
  for (const std::string& path : options.outputs) write_form(path, embedding, shape);
  if (!options.coloured.empty()) write_coloured(options.coloured, embedding, shape, up_axis(options));
  const double write_seconds = writing.seconds();
  const Stopwatch measuring;
  const EmbeddingQuality quality = measure(subject, options, embedding_options, embedding, execution);

  Json facts = {{"input", options.input.path}, {"method", options.method}};
  const std::string geodesic = subject.distances ? subject.distances->geodesic() : std::string();
  facts["geodesic"] = geodesic.empty() ? options.geodesic : geodesic;
  if (subject.distances) facts["landmarks"] = subject.distances->landmarks();
  facts.update(embedding_facts(embedding, quality));
  facts["outputs"] = options.outputs;
  if (!options.coloured.empty()) facts["outputs"].push_back(options.coloured);
  facts["notes"] = subject.notes;
  facts["seconds"] = {{"total", total.seconds()},
                      {"build", subject.build_seconds},
                      {"scaling", scaling_seconds},
                      {"write", write_seconds},
                      {"stress", measuring.seconds()}};
  if (subject.peak_bytes > 0) facts["build_peak_bytes"] = subject.peak_bytes;
  if (options.json) return print_json(facts);
  if (options.quiet) return;
  std::cout << embedding_text(embedding, quality);
  for (const auto& path : facts["outputs"]) std::cout << "wrote " << path.get<std::string>() << '\n';
  std::cout << duration(facts["seconds"]["total"]) << ", of them " << duration(subject.build_seconds)
            << " to build and " << duration(scaling_seconds) << " to scale\n";
}

std::string method_help() {
  std::string help = "How the distances are scaled:";
  for (const Named<Method>& one : methods) help += text("\n  ", one.name, ": ", one.description);
  return help;
}

}  // namespace

void add_embed_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("embed", "Lay a shape out in few dimensions: its canonical form");
  command->footer(explanation);
  add_input_options(*command, "INPUT", options->input);
  command
      ->add_option("-o,--output", options->outputs,
                   "Where to write the form: .ply, .npy, .csv or .png; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--coloured", options->coloured,
                      "Where to write the original shape in canonical colours");
  command->add_option("--up", options->up, "The axis that points up in the picture of --coloured: x, y or z")
      ->capture_default_str();
  command->add_option("-d,--dimensions", options->dimensions, "How many axes")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--method", options->method, method_help())->capture_default_str();
  command
      ->add_option("-l,--landmarks", options->landmarks,
                   "For a shape: how many landmarks; 0: a fifth of the vertices, from 50 to 1,000")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_option("-p,--nonzeros", options->nonzeros, "For a shape: landmarks each vertex draws on")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--geodesic", options->geodesic, "How distances are measured; see 'distances --help'")
      ->capture_default_str();
  command->add_option("--shape", options->shape.path,
                      "The shape of a .geodome file that was made without it");
  command
      ->add_option(
          "--stress-rows", options->stress_rows,
          "Rows of fresh distances to measure the stress with; all of them up to 2,000 vertices; 0: none")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_flag(
      "--compare-exact", options->compare_exact,
      "Also say how much the stress is above that of exact scaling (always up to 2,000 vertices)");
  command->add_option("--memory", options->memory, "Gigabytes that bmds, exact and --compare-exact may hold")
      ->capture_default_str()
      ->check(gigabytes());
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
