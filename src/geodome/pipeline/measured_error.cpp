#include "geodome/pipeline/measured_error.h"

#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/matrix/query.h"
#include "geodome/pipeline/paths.h"

namespace geodome::internal {
namespace {

std::shared_ptr<const GeodesicSolver> make_truth(const Shape& shape, const BuildOptions& options,
                                                 const Execution& execution) {
  if (!options.measures()) return precomputed_distances(options, vertex_count(shape));
  GeodesicOptions geodesic = options.geodesic;
  if (geodesic.method != GeodesicMethod::graph) geodesic.method = exact_method(shape);
  geodesic.seed = options.seed;
  return make_solver(shape, geodesic, execution);
}

/// What queries return.
std::shared_ptr<const DistanceMatrix> queries_of(const std::shared_ptr<const DistanceMatrix>& matrix,
                                                 const Shape& shape, const BuildOptions& options) {
  if (!options.measures()) return query_matrix(matrix, {});
  GeodesicOptions paths = options.geodesic;
  if (paths.method != GeodesicMethod::graph) paths.method = GeodesicMethod::automatic;
  paths.seed = options.seed;
  const std::shared_ptr<const Shape> borrowed(std::shared_ptr<void>(), &shape);
  const auto near = std::make_shared<const LazyNearShape>([=] { return near_shape(borrowed, paths); });
  return query_matrix(matrix, lower_bound(shape), QueryMode::near_field, near);
}

}  // namespace

ErrorReport measure_and_note_error(Build& built, const Shape& shape, const BuildOptions& options, Index rows,
                                   const Execution& execution) {
  if (rows <= 0) throw InputError(text("the error must be measured on at least 1 row, got ", rows));
  const auto distances = queries_of(built.matrix, shape, options);
  const auto truth = make_truth(shape, options, execution);
  const ErrorReport report = measure_error(*distances, *truth, {rows, options.seed, {}}, execution);
  auto noted = nlohmann::ordered_json::parse(built.recipe);
  noted["measured_error"] = {{"rows", report.rows.size()},
                             {"seed", options.seed},
                             {"relative_error", report.relative_error},
                             {"mean_relative_error", report.mean_relative_error},
                             {"median_relative_error", report.median_relative_error},
                             {"p99_relative_error", report.p99_relative_error},
                             {"max_relative_error", report.max_relative_error}};
  built.recipe = noted.dump(2);
  return report;
}

}  // namespace geodome::internal
