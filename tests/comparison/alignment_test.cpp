#include "geodome/comparison/alignment.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "geodome/base/error.h"
#include "geodome/comparison/correspondence.h"
#include "geodome/embedding/embedding.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/creature.h"

namespace geodome::internal {
namespace {

/// A lopsided cloud without symmetry, so that there is one right answer.
RowMatrix<double> lopsided(Index count, Index dimension) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform;
  RowMatrix<double> points(count, dimension);
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < dimension; ++k) points(i, k) = (dimension + 1 - k) * std::pow(uniform(random), 3);
  return points;
}

Eigen::MatrixXd some_turn(Index dimension, bool reflected) {
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(dimension, dimension);
  for (Index k = 0; k + 1 < dimension; ++k) {
    Eigen::MatrixXd plane = Eigen::MatrixXd::Identity(dimension, dimension);
    const double angle = 0.3 + 0.1 * k;
    plane.block(k, k, 2, 2) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    turn = (turn * plane).eval();
  }
  // Axes in another order: what eigenvalues that are nearly equal do.
  if (dimension > 1) turn.col(0).swap(turn.col(dimension - 1));
  if ((turn.determinant() < 0) != reflected) turn.col(0) *= -1;
  return turn;
}

TEST(Align, FindsARigidMotionWithAndWithoutReflection) {
  for (const Index dimension : {1, 2, 3, 4})
    for (const bool reflected : {false, true})
      for (const double scale : {1e-8, 1.0, 1e8}) {
        const RowMatrix<double> from = scale * lopsided(150, dimension);
        const Eigen::MatrixXd turn = some_turn(dimension, reflected);
        const RowMatrix<double> to =
            (from * turn).rowwise() + Eigen::RowVectorXd::Constant(dimension, 5 * scale);
        const Alignment found = align(FormSamples(from), FormSamples(to));
        EXPECT_LE((found.turn - turn).norm(), 1e-6) << dimension << " dimensions, reflected " << reflected;
        EXPECT_LE(found.distance, 1e-6 * scale);
        EXPECT_LE((found.apply(from) - to).norm(), 1e-5 * scale);
      }
}

TEST(Align, LeavesReflectionsOutWhenToldTo) {
  const RowMatrix<double> from = lopsided(400, 3);
  AlignmentOptions proper;
  proper.reflections = false;
  const FormSamples a(from), b(from * some_turn(3, true));
  const Alignment found = align(a, b, proper);
  EXPECT_NEAR(found.turn.determinant(), 1, 1e-9);
  EXPECT_GT(found.distance, 1e-3);
}

TEST(Align, IsNotMisledByASmallPartThatDiffers) {
  const RowMatrix<double> from = lopsided(600, 3);
  RowMatrix<double> to = from * some_turn(3, false);
  for (Index v = 570; v < 600; ++v) to(v, 1) += 2;
  const Alignment found = align(FormSamples(from), FormSamples(to));
  EXPECT_LE((found.turn - some_turn(3, false)).norm(), 0.02);
}

TEST(Align, RefusesWhatCannotBeAligned) {
  const RowMatrix<double> points = lopsided(10, 3);
  EXPECT_THROW(align(FormSamples(points), FormSamples(points.leftCols(2))), InputError);
  EXPECT_THROW(FormSamples(RowMatrix<double>::Zero(10, 5)), InputError);
  EXPECT_THROW(FormSamples(RowMatrix<double>(0, 3)), InputError);
  const RowMatrix<double> one_place = RowMatrix<double>::Ones(4, 3);
  EXPECT_EQ(align(FormSamples(one_place), FormSamples(one_place)).distance, 0);
}

/// Turned to its principal axes, the longest first, as canonical forms are.
RowMatrix<double> in_principal_axes(const RowMatrix<double>& points) {
  const RowMatrix<double> centred = points.rowwise() - points.colwise().mean();
  const Eigen::MatrixXd covariance = centred.transpose() * centred;
  return centred *
         Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(covariance).eigenvectors().rowwise().reverse();
}

