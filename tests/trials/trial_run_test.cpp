#include "geodome/trials/trial_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/geodesic/solver.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/component.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

TrialPlan small_plan(const std::string& path) {
  TrialPlan plan;
  plan.shapes = subjects_of({path});
  plan.methods = {Method::bha, Method::sbha};
  plan.landmarks = {{12, 0}, {0, 0.2}};
  plan.nonzeros = {6};
  plan.repeats = 2;
  plan.rows = 0;
  return plan;
}

TEST(TrialRun, ListsInOrderAndCountsTheSameOnAnyThreads) {
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  const TrialPlan plan = small_plan(folder / "ring.off");
  const TrialOutcome one = run_trials(plan, {}, {}, Execution{1, {}});
  const TrialOutcome two = run_trials(plan, {}, {}, Execution{2, {}});
  ASSERT_EQ(one.trials.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k) {
    const Trial& trial = one.trials[k];
    EXPECT_EQ(trial.method, k < 4 ? "bha" : "sbha");
    EXPECT_EQ(trial.landmarks, k / 2 % 2 == 0 ? 12 : 32);
    EXPECT_EQ(trial.repeat, static_cast<Index>(k % 2));
    EXPECT_EQ(trial.relative_error, two.trials[k].relative_error);
    EXPECT_EQ(trial.stress, two.trials[k].stress);
    EXPECT_EQ(trial.key, two.trials[k].key);
  }
  EXPECT_NE(one.trials[0].relative_error, one.trials[1].relative_error) << "repeats have other landmarks";
  EXPECT_TRUE(std::isfinite(one.trials[0].large_weights));
  EXPECT_TRUE(std::isnan(one.trials[4].large_weights));
}

TEST(TrialRun, MeasuresWhatABuildMakes) {
  const TemporaryFolder folder;
  const Shape shape = make_torus(16, 10);
  write_shape(shape, folder / "ring.ply");
  TrialPlan plan = small_plan(folder / "ring.ply");
  plan.repeats = 1;
  const TrialOutcome outcome = run_trials(plan);
  BuildOptions options;
  options.method = Method::sbha;
  options.landmarks.count = 12;
  options.interpolation.nonzeros = 6;
  const Build built = build_matrix(load_subject(plan.shapes[0]), options);
  EXPECT_EQ(outcome.trials[2].method, "sbha");
  EXPECT_EQ(outcome.trials[2].bytes, built.matrix->bytes());
}

TEST(TrialRun, LeavesStressOutAndTakesMethodsAlone) {
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  TrialPlan plan = small_plan(folder / "ring.off");
  const TrialOutcome whole = run_trials(plan);
  plan.stress = false;
  plan.alone = true;
  const TrialOutcome part = run_trials(plan);
  for (std::size_t k = 0; k < part.trials.size(); ++k) {
    EXPECT_TRUE(std::isnan(part.trials[k].stress));
    EXPECT_GE(part.trials[k].cpu_seconds, 0);
    EXPECT_TRUE(std::isnan(whole.trials[k].cpu_seconds)) << "what is shared is nobody's own";
    EXPECT_NEAR(part.trials[k].relative_error, whole.trials[k].relative_error,
                1e-5 * whole.trials[k].relative_error)
        << "shared rows are kept in single precision";
    EXPECT_NE(part.trials[k].key, whole.trials[k].key);
  }
}

TEST(TrialRun, UsesWhatIsKnownAndTellsOfTheRest) {
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  const TrialPlan plan = small_plan(folder / "ring.off");
  std::vector<Trial> told;
  std::vector<Trial> all = run_trials(plan, {}, [&](const Trial& trial) { told.push_back(trial); }).trials;
  EXPECT_EQ(told.size(), 8u);
  all[3].reason = "it was another time";
  all[5].key = "another";
  told.clear();
  const TrialOutcome again = run_trials(plan, all, [&](const Trial& trial) { told.push_back(trial); });
  EXPECT_EQ(again.reused, 6);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_TRUE(again.trials[3].done());
}

