#include "geodome/embedding/embedding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "embedding/scaling_cases.h"
#include "geodome/base/error.h"
#include "geodome/embedding/stress.h"
#include "geodome/matrix/scaled.h"

namespace geodome::internal {
namespace {

constexpr ScalingMethod matrix_methods[] = {ScalingMethod::lanczos, ScalingMethod::dense};
constexpr ScalingMethod form_methods[] = {ScalingMethod::lanczos, ScalingMethod::qr, ScalingMethod::dense};

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Embed, BringsPointsBackUpToARigidMotion) {
  for (const Index dimension : {1, 2, 3, 5})
    for (const double scale : {1e-8, 1.0, 1e8})
      for (const Index count : {60, 320}) {
        const RowMatrix<double> points = random_points(count, dimension, 7, scale);
        const FullMatrix squared = squared_between(points);
        for (const ScalingMethod method : matrix_methods) {
          const Embedding result = embed_by(squared, method, dimension);
          EXPECT_LE(rigid_difference(result.Z, points), 1e-7) << dimension << " dimensions at " << scale;
          ASSERT_EQ(result.components.size(), 1u);
          EXPECT_EQ(result.components[0].axes, dimension);
          EXPECT_LE(result.components[0].negative_share, 1e-6);
          EXPECT_LE(result.components[0].residuals.maxCoeff(), 1e-6);
        }
      }
}

TEST(Embed, HasZeroColumnsBeyondTheDimensionOfTheData) {
  for (const Index count : {2, 60, 320}) {
    const FullMatrix squared = squared_between(random_points(count, 1, 3));
    for (const ScalingMethod method : matrix_methods) {
      const Embedding result = embed_by(squared, method, 3);
      EXPECT_EQ(result.components[0].axes, 1);
      EXPECT_EQ(result.Z.rightCols(2).norm(), 0);
      EXPECT_GT(result.Z.col(0).norm(), 0);
    }
  }
}

TEST(Embed, AgreesForEveryMethodOnTheSameMatrix) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix compact = one.compact(Precision::float32, DistanceKind::squared);
    const DenseLandmarkMatrix dense = one.dense(DistanceKind::squared);
    for (const LandmarkMatrix* form :
         {static_cast<const LandmarkMatrix*>(&compact), static_cast<const LandmarkMatrix*>(&dense)}) {
      const Embedding reference = embed_by(*form, ScalingMethod::dense);
      for (const ScalingMethod method : form_methods) {
        const Embedding result = embed_by(*form, method);
        ASSERT_EQ(result.components.size(), reference.components.size()) << one.name;
        for (std::size_t c = 0; c < result.components.size(); ++c) {
          const Vector& values = reference.components[c].eigenvalues;
          EXPECT_LE((result.components[c].eigenvalues - values).cwiseAbs().maxCoeff(), 1e-7 * values[0])
              << one.name;
          EXPECT_TRUE(result.components[c].share_exact);
          EXPECT_NEAR(result.components[c].negative_share, reference.components[c].negative_share, 1e-6);
        }
        // Gram matrices agree also where equal eigenvalues leave the axes free.
        const RowMatrix<double> expected = reference.Z * reference.Z.transpose();
        EXPECT_LE((result.Z * result.Z.transpose() - expected).norm(), 1e-5 * expected.norm()) << one.name;
      }
    }
  }
}

