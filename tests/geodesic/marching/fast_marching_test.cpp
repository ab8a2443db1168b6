#include "geodome/geodesic/marching/fast_marching.h"

#include <gtest/gtest.h>

#include <numeric>

#include "geodesic/marching/marching_shapes.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

std::vector<Index> all_vertices(const GeodesicSolver& solver) {
  std::vector<Index> vertices(solver.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

RowMatrix<double> rows(const GeodesicSolver& solver, const std::vector<Index>& sources, int threads = 1) {
  RowMatrix<double> result(sources.size(), solver.size());
  solver.distances(sources, result, Execution{threads, {}});
  return result;
}

/// Mean relative error over all pairs of a source and another vertex.
template <typename Truth>
double mean_error(const GeodesicSolver& solver, const std::vector<Index>& sources, const Truth& truth) {
  const RowMatrix<double> found = rows(solver, sources);
  double sum = 0;
  Index count = 0;
  for (std::size_t s = 0; s < sources.size(); ++s)
    for (Index v = 0; v < solver.size(); ++v)
      if (v != sources[s]) {
        const double exact = truth(sources[s], v);
        sum += std::abs(found(s, v) - exact) / exact;
        ++count;
      }
  return sum / count;
}

std::vector<TriangleMesh> connected_family() {
  return {make_plane(9, 8),
          make_sphere(5),
          make_torus(16, 10),
          make_cylinder(14, 9),
          make_box(4),
          test::shaken_plane(9, 9, 1),
          test::moebius_strip(20, 5),
          test::fan_of_wings(3, 4),
          test::strip_with_flat_faces()};
}

TEST(FastMarching, IsNeverShorterThanTheStraightLine) {
  for (const TriangleMesh& shape : connected_family())
    for (const double squeeze : {1.0, 1e-3, 1e-6})
      for (const bool remove_bias : {false, true}) {
        TriangleMesh mesh = shape;
        mesh.points.col(1) *= squeeze;
        const FastMarching solver(mesh, {.remove_bias = remove_bias});
        const RowMatrix<double> found = rows(solver, all_vertices(solver));
        for (Index v = 0; v < solver.size(); ++v)
          for (Index w = 0; w < solver.size(); ++w) {
            const double straight = (mesh.points.row(v) - mesh.points.row(w)).norm();
            ASSERT_GE(found(v, w), (1 - 1e-9) * straight - 1e-14) << v << " " << w << " " << squeeze;
          }
      }
}

TEST(FastMarching, IsEuclideanInThePlane) {
  for (const int ring : {1, 2}) {
    const TriangleMesh regular = make_plane(21, 17), irregular = test::shaken_plane(21, 17, 5);
    const auto truth = [](const TriangleMesh& mesh) {
      return [&mesh](Index a, Index b) { return (mesh.points.row(a) - mesh.points.row(b)).norm(); };
    };
    const FastMarching plain(regular, {.ring = ring, .remove_bias = false});
    EXPECT_LT(mean_error(plain, {0, 100, 180, 356}, truth(regular)), ring == 1 ? 4e-3 : 1e-5);
    const FastMarching shaken(irregular, {.ring = ring});
    EXPECT_LT(mean_error(shaken, {0, 100, 180, 356}, truth(irregular)), ring == 1 ? 4e-3 : 1e-3);
  }
}

TEST(FastMarching, FollowsGreatCirclesBetterUnderRefinement) {
  for (const int ring : {1, 2}) {
    double before = 1;
    for (const Index frequency : {4, 8, 16}) {
      const TriangleMesh sphere = make_sphere(frequency);
      const FastMarching solver(sphere, {.ring = ring});
      const double error = mean_error(solver, {0, 7, frequency * frequency}, [&](Index a, Index b) {
        return std::acos(std::clamp(sphere.points.row(a).dot(sphere.points.row(b)), -1.0, 1.0));
      });
      EXPECT_LT(error, 0.75 * before);
      before = error;
    }
    EXPECT_LT(before, 4e-3);
  }
}

TEST(FastMarching, UnfoldsABox) {
  // From the centre of the top to points of a side: straight lines in the unfolded box.
  const Index segments = 12;
  const TriangleMesh box = make_box(segments);
  Index top = -1;
  for (Index v = 0; v < box.points.rows(); ++v)
    if ((box.points.row(v) - Eigen::RowVector3d(0, 0, 0.5)).norm() < 1e-9) top = v;
  ASSERT_GE(top, 0);
  const FastMarching solver(box);
  const RowMatrix<double> found = rows(solver, {top});
  for (Index v = 0; v < box.points.rows(); ++v) {
    const auto p = box.points.row(v);
    if (p.x() < 0.5 - 1e-9 || p.z() < 0)
      continue;  // the upper half of the side x = ½: its line crosses one edge
    EXPECT_NEAR(found(0, v), std::hypot(0.5 + (0.5 - p.z()), p.y()), 1e-3);
  }
}

TEST(FastMarching, IsAlmostAMetric) {
  for (const TriangleMesh& mesh : connected_family())
    for (const int ring : {1, 2}) {
      const FastMarching solver(mesh, {.ring = ring});
      const RowMatrix<double> D = rows(solver, all_vertices(solver));
      const double diameter = D.maxCoeff();
      ASSERT_TRUE(std::isfinite(diameter));
      EXPECT_EQ(D.diagonal().cwiseAbs().maxCoeff(), 0);
      EXPECT_LT((D - D.transpose()).cwiseAbs().maxCoeff(), 0.04 * diameter);
      double excess = 0;
      for (Index i = 0; i < D.rows(); ++i)
        for (Index j = 0; j < D.rows(); ++j) {
          EXPECT_GE(D(i, j), (mesh.points.row(i) - mesh.points.row(j)).norm() * (1 - 1e-5));
          excess = std::max(excess, D(i, j) - (D.row(i) + D.row(j)).minCoeff());
        }
      EXPECT_LT(excess, 0.04 * diameter);
    }
}

TEST(FastMarching, NeverBeatsTheEdgesByTooMuchAndNeverLosesToThem) {
  // Every distance obeys the edge relaxation: no neighbour offers a shorter way.
  for (const TriangleMesh& mesh : connected_family()) {
    const FastMarching solver(mesh, {.remove_bias = false});
    const RowMatrix<double> D = rows(solver, {0, solver.size() / 2});
    for (Index f = 0; f < mesh.triangles.rows(); ++f)
      for (int k = 0; k < 3; ++k) {
        const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
        const double length = (mesh.points.row(a) - mesh.points.row(b)).norm();
        EXPECT_LE((D.col(a) - D.col(b)).cwiseAbs().maxCoeff(), length + 1e-5 * D.maxCoeff());
      }
  }
}

TEST(FastMarching, CrossesNonManifoldEdges) {
  const Index cells = 6;
  const TriangleMesh fan = test::fan_of_wings(3, cells);
  const auto at = [&](Index wing, Index i, Index j) {
    return 1 + cells + (wing * cells + i - 1) * (cells + 1) + j;
  };
  const FastMarching solver(fan);
  const Index source = at(0, 3, 2), target = at(2, 4, 5);
  EXPECT_NEAR(rows(solver, {source})(0, target), std::hypot(7, 3), 0.02 * std::hypot(7, 3));
}

TEST(FastMarching, IsInfiniteBetweenComponentsAndFromUnreferencedVertices) {
  TriangleMesh mesh = test::side_by_side(make_sphere(3), make_plane(5, 5));
  const Index loose = static_cast<Index>(mesh.points.rows());
  mesh.points.conservativeResize(loose + 1, 3);
  mesh.points.row(loose) << 1, 2, 3;
  const FastMarching solver(mesh);
  const Index split = static_cast<Index>(make_sphere(3).points.rows());
  const RowMatrix<double> D = rows(solver, {0, split, loose});
  for (Index v = 0; v <= loose; ++v) {
    EXPECT_EQ(std::isfinite(D(0, v)), v < split);
    EXPECT_EQ(std::isfinite(D(1, v)), v >= split && v < loose);
    EXPECT_EQ(std::isfinite(D(2, v)), v == loose);
  }
  EXPECT_EQ(D(2, loose), 0);
  EXPECT_EQ(solver.within(loose, 10).size(), 1u);
  EXPECT_EQ(solver.within(split, infinity).size(), 25u);
}

TEST(FastMarching, ScalesWithTheShape) {
  const TriangleMesh torus = make_torus(14, 9);
  const RowMatrix<double> plain = rows(FastMarching(torus), {0, 50});
  for (const double scale : {1e-8, 1e-3, 1e8}) {
    TriangleMesh scaled = torus;
    scaled.points *= scale;
    const RowMatrix<double> D = rows(FastMarching(scaled), {0, 50});
    EXPECT_LT((D / scale - plain).cwiseAbs().maxCoeff(), 1e-4 * plain.maxCoeff());
  }
}

TEST(FastMarching, DoesNotDependOnThreadsOrOnTheCompanyOfOtherSources) {
  const FastMarching solver(make_torus(20, 12));
  const std::vector<Index> sources = {3, 200, 17, 4, 3, 99};
  const RowMatrix<double> one = rows(solver, sources, 1);
  EXPECT_EQ(one, rows(solver, sources, 2));
  EXPECT_EQ(one.row(1), rows(solver, {200}).row(0));
  EXPECT_EQ(one.row(0), one.row(4));
}

TEST(FastMarching, WithinIsTheThresholdedRow) {
  for (const TriangleMesh& mesh : connected_family()) {
    const FastMarching solver(mesh);
    for (const Index source : {Index{0}, solver.size() / 2, Index{0}}) {
      const RowMatrix<double> row = rows(solver, {source});
      for (const double share : {0.0, 0.1, 0.5, 2.0}) {
        const double radius = share * row.maxCoeff();
        const std::vector<Neighbour> found = solver.within(source, radius);
        EXPECT_EQ(static_cast<Index>(found.size()), (row.array() <= radius).count());
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].distance, row(0, found[i].vertex));
          EXPECT_GE(found[i].distance, found[i > 0 ? i - 1 : 0].distance);
        }
      }
      EXPECT_TRUE(solver.within(source, -1).empty());
    }
  }
}