TEST(TrialRun, TakesAsManyEigenvectorsAsAskedFor) {
  const TemporaryFolder folder;
  const Shape shape = make_torus(16, 10);
  write_shape(shape, folder / "ring.off");
  TrialPlan plan = small_plan(folder / "ring.off");
  plan.methods = {Method::spectrometer, Method::sbha};
  plan.landmarks = {{40, 0}};
  plan.repeats = 1;
  const TrialOutcome before = run_trials(plan);
  EXPECT_EQ(before.trials[0].bytes, 8 * 40 * vertex_count(shape)) << "no more than landmarks";
  plan.baseline.eigenvectors = 15;
  const TrialOutcome fewer = run_trials(plan, before.trials);
  EXPECT_EQ(fewer.trials[0].bytes, 8 * 15 * vertex_count(shape));
  EXPECT_EQ(fewer.reused, 1) << "sbha has none";
}

TEST(TrialRun, ParametersBelongToTheirMethods) {
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  TrialPlan plan = small_plan(folder / "ring.off");
  plan.methods = {Method::fmds, Method::fmds_hard, Method::sbha, Method::smds};
  plan.landmarks = {{30, 0}};
  plan.nonzeros = {4};
  plan.repeats = 1;
  const TrialOutcome before = run_trials(plan);
  const auto changed = [&](const TrialPlan& other) {
    const TrialOutcome after = run_trials(other, before.trials);
    std::string methods;
    for (std::size_t k = 0; k < after.trials.size(); ++k)
      if (after.trials[k].relative_error != before.trials[k].relative_error)
        methods += after.trials[k].method + " ";
    EXPECT_EQ(after.reused, 4 - std::count(methods.begin(), methods.end(), ' '))
        << "what cannot change is not tried again";
    return methods;
  };
  EXPECT_EQ(changed(plan), "");
  TrialPlan other = plan;
  other.baseline.softening = 1e-3;
  EXPECT_EQ(changed(other), "fmds ");
  other = plan;
  other.baseline.square_root = true;
  EXPECT_EQ(changed(other), "fmds fmds-hard ");
  other = plan;
  other.baseline.smds_weight = 1e-3;
  EXPECT_EQ(changed(other), "smds ");
  other = plan;
  other.sparsity = Sparsity::columns;
  EXPECT_EQ(changed(other), "sbha ");
  other = plan;
  other.landmark_method = LandmarkMethod::random;
  EXPECT_EQ(changed(other), "fmds fmds-hard sbha smds ");
}

TEST(TrialRun, UserSuppliedDistancesTakeThePlaceOfMeasuredOnes) {
  const TemporaryFolder folder;
  const Shape shape = make_torus(16, 10);
  write_shape(shape, folder / "ring.off");
  const auto solver = make_solver(shape, {.method = GeodesicMethod::exact});
  std::vector<Index> all(static_cast<std::size_t>(vertex_count(shape)));
  std::iota(all.begin(), all.end(), 0);
  RowMatrix<double> K(vertex_count(shape), vertex_count(shape));
  solver->distances(all, K);
  K = (0.5 * (K + K.transpose())).eval();
  write_npy(K, folder / "same.npy");
  write_npy(RowMatrix<double>(3 * K), folder / "larger.npy");
  TrialPlan plan = small_plan(folder / "ring.off");
  plan.methods = {Method::sbha, Method::spectrometer};
  plan.repeats = 1;
  const TrialOutcome measured = run_trials(plan);
  plan.distances = folder / "same.npy";
  const TrialOutcome supplied = run_trials(plan, measured.trials);
  EXPECT_EQ(supplied.reused, 0);
  EXPECT_EQ(supplied.shapes[0].geodesic, "given");
  for (std::size_t k = 0; k < measured.trials.size(); ++k) {
    const Trial& one = supplied.trials[k];
    if (one.method == "spectrometer") {
      EXPECT_NE(one.reason.find("user-supplied"), std::string::npos) << one.reason;
    } else {
      EXPECT_NEAR(one.relative_error, measured.trials[k].relative_error, 0.2 * one.relative_error)
          << "landmarks may differ where vertices are equally far";
    }
  }
  plan.distances = folder / "larger.npy";
  const TrialOutcome larger = run_trials(plan, supplied.trials);
  EXPECT_EQ(larger.reused, 0) << "another file";
  EXPECT_NEAR(larger.trials[0].relative_error, supplied.trials[0].relative_error,
              1e-3 * supplied.trials[0].relative_error);
  plan.shapes.push_back(plan.shapes[0]);
  EXPECT_THROW(run_trials(plan), InputError);
}

