#include "geodome/matrix/query.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/matrix/packed_full_matrix.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

constexpr DistanceKind both_kinds[] = {DistanceKind::distance, DistanceKind::squared};
constexpr QueryMode both_modes[] = {QueryMode::near_field, QueryMode::raw};

RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

std::vector<std::shared_ptr<const LandmarkMatrix>> forms_of(const MatrixCase& one, DistanceKind kind) {
  return {std::make_shared<SparseLandmarkMatrix>(one.compact(Precision::float32, kind)),
          std::make_shared<DenseLandmarkMatrix>(one.dense(kind))};
}

TEST(QueryMatrix, OfFactorsIsTheirNearField) {
  for (const MatrixCase& one : matrix_cases())
    for (const DistanceKind kind : both_kinds)
      for (const auto& form : forms_of(one, kind))
        for (const QueryMode mode : both_modes)
          for (const LowerBound& bound : {LowerBound(one.mesh.points), LowerBound()}) {
            const auto queries = query_matrix(form, bound, mode);
            EXPECT_EQ(queries->kind(), DistanceKind::distance);
            EXPECT_EQ(queries->size(), one.size());
            EXPECT_EQ(all_rows(*queries), all_rows(NearField(*form, bound, mode))) << one.name;
          }
}

TEST(QueryMatrix, KeepsItsMatrixAlive) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  auto matrix = std::make_shared<const SparseLandmarkMatrix>(one.compact());
  const std::weak_ptr<const SparseLandmarkMatrix> watched = matrix;
  const RowMatrix<double> expected = all_rows(NearField(*matrix, one.mesh.points));
  auto queries = query_matrix(std::move(matrix), one.mesh.points);
  matrix.reset();
  EXPECT_EQ(all_rows(*queries), expected);
  queries.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(QueryMatrix, RefusesABoundOfAnotherShape) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const auto matrix = std::make_shared<const SparseLandmarkMatrix>(one.compact());
  EXPECT_THROW(query_matrix(matrix, make_sphere(3).points), InputError);
}

TEST(QueryMatrix, OfAnyOtherMatrixIsItsOwnDistances) {
  const MatrixCase one = make_case("apart", apart(make_sphere(3), make_plane(5, 4)), 20);
  for (const DistanceKind kind : both_kinds) {
    const auto full = std::make_shared<const FullMatrix>(full_matrix(*one.solver, kind, 1 << 30));
    const RowMatrix<double> stored = all_rows(*full);
    for (const QueryMode mode : both_modes) {
      const auto queries = query_matrix(full, one.mesh.points, mode);
      EXPECT_EQ(queries->kind(), DistanceKind::distance);
      if (kind == DistanceKind::distance) {
        EXPECT_EQ(queries, full);
      } else {
        EXPECT_EQ(all_rows(*queries), stored.cwiseSqrt());
      }
    }
  }
}

TEST(SquaredMatrix, IsTheSameMatrixWhereThatIsPossible) {
  const MatrixCase one = make_case("apart", apart(make_sphere(3), make_plane(5, 4)), 20);
  for (const std::size_t form : {0u, 1u}) {
    const std::shared_ptr<const DistanceMatrix> plain = forms_of(one, DistanceKind::distance)[form];
    const std::shared_ptr<const DistanceMatrix> squares = forms_of(one, DistanceKind::squared)[form];
    const auto squared = squared_matrix(plain);
    ASSERT_NE(squared, nullptr);
    EXPECT_EQ(squared->kind(), DistanceKind::squared);
    EXPECT_LE(difference(all_rows(*squared), all_rows(*squares)), 1e-6);
    EXPECT_EQ(squared_matrix(squares), squares);
  }
  const auto packed = std::make_shared<const PackedFullMatrix>(
      one.size(), packed_distances(*one.solver, 1 << 30), DistanceKind::distance);
  EXPECT_LE(difference(all_rows(*squared_matrix(packed)), all_rows(*packed).cwiseAbs2()), 1e-12);
}

TEST(InUnit, MultipliesDistancesAndKeepsFactors) {
  const MatrixCase one = make_case("plane", make_plane(9, 8), 15);
  const double unit = 0x1p-100;
  for (const DistanceKind kind : both_kinds) {
    const double factor = kind == DistanceKind::squared ? unit * unit : unit;
    for (const auto& form : forms_of(one, kind)) {
      EXPECT_EQ(in_unit(form, 1), form);
      const auto scaled = in_unit(form, unit);
      EXPECT_NE(scaled->landmark_matrix(), nullptr);
      EXPECT_EQ(all_rows(*scaled), all_rows(*form) * factor);
    }
    const auto full = std::make_shared<const FullMatrix>(full_matrix(*one.solver, kind, 1 << 30));
    EXPECT_EQ(in_unit(full, 1), full);
    const auto scaled = in_unit(full, unit);
    EXPECT_EQ(all_rows(*scaled), all_rows(*full) * factor);
    EXPECT_EQ(scaled->unit(), unit);
    EXPECT_EQ(&scaled->stored(), full.get());
    EXPECT_EQ(all_rows(*query_matrix(scaled, LowerBound())),
              all_rows(*query_matrix(full, LowerBound())) * unit);
  }
}

}  // namespace
}  // namespace geodome::internal