TEST(FastMarching, AllVectorLevelsGiveTheSameDistances) {
  for (const TriangleMesh& mesh :
       {make_torus(24, 15), test::side_by_side(test::cone(60), test::shaken_plane(20, 18, 4))}) {
    const std::vector<Index> sources = {0, 60, 359};
    const RowMatrix<double> plain = rows(FastMarching(mesh, {.vectors = VectorLevel::baseline}), sources);
    for (const VectorLevel level : {VectorLevel::avx2, VectorLevel::avx512, VectorLevel::best}) {
      if (has_level(level)) {
        EXPECT_EQ(plain, rows(FastMarching(mesh, {.vectors = level}), sources));
      } else {
        EXPECT_THROW(FastMarching(mesh, {.vectors = level}), InputError);
      }
    }
  }
}

TEST(FastMarching, NothingOffersLessThanWhatIsThere) {
  for (const TriangleMesh& mesh : connected_family())
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      Marcher marcher(stencil, marching_kernel(VectorLevel::best));
      marcher.run(stencil.vertices / 3);
      const auto known = [&](Index v) { return marcher.distance(v); };
      // A march follows a chord from the end that has its turn last; the other sees it rounded differently.
      const float rounding = Fan::unit * stencil.longest;
      for (Index v = 0; v < stencil.vertices; ++v)
        visit_offers(
            stencil, v, known(v), known, [&](Index target) { return known(target) > known(v); },
            [&](Index target, float offered) { EXPECT_GE(offered, known(target) * (1 - 1e-6f) - rounding); });
    }
}

