#include "geodome/matrix/near_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/matrix/search.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(NearField, IsZeroOnTheDiagonalAndNeverBelowTheChord) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix, one.mesh.points);
    const auto all = everything(one.size());
    for (Index i = 0; i < one.size(); i += 7) {
      const std::vector<Index> same(all.size(), i);
      const Vector row = field.query(same, all);
      EXPECT_EQ(row[i], 0) << one.name;
      for (Index j = 0; j < one.size(); ++j) {
        EXPECT_GE(row[j], field.bound(i, j)) << one.name;
        EXPECT_EQ(std::isfinite(row[j]),
                  i == j || (one.landmarks.component[i] >= 0 &&
                             one.landmarks.component[i] == one.landmarks.component[j]));
      }
      EXPECT_EQ(row, field.query(all, same)) << one.name;
      EXPECT_LT(difference(field.row(i), row), 1e-12) << one.name;
      EXPECT_EQ(field.query(i, all.back()), row[all.back()]);
    }
  }
}

TEST(NearField, RowsAreTheRowsOneByOne) {
  for (const MatrixCase& one : matrix_cases())
    for (const QueryMode form : {QueryMode::near_field, QueryMode::raw}) {
      const SparseLandmarkMatrix matrix = one.compact();
      const NearField field(matrix, one.mesh.points, form);
      const std::vector<Index> some = random_pairs(one.size(), 21).I;
      const RowMatrix<double> rows = field.rows(some);
      EXPECT_EQ(rows, field.rows(some, Execution{3, {}})) << one.name;
      for (std::size_t r = 0; r < some.size(); ++r)
        EXPECT_LT(difference(rows.row(static_cast<Eigen::Index>(r)).transpose(), field.row(some[r])), 1e-12)
            << one.name;
      EXPECT_EQ(field.rows({}).rows(), 0);
      EXPECT_THROW(field.rows(std::vector<Index>{0, one.size()}), InputError);
    }
}

TEST(NearField, IsAMatrixOfDistances) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix squared = one.compact(Precision::float32, DistanceKind::squared);
    const NearField field(squared, one.mesh.points);
    const DistanceMatrix& matrix = field;
    EXPECT_EQ(matrix.size(), one.size());
    EXPECT_EQ(matrix.kind(), DistanceKind::distance);
    EXPECT_EQ(matrix.bytes(), squared.bytes());
    const Pairs pairs = random_pairs(one.size(), 50);
    EXPECT_EQ(matrix.entries(pairs.I, pairs.J), field.query(pairs.I, pairs.J));
    EXPECT_EQ(matrix.component_labels(), squared.component_labels());
    // What rows say of components, and what the form knows of them.
    EXPECT_EQ(matrix.DistanceMatrix::component_labels(), squared.component_labels()) << one.name;
  }
}

TEST(NearField, WithoutPositionsItIsStillNeverNegative) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix);
    for (Index i = 0; i < one.size(); i += 11) {
      const Vector row = field.row(i);
      EXPECT_EQ(row[i], 0) << one.name;
      EXPECT_GE(row.minCoeff(), 0) << one.name;
    }
  }
}

TEST(NearField, FarAwayItIsTheLinearForm) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix), raw(matrix, {}, QueryMode::raw);
    const auto all = everything(one.size());
    const RowMatrix<double> linear = matrix.rows(all);
    for (Index i = 0; i < one.size(); i += 13) {
      const Vector row = field.row(i);
      const Index c = matrix.component(i);
      for (Index j = 0; j < one.size(); ++j)
        if (c >= 0 && std::isfinite(linear(i, j)) && linear(i, j) >= 1.301 * matrix.spacing(c)) {
          EXPECT_NEAR(row[j], linear(i, j), 1e-12 * linear(i, j)) << one.name;
        }
      EXPECT_LT(difference(raw.row(i), linear.row(i).transpose()), 1e-12) << one.name;
    }
  }
}

TEST(NearField, GivesDistancesWhateverTheKind) {
  const MatrixCase one = make_case("torus", make_torus(24, 11), 30);
  const SparseLandmarkMatrix matrix = one.compact(), squared = matrix.as(DistanceKind::squared);
  EXPECT_EQ(NearField(squared, one.mesh.points).row(5), NearField(matrix, one.mesh.points).row(5));
  EXPECT_EQ(NearField(squared).query(5, 90), NearField(matrix).query(5, 90));
}

