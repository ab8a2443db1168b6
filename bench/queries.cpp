/// Times queries of a matrix P W Pᵀ: bench_queries [MESH] [--landmarks L] [--nonzeros P], or --file
/// FILE.geodome

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/matrix/search.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// CPU seconds of one call on one thread: the minimum of five, as other work on the machine only adds to it.
template <typename Work>
double seconds(Work&& work) {
  double least = infinity;
  for (int trial = 0; trial < 5; ++trial) {
    const double begin = cpu_seconds();
    work();
    least = std::min(least, cpu_seconds() - begin);
  }
  return least;
}

TriangleMesh load(const std::string& path) {
  const Shape shape = path.empty() ? Shape(make_sphere(150)) : clean_shape(read_shape(path)).shape;
  if (!std::holds_alternative<TriangleMesh>(shape))
    throw InputError(path + " is a " + kind_name(shape) + ", not a triangle mesh");
  return std::get<TriangleMesh>(shape);
}

struct Recipe {
  Index landmarks = 1000;
  Index nonzeros = 50;
  std::string precision = "float32";
  bool intrinsic_delaunay = false;
};

SparseLandmarkMatrix build(const TriangleMesh& mesh, const Recipe& recipe) {
  const auto vertices = static_cast<Index>(mesh.points.rows());
  LandmarkOptions options;
  options.count = recipe.landmarks;
  OrderedLandmarks landmarks =
      order_landmarks(make_adjacency(vertices, face_edges(mesh)), choose_landmarks(mesh, options).vertices);
  LaplacianOptions flips;
  flips.intrinsic_delaunay = recipe.intrinsic_delaunay;
  const SparseRows P = interpolation_operator(laplacian(mesh, flips), landmarks.vertices, landmarks.cell,
                                              {.nonzeros = recipe.nonzeros})
                           .P;
  const Precision precision = recipe.precision == "uint16"    ? Precision::uint16
                              : recipe.precision == "float64" ? Precision::float64
                                                              : Precision::float32;
  LandmarkDistances W = landmark_distances(*make_solver(mesh), landmarks, {precision});
  return make_sparse_landmark_matrix(std::move(landmarks), P, std::move(W), DistanceKind::distance,
                                     weight_precision(precision));
}

struct Pairs {
  std::vector<Index> I, J;
};

Pairs random_pairs(Index size, std::size_t count) {
  std::mt19937 random(1);
  std::uniform_int_distribution<Index> vertex(0, size - 1);
  Pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    pairs.I.push_back(vertex(random));
    pairs.J.push_back(vertex(random));
  }
  return pairs;
}

/// A thousand pairs within a spacing of each of 50 vertices.
Pairs near_pairs(const NearField& exact, const Pairs& pairs) {
  std::mt19937 random(2);
  Pairs near;
  for (std::size_t k = 0; k < 50; ++k) {
    const Index source = pairs.I[k];
    const auto around = exact.within(source, exact.matrix().spacing(exact.matrix().component(source)));
    for (int pair = 0; around && pair < 1000; ++pair) {
      near.I.push_back(source);
      near.J.push_back((*around)[random() % around->size()].vertex);
    }
  }
  return near;
}

template <typename Work>
std::string per_second(const Pairs& pairs, Work&& work) {
  return grouped(static_cast<std::int64_t>(static_cast<double>(pairs.I.size()) / seconds(work)));
}

/// Milliseconds of `work`, which does `total` of something.
template <typename Work>
std::string milliseconds(std::size_t total, Work&& work) {
  char printed[32];
  std::snprintf(printed, sizeof printed, "%.3g ms", 1e3 * seconds(work) / static_cast<double>(total));
  return printed;
}

/// A row of the table: of the entries of P W Pᵀ, with near distances estimated, and with exact ones.
void print(const char* what, const std::string& raw, const std::string& estimated, const std::string& exact) {
  std::printf("| %s | %s | %s | %s |\n", what, raw.c_str(), estimated.c_str(), exact.c_str());
  std::fflush(stdout);
}