TEST(FastMarching, WithoutBiasIsCloserToGreatCircles) {
  const TriangleMesh sphere = make_sphere(12);
  const auto truth = [&](Index a, Index b) {
    return std::acos(std::clamp(sphere.points.row(a).dot(sphere.points.row(b)), -1.0, 1.0));
  };
  for (const int ring : {1, 2}) {
    const FastMarching raw(sphere, {.ring = ring, .remove_bias = false}), fitted(sphere, {.ring = ring});
    EXPECT_EQ(raw.factor(), 1);
    EXPECT_NE(fitted.factor(), 1);
    EXPECT_NEAR(fitted.factor(), 1, 0.02);
    EXPECT_LT(mean_error(fitted, {3, 700, 1100}, truth), mean_error(raw, {3, 700, 1100}, truth));
    const RowMatrix<double> R = rows(raw, {5}), F = rows(fitted, {5});
    for (Index v = 0; v < sphere.points.rows(); ++v) {
      const double straight = (sphere.points.row(5) - sphere.points.row(v)).norm();
      EXPECT_NEAR(F(0, v), std::max(fitted.factor() * R(0, v), straight), 1e-6);
    }
  }
}

TEST(FastMarching, CollapsedVerticesAreAtDistanceZero) {
  TriangleMesh mesh = make_plane(4, 4);
  mesh.points.row(5) = mesh.points.row(6);
  const FastMarching solver(mesh);
  const RowMatrix<double> D = rows(solver, {5});
  EXPECT_EQ(D(0, 6), 0);
  EXPECT_TRUE(D.allFinite());
  EXPECT_EQ(solver.within(5, 0).size(), 2u);
}

TEST(FastMarching, RefusesBadInput) {
  const FastMarching solver(make_box(2));
  RowMatrix<double> row(1, solver.size());
  const Index beyond = solver.size();
  EXPECT_THROW(solver.distances(std::span(&beyond, 1), row), InputError);
  EXPECT_THROW(solver.within(-1, 1), InputError);
  EXPECT_THROW(FastMarching(make_box(2), {.ring = 0}), InputError);
  RowMatrix<double> none(0, 0);
  FastMarching(TriangleMesh{}).distances({}, none);
}

}  // namespace
}  // namespace geodome::internal
