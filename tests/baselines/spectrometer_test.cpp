#include "geodome/baselines/spectrometer_matrix.h"

#include <cmath>
#include <limits>
#include <random>

#include "baselines/baseline_cases.h"
#include "geodome/geodesic/heat.h"
#include "geodome/laplacian/assembly.h"

namespace geodome::internal {
namespace {

constexpr Index all_of_them = std::numeric_limits<Index>::max();

/// Every face of a mesh in one group.
SampledPlaces sampled_faces(const TriangleMesh& mesh, Index each) {
  std::vector<double> area;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f)
    area.push_back(triangle_shape(mesh.points.row(mesh.triangles(f, 0)),
                                  mesh.points.row(mesh.triangles(f, 1)),
                                  mesh.points.row(mesh.triangles(f, 2)))
                       .area);
  return sample_places(area, std::vector<Index>(area.size(), 0), each);
}

/// Rows of distances, as the heat method shifts them.
RowMatrix<double> spectral_rows(const TriangleMesh& mesh, const Eigenpairs& pairs, Index faces,
                                const SpectrometerOptions& options, std::span<const Index> sources) {
  const FaceGradients gradients(mesh, sampled_faces(mesh, faces), pairs.vectors,
                                everything(static_cast<Index>(mesh.points.rows())));
  RowMatrix<double> rows =
      (pairs.vectors * Spectrometer(pairs, gradients, options).coefficients(sources)).transpose();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    auto row = rows.row(static_cast<Eigen::Index>(s));
    row = (row.array() - row[sources[s]]).cwiseMax(0.0).eval();
  }
  return rows;
}

TEST(SamplePlaces, KeepTheWholeAndTakeEvenly) {
  std::mt19937 random(3);
  std::vector<double> weight;
  std::vector<Index> group;
  std::vector<double> whole(4, 0);
  for (int p = 0; p < 200; ++p) {
    weight.push_back(p % 9 == 0 ? 0 : 1 + static_cast<double>(random() % 100));
    group.push_back(static_cast<Index>(random() % 5) - 1);
    if (group.back() >= 0) whole[group.back()] += weight.back();
  }
  for (const Index each : {1, 2, 7, 30, all_of_them}) {
    const SampledPlaces sampled = sample_places(weight, group, each);
    std::vector<double> sum(4, 0);
    std::vector<Index> count(4, 0);
    for (std::size_t s = 0; s < sampled.place.size(); ++s) {
      const Index p = sampled.place[s];
      EXPECT_GT(weight[p], 0);
      if (s > 0) {
        EXPECT_GT(p, sampled.place[s - 1]);
      }
      if (each == all_of_them) {
        EXPECT_EQ(sampled.weight[s], weight[p]);
      }
      sum[group[p]] += sampled.weight[s];
      ++count[group[p]];
    }
    for (std::size_t g = 0; g < 4; ++g) {
      EXPECT_NEAR(sum[g], whole[g], 1e-9 * whole[g]);
      if (each < 30) {
        EXPECT_EQ(count[g], each);
      }
    }
  }
  EXPECT_THROW(sample_places(weight, group, 0), InputError);
  EXPECT_THROW(sample_places(weight, std::vector<Index>(3, 0), 1), InputError);
}

TEST(FaceGradients, OfAllFacesAreTheStiffness) {
  for (const TriangleMesh& mesh : {make_sphere(3), make_plane(7, 6)}) {
    const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), 20);
    const FaceGradients gradients(mesh, sampled_faces(mesh, all_of_them), pairs.vectors,
                                  everything(static_cast<Index>(mesh.points.rows())));
    EXPECT_LE((gradients.stiffness() - Eigen::MatrixXd(pairs.values.asDiagonal())).norm(),
              1e-8 * pairs.values[19]);
  }
}