TEST(NearField, MendsNeighboursOfEveryShape) {
  for (const TriangleMesh& mesh :
       {make_sphere(18), make_torus(70, 30), make_plane(45, 40), make_cylinder(50, 30)}) {
    const MatrixCase one = make_case("near", mesh, 100, 60);
    const SparseLandmarkMatrix matrix = one.compact();
    const NeighbourSearch search(NearField(matrix, one.mesh.points));
    const NearField raw(matrix, {}, QueryMode::raw);
    double found = 0, asked = 0, corrected_error = 0, raw_error = 0;
    for (Index i = 0; i < one.size(); i += 61) {
      const std::vector<Neighbour> truth = one.solver->within(i, 1.5 * matrix.spacing(0));
      ASSERT_GT(truth.size(), 11u);
      // Rings of a regular mesh lie at nearly one distance, so a vertex counts when it is hardly farther than
      // the true tenth.
      for (const Neighbour& near : search.nearest(i, 10)) {
        for (const Neighbour& right : truth)
          found += right.vertex == near.vertex && right.distance <= 1.05 * truth[10].distance;
        ++asked;
      }
      for (std::size_t k = 1; k <= 10; ++k) {
        corrected_error += std::abs(search.field().query(i, truth[k].vertex) / truth[k].distance - 1);
        raw_error += std::abs(raw.query(i, truth[k].vertex) / truth[k].distance - 1);
      }
    }
    EXPECT_GT(found / asked, 0.97);
    EXPECT_LT(corrected_error / asked, 0.05);
    EXPECT_LT(corrected_error, raw_error / 8);
  }
}

TEST(NearField, HoldsAtBoundariesWithFewLandmarks) {
  const std::pair<const char*, TriangleMesh> shapes[] = {
      {"sphere", make_sphere(18)},         {"torus", make_torus(70, 30)}, {"plane", make_plane(45, 40)},
      {"cylinder", make_cylinder(50, 30)}, {"box", make_box(14)},         {"moebius", make_moebius(80, 16)},
      {"roll", make_swiss_roll(90, 30)}};
  for (const auto& [name, mesh] : shapes)
    for (const Index landmarks : {60, 250}) {
      const MatrixCase one = make_case(name, mesh, landmarks, 50);
      const SparseLandmarkMatrix matrix = one.compact();
      const NearField field(matrix, one.mesh.points);
      std::vector<double> errors;
      for (Index i = 0; i < one.size(); i += 23) {
        const std::vector<Neighbour> truth = one.solver->within(i, 2 * matrix.spacing(0));
        ASSERT_GT(truth.size(), 10u);
        for (std::size_t k = 1; k <= 10; ++k)
          errors.push_back(std::abs(field.query(i, truth[k].vertex) / truth[k].distance - 1));
      }
      std::sort(errors.begin(), errors.end());
      const double all = std::accumulate(errors.begin(), errors.end(), 0.0);
      EXPECT_LT(all / static_cast<double>(errors.size()), 0.05) << name << ", " << landmarks;
      EXPECT_LT(errors[errors.size() * 95 / 100], 0.15) << name << ", " << landmarks;
    }
}

TEST(NearField, SheetsThatNearlyTouchStayApart) {
  // The layers of the roll are close in space and far apart along it.
  const MatrixCase one = make_case("roll", make_swiss_roll(120, 30), 100, 50);
  const SparseLandmarkMatrix matrix = one.compact();
  const NearField field(matrix, one.mesh.points);
  const double spacing = matrix.spacing(0);
  Index pairs = 0;
  for (Index i = 0; i < one.size(); i += 37) {
    RowMatrix<double> truth(1, one.size());
    one.solver->distances(std::span(&i, 1), truth);
    for (Index j = 0; j < one.size(); ++j) {
      if (field.bound(i, j) > 1.5 * spacing || truth(0, j) < 4 * spacing) continue;
      EXPECT_NEAR(field.query(i, j), truth(0, j), 0.1 * truth(0, j));
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 100);
}

TEST(NearField, ScalesWithTheShape) {
  const TriangleMesh mesh = make_torus(24, 11);
  const MatrixCase one = make_case("torus", mesh, 30);
  const SparseLandmarkMatrix plain = one.compact();
  const Vector row = NearField(plain, mesh.points).row(17);
  // Powers of two: others round coordinates, and a torus has ties that landmarks decide by the last bit.
  for (const double scale : {0x1p-27, 0x1p27}) {
    const MatrixCase other = make_case("scaled", {mesh.points * scale, mesh.triangles}, 30);
    const SparseLandmarkMatrix matrix = other.compact();
    EXPECT_LT((NearField(matrix, other.mesh.points).row(17) / scale - row).cwiseAbs().maxCoeff(), 1e-6)
        << scale;
  }
}

TEST(NearField, RefusesBadQuestions) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  EXPECT_THROW(NearField(matrix, RowMatrix<double>::Zero(5, 3)), InputError);
  const NearField field(matrix);
  EXPECT_THROW(field.query(0, one.size()), InputError);
  EXPECT_THROW(field.query(-1, 0), InputError);
  EXPECT_THROW(field.row(one.size()), InputError);
  EXPECT_THROW(field.query(std::vector<Index>{0, 1}, std::vector<Index>{0}), InputError);
}

