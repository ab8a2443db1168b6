#include "geodome/embedding/stress.h"

#include <gtest/gtest.h>

#include <cmath>

#include "embedding/scaling_cases.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// The definition, written down.
double stress_by_definition(const RowMatrix<double>& Z, const Eigen::MatrixXd& E) {
  const Eigen::Index n = E.rows();
  const Eigen::MatrixXd J = Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / n);
  return (Z * Z.transpose() + J * E * J / 2).norm();
}

double size_by_definition(const Eigen::MatrixXd& E) {
  return stress_by_definition(RowMatrix<double>::Zero(E.rows(), 1), E);
}

TEST(Stress, IsZeroForTheDistancesOfThePointsThemselves) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    RowMatrix<double> points = random_points(150, 3, 4, scale);
    points.rowwise() -= points.colwise().mean().eval();
    const FullMatrix squared = squared_between(points);
    const Stress result = stress(points, std::vector<Index>(150, 0), squared_rows(squared));
    EXPECT_LE(result.normalised, 1e-6);
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(result.rows, 150);
  }
}

TEST(Stress, IsWhatItsDefinitionSaysAndOneForASinglePoint) {
  const auto solver = make_solver(make_cylinder(20, 12));
  const FullMatrix squared = full_matrix(*solver, DistanceKind::squared, std::int64_t{1} << 30);
  const std::vector<Index> whole(static_cast<std::size_t>(squared.size()), 0);
  const Embedding form = embed(squared);
  const double expected = stress_by_definition(form.Z, squared.values());
  for (const SquaredRows& rows : {squared_rows(squared), squared_rows(*solver)}) {
    const Stress result = stress(form.Z, whole, rows);
    EXPECT_NEAR(result.value, expected, 1e-5 * expected);
    EXPECT_NEAR(result.normalised, expected / size_by_definition(squared.values()), 1e-5);
    EXPECT_NEAR(result.interval.low, result.value, 1e-9 * result.value);
    EXPECT_NEAR(result.interval.high, result.value, 1e-9 * result.value);
  }
  const RowMatrix<double> nothing = RowMatrix<double>::Zero(squared.size(), 3);
  EXPECT_NEAR(stress(nothing, whole, squared_rows(squared)).normalised, 1, 1e-6);
}

TEST(Stress, IsSmallestForExactScaling) {
  const MatrixCase one = make_case("torus", make_torus(24, 11), 60, 20);
  const std::vector<Index> whole(static_cast<std::size_t>(one.size()), 0);
  const SquaredRows fresh = squared_rows(*one.solver);
  const double exact = stress(embed_exactly(*one.solver).Z, whole, fresh).value;
  const Embedding approximate = embed(one.compact(Precision::float32, DistanceKind::squared));
  EXPECT_GT(stress(approximate.Z, whole, fresh).value, exact);
  EXPECT_LT(stress(approximate.Z, whole, fresh).value, 1.2 * exact);
  EXPECT_GT(stress(approximate.Z * 1.05, whole, fresh).value, exact);
}

TEST(Stress, AddsUpOverComponents) {
  const TriangleMesh sphere = make_sphere(4), plane = make_plane(9, 8);
  const TriangleMesh both = apart(sphere, plane);
  const auto solver = make_solver(both);
  const Embedding form = embed_exactly(*solver);
  double squares = 0;
  for (const TriangleMesh& mesh : {sphere, plane}) {
    const auto alone = make_solver(mesh);
    const std::vector<Index> whole(static_cast<std::size_t>(mesh.points.rows()), 0);
    squares += std::pow(stress(embed_exactly(*alone).Z, whole, squared_rows(*alone)).value, 2);
  }
  EXPECT_NEAR(stress(form.Z, form.component, squared_rows(*solver)).value, std::sqrt(squares),
              1e-4 * std::sqrt(squares));
}

TEST(Stress, FromSomeRowsCoversTheExactValue) {
  // Three embeddings of different quality; a hundred samples each. An interval of 95 % misses 5 of them on
  // average, and more than 15 about once in ten thousand times.
  const auto solver = make_solver(make_swiss_roll(40, 14));
  const FullMatrix squared = full_matrix(*solver, DistanceKind::squared, std::int64_t{1} << 30);
  const MatrixCase coarse = make_case("torus", make_torus(40, 14), 12, 8);
  const FullMatrix torus = full_matrix(*coarse.solver, DistanceKind::squared, std::int64_t{1} << 30);
  const Embedding rough = embed(coarse.compact(Precision::float32, DistanceKind::squared));
  struct Case {
    RowMatrix<double> Z;
    const FullMatrix* squared;
  };
  const std::vector<Case> cases = {{embed_by(squared, ScalingMethod::lanczos, 1).Z, &squared},
                                   {embed(torus).Z, &torus},
                                   {rough.Z, &torus}};
  for (const Case& one : cases) {
    const std::vector<Index> whole(static_cast<std::size_t>(one.squared->size()), 0);
    const Stress exact = stress(one.Z, whole, squared_rows(*one.squared));
    int missed = 0, missed_normalised = 0;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Stress result =
          stress(one.Z, whole, squared_rows(*one.squared), {.exact_up_to = 0, .rows = 60, .seed = seed});
      EXPECT_FALSE(result.exact);
      EXPECT_EQ(result.rows, 60);
      missed += result.interval.low > exact.value || result.interval.high < exact.value;
      missed_normalised += result.normalised_interval.low > exact.normalised ||
                           result.normalised_interval.high < exact.normalised;
      EXPECT_LT(result.interval.high - result.interval.low, 0.6 * exact.value);
      sum += result.value * result.value;
    }
    EXPECT_LE(missed, 15);
    EXPECT_LE(missed_normalised, 15);
    // The square is estimated without bias.
    EXPECT_NEAR(sum / 100, exact.value * exact.value, 0.03 * exact.value * exact.value);
  }
}

TEST(Stress, UsesNoMoreRowsThanFitIntoMemory) {
  const FullMatrix squared = squared_between(random_points(200, 4, 8));
  const std::vector<Index> whole(200, 0);
  const Stress result =
      stress(embed(squared).Z, whole, squared_rows(squared), {.memory_bound = 8 * 200 * 50});
  EXPECT_EQ(result.rows, 50);
  EXPECT_FALSE(result.exact);
}

TEST(Stress, RefusesWhatDoesNotFit) {
  const FullMatrix squared = squared_between(random_points(20, 2, 8));
  const RowMatrix<double> Z = RowMatrix<double>::Zero(20, 2);
  EXPECT_THROW(stress(Z, std::vector<Index>(19, 0), squared_rows(squared)), InputError);
  EXPECT_THROW(stress(Z, std::vector<Index>(20, 0), squared_rows(squared), {.rows = 1}), InputError);
  EXPECT_THROW(squared_rows(FullMatrix(squared.values(), DistanceKind::distance)), InputError);
  const auto solver = make_solver(apart(make_sphere(2), make_plane(4, 4)));
  const std::vector<Index> wrong(static_cast<std::size_t>(solver->size()), 0);
  EXPECT_THROW(stress(RowMatrix<double>::Zero(solver->size(), 2), wrong, squared_rows(*solver)),
               NumericalError);
}

}  // namespace
}  // namespace geodome::internal
