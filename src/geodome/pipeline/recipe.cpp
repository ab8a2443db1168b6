#include "geodome/pipeline/recipe.h"

#include <nlohmann/json.hpp>

#include "geodome/base/version.h"
#include "geodome/shape/digest.h"

namespace geodome {
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

Json measuring_recipe(const Shape& shape, const BuildOptions& options, const std::string& geodesic) {
  Json recipe = {{"method", geodesic}};
  if (std::holds_alternative<Samples>(shape) || std::holds_alternative<PointCloud>(shape))
    recipe["neighbours"] = options.geodesic.neighbours;
  return recipe;
}

Json shape_recipe(const Shape& shape) {
  return {{"kind", kind_name(shape)},
          {"vertices", vertex_count(shape)},
          {"faces", face_count(shape)},
          {"digest", shape_digest(shape)}};
}

}  // namespace

std::string make_recipe(const Shape& shape, const BuildOptions& options, const std::string& geodesic) {
  Json recipe;
  recipe["geodome"] = version;
  recipe["method"] = name_of(build_methods(), options.method);
  recipe["kind"] = name_of(distance_kinds(), options.kind);
  recipe["landmarks"] = {{"count", options.landmarks.count},
                         {"method", name_of(landmark_methods(), options.landmarks.method)}};
  recipe["geodesic"] = measuring_recipe(shape, options, geodesic);
  if (!options.geodesic.keep.empty()) recipe["mask"] = mask_digest(options.geodesic.keep);
  recipe["laplacian"] = laplacian_recipe(shape, options.laplacian);
  if (options.method == BuildMethod::sbha)
    recipe["interpolation"] = {{"nonzeros", options.interpolation.nonzeros},
                               {"sparsity", name_of(sparsities(), options.interpolation.sparsity)},
                               {"solver", name_of(interpolation_methods(), options.interpolation.method)}};
  recipe["precision"] = name_of(precisions(), options.precision);
  if (options.log_every > 0) recipe["log_every"] = options.log_every;
  recipe["seed"] = options.seed;
  recipe["shape"] = shape_recipe(shape);
  return recipe.dump(2);
}

std::string make_recipe(const Shape& shape, const BuildOptions& options, const MethodOptions& own,
                        const MethodMatrix& made, const std::string& geodesic) {
  Json recipe;
  recipe["geodome"] = version;
  recipe["method"] = name_of(methods(), own.method);
  recipe["kind"] = name_of(distance_kinds(), options.kind);
  recipe["landmarks"] = {{"count", made.landmarks - made.added_landmarks},
                         {"method", name_of(landmark_methods(), options.landmarks.method)}};
  recipe["geodesic"] = measuring_recipe(shape, options, geodesic);
  if (!options.geodesic.keep.empty()) recipe["mask"] = mask_digest(options.geodesic.keep);
  if (own.method == Method::ctg) recipe["mending"] = own.repair;
  if (own.method == Method::spectrometer) {
    recipe["laplacian"] = laplacian_recipe(shape, options.laplacian);
    recipe["spectrum"] = {{"eigenvectors", own.eigenvectors},
                          {"places", own.places},
                          {"flow", own.heat.flow == HeatFlow::exponential ? "exponential" : "one-step"},
                          {"time", own.heat.time}};
  }
  recipe["seed"] = options.seed;
  recipe["shape"] = shape_recipe(shape);
  return recipe.dump(2);
}

}  // namespace geodome
