#include "geodome/pipeline/build.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/peak_memory.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/compact.h"
#include "geodome/matrix/dense.h"
#include "geodome/pipeline/operators.h"
#include "geodome/pipeline/paths.h"
#include "geodome/pipeline/recipe.h"

namespace geodome {
namespace {

/// Notes what each stage takes.
class StageClock {
 public:
  explicit StageClock(BuildSummary& summary) : summary_(summary) {}

  template <typename Work>
  auto run(const char* name, Work work) {
    reset_peak_memory();
    const auto begin = std::chrono::steady_clock::now();
    auto result = work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    summary_.stages.push_back({name, seconds, peak_memory()});
    summary_.seconds += seconds;
    summary_.peak_bytes = std::max(summary_.peak_bytes, summary_.stages.back().peak_bytes);
    return result;
  }

 private:
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
  if (options.landmarks.method == LandmarkMethod::given)
    options.landmarks.count = static_cast<Index>(options.landmarks.given.size());
  else if (options.landmarks.count == 0) {
    options.landmarks.count = default_landmark_count(joined_vertices(paths.edges), summary.components);
    options.landmarks.or_all = true;
  }
  if (!options.measures()) {
    summary.geodesic = "given";
    paths.solver = given_distances(options, vertex_count(shape));
    paths.landmarks = choose_landmarks(*paths.solver, options.landmarks, execution);
    return paths;
  }
  options.geodesic = landmark_geodesics(std::move(options.geodesic), options.landmarks.count);
  options.geodesic.method = resolve_method(domain, options.geodesic);
  summary.geodesic = geodesic_method_name(options.geodesic.method);
  // Neither waits for the other, and neither can use a second thread for most of its time.
  const Execution alone{1, execution.progress}, silent{1, {}};
  parallel_for(2, Execution{execution.threads, {}}, {}, [&](std::size_t item, int) {
    if (item == 0)
      paths.landmarks = choose_landmarks(domain, options.landmarks, alone);
    else
      paths.solver = make_solver(domain, options.geodesic, silent);
  });
  if (options.landmarks.method != LandmarkMethod::given)
    leave_out_lone_points(paths.edges, paths.landmarks.vertices);
  return paths;
}

void require_sane(const BuildOptions& options) {
  if (options.landmarks.method != LandmarkMethod::given && options.landmarks.count < 0)
    throw InputError(text(options.landmarks.count, " landmarks: ask for at least one, or 0 for the default"));
  if (options.interpolation.nonzeros < 1)
    throw InputError(text(options.interpolation.nonzeros, " nonzeros per row of P: ask for at least 1"));
  if (options.log_every < 0)
    throw InputError(
        text(options.log_every, " landmarks between two saves: ask for at least one, or 0 for the default"));
}

std::shared_ptr<const SymmetricForm> assemble(const Laplacian& operators, OrderedLandmarks landmarks,
                                              LandmarkDistances W, const BuildOptions& options,
                                              StageClock& clock, BuildSummary& summary,
                                              const Execution& execution) {
  if (options.method == BuildMethod::bha) {
    RowMatrix<float> P = clock.run("interpolation", [&] {
      return dense_interpolation_operator(operators, landmarks.vertices, landmarks.cell, execution);
    });
    return std::make_shared<DenseMatrix>(
        make_dense_matrix(std::move(landmarks), std::move(P), std::move(W), options.kind));
  }
  const Interpolation interpolation = clock.run("interpolation", [&] {
    return interpolation_operator(operators, landmarks.vertices, landmarks.cell, options.interpolation,
                                  execution);
  });
  summary.interpolation = interpolation.summary;
  return clock.run("pack", [&] {
    return std::make_shared<CompactMatrix>(
        make_compact_matrix(std::move(landmarks), interpolation.P, std::move(W), options.kind));
  });
}

}  // namespace

Build build(const Shape& shape, const BuildOptions& wanted, const Execution& execution) {
  require_sane(wanted);
  BuildOptions options = wanted;
  options.landmarks.seed = options.geodesic.seed = options.laplacian.seed = options.seed;
  Build result;
  BuildSummary& summary = result.summary;
  StageClock clock(summary);

  Paths paths = clock.run("landmark", [&] { return prepare_paths(shape, options, summary, execution); });
  if (options.landmarks.or_all) options.landmarks.count = static_cast<Index>(paths.landmarks.vertices.size());
  summary.cover_radius = paths.landmarks.cover_radius.empty() ? 0 : paths.landmarks.cover_radius.back();
  // The user's own distances are there already.
  result.recipe = make_recipe(shape, options, summary.geodesic);
  LandmarkDistanceOptions distances{.precision = options.precision, .together = options.log_every};
  if (options.measures()) distances.log = options.log, distances.log_key = result.recipe;
  SettledLandmarks settled = clock.run("geodesic", [&] {
    return settle_landmarks(*paths.solver, paths.edges,
                            order_landmarks(paths.edges, paths.landmarks.vertices), distances, execution);
  });
  paths.solver.reset();
  paths.edges = {};
  summary.recalled = settled.distances.recalled;
  summary.mean_disagreement = settled.distances.mean_disagreement;
  summary.replaced = std::move(settled.replaced);

  const Laplacian operators = clock.run("laplacian", [&] {
    return laplacian_within(shape, options.geodesic.keep, settled.landmarks.component, options.laplacian,
                            execution);
  });
  result.matrix = assemble(operators, std::move(settled.landmarks), std::move(settled.distances), options,
                           clock, summary, execution);
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
