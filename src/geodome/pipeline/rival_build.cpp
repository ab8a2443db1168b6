#include "geodome/pipeline/rival_build.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/pipeline/recipe.h"

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

RivalBuild build_rival(const Shape& shape, const BuildOptions& options, const MethodOptions& own,
                       const Execution& execution) {
  PreparedShape prepared(shape, prepare_options(options, own.method), execution);
  RivalBuild result;
  result.made = build_method(prepared, method_options(options, own), execution);
  result.components = prepared.components();
  result.geodesic = own.method == Method::spectrometer ? "spectral heat" : prepared.geodesic();
  result.recipe = make_recipe(shape, options, own, result.made, result.geodesic);
  return result;
}

}  // namespace geodome
