/// Cost per source of SpectroMeter, given the eigenvectors, and of the heat method, and their errors relative
/// to exact distances: bench_spectrometer MESH [--eigenvectors K ...] [--landmarks L ...]

#include <CLI/CLI.hpp>
#include <Eigen/Geometry>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <numeric>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/baselines/spectrometer.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/heat.h"
#include "geodome/landmark/landmark_order.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

struct Options {
  std::string mesh;
  std::vector<Index> eigenvectors{100, 200}, landmarks{100, 200, 400};
  Index sources = 100;
};

TriangleMesh load(const std::string& path) {
  const Shape shape = clean_shape(read_shape(path)).shape;
  if (!std::holds_alternative<TriangleMesh>(shape))
    throw InputError(path + " is a " + kind_name(shape) + ", not a triangle mesh");
  return std::get<TriangleMesh>(shape);
}

/// Two faces of each landmark's cell, or all faces where there are no landmarks.
SampledPlaces sample_faces(const TriangleMesh& mesh, const Adjacency& edges, Index landmarks) {
  std::vector<double> area;
  std::vector<Index> cell(static_cast<std::size_t>(mesh.triangles.rows()), 0);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const Eigen::RowVector3d a = mesh.points.row(mesh.triangles(f, 0));
    area.push_back(
        (mesh.points.row(mesh.triangles(f, 1)) - a).cross(mesh.points.row(mesh.triangles(f, 2)) - a).norm() /
        2);
  }
  if (landmarks == 0) return sample_places(area, cell, std::numeric_limits<Index>::max());
  LandmarkOptions options;
  options.count = landmarks;
  const OrderedLandmarks ordered = order_landmarks(edges, choose_landmarks(mesh, options).vertices);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) cell[f] = ordered.cell[mesh.triangles(f, 0)];
  return sample_places(area, cell, 2);
}

/// Milliseconds of processor time that `work` takes for each source.
template <typename Work>
double milliseconds(std::size_t sources, const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / static_cast<double>(sources);
}

double relative_error(const RowMatrix<double>& rows, const RowMatrix<double>& exact) {
  return (rows - exact).squaredNorm() / exact.squaredNorm();
}

void print(const std::string& name, double milliseconds, double error) {
  std::printf("| %s | %.3g | %.2g |\n", name.c_str(), milliseconds, error);
  std::fflush(stdout);
}

void run(const Options& options) {
  const TriangleMesh mesh = load(options.mesh);
  const auto n = static_cast<Index>(mesh.points.rows());
  const Adjacency edges = make_adjacency(n, face_edges(mesh));
  if (find_components(edges).count != 1) throw InputError(options.mesh + " has several components");
  std::vector<Index> sources;
  for (Index s = 0; s < options.sources; ++s)
    sources.push_back(static_cast<Index>(std::int64_t{s} * n / options.sources));
  const Execution alone{1, {}};
  RowMatrix<double> exact(options.sources, n), found(options.sources, n);
  ExactSolver(mesh).distances(sources, exact);

  std::printf("| %s vertices, %d sources, one thread | CPU ms per source | ε |\n|---|---|---|\n",
              grouped(n).c_str(), static_cast<int>(options.sources));
  const HeatSolver heat(mesh);
  const double heat_time = milliseconds(sources.size(), [&] { heat.distances(sources, found, alone); });
  print("heat method", heat_time, relative_error(found, exact));
  std::vector<Index> row(static_cast<std::size_t>(n));
  std::iota(row.begin(), row.end(), 0);
  for (const Index k : options.eigenvectors) {
    const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), k);
    std::vector<Index> landmarks = options.landmarks;
    landmarks.push_back(0);
    for (const Index l : landmarks) {
      const SampledPlaces faces = sample_faces(mesh, edges, l);
      if (static_cast<Index>(faces.place.size()) < k) continue;
      const FaceGradients gradients(mesh, faces, pairs.vectors, row);
      const Spectrometer meter(pairs, gradients);
      Eigen::MatrixXd c;
      const double time = milliseconds(sources.size(), [&] { c = meter.coefficients(sources); });
      found = (pairs.vectors * c).transpose();
      for (std::size_t s = 0; s < sources.size(); ++s) {
        const auto r = static_cast<Eigen::Index>(s);
        found.row(r).array() -= found(r, sources[s]);
      }
      print(text(k, " eigenvectors, ", grouped(static_cast<std::int64_t>(faces.place.size())), " faces"),
            time, relative_error(found, exact));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Cost per source and error of SpectroMeter, compared with the heat method.");
  Options options;
  app.add_option("mesh", options.mesh, "A triangle mesh of one component, in any format")->required();
  app.add_option("--eigenvectors", options.eigenvectors, "Numbers of eigenvectors, such as 100,200")
      ->delimiter(',');
  app.add_option("--landmarks", options.landmarks,
                 "Numbers of landmarks, with two faces each, such as 100,200,400; all faces are run last")
      ->delimiter(',');
  app.add_option("--sources", options.sources, "Number of sources")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_spectrometer: %s\n", error.what());
    return 2;
  }
}
