#include "geodome/pipeline/build.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/peak_memory.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/matrix/near_field.h"
#include "geodome/matrix/scaled.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/pipeline/operators.h"
#include "geodome/pipeline/paths.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/shape/unit.h"

namespace geodome {
namespace {

/// Notes what each stage takes.
class StageClock {
 public:
  explicit StageClock(BuildSummary& summary) : summary_(summary) {}

  template <typename Work>
  auto run(const char* name, Work work) {
    reset_peak_memory();
    const auto begin = Clock::now();
    auto result = work();
    const double seconds = seconds_since(begin);
    note(name, seconds, peak_memory());
    summary_.seconds += seconds;
    return result;
  }

  /// Two stages at once, as far as there are threads. Each is told the time it took itself.
  template <typename First, typename Second>
  void run_both(const char* first, First work, const char* second, Second other, const Execution& execution) {
    reset_peak_memory();
    double seconds[2] = {};
    const auto begin = Clock::now();
    const auto timed = [&](const auto& one, double& taken) {
      return [&](const Execution& mine) {
        const auto start = Clock::now();
        one(mine);
        taken = seconds_since(start);
      };
    };
    side_by_side(execution, timed(work, seconds[0]), timed(other, seconds[1]));
    const std::int64_t peak = peak_memory();
    note(first, seconds[0], peak);
    note(second, seconds[1], peak);
    summary_.seconds += seconds_since(begin);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// A stage in several pieces is one.
  void note(const char* name, double seconds, std::int64_t peak) {
    auto stage = std::find_if(summary_.stages.begin(), summary_.stages.end(),
                              [&](const BuildStage& one) { return one.name == name; });
    if (stage == summary_.stages.end()) stage = summary_.stages.insert(stage, BuildStage{name, 0, 0});
    stage->seconds += seconds;
    stage->peak_bytes = std::max(stage->peak_bytes, peak);
    summary_.peak_bytes = std::max(summary_.peak_bytes, peak);
  }

  BuildSummary& summary_;
};

/// What paths run on, the solver on it, and who is next to whom.
struct Paths {
  Adjacency edges;
  std::shared_ptr<const GeodesicSolver> solver;
  Landmarks landmarks;
};

/// Resolves what the options leave open, and chooses the landmarks.
Paths prepare_paths(const Shape& shape, BuildOptions& options, BuildSummary& summary,
                    const Execution& execution) {
  PathDomain domain = make_path_domain(shape, options.geodesic, execution);
  Paths paths;
  paths.edges = path_edges(domain);
  summary.components = find_components(paths.edges).count;
  if (options.landmarks.method == LandmarkMethod::user)
    options.landmarks.count = static_cast<Index>(options.landmarks.vertices.size());
  else if (options.landmarks.count == 0) {
    options.landmarks.count = default_landmark_count(joined_vertices(paths.edges), summary.components);
    options.landmarks.or_all = true;
  }
  if (!options.measures()) {
    summary.geodesic = "given";
    paths.solver = precomputed_distances(options, vertex_count(shape));
    paths.landmarks = choose_landmarks(*paths.solver, options.landmarks, execution);
    return paths;
  }
  options.geodesic = landmark_geodesics(std::move(options.geodesic), options.landmarks.count);
  options.geodesic.method = resolve_method(domain, options.geodesic);
  summary.geodesic = geodesic_method_name(options.geodesic.method);
  // Three pieces of work of about the same length: the landmarks, and two that make the solver. Where there
  // are two threads the system shares them among the three, for otherwise one would be idle for a third of
  // the time.
  const Execution alone{1, execution.progress}, silent{execution.threads, {}};
  parallel_for(2, silent, {}, [&](std::size_t item, int) {
    if (item == 0)
      paths.landmarks = choose_landmarks(domain, options.landmarks, alone);
    else
      paths.solver = make_solver(domain, options.geodesic, silent);
  });
  if (options.landmarks.method != LandmarkMethod::user)
    leave_out_lone_points(paths.edges, paths.landmarks.vertices);
  return paths;
}

void require_sane(const BuildOptions& options) {
  if (options.landmarks.method != LandmarkMethod::user && options.landmarks.count < 0)
    throw InputError(text(options.landmarks.count, " landmarks: ask for at least one, or 0 for the default"));
  if (options.interpolation.nonzeros < 1)
    throw InputError(text(options.interpolation.nonzeros, " nonzeros per row of P: ask for at least 1"));
  if (options.log_every < 0)
    throw InputError(
        text(options.log_every, " landmarks between two saves: ask for at least one, or 0 for the default"));
}

/// P for the landmarks as they came out, by what was prepared if it still fits.
std::shared_ptr<const LandmarkMatrix> assemble(const Laplacian& operators, SettledLandmarks settled,
                                               const Adjacency& edges,
                                               std::unique_ptr<InterpolationSolver> solver,
                                               const BuildOptions& options, StageClock& clock,
                                               BuildSummary& summary, const Execution& execution) {
  const OrderedLandmarks& landmarks = settled.landmarks;
  if (options.method == BuildMethod::bha) {
    RowMatrix<float> P = clock.run("interpolation", [&] {
      return dense_interpolation_operator(operators, landmarks.vertices, landmarks.cell, execution);
    });
    summary.bounds = clock.run("interpolation",
                               [&] { return bound_rows(P, landmarks, settled.distances, edges, execution); });
    return std::make_shared<DenseLandmarkMatrix>(make_dense_landmark_matrix(
        std::move(settled.landmarks), std::move(P), std::move(settled.distances), options.kind));
  }
  Interpolation interpolation = clock.run("interpolation", [&] {
    if (!solver || solver->landmarks() != landmarks.vertices)
      solver = std::make_unique<InterpolationSolver>(operators, landmarks.vertices, landmarks.cell,
                                                     options.interpolation);
    return solver->solve(execution);
  });
  solver.reset();
  summary.interpolation = interpolation.summary;
  summary.bounds = clock.run("interpolation", [&] {
    return bound_rows(interpolation.P, landmarks, settled.distances, edges, execution);
  });
  return clock.run("pack", [&] {
    return std::make_shared<SparseLandmarkMatrix>(make_sparse_landmark_matrix(
        std::move(settled.landmarks), interpolation.P, std::move(settled.distances), options.kind,
        weight_precision(options.precision)));
  });
}

/// All of a build for `shape`, which is `original` in another unit.
Build build_in_unit(const Shape& original, const Shape& shape, const BuildOptions& wanted,
                    const Execution& execution) {
  BuildOptions options = wanted;
  options.landmarks.seed = options.geodesic.seed = options.laplacian.seed = options.seed;
  Build result;
  BuildSummary& summary = result.summary;
  StageClock clock(summary);

  Paths paths = clock.run("landmark", [&] { return prepare_paths(shape, options, summary, execution); });
  if (options.landmarks.or_all) options.landmarks.count = static_cast<Index>(paths.landmarks.vertices.size());
  summary.cover_radius = paths.landmarks.cover_radius.empty() ? 0 : paths.landmarks.cover_radius.back();
  // The user's own distances are there already.
  result.recipe = make_recipe(original, options, summary.geodesic);
  LandmarkDistanceOptions distances{.precision = options.precision, .together = options.log_every};
  if (options.measures()) distances.log = options.log, distances.log_key = result.recipe;
  const OrderedLandmarks ordered =
      clock.run("landmark", [&] { return order_landmarks(paths.edges, paths.landmarks.vertices); });
  const Laplacian operators = clock.run("laplacian", [&] {
    return laplacian_within(shape, options.geodesic.keep, ordered.component, options.laplacian, execution);
  });
  // The factorisation has no use for a second thread, so the distances have it meanwhile. Should one of the
  // landmarks be replaced it was in vain, which is rare.
  SettledLandmarks settled;
  SpotRows spots;
  std::unique_ptr<InterpolationSolver> solver;
  clock.run_both(
      "geodesic",
      [&](const Execution& mine) {
        settled = settle_landmarks(*paths.solver, paths.edges, ordered, distances, mine);
        if (!options.measures()) settled.landmarks.reach.clear();  // edges say nothing about given distances
        spots = measure_spot_rows(*paths.solver, ordered.component, options.check_rows, options.seed, mine);
        paths.solver.reset();
      },
      "interpolation",
      [&](const Execution&) {
        if (options.method == BuildMethod::sbha)
          solver = std::make_unique<InterpolationSolver>(operators, ordered.vertices, ordered.cell,
                                                         options.interpolation);
      },
      execution);
  summary.recalled = settled.distances.recalled;
  summary.mean_disagreement = settled.distances.mean_disagreement;
  summary.replaced = std::move(settled.replaced);
  result.matrix = assemble(operators, std::move(settled), paths.edges, std::move(solver), options, clock,
                           summary, execution);
  paths.edges = {};
  summary.check = clock.run("check", [&] {
    return check_spots(NearField(*result.matrix, options.measures() ? lower_bound(shape) : LowerBound()),
                       spots, execution);
  });
  return result;
}

}  // namespace

Build build(const Shape& shape, const BuildOptions& options, const Execution& execution) {
  require_sane(options);
  const double unit = options.measures() ? unit_of(shape) : 1;
  Build result = unit == 1 ? build_in_unit(shape, shape, options, execution)
                           : build_in_unit(shape, in_units(shape, unit), options, execution);
  BuildSummary& summary = result.summary;
  if (unit != 1) {
    result.matrix = in_unit(*result.matrix, unit);
    summary.cover_radius *= unit;
    summary.check.ratio_distance *= unit;
  }
  summary.warnings = spot_warnings(summary.check);
  if (summary.bounds.replaced > 0) summary.warnings.push_back(describe(summary.bounds, vertex_count(shape)));
  return result;
}

RowMatrix<double> positions_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return mesh->points;
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape)) return mesh->points;
  if (const auto* cloud = std::get_if<PointCloud>(&shape)) return cloud->points;
  if (const auto* samples = std::get_if<Samples>(&shape)) return samples->values;
  return {};
}

}  // namespace geodome
