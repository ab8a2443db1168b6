#include "geodome/landmark/landmark_distances.h"

#include <gtest/gtest.h>

#include <numeric>

#include "geodome/base/error.h"
#include "geodome/geodesic/precomputed.h"
#include "landmark/faulty_solver.h"
#include "landmark/packed_numbers.h"
#include "matrix/matrix_cases.h"
#include "team_of_threads.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

/// Entry (r, c) of a packed triangle, whatever it is stored in.
double packed(const LandmarkDistances& W, std::size_t r, std::size_t c, double step = 1) {
  if (r < c) std::swap(r, c);
  return step *
         std::visit([&](const auto& all) { return static_cast<double>(all[r * (r + 1) / 2 + c]); }, W.values);
}

TEST(LandmarkDistances, AreTheAverageOfBothDirections) {
  const MatrixCase one = make_case("torus", make_torus(24, 11), 30);
  const FaultySolver solver(*one.solver, {}, 1);
  const RowMatrix<double> W = solver.between(one.landmarks.vertices, one.landmarks.vertices);
  ASSERT_GT((W - W.transpose()).cwiseAbs().maxCoeff(), 1e-4);
  const double largest = W.maxCoeff();
  for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
    const LandmarkDistances result = landmark_distances(solver, one.landmarks, {precision});
    const bool quantised = precision == Precision::uint16;
    ASSERT_EQ(result.step.size(), quantised ? 1u : 0u);
    const double step = quantised ? result.step[0] : 1;
    const double allowed = quantised ? 1.26 * step

                           : precision == Precision::float32 ? 1e-6 * largest
                                                             : 1e-14 * largest;
    for (std::size_t r = 0; r < 30; ++r)
      for (std::size_t c = 0; c < 30; ++c)
        EXPECT_NEAR(packed(result, r, c, step), (W(r, c) + W(c, r)) / 2, allowed);
    EXPECT_TRUE(result.suspects.empty());
    EXPECT_GT(result.mean_disagreement, 0.001);
    EXPECT_LT(result.mean_disagreement, 0.008);
  }
  EXPECT_GE(landmark_distances(solver, one.landmarks, {Precision::uint16}).step[0] * 65535, 0.99 * largest);
}

TEST(LandmarkDistances, EachComponentHasItsOwnTriangleAndStep) {
  const MatrixCase one = std::move(matrix_cases().back());
  const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks, {Precision::uint16});
  const auto& first = one.landmarks.component_first;
  ASSERT_EQ(first.size(), 3u);
  const std::int64_t numbers = packed_size(first[1]) + packed_size(first[2] - first[1]);
  EXPECT_EQ(std::get<1>(W.values).size(), static_cast<std::size_t>(numbers));
  ASSERT_EQ(W.step.size(), 2u);
  for (const std::size_t c : {0, 1}) {
    const auto some = std::span(one.landmarks.vertices).subspan(first[c], first[c + 1] - first[c]);
    EXPECT_NEAR(W.step[c] * 65535, one.solver->between(some, some).maxCoeff(), 0.06 * W.step[c] * 65535);
  }
  EXPECT_NE(W.step[0], W.step[1]);
}

TEST(LandmarkDistances, StepsGrowWithWhatNoFewRowsForetell) {
  constexpr Index size = 40;
  const auto distance = [](Index a, Index b) {
    const Index low = std::min(a, b), high = std::max(a, b);
    if (low == 20 && high == 23) return 5.0;
    return low == 30 && high == 38 ? 80.0 : low == high ? 0.0 : 1 + 1e-3 * ((7 * low + 11 * high) % 13);
  };
  const CallbackDistances solver(size, [&](Index a, std::span<double> out) {
    for (Index b = 0; b < size; ++b) out[b] = distance(a, b);
  });
  OrderedLandmarks landmarks;
  landmarks.component_first = {0, size};
  landmarks.vertices.resize(size);
  std::iota(landmarks.vertices.begin(), landmarks.vertices.end(), 0);
  for (const Index together : {0, 3}) {
    const LandmarkDistances W =
        landmark_distances(solver, landmarks, {.precision = Precision::uint16, .together = together});
    EXPECT_GE(W.step[0] * 65534, 80);
    EXPECT_LE(W.step[0] * 65534, 85);
    for (Index a = 0; a < size; ++a)
      for (Index b = 0; b < size; ++b)
        EXPECT_NEAR(packed(W, a, b, W.step[0]), distance(a, b), 1.8 * W.step[0]);  // rounded four times
    EXPECT_TRUE(W.suspects.empty());
    EXPECT_LT(W.mean_disagreement, 1e-3);
  }
}

/// A solver whose distances depend on the direction, on a shape of two components.
struct ScratchCase {
  MatrixCase one = std::move(matrix_cases().back());
  FaultySolver solver{*one.solver, {}, 1};
};

void expect_same(const LandmarkDistances& found, const LandmarkDistances& expected) {
  EXPECT_EQ(found.values.index(), expected.values.index());
  EXPECT_EQ(numbers_of(found.values), numbers_of(expected.values));
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.rounding, expected.rounding);
  EXPECT_EQ(found.spacing, expected.spacing);
  EXPECT_EQ(found.suspects, expected.suspects);
  EXPECT_EQ(found.mean_disagreement, expected.mean_disagreement);
}

