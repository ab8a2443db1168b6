/// Near distances are those of the shape, whatever the shape, the method and the way they are asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "front_door/front_door_cases.h"
#include "geodome/base/random_unit.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/near_field.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/io/npy.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

struct NearCase {
  Shape shape;
  Index landmarks = 40;
  std::vector<char> keep{};
};

std::vector<char> without_middle(const TriangleMesh& mesh) {
  std::vector<char> keep;
  for (const auto& point : mesh.points.rowwise())
    keep.push_back((point - mesh.points.colwise().mean()).norm() > 0.2);
  return keep;
}

/// Half of the faces at a vertex have a copy of it instead, joined to it by a side of length zero.
TriangleMesh with_zero_edge(TriangleMesh mesh) {
  const Index twin = static_cast<Index>(mesh.points.rows());
  mesh.points.conservativeResize(twin + 1, 3);
  mesh.points.row(twin) = mesh.points.row(5);
  for (Index f = 0; f < mesh.triangles.rows() / 2; ++f)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles(f, k) == 5) mesh.triangles(f, k) = twin;
  const Index faces = static_cast<Index>(mesh.triangles.rows());
  mesh.triangles.conservativeResize(faces + 1, 3);
  mesh.triangles.row(faces) << 5, twin, mesh.triangles(0, 0);
  return mesh;
}

/// Hills in projected map coordinates, rounded to centimetres, every tenth point twice.
PointCloud survey(Index count, const Eigen::RowVector3d& origin) {
  PointCloud cloud{Points(count, 3), {}};
  std::mt19937_64 generator(8);
  for (Index v = 0; v < count; ++v) {
    const double x = 1000 * random_unit(generator), y = 1000 * random_unit(generator);
    const Eigen::RowVector3d point(x, y, 30 * std::sin(x / 150) * std::cos(y / 200));
    cloud.points.row(v) = (point * 100).array().round() / 100;
    if (v % 10 == 9) cloud.points.row(v) = cloud.points.row(v - 7);
  }
  cloud.points.rowwise() += origin;
  return cloud;
}

const Eigen::RowVector3d map_origin(4.6e6, 5.3e6, 250);

/// Made when a test needs it: every process of the tests lists the cases.
struct NamedCase {
  std::string name;
  NearCase (*make)();
};

const std::vector<NamedCase>& near_cases() {
  static const std::vector<NamedCase> cases = {
      {"closed", [] { return NearCase{make_jittered_sphere(5, 3)}; }},
      {"boundary", [] { return NearCase{make_plane(16, 14)}; }},
      {"rolled up", [] { return NearCase{make_swiss_roll(30, 7)}; }},
      {"creature", [] { return NearCase{make_creature(400).stretched}; }},
      {"faces that share an edge",
       [] {
         return NearCase{make_fan(3, 8), 20};
       }},
      {"few vertices per landmark",
       [] {
         return NearCase{make_torus(18, 9), 90};
       }},
      {"two components and a stray vertex",
       [] { return NearCase{apart(make_sphere(5), make_plane(10, 8))}; }},
      {"a component of one landmark",
       [] {
         return NearCase{make_two_spheres(3), 3};
       }},
      {"masked",
       [] {
         return NearCase{make_plane(16, 14), 40, without_middle(make_plane(16, 14))};
       }},
      {"zero edge", [] { return NearCase{with_zero_edge(make_torus(20, 10))}; }},
      {"large",
       [] {
         return NearCase{TriangleMesh{make_plane(16, 14).points * 1e40, make_plane(16, 14).triangles}};
       }},
      {"polygons", [] { return NearCase{make_sphere_quads(6)}; }},
      {"cloud",
       [] {
         return NearCase{PointCloud{make_sphere(5).points, {}}};
       }},
      {"cloud in map coordinates", [] { return NearCase{survey(300, map_origin)}; }},
      {"graph", [] { return NearCase{make_grid_graph(16, 15)}; }},
      {"path",
       [] {
         return NearCase{make_path_graph(150), 20};
       }},
      {"samples", [] { return NearCase{Samples{make_plane(15, 14).points}}; }},
  };
  return cases;
}

BuildOptions options_for(const NearCase& one, Method method) {
  BuildOptions options = options_of(method, one.landmarks);
  options.geodesic.keep = one.keep;
  return options;
}

/// Every fifth vertex.
std::vector<Index> some_of(Index size) {
  std::vector<Index> some;
  for (Index v = 0; v < size; v += 5) some.push_back(v);
  return some;
}

RowMatrix<double> some_rows(const Distances& distances) {
  return distances.rows(some_of(distances.size()));
}

