/// Intervals contain the distances of the shape, whatever the shape and the method.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "front_door/front_door_cases.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/io/npy.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

struct BoundsCase {
  std::string name;
  Shape (*make)();  ///< when a test needs it: every process of the tests lists the cases
  Index landmarks = 40;
};

const std::vector<BoundsCase>& bounds_cases() {
  static const std::vector<BoundsCase> cases = {
      {"Sphere", []() -> Shape { return make_jittered_sphere(5, 3); }, 30},
      {"Plane", []() -> Shape { return make_plane(17, 13); }, 30},
      {"Torus", []() -> Shape { return make_torus(20, 12); }, 40},
      {"Creature", []() -> Shape { return make_creature(300).stretched; }, 40},
      {"DrilledPlate", []() -> Shape { return make_drilled_plate(3, 2, 16); }},
      {"SwissRoll", []() -> Shape { return make_swiss_roll(30, 9); }},
      {"Moebius", []() -> Shape { return make_moebius(32, 7); }, 30},
      {"Fan", []() -> Shape { return make_fan(4, 9); }, 25},
      {"FewLandmarks", []() -> Shape { return make_box(6); }, 5},
      {"TwoComponents", []() -> Shape { return apart(make_sphere(4), make_plane(10, 8)); }, 30},
      {"OneLandmarkEach", []() -> Shape { return make_two_spheres(3); }, 3},
      {"Large",
       []() -> Shape {
         return TriangleMesh{make_plane(18, 13).points * 1e40, make_plane(18, 13).triangles};
       }},
      {"Polygons", []() -> Shape { return make_sphere_quads(6); }, 30},
      {"Cloud",
       []() -> Shape {
         return PointCloud{make_sphere(5).points, {}};
       },
       30},
      {"Graph", []() -> Shape { return make_grid_graph(16, 13); }},
      {"Path", []() -> Shape { return make_path_graph(200); }, 20},
      {"Samples", []() -> Shape { return Samples{make_plane(16, 15).points}; }},
  };
  return cases;
}

/// Sanitizers look for errors of memory, which some sources show as well as all.
#ifdef __SANITIZE_ADDRESS__
constexpr Index source_step = 8;
#else
constexpr Index source_step = 1;
#endif

/// From every `step`th vertex.
RowMatrix<double> true_distances(const Shape& shape, const GeodesicOptions& wanted = {}, Index step = 1) {
  GeodesicOptions geodesic = wanted;
  geodesic.seed = 5;
  if (geodesic.method != GeodesicMethod::graph) geodesic.method = exact_method(shape);
  const auto solver = make_solver(shape, geodesic);
  std::vector<Index> sources;
  for (Index v = 0; v < solver->size(); v += step) sources.push_back(v);
  RowMatrix<double> K(static_cast<Eigen::Index>(sources.size()), solver->size());
  solver->distances(sources, K);
  return K;
}

/// Every pair, or every `step`th.
Pairs pairs_of(Index size, Index step = 1) {
  Pairs pairs;
  Index at = 0;
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j <= i; ++j)
      if (at++ % step == 0) {
        pairs.I.push_back(i);
        pairs.J.push_back(j);
      }
  return pairs;
}

double spacing_at(const Distances& distances, Index vertex) {
  const LandmarkMatrix& matrix = *distances.factors();
  const Index c = matrix.component(vertex);
  return c < 0 || matrix.W(c).size() < 2 ? infinity : matrix.spacing(c);
}

/// Intervals of every `step`th pair contain the distances K.
void expect_inside(const Distances& built, const RowMatrix<double>& K, Index step) {
  const Pairs pairs = pairs_of(built.size(), step);
  const Intervals found = built.bounds(pairs.I, pairs.J);
  for (std::size_t k = 0; k < pairs.I.size(); ++k) {
    const double exact = K(pairs.I[k], pairs.J[k]);
    ASSERT_LE(found.low[static_cast<Eigen::Index>(k)], exact * (1 + 1e-9)) << pairs.I[k] << ' ' << pairs.J[k];
    ASSERT_GE(found.high[static_cast<Eigen::Index>(k)], exact * (1 - 1e-9))
        << pairs.I[k] << ' ' << pairs.J[k];
  }
}

class BoundsOn : public ::testing::TestWithParam<std::tuple<std::size_t, Method>> {
 protected:
  const BoundsCase& one_ = bounds_cases()[std::get<0>(GetParam())];
  const BuildOptions options_ = options_of(std::get<1>(GetParam()), one_.landmarks);
  const Shape shape_ = one_.make();
  const Distances built_ = build(shape_, options_);
};