TEST(SurfacePoint, AtAVertexItIsTheVertex) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix, one.mesh.points);
    const Pairs pairs = random_pairs(one.size(), 200);
    std::vector<SurfacePoint> I, J;
    for (std::size_t k = 0; k < pairs.I.size(); ++k) {
      I.emplace_back(pairs.I[k]);
      J.emplace_back(std::array<Index, 3>{0, 1, pairs.J[k]}, std::array<double, 3>{0, 0, 1});
    }
    EXPECT_LT(difference(matrix.entries(I, J), matrix.entries(pairs.I, pairs.J)), 1e-14) << one.name;
    for (std::size_t k = 0; k < I.size(); ++k) {
      const double vertex = field.query(pairs.I[k], pairs.J[k]);
      if (std::isfinite(vertex))
        EXPECT_NEAR(field.query(I[k], J[k]), vertex, 1e-7 * vertex) << one.name;
      else
        EXPECT_EQ(field.query(I[k], J[k]), vertex) << one.name;
    }
  }
}

TEST(SurfacePoint, EntriesAreLinearInTheWeights) {
  const MatrixCase one = make_case("sphere", make_sphere(7), 40);
  const SparseLandmarkMatrix matrix = one.compact();
  const std::array<double, 3> s{0.2, 0.5, 0.3}, t{0.6, 0, 0.4};
  for (Index f = 0; f < one.mesh.triangles.rows(); f += 37) {
    const Index g = (5 * f + 11) % static_cast<Index>(one.mesh.triangles.rows());
    const auto corners = [&](Index face) {
      return std::array<Index, 3>{one.mesh.triangles(face, 0), one.mesh.triangles(face, 1),
                                  one.mesh.triangles(face, 2)};
    };
    const RowMatrix<double> K = matrix.block(corners(f), corners(g));
    double expected = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) expected += s[a] * t[b] * K(a, b);
    const std::array first{SurfacePoint(corners(f), s)}, second{SurfacePoint(corners(g), t)};
    EXPECT_NEAR(matrix.entries(first, second)[0], expected, 1e-12);
    const NearField field(matrix, one.mesh.points);
    EXPECT_EQ(field.query(first[0], first[0]), 0);
  }
}

TEST(SurfacePoint, RefusesWhatIsNoPoint) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact();
  const Index last = one.size() - 1, stray = static_cast<Index>(make_sphere(5).points.rows());
  ASSERT_EQ(one.landmarks.component[stray], -1);
  const auto point = [](std::array<Index, 3> corners, std::array<double, 3> weights) {
    return SurfacePoint(corners, weights);
  };
  const NearField field(matrix);
  EXPECT_THROW(field.query(point({0, 1, last}, {0.3, 0.3, 0.4}), SurfacePoint(0)), InputError);
  EXPECT_THROW(field.query(point({0, 1, stray}, {0.3, 0.3, 0.4}), SurfacePoint(0)), InputError);
  EXPECT_THROW(field.query(point({0, 1, 2}, {0.3, 0.3, 0.3}), SurfacePoint(0)), InputError);
  EXPECT_THROW(field.query(point({0, 1, 2}, {1.5, -0.5, 0}), SurfacePoint(0)), InputError);
  EXPECT_THROW(field.query(point({0, 1, 2}, {std::nan(""), 0, 1}), SurfacePoint(0)), InputError);
  EXPECT_THROW(field.query(point({0, 1, last + 1}, {1, 0, 0}), SurfacePoint(0)), InputError);
  EXPECT_EQ(field.query(point({0, 1, stray}, {0, 0, 1}), SurfacePoint(stray)), 0);
  EXPECT_EQ(field.query(SurfacePoint(stray), SurfacePoint(0)), infinity);
  EXPECT_EQ(field.query(SurfacePoint(last), SurfacePoint(0)), infinity);
}

}  // namespace
}  // namespace geodome::internal
