#include "geodome/cell/training_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cell/cell_cases.h"

namespace geodome::internal {
namespace {

void expect_same(const TrainingSums& a, const TrainingSums& b) {
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    EXPECT_EQ(a.cells[c].gram, b.cells[c].gram) << c;
    EXPECT_EQ(a.cells[c].moments, b.cells[c].moments) << c;
    EXPECT_EQ(a.cells[c].energy, b.cells[c].energy) << c;
    EXPECT_EQ(a.cells[c].broken, b.cells[c].broken) << c;
  }
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t c = 0; c < a.samples.size(); ++c) {
    EXPECT_EQ(a.samples[c].vertices, b.samples[c].vertices) << c;
    EXPECT_EQ(a.samples[c].sources, b.samples[c].sources) << c;
    EXPECT_EQ(a.samples[c].distances, b.samples[c].distances) << c;
  }
}

TrainingSums sums_of(const CellCase& one, const GeodesicSolver& solver,
                     const LandmarkDistanceOptions& distances = {}, const TrainingOptions& training = {},
                     int threads = 2) {
  TrainingRows rows(solver, one.landmarks, one.layout, one.sequence, training);
  EXPECT_FALSE(rows.complete());
  landmark_distances(rows, one.landmarks, distances, {threads, {}});
  EXPECT_TRUE(rows.complete());
  return rows.take();
}

TEST(TrainingRows, PassesOnTheDistancesBetweenLandmarks) {
  for (const CellCase& one : cell_cases()) {
    const TrainingRows rows(*one.solver, one.landmarks, one.layout, one.sequence, {});
    const LandmarkDistances expected = landmark_distances(*one.solver, one.landmarks);
    const LandmarkDistances found = landmark_distances(rows, one.landmarks);
    const auto a = std::get<std::span<const float>>(expected.values);
    const auto b = std::get<std::span<const float>>(found.values);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6 * (1 + a[k])) << one.name;
    EXPECT_EQ(rows.size(), one.solver->size());
    const std::vector<Index> first{one.landmarks.vertices[0]}, second{one.landmarks.vertices.back()};
    EXPECT_EQ(rows.between(first, second), one.solver->between(first, second))
        << "other questions are passed on";
  }
}

TEST(TrainingRows, DoNotDependOnThreads) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const TrainingSums single = sums_of(one, *one.solver, {}, {}, 1);
    for (const int threads : {2, 3}) expect_same(sums_of(one, *one.solver, {}, {}, threads), single);
  }
}

TEST(TrainingRows, MeasuredAgainTheyAreTheSame) {
  for (const CellCase& one : cell_cases())
    for (const Index together : {0, 7, 1})
      for (const Index most_rows : {2000, 11}) {
        SCOPED_TRACE(one.name);
        LandmarkDistanceOptions distances;
        distances.together = together;
        const TrainingOptions training{most_rows, 5};
        const TrainingSums expected = sums_of(one, *one.solver, distances, training);
        TrainingRows rows(*one.solver, one.landmarks, one.layout, one.sequence, training);
        // A part of the rows was measured before.
        const auto all = std::span(one.landmarks.vertices)
                             .first(static_cast<std::size_t>(one.landmarks.component_first[1]));
        rows.between(all.first(1), all);
        rows.measure_all(distances, {1, {}});
        EXPECT_TRUE(rows.complete());
        expect_same(rows.take(), expected);
      }
}

/// As when landmarks of one component are replaced, and all are measured again.
TEST(TrainingRows, ARowIsLearnedOnceHoweverOftenItIsMeasured) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    TrainingRows rows(*one.solver, one.landmarks, one.layout, one.sequence, {});
    const auto first = landmark_distances(rows, one.landmarks, {}, {2, {}});
    const auto again = landmark_distances(rows, one.landmarks, {}, {2, {}});
    EXPECT_TRUE(rows.complete());
    EXPECT_EQ(first.spacing.size(), again.spacing.size());
    expect_same(rows.take(), sums_of(one, *one.solver));
  }
}

TEST(TrainingRows, LearnFromTheFirstOfTheSequence) {
  const CellCase one = make_cell_case("apart", apart(make_sphere(5), make_plane(9, 8)), 40);
  const TrainingSums sums = sums_of(one, *one.solver, {}, {12, 5});
  ASSERT_EQ(sums.rows.size(), 2u);
  for (std::size_t c = 0; c < 2; ++c) {
    const Index count = one.landmarks.component_first[c + 1] - one.landmarks.component_first[c];
    EXPECT_EQ(sums.rows[c], std::min<Index>(12, count));
    EXPECT_EQ(sums.samples[c].vertices.empty(), count > 12) << "no fit where there are more";
  }
}

