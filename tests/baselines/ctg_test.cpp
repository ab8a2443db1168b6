#include "geodome/baselines/ctg/ctg.h"

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "baselines/baseline_cases.h"

namespace geodome::internal {
namespace {

CtgTriangles triangles_of(const RivalCase& one) {
  const Adjacency edges = make_adjacency(one.size(), face_edges(one.base.mesh));
  return ctg_triangles(one.base.mesh.triangles, edges, one.columns());
}

CtgMatrix ctg_of(const RivalCase& one, DistanceKind kind = DistanceKind::distance) {
  return make_ctg(one.columns(), triangles_of(one), &one.base.mesh.points, kind);
}

double random_number(std::mt19937& random) {
  return static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
}

Eigen::Vector2d random_point(std::mt19937& random, double size) {
  const double x = random_number(random), y = random_number(random);
  return {size * (2 * x - 1), size * (2 * y - 1)};
}

TEST(PlaneTriangle, KnowsPointsOfThePlaneByTheirDistances) {
  std::mt19937 random(5);
  for (const double size : {1e-8, 1.0, 1e8})
    for (int trial = 0; trial < 300; ++trial) {
      std::array<Eigen::Vector2d, 3> corner;
      for (auto& one : corner) one = random_point(random, size);
      const PlaneTriangle triangle(
          {(corner[1] - corner[2]).norm(), (corner[0] - corner[2]).norm(), (corner[0] - corner[1]).norm()});
      if (triangle.roundness() < 0.05) continue;
      std::array<Eigen::Vector2d, 2> point;
      std::array<CornerDistances, 2> known;
      for (int k = 0; k < 2; ++k) {
        point[k] = random_point(random, trial % 2 == 0 ? size : 8 * size);
        for (int c = 0; c < 3; ++c) known[k][c] = (point[k] - corner[c]).norm();
        const auto weights = triangle.weights(known[k]);
        EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-9);
        const Eigen::Vector2d made = weights[0] * corner[0] + weights[1] * corner[1] + weights[2] * corner[2];
        EXPECT_LE((made - point[k]).norm(), 1e-9 * size);
      }
      EXPECT_NEAR(triangle.distance(known[0], known[1]), (point[0] - point[1]).norm(), 1e-7 * size);
    }
}

TEST(PlaneTriangle, KeepsToTheTriangleInequalityWhereThereIsNoPlane) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 500; ++trial) {
    const auto any = [&] { return trial % 5 == 0 && random() % 4 == 0 ? 0.0 : random_number(random); };
    const PlaneTriangle triangle({any(), any(), any()});
    const CornerDistances p{any(), any(), any()}, q{any(), any(), any()};
    const double distance = triangle.distance(p, q);
    double most = infinity, least = 0;
    for (int k = 0; k < 3; ++k) {
      most = std::min(most, p[k] + q[k]);
      least = std::max(least, std::abs(p[k] - q[k]));
    }
    EXPECT_GE(distance, least);
    EXPECT_LE(distance, std::max(least, most));
  }
}

/// The unit square folded along straight lines, right angles to the left at each: faces of a box in a row.
TriangleMesh folded_sheet(Index columns, Index rows, int faces) {
  TriangleMesh mesh = make_plane(columns, rows);
  for (Eigen::Index v = 0; v < mesh.points.rows(); ++v) {
    Eigen::RowVector3d at(0, mesh.points(v, 1), 0), ahead(1, 0, 0);
    double left = mesh.points(v, 0);
    for (int face = 0; face < faces; ++face) {
      const double part = std::min(left, 1.0 / faces);
      at += part * ahead;
      left -= part;
      ahead = Eigen::RowVector3d(-ahead[2], 0, ahead[0]);
    }
    mesh.points.row(v) = at;
  }
  return mesh;
}

/// With straight lines for a bound from below and without them, which would mend what is flat.
double worst_difference(const RivalCase& one) {
  const Eigen::MatrixXd K = truth(one, DistanceKind::distance);
  const CtgMatrix alone = make_ctg(one.columns(), triangles_of(one), nullptr, DistanceKind::distance);
  return std::max(difference(all_entries(alone), K), difference(all_entries(ctg_of(one)), K));
}