TEST(LandmarkDistances, AreTheSameInAFile) {
  const testing::TemporaryFolder folder;
  const ScratchCase shape;
  for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64})
    for (const Index together : {0, 7}) {
      LandmarkDistanceOptions options{.precision = precision, .together = together};
      const LandmarkDistances expected = landmark_distances(shape.solver, shape.one.landmarks, options);
      EXPECT_EQ(expected.scratch_bytes, 0);
      options.scratch = folder / "output";
      const LandmarkDistances alone = landmark_distances(shape.solver, shape.one.landmarks, options);
      EXPECT_GT(alone.scratch_bytes, 0);
      expect_same(alone, expected);
      for (const int ranks : {2, 3, 7})
        as_ranks(
            ranks,
            [&](const Team& team) {
              const LandmarkDistances found =
                  landmark_distances(shape.solver, shape.one.landmarks, options, {1, {}, &team});
              EXPECT_EQ(found.scratch_bytes, alone.scratch_bytes);
              expect_same(found, expected);
              static_cast<void>(team.gather({}));
            },
            ranks != 3);
      options.memory = alone.scratch_bytes;
      EXPECT_EQ(landmark_distances(shape.solver, shape.one.landmarks, options).scratch_bytes, 0);
    }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(LandmarkDistances, AreInAFileOnAllRanksWhereOneHasNoMemory) {
  const testing::TemporaryFolder folder;
  const ScratchCase shape;
  as_ranks(3, [&](const Team& team) {
    LandmarkDistanceOptions options{.scratch = folder / "output", .memory = team.rank() == 1 ? 0 : 1 << 30};
    const LandmarkDistances found =
        landmark_distances(shape.solver, shape.one.landmarks, options, {1, {}, &team});
    EXPECT_GT(found.scratch_bytes, 0);
  });
}

TEST(LandmarkDistances, LeaveNoFileWhereARankFails) {
  const testing::TemporaryFolder folder;
  const ScratchCase shape;
  const LandmarkDistanceOptions options{.together = 7, .scratch = folder / "output"};
  for (const bool on_one_machine : {true, false}) {
    const auto cancelled = [&](const Team& team) {
      const auto stop = [&](std::string_view, double fraction) { return team.rank() == 0 || fraction < 0.5; };
      landmark_distances(shape.solver, shape.one.landmarks, options, {1, stop, &team});
    };
    EXPECT_THROW(as_ranks(2, cancelled, on_one_machine), Cancelled);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(LandmarkDistances, NamesTheLandmarksWhoseRowsWentWrong) {
  const MatrixCase one = make_case("sphere", make_sphere(7), 30);
  const std::vector<Index> positions{4, 17};
  const std::vector<Index> bad{one.landmarks.vertices[4], one.landmarks.vertices[17]};
  for (const double factor : {0.0, 0.5, 3.0, 1e12, infinity, std::nan("")}) {
    const FaultySolver solver(*one.solver, bad, factor);
    // Between two faulty landmarks nothing finite may be left; otherwise they are named.
    if (!std::isfinite(factor))
      EXPECT_THROW(landmark_distances(solver, one.landmarks), NumericalError) << factor;
    else
      EXPECT_EQ(landmark_distances(solver, one.landmarks).suspects, positions) << factor;
    const FaultySolver single(*one.solver, {bad[0]}, factor);
    const LandmarkDistances W = landmark_distances(single, one.landmarks);
    EXPECT_EQ(W.suspects, std::vector<Index>{4}) << factor;
    EXPECT_EQ(landmark_distances(single, one.landmarks, {Precision::uint16}).suspects, W.suspects) << factor;
    for (const float distance : std::get<0>(W.values)) EXPECT_TRUE(std::isfinite(distance)) << factor;
  }
}

TEST(LandmarkDistances, SpacingIsTheTypicalDistanceToTheNearestLandmark) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const TriangleMesh sphere = make_sphere(8);
    const MatrixCase one = make_case("sphere", {sphere.points * scale, sphere.triangles}, 50);
    const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
    // 50 landmarks share an area of 4π; hexagonally placed ones are 1.07 sqrt(area / landmark) apart.
    const double expected = scale * std::sqrt(4 * 3.14159 / 50);
    EXPECT_GT(W.spacing[0], 0.7 * expected);
    EXPECT_LT(W.spacing[0], 1.2 * expected);
  }
}

TEST(LandmarkDistances, ASingleLandmarkIsEnough) {
  const MatrixCase one = make_case("sphere", make_sphere(3), 1);
  const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks, {Precision::uint16});
  EXPECT_EQ(numbers_of(W.values), std::vector<double>{0});
  EXPECT_EQ(W.spacing, std::vector<double>{0});
  EXPECT_EQ(W.mean_disagreement, 0);
  EXPECT_TRUE(W.suspects.empty());
}

TEST(LandmarkDistances, ReportsProgressAndStopsWhenTold) {
  const MatrixCase one = std::move(matrix_cases().back());
  double last = 0;
  Execution execution{1, [&](std::string_view, double fraction) {
                        EXPECT_GE(fraction, last);
                        last = fraction;
                        return true;
                      }};
  landmark_distances(*one.solver, one.landmarks, {}, execution);
  EXPECT_DOUBLE_EQ(last, 1);
  execution.progress = [](std::string_view, double) { return false; };
  EXPECT_THROW(landmark_distances(*one.solver, one.landmarks, {}, execution), Cancelled);
  EXPECT_THROW(landmark_distances(*one.solver, one.landmarks, {Precision::float32, 0}), InputError);
}

}  // namespace
}  // namespace geodome::internal
