#include "geodome/pipeline/recipe.h"

#include <nlohmann/json.hpp>

#include "geodome/base/version.h"
#include "geodome/shape/digest.h"

namespace geodome::internal {
namespace {

using Json = nlohmann::ordered_json;

/// Only what the kind of shape depends on.
Json laplacian_recipe(const Shape& shape, const LaplacianOptions& options) {
  Json recipe = Json::object();
  if (std::holds_alternative<TriangleMesh>(shape)) recipe["intrinsic_delaunay"] = options.intrinsic_delaunay;
  if (std::holds_alternative<PointCloud>(shape)) recipe["cloud_neighbours"] = options.cloud_neighbours;
  if (std::holds_alternative<Graph>(shape))
    recipe["graph_weights"] = name_of(graph_weights(), options.graph_weights);
  if (std::holds_alternative<Samples>(shape)) recipe["perplexity"] = options.perplexity;
  return recipe;
}

Json mesh_recipe(const CoarseMesh& mesh, bool chosen) {
  Json recipe = {
      {"share", mesh.share}, {"vertices", mesh.vertices}, {"mean_relative_error", mesh.mean_relative_error}};
  if (chosen) recipe["chosen_by_error"] = true;
  return recipe;
}

Json measuring_recipe(const Shape& shape, const GeodesicOptions& options, const MeasuredBy& measured,
                      bool mesh_chosen) {
  Json recipe = {{"method", measured.geodesic}};
  if (std::holds_alternative<Samples>(shape) || std::holds_alternative<PointCloud>(shape))
    recipe["neighbours"] = options.neighbours;
  for (const MeasuredSolver& one : measured.tried)
    recipe["mean_relative_error"][one.method] = one.mean_relative_error;
  if (measured.mesh.share > 1) recipe["coarse_mesh"] = mesh_recipe(measured.mesh, mesh_chosen);
  return recipe;
}

Json shape_recipe(const Shape& shape) {
  return {{"kind", kind_name(shape)},
          {"vertices", vertex_count(shape)},
          {"faces", face_count(shape)},
          {"digest", shape_digest(shape)}};
}

/// Parameters of the method's own; recipes keep the names they were first written with.
void add_method_parameters(Json& recipe, const BuildOptions& options) {
  if (options.method == Method::sbha)
    recipe["interpolation"] = {{"nonzeros", options.interpolation.nonzeros},
                               {"sparsity", name_of(sparsities(), options.interpolation.sparsity)},
                               {"solver", name_of(interpolation_methods(), options.interpolation.method)}};
  if (options.method == Method::cell) recipe["cells"] = {{"rounding", options.rounding}};
  if (options.method == Method::cell && options.positional) recipe["cells"]["positional"] = true;
  const BaselineOptions& own = options.baseline;
  if (options.method == Method::ctg) recipe["mending"] = own.repair;
  if (options.method == Method::spectrometer)
    recipe["spectrum"] = {{"eigenvectors", own.eigenvectors},
                          {"places", own.places},
                          {"flow", own.heat.flow == HeatFlow::exponential ? "exponential" : "one-step"},
                          {"time", own.heat.time}};
}

}  // namespace

std::string make_recipe(const RecipeSource& source, const BuildOptions& options, Index landmarks,
                        const MeasuredBy& measured) {
  const MethodTraits& method = traits(options.method);
  Json recipe;
  recipe["geodome"] = version;
  recipe["method"] = name_of(methods(), options.method);
  recipe["kind"] = name_of(distance_kinds(), options.kind);
  recipe["landmarks"] = {{"count", landmarks},
                         {"method", name_of(landmark_methods(), options.landmarks.method)}};
  recipe["geodesic"] = measuring_recipe(source.shape, source.geodesic, measured, options.coarsen == 0);
  if (!source.geodesic.keep.empty()) recipe["mask"] = mask_digest(source.geodesic.keep);
  if ((method.factors && options.method != Method::cell) || options.method == Method::spectrometer)
    recipe["laplacian"] = laplacian_recipe(source.shape, source.laplacian);
  add_method_parameters(recipe, options);
  if (method.factors && options.method != Method::cell)
    recipe["precision"] = name_of(precisions(), options.precision);
  if (method.factors && options.log_every > 0) recipe["log_every"] = options.log_every;
  recipe["seed"] = options.seed;
  recipe["shape"] = shape_recipe(source.shape);
  return recipe.dump(2);
}

std::string with_landmark_error(const std::string& recipe, const LandmarkError& error) {
  Json noted = Json::parse(recipe);
  noted["landmark_error"] = {{"certain", error.certain},
                             {"near", error.near},
                             {"far", error.far},
                             {"solver", error.solver},
                             {"rows", error.rows}};
  return noted.dump(2);
}

std::string requested_recipe(const Shape& shape, const BuildOptions& options) {
  const std::string geodesic(geodesic_method_name(options.geodesic.method));
  std::string recipe =
      make_recipe({shape, options.geodesic, options.laplacian}, options, options.landmarks.count,
                  {options.measures() ? geodesic : "given " + options.distances});
  recipe += text(" coarsen ", options.coarsen);
  for (const Index vertex : options.landmarks.vertices) recipe += text(' ', vertex);
  return recipe;
}

}  // namespace geodome::internal
