#pragma once
/// Tries many methods on many shapes, with many numbers of landmarks and seeds, and measures each in the same
/// way.
///
///   TrialPlan plan;
///   plan.shapes = subjects_of({"bunny.obj"});
///   plan.methods = {Method::sbha, Method::fmds};
///   const TrialOutcome outcome = run_trials(plan);

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/options.h"
#include "geodome/trials/trial.h"
#include "geodome/trials/trial_shape.h"

namespace geodome::internal {

/// A number of landmarks, or a share of the vertices.
struct LandmarkCount {
  Index count = 0;
  double share = 0;  ///< used where `count` is zero
};

struct TrialPlan {
  std::vector<TrialSubject> shapes;
  std::vector<Method> methods;
  std::vector<LandmarkCount> landmarks;  ///< empty: default_trial_landmarks
  std::vector<Index> nonzeros = {50};    ///< for methods that have them
  /// Which entries of P they are.
  Sparsity sparsity = InterpolationOptions().sparsity;
  /// Parameters of single methods; its dimensions are not used.
  BaselineOptions baseline{};
  /// Farthest points, or random ones.
  LandmarkMethod landmark_method = LandmarkMethod::farthest;
  /// Each with other landmarks: the first one is chosen by the seed plus the repeat.
  Index repeats = 3;
  /// Rows on which errors and stress are measured, at random; 0: all. Some hundreds settle both to a few per
  /// cent.
  Index rows = 500;
  /// Measures the truth, and what methods need: with the same distances for both, what is left is the error
  /// of the method. `automatic` is the exact one.
  GeodesicMethod geodesic = GeodesicMethod::automatic;
  /// User-supplied distances of the one shape (an NPY file, #V by #V), in place of what `geodesic` measures;
  /// empty: none.
  std::string distances{};
  Index dimensions = 3;
  bool stress = true;
  /// Every method measures everything itself. Otherwise distances are shared among methods, and the peak of
  /// memory is that of the first; the seconds are those of a method alone either way.
  bool alone = false;
  std::uint64_t seed = 0;
  /// Above it a method is refused.
  std::int64_t memory_bound = std::int64_t{8} << 30;
};

/// 50, 100, 200, 500 and 1,000, as far as they are at most a quarter of the vertices; at least one.
std::vector<LandmarkCount> default_trial_landmarks(Index vertices);

/// What is known of a shape.
struct TrialShape {
  std::string name;
  Index vertices = 0;
  std::string geodesic;  ///< the method that measured
  Index rows = 0;        ///< on which errors were measured
  double seconds = 0;    ///< to measure the truth; 0 where all trials were known
};

struct TrialOutcome {
  std::vector<Trial> trials;  ///< in the order of shapes, methods, nonzeros, landmarks, repeats
  std::vector<TrialShape> shapes;
  Index reused = 0;  ///< of the trials, those that were known before
};

/// Told of every trial as it ends.
using TrialListener = std::function<void(const Trial&)>;

/// `known` are trials of earlier runs: one that was done with the same key is not done again. Truth is
/// measured once for each shape. A method that refuses, or whose arithmetic fails, leaves its reason in the
/// trial and the others go on. Deterministic but for seconds and peaks of memory. Throws InputError where the
/// plan makes no sense or no method can do anything, FileError, Cancelled.
TrialOutcome run_trials(const TrialPlan& plan, const std::vector<Trial>& known = {},
                        const TrialListener& listener = {}, const Execution& execution = {});

}  // namespace geodome::internal