TEST(Ctg, IsExactOnAFlatConvexPatch) {
  for (const Index samples : {4, 9, 25, 60})
    for (const double size : {1e-8, 1.0, 1e8}) {
      TriangleMesh mesh = make_plane(16, 13);
      mesh.points *= size;
      EXPECT_LE(worst_difference(make_rival_case("plane", mesh, samples)), 3e-6) << samples << " " << size;
    }
}

TEST(Ctg, IsExactOnASheetFoldedAlongTheEdgesOfABox) {
  for (const int faces : {2, 3, 4})
    for (const Index samples : {10, 30})
      EXPECT_LE(worst_difference(make_rival_case("sheet", folded_sheet(13, 9, faces), samples)), 3e-6)
          << faces << " " << samples;
}

TEST(Ctg, IsExactOnAPrismUnlessATriangleReachesItsOtherSide) {
  // Without lid and floor: unrolled it is a strip. Exact where the triangles of both vertices, corners and
  // all, see each other the same way around.
  TriangleMesh mesh = make_cylinder(24, 12);
  const RivalCase one = make_rival_case("tube", mesh, 40);
  const CtgMatrix matrix = ctg_of(one);
  const Eigen::MatrixXd K = truth(one, DistanceKind::distance), ours = all_entries(matrix);
  const double around = 2 * std::numbers::pi;
  const auto turn = [&](Index from, Index to) {
    const auto angle = [&](Index v) { return std::atan2(mesh.points(v, 1), mesh.points(v, 0)); };
    return std::abs(std::remainder(angle(to) - angle(from), around));
  };
  const auto reach = [&](Index v) {
    double most = 0;
    for (const Index corner : matrix.arrays().triangle[matrix.arrays().of_vertex[v]])
      most = std::max(most, turn(v, one.base.landmarks.vertices[corner]));
    return most;
  };
  Index compared = 0;
  for (Index i = 0; i < one.size(); ++i)
    for (Index j = 0; j < one.size(); ++j) {
      if (turn(i, j) + reach(i) + reach(j) > around / 2 - 0.01) continue;
      ++compared;
      EXPECT_NEAR(ours(i, j), K(i, j), 1e-5) << i << " " << j;
    }
  EXPECT_GT(compared, one.size() * one.size() / 2);
}

TEST(Ctg, IsExactForMostPairsOfAClosedBoxWithSamplesAtItsCorners) {
  // Its corners are not flat, and from each vertex ridges run over the other side: no more can be had of
  // three distances.
  const RivalCase one = make_rival_case("box", make_box(8), 60);
  const Eigen::MatrixXd K = truth(one, DistanceKind::distance), ours = all_entries(ctg_of(one));
  Index exact = 0;
  for (Index i = 0; i < one.size(); ++i)
    for (Index j = 0; j < one.size(); ++j) exact += std::abs(ours(i, j) - K(i, j)) <= 1e-6;
  EXPECT_GT(exact, one.size() * one.size() / 2);
}

TEST(Ctg, IsSymmetricAndTheSameHoweverItIsAsked) {
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const CtgMatrix matrix = ctg_of(one, kind);
      expect_consistent(matrix, one.base.name);
      EXPECT_EQ(matrix.kind(), kind);
      EXPECT_TRUE(matrix.quadratic_product());
      EXPECT_LT(error_of(matrix, truth(one, kind)), 0.02) << one.base.name;
      for (Index v = 0; v < one.size(); ++v) EXPECT_EQ(matrix.entries(std::array{v}, std::array{v})[0], 0);
    }
}

TEST(Ctg, HasTheMeasuredDistancesOfSamples) {
  const RivalCase one = make_rival_case("torus", make_torus(16, 9), 30);
  const CtgMatrix matrix = ctg_of(one);
  const auto& samples = one.base.landmarks.vertices;
  EXPECT_LE(difference(matrix.block(samples, samples), one.columns().between(0, false)), 1e-7);
  for (Index v = 0; v < one.size(); ++v)
    for (const Index corner : matrix.arrays().triangle[matrix.arrays().of_vertex[v]])
      EXPECT_NEAR(matrix.entries(std::array{v}, std::array{samples[corner]})[0], one.C(v, corner), 1e-6);
}