TEST(TrainingRows, AreTheSumsOverTheTrainingLandmarks) {
  for (CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    for (CellLayout::Cell& cell : one.layout.cells) cell.near = 0;  // so that near rows count as others do
    const TrainingSums sums = sums_of(one, *one.solver);
    const auto& all = one.landmarks.vertices;
    const RowMatrix<double> K = one.solver->between(all, everything(one.solver->size()));
    for (std::size_t c = 0; c < one.layout.cells.size(); ++c) {
      const CellLayout::Cell& cell = one.layout.cells[c];
      const Index first = one.landmarks.component_first[cell.component];
      const Index count = one.landmarks.component_first[cell.component + 1] - first;
      EXPECT_EQ(sums.rows[cell.component], count);
      const auto differences = [&](Index vertex) {
        return Eigen::VectorXd(K.col(vertex).segment(first, count) -
                               K.col(all[cell.centre]).segment(first, count));
      };
      double scale = 0;
      for (Index k = one.layout.first[c]; k < one.layout.first[c + 1]; ++k)
        scale = std::max(scale, K.col(one.layout.members[k]).segment(first, count).squaredNorm());
      for (std::size_t s = 0; s < cell.support.size(); ++s) {
        const Eigen::VectorXd D = differences(all[cell.support[s]]);
        for (std::size_t r = 0; r < cell.support.size(); ++r)
          EXPECT_NEAR(sums.cells[c].gram(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(r)),
                      D.dot(differences(all[cell.support[r]])), 1e-5 * scale);
        for (Index k = one.layout.first[c]; k < one.layout.first[c + 1]; ++k) {
          const Eigen::VectorXd d = differences(one.layout.members[k]);
          const Eigen::Index member = k - one.layout.first[c];
          EXPECT_NEAR(sums.cells[c].moments(member, static_cast<Eigen::Index>(s)), D.dot(d), 1e-5 * scale);
          EXPECT_NEAR(sums.cells[c].energy[member], d.squaredNorm(), 1e-5 * scale);
        }
      }
    }
  }
}

TEST(TrainingRows, SamplesHoldMeasuredDistances) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const TrainingSums sums = sums_of(one, *one.solver);
    for (std::size_t c = 0; c < sums.samples.size(); ++c) {
      const TrainingSums::Sample& sample = sums.samples[c];
      const Index first = one.landmarks.component_first[c],
                  count = one.landmarks.component_first[c + 1] - first;
      ASSERT_GE(static_cast<Index>(sample.vertices.size()), count);
      EXPECT_TRUE(std::equal(sample.vertices.begin(), sample.vertices.begin() + count,
                             one.landmarks.vertices.begin() + first));
      std::vector<Index> sorted = sample.vertices;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << "each once";
      ASSERT_EQ(sample.distances.rows(), static_cast<Eigen::Index>(sample.sources.size()));
      std::vector<Index> sources;
      for (const Index position : sample.sources) sources.push_back(one.landmarks.vertices[position]);
      const RowMatrix<double> expected = one.solver->between(sources, sample.vertices);
      EXPECT_LE((expected - sample.distances.cast<double>()).cwiseAbs().maxCoeff(),
                1e-5 * expected.maxCoeff() + 1e-30);
    }
  }
}

/// Some distances of another solver replaced by `wrong`.
class Spoilt final : public GeodesicSolver {
 public:
  Spoilt(const GeodesicSolver& good, std::vector<Index> sources, Index target, double wrong)
      : good_(good), sources_(std::move(sources)), target_(target), wrong_(wrong) {}
  Index size() const override { return good_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    good_.distances(sources, out, execution);
    for (std::size_t s = 0; s < sources.size(); ++s)
      if (std::find(sources_.begin(), sources_.end(), sources[s]) != sources_.end())
        out(static_cast<Eigen::Index>(s), target_) = wrong_;
  }

 private:
  const GeodesicSolver& good_;
  std::vector<Index> sources_;
  Index target_;
  double wrong_;
};

TEST(TrainingRows, AVertexWithoutDistancesDoesNotSpoilOthers) {
  const CellCase one = make_cell_case("sphere", make_sphere(8), 60);
  Index target = 0;
  while (std::find(one.sequence.begin(), one.sequence.end(), target) != one.sequence.end()) ++target;
  const TrainingSums good = sums_of(one, *one.solver);
  for (const double wrong : {std::nan(""), infinity, -infinity}) {
    const TrainingSums sums = sums_of(one, Spoilt(*one.solver, one.sequence, target, wrong));
    for (std::size_t c = 0; c < sums.cells.size(); ++c) {
      EXPECT_EQ(sums.cells[c].gram, good.cells[c].gram);
      for (Index k = one.layout.first[c]; k < one.layout.first[c + 1]; ++k) {
        const Eigen::Index member = k - one.layout.first[c];
        const bool broken = one.layout.members[k] == target;
        EXPECT_EQ(sums.cells[c].broken[static_cast<std::size_t>(member)] != 0, broken);
        EXPECT_TRUE(sums.cells[c].moments.row(member).allFinite());
        if (!broken) {
          EXPECT_EQ(sums.cells[c].moments.row(member), good.cells[c].moments.row(member));
          EXPECT_EQ(sums.cells[c].energy[member], good.cells[c].energy[member]);
        }
      }
    }
  }
}

/// W then has the distance from the other direction.
TEST(TrainingRows, ADistanceThatIsMissingFromALandmarkToACentreLeavesTheCellWhole) {
  const CellCase one = make_cell_case("sphere", make_sphere(8), 60);
  const CellLayout::Cell& cell = one.layout.cells[3];
  const Index centre = one.landmarks.vertices[cell.centre];
  std::vector<Index> source;  // a single row
  for (const Index vertex : one.sequence)
    if (vertex != centre && source.empty()) source.push_back(vertex);
  const TrainingSums sums = sums_of(one, Spoilt(*one.solver, source, centre, std::nan("")));
  for (const TrainingSums::Cell& each : sums.cells) {
    EXPECT_TRUE(each.gram.allFinite());
    EXPECT_TRUE(each.moments.allFinite());
    EXPECT_TRUE(each.energy.allFinite());
  }
  for (const char broken : sums.cells[3].broken) EXPECT_EQ(broken, 0);
  EXPECT_GT(sums.cells[3].energy.minCoeff(), -1e-30);
  EXPECT_GT(sums.cells[3].energy.maxCoeff(), 0);
}

}  // namespace
}  // namespace geodome::internal