/// Exact distances of some_of all vertices.
RowMatrix<double> exact_rows(const NearCase& one, const BuildOptions& options) {
  GeodesicOptions geodesic = options.geodesic;
  geodesic.method = exact_method(one.shape);
  geodesic.seed = options.seed;
  const auto solver = make_solver(one.shape, geodesic);
  const std::vector<Index> some = some_of(solver->size());
  RowMatrix<double> truth(static_cast<Eigen::Index>(some.size()), solver->size());
  solver->distances(some, truth);
  return truth;
}

/// Where near distances are exact.
double reach(const Distances& distances, Index vertex) {
  const LandmarkMatrix& matrix = *distances.factors();
  const Index c = matrix.component(vertex);
  return c < 0 ? 0 : matrix.W(c).size() < 2 ? infinity : matrix.spacing(c);
}

class NearOn : public ::testing::TestWithParam<std::tuple<std::size_t, Method>> {
 protected:
  const NearCase one_ = near_cases()[std::get<0>(GetParam())].make();
  const BuildOptions options_ = options_for(one_, std::get<1>(GetParam()));
  const Distances built_ = build(one_.shape, options_);
  const Index size_ = built_.size();
};

TEST_P(NearOn, DistancesUpToASpacingAreThoseOfTheShape) {
  ASSERT_TRUE(built_.exact_near_field());
  const RowMatrix<double> truth = exact_rows(one_, options_), rows = some_rows(built_);
  Index near = 0;
  for (Index r = 0; r < rows.rows(); ++r)
    for (Index j = 0; j < size_; ++j) {
      const Index i = 5 * r;
      if (i == j) {
        EXPECT_EQ(rows(r, j), 0);
      }
      if (i == j || truth(r, j) > reach(built_, i) || std::isinf(truth(r, j))) continue;
      EXPECT_NEAR(rows(r, j), truth(r, j), 1e-9 * truth(r, j)) << i << ' ' << j;
      ++near;
    }
  EXPECT_GT(near, 2 * rows.rows());
}

TEST_P(NearOn, PairsRowsBlocksAndThreadsAgree) {
  const RowMatrix<double> rows = some_rows(built_);
  const double scale = reach(built_, 0) < infinity ? reach(built_, 0) : 1;
  const auto expect_same = [&](double a, double b) {
    if (a != b) {
      EXPECT_NEAR(a, b, 1e-9 * std::max(scale, b));
    }
  };
  std::vector<Index> I, J;
  for (Index i = 0; i < size_; i += 5)
    for (const Index step : {0, 1, 2, 5, 19, 50, 111}) {
      I.push_back(i);
      J.push_back((i + step) % size_);
    }
  const Vector pairs = built_.distances(I, J, Execution{1, {}});
  EXPECT_EQ(pairs, built_.distances(I, J, Execution{2, {}}));
  EXPECT_EQ(rows, built_.rows(some_of(size_), Execution{1, {}}));
  const RowMatrix<double> block = built_.block(std::span(I).first(40), J, Execution{2, {}});
  for (std::size_t k = 0; k < I.size(); ++k) {
    expect_same(pairs[static_cast<Eigen::Index>(k)], rows(I[k] / 5, J[k]));
    if (k % 5 == 0) {
      expect_same(built_.distance(I[k], J[k]), rows(I[k] / 5, J[k]));
      EXPECT_EQ(built_.distance(I[k], J[k]), built_.distance(J[k], I[k]));
    }
  }
  for (Index r = 0; r < 40; ++r)
    for (std::size_t k = 0; k < J.size(); k += 7)
      expect_same(block(r, static_cast<Eigen::Index>(k)), rows(I[static_cast<std::size_t>(r)] / 5, J[k]));
}

TEST_P(NearOn, NeighboursAreThoseOfTheRow) {
  const RowMatrix<double> truth = exact_rows(one_, options_);
  for (Index i = 0; i < size_; i += 15) {
    const std::vector<Neighbour> all = sorted_row(built_, i);
    for (const Index count : {0, 1, 10, 60, size_}) {
      const auto found = built_.nearest(i, count);
      ASSERT_EQ(found.size(), std::min<std::size_t>(static_cast<std::size_t>(count), all.size() - 1));
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k].distance, all[k + 1].distance, 1e-9 * all[k + 1].distance) << i << ' ' << count;
    }
    std::vector<double> exact(truth.row(i / 5).begin(), truth.row(i / 5).end());
    std::sort(exact.begin(), exact.end());
    const auto ten = built_.nearest(i, 10);
    for (std::size_t k = 0; k < ten.size(); ++k)
      EXPECT_NEAR(truth(i / 5, ten[k].vertex), exact[k + 1], 1e-9 * exact[k + 1]);
    for (const double radius : {0.0, reach(built_, i) / 2, 1.2 * reach(built_, i), infinity}) {
      const auto found = built_.within(i, radius);
      const auto inside = std::count_if(all.begin(), all.end(),
                                        [&](const Neighbour& other) { return other.distance <= radius; });
      EXPECT_NEAR(static_cast<double>(found.size()), static_cast<double>(inside), 2) << i << ' ' << radius;
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), nearer));
      for (const Neighbour& other : found) EXPECT_LE(other.distance, radius);
    }
  }
}

