#include "geodome/geodesic/marching/batched_marching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geodesic/marching/marching_shapes.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/shape/resample/subdivide.h"

namespace geodome::internal {
namespace {

std::vector<Index> every(Index step, Index size) {
  std::vector<Index> result;
  for (Index v = 0; v < size; v += step) result.push_back(v);
  return result;
}

RowMatrix<double> rows(const GeodesicSolver& solver, const std::vector<Index>& sources, int threads = 1) {
  RowMatrix<double> result(sources.size(), solver.size());
  solver.distances(sources, result, Execution{threads, {}});
  return result;
}

std::vector<TriangleMesh> family() {
  return {make_sphere(8),
          make_torus(30, 18),
          make_cylinder(30, 24),
          make_box(10),
          test::shaken_plane(28, 26, 2),
          test::moebius_strip(80, 9),
          test::fan_of_wings(3, 14),
          subdivide_midpoint(subdivide_midpoint(test::cone(40)))};
}

TEST(BatchedMarching, EqualsSingleMarchesWithinItsTolerance) {
  int lanes = 16;
  for (const TriangleMesh& mesh : family()) {
    const FastMarching single(mesh, {.lanes = 1}), batched(mesh, {.lanes = lanes});
    const std::vector<Index> sources = every(2, single.size());
    const RowMatrix<double> D = rows(single, sources), B = rows(batched, sources);
    const double diameter = D.maxCoeff();
    EXPECT_LT((D - B).cwiseAbs().maxCoeff(), 1e-3 * diameter);
    EXPECT_LT((D - B).cwiseAbs().mean(), 1e-4 * diameter);
    lanes = lanes == 64 ? 16 : 2 * lanes;
  }
}

TEST(BatchedMarching, IsUsedForManySourcesOnly) {
  const TriangleMesh mesh = make_sphere(10);
  const FastMarching automatic(mesh), single(mesh, {.lanes = 1});
  EXPECT_EQ(rows(automatic, {1, 500, 900}), rows(single, {1, 500, 900}));
  const std::vector<Index> many = every(2, automatic.size());
  EXPECT_NE(rows(automatic, many), rows(single, many));
}

TEST(BatchedMarching, DoesNotDependOnThreadsOrOnTheOrderOfSources) {
  const FastMarching solver(make_torus(40, 20));
  std::vector<Index> sources = every(2, solver.size());
  const RowMatrix<double> one = rows(solver, sources, 1);
  EXPECT_EQ(one, rows(solver, sources, 2));
  std::reverse(sources.begin(), sources.end());
  EXPECT_EQ(one, rows(solver, sources, 2).colwise().reverse());
}

TEST(BatchedMarching, AllVectorLevelsGiveTheSameDistances) {
  for (const TriangleMesh& mesh :
       {make_torus(40, 20), test::side_by_side(test::cone(60), test::shaken_plane(20, 18, 4))}) {
    const std::vector<Index> sources = every(2, static_cast<Index>(mesh.points.rows()));
    for (const int lanes : {16, 32, 64}) {
      const RowMatrix<double> plain =
          rows(FastMarching(mesh, {.lanes = lanes, .vectors = VectorLevel::baseline}), sources);
      for (const VectorLevel level : {VectorLevel::avx2, VectorLevel::avx512})
        if (has_level(level)) {
          EXPECT_EQ(plain, rows(FastMarching(mesh, {.lanes = lanes, .vectors = level}), sources));
        }
    }
  }
}

TEST(BatchedMarching, BetweenPicksFromTheRows) {
  TriangleMesh mesh = test::side_by_side(make_sphere(10), make_plane(20, 20));
  const Index loose = static_cast<Index>(mesh.points.rows());
  mesh.points.conservativeResize(loose + 1, 3);
  mesh.points.row(loose) << 7, 7, 7;
  const FastMarching solver(mesh);
  std::vector<Index> sources = every(2, solver.size()), targets = every(7, solver.size());
  sources.insert(sources.end(), {loose, 4, 4});
  targets.insert(targets.end(), {loose, 11, 4});
  const RowMatrix<double> D = rows(solver, sources);
  for (const int threads : {1, 2}) {
    const RowMatrix<double> W = solver.between(sources, targets, Execution{threads, {}});
    ASSERT_EQ(W.rows(), static_cast<Eigen::Index>(sources.size()));
    ASSERT_EQ(W.cols(), static_cast<Eigen::Index>(targets.size()));
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (std::size_t t = 0; t < targets.size(); ++t) ASSERT_EQ(W(s, t), D(s, targets[t]));
  }
  const std::vector<Index> beyond = {solver.size()};
  EXPECT_THROW(solver.between(sources, beyond), InputError);
  EXPECT_THROW(solver.between(beyond, sources), InputError);
}

TEST(BatchedMarching, ClustersDivideTheSources) {
  const TriangleMesh mesh = test::side_by_side(make_sphere(12), make_torus(30, 16));
  const Surface surface = prepare_surface(mesh);
  const Stencil stencil = make_stencil(surface, 1);
  const MarchingKernel& kernel = marching_kernel(VectorLevel::best);
  for (const Index step : {2, 3, 400}) {
    const std::vector<Index> sources = every(step, stencil.vertices);
    const auto clusters = cluster_sources(stencil, surface.points, kernel, sources, 16);
    std::vector<Index> all;
    for (const auto& cluster : clusters) {
      ASSERT_FALSE(cluster.empty());
      EXPECT_LE(cluster.size(), 16u);
      for (const Index v : cluster) EXPECT_EQ(surface.component[v], surface.component[cluster[0]]);
      all.insert(all.end(), cluster.begin(), cluster.end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, sources);
    // Dense sources share clusters, scattered ones do not.
    if (step == 2) {
      EXPECT_LT(clusters.size(), sources.size() / 8);
    }
    if (step == 400) {
      EXPECT_EQ(clusters.size(), sources.size());
    }
  }
}

TEST(BatchedMarching, DenserSourcesMakeLargerClusters) {
  const Surface surface = prepare_surface(make_sphere(40));  // 16,002 vertices
  const Stencil stencil = make_stencil(surface, 1);
  const MarchingKernel& kernel = marching_kernel(VectorLevel::best);
  const auto largest = [&](std::span<const Index> sources) {
    std::size_t most = 0;
    for (const auto& cluster : cluster_sources(stencil, surface.points, kernel, sources, 0))
      most = std::max(most, cluster.size());
    return most;
  };
  EXPECT_EQ(largest(every(1, stencil.vertices)), 64u);
  EXPECT_EQ(largest(every(10, stencil.vertices)), 32u);
  EXPECT_EQ(largest(every(30, stencil.vertices)), 16u);
  // However few of them there are in all: a small part of the surface, in full.
  const std::vector<Index> all = every(1, stencil.vertices);
  std::vector<Index> part;
  for (const Index v : all)
    if (surface.points(v, 2) > 0.97 * surface.points.col(2).maxCoeff()) part.push_back(v);
  EXPECT_LT(part.size(), all.size() / 20);
  EXPECT_EQ(largest(part), 64u);
}

TEST(BatchedMarching, RefusesOtherNumbersOfLanes) {
  const Surface surface = prepare_surface(make_box(2));
  const Stencil stencil = make_stencil(surface, 1);
  EXPECT_THROW(BatchedMarcher(stencil, make_stars(stencil), marching_kernel(VectorLevel::best), 8),
               InputError);
  EXPECT_THROW(FastMarching(make_box(2), {.lanes = 5}), InputError);
}

}  // namespace
}  // namespace geodome::internal
