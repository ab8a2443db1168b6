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
#include "support/ranks.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* embed_explanation =
    R"(Embeds the shape in few dimensions such that Euclidean distances approximate
geodesic distances (classical multidimensional scaling). In three dimensions the
result is the canonical form. It hardly changes when the shape bends: different
poses of an animal have similar canonical forms.

INPUT is a shape or a .geodome file. A .geodome file written by 'geodome build'
saves the time of the build. For files of the methods ctg and spectrometer, all
distances are computed once, and kept in memory if --memory permits.

The extension determines the output:
  -o          .ply         the canonical form with the faces of the shape;
                           coordinates are also stored as colours
              .png         an image of the canonical form
              .npy, .csv   coordinates, one row per vertex
  --coloured  .ply, .obj, .off, .png
                           the original shape, coloured by the canonical
                           coordinates (red, green, blue)

Printed:
  eigenvalues     sum over the vertices of the squared coordinate on each axis
  negative share  deviation of the distances from Euclidean distances; 0 if
                  they are Euclidean
  stress          the error ||ZZ' + JEJ/2|| with respect to newly computed
                  geodesic distances; normalised: 0 for a perfect embedding,
                  1 for a single point
  model stress    the same with respect to the approximate distances

Examples:
  geodome embed cat.ply -o cat_form.ply --coloured cat_colours.ply
  geodome build dragon.ply -o dragon.geodome && \
    geodome embed dragon.geodome -o form.ply
  geodome embed brain.obj -o z.npy --method bmds --landmarks 500 --compare-exact
  geodome embed small.off -o z.csv --method exact --dimensions 2 --json)";

enum class EmbedMethod { cell, sbmds, bmds, exact };

constexpr Named<EmbedMethod> embed_methods[] = {
    {EmbedMethod::cell, "cell", "Lanczos iteration on the cell-coded matrix P W Pᵀ; for shapes of any size"},
    {EmbedMethod::sbmds, "sbmds", "the same with sparse, biharmonic P (sbha)"},
    {EmbedMethod::bmds, "bmds", "QR decomposition of the dense P; stores vertices x landmarks numbers"},
    {EmbedMethod::exact, "exact", "uses all exact distances; stores vertices x vertices numbers"}};

