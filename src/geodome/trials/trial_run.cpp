#include "geodome/trials/trial_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <set>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/base/mapped_file.h"
#include "geodome/base/version.h"
#include "geodome/shape/digest.h"
#include "geodome/trials/trial_measure.h"

namespace geodome::internal {
namespace {

void check(const TrialPlan& plan) {
  const auto at_least = [](Index value, Index bound, const char* what) {
    if (value < bound)
      throw InputError(text("the number of ", what, " must be at least ", bound, ", got ", value));
  };
  if (plan.shapes.empty()) throw InputError("no shapes: at least one is required");
  if (plan.methods.empty()) throw InputError("no methods: at least one is required");
  at_least(plan.repeats, 1, "repeats");
  at_least(plan.dimensions, 1, "dimensions");
  at_least(plan.baseline.eigenvectors, 1, "eigenvectors");
  at_least(plan.rows, 0, "rows");
  if (plan.rows == 1) throw InputError("the number of rows must be at least 2, or 0 for all, got 1");
  if (plan.nonzeros.empty()) throw InputError("no number of nonzeros: at least one is required");
  for (const Index nonzeros : plan.nonzeros) at_least(nonzeros, 1, "nonzeros per row");
  for (const LandmarkCount& one : plan.landmarks)
    if (one.count < 1 && !(one.share > 0 && one.share <= 1))
      throw InputError(
          "a number of landmarks must be at least 1, or a share of the vertices between 0 and 100 %");
  if (plan.landmark_method == LandmarkMethod::user)
    throw InputError("landmarks of a comparison must be farthest or random");
  if (!plan.distances.empty() && plan.shapes.size() > 1)
    throw InputError(
        text("user-supplied distances belong to one shape, got ", plan.shapes.size(), " shapes"));
  // Now, and not when hours have been spent on the shapes before.
  for (const TrialSubject& subject : plan.shapes)
    if (std::error_code error; !std::filesystem::exists(subject.path, error))
      throw FileError(text("cannot read '", subject.path, "': no such file"));
}

/// Numbers of landmarks on a shape with this many vertices, increasing, each once. More than there are
/// vertices is left to the methods to refuse.
std::vector<Index> landmark_counts(const TrialPlan& plan, Index vertices) {
  std::set<Index> counts;
  for (const LandmarkCount& one : plan.landmarks.empty() ? default_trial_landmarks(vertices) : plan.landmarks)
    counts.insert(one.count > 0 ? one.count
                                : std::max<Index>(1, static_cast<Index>(std::lround(one.share * vertices))));
  return {counts.begin(), counts.end()};
}

/// What is to be tried on one shape.
struct Task {
  Trial trial;  ///< nothing measured yet
  Method method;
  std::size_t order = 0;  ///< in which results are listed
  /// A guess of how long it takes against the others, for the time that is left.
  double weight = 0;
};

/// What a key says of a method beyond the numbers in its trial. Nothing where all is as by default, so that
/// trials of earlier versions are known again.
std::string parameters_of(const TrialPlan& plan, Method method) {
  const TrialPlan usual;
  const BaselineOptions &own = plan.baseline, &as_usual = usual.baseline;
  std::string result;
  if (traits(method).eigenvectors) result += text(" eigenvectors ", own.eigenvectors);
  if (traits(method).sparse && plan.sparsity != usual.sparsity)
    result += text(" sparsity ", name_of(sparsities(), plan.sparsity));
  if (traits(method).landmarks && plan.landmark_method != usual.landmark_method)
    result += text(" landmarks ", name_of(landmark_methods(), plan.landmark_method));
  if (method == Method::fmds && own.softening != as_usual.softening)
    result += text(" softening ", own.softening);
  if ((method == Method::fmds || method == Method::fmds_hard) && own.square_root) result += " square root";
  if (method == Method::smds && own.smds_weight != as_usual.smds_weight)
    result += text(" weight ", own.smds_weight);
  return result;
}

/// A checksum of user-supplied distances; empty where they are measured.
std::string distances_digest(const TrialPlan& plan) {
  if (plan.distances.empty()) return {};
  const MappedFile file(plan.distances);
  return text(" distances ", file.bytes().size(), ' ', crc32c(file.bytes()));
}

std::string key_of(const TrialPlan& plan, const TrialSubject& subject, const std::string& digest,
                   Method method, const Trial& trial) {
  return text(version, ' ', digest, subject.largest_component ? " largest" : "", " to ", subject.decimate,
              ' ', trial.method, ' ', trial.landmarks, ' ', trial.nonzeros, ' ', trial.repeat, " rows ",
              plan.rows, " by ", geodesic_method_name(plan.geodesic), plan.alone ? " alone" : "",
              " dimensions ", plan.stress ? plan.dimensions : 0, " seed ", plan.seed,
              parameters_of(plan, method));
}

std::vector<Task> tasks_for(const TrialPlan& plan, const TrialSubject& subject, const std::string& digest,
                            Index vertices) {
  std::vector<Task> tasks;
  const std::vector<Index> counts = landmark_counts(plan, vertices);
  for (const Method method : plan.methods)
    for (const Index nonzeros : traits(method).sparse ? plan.nonzeros : std::vector<Index>{0})
      for (const Index landmarks : traits(method).landmarks ? counts : std::vector<Index>{0})
        for (Index repeat = 0; repeat < (landmarks > 0 ? plan.repeats : 1); ++repeat) {
          Task task;
          task.method = method;
          task.trial.shape = subject.name;
          task.trial.vertices = vertices;
          task.trial.method = name_of(methods(), method);
          task.trial.landmarks = landmarks;
          task.trial.nonzeros = nonzeros;
          task.trial.repeat = repeat;
          task.trial.key = key_of(plan, subject, digest, method, task.trial);
          task.order = tasks.size();
          task.weight = (landmarks > 0 ? landmarks + 200.0 : vertices) * vertices;
          tasks.push_back(std::move(task));
        }
  // What shares its landmarks is tried together, so that they are measured once.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return std::pair(a.trial.repeat, a.trial.landmarks) < std::pair(b.trial.repeat, b.trial.landmarks);
  });
  return tasks;
}

