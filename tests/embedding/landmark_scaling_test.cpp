#include "geodome/embedding/landmark_scaling.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "embedding/scaling_cases.h"

namespace geodome::internal {
namespace {

TEST(LandmarkScaling, HasTheNonzeroSpectrumOfTheWholeMatrixByEitherWay) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix form = one.compact(Precision::float64, DistanceKind::squared);
    const FiniteParts parts = finite_parts(form);
    const Execution execution;
    for (std::size_t part = 0; part < parts.vertices.size(); ++part) {
      const GramOperator B(form, parts, static_cast<Index>(part), execution);
      const Eigen::MatrixXd all = B.dense();
      const Vector spectrum = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(all).eigenvalues().reverse();
      const double largest = spectrum.cwiseAbs().maxCoeff();
      for (const LandmarkScaling& scaling : {scale_by_qr(form, B.vertices(), 2, std::int64_t{1} << 30),
                                             scale_by_gram(form, B.vertices(), 2)}) {
        const double mass = spectrum.cwiseAbs().sum();
        EXPECT_NEAR(scaling.spectrum.cwiseAbs().sum(), mass, 1e-7 * mass) << one.name;
        EXPECT_NEAR(scaling.spectrum.sum(), spectrum.sum(), 1e-7 * mass) << one.name;
        ASSERT_EQ(scaling.vectors.cols(), 2);
        for (Index k = 0; k < 2; ++k) {
          EXPECT_NEAR(scaling.spectrum[k], spectrum[k], 1e-8 * largest) << one.name;
          const Vector v = scaling.vectors.col(k);
          EXPECT_NEAR(v.norm(), 1, 1e-7);
          EXPECT_LE((all * v - scaling.spectrum[k] * v).norm(), 1e-7 * largest) << one.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace geodome::internal