struct EmbedArguments : CommonOptions {
  InputOptions input;
  InputOptions shape;  ///< for a file without one
  std::vector<std::string> outputs;
  std::string coloured;
  std::string up = "z";
  std::string method = "cell", geodesic = "auto";
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

Subject use_file(const EmbedArguments& options, MatrixInput input) {
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

geodome::Method build_method(EmbedMethod method) {
  if (method == EmbedMethod::bmds) return geodome::Method::bha;
  return method == EmbedMethod::sbmds ? geodome::Method::sbha : geodome::Method::cell;
}

Subject build_shape(const EmbedArguments& options, EmbedMethod method, const Execution& execution) {
  CleanShape clean = load_clean_shape(options.input);
  Subject subject;
  subject.notes = clean.notes;
  subject.paths.seed = options.seed;
  require_dimensions(options.dimensions, vertex_count(clean.shape));
  if (method == EmbedMethod::exact) {
    subject.shape = std::make_shared<const Shape>(std::move(clean.shape));
    return subject;
  }
  require_blas_memory();
  BuildOptions build_options;
  build_options.method = build_method(method);
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
std::unique_ptr<GeodesicSolver> fresh_solver(const Subject& subject, const EmbedArguments& options,
                                             const Execution& execution) {
  GeodesicOptions geodesic = subject.paths;
  geodesic.method = geodesic_method(options.geodesic);
  return make_solver(*subject.shape, geodesic, execution);
}

Embedding scale(const Subject& subject, const EmbedArguments& options, const EmbeddingOptions& how,
                const Execution& execution) {
  if (!subject.distances) return embed_exactly(*fresh_solver(subject, options, execution), how, execution);
  return subject.distances->embed(how, execution);
}

EmbeddingQuality measure(const Subject& subject, const EmbedArguments& options,
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

UpAxis up_axis(const EmbedArguments& options) {
  return choice_of(std::span<const Named<UpAxis>>(axes), options.up, "axis");
}

void check(const EmbedArguments& options) {
  up_axis(options);
  if (options.outputs.empty() && options.coloured.empty() && !options.json)
    throw InputError("no output: pass -o FILE, --coloured FILE or --json");
  for (const std::string& path : options.outputs) require_embedding_extension(path, false);
  if (!options.coloured.empty()) require_embedding_extension(options.coloured, true);
  std::vector<std::string> written = options.outputs;
  written.push_back(options.coloured);
  for (const std::string& path : written) require_output(path, {options.input.path, options.shape.path});
  require_distinct_outputs(written);
  if (options.stress_rows == 1) throw InputError("--stress-rows must be 0 (no stress) or at least 2, got 1");
}

void run(const EmbedArguments& options) {
  const Stopwatch total;
  check(options);
  const EmbedMethod method =
      choice_of(std::span<const Named<EmbedMethod>>(embed_methods), options.method, "method");
  const Execution execution = make_execution(options);
  auto file = open_if_matrix(options.input.path);
  const bool from_file = file.has_value();
  if (file && method == EmbedMethod::exact)
    throw InputError(
        text("'", options.input.path, "' contains approximate distances: --method exact requires the shape"));
  Subject subject = file ? use_file(options, std::move(*file)) : build_shape(options, method, execution);
  if (subject.distances) subject.squared = squared_matrix(subject.distances->shared_matrix());
  if (!options.quiet && !options.json)
    for (const std::string& note : subject.notes) std::cerr << "note: " << note << '\n';

  EmbeddingOptions embedding_options;
  embedding_options.dimensions = options.dimensions;
  embedding_options.seed = options.seed;
  embedding_options.memory_bound = static_cast<std::int64_t>(options.memory * 1e9);
  if (method == EmbedMethod::bmds) embedding_options.method = ScalingMethod::qr;
  const Stopwatch scaling;
  const Embedding embedding = scale(subject, options, embedding_options, execution);
  const double scaling_seconds = scaling.seconds();
  const Stopwatch writing;
  const Shape* shape = subject.shape.get();
  write_once([&] {
    for (const std::string& path : options.outputs) write_form(path, embedding, shape);
    if (!options.coloured.empty()) write_coloured(options.coloured, embedding, shape, up_axis(options));
  });
  const double write_seconds = writing.seconds();
  const Stopwatch measuring;
  const EmbeddingQuality quality = measure(subject, options, embedding_options, embedding, execution);

  Json facts = {{"input", options.input.path}, {"method", options.method}};
  if (from_file && method != EmbedMethod::bmds)
    facts["method"] = subject.distances->method() == "cell" ? "cell" : "sbmds";
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
  std::cout << duration(facts["seconds"]["total"]) << " in total: build " << duration(subject.build_seconds)
            << ", scaling " << duration(scaling_seconds) << '\n';
}

std::string embed_method_help() {
  std::string help = "Method:";
  for (const Named<EmbedMethod>& one : embed_methods) help += text("\n  ", one.name, ": ", one.description);
  return help;
}

}  // namespace

void add_embed_command(CLI::App& app) {
  auto options = std::make_shared<EmbedArguments>();
  CLI::App* command = app.add_subcommand("embed", "Embed a shape in few dimensions (canonical form)");
  command->footer(embed_explanation);
  add_input_options(*command, "INPUT", options->input);
  command
      ->add_option("-o,--output", options->outputs,
                   "Output file of the canonical form: .ply, .npy, .csv or .png; can be repeated")
      ->allow_extra_args(false);
  command->add_option(
      "--coloured", options->coloured,
      "Output file of the original shape, coloured by canonical coordinates: .ply, .obj, .off or .png");
  command->add_option("--up", options->up, "Axis that points up in the image of --coloured: x, y or z")
      ->capture_default_str();
  command->add_option("-d,--dimensions", options->dimensions, "Number of dimensions of the embedding")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--method", options->method, embed_method_help())->capture_default_str();
  command
      ->add_option("-l,--landmarks", options->landmarks,
                   "If INPUT is a shape: number of landmarks; 0: a fifth of the vertices, at least 50 and at "
                   "most 1,000")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      ->add_option("-p,--nonzeros", options->nonzeros,
                   "If INPUT is a shape: nonzero weights per vertex (row of P) of sbmds, which this selects "
                   "unless --method is given")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--geodesic", options->geodesic, "Geodesic method; see 'geodome distances --help'")
      ->capture_default_str();
  command->add_option("--shape", options->shape.path, "The shape, if the .geodome file does not contain it");
  command
      ->add_option("--stress-rows", options->stress_rows,
                   "Number of rows of newly computed distances that the stress is estimated from; up to "
                   "2,000 vertices "
                   "all rows are used; 0: no stress")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_flag(
      "--compare-exact", options->compare_exact,
      "Also print the difference to the stress of exact scaling (up to 2,000 vertices it is always printed)");
  command
      ->add_option("--memory", options->memory,
                   "Memory limit in gigabytes: of bmds, exact, --compare-exact, and the stored distances of "
                   "ctg and spectrometer files")
      ->capture_default_str()
      ->check(gigabytes());
  add_common_options(*command, *options);
  command->callback([options, command] {
    if (command->get_option("--nonzeros")->count() > 0) {
      if (command->get_option("--method")->count() == 0) options->method = "sbmds";
      if (options->method != "sbmds")
        throw InputError(text("--nonzeros applies to the method sbmds, not to ", options->method));
    }
    run(*options);
  });
}

}  // namespace geodome::cli
