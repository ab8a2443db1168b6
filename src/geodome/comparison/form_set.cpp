#include "geodome/comparison/form_set.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/base/version.h"
#include "geodome/comparison/form_store.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/plan.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/digest.h"
#include "geodome/shape/io/read.h"

namespace geodome {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Shape load(const std::string& path) {
  try {
    return clean_shape(read_shape(path)).shape;
  } catch (const InputError& error) {
    throw InputError(text("'", path, "': ", error.what()));
  }
}

/// File names without endings, made distinct.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string file = std::filesystem::path(path).filename().string();
    const std::string name =
        file.substr(0, std::max<std::size_t>(1, std::min(file.find('.', 1), file.size())));
    const int count = ++seen[name];
    names.push_back(count == 1 ? name : text(name, "_", count));
  }
  return names;
}

/// Everything that decides the form.
std::string recipe_of(const Shape& shape, const FormSetOptions& options) {
  const BuildOptions& build = options.build;
  return text(version, ' ', shape_digest(shape), ' ', static_cast<int>(build.method), ' ',
              build.landmarks.count, ' ', static_cast<int>(build.landmarks.method), ' ',
              build.interpolation.nonzeros, ' ', static_cast<int>(build.interpolation.sparsity), ' ',
              static_cast<int>(build.geodesic.method), ' ', static_cast<int>(build.precision), ' ',
              build.seed, ' ', options.embedding.dimensions, ' ', options.embedding.seed);
}

/// What is known about a shape before it is built.
struct Job {
  std::size_t at = 0;
  std::string stored;  ///< where its form is kept, if anywhere
  std::int64_t peak_bytes = 0;
};

Job prepare(const FormSetOptions& options, std::size_t at, ShapeForm& form, bool& finished) {
  const auto begin = Clock::now();
  const Shape shape = load(form.path);
  Job job;
  job.at = at;
  job.peak_bytes = plan_build(shape, options.build).peak_bytes;
  form.vertices = vertex_count(shape);
  if (!options.store.empty()) {
    job.stored = form_path(options.store, form.name, form_key(recipe_of(shape, options)));
    if (auto Z = load_form(job.stored, form.vertices, options.embedding.dimensions)) {
      form.Z = std::move(*Z);
      form.reused = finished = true;
    }
  }
  form.seconds = seconds_since(begin);
  return job;
}

void build_form(const FormSetOptions& options, const Job& job, ShapeForm& form, const Execution& execution) {
  const auto begin = Clock::now();
  const Shape shape = load(form.path);
  BuildOptions build_options = options.build;
  build_options.kind = DistanceKind::squared;
  try {
    const Build built = build(shape, build_options, execution);
    Embedding embedding = embed(*built.matrix, options.embedding, execution);
    form.components = static_cast<Index>(embedding.components.size());
    const auto largest =
        std::max_element(embedding.components.begin(), embedding.components.end(),
                         [](const auto& a, const auto& b) { return a.vertices < b.vertices; });
    if (largest != embedding.components.end()) form.eigenvalues = largest->eigenvalues;
    form.Z = std::move(embedding.Z);
  } catch (const InputError& error) {
    throw InputError(text("'", form.path, "': ", error.what()));
  } catch (const NumericalError& error) {
    throw NumericalError(text("'", form.path, "': ", error.what()));
  }
  if (!job.stored.empty()) save_form(job.stored, form.Z);
  form.seconds = seconds_since(begin);
}

/// How many of the largest jobs fit into the budget together; at least one.
int jobs_at_once(std::vector<Job> jobs, std::int64_t budget, int threads) {
  std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.peak_bytes > b.peak_bytes; });
  std::int64_t sum = 0;
  int count = 0;
  while (count < threads && count < static_cast<int>(jobs.size()) &&
         (count == 0 || sum + jobs[count].peak_bytes <= budget))
    sum += jobs[count++].peak_bytes;
  return std::max(1, count);
}

}  // namespace

std::vector<ShapeForm> canonical_forms(const std::vector<std::string>& paths, const FormSetOptions& options,
                                       const Execution& execution) {
  const std::vector<std::string> names = names_of(paths);
  std::vector<ShapeForm> forms(paths.size());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    forms[k].path = paths[k];
    forms[k].name = names[k];
  }
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    execution.report("reading shapes", static_cast<double>(k) / static_cast<double>(forms.size()));
    bool finished = false;
    const Job job = prepare(options, k, forms[k], finished);
    if (!finished) jobs.push_back(job);
  }
  const int threads = thread_count(execution);
  const int together = jobs_at_once(jobs, options.memory_budget, threads);
  std::mutex mutex;  // guards the callback and `done`
  std::size_t done = 0;
  const auto share = [&] { return static_cast<double>(done) / static_cast<double>(jobs.size()); };
  // A shape's own progress is not shown, but it can still be cancelled.
  const Execution inside{std::max(1, threads / together), [&](std::string_view, double) {
                           const std::lock_guard lock(mutex);
                           return !execution.progress || execution.progress("canonical forms", share());
                         }};
  const Execution outside{together, {}};
  parallel_for(jobs.size(), outside, {}, [&](std::size_t k, int) {
    build_form(options, jobs[k], forms[jobs[k].at], inside);
    const std::lock_guard lock(mutex);
    ++done;
    execution.report("canonical forms", share());
  });
  return forms;
}

}  // namespace geodome