TEST(Spectrometer, IsTheHeatMethodWithAllEigenvectorsAndFaces) {
  for (const double size : {1e-8, 1.0, 1e8})
    for (TriangleMesh mesh : {make_sphere(4), make_plane(11, 9), make_torus(14, 8)}) {
      mesh.points *= size;
      const HeatSolver heat(mesh, {.intrinsic_delaunay = false});
      const HeatReport& report = heat.report();
      const auto count = static_cast<Index>(mesh.points.rows());
      const std::vector<Index> sources = {0, count / 3, count - 1};
      RowMatrix<double> expected(3, count);
      heat.distances(sources, expected);
      const SpectrometerOptions options{HeatFlow::one_step,
                                        report.time * report.mean_edge * report.mean_edge};
      const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), count);
      EXPECT_LE(difference(spectral_rows(mesh, pairs, all_of_them, options, sources), expected), 1e-6);
    }
}

TEST(Spectrometer, TendsToTheHeatMethodAsEigenvectorsGrow) {
  const TriangleMesh mesh = make_jittered_sphere(5);
  const auto count = static_cast<Index>(mesh.points.rows());
  const HeatSolver heat(mesh, {.intrinsic_delaunay = false});
  const std::vector<Index> sources = {0, 77, 150};
  RowMatrix<double> expected(3, count);
  heat.distances(sources, expected);
  const double edge = heat.report().mean_edge;
  const SpectrometerOptions options{HeatFlow::one_step, heat.report().time * edge * edge};
  double before = infinity;
  for (const Index eigenvectors : {80, 160, 200, 230, count}) {
    const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), eigenvectors);
    const RowMatrix<double> rows = spectral_rows(mesh, pairs, all_of_them, options, sources);
    const double apart = (rows - expected).norm() / expected.norm();
    EXPECT_LT(apart, before) << eigenvectors;
    before = apart;
  }
  EXPECT_LE(before, 1e-6);
}

TEST(Spectrometer, ComesNearTheTruthWithFewOfEither) {
  const TriangleMesh mesh = make_sphere(8);
  const std::vector<Index> sources = {5, 300};
  RowMatrix<double> exact(2, mesh.points.rows());
  make_solver(mesh)->distances(sources, exact);
  double before = infinity;
  for (const Index eigenvectors : {16, 64, 196}) {
    const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), eigenvectors);
    const RowMatrix<double> every = spectral_rows(mesh, pairs, all_of_them, {}, sources);
    const RowMatrix<double> some = spectral_rows(mesh, pairs, 2 * eigenvectors, {}, sources);
    const double error = (every - exact).squaredNorm() / exact.squaredNorm();
    EXPECT_LT(error, before / 2) << eigenvectors;
    before = error;
    EXPECT_LE((some - every).norm(), 0.06 * every.norm()) << eigenvectors;
  }
  EXPECT_LT(before, 4e-3);
}

TEST(Spectrometer, RefusesTimesThatMakeNoSense) {
  const TriangleMesh mesh = make_plane(5, 4);
  const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), 5);
  const FaceGradients gradients(mesh, sampled_faces(mesh, all_of_them), pairs.vectors, everything(20));
  for (const double time : {-1.0, infinity, std::nan("")})
    EXPECT_THROW(Spectrometer(pairs, gradients, {HeatFlow::exponential, time}), InputError);
}

/// A random tree with edges of random length, and some more edges.
Graph random_graph(Index vertices, Index more) {
  std::mt19937 random(8);
  Graph graph;
  graph.vertices = vertices;
  const auto length = [&] { return 0.5 + static_cast<double>(random() % 1000) / 1000; };
  for (Index v = 1; v < vertices; ++v)
    graph.edges.push_back({static_cast<Index>(random() % static_cast<unsigned>(v)), v, length()});
  for (Index e = 0; e < more; ++e)
    graph.edges.push_back({static_cast<Index>(random() % static_cast<unsigned>(vertices)),
                           static_cast<Index>(random() % static_cast<unsigned>(vertices)), length()});
  return graph;
}