TEST(Embed, LaysAStraightLineOutStraight) {
  const Index size = 700;
  const Graph path = make_path_graph(size);
  const auto solver = make_solver(path);
  LandmarkOptions few;
  few.count = 9;
  const OrderedLandmarks landmarks =
      order_landmarks(make_adjacency(size, path.edges), choose_landmarks(path, few).vertices);
  const Interpolation interpolation =
      interpolation_operator(laplacian(path), landmarks.vertices, landmarks.cell);
  const SparseLandmarkMatrix matrix =
      make_sparse_landmark_matrix(landmarks, interpolation.P, landmark_distances(*solver, landmarks));
  const Embedding exact = embed_exactly(*solver);
  for (const ScalingMethod method : form_methods) {
    const Embedding result = embed_by(matrix.as(DistanceKind::squared), method);
    EXPECT_LE(result.components[0].eigenvalues[1], 0.01 * result.components[0].eigenvalues[0]);
    EXPECT_LE(largest_difference(result.Z.leftCols(1), exact.Z.leftCols(1)), 0.06);
  }
  for (Index v = 0; v + 1 < size; ++v) EXPECT_NEAR(std::abs(exact.Z(v + 1, 0) - exact.Z(v, 0)), 1, 1e-6);
  EXPECT_LE(exact.components[0].negative_share, 1e-6);
}

TEST(Embed, FindsTheThreeEqualAxesOfASphere) {
  const MatrixCase sphere = make_case("sphere", make_sphere(8), 120, 30);
  const Embedding result =
      embed_by(sphere.compact(Precision::float32, DistanceKind::squared), ScalingMethod::lanczos, 4);
  const Vector& values = result.components[0].eigenvalues;
  EXPECT_LE(values[0] - values[2], 0.02 * values[0]);
  EXPECT_LE(values[3], 0.5 * values[0]);
  EXPECT_GT(result.components[0].negative_share, 0.01);
  const Vector radius = result.Z.leftCols(3).rowwise().norm();
  EXPECT_LE(radius.maxCoeff() - radius.minCoeff(), 0.03 * radius.maxCoeff());
}

TEST(Embed, FindsThePairsOfEqualAxesOfATorus) {
  const MatrixCase torus = make_case("torus", make_torus(40, 16), 120, 30);
  const Vector values =
      embed_by(torus.compact(Precision::float32, DistanceKind::squared), ScalingMethod::lanczos, 2)
          .components[0]
          .eigenvalues;
  EXPECT_LE(values[0] - values[1], 0.02 * values[0]);
}

TEST(Embed, EmbedsEachComponentAsIfItWereAlone) {
  const TriangleMesh sphere = make_jittered_sphere(6), plane = make_plane(20, 15);
  const TriangleMesh both = apart(sphere, plane);
  for (const ScalingMethod method : matrix_methods) {
    EmbeddingOptions options;
    options.method = method;
    const Embedding together = embed_exactly(*make_solver(both), options);
    ASSERT_EQ(together.components.size(), 2u);
    const Index first = static_cast<Index>(sphere.points.rows());
    EXPECT_EQ(together.component[first], -1);
    EXPECT_EQ(together.Z.row(first).norm(), 0);
    EXPECT_LE(largest_difference(together.Z.topRows(first), embed_exactly(*make_solver(sphere), options).Z),
              1e-4);
    EXPECT_LE(largest_difference(together.Z.bottomRows(plane.points.rows()),
                                 embed_exactly(*make_solver(plane), options).Z),
              1e-4);
  }
}

TEST(Embed, IsCentredWithOrthogonalAxesOfTheRightLength) {
  for (const MatrixCase& one : matrix_cases()) {
    const Embedding result =
        embed_by(one.compact(Precision::float32, DistanceKind::squared), ScalingMethod::lanczos);
    for (std::size_t c = 0; c < result.components.size(); ++c) {
      RowMatrix<double> Z = RowMatrix<double>::Zero(result.Z.rows(), 3);
      for (Index v = 0; v < one.size(); ++v)
        if (result.component[v] == static_cast<Index>(c)) Z.row(v) = result.Z.row(v);
      const double scale = Z.cwiseAbs().maxCoeff();
      EXPECT_LE(Z.colwise().mean().norm(), 1e-8 * scale) << one.name;
      const Eigen::Matrix3d gram = Z.transpose() * Z;
      const Vector expected = result.components[c].eigenvalues.cwiseMax(0.0);
      EXPECT_LE((gram - Eigen::MatrixXd(expected.asDiagonal())).norm(), 1e-8 * expected[0]) << one.name;
    }
  }
}