/// Signs and, among axes of nearly equal length, any turn: how forms of one shape can differ.
Eigen::MatrixXd ambiguous_turn(const RowMatrix<double>& form, std::mt19937& random) {
  const Eigen::Index m = form.cols();
  const Eigen::RowVectorXd lengths = form.colwise().norm();
  std::normal_distribution<double> normal;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(m, m);
  for (Eigen::Index first = 0; first < m;) {
    Eigen::Index count = 1;
    while (first + count < m && lengths[first + count] > 0.9 * lengths[first]) ++count;
    const Eigen::MatrixXd noise = Eigen::MatrixXd::NullaryExpr(
        count, count, [&](Eigen::Index, Eigen::Index) { return normal(random); });
    turn.block(first, first, count, count) = noise.householderQr().householderQ();
    if (normal(random) < 0) turn.col(first) *= -1;
    first += count;
  }
  return turn;
}

TEST(Align, RecoversMotionsOfManyShapesAndSpacings) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform;
  for (const Index dimension : {1, 2, 3, 4})
    for (int shape = 0; shape < 12; ++shape) {
      // Dense and sparse, long and round, with clusters of uneven density.
      const Index count = 30 << (shape % 5);
      RowMatrix<double> cloud(count, dimension);
      for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < dimension; ++k)
          cloud(i, k) = std::pow(uniform(random), 1 + shape % 4) / (1 + 0.2 * (shape % 3) * k);
      const RowMatrix<double> from = in_principal_axes(cloud);
      const Eigen::MatrixXd turn = ambiguous_turn(from, random);
      const RowMatrix<double> to = (from * turn).rowwise() + 3 * Eigen::RowVectorXd::Random(dimension);
      const FormSamples a(from), b(to);
      EXPECT_LE(align(a, b).distance, 1e-6 * a.radius()) << dimension << " dimensions, shape " << shape;
    }
}

/// A part of `mesh` bent out of its symmetry, its axes still nearly equal.
RowMatrix<double> dented(const TriangleMesh& mesh) {
  RowMatrix<double> points = mesh.points;
  const Eigen::RowVector3d middle = points.colwise().mean();
  const Eigen::RowVector3d one(0.3, 0.5, 0.8), other(-0.7, 0.6, 0.1);
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    const Eigen::RowVector3d direction = (points.row(v) - middle).normalized();
    const double along = std::max(0.0, direction.dot(one)), across = std::max(0.0, direction.dot(other));
    points.row(v) += (0.3 * std::pow(along, 4) - 0.2 * std::pow(across, 6)) * direction;
  }
  return in_principal_axes(points);
}

/// Not exactly: closest points also hold vertices on those of a neighbouring row.
TEST(Align, FindsTheTurnWhereAxesAreNearlyEqual) {
  std::mt19937 random(23);
  for (const TriangleMesh& mesh : {make_sphere(12), make_torus(40, 20), make_box(9)}) {
    const RowMatrix<double> from = dented(mesh);
    const FormSamples a(from);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const FormSamples b(from * ambiguous_turn(from, random));
      EXPECT_LE(align(a, b).distance, 0.07 * a.radius());
    }
  }
}

TEST(Align, GivesNearlyTheSameDistanceBothWays) {
  const std::vector<RowMatrix<double>> forms = {dented(make_sphere(10)), dented(make_torus(36, 18)),
                                                dented(make_box(8))};
  for (const RowMatrix<double>& one : forms)
    for (const RowMatrix<double>& other : forms) {
      const FormSamples a(one), b(other);
      const double there = align(a, b).distance, back = align(b, a).distance;
      EXPECT_NEAR(there, back, 0.02 * std::max(there, back) + 1e-9 * a.radius());
    }
}

/// The canonical form of a mesh small enough for all its distances.
RowMatrix<double> form_of(const TriangleMesh& mesh) {
  return embed_exactly(*make_solver(mesh)).Z;
}

TEST(Align, BringsAllPosesTogetherAndKeepsOtherShapesApart) {
  const Creature creature = make_creature(500);
  std::vector<RowMatrix<double>> forms;
  std::vector<FormSamples> samples;
  for (int pose = 0; pose < creature_pose_count(); ++pose) {
    forms.push_back(form_of(pose_creature(creature, pose)));
    samples.emplace_back(forms.back());
  }
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LE(align(samples[i], samples[j]).distance, 0.06 * samples[i].radius())
          << "poses " << creature_pose_name(i) << " and " << creature_pose_name(j);
  for (const TriangleMesh& mesh : {make_sphere(6), make_torus(26, 13), make_box(7)}) {
    RowMatrix<double> form = form_of(mesh);
    form *= samples[0].radius() / FormSamples(form).radius();  // of equal size: what differs is shape
    const FormSamples other(form);
    for (const FormSamples& pose : samples) EXPECT_GE(align(pose, other).distance, 0.25 * pose.radius());
  }
}