TEST_P(BoundsOn, EveryPairLiesInside) {
  ASSERT_TRUE(built_.certain_bounds());
  const RowMatrix<double> K = true_distances(shape_, {}, source_step);
  Pairs pairs;
  for (Index i = 0; i < built_.size(); i += source_step)
    for (Index j = 0; j < built_.size(); ++j) {
      pairs.I.push_back(i);
      pairs.J.push_back(j);
    }
  const Intervals found = built_.bounds(pairs.I, pairs.J);
  double width = 0;
  Index far = 0;
  for (std::size_t k = 0; k < pairs.I.size(); ++k) {
    const Index i = pairs.I[k], j = pairs.J[k];
    const double low = found.low[static_cast<Eigen::Index>(k)],
                 high = found.high[static_cast<Eigen::Index>(k)], exact = K(i / source_step, j),
                 spacing = spacing_at(built_, i);
    if (std::isinf(exact)) {
      EXPECT_EQ(low, infinity);
      EXPECT_EQ(high, infinity);
      continue;
    }
    ASSERT_LE(low, exact * (1 + 1e-9)) << i << ' ' << j;
    ASSERT_GE(high, exact * (1 - 1e-9)) << i << ' ' << j;
    if (exact < 2.9 * spacing) {
      ASSERT_EQ(low, high) << i << ' ' << j;
    } else {
      width += (high - low) / spacing;
      ++far;
    }
  }
  if (far > 0) {
    EXPECT_LT(width / far, 1);
    RecordProperty("mean_width_in_spacings", text(width / far));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, BoundsOn,
                         ::testing::Combine(::testing::Range<std::size_t>(0, bounds_cases().size()),
                                            ::testing::Values(Method::sbha, Method::cell)),
                         [](const auto& param) {
                           return bounds_cases()[std::get<0>(param.param)].name + "_" +
                                  method_name(std::get<1>(param.param));
                         });

TEST(Bounds, HoldForEveryWayToStoreTheDistancesBetweenLandmarks) {
  const Shape shape = make_creature(300).stretched;
  const RowMatrix<double> K = true_distances(shape);
  BuildOptions options = options_of(Method::sbha, 50);
  for (const Precision precision : {Precision::uint16, Precision::float64}) {
    options.precision = precision;
    expect_inside(build(shape, options), K, 17);
  }
  expect_inside(build(shape, options_of(Method::bha, 50)), K, 17);
  expect_inside(build(shape, options_of(Method::sbha, 50, DistanceKind::squared)), K, 17);
  BuildOptions coarse = options_of(Method::cell, 50);
  coarse.rounding = 20;
  expect_inside(build(shape, coarse), K, 17);
  coarse.landmarks.method = LandmarkMethod::random;
  expect_inside(build(shape, coarse), K, 17);
}

TEST(Bounds, AreTheSameInFilesForPairsAndOnThreads) {
  const TemporaryFolder folder;
  const Distances built = build(make_creature(300).stretched, options_of(Method::cell, 50));
  const Pairs pairs = pairs_of(built.size(), 401);
  const Intervals one = built.bounds(pairs.I, pairs.J, Execution{1, {}}),
                  three = built.bounds(pairs.J, pairs.I, Execution{3, {}});
  EXPECT_EQ(one.low, three.low);
  EXPECT_EQ(one.high, three.high);
  built.save(folder / "whole");
  const Distances opened = open(folder / "whole");
  EXPECT_TRUE(opened.certain_bounds());
  const Intervals same = opened.with(QueryMode::raw).bounds(pairs.I, pairs.J);
  EXPECT_EQ(one.low, same.low);
  EXPECT_EQ(one.high, same.high);
  for (std::size_t k = 0; k < pairs.I.size(); k += 20) {
    const Interval single = built.bounds(pairs.I[k], pairs.J[k]);
    EXPECT_EQ(single.low, one.low[static_cast<Eigen::Index>(k)]);
    EXPECT_EQ(single.high, one.high[static_cast<Eigen::Index>(k)]);
  }
}

TEST(Bounds, AreWiderByTheErrorOfTheSolver) {
  const Shape shape = make_creature(600).stretched;
  const RowMatrix<double> K = true_distances(shape);
  for (const Method method : {Method::sbha, Method::cell})
    for (const GeodesicMethod geodesic : {GeodesicMethod::fast_marching_1ring, GeodesicMethod::heat}) {
      BuildOptions options = options_of(method, 60);
      options.geodesic.method = geodesic;
      EXPECT_THROW(build(shape, options).certain_bounds(), InputError);
      options.certificate_rows = 20;
      const Distances built = build(shape, options);
      EXPECT_FALSE(built.certain_bounds());
      const Pairs pairs = pairs_of(built.size(), 29);
      const Intervals found = built.bounds(pairs.I, pairs.J);
      double outside = 0;
      for (std::size_t k = 0; k < pairs.I.size(); ++k) {
        const double exact = K(pairs.I[k], pairs.J[k]);
        const auto at = static_cast<Eigen::Index>(k);
        EXPECT_LE(found.low[at], found.high[at]);
        outside += exact < found.low[at] * (1 - 1e-9) || exact > found.high[at] * (1 + 1e-9);
      }
      EXPECT_LE(outside / static_cast<double>(pairs.I.size()), 1e-3);
    }
}

TEST(Bounds, AreAlongEdgesWhereDistancesAre) {
  const Shape shape = make_sphere(6);
  BuildOptions options = options_of(Method::cell, 40);
  options.geodesic.method = GeodesicMethod::graph;
  const RowMatrix<double> K = true_distances(shape, options.geodesic);
  const Distances built = build(shape, options);
  EXPECT_TRUE(built.certain_bounds());
  expect_inside(built, K, 3);
}

TEST(Bounds, AvoidMaskedVertices) {
  const TriangleMesh plane = make_plane(20, 18);
  BuildOptions options = options_of(Method::cell, 40);
  for (const auto& point : plane.points.rowwise())
    options.geodesic.keep.push_back((point - plane.points.colwise().mean()).norm() > 0.2);
  const RowMatrix<double> K = true_distances(plane, options.geodesic);
  const Distances built = build(plane, options);
  expect_inside(built, K, 5);
}

TEST(Bounds, AreRefusedWhereNothingIsKnown) {
  const TemporaryFolder folder;
  const TriangleMesh sphere = make_sphere(4);
  const Distances built = build(sphere, options_of(Method::sbha, 20));
  const auto refusal = [](const Distances& distances) {
    try {
      distances.bounds(0, 5);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(built), "");
  built.save(folder / "bare", {.shape = false});
  EXPECT_NE(refusal(open(folder / "bare")).find("does not contain it"), std::string::npos);
  EXPECT_NE(refusal(build(sphere, options_of(Method::ctg, 20))).find("'ctg' has none"), std::string::npos);
  BuildOptions given = options_of(Method::sbha, 20);
  write_npy(all_rows(built), folder / "K.npy");
  given.distances = folder / "K.npy";
  EXPECT_NE(refusal(build(sphere, given)).find("user-supplied"), std::string::npos);
  EXPECT_THROW(built.bounds(0, built.size()), InputError);
  EXPECT_THROW(built.bounds(-1, 0), InputError);
  EXPECT_THROW(built.bounds(std::array{0, 1}, std::array{2}), InputError);
}

/// Σ_a |p_a| d(v, a), and Σ |p_a|.
struct WeightedDistance {
  double distance = 0, norm = 0;
};

WeightedDistance weighted_distance(const LandmarkMatrix& matrix, const RowMatrix<double>& K, Index vertex) {
  const Weights weights = matrix.weights(vertex);
  WeightedDistance found;
  for (std::size_t k = 0; k < weights.column.size(); ++k) {
    const Index landmark = matrix.landmarks()[static_cast<std::size_t>(
        matrix.first_landmark(matrix.component(vertex)) + weights.column[k])];
    found.distance += std::abs(weights.value[k]) * K(vertex, landmark);
    found.norm += std::abs(weights.value[k]);
  }
  return found;
}

TEST(Bounds, ErrorOfTheLinearFormIsBelowItsAPrioriBound) {
  for (const auto& [name, make, landmarks] : bounds_cases()) {
    const Shape shape = make();
    const RowMatrix<double> K = true_distances(shape);
    for (const Method method : {Method::sbha, Method::cell}) {
      const Distances built = build(shape, options_of(method, landmarks));
      const LandmarkMatrix& matrix = *built.factors();
      const RowMatrix<double> raw = all_rows(built.with(QueryMode::raw));
      // The difference between W and the distances between landmarks, as measured here.
      double off = 0;
      for (Index c = 0; c < matrix.components(); ++c)
        for (Index a = 0; a < matrix.W(c).size(); ++a)
          for (Index b = 0; b <= a; ++b)
            off = std::max(off,
                           std::abs(matrix.W(c)(a, b) - K(matrix.landmarks()[matrix.first_landmark(c) + a],
                                                          matrix.landmarks()[matrix.first_landmark(c) + b])));
      for (Index i = 0; i < built.size(); i += 3)
        for (Index j = 0; j < built.size(); j += 5) {
          if (matrix.component(i) < 0 || matrix.component(i) != matrix.component(j)) continue;
          const WeightedDistance u = weighted_distance(matrix, K, i), v = weighted_distance(matrix, K, j);
          const double sum = std::abs(1 - geodome::internal::sum(matrix.weights(i)) *
                                              geodome::internal::sum(matrix.weights(j)));
          const double bound =
              u.distance * v.norm + u.norm * v.distance + off * u.norm * v.norm + sum * K(i, j);
          ASSERT_LE(std::abs(raw(i, j) - K(i, j)), bound * (1 + 1e-5) + 1e-9) << name << ' ' << i << ' ' << j;
        }
    }
  }
}

}  // namespace
}  // namespace geodome::internal
