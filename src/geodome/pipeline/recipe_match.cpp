#include "geodome/pipeline/recipe_match.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/pipeline/paths.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/pipeline/target_search.h"

namespace geodome::internal {
namespace {

using SortedJson = nlohmann::json;  // the order of keys does not count

/// An entry of an object, which is taken out of it; null where there is none.
SortedJson taken(SortedJson& object, const char* name) {
  const auto at = object.find(name);
  if (at == object.end()) return {};
  SortedJson value = std::move(*at);
  object.erase(at);
  return value;
}

/// The first difference of two JSON values in one sentence; empty where they are equal.
std::string difference(const SortedJson& found, const SortedJson& wanted) {
  const SortedJson steps = SortedJson::diff(found, wanted);
  if (steps.empty()) return {};
  const auto path = steps[0]["path"].get<std::string>();
  const SortedJson::json_pointer at(path);
  const auto shown = [&](const SortedJson& value) {
    return value.contains(at) ? value.at(at).dump() : std::string("missing");
  };
  return text(path, " is ", shown(found), ", not ", shown(wanted));
}

Index default_count(const DistanceMatrix& matrix) {
  std::vector<Index> sizes;
  for (const Index part : matrix.component_labels()) {
    if (part < 0) continue;
    if (static_cast<std::size_t>(part) >= sizes.size()) sizes.resize(static_cast<std::size_t>(part) + 1, 0);
    ++sizes[static_cast<std::size_t>(part)];
  }
  return default_landmark_count(sizes);
}

/// The number of landmarks that the recipe must state.
Index wanted_count(const DistanceMatrix& matrix, const BuildOptions& options, const ErrorTarget& target,
                   Index found) {
  if (options.landmarks.method == LandmarkMethod::user)
    return static_cast<Index>(options.landmarks.vertices.size());
  if (target.asked()) return found;
  return options.landmarks.count > 0 ? options.landmarks.count : default_count(matrix);
}

/// The name that an automatic geodesic method has before its error is measured.
std::string resolved_name(const Shape& shape, const BuildOptions& options, Index landmarks) {
  GeodesicOptions geodesic = options.geodesic;
  if (traits(options.method).factors) geodesic = landmark_geodesics(std::move(geodesic), landmarks);
  return std::string(geodesic_method_name(resolve_method(shape, geodesic)));
}

/// The geodesic method that the recipe must state. `measured`: whether its error was measured to choose it.
std::string wanted_geodesic(const Shape& shape, const BuildOptions& options, const ErrorTarget& target,
                            Index landmarks, const std::string& found, bool measured) {
  if (!traits(options.method).measures) return found;
  if (options.geodesic.method != GeodesicMethod::automatic)
    return measured ? "one that was not chosen by its error"
                    : std::string(geodesic_method_name(options.geodesic.method));
  if (measured) return found;
  const std::string exact(geodesic_method_name(exact_method(shape)));
  if (target.asked() && found == exact) return found;  // the search may have selected it
  const std::string name = resolved_name(shape, options, landmarks);
  return name == geodesic_method_name(GeodesicMethod::fast_marching) ? "one chosen by its error" : name;
}

/// Rows of the certificate that a build would measure, if it has as many.
Index wanted_rows(const DistanceMatrix& matrix, const BuildOptions& options, const ErrorTarget& target,
                  const std::string& geodesic, Index landmarks, Index share) {
  BuildOptions last = options;
  if (target.asked()) last = *TargetSearch(options, target, matrix.size()).next();
  return certificate_rows(last, matrix.size(), landmarks, geodesic, share);
}

/// Why a build with these options would not have measured landmarks on that mesh (null: the shape's own).
std::string mesh_difference(const SortedJson& mesh, const BuildOptions& options, const ErrorTarget& target) {
  const Index share = mesh.is_null() ? 1 : mesh.at("share").get<Index>();
  const bool chosen = !mesh.is_null() && mesh.value("chosen_by_error", false);
  const std::string found = text("landmarks were measured on one in ", share, " vertices");
  if (options.coarsen > 1)
    return share == options.coarsen && !chosen ? "" : text(found, ", not in ", options.coarsen, " as stated");
  const bool open =
      options.coarsen == 0 && !target.asked() && options.geodesic.method == GeodesicMethod::automatic;
  return share == 1 || (chosen && open) ? "" : text(found, ", not on all or on a mesh chosen by its error");
}

std::string error_difference(const SortedJson& found, Index wanted) {
  if (found.is_null() != (wanted == 0))
    return found.is_null() ? "the error was not measured" : "the error was measured";
  if (wanted == 0) return {};
  const Index rows = found.value("wanted_rows", found.value("rows", Index{0}));
  return rows == wanted ? "" : text("the error was measured on ", rows, " rows, not on ", wanted);
}

std::string target_difference(const SortedJson& found, const ErrorTarget& target) {
  SortedJson wanted;
  if (target.relative_error > 0) wanted["relative_error"] = target.relative_error;
  if (target.mean_relative_error > 0) wanted["mean_relative_error"] = target.mean_relative_error;
  if (!wanted.is_null()) wanted["met"] = true;
  return found == wanted ? "" : text("the wanted error is ", found.dump(), ", not ", wanted.dump());
}

bool same_landmarks(const DistanceMatrix& matrix, const LandmarkOptions& options) {
  if (options.method != LandmarkMethod::user) return true;
  const LandmarkMatrix* factors = matrix.landmark_matrix();
  if (factors == nullptr) return false;
  std::vector<Index> found(factors->landmarks().begin(), factors->landmarks().end());
  std::vector<Index> wanted = options.vertices;
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  return found == wanted;
}

std::string compare(const DistanceMatrix& matrix, SortedJson found, const Shape& shape,
                    const BuildOptions& options, const ErrorTarget& target) {
  const SortedJson error = taken(found, "measured_error"), reached = taken(found, "target");
  taken(found, "landmark_error");  // follows from the rest
  const bool chosen_by_error = !taken(found.at("geodesic"), "mean_relative_error").is_null();
  const SortedJson mesh = taken(found.at("geodesic"), "coarse_mesh");
  const Index share = mesh.is_null() ? 1 : mesh.at("share").get<Index>();
  if (std::string differs = mesh_difference(mesh, options, target); !differs.empty()) return differs;
  const auto method = found.at("geodesic").at("method").get<std::string>();
  const Index count = wanted_count(matrix, options, target, found.at("landmarks").at("count").get<Index>());
  const std::string geodesic = share > 1
                                   ? std::string(geodesic_method_name(GeodesicMethod::fast_marching))
                                   : wanted_geodesic(shape, options, target, count, method, chosen_by_error);
  const SortedJson wanted = SortedJson::parse(
      make_recipe({shape, options.geodesic, options.laplacian}, options, count, {geodesic}));
  if (std::string differs = difference(found, wanted); !differs.empty()) return differs;
  if (std::string differs = target_difference(reached, target); !differs.empty()) return differs;
  if (!same_landmarks(matrix, options.landmarks)) return "the landmarks are other vertices";
  const Index landmarks = matrix.facts().landmarks.value_or(count);
  const std::string rows_of =
      traits(options.method).measures ? geodesic : resolved_name(shape, options, landmarks);
  return error_difference(error, wanted_rows(matrix, options, target, rows_of, landmarks, share));
}

}  // namespace

std::string recipe_difference(const DistanceMatrix& matrix, const std::string& recipe, const Shape& shape,
                              const BuildOptions& options, const ErrorTarget& target) {
  if (!options.measures()) return "a recipe does not tell user-supplied distances";
  if (matrix.size() != vertex_count(shape)) return "another number of vertices";
  SortedJson found = SortedJson::parse(recipe, nullptr, false);
  try {
    return compare(matrix, std::move(found), shape, options, target);
  } catch (const SortedJson::exception&) {
    return "the recipe is incomplete";
  }
}

}  // namespace geodome::internal
