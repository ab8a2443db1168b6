#include "geodome/pipeline/method_run.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/recipe.h"

namespace geodome::internal {

MethodRun::MethodRun(PreparedShape& shared, const BuildOptions& build_options, BuildSummary& result,
                     const Execution& how)
    : prepared(shared), options(build_options), summary(result), execution(how) {
  summary.components = prepared.components();
  summary.geodesic = traits(options.method).measures ? prepared.geodesic() : "spectral heat";
  reset_peak_memory();
}

void MethodRun::begin_stage() {
  summary.peak_bytes = std::max(summary.peak_bytes, peak_memory());
  release_freed_memory();  // of the stage before: arrays below 32 megabytes would stay with the process
  reset_peak_memory();
}

BuildStage& MethodRun::stage_of(const char* name) {
  const auto stage = std::find_if(summary.stages.begin(), summary.stages.end(),
                                  [&](const BuildStage& one) { return one.name == name; });
  return stage != summary.stages.end() ? *stage : summary.stages.emplace_back(BuildStage{name, 0, 0});
}

void MethodRun::record_beside(const char* stage, double seconds, std::int64_t peak) {
  BuildStage& one = stage_of(stage);
  one.seconds += seconds;
  one.peak_bytes = std::max(one.peak_bytes, peak);
  summary.peak_bytes = std::max(summary.peak_bytes, peak);
}

void MethodRun::record(const char* stage, double seconds, std::int64_t peak) {
  record_beside(stage, seconds, peak);
  summary.seconds += seconds;
}

void MethodRun::forget(const char* stage) {
  std::erase_if(summary.stages, [&](const BuildStage& one) {
    if (one.name != stage) return false;
    summary.seconds -= one.seconds;
    return true;
  });
}

const ChosenLandmarks& MethodRun::choose() {
  return choose(options.landmarks);
}

const ChosenLandmarks& MethodRun::choose(const LandmarkOptions& landmarks) {
  begin_stage();
  const ChosenLandmarks& chosen = prepared.choose(landmarks, execution);
  const double domain_seconds = summary.landmarks == 0 ? prepared.domain_seconds() : 0;  // once
  record("landmark", domain_seconds + chosen.seconds, peak_memory());
  summary.landmarks = static_cast<Index>(chosen.order.vertices.size());
  summary.cover_radius = chosen.cover_radius;
  const LandmarkOptions& known = chosen.options;
  if (recipe.empty()) set_recipe(known.or_all ? summary.landmarks : known.count);
  return chosen;
}

void MethodRun::set_recipe(Index landmarks) {
  if (traits(options.method).measures) {
    summary.geodesic = prepared.geodesic();
    summary.tried_solvers = prepared.tried_solvers();
    summary.coarse_mesh = prepared.coarse_mesh();
    summary.tried_meshes = prepared.tried_meshes();
  }
  stated_landmarks_ = landmarks;
  recipe_waits_ = prepared.waits_for_landmarks();
  recipe = make_recipe({prepared.original(), prepared.options().geodesic, prepared.options().laplacian},
                       options, landmarks, {summary.geodesic, summary.tried_solvers, summary.coarse_mesh});
}

bool MethodRun::exact() const {
  return prepared.measures() && prepared.geodesic() == prepared.true_method();
}

Index MethodRun::certificate_rows() const {
  return internal::certificate_rows(options, prepared.size(), summary.landmarks, prepared.geodesic(),
                                    prepared.coarse_mesh().share);
}

MeasureRequest MethodRun::request() const {
  MeasureRequest request;
  request.distances.precision = options.precision;
  request.distances.together = options.log_every;
  if (traits(options.method).factors) {
    request.distances.scratch = options.scratch;
    request.distances.memory = options.landmark_memory;
  }
  if (prepared.measures()) {  // user-supplied distances need no log
    request.distances.log = options.log;
    request.distances.log_key = recipe;
  }
  request.with_rows = traits(options.method).columns;
  request.spots = spots.vertices.empty() && certificate_rows() == 0 ? options.check_rows : 0;
  request.seed = options.seed;
  return request;
}

const MeasuredLandmarks& MethodRun::accept(const MeasuredLandmarks& found) {
  if (recipe_waits_) set_recipe(stated_landmarks_);
  summary.landmarks = static_cast<Index>(found.order.vertices.size());
  summary.recalled = found.W.recalled;
  summary.scratch_bytes = found.W.scratch_bytes;
  summary.mean_disagreement = found.W.mean_disagreement;
  summary.replaced = found.replaced;
  if (traits(options.method).factors && prepared.measures()) {
    // An eighth of the rows of the certificate, which these are measured beside.
    const Index rows = exact() ? 0 : certificate_rows() > 0 ? std::max<Index>(2, certificate_rows() / 8) : 0;
    landmark_error = rounding_error(found.W);
    landmark_rows = some_landmark_rows(found.order, found.W, rows, options.seed);
  }
  if (!found.spots.vertices.empty()) spots = prepared.take_spots(found);
  return found;
}

const MeasuredLandmarks& MethodRun::measure(const ChosenLandmarks& chosen) {
  return measure(chosen, {});
}

const MeasuredLandmarks& MethodRun::measure(
    const ChosenLandmarks& chosen, std::function<const GeodesicSolver&(const GeodesicSolver&)> through) {
  begin_stage();
  MeasureRequest wanted = request();
  wanted.keep_solver = static_cast<bool>(through);
  wanted.distances.solver_shares = wanted.keep_solver;
  wanted.through = std::move(through);
  const MeasuredLandmarks& found = prepared.measure(chosen, wanted, execution);
  record("geodesic", found.geodesic_seconds, peak_memory());
  return accept(found);
}

const MeasuredLandmarks& MethodRun::measure_beside(const ChosenLandmarks& chosen, const WorkBeside& beside,
                                                   double first_share) {
  begin_stage();
  double beside_seconds = 0;
  const Stopwatch clock;
  MeasureRequest with_share = request();
  with_share.distances.first_share = first_share;
  Execution mine = execution;
  if (first_share >= 0 && team_of(execution)->rank() == 0)
    mine.threads = std::max(2, thread_count(execution));
  const MeasuredLandmarks& found =
      prepared.measure(chosen, with_share, mine, [&](const std::function<bool()>& is_measured) {
        const Stopwatch own;
        beside(is_measured);
        beside_seconds = own.seconds();
      });
  const double seconds = clock.seconds();
  const std::int64_t peak = peak_memory();
  record_beside("geodesic", found.geodesic_seconds, peak);
  record_beside("interpolation", beside_seconds, peak);
  // Shared landmarks may have been measured before: then their time is charged, not that of looking them up.
  summary.seconds += prepared.options().once ? seconds : found.geodesic_seconds + beside_seconds;
  return accept(found);
}

const MeasuredLandmarks& MethodRun::landmarks(std::int64_t columns_per_landmark) {
  // Before anything is computed, where the number is known.
  if (options.landmarks.method != LandmarkMethod::user)
    require_memory(columns_per_landmark * options.landmarks.count);
  const ChosenLandmarks& chosen = choose();
  require_memory(columns_per_landmark * landmark_count());
  return measure(chosen);
}

RowMatrix<float> MethodRun::columns(const MeasuredLandmarks& found) {
  return std::move(prepared.columns(found, execution).value);
}

const Laplacian& MethodRun::laplacian() {
  begin_stage();
  const Timed<Laplacian>& found = prepared.laplacian(execution);
  record("laplacian", found.seconds, peak_memory());
  return found.value;
}

const Eigenpairs& MethodRun::eigenpairs(Index count) {
  begin_stage();
  const Timed<Eigenpairs>& found = prepared.eigenpairs(count, execution);
  record("eigenvectors", found.seconds, peak_memory());
  return found.value;
}

const RowMatrix<float>& MethodRun::dense_interpolation(const MeasuredLandmarks& found) {
  begin_stage();
  const Timed<RowMatrix<float>>& P = prepared.interpolation(found, execution);
  record("interpolation", P.seconds, peak_memory());
  note(prepared.row_bounds());
  return P.value;
}

void MethodRun::require_memory(std::int64_t columns) const {
  const double needed = 4.0 * static_cast<double>(prepared.size()) * static_cast<double>(columns);
  if (needed > static_cast<double>(options.memory_bound))
    throw MemoryError(text(name_of(methods(), options.method), " on ", prepared.size(), " vertices with ",
                           columns, " columns needs ", byte_count(static_cast<std::int64_t>(needed)),
                           ", above the bound of ", byte_count(options.memory_bound),
                           ": use fewer landmarks, or sbha, which stores no such columns"),
                      static_cast<std::int64_t>(needed), options.memory_bound);
}

void MethodRun::note(const RowBounds& bounds) {
  summary.bounds = bounds;
  if (bounds.replaced > 0) summary.note = describe(bounds, prepared.size());
}

void MethodRun::count(std::int64_t numbers, std::int64_t indices, std::int64_t workspace) {
  summary.reference_bytes = 8 * numbers + 4 * indices;
  summary.workspace_bytes = 8 * workspace;
}

}  // namespace geodome::internal