TEST(Align, FindsWhichVertexIsWhich) {
  const Creature creature = make_creature(500);
  const RowMatrix<double> first = form_of(pose_creature(creature, 0));
  for (const int pose : {1, 4}) {
    const TriangleMesh other = pose_creature(creature, pose);
    const RowMatrix<double> form = form_of(other);
    const Alignment poses = align(FormSamples(first), FormSamples(form));
    // Vertices correspond, up to the creature's own mirror image.
    const std::vector<Index> matches = correspondence(poses.apply(first), PointTree(form));
    EXPECT_LE(correspondence_error(matches, *make_solver(other), 100).median, 0.1);
  }
}

/// The least distance from any of many random starts, by fits to all closest pairs, searched one by one.
double distance_by_many_starts(const RowMatrix<double>& from, const RowMatrix<double>& to, int starts) {
  const auto closest = [](const RowMatrix<double>& points, const Eigen::RowVectorXd& place) {
    Eigen::Index nearest = 0;
    (points.rowwise() - place).rowwise().squaredNorm().minCoeff(&nearest);
    return nearest;
  };
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const Eigen::Index m = from.cols(), n = from.rows(), both = n + to.rows();
  double best = infinity;
  for (int start = 0; start < starts; ++start) {
    const Eigen::MatrixXd noise =
        Eigen::MatrixXd::NullaryExpr(m, m, [&](Eigen::Index, Eigen::Index) { return normal(random); });
    Eigen::MatrixXd turn = noise.householderQr().householderQ();
    Eigen::RowVectorXd shift = to.colwise().mean() - from.colwise().mean() * turn;
    for (int round = 0; round < 40; ++round) {
      const RowMatrix<double> moved = (from * turn).rowwise() + shift;
      RowMatrix<double> A(both, m), B(both, m), C(both, m);
      for (Eigen::Index k = 0; k < n; ++k) {
        A.row(k) = from.row(k);
        C.row(k) = moved.row(k);
        B.row(k) = to.row(closest(to, moved.row(k)));
      }
      for (Eigen::Index k = n; k < both; ++k) {
        const Eigen::Index nearest = closest(moved, to.row(k - n));
        A.row(k) = from.row(nearest);
        C.row(k) = moved.row(nearest);
        B.row(k) = to.row(k - n);
      }
      best = std::min(best, (C - B).norm() / std::sqrt(static_cast<double>(both)));
      const Eigen::RowVectorXd a = A.colwise().mean(), b = B.colwise().mean();
      const Eigen::MatrixXd covariance = (A.rowwise() - a).transpose() * (B.rowwise() - b);
      const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
          covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
      turn = svd.matrixU() * svd.matrixV().transpose();
      shift = b - a * turn;
    }
  }
  return best;
}

TEST(Align, IsAsGoodAsManyRandomStarts) {
  const Creature creature = make_creature(200);
  std::vector<RowMatrix<double>> forms;
  for (const int pose : {0, 2, 6}) forms.push_back(form_of(pose_creature(creature, pose)));
  forms.push_back(form_of(make_torus(20, 10)));
  forms.push_back(form_of(make_box(5)));
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LE(align(FormSamples(forms[i]), FormSamples(forms[j])).distance,
                1.05 * distance_by_many_starts(forms[i], forms[j], 40));
}

TEST(Correspondence, OfAShapeWithItselfIsPerfect) {
  const TriangleMesh mesh = make_plane(12, 9);
  const RowMatrix<double> form = mesh.points;
  const std::vector<Index> matches = correspondence(form, PointTree(form));
  for (Index v = 0; v < 108; ++v) EXPECT_EQ(matches[v], v);
  const auto solver = make_solver(mesh);
  const CorrespondenceError none = correspondence_error(matches, *solver);
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.points, 108);
  EXPECT_NEAR(none.extent, std::sqrt(2.0), 1e-9);
  // Every vertex one column to the right: an eleventh of the width, but for the last column.
  std::vector<Index> shifted(108);
  for (Index v = 0; v < 108; ++v) shifted[v] = v % 12 < 11 ? v + 1 : v;
  const CorrespondenceError some = correspondence_error(shifted, *solver);
  EXPECT_NEAR(some.median, 1.0 / 11 / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(some.mean, 11.0 / 12 / 11 / std::sqrt(2.0), 1e-9);
  EXPECT_THROW(correspondence_error({0, 1}, *solver), InputError);
}

}  // namespace
}  // namespace geodome::internal