/// How much of all is done, over shapes whose sizes are not known before they are read.
class Share {
 public:
  Share(std::size_t shapes, const Execution& execution) : shapes_(shapes), execution_(execution) {}

  void next_shape(double weight) {
    begin_ = end_;
    end_ += 1.0 / static_cast<double>(shapes_);
    weight_ = weight;
    done_ = 0;
  }
  /// For the step that will take `weight`.
  Execution step(double weight) {
    const double from = at(done_);
    done_ += weight;
    return part_of(execution_, "comparing methods", from, at(done_));
  }

 private:
  double at(double done) const {
    return begin_ + (end_ - begin_) * (weight_ > 0 ? std::min(1.0, done / weight_) : 0);
  }
  std::size_t shapes_;
  const Execution& execution_;
  double begin_ = 0, end_ = 0, weight_ = 1, done_ = 0;
};

/// Those that were done before, by what they were.
using KnownTrials = std::map<std::string, const Trial*>;

/// Tries what is not known on one shape.
class ShapeRun {
 public:
  ShapeRun(const TrialPlan& plan, const TrialSubject& subject, const KnownTrials& known,
           TrialOutcome& outcome)
      : plan_(plan), subject_(subject), known_(known), outcome_(outcome) {}

  void run(Share& share, const TrialListener& listener, const Execution& execution) {
    Shape shape = load_subject(subject_);
    const std::string digest = shape_digest(shape) + distances_digest(plan_);
    shape = prepare_subject(std::move(shape), subject_, Execution{execution.threads, execution.progress});
    TrialShape facts{subject_.name, vertex_count(shape), "", 0, 0};
    const GeodesicMethod geodesic =
        plan_.geodesic == GeodesicMethod::automatic ? exact_method(shape) : plan_.geodesic;
    facts.geodesic = plan_.distances.empty() ? geodesic_method_name(geodesic) : "given";
    facts.rows = plan_.rows > 0 ? std::min(plan_.rows, facts.vertices) : facts.vertices;
    std::vector<Task> tasks = tasks_for(plan_, subject_, digest, facts.vertices);
    const double truth_weight = 4.0 * facts.rows * facts.vertices;
    double weight = truth_weight;
    for (const Task& task : tasks) weight += known(task) ? 0 : task.weight;
    share.next_shape(weight);
    std::vector<Trial> results(tasks.size());
    std::optional<TrialBench> bench;
    for (const Task& task : tasks) {
      Trial& trial = results[task.order] = task.trial;
      if (const Trial* before = known(task)) {
        trial = *before;
        trial.shape = subject_.name;
        ++outcome_.reused;
        continue;
      }
      if (!bench) {
        bench.emplace(shape, plan_, geodesic, share.step(truth_weight));
        facts.seconds = bench->truth_seconds();
      }
      attempt(*bench, task, trial, share.step(task.weight));
      if (listener) listener(trial);
    }
    outcome_.trials.insert(outcome_.trials.end(), results.begin(), results.end());
    outcome_.shapes.push_back(facts);
  }

 private:
  const Trial* known(const Task& task) const {
    const auto found = known_.find(task.trial.key);
    return found == known_.end() ? nullptr : found->second;
  }

  static void attempt(TrialBench& bench, const Task& task, Trial& trial, const Execution& execution) {
    try {
      bench.measure(task.method, trial, execution);
    } catch (const InputError& error) {
      trial.reason = error.what();
    } catch (const NumericalError& error) {
      trial.reason = error.what();
    } catch (const std::bad_alloc&) {
      trial.reason = "not enough memory";
    }
  }

  const TrialPlan& plan_;
  const TrialSubject& subject_;
  const KnownTrials& known_;
  TrialOutcome& outcome_;
};

}  // namespace

std::vector<LandmarkCount> default_trial_landmarks(Index vertices) {
  std::vector<LandmarkCount> counts;
  for (const Index count : {50, 100, 200, 500, 1000})
    if (count <= vertices / 4) counts.push_back({count, 0});
  if (counts.empty()) counts.push_back({std::max<Index>(1, vertices / 4), 0});
  return counts;
}

TrialOutcome run_trials(const TrialPlan& plan, const std::vector<Trial>& known, const TrialListener& listener,
                        const Execution& execution) {
  check(plan);
  KnownTrials by_key;
  for (const Trial& trial : known)
    if (trial.done()) by_key[trial.key] = &trial;
  TrialOutcome outcome;
  Share share(plan.shapes.size(), execution);
  for (const TrialSubject& subject : plan.shapes)
    ShapeRun(plan, subject, by_key, outcome).run(share, listener, execution);
  const auto done = [](const Trial& trial) { return trial.done(); };
  if (std::none_of(outcome.trials.begin(), outcome.trials.end(), done))
    throw InputError(text("all methods failed; ", outcome.trials.front().method, " on ",
                          outcome.trials.front().shape, ": ", outcome.trials.front().reason));
  return outcome;
}

}  // namespace geodome::internal
