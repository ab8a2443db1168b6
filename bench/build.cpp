/// Builds the sparse matrix P W Pᵀ of a mesh (sbha) and writes the data that bench/build.py compares:
/// bench_build [MESH] [--landmarks L] [--nonzeros P] [--threads N ...] [--dump FOLDER]

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"

namespace {

using namespace geodome;
using namespace geodome::internal;
using Json = nlohmann::ordered_json;

struct Options {
  std::string mesh;
  std::string dump;
  std::vector<int> threads{1, 2};
  BuildOptions build;
  Index exact_rows = 5;
};

TriangleMesh load(const std::string& path) {
  const Shape shape = path.empty() ? Shape(make_sphere(110)) : clean_shape(read_shape(path)).shape;
  if (!std::holds_alternative<TriangleMesh>(shape))
    throw InputError(path + " is a " + kind_name(shape) + ", not a triangle mesh");
  return std::get<TriangleMesh>(shape);
}

struct Stopwatch {
  std::chrono::steady_clock::time_point wall = std::chrono::steady_clock::now();
  std::clock_t processor = std::clock();

  Json read() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - wall;
    return {{"wall", passed.count()},
            {"cpu", static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC}};
  }
};

/// One build, timed.
Build run(const Shape& shape, const Options& options, int threads, Json& report) {
  const Execution execution{threads, {}};
  const Stopwatch whole;
  Build result = build_matrix(shape, options.build, execution);
  Json row{{"threads", threads}, {"build", whole.read()}};
  for (const BuildStage& stage : result.summary.stages) row["stages"][stage.name] = stage.seconds;
  row["peak_bytes"] = result.summary.peak_bytes;
  report["runs"].push_back(row);
  return result;
}

/// Writes rows of a few landmarks, from the matrix and exact, and the input to compute them by other methods.
void dump(const TriangleMesh& mesh, const LandmarkMatrix& matrix, const Options& options) {
  const std::span<const Index> landmarks = matrix.landmarks();
  const auto rows = static_cast<std::size_t>(options.exact_rows);
  std::vector<Index> sources;
  for (std::size_t k = 0; k < rows; ++k) sources.push_back(landmarks[k * landmarks.size() / rows]);
  GeodesicOptions exact;
  exact.method = GeodesicMethod::exact;
  RowMatrix<double> K(static_cast<Eigen::Index>(rows), matrix.size());
  make_solver(mesh, exact)->distances(sources, K);
  const RowMatrix<double> ours = matrix.distance_rows(sources);
  const auto column = [](std::span<const Index> numbers) {
    return RowMatrix<std::int32_t>(Eigen::Map<const Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1>>(
        numbers.data(), static_cast<Eigen::Index>(numbers.size())));
  };
  write_npy(mesh.points, options.dump + "/points.npy");
  write_npy(RowMatrix<std::int32_t>(mesh.triangles), options.dump + "/triangles.npy");
  write_npy(column(sources), options.dump + "/sources.npy");
  write_npy(column(landmarks), options.dump + "/landmarks.npy");
  write_npy(K, options.dump + "/exact.npy");
  write_npy(ours, options.dump + "/ours.npy");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Builds the sparse matrix P W P^T of a triangle mesh.");
  Options options;
  options.build.method = Method::sbha;
  options.build.certificate_rows = 0;  // the paper's steps do not measure their error either
  options.build.landmarks.count = 1000;
  app.add_option("mesh", options.mesh,
                 "A triangle mesh in any format; default: a sphere of 121,002 vertices");
  app.add_option("--landmarks", options.build.landmarks.count, "Number of landmarks")->capture_default_str();
  app.add_option("--nonzeros", options.build.interpolation.nonzeros, "Nonzeros per row of P")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Numbers of threads, such as 1,2")
      ->capture_default_str()
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--exact-rows", options.exact_rows, "Rows compared with exact distances")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--dump", options.dump, "Write the mesh, landmarks and rows to this folder");
  CLI11_PARSE(app, argc, argv);
  try {
    const TriangleMesh mesh = load(options.mesh);
    Json report{{"mesh", options.mesh.empty() ? "sphere" : options.mesh}};
    Build last;
    for (const int threads : options.threads) last = run(mesh, options, threads, report);
    report["vertices"] = last.matrix->size();
    report["landmarks"] = last.summary.landmarks;
    report["nonzeros"] = options.build.interpolation.nonzeros;
    report["geodesic"] = last.summary.geodesic;
    report["bytes"] = last.matrix->bytes();
    if (!options.dump.empty()) dump(mesh, *last.matrix->landmark_matrix(), options);
    std::printf("%s\n", report.dump(2).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_build: %s\n", error.what());
    return 2;
  }
}