TEST_P(NearOn, AFileGivesTheSame) {
  const TemporaryFolder folder;
  built_.save(folder / "whole");
  const Distances opened = open(folder / "whole");
  EXPECT_TRUE(opened.exact_near_field());
  EXPECT_EQ(some_rows(opened), some_rows(built_));
  EXPECT_EQ(some_rows(opened.with(QueryMode::blend)), some_rows(built_.with(QueryMode::blend)));
  built_.save(folder / "bare", {.shape = false});
  const Distances bare = open(folder / "bare");
  EXPECT_FALSE(bare.exact_near_field());
  EXPECT_EQ(some_rows(bare), some_rows(bare.with(QueryMode::blend)));
  EXPECT_NE(some_rows(bare), some_rows(built_));
}

INSTANTIATE_TEST_SUITE_P(Shapes, NearOn,
                         ::testing::Combine(::testing::Range<std::size_t>(0, near_cases().size()),
                                            ::testing::Values(Method::sbha, Method::cell)),
                         [](const auto& param) {
                           std::string name = near_cases()[std::get<0>(param.param)].name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name + "_" + method_name(std::get<1>(param.param));
                         });

TEST(NearPoints, AreMeasuredOnTheFaces) {
  // The surface of a plane: distances are chords, also between points inside faces and on sides.
  const TriangleMesh plane = make_plane(20, 20);
  const Distances built = build(plane, options_of(Method::sbha, 30));
  const double spacing = built.factors()->spacing(0);
  const auto corners = [&](Index f) {
    return std::array{plane.triangles(f, 0), plane.triangles(f, 1), plane.triangles(f, 2)};
  };
  const auto position = [&](const SurfacePoint& point) {
    Eigen::RowVector3d at = Eigen::RowVector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k) at += point.weight[k] * plane.points.row(point.vertex[k]);
    return at;
  };
  const std::array<double, 3> weights[] = {{0.2, 0.3, 0.5}, {0, 0.4, 0.6}, {0.25, 0.75, 0}, {0, 0, 1}};
  Index near = 0;
  for (Index f = 0; f < plane.triangles.rows(); f += 37)
    for (Index g = 0; g < plane.triangles.rows(); g += 17)
      for (const auto& u : weights)
        for (const auto& v : weights) {
          const SurfacePoint a(corners(f), u), b(corners(g), v);
          const double chord = (position(a) - position(b)).norm(), found = built.distance(a, b);
          EXPECT_GE(found, chord * (1 - 1e-9));
          if (chord > spacing) continue;
          EXPECT_NEAR(found, chord, 1e-9 * spacing) << f << ' ' << g;
          ++near;
        }
  EXPECT_GT(near, 200);
}

TEST(NearPoints, GoAroundTheBend) {
  // Two points on neighbouring sides of a box, and the chord through its inside.
  const TriangleMesh box = make_box(8);
  const Distances built = build(box, options_of(Method::sbha, 20));
  const auto solver = make_solver(box, {.method = GeodesicMethod::exact});
  Index bent = 0;
  for (Index f = 0; f < box.triangles.rows(); f += 11)
    for (Index v = 0; v < built.size(); v += 3) {
      const std::array corners{box.triangles(f, 0), box.triangles(f, 1), box.triangles(f, 2)};
      const SurfacePoint inside(corners, {0.5, 0.25, 0.25}), vertex(v);
      const double found = built.distance(inside, vertex);
      if (found > built.factors()->spacing(0)) continue;
      // No detour over a corner is shorter, and the corners are on the same face.
      RowMatrix<double> row(1, built.size());
      solver->distances(std::span(&v, 1), row);
      const Eigen::RowVector3d at = 0.5 * box.points.row(corners[0]) + 0.25 * box.points.row(corners[1]) +
                                    0.25 * box.points.row(corners[2]);
      for (const Index corner : corners) {
        const double leg = (box.points.row(corner) - at).norm();
        EXPECT_LE(found, row(0, corner) + leg + 1e-12);
        EXPECT_GE(found, row(0, corner) - leg - 1e-12);
      }
      EXPECT_GE(found, (at - box.points.row(v)).norm() - 1e-12);
      bent += found > 1.01 * (at - box.points.row(v)).norm();
      EXPECT_EQ(found, built.distance(inside, vertex));
    }
  EXPECT_GT(bent, 10);
}