TEST(Ctg, IsEverythingWhereEveryVertexIsASample) {
  for (const TriangleMesh& mesh : {make_sphere(3), make_box(2)})
    EXPECT_LE(worst_difference(make_rival_case("all", mesh, static_cast<Index>(mesh.points.rows()))), 1e-6);
}

TEST(Ctg, ErrorFallsAsSamplesGrow) {
  double before = infinity;
  for (const Index samples : {12, 40, 120}) {
    const RivalCase one = make_rival_case("sphere", make_sphere(6), samples);
    const CtgMatrix matrix = ctg_of(one);
    const double error = error_of(matrix, truth(one, DistanceKind::distance));
    EXPECT_LT(error, before / 2) << samples;
    before = error;
  }
  EXPECT_LT(before, 3e-4);
}

TEST(Ctg, IsNeverBelowTheStraightLine) {
  for (const TriangleMesh& mesh : {make_sphere(5), make_torus(18, 9), make_box(4)})
    for (const Index samples : {15, 40}) {
      const RivalCase one = make_rival_case("shape", mesh, samples);
      const Eigen::MatrixXd ours = all_entries(ctg_of(one));
      for (Index i = 0; i < one.size(); ++i)
        for (Index j = 0; j < one.size(); ++j)
          EXPECT_GE(ours(i, j), (1 - 1e-6) * (mesh.points.row(i) - mesh.points.row(j)).norm() - 1e-6)
              << i << j;
    }
}

/// Vertices - edges + faces.
std::int64_t euler(const CtgTriangles& dual, std::size_t samples) {
  std::set<std::pair<Index, Index>> edges;
  for (const auto& [a, b, c] : dual.triangle) edges.insert({{a, b}, {b, c}, {a, c}});
  return static_cast<std::int64_t>(samples) - static_cast<std::int64_t>(edges.size()) +
         static_cast<std::int64_t>(dual.triangle.size());
}

TEST(CtgTriangles, TriangulateTheSurface) {
  const auto expect = [](const char* name, const TriangleMesh& mesh, Index samples, int characteristic) {
    const RivalCase one = make_rival_case(name, mesh, samples);
    const CtgTriangles dual = triangles_of(one);
    EXPECT_TRUE(dual.broken.empty()) << name;
    EXPECT_EQ(dual.repaired, 0) << name;
    EXPECT_EQ(euler(dual, one.base.landmarks.vertices.size()), characteristic) << name;
    EXPECT_TRUE(samples_to_add(dual, one.columns()).empty()) << name;
  };
  expect("sphere", make_sphere(6), 30, 2);
  expect("torus", make_torus(30, 16), 50, 0);
  expect("plane", make_plane(16, 13), 25, 1);
}

TEST(CtgTriangles, CellsHangTogetherAndHoldTheirSample) {
  for (const RivalCase& one : rival_cases()) {
    const CtgTriangles dual = triangles_of(one);
    const auto& samples = one.base.landmarks.vertices;
    for (std::size_t k = 0; k < samples.size(); ++k) EXPECT_EQ(dual.cell[samples[k]], static_cast<Index>(k));
    Index nearest = 0, all = 0;
    for (Index v = 0; v < one.size(); ++v) {
      const Index c = one.base.landmarks.component[v];
      EXPECT_EQ(dual.cell[v] < 0, c < 0) << one.base.name;
      if (c < 0) continue;
      ++all;
      Eigen::Index best = 0;
      one.C.row(v).head(one.columns().count(c)).minCoeff(&best);
      nearest += one.C(v, best) == one.C(v, dual.cell[v] - one.columns().first(c));
    }
    EXPECT_GE(nearest, all * 95 / 100) << one.base.name;
  }
}

