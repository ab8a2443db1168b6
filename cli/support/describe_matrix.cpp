#include "support/describe_matrix.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/file/matrix_file.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/pipeline/plan.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

Index component_count(const DistanceMatrix& matrix) {
  const std::vector<Index> labels = matrix.component_labels();
  return labels.empty() ? 0 : 1 + *std::max_element(labels.begin(), labels.end());
}

/// What the matrix consists of, besides landmarks.
Json matrix_facts(const DistanceMatrix& matrix) {
  const MatrixFacts known = matrix.facts();
  Json facts{{"nonzeros", known.nonzeros ? Json(*known.nonzeros) : Json()}, {"precision", known.precision}};
  for (const auto& [name, count] : known.counts) facts[std::string(name)] = count;
  return facts;
}

Json recipe_of(const Distances& distances) {
  Json recipe = Json::parse(distances.recipe(), nullptr, false);
  return recipe.is_object() ? recipe : Json::object();
}

/// ε with its interval; empty where it was not measured.
std::string relative_error(const Json& error) {
  if (!error.is_object()) return {};
  std::string said = brief(error.value("relative_error", 0.0));
  const Json interval = error.value("interval", Json());
  if (interval.is_array() && interval.size() == 2 && interval[0].is_number() && interval[1].is_number())
    said += text(", with 95 % confidence from ", brief(interval[0].get<double>()), " to ",
                 brief(interval[1].get<double>()));
  return said;
}

}  // namespace

Json to_json(const MatrixInput& input) {
  const DistanceMatrix& matrix = input.distances.matrix();
  const Json recipe = recipe_of(input.distances);
  const auto shape = input.distances.shape();
  Json facts;
  facts["kind"] = "distance matrix";
  facts["of"] = shape ? Json(kind_name(*shape)) : recipe.value("/shape/kind"_json_pointer, Json());
  facts["vertices"] = matrix.size();
  facts["faces"] = shape ? Json(face_count(*shape)) : recipe.value("/shape/faces"_json_pointer, Json());
  facts["components"] = component_count(matrix);
  facts["method"] = recipe.value("method", Json());
  facts["values"] = matrix.kind() == DistanceKind::squared ? "squared" : "distance";
  facts["landmarks"] = input.distances.landmarks();
  facts.update(matrix_facts(matrix));
  facts["bytes"] = matrix.bytes();
  facts["file_bytes"] = input.distances.file()->file_bytes();
  facts["full_matrix_bytes"] = full_matrix_bytes(matrix.size());
  facts["shape_included"] = shape != nullptr;
  facts["measured_error"] = recipe.value("measured_error", Json());
  facts["certificate"] = input.distances.certificate();
  facts["recipe"] = recipe;
  return facts;
}

std::string to_text(const MatrixInput& input) {
  const Json facts = to_json(input);
  const DistanceMatrix& matrix = input.distances.matrix();
  const auto word = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string("unknown");
  };
  Sheet sheet;
  sheet.add("shape", word(facts["of"]) + (facts["shape_included"] ? ", included" : ", not included"));
  sheet.add("vertices", grouped(matrix.size()));
  sheet.add("components", grouped(facts["components"].get<std::int64_t>()));
  sheet.add("method", text(word(facts["method"]), ", geodesic method '",
                           word(facts["recipe"].value("/geodesic/method"_json_pointer, Json())), "'"));
  sheet.add("landmarks", grouped(facts["landmarks"].get<std::int64_t>()));
  if (const LandmarkMatrix* factors = input.distances.factors()) {
    const std::int64_t nonzeros = factors->nonzeros();
    sheet.add("nonzeros of P",
              text(grouped(nonzeros), ", ", brief(static_cast<double>(nonzeros) / std::max(1, matrix.size())),
                   " per row"));
    sheet.add("precision of W", facts["precision"].get<std::string>());
  }
  for (const char* own : {"triangles", "eigenvectors"})
    if (facts.contains(own)) sheet.add(own, grouped(facts[own].get<std::int64_t>()));
  sheet.add("values", facts["values"].get<std::string>() + "s");
  sheet.add("size", text(byte_count(matrix.bytes()), " (file ",
                         byte_count(static_cast<std::int64_t>(input.distances.file()->file_bytes())),
                         "); full matrix ", byte_count(full_matrix_bytes(matrix.size()))));
  const std::string certificate = input.distances.certificate();
  sheet.add("error", certificate.empty() ? "not measured" : certificate);
  if (const std::string range = relative_error(facts["measured_error"]); !range.empty())
    sheet.add("relative error", range);
  Json recipe = facts["recipe"];
  recipe.erase("measured_error");
  return text(input.path, ": distance matrix (.geodome)\n", sheet.print(), "Recipe:\n", recipe.dump(2), '\n');
}

}  // namespace geodome::cli