TEST(NearField, IsContinuousWhereItMeetsTheLinearForm) {
  // Along a straight line of a fine plane no step is much larger than the edges.
  const Index columns = 100;
  const TriangleMesh plane = make_plane(columns, 20);
  const Distances built = build(plane, options_of(Method::cell, 60));
  const double edge = (plane.points.row(1) - plane.points.row(0)).norm();
  for (const Index row : {4, 10}) {
    const Vector distance = built.row(row * columns);
    for (Index k = 1; k < columns; ++k) {
      const double step = distance[row * columns + k] - distance[row * columns + k - 1];
      EXPECT_LT(std::abs(step), 1.6 * edge) << k;
    }
  }
}

TEST(NearField, PairsOfOneVertexShareASearchWithoutChangingIt) {
  const Distances built = build(make_creature(800).stretched, options_of(Method::sbha, 40));
  std::vector<Index> I(static_cast<std::size_t>(built.size()), 17), J = everything(built.size());
  const Vector together = built.distances(I, J), turned = built.distances(J, I);
  EXPECT_EQ(together, turned);
  for (Index j = 0; j < built.size(); j += 9)
    EXPECT_NEAR(together[j], built.distance(17, j), 1e-9 * (1 + together[j]));
}

TEST(NearField, EdgesThatWereMeasuredAlongAreWalkedAlong) {
  const Shape sphere = make_sphere(7);
  BuildOptions options = options_of(Method::sbha, 40);
  options.geodesic.method = GeodesicMethod::graph;
  const Distances built = build(sphere, options);
  const auto solver = make_solver(sphere, options.geodesic);
  RowMatrix<double> truth(1, built.size());
  const Index source = 33;
  solver->distances(std::span(&source, 1), truth);
  const Vector row = built.row(source);
  for (Index j = 0; j < built.size(); ++j)
    if (truth(0, j) < reach(built, source)) {
      EXPECT_NEAR(row[j], truth(0, j), 1e-12) << j;
    }
}

TEST(NearField, OfSuppliedDistancesIsEstimated) {
  const TemporaryFolder folder;
  const TriangleMesh sphere = make_sphere(4);
  BuildOptions options = options_of(Method::sbha, 20);
  const Distances measured = build(sphere, options);
  write_npy(all_rows(measured), folder / "K.npy");
  options.distances = folder / "K.npy";
  const Distances given = build(sphere, options);
  EXPECT_FALSE(given.exact_near_field());
  EXPECT_EQ(all_rows(given), all_rows(given.with(QueryMode::blend)));
  EXPECT_TRUE(measured.exact_near_field());
  EXPECT_FALSE(measured.with(QueryMode::blend).exact_near_field());
  EXPECT_FALSE(measured.with(QueryMode::raw).exact_near_field());
  EXPECT_FALSE(build(sphere, options_of(Method::ctg, 20)).exact_near_field());
}

TEST(NearField, RefusesDamagedFaces) {
  const TemporaryFolder folder;
  const Distances built = build(make_torus(20, 10), options_of(Method::sbha, 30));
  built.save(folder / "whole");
  std::ifstream file(folder / "whole", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto& triangles = std::get<TriangleMesh>(*built.shape()).triangles;
  const std::string_view stored(reinterpret_cast<const char*>(triangles.data()), 48);
  const std::size_t at = bytes.find(stored);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  folder.write("damaged", bytes);
  const Distances damaged = open(folder / "damaged");
  EXPECT_THROW(damaged.distance(3, 4), FileError);
  EXPECT_THROW(damaged.nearest(3, 5), FileError);
  EXPECT_THROW(damaged.distance(3, 4), FileError) << "again";
  // Far pairs and estimates do not read faces.
  EXPECT_EQ(damaged.distance(0, 110), built.distance(0, 110));
  EXPECT_EQ(all_rows(damaged.with(QueryMode::blend)), all_rows(built.with(QueryMode::blend)));
}

TEST(NearDistances, InMapCoordinatesAreThoseOfTheNearestPointsOfTheSurvey) {
  const Index size = 1500;
  const PointCloud cloud = survey(size, map_origin);
  const Distances there = build(cloud, options_of(Method::cell, 60));
  const Distances here = build(survey(size, {0, 0, 0}), options_of(Method::cell, 60));
  for (Index v = 0; v < size; v += 37) {
    std::vector<double> chords;
    for (Index other = 0; other < size; ++other)
      if (other != v) chords.push_back((cloud.points.row(v) - cloud.points.row(other)).norm());
    std::sort(chords.begin(), chords.end());
    const auto found = there.nearest(v, 10), expected = here.nearest(v, 10);
    ASSERT_EQ(found.size(), 10U);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_GE(found[k].distance, chords[k] * (1 - 1e-9)) << v;
      EXPECT_LE(found[k].distance, 1.05 * chords[k]) << v;
      EXPECT_NEAR(found[k].distance, expected[k].distance, 1e-5) << v;
    }
  }
}

}  // namespace
}  // namespace geodome::internal