TEST(CtgTriangles, SayWhereTheyAreBrokenAndWhatWouldMendThem) {
  // A long tube with few samples: cells are rings, which meet twice or have two neighbours.
  const RivalCase one = make_rival_case("tube", make_cylinder(10, 60, 0.1, 6), 8);
  CtgTriangles dual = triangles_of(one);
  ASSERT_FALSE(dual.broken.empty());
  const std::vector<Index> more = samples_to_add(dual, one.columns());
  ASSERT_FALSE(more.empty());
  const std::vector<Index>& chosen = one.base.landmarks.vertices;
  for (const Index v : more) EXPECT_TRUE(std::find(chosen.begin(), chosen.end(), v) == chosen.end());
}

TEST(Ctg, NeverFailsOnShapesAndNumbersThatHaveNoTriangulation) {
  std::vector<std::pair<std::string, TriangleMesh>> shapes = {{"sphere", make_sphere(2)},
                                                              {"moebius", make_moebius(12, 3)},
                                                              {"edge of many faces", make_fan(3, 4)},
                                                              {"tube", make_cylinder(6, 20, 0.1)},
                                                              {"box", make_box(1)},
                                                              {"apart", apart(make_sphere(2), make_box(1))}};
  for (const auto& [name, mesh] : shapes)
    for (const Index samples : {2, 3, 4, 7}) {
      const RivalCase one = make_rival_case(name, mesh, samples);
      const CtgMatrix matrix = ctg_of(one);
      const Eigen::MatrixXd ours = all_entries(matrix), K = truth(one, DistanceKind::distance);
      EXPECT_LE(difference(ours, ours.transpose()), 0) << name << samples;
      for (Index i = 0; i < one.size(); ++i)
        for (Index j = 0; j < one.size(); ++j) {
          EXPECT_EQ(std::isfinite(ours(i, j)), std::isfinite(K(i, j))) << name << samples;
          EXPECT_GE(ours(i, j), 0) << name << samples;
        }
    }
}

TEST(CtgMatrix, RefusesPartsThatDoNotFit) {
  const RivalCase one = make_rival_case("plane", make_plane(6, 5), 6);
  const CtgParts good = ctg_parts(one.columns(), triangles_of(one), &one.base.mesh.points);
  const auto refused = [&](auto change) {
    CtgParts bad = good;
    change(bad);
    EXPECT_THROW(CtgMatrix(std::move(bad), DistanceKind::distance), InputError);
  };
  refused([](CtgParts& parts) { parts.W.pop_back(); });
  refused([](CtgParts& parts) { parts.distance.pop_back(); });
  refused([](CtgParts& parts) { parts.component.pop_back(); });
  refused([](CtgParts& parts) { parts.component[0] = 1; });
  refused([](CtgParts& parts) { parts.triangle[0][1] = 6; });
  refused([](CtgParts& parts) { parts.of_vertex[3] = static_cast<Index>(parts.triangle.size()); });
  refused([](CtgParts& parts) { parts.component_first.clear(); });
  refused([](CtgParts& parts) { parts.component_first[0] = -1; });
  refused([](CtgParts& parts) { parts.component_first = {0, 7, 6}; });
  refused([](CtgParts& parts) { parts.position.resize(3); });
}

TEST(CtgMatrix, KnowsItsComponents) {
  for (const RivalCase& one : rival_cases()) {
    const CtgMatrix matrix = ctg_of(one);
    EXPECT_EQ(matrix.component_labels(), one.base.landmarks.component) << one.base.name;
    EXPECT_EQ(matrix.DistanceMatrix::component_labels(), one.base.landmarks.component) << one.base.name;
    EXPECT_EQ(matrix.samples(), static_cast<Index>(one.base.landmarks.vertices.size()));
    EXPECT_EQ(all_entries(matrix.as(DistanceKind::squared)), all_entries(matrix).cwiseAbs2());
  }
}

TEST(CtgMatrix, CountsWhatItKeeps) {
  const RivalCase one = make_rival_case("sphere", make_sphere(5), 30);
  const CtgMatrix matrix = ctg_of(one);
  const auto faces = static_cast<std::int64_t>(matrix.arrays().triangle.size());
  EXPECT_EQ(matrix.bytes(), 28 * one.size() + 4 * 30 * 31 / 2 + 16 * faces + 8);
}

}  // namespace
}  // namespace geodome::internal
