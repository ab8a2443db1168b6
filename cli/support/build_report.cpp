#include "support/build_report.h"

#include <algorithm>
#include <iostream>

#include "support/command.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

Json check_facts(const SpotCheck& check) {
  return {{"rows", check.rows},
          {"mean_relative_error", check.mean_relative_error},
          {"largest_ratio", finite_or_null(check.largest_ratio)}};
}

/// Of matrices P W Pᵀ.
void add_factor_facts(Json& facts, const Distances& distances) {
  const BuildSummary& summary = distances.summary();
  if (summary.nonzeros > 0) facts["nonzeros"] = summary.nonzeros;
  facts["recalled_landmarks"] = summary.recalled;
  facts["scratch_bytes"] = summary.scratch_bytes;
  facts["cover_radius"] = summary.cover_radius;
  facts["disagreement"] = summary.mean_disagreement;
  facts["replaced_landmarks"] = Json::array();
  for (const ReplacedLandmark& one : summary.replaced)
    facts["replaced_landmarks"].push_back({one.before, one.after});
  facts["incomplete_rows"] = summary.interpolation.incomplete_rows;
  facts["bounded_rows"] = summary.bounds.replaced;
  facts["largest_row_norm"] = summary.bounds.largest_norm;
  facts["stage_peak_bytes"] = Json::object();
  for (const BuildStage& stage : summary.stages) facts["stage_peak_bytes"][stage.name] = stage.peak_bytes;
}

/// How the geodesic method was chosen; empty where nothing was measured for it.
std::string solver_text(const BuildSummary& summary) {
  std::string said;
  for (const MeasuredSolver& one : summary.tried_solvers)
    said += text(said.empty() ? " (mean error on exact rows: '" : ", '", one.method, "' ",
                 brief(100 * one.mean_relative_error), " %");
  return said.empty() ? said : said + ")";
}

/// The coarser mesh that landmarks were measured on, or why there is none; empty where none was tried.
std::string mesh_text(const BuildSummary& summary) {
  if (summary.tried_meshes.empty()) return {};
  const CoarseMesh& mesh = summary.coarse_mesh;
  if (mesh.share == 1) {
    const CoarseMesh& tried = summary.tried_meshes.back();
    return text(", on the mesh itself (mean error on exact rows with one in ", tried.share,
                " vertices: ", brief(100 * tried.mean_relative_error), " %)");
  }
  return text(", landmarks on a mesh of ", grouped(mesh.vertices),
              " vertices (mean error on exact rows: ", brief(100 * mesh.mean_relative_error), " %)");
}

Json mesh_facts(const CoarseMesh& mesh) {
  return {
      {"share", mesh.share}, {"vertices", mesh.vertices}, {"mean_relative_error", mesh.mean_relative_error}};
}

std::string error_text(const Distances& distances) {
  const std::string certificate = distances.certificate();
  return certificate.empty() ? "error not measured: no certificate in the file\n" : certificate + "\n";
}

}  // namespace

Json build_facts(const BuildReport& report) {
  const Distances& distances = report.distances;
  const BuildSummary& summary = distances.summary();
  const Json recipe = Json::parse(distances.recipe());
  Json facts;
  facts["shape"] = report.shape_path;
  facts["kind"] = kind_name(*distances.shape());
  facts["method"] = distances.method();
  facts["geodesic"] = summary.geodesic;
  facts["solver_errors"] = Json::object();
  for (const MeasuredSolver& one : summary.tried_solvers)
    facts["solver_errors"][one.method] = one.mean_relative_error;
  facts["coarse_mesh"] = summary.coarse_mesh.share > 1 ? mesh_facts(summary.coarse_mesh) : Json();
  facts["tried_meshes"] = Json::array();
  for (const CoarseMesh& mesh : summary.tried_meshes) facts["tried_meshes"].push_back(mesh_facts(mesh));
  facts["vertices"] = distances.size();
  facts["components"] = summary.components;
  facts["landmarks"] = summary.landmarks;
  if (distances.factors() != nullptr) {
    add_factor_facts(facts, distances);
  } else {
    facts["added_landmarks"] = summary.added_landmarks;
    facts["note"] = summary.note;
  }
  facts["check"] = check_facts(summary.check);
  facts["warnings"] = summary.warnings;
  facts["measured_error"] = recipe.value("measured_error", Json());
  facts["certificate"] = distances.certificate();
  facts["bytes"] = summary.bytes;
  facts["file_bytes"] = report.file_bytes;
  facts["full_matrix_bytes"] = full_matrix_bytes(distances.size());
  facts["seconds"] = {{"total", summary.seconds}};
  for (const BuildStage& stage : summary.stages) facts["seconds"][stage.name] = stage.seconds;
  facts["peak_bytes"] = summary.peak_bytes;
  facts["output"] = report.output;
  facts["recipe"] = recipe;
  facts["notes"] = distances.notes();
  return facts;
}

std::string build_text(const BuildReport& report) {
  const Distances& distances = report.distances;
  const BuildSummary& summary = distances.summary();
  const std::int64_t full = full_matrix_bytes(distances.size());
  const std::int64_t times = full / std::max<std::int64_t>(1, summary.bytes);
  std::string said = text("wrote ", report.output, ": ", byte_count(report.file_bytes));
  if (times > 1)
    said += text("; its distances take ", byte_count(summary.bytes), ", ", grouped(times),
                 " times smaller than the full matrix of ", byte_count(full));
  said += text("\n", kind_name(*distances.shape()), ", ", counted(distances.size(), "vertex", "vertices"),
               ", ", counted(summary.components, "component", "components"), ", ",
               counted(summary.landmarks, "landmark", "landmarks"), ", geodesic method '", summary.geodesic,
               "'", solver_text(summary), mesh_text(summary));
  if (distances.factors() != nullptr) said += text(", cover radius ", brief(summary.cover_radius));
  said += text("\n", duration(summary.seconds), ", ", byte_count(summary.peak_bytes), " of memory (");
  for (std::size_t k = 0; k < summary.stages.size(); ++k)
    said += text(k > 0 ? ", " : "", summary.stages[k].name, " ", duration(summary.stages[k].seconds));
  said += ")\n";
  if (distances.factors() == nullptr && !summary.note.empty()) said += text("note: ", summary.note, "\n");
  said += error_text(distances);
  return said;
}

std::string build_notes(const BuildReport& report, Sparsity sparsity, const Numbering& numbering) {
  const BuildSummary& summary = report.distances.summary();
  std::string notes;
  if (summary.recalled > 0)
    notes +=
        text("note: resumed an earlier run, which had finished ", grouped(summary.recalled), " landmarks\n");
  for (const ReplacedLandmark& one : summary.replaced)
    notes += text("note: the distances from landmark ", numbering.number(one.before),
                  " differ from those in the reverse direction; it was replaced by vertex ",
                  numbering.number(one.after), "\n");
  if (summary.interpolation.incomplete_rows > 0 && sparsity == Sparsity::columns)
    notes += text("note: ", grouped(summary.interpolation.incomplete_rows),
                  " rows of P lost more than 0.1 % of their weight: increase --nonzeros\n");
  return notes;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
}

}  // namespace geodome::cli