TEST(TrialRun, CanBeStopped) {
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  Index told = 0;
  const Execution impatient{1, [&](std::string_view, double fraction) { return fraction < 0.5; }};
  EXPECT_THROW(run_trials(
                   small_plan(folder / "ring.off"), {}, [&](const Trial&) { ++told; }, impatient),
               Cancelled);
  EXPECT_GT(told, 0);
  EXPECT_LT(told, 8);
}

TEST(TrialShapes, AreNamedOnceEach) {
  const auto subjects = subjects_of({"a/cat.off.gz", "b/cat.ply", "dog"});
  EXPECT_EQ(subjects[0].name, "cat");
  EXPECT_EQ(subjects[1].name, "cat_2");
  EXPECT_EQ(subjects[2].name, "dog");
}

TEST(TrialShapes, ComeAsTheirLargestComponentAndCoarser) {
  const TriangleMesh large = make_torus(16, 10), small = make_torus(8, 6);
  TriangleMesh both;
  const Index first = static_cast<Index>(small.points.rows());
  both.points.resize(first + large.points.rows() + 1, 3);
  both.points << small.points, large.points, Eigen::RowVector3d(9, 9, 9);
  both.triangles.resize(small.triangles.rows() + large.triangles.rows(), 3);
  both.triangles << small.triangles, (large.triangles.array() + first).matrix();
  const auto found = std::get<TriangleMesh>(largest_component(both));
  EXPECT_EQ(found.points, large.points);
  EXPECT_EQ(found.triangles, large.triangles);
  const Shape coarse = prepare_subject(both, {"", "", true, 90});
  EXPECT_EQ(vertex_count(coarse), 90);
  EXPECT_EQ(vertex_count(prepare_subject(both, {"", "", false, 0})), both.points.rows());
  EXPECT_THROW(prepare_subject(PointCloud{both.points, {}}, {"", "", true, 0}), InputError);
}

TEST(TrialPlans, AreCheckedFirst) {
  TrialPlan good = small_plan("none.off");
  EXPECT_THROW(run_trials(good), FileError);
  const TemporaryFolder folder;
  write_shape(make_torus(16, 10), folder / "ring.off");
  TrialPlan half = small_plan(folder / "ring.off");
  half.shapes.push_back(good.shapes[0]);
  EXPECT_THROW(run_trials(half, {}, [](const Trial&) { ADD_FAILURE() << "tried before all was checked"; }),
               FileError);
  const auto refused = [&](auto change) {
    TrialPlan plan = good;
    change(plan);
    EXPECT_THROW(run_trials(plan), InputError);
  };
  refused([](TrialPlan& plan) { plan.shapes.clear(); });
  refused([](TrialPlan& plan) { plan.methods.clear(); });
  refused([](TrialPlan& plan) { plan.repeats = 0; });
  refused([](TrialPlan& plan) { plan.rows = 1; });
  refused([](TrialPlan& plan) { plan.nonzeros = {0}; });
  refused([](TrialPlan& plan) { plan.landmarks = {{0, 1.5}}; });
  EXPECT_EQ(default_trial_landmarks(10).size(), 1u);
  EXPECT_EQ(default_trial_landmarks(100000).size(), 5u);
}

}  // namespace
}  // namespace geodome::internal
