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

}  // namespace

ErrorReport measure_and_note_error(Build& built, const Shape& shape, const BuildOptions& options, Index rows,
                                   const Execution& execution) {
  if (rows <= 0) throw InputError(text("the error must be measured on at least 1 row, got ", rows));
  const auto distances = query_matrix(built.matrix, options.measures() ? lower_bound(shape) : LowerBound());
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
