/// Times farthest-point landmarks: bench_landmarks [MESH] [--landmarks L …] [--subdivide K]

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <exception>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/geodesic/surface.h"
#include "geodome/landmark/cover.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/resample/subdivide.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TriangleMesh load(const std::string& path, int subdivisions) {
  const Shape shape = path.empty() ? Shape(make_sphere(150)) : read_shape(path);
  if (!std::holds_alternative<TriangleMesh>(shape))
    throw InputError(path + " is a " + kind_name(shape) + ", not a triangle mesh");
  return std::get<TriangleMesh>(subdivide(shape, subdivisions, false));
}

void measure(const TriangleMesh& mesh, Index count) {
  const double begin = cpu_seconds();
  const auto cover = make_surface_cover(prepare_surface(mesh));
  const double prepared = cpu_seconds();
  LandmarkOptions options;
  options.count = count;
  const Landmarks landmarks = choose_landmarks(*cover, options, Execution{1, {}});
  const double end = cpu_seconds();
  std::printf("| %s | %d | %s | %.2f | %.2f | %.6g |\n", grouped(mesh.points.rows()).c_str(),
              static_cast<int>(landmarks.components), grouped(count).c_str(), prepared - begin,
              end - prepared, landmarks.cover_radius.back());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times farthest-point landmarks on a triangle mesh: CPU seconds on one thread.");
  std::string path;
  std::vector<Index> counts{1000, 10000};
  int subdivisions = 0;
  app.add_option("mesh", path, "A triangle mesh in any format; default: a sphere of 225,002 vertices");
  app.add_option("--landmarks", counts, "Numbers of landmarks")->capture_default_str();
  app.add_option("--subdivide", subdivisions, "Number of midpoint subdivisions before measuring")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const TriangleMesh mesh = load(path, subdivisions);
    std::printf(
        "| vertices | components | landmarks | set-up, CPU s | selection, CPU s | cover radius |\n"
        "|---|---|---|---|---|---|\n");
    for (const Index count : counts) measure(mesh, count);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_landmarks: %s\n", error.what());
    return 2;
  }
}