/// All that a matrix of a shape of any number of components takes.
SpectrometerMatrix spectrometer_of(const Shape& shape, Index eigenvectors, Index landmarks, Index places,
                                   const SpectrometerOptions& options = {},
                                   DistanceKind kind = DistanceKind::distance) {
  const PathDomain domain = make_path_domain(shape);
  const auto* surface = std::get_if<MeshPaths>(&domain.paths);
  const Adjacency edges = surface != nullptr ? make_adjacency(vertex_count(shape), face_edges(surface->mesh))
                                             : std::get<Adjacency>(domain.paths);
  const Components parts = find_components(edges);
  const Laplacian operators = laplacian(shape);
  const Landmarks chosen = choose_landmarks(domain, {LandmarkMethod::farthest, landmarks, 0, {}});
  return make_spectrometer(spectral_parts(operators, parts.of_vertex, parts.count, eigenvectors),
                           parts.of_vertex, domain, edges, operators, {chosen.vertices, places}, options,
                           kind);
}

Eigen::MatrixXd graph_truth(const Graph& graph) {
  const auto all = everything(graph.vertices);
  return make_solver(graph)->between(all, all);
}

TEST(SpectrometerMatrix, IsExactOnTreesWithAllEigenvectors) {
  for (const Graph& graph : {make_path_graph(15), random_graph(25, 0)})
    for (const double time : {0.5, 5.0}) {
      const SpectrometerMatrix matrix =
          spectrometer_of(graph, graph.vertices, 3, 0, {HeatFlow::one_step, time});
      EXPECT_LE(difference(all_entries(matrix), graph_truth(graph)), 1e-5);
    }
}

TEST(SpectrometerMatrix, WorksOnGraphs) {
  for (const Graph& graph : {make_grid_graph(9, 7), random_graph(80, 60)}) {
    const SpectrometerMatrix matrix = spectrometer_of(graph, 40, 40, 2);
    expect_consistent(matrix, "graph");
    EXPECT_LT(error_of(matrix, graph_truth(graph)), 0.15);
  }
}

TEST(SpectrometerMatrix, AveragesBothDirectionsAndStartsAtZero) {
  const TriangleMesh mesh = make_sphere(4);
  const auto count = static_cast<Index>(mesh.points.rows());
  const Eigenpairs pairs = low_eigenpairs(laplacian(mesh), 50);
  const FaceGradients gradients(mesh, sampled_faces(mesh, all_of_them), pairs.vectors, everything(count));
  const Eigen::MatrixXd one_sided =
      (pairs.vectors * Spectrometer(pairs, gradients).coefficients(everything(count))).transpose();
  const Eigen::MatrixXd shifted = one_sided.colwise() - one_sided.diagonal();
  const SpectrometerMatrix matrix = spectrometer_of(mesh, 50, 20, 0);
  EXPECT_EQ(matrix.eigenvectors(), 50);
  EXPECT_EQ(matrix.bytes(), 8 * 50 * count);
  EXPECT_LE(difference(all_entries(matrix), ((shifted + shifted.transpose()) / 2).cwiseMax(0.0)), 1e-5);
  for (Index v = 0; v < count; ++v) EXPECT_EQ(matrix.entries(std::array{v}, std::array{v})[0], 0);
}

TEST(SpectrometerMatrix, IsSymmetricAndTheSameHoweverItIsAsked) {
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const SpectrometerMatrix matrix = spectrometer_of(one.base.mesh, 60, 30, 2, {}, kind);
      EXPECT_EQ(matrix.kind(), kind);
      EXPECT_TRUE(matrix.quadratic_product());
      expect_consistent(matrix, one.base.name);
      EXPECT_LT(error_of(matrix, truth(one, kind)), 0.05) << one.base.name;
    }
}

TEST(SpectrometerMatrix, RefusesSizesThatDoNotFit) {
  const RowMatrix<float> some = RowMatrix<float>::Ones(4, 3);
  EXPECT_THROW(SpectrometerMatrix(some, some.topRows(3), {}, DistanceKind::distance), InputError);
  EXPECT_THROW(SpectrometerMatrix(some, some.leftCols(2), {}, DistanceKind::distance), InputError);
  EXPECT_THROW(SpectrometerMatrix(some, some, {0, 0}, DistanceKind::distance), InputError);
}

}  // namespace
}  // namespace geodome::internal
