#include "geodome/pipeline/build.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/evaluation/certificate.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/near_shape.h"
#include "geodome/matrix/query.h"
#include "geodome/matrix/row_bounds.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/shape/unit.h"

namespace geodome::internal {
namespace {

void require_sane(const BuildOptions& options) {
  const MethodTraits& method = traits(options.method);
  const std::string_view name = name_of(methods(), options.method);
  if (options.landmarks.method != LandmarkMethod::user && options.landmarks.count < 0)
    throw InputError(text("the number of landmarks must be at least 1, or 0 for the default, got ",
                          options.landmarks.count));
  if (options.interpolation.nonzeros < 1)
    throw InputError(
        text("the number of nonzeros per row of P must be at least 1, got ", options.interpolation.nonzeros));
  if (!(options.rounding >= 0.01 && options.rounding <= 100))
    throw InputError(
        text("the factor of the rounding steps must be from 0.01 to 100, got ", options.rounding));
  if (options.positional && options.method != Method::cell)
    throw InputError(text("positional weights apply to the method cell, not to ", name));
  if (options.log_every < 0)
    throw InputError(
        text("the number of landmarks between two saves must be at least 1, or 0 for the default, got ",
             options.log_every));
  if (options.coarsen < 0 || options.coarsen > BuildOptions::coarsest)
    throw InputError(text("the coarser mesh must have one in 2 to ", BuildOptions::coarsest,
                          " vertices (1: none, 0: by measured error), got ", options.coarsen));
  if (options.coarsen > 1 && !method.factors)
    throw InputError(text(name, " measures no distances on a coarser mesh: only sbha, bha and cell do"));
  if (options.coarsen > 1 && !options.measures())
    throw InputError("user-supplied distances are not measured on a coarser mesh");
  if (!method.factors && !options.log.empty())
    throw InputError(text(name, " cannot be resumed: only sbha, bha and cell keep a log"));
  if (!method.measures && !options.measures())
    throw InputError(text(name, " does not support user-supplied distances"));
}

/// Matrices in memory do not store a unit.
void require_ordinary_size(const PreparedShape& prepared) {
  if (prepared.unit() != 1)
    throw InputError(
        text("the shape has a size of ", prepared.unit() * shape_size(prepared.shape()),
             "; sizes outside [1e-9, 1e9] are supported by sbha, bha, cell, ctg and spectrometer only: use "
             "another unit of length"));
}

PrepareOptions prepare_options(const BuildOptions& options) {
  PrepareOptions prepare;
  prepare.geodesic = options.geodesic;
  prepare.distances = options.distances;
  prepare.solver = options.solver;
  prepare.laplacian = options.laplacian;
  prepare.seed = options.seed;
  prepare.keep_rows = traits(options.method).columns;
  prepare.once = true;
  prepare.row_bound = options.memory_bound;
  if (traits(options.method).factors) {
    prepare.landmarks = options.landmarks;
    prepare.coarsen = options.coarsen;
    prepare.whole_rows = whole_rows(options.method);
  }
  return prepare;
}

/// What queries return, in the unit of the prepared shape.
std::shared_ptr<const DistanceMatrix> queries_of(const std::shared_ptr<const DistanceMatrix>& matrix,
                                                 const PreparedShape& prepared) {
  if (!prepared.measures()) return query_matrix(matrix, {});
  GeodesicOptions paths = prepared.options().geodesic;
  if (paths.method != GeodesicMethod::graph) paths.method = GeodesicMethod::automatic;
  paths.seed = prepared.options().seed;
  const std::shared_ptr<const Shape> borrowed(std::shared_ptr<void>(), &prepared.shape());
  // Not to search for the neighbours of samples again.
  const Adjacency* edges = std::holds_alternative<Samples>(prepared.shape()) ? &prepared.edges() : nullptr;
  const auto near = std::make_shared<const LazyNearShape>([=, mesh = prepared.triangulated()] {
    return mesh ? near_triangles(mesh) : edges ? near_edges(*edges) : near_shape(borrowed, paths);
  });
  return query_matrix(matrix, lower_bound(prepared.shape()), QueryMode::near_field, near);
}

/// Whether near distances may be exact for most pairs, as on graphs of many neighbours, or landmarks and
/// shape are unrelated: then the error of queries says little about P W Pᵀ.
bool products_may_differ(const PreparedShape& prepared) {
  return !prepared.measures() || std::holds_alternative<Graph>(prepared.shape()) ||
         std::holds_alternative<Samples>(prepared.shape());
}

/// Warns where products with the matrix are far less accurate than queries.
void check_products(const DistanceMatrix& matrix, const GeodesicSolver& truth, const ErrorOptions& rows,
                    MethodRun& run) {
  constexpr Index most_rows = 8;
  constexpr double worst_mean = 0.05;
  ErrorOptions some = rows;
  some.rows = std::min(rows.rows, most_rows);
  const ErrorReport found = measure_error(matrix, truth, some, run.execution);
  const double scale = matrix.kind() == DistanceKind::squared ? 2 : 1;
  if (found.mean_relative_error <= scale * worst_mean) return;
  run.summary.warnings.push_back(
      text("products with the matrix, and embeddings, use P W Pᵀ, whose mean relative error is ",
           100 * found.mean_relative_error / scale, " % on ", found.rows.size(),
           " rows: use more landmarks (", run.summary.landmarks, " of ", run.vertices(),
           " vertices are landmarks; with all of them it is exact)"));
}

/// Compares what queries return with exact rows that nothing was fitted to, and some distances between
/// landmarks with exact ones. `planned` rows, or fewer where they take too long.
Evaluation certify(const std::shared_ptr<const DistanceMatrix>& matrix, MethodRun& run, Index planned) {
  PreparedShape& prepared = run.prepared;
  const Index rows = affordable_rows(run.options, planned, prepared.exact_windows());
  const TrueSolver truth = prepared.true_solver(run.execution);
  Evaluation result;
  result.geodesic = truth.name;
  result.seed = run.options.seed;
  result.fresh = true;
  if (const LandmarkMatrix* factors = matrix->landmark_matrix()) result.bands = spacing_bands(*factors);
  const ErrorOptions how{rows, result.seed, result.bands, rows_to_leave_out(*matrix, run.fitted_rows)};
  result.error = measure_error(*queries_of(matrix, prepared), *truth.solver, how, run.execution);
  if (matrix->landmark_matrix() != nullptr && products_may_differ(prepared))
    check_products(*matrix, *truth.solver, how, run);
  result.bands.unit *= prepared.unit();
  result.error.check.ratio_distance *= prepared.unit();
  if (!run.landmark_rows.sources.empty()) {
    // Twice, because other rows have larger errors than the few that are measured.
    run.landmark_error->solver = 2 * largest_error(run.landmark_rows, *truth.solver, run.execution);
    run.landmark_error->rows = static_cast<Index>(run.landmark_rows.sources.size());
  }
  for (const std::string& warning : solver_warnings(*truth.solver))
    run.summary.warnings.push_back(text("measured error: ", warning));
  return result;
}

/// Compares what queries return with rows of the solver that measured the landmarks.
SpotCheck check(const std::shared_ptr<const DistanceMatrix>& matrix, MethodRun& run) {
  PreparedShape& prepared = run.prepared;
  if (run.options.check_rows <= 0 || (run.spots.vertices.empty() && !prepared.can_measure())) return {};
  if (run.spots.vertices.empty())
    run.spots = prepared.spot_rows(run.options.check_rows, run.options.seed, run.execution);
  SpotCheck found = check_spots(*queries_of(matrix, prepared), run.spots, run.execution);
  found.ratio_distance *= prepared.unit();
  return found;
}

}  // namespace

Build build_matrix(PreparedShape& prepared, const BuildOptions& wanted, const Execution& execution) {
  require_sane(wanted);
  const MethodRow& method = row_of(wanted.method);
  if (!method.traits.file) require_ordinary_size(prepared);
  Build result;
  // Other methods do not share their work: every rank does all of it.
  const Execution own{execution.threads, execution.progress,
                      method.traits.factors ? execution.team : nullptr};
  MethodRun run(prepared, wanted, result.summary, own);
  result.matrix = method.build(run);
  run.begin_stage();
  if (run.recipe.empty()) run.set_recipe(0);
  BuildSummary& summary = result.summary;
  if (const Index rows = run.certificate_rows(); rows > 0) {
    result.certificate = run.run("certificate", [&] { return certify(result.matrix, run, rows); });
    summary.check = result.certificate->error.check;
    run.recipe = with_certificate(run.recipe, *result.certificate, rows);
  } else if (wanted.check_rows > 0) {
    const auto compare = [&] { return check(result.matrix, run); };
    summary.check = method.traits.factors ? run.run("check", compare) : compare();
  }
  if (run.landmark_error) {
    run.landmark_error->certain = run.exact() && prepared.warnings().empty();
    if (run.exact() || run.landmark_error->rows > 0) {
      run.recipe = with_landmark_error(run.recipe, *run.landmark_error);
      result.landmark_error = std::move(run.landmark_error);
    }
  }
  for (std::string& warning : spot_warnings(summary.check)) summary.warnings.push_back(std::move(warning));
  const RowBounds& bounds = result.summary.bounds;
  if (bounds.replaced > 0) result.summary.warnings.push_back(describe(bounds, prepared.size()));
  for (std::string& warning : prepared.warnings()) result.summary.warnings.push_back(std::move(warning));
  result.recipe = std::move(run.recipe);
  result.matrix = in_unit(std::move(result.matrix), prepared.unit());
  result.summary.cover_radius *= prepared.unit();
  result.summary.bytes = result.matrix->bytes();
  return result;
}

Build build_matrix(const Shape& shape, const BuildOptions& options, const Execution& execution,
                   std::shared_ptr<SharedSolvers> shared) {
  require_sane(options);
  BuildOptions seeded = options;
  seeded.landmarks.seed = options.seed;
  PrepareOptions prepare = prepare_options(options);
  prepare.shared = std::move(shared);
  PreparedShape prepared(shape, prepare, execution);
  return build_matrix(prepared, seeded, execution);
}

}  // namespace geodome::internal