TEST(Embed, IsTheSameAgainOnAnyNumberOfThreadsAndMirrored) {
  const MatrixCase one = make_case("bent", make_swiss_roll(30, 12), 60, 20);
  const SparseLandmarkMatrix matrix = one.compact(Precision::float32, DistanceKind::squared);
  const Embedding reference = embed(matrix, {}, Execution{1});
  EXPECT_EQ(embed(matrix, {}, Execution{3}).Z, reference.Z);
  EmbeddingOptions other;
  other.seed = 99;
  EXPECT_LE(largest_difference(embed(matrix, other).Z, reference.Z), 1e-5);
  const RowMatrix<double> points = random_points(300, 3, 21);
  EXPECT_LE(largest_difference(embed(squared_between(-points)).Z, embed(squared_between(points)).Z), 1e-9);
}

/// Gives wrong products with a single column, which is all that Lanczos iteration sees, and right ones
/// otherwise.
class Misleading final : public DistanceMatrix {
 public:
  explicit Misleading(const FullMatrix& truth) : truth_(truth) {}
  Index size() const override { return truth_.size(); }
  DistanceKind kind() const override { return truth_.kind(); }
  Vector entries(std::span<const Index> I, std::span<const Index> J, const Execution&) const override {
    return truth_.entries(I, J);
  }
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X, const Execution&) const override {
    if (X.cols() > 1) return truth_.apply(X);
    return RowMatrix<double>(X.colwise().reverse());
  }
  bool quadratic_product() const override { return false; }  // or all entries would be stored first
  std::int64_t bytes() const override { return truth_.bytes(); }

 private:
  const FullMatrix& truth_;
};

TEST(Embed, FallsBackToADenseSolveWhereLanczosIterationIsWrong) {
  const RowMatrix<double> points = random_points(300, 8, 13);
  const FullMatrix squared = squared_between(points);
  const Misleading misleading(squared);
  const Embedding result = embed(misleading);
  EXPECT_TRUE(result.components[0].fallback);
  EXPECT_LE(largest_difference(result.Z, embed(squared).Z), 1e-5);
  EmbeddingOptions small;
  small.memory_bound = 1000;
  EXPECT_THROW(embed(misleading, small), NumericalError);
}

TEST(Embed, RefusesWhatItCannotDo) {
  const MatrixCase one = make_case("plane", make_plane(9, 8), 12);
  EXPECT_NE(error_of([&] { embed(one.compact()); }).find("squared"), std::string::npos);
  const SparseLandmarkMatrix squared = one.compact(Precision::float32, DistanceKind::squared);
  EXPECT_THROW(embed(squared, {.dimensions = 0}), InputError);
  EXPECT_THROW(embed(squared, {.dimensions = squared.size() + 1}), InputError);
  EXPECT_THROW(embed(squared, {.dimensions = 1000000}), InputError);
  EXPECT_NO_THROW(require_dimensions(3, 1));
  EXPECT_NO_THROW(require_dimensions(100, 100));
  EXPECT_NE(error_of([] { require_dimensions(1 << 20, 1 << 21); }).find("GB"), std::string::npos);
  EmbeddingOptions small;
  small.memory_bound = 1000;
  for (const ScalingMethod method : {ScalingMethod::qr, ScalingMethod::dense}) {
    small.method = method;
    EXPECT_NE(error_of([&] { embed(squared, small); }).find("GB"), std::string::npos);
  }
  EXPECT_NE(error_of([&] { embed_exactly(*one.solver, small); }).find("GB"), std::string::npos);
  EXPECT_THROW(embed_by(squared_between(random_points(10, 2, 1)), ScalingMethod::qr), InputError);
  const Execution cancelling{1, [](std::string_view, double) { return false; }};
  EXPECT_THROW(embed(squared, {}, cancelling), Cancelled);
}

