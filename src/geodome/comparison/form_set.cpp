#include "geodome/comparison/form_set.h"

#include <algorithm>
#include <functional>
#include <mutex>

#include "geodome/base/error.h"
#include "geodome/base/stems.h"
#include "geodome/base/stopwatch.h"
#include "geodome/base/threads.h"
#include "geodome/comparison/form_store.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/shape/io/load.h"

namespace geodome::internal {
namespace {

/// Everything that determines the form: the recipe of the build as requested, and the embedding.
std::string recipe_of(const Shape& shape, const FormSetOptions& options) {
  return text(requested_recipe(shape, options.build), ' ', options.embedding.dimensions, ' ',
              options.embedding.seed, ' ', static_cast<int>(options.embedding.method), ' ',
              options.embedding.tolerance);
}

/// What is known about a shape before it is built.
struct Job {
  std::size_t at = 0;
  std::string stored;  ///< where its form is kept, if anywhere
  std::int64_t peak_bytes = 0;
};

Job prepare(const FormSetOptions& options, std::size_t at, ShapeForm& form, bool& finished) {
  const Stopwatch clock;
  const Shape shape = load_clean_shape(form.path).shape;
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
  form.seconds = clock.seconds();
  return job;
}

void build_form(const FormSetOptions& options, const Job& job, ShapeForm& form, const Execution& execution) {
  const Stopwatch clock;
  const Shape shape = load_clean_shape(form.path).shape;
  BuildOptions build_options = options.build;
  build_options.kind = DistanceKind::squared;
  try {
    const Build built = build_matrix(shape, build_options, execution);
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
  form.seconds = clock.seconds();
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
  const std::vector<std::string> names = distinct_stems(paths);
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

}  // namespace geodome::internal
