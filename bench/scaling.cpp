/// Stress of canonical forms for several numbers of landmarks, compared with exact scaling:
/// bench_scaling MESH [--landmarks L ...]

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <exception>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/embedding/embedding.h"
#include "geodome/embedding/stress.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Options {
  std::string path;
  std::vector<Index> landmarks = {50, 100, 200, 400, 800};
  Index nonzeros = 50;
  double memory = 4;
};

struct Bench {
  Shape shape;
  const FullMatrix& squared;
  EmbeddingOptions embedding;
  StressOptions stress_options;
  double exact = 0;

  double stress_of(const Embedding& form) const {
    return stress(form.Z, form.component, squared_rows(squared), stress_options).value;
  }

  void row(const char* name, Method method, Index landmarks, Index nonzeros) const {
    BuildOptions options;
    options.method = method;
    options.landmarks.count = landmarks;
    options.interpolation.nonzeros = nonzeros;
    options.kind = DistanceKind::squared;
    const double begin = cpu_seconds();
    const Build built = build_matrix(shape, options);
    const double built_at = cpu_seconds();
    EmbeddingOptions scaling = embedding;
    if (method == Method::bha) scaling.method = ScalingMethod::qr;
    const Embedding form = embed(*built.matrix, scaling);
    const double embedded_at = cpu_seconds();
    const double measured = stress_of(form);
    std::printf("| %s | %d | %.6g | %.3g | %.2f | %.2f | %.2f |\n", name, landmarks, measured,
                measured - exact, built_at - begin, embedded_at - built_at,
                static_cast<double>(built.matrix->bytes()) / 1e6);
    std::fflush(stdout);
  }
};

void run(const Options& options) {
  const Shape shape =
      options.path.empty() ? Shape(make_torus(60, 30)) : clean_shape(read_shape(options.path)).shape;
  const auto solver = make_solver(shape);
  double begin = cpu_seconds();
  const auto bound = static_cast<std::int64_t>(options.memory * 1e9);
  const FullMatrix squared = full_matrix(*solver, DistanceKind::squared, bound);
  const double distance_seconds = cpu_seconds() - begin;
  Bench bench{shape, squared, {}, {}, 0};
  bench.embedding.memory_bound = bound;
  bench.stress_options.exact_up_to = squared.size();
  bench.stress_options.memory_bound = bound;
  begin = cpu_seconds();
  const Embedding exact = embed(squared, bench.embedding);
  const double scaling_seconds = cpu_seconds() - begin;
  bench.exact = bench.stress_of(exact);
  const double whole =
      bench.exact / stress(exact.Z, exact.component, squared_rows(squared), bench.stress_options).normalised;
  std::printf(
      "%s vertices. The exact solution has a normalised stress of %.4f and a negative share of %.3f.\n\n",
      grouped(squared.size()).c_str(), bench.exact / whole, exact.components[0].negative_share);
  std::printf(
      "| method | landmarks | stress | above exact | build, s | scaling, s | matrix, MB |\n"
      "|---|---|---|---|---|---|---|\n"
      "| exact | | %.6g | 0 | %.2f | %.2f | %.2f |\n",
      bench.exact, distance_seconds, scaling_seconds, static_cast<double>(squared.bytes()) / 1e6);
  for (const Index landmarks : options.landmarks) {
    bench.row("BMDS", Method::bha, landmarks, options.nonzeros);
    bench.row("sBMDS", Method::sbha, landmarks, options.nonzeros);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Stress of canonical forms for several numbers of landmarks; times are CPU seconds");
  app.add_option("MESH", options.path, "A shape; default: a torus");
  app.add_option("--landmarks", options.landmarks)->capture_default_str();
  app.add_option("--nonzeros", options.nonzeros)->capture_default_str();
  app.add_option("--memory", options.memory, "Memory limit for all distances, in gigabytes")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_scaling: %s\n", error.what());
    return 1;
  }
  return 0;
}
