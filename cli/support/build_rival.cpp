#include "support/build_rival.h"

#include <cmath>
#include <iostream>

#include "geodome/base/error.h"
#include "geodome/base/peak_memory.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_file.h"
#include "geodome/pipeline/measured_error.h"
#include "geodome/pipeline/plan.h"
#include "support/sheet.h"

namespace geodome::cli {

using Json = nlohmann::ordered_json;

Json write_rival(const RivalOrder& order, const Shape& shape, const BuildOptions& options,
                 const MethodOptions& own, const Execution& execution) {
  reset_peak_memory();
  RivalBuild built = build_rival(shape, options, own, execution);
  const std::int64_t peak = peak_memory();
  if (order.evaluate > 0) measure_and_note_error(built, shape, options, order.evaluate, execution);
  const DistanceMatrix& matrix = *built.made.matrix;
  const auto* graph = std::get_if<Graph>(&shape);
  save_matrix(order.output, matrix, built.recipe, order.with_shape ? &shape : nullptr,
              graph != nullptr ? graph->labels : std::vector<std::int64_t>(), file_codecs());

  Json facts;
  facts["shape"] = order.shape_path;
  facts["kind"] = kind_name(shape);
  facts["method"] = name_of(methods(), own.method);
  facts["geodesic"] = built.geodesic;
  facts["vertices"] = matrix.size();
  facts["components"] = built.components;
  facts["landmarks"] = built.made.landmarks;
  facts["added_landmarks"] = built.made.added_landmarks;
  facts["note"] = built.made.note;
  facts["check"] = check_facts(built.check);
  facts["warnings"] = built.warnings;
  const Json recipe = Json::parse(built.recipe);
  if (order.evaluate > 0) facts["measured_error"] = recipe["measured_error"];
  facts["bytes"] = matrix.bytes();
  facts["file_bytes"] = MatrixFile::open(order.output, file_codecs()).file_bytes();
  facts["full_matrix_bytes"] = full_matrix_bytes(matrix.size());
  facts["seconds"] = {{"total", built.made.total_seconds()}};
  for (const auto& [stage, seconds] : built.made.seconds) facts["seconds"][stage] = seconds;
  facts["peak_bytes"] = peak;
  facts["output"] = order.output;
  facts["recipe"] = recipe;
  facts["notes"] = order.notes;
  return facts;
}

Json check_facts(const SpotCheck& check) {
  return {{"rows", check.rows},
          {"mean_relative_error", check.mean_relative_error},
          {"largest_ratio", std::isfinite(check.largest_ratio) ? Json(check.largest_ratio) : Json()}};
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
}

std::string rival_text(const Json& facts) {
  const auto number = [&](const char* key) { return facts[key].get<std::int64_t>(); };
  const auto times = number("full_matrix_bytes") / std::max<std::int64_t>(1, number("bytes"));
  std::string said =
      text("wrote ", facts["output"].get<std::string>(), ": ", byte_count(number("file_bytes")));
  if (times > 1)
    said += text(", ", grouped(times), " times less than the full matrix of ",
                 byte_count(number("full_matrix_bytes")));
  said += text("\n", grouped(number("vertices")), " vertices, ", grouped(number("landmarks")),
               " landmarks, distances by '", facts["geodesic"].get<std::string>(), "'\n",
               duration(facts["seconds"]["total"]), ", ", byte_count(number("peak_bytes")), " of memory (");
  bool first = true;
  for (const auto& [stage, seconds] : facts["seconds"].items()) {
    if (stage == "total") continue;
    said += text(first ? "" : ", ", stage, " ", duration(seconds));
    first = false;
  }
  said += ")\n";
  if (const auto note = facts["note"].get<std::string>(); !note.empty()) said += text("note: ", note, "\n");
  if (!facts.contains("measured_error")) return said;
  const Json& error = facts["measured_error"];
  return said + text("measured on ", error["rows"].get<int>(), " rows: relative error ",
                     brief(error["relative_error"]), ", of pairs on average ",
                     brief(100 * error["mean_relative_error"].get<double>()), " %, 99 % below ",
                     brief(100 * error["p99_relative_error"].get<double>()), " %\n");
}

}  // namespace geodome::cli
