#include "geodome/comparison/screening.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geodome/base/error.h"
#include "geodome/comparison/shape_distances.h"
#include "geodome/comparison/table.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// Families of ellipsoids: members differ by noise, families by their axes.
std::vector<RowMatrix<double>> ellipsoids(int families, int members) {
  const RowMatrix<double> sphere = make_sphere(4).points;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  std::vector<RowMatrix<double>> forms;
  for (int family = 0; family < families; ++family)
    for (int member = 0; member < members; ++member) {
      RowMatrix<double> form = sphere;
      form.col(0) *= 2 + 0.5 * (family % 5);
      form.col(1) *= 1 + 0.3 * (family / 5);
      form.col(2) *= 0.6;
      for (double& x : form.reshaped()) x += 0.01 * normal(random);
      forms.push_back(std::move(form));
    }
  return forms;
}

std::vector<FormSamples> samples_of(const std::vector<RowMatrix<double>>& forms) {
  std::vector<FormSamples> samples;
  for (const RowMatrix<double>& form : forms) samples.emplace_back(form);
  return samples;
}

TEST(Signatures, DoNotChangeWithMotions) {
  const RowMatrix<double> form = ellipsoids(1, 1)[0];
  Eigen::Matrix3d turn;
  turn << 0, 1, 0, 0, 0, -1, -1, 0, 0;
  const double angle = 0.7;
  Eigen::Matrix3d other = Eigen::Matrix3d::Identity();
  other.topLeftCorner(2, 2) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  const RowMatrix<double> moved = (form * turn * other).rowwise() + Eigen::RowVector3d(4, -1, 9);
  const RowMatrix<double> distances = signature_distances(samples_of({form, moved, 2 * form}));
  EXPECT_LE(distances(0, 1), 1e-9);
  // Twice as large: the radii and, in the same way, the axes differ by the form's own.
  const double radius = FormSamples(form).radius();
  EXPECT_NEAR(distances(0, 2), std::sqrt(2.0) * radius, 0.02 * radius);
  EXPECT_EQ(distances, RowMatrix<double>(distances.transpose()));
  EXPECT_THROW(signature_distances(samples_of({form, RowMatrix<double>(form.leftCols(2))})), InputError);
}

TEST(Screening, SelectsPairs) {
  RowMatrix<double> table(4, 4);
  table << 0, 1, 2, 9, 1, 0, 3, 8, 2, 3, 0, 7, 9, 8, 7, 0;
  EXPECT_EQ(nearest_pairs(table, 1), (std::vector<FormPair>{{1, 0}, {2, 0}, {3, 2}}));
  EXPECT_EQ(nearest_pairs(table, 99).size(), 6u);
  RowMatrix<double> aligned = RowMatrix<double>::Constant(4, 4, infinity);
  for (const auto& [i, j] : nearest_pairs(table, 1)) aligned(i, j) = aligned(j, i) = 2 * table(i, j);
  const SignatureScale scale = signature_scale(table, aligned);
  EXPECT_EQ(scale.typical, 2);
  EXPECT_EQ(scale.least, 2);
  EXPECT_TRUE(doubtful_pairs(table, aligned, scale, 9).empty());
  // With half that scale the nearest of 2 and 3 may be another.
  EXPECT_EQ(doubtful_pairs(table, aligned, {2, 1}, 9), (std::vector<FormPair>{{2, 1}, {3, 0}, {3, 1}}));
  EXPECT_EQ(doubtful_pairs(table, aligned, {2, 1}, 1), (std::vector<FormPair>{{2, 1}, {3, 1}}));
}

TEST(ShapeDistances, WithCandidatesFindTheNearestOfAllPairs) {
  const std::vector<RowMatrix<double>> forms = ellipsoids(8, 3);
  constexpr Index n = 24;
  ShapeDistanceOptions options;
  options.samples = 120;
  const ShapeDistances all = shape_distances(forms, options);
  EXPECT_EQ(all.aligned_pairs, n * (n - 1) / 2);
  EXPECT_FALSE(all.estimated.any());
  options.candidates = 3;
  const ShapeDistances some = shape_distances(forms, options);
  EXPECT_LT(some.aligned_pairs, n * (n - 1) / 3);
  EXPECT_EQ(some.estimated.count(), n * (n - 1) - 2 * some.aligned_pairs);
  EXPECT_EQ(some.estimated, RowMatrix<bool>(some.estimated.transpose()));
  EXPECT_EQ(nearest_shapes(some.distances), nearest_shapes(all.distances));
  for (Index i = 0; i < n; ++i) {
    double nearest = infinity;
    for (Index j = 0; j < n; ++j)
      if (j != i && !some.estimated(i, j)) {
        EXPECT_EQ(some.distances(i, j), all.distances(i, j));
        nearest = std::min(nearest, some.distances(i, j));
      }
    for (Index j = 0; j < n; ++j)
      if (some.estimated(i, j)) {
        EXPECT_GT(some.distances(i, j), nearest);
      }
  }
  EXPECT_EQ(shape_distances(forms, options, Execution{1}).distances,
            shape_distances(forms, options, Execution{3}).distances);
}

TEST(ShapeDistances, AlignAllPairsOfFewForms) {
  ShapeDistanceOptions options;
  options.candidates = 0;
  options.samples = 20;
  EXPECT_FALSE(shape_distances(ellipsoids(3, 2), options).estimated.any());
  options.candidates.reset();
  EXPECT_FALSE(shape_distances(ellipsoids(3, 2), options).estimated.any());
}

}  // namespace
}  // namespace geodome::internal
