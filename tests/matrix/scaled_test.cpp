#include "geodome/matrix/scaled.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/matrix/near_field.h"
#include "matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(ScaledMatrix, MultipliesEveryAnswer) {
  const MatrixCase one = make_case("plane", make_plane(9, 8), 15);
  const std::vector<Index> some{0, 7, 33};
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    const auto plain = std::make_shared<SparseLandmarkMatrix>(one.compact(Precision::float32, kind));
    const double unit = 0x1p-200, factor = kind == DistanceKind::squared ? unit * unit : unit;
    const ScaledMatrix scaled(plain, unit);
    EXPECT_EQ(scaled.entries(some, some), plain->entries(some, some) * factor);
    EXPECT_EQ(scaled.block(some, some), plain->block(some, some) * factor);
    EXPECT_EQ(scaled.rows(some), plain->rows(some) * factor);
    const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 2);
    EXPECT_EQ(scaled.apply(X), plain->apply(X) * factor);
    EXPECT_EQ(scaled.component_labels(), plain->component_labels());
    EXPECT_FALSE(scaled.quadratic_product());
  }
  const auto plain = std::make_shared<SparseLandmarkMatrix>(one.compact());
  for (const double unit : {0.0, -1.0, infinity}) EXPECT_THROW(ScaledMatrix(plain, unit), InputError);
}

TEST(ScaledMatrix, FormsTakeTheUnitIntoTheirSteps) {
  const double unit = 0x1p+180;
  for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
    const MatrixCase one = make_case("two components", apart(make_sphere(5), make_plane(9, 8)), 35);
    const SparseLandmarkMatrix plain = one.compact(precision);
    const auto scaled = plain.in_unit(unit);
    const std::vector<Index> some{0, 7, 33};
    EXPECT_EQ(scaled->rows(some), plain.rows(some) * unit);
    EXPECT_EQ(scaled->spacing(1), unit * plain.spacing(1));
    EXPECT_EQ(NearField(*scaled).row(7), NearField(plain).row(7) * unit);
  }
}

}  // namespace
}  // namespace geodome::internal