TEST(Embed, SaysWhereTheNegativeShareIsAnEstimate) {
  const MatrixCase large = make_case("roll", make_swiss_roll(60, 18), 60, 20);
  ASSERT_GT(large.size(), 1000);
  const Embedding of_form = embed(large.compact(Precision::float32, DistanceKind::squared));
  EXPECT_TRUE(of_form.components[0].share_exact);
  const FullMatrix all = full_matrix(*large.solver, DistanceKind::squared, std::int64_t{1} << 30);
  const Embedding of_all = embed(all);
  EXPECT_FALSE(of_all.components[0].share_exact);
  EXPECT_EQ(of_all.components[0].spectrum_size, 400);
}

TEST(Embed, ScalesFarBeyondSinglePrecision) {
  const MatrixCase one = make_case("sphere", make_sphere(6), 50, 20);
  const SparseLandmarkMatrix plain = one.compact(Precision::float32, DistanceKind::squared);
  for (const ScalingMethod method : matrix_methods) {
    const Embedding expected = embed_by(plain, method);
    const std::vector<Index> whole(static_cast<std::size_t>(one.size()), 0);
    const double expected_stress = stress(expected.Z, whole, squared_rows(plain)).value;
    for (const double unit : {0x1p-330, 0x1p330}) {
      const auto scaled = plain.in_unit(unit);
      const Embedding form = embed_by(*scaled, method);
      const RowMatrix<double> Z = form.Z / unit;
      const RowMatrix<double> gram = Z * Z.transpose(), wanted = expected.Z * expected.Z.transpose();
      EXPECT_LE((gram - wanted).norm(), 1e-5 * wanted.norm());
      EXPECT_NEAR(form.components[0].eigenvalues[0] / unit / unit, expected.components[0].eigenvalues[0],
                  1e-6 * expected.components[0].eigenvalues[0]);
      EXPECT_NEAR(stress(form.Z, whole, squared_rows(*scaled)).value / unit / unit, expected_stress,
                  1e-3 * expected_stress);
    }
  }
}

TEST(Embed, ChoosesTheScalingThatSuitsTheMatrix) {
  const MatrixCase one = make_case("torus", make_torus(16, 9), 30);
  const SparseLandmarkMatrix sparse = one.compact(Precision::float32, DistanceKind::squared);
  const DenseLandmarkMatrix dense = one.dense(DistanceKind::squared);
  const FullMatrix full = full_matrix(*one.solver, DistanceKind::squared, std::int64_t{1} << 30);
  EXPECT_EQ(embed_by(sparse, ScalingMethod::automatic).Z, embed_by(sparse, ScalingMethod::lanczos).Z);
  EXPECT_EQ(embed_by(dense, ScalingMethod::automatic).Z, embed_by(dense, ScalingMethod::qr).Z);
  EXPECT_EQ(embed_by(full, ScalingMethod::automatic).Z, embed_by(full, ScalingMethod::lanczos).Z);
  EXPECT_EQ(embed_by(dense, ScalingMethod::automatic).note, "");
  EmbeddingOptions little;
  little.method = ScalingMethod::automatic;
  little.memory_bound = 8 * 144 * 30 - 1;
  const Embedding bounded = embed(dense, little);
  EXPECT_NE(bounded.note, "");
  EXPECT_EQ(bounded.Z, embed_by(dense, ScalingMethod::lanczos).Z);
  EXPECT_THROW(embed_by(one.compact(), ScalingMethod::automatic), InputError);
  EXPECT_THROW(embed_by(one.dense(), ScalingMethod::automatic), InputError);
}

TEST(Embed, RefusesMoreDimensionsThanVertices) {
  const FullMatrix squared = squared_between(random_points(20, 2, 8));
  EXPECT_THROW(embed(squared, {.dimensions = 21}), InputError);
  EXPECT_THROW(embed(squared, {.dimensions = 0}), InputError);
}

}  // namespace
}  // namespace geodome::internal
