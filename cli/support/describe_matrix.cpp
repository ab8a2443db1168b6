#include "support/describe_matrix.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/pipeline/plan.h"
#include "support/matrix_input.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* precision_of(const LandmarkMatrix& form) {
  constexpr const char* names[] = {"float32", "uint16", "float64"};
  return names[form.landmark_arrays().W.index()];
}

std::int64_t nonzeros_of(const LandmarkMatrix& form) {
  if (const auto* compact = dynamic_cast<const SparseLandmarkMatrix*>(&form)) return compact->nonzeros();
  return static_cast<std::int64_t>(form.size()) * static_cast<std::int64_t>(form.landmarks().size());
}

Index component_count(const DistanceMatrix& matrix) {
  const std::vector<Index> labels = matrix.component_labels();
  return labels.empty() ? 0 : 1 + *std::max_element(labels.begin(), labels.end());
}

/// What the form is made of, besides landmarks.
Json form_facts(const DistanceMatrix& matrix) {
  if (const auto* form = dynamic_cast<const LandmarkMatrix*>(&matrix))
    return {{"nonzeros", nonzeros_of(*form)}, {"precision", precision_of(*form)}};
  Json facts{{"nonzeros", nullptr}, {"precision", "float32"}};
  if (const auto* ctg = dynamic_cast<const CtgMatrix*>(&matrix))
    facts["triangles"] = ctg->arrays().triangle.size();
  if (const auto* spectral = dynamic_cast<const SpectrometerMatrix*>(&matrix))
    facts["eigenvectors"] = spectral->eigenvectors();
  return facts;
}

Json recipe_of(const MatrixFile& file) {
  Json recipe = Json::parse(file.recipe(), nullptr, false);
  return recipe.is_object() ? recipe : Json::object();
}

std::string measured_error(const Json& error) {
  const auto value = [&](const char* name) { return error.value(name, 0.0); };
  return text(brief(value("relative_error")), " on ", error.value("rows", 0), " rows; of pairs on average ",
              brief(100 * value("mean_relative_error")), " %, 99 % below ",
              brief(100 * value("p99_relative_error")), " %");
}

}  // namespace

Json to_json(const MatrixFile& file) {
  const DistanceMatrix& matrix = file.matrix();
  const Json recipe = recipe_of(file);
  const auto shape = file.shape();
  Json facts;
  facts["kind"] = "distance matrix";
  facts["of"] = shape ? Json(kind_name(*shape)) : recipe.value("/shape/kind"_json_pointer, Json());
  facts["vertices"] = matrix.size();
  facts["faces"] = shape ? Json(face_count(*shape)) : recipe.value("/shape/faces"_json_pointer, Json());
  facts["components"] = component_count(matrix);
  facts["method"] = recipe.value("method", Json());
  facts["values"] = matrix.kind() == DistanceKind::squared ? "squared" : "distance";
  facts["landmarks"] = landmark_count(file);
  facts.update(form_facts(matrix));
  facts["bytes"] = matrix.bytes();
  facts["file_bytes"] = file.file_bytes();
  facts["full_matrix_bytes"] = full_matrix_bytes(matrix.size());
  facts["shape_included"] = shape.has_value();
  facts["measured_error"] = recipe.value("measured_error", Json());
  facts["recipe"] = recipe;
  return facts;
}

std::string to_text(const MatrixFile& file) {
  const Json facts = to_json(file);
  const DistanceMatrix& matrix = file.matrix();
  const auto word = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string("unknown");
  };
  Sheet sheet;
  sheet.add("shape", word(facts["of"]) + (facts["shape_included"] ? ", included" : ", not included"));
  sheet.add("vertices", grouped(matrix.size()));
  sheet.add("components", grouped(facts["components"].get<std::int64_t>()));
  sheet.add("method", text(word(facts["method"]), ", distances by '",
                           word(facts["recipe"].value("/geodesic/method"_json_pointer, Json())), "'"));
  sheet.add("landmarks", grouped(facts["landmarks"].get<std::int64_t>()));
  if (const auto form = file.landmark_matrix()) {
    sheet.add("nonzeros of P",
              text(grouped(nonzeros_of(*form)), ", ",
                   brief(static_cast<double>(nonzeros_of(*form)) / std::max(1, matrix.size())), " a row"));
    sheet.add("precision of W", precision_of(*form));
  }
  for (const char* own : {"triangles", "eigenvectors"})
    if (facts.contains(own)) sheet.add(own, grouped(facts[own].get<std::int64_t>()));
  sheet.add("values", facts["values"].get<std::string>() + "s");
  sheet.add("size", text(byte_count(matrix.bytes()), " (file ",
                         byte_count(static_cast<std::int64_t>(file.file_bytes())), "); the full matrix ",
                         byte_count(full_matrix_bytes(matrix.size()))));
  if (facts["measured_error"].is_object())
    sheet.add("measured error", measured_error(facts["measured_error"]));
  return text(file.path(), ": all distances of a shape (.geodome)\n", sheet.print(), "Made by this recipe:\n",
              facts["recipe"].dump(2), '\n');
}

}  // namespace geodome::cli