void measure(const LandmarkMatrix& matrix, const TriangleMesh& mesh) {
  const Execution one{1, {}};
  const Pairs pairs = random_pairs(matrix.size(), 300000);
  const NearField field(matrix, mesh.points);
  const auto shape = std::make_shared<const Shape>(mesh);
  const NearField exact(matrix, mesh.points, QueryMode::near_field,
                        std::make_shared<const LazyNearShape>([shape] { return near_shape(shape, {}); }));
  std::printf("\n| | raw | `--near blend` | `--near exact` |\n|---|---|---|---|\n");
  print("random pairs per second", per_second(pairs, [&] { matrix.entries(pairs.I, pairs.J, one); }),
        per_second(pairs, [&] { field.query(pairs.I, pairs.J, one); }),
        per_second(pairs, [&] { exact.query(pairs.I, pairs.J, one); }));
  const Pairs near = near_pairs(exact, pairs);
  print("pairs within one spacing per second, 1,000 per vertex", "", "",
        per_second(near, [&] { exact.query(near.I, near.J, one); }));
  const auto rows_of = [&](const auto& field_of) {
    return milliseconds(10, [&] {
      for (std::size_t k = 0; k < 10; ++k) field_of(pairs.I[k]);
    });
  };
  print("a row", rows_of([&](Index v) { matrix.rows(std::array{v}, one); }),
        rows_of([&](Index v) { field.row(v, one); }), rows_of([&](Index v) { exact.row(v, one); }));
  print("a row, 64 together", milliseconds(64, [&] { matrix.rows(std::span(pairs.I).first(64), one); }), "",
        "");
  const RowMatrix<double> X = RowMatrix<double>::Random(matrix.size(), 1);
  print("a product with a vector", milliseconds(1, [&] { matrix.apply(X, 0, one); }), "", "");
  const NeighbourSearch search(field);
  const auto nearest_of = [&](const auto& searched) {
    return milliseconds(200, [&] {
      for (std::size_t k = 0; k < 200; ++k) searched.nearest(pairs.I[k], 10);
    });
  };
  print("the ten nearest vertices", "", nearest_of(search), nearest_of(exact));
  print("preparation at first use", "",
        milliseconds(1, [&] { NeighbourSearch{field}; }) + " (neighbours only)",
        milliseconds(1, [&] { near_shape(shape, {}); }));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times queries of a compact matrix: CPU time on one thread.");
  std::string path, file;
  Recipe recipe;
  app.add_option("mesh", path, "A triangle mesh in any format; default: a sphere of 225,002 vertices");
  app.add_option("--landmarks", recipe.landmarks, "Number of landmarks")->capture_default_str();
  app.add_option("--nonzeros", recipe.nonzeros, "Nonzeros per row of P")->capture_default_str();
  app.add_option("--precision", recipe.precision, "How W is stored")
      ->check(CLI::IsMember({"float32", "uint16", "float64"}))
      ->capture_default_str();
  app.add_flag("--intrinsic-delaunay", recipe.intrinsic_delaunay,
               "Flip edges, for meshes with bad triangles");
  app.add_option("--file", file, "A .geodome file with a triangle mesh, instead of building a matrix");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!file.empty()) {
      const MatrixFile opened = MatrixFile::open(file);
      const std::optional<Shape> shape = opened.shape();
      const LandmarkMatrix* matrix = opened.matrix().landmark_matrix();
      if (matrix == nullptr || !shape || !std::holds_alternative<TriangleMesh>(*shape))
        throw InputError(file + " does not contain a matrix P W Pᵀ and a triangle mesh");
      std::printf("%s vertices in %d components, %s landmarks, %.2f MB\n", grouped(matrix->size()).c_str(),
                  matrix->components(),
                  grouped(static_cast<std::int64_t>(matrix->landmarks().size())).c_str(),
                  static_cast<double>(matrix->bytes()) / 1e6);
      measure(*matrix, std::get<TriangleMesh>(*shape));
      return 0;
    }
    const TriangleMesh mesh = load(path);
    const double begin = cpu_seconds();
    const SparseLandmarkMatrix matrix = build(mesh, recipe);
    std::printf(
        "%s vertices in %d components, %s landmarks, %.1f nonzeros per row, W in %s, %.2f MB, built in %.1f "
        "s\n",
        grouped(matrix.size()).c_str(), matrix.components(), grouped(recipe.landmarks).c_str(),
        static_cast<double>(matrix.nonzeros()) / static_cast<double>(matrix.size()), recipe.precision.c_str(),
        static_cast<double>(matrix.bytes()) / 1e6, cpu_seconds() - begin);
    measure(matrix, mesh);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_queries: %s\n", error.what());
    return 2;
  }
}
