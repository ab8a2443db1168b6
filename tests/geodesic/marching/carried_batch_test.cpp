#include "geodome/geodesic/marching/carried_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "geodesic/marching/marching_shapes.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/shape/resample/subdivide.h"

namespace geodome::internal {
namespace {

std::vector<Index> each_third(Index size) {
  std::vector<Index> result;
  for (Index v = 0; v < size; v += 3) result.push_back(v);
  return result;
}

RowMatrix<double> carried_rows(const GeodesicSolver& solver, const std::vector<Index>& sources,
                               int threads = 1) {
  RowMatrix<double> result(sources.size(), solver.size());
  solver.distances(sources, result, Execution{threads, {}});
  return result;
}

std::vector<TriangleMesh> carried_family() {
  return {make_sphere(10),
          make_torus(40, 24),
          make_cylinder(36, 24),
          make_box(12),
          test::shaken_plane(28, 26, 2),
          test::shaken_plane(26, 24, 3, 0.49),  // obtuse corners that see vertices which do not see them
          test::moebius_strip(80, 9),
          test::fan_of_wings(3, 14),
          test::side_by_side(make_sphere(9), test::shaken_plane(14, 18, 4)),
          subdivide_midpoint(subdivide_midpoint(test::cone(40)))};
}

struct RowErrors {
  double mean = 0, largest = 0;
};

/// Relative to finite distances between different vertices.
RowErrors row_errors(const RowMatrix<double>& found, const RowMatrix<double>& truth) {
  RowErrors errors;
  double count = 0;
  for (Eigen::Index s = 0; s < truth.rows(); ++s)
    for (Eigen::Index v = 0; v < truth.cols(); ++v) {
      EXPECT_EQ(found(s, v) == infinity, truth(s, v) == infinity);
      EXPECT_EQ(found(s, v) == 0, truth(s, v) == 0);
      if (!(truth(s, v) > 0 && truth(s, v) < infinity)) continue;
      const double error = std::abs(found(s, v) - truth(s, v)) / truth(s, v);
      errors.mean += error;
      errors.largest = std::max(errors.largest, error);
      ++count;
    }
  errors.mean /= count;
  return errors;
}

TEST(CarriedBatch, IsAsAccurateAsSingleMarches) {
  int lanes = 16;
  for (const TriangleMesh& mesh : carried_family()) {
    const CarriedMarching single(mesh, {.lanes = 1}), batched(mesh, {.lanes = lanes});
    const std::vector<Index> sources = each_third(single.size());
    const RowMatrix<double> exact = carried_rows(ExactSolver(mesh), sources);
    const RowErrors alone = row_errors(carried_rows(single, sources), exact);
    const RowErrors together = row_errors(carried_rows(batched, sources), exact);
    EXPECT_LT(together.mean, 1.1 * alone.mean + 1e-5);
    EXPECT_LT(together.largest, 1.5 * alone.largest + 0.005);
    lanes = lanes == 64 ? 16 : 2 * lanes;
  }
}

TEST(CarriedBatch, IsUsedForManySourcesOnly) {
  const TriangleMesh mesh = make_sphere(10);
  const CarriedMarching automatic(mesh), single(mesh, {.lanes = 1});
  EXPECT_EQ(carried_rows(automatic, {1, 500, 900}), carried_rows(single, {1, 500, 900}));
  const std::vector<Index> many = each_third(automatic.size());
  EXPECT_NE(carried_rows(automatic, many), carried_rows(single, many));
}

TEST(CarriedBatch, DoesNotDependOnThreadsOrOnTheOrderOfSources) {
  const CarriedMarching solver(make_torus(40, 20));
  std::vector<Index> sources = each_third(solver.size());
  const RowMatrix<double> one = carried_rows(solver, sources, 1);
  EXPECT_EQ(one, carried_rows(solver, sources, 2));
  std::reverse(sources.begin(), sources.end());
  EXPECT_EQ(one, carried_rows(solver, sources, 2).colwise().reverse());
}

TEST(CarriedBatch, AllVectorLevelsGiveTheSameDistances) {
  for (const TriangleMesh& mesh :
       {make_torus(40, 20), test::side_by_side(test::cone(60), test::shaken_plane(20, 18, 4))}) {
    const std::vector<Index> sources = each_third(static_cast<Index>(mesh.points.rows()));
    for (const int lanes : {16, 32, 64}) {
      const RowMatrix<double> plain =
          carried_rows(CarriedMarching(mesh, {.lanes = lanes, .vectors = VectorLevel::baseline}), sources);
      for (const VectorLevel level : {VectorLevel::avx2, VectorLevel::avx512})
        if (has_level(level)) {
          EXPECT_EQ(plain, carried_rows(CarriedMarching(mesh, {.lanes = lanes, .vectors = level}), sources));
        }
    }
  }
}

TEST(CarriedBatch, BetweenPicksFromTheRows) {
  const TriangleMesh mesh = test::side_by_side(make_sphere(10), make_plane(20, 20));
  const CarriedMarching solver(mesh);
  const std::vector<Index> sources = each_third(solver.size()), targets{4, 11, 4, 700, solver.size() - 1};
  const RowMatrix<double> rows = carried_rows(solver, sources);
  for (const int threads : {1, 2}) {
    const RowMatrix<double> W = solver.between(sources, targets, Execution{threads, {}});
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (std::size_t t = 0; t < targets.size(); ++t) ASSERT_EQ(W(s, t), rows(s, targets[t]));
  }
}

}  // namespace
}  // namespace geodome::internal
