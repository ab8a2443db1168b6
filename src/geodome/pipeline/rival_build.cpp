#include "geodome/pipeline/rival_build.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/scaled.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/shape/unit.h"

namespace geodome {

PrepareOptions prepare_options(const BuildOptions& options, Method method) {
  if (options.solver != nullptr)
    throw InputError("distances= must be an NPY file for any method but sbha and bha");
  if (!options.log.empty()) throw InputError("resume= is for the methods sbha and bha only");
  if (method == Method::spectrometer && !options.distances.empty())
    throw InputError("spectrometer makes its own distances of the shape: it cannot stand on given ones");
  PrepareOptions prepare;
  prepare.geodesic = options.geodesic;
  prepare.distances = options.distances;
  prepare.laplacian = options.laplacian;
  prepare.seed = options.seed;
  prepare.keep_rows = needs_columns(method);
  return prepare;
}

MethodOptions method_options(const BuildOptions& options, MethodOptions own) {
  own.landmarks = options.landmarks;
  own.landmarks.seed = options.seed;
  own.kind = options.kind;
  own.interpolation = options.interpolation;
  own.precision = options.precision;
  return own;
}

void require_ordinary_size(const PreparedShape& prepared) {
  if (prepared.unit() != 1)
    throw InputError(text("the shape has a size of ", prepared.unit() * shape_size(prepared.shape()),
                          "; sizes outside [1e-9, 1e9] are supported by files of sbha, bha, ctg and "
                          "spectrometer only: use another unit of length"));
}

RivalBuild build_rival(const Shape& shape, const BuildOptions& options, const MethodOptions& own,
                       const Execution& execution) {
  PreparedShape prepared(shape, prepare_options(options, own.method), execution);
  if (!has_file(own.method)) require_ordinary_size(prepared);
  RivalBuild result;
  result.made = build_method(prepared, method_options(options, own), execution);
  result.components = prepared.components();
  result.geodesic = own.method == Method::spectrometer ? "spectral heat" : prepared.geodesic();
  result.recipe = make_recipe(shape, options, own, result.made, result.geodesic);
  if (options.check_rows > 0) {
    const SpotRows spots = measure_spot_rows(prepared.solver(), find_components(prepared.edges()).of_vertex,
                                             options.check_rows, options.seed, execution);
    result.check = check_spots(*distance_matrix(result.made.matrix), spots, execution);
    result.check.ratio_distance *= prepared.unit();
    result.warnings = spot_warnings(result.check);
  }
  if (prepared.unit() != 1)
    result.made.matrix = std::make_shared<ScaledMatrix>(std::move(result.made.matrix), prepared.unit());
  return result;
}

}  // namespace geodome
