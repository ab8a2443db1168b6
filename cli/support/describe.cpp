#include "support/describe.h"

#include <algorithm>
#include <string>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/clean.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

bool is_mesh(const ShapeFacts& facts) {
  return facts.kind.ends_with("mesh");
}
bool is_graph(const ShapeFacts& facts) {
  return facts.kind == "graph";
}

std::vector<double> to_list(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

std::string degree_name(std::int64_t degree) {
  if (degree == 3) return "triangles";
  if (degree == 4) return "quads";
  return text(degree, "-gons");
}

std::string degrees(const ShapeReport& report) {
  if (report.faces_by_degree.empty()) return "none";
  if (report.faces_by_degree.size() == 1)
    return text("all ", degree_name(report.faces_by_degree.begin()->first));
  std::string list;
  for (const auto& [degree, count] : report.faces_by_degree)
    list += text(list.empty() ? "" : ", ", grouped(count), ' ', degree_name(degree));
  return list;
}

void add_structure(const ShapeFacts& facts, Sheet& sheet) {
  const ShapeReport& report = facts.report;
  sheet.add("vertices", grouped(report.vertices));
  if (is_mesh(facts)) sheet.add("faces", text(grouped(report.faces), " (", degrees(report), ")"));
  if (is_mesh(facts) || is_graph(facts)) {
    sheet.add("edges", grouped(report.edges));
    std::string components = grouped(report.components);
    if (report.components > 1)
      components += text(" (the largest has ", counted(report.largest_component, "vertex", "vertices"), ")");
    sheet.add("components", components);
  } else {
    sheet.add("dimension", grouped(report.dimension));
    sheet.add("connectivity", "none (neighbours are computed)");
  }
  if (facts.kind == "point cloud") sheet.add("normals", facts.normals ? "yes" : "no");
  if (!is_mesh(facts) || report.faces == 0) return;
  const std::string rim =
      report.closed() ? "closed" : counted(report.boundary_edges, "boundary edge", "boundary edges");
  sheet.add("surface", text(rim, report.manifold() ? ", manifold, " : ", not manifold, ",
                            report.oriented() ? "consistently oriented" : "not consistently oriented"));
  sheet.add("Euler number", grouped(report.euler_characteristic()));
}

void add_measures(const ShapeFacts& facts, Sheet& sheet) {
  const ShapeReport& report = facts.report;
  if (report.low.size() == 3) {
    const Vector size = report.high - report.low;
    sheet.add("size", text(brief(size[0]), " x ", brief(size[1]), " x ", brief(size[2])));
  } else if (report.low.size() > 0) {
    sheet.add("values", text(brief(report.low.minCoeff()), " to ", brief(report.high.maxCoeff())));
  }
  if (report.edges > 0)
    sheet.add("edge lengths", text(brief(report.shortest_edge), " to ", brief(report.longest_edge)));
  if (is_mesh(facts) && report.faces > 0) sheet.add("area", brief(report.area));
}

/// Defects in plain words, each with what is done about it (docs/reference/shapes.md is the full table).
Sheet list_defects(const ShapeReport& report) {
  Sheet sheet;
  const auto add = [&](std::int64_t count, const char* one, const char* many, const char* treatment) {
    if (count > 0) sheet.add(counted(count, one, many), treatment);
  };
  add(report.collapsed_faces, "face with fewer than 3 different corners",
      "faces with fewer than 3 different corners", "removed");
  add(report.duplicate_faces, "duplicate face", "duplicate faces", "removed");
  add(report.zero_area_faces, "zero-area face", "zero-area faces",
      "kept with weight zero, so that vertices stay connected");
  add(report.narrow_faces, "face with height below a millionth of its longest side",
      "faces with height below a millionth of their longest side", "distances near them may be inaccurate");
  add(report.zero_length_edges, "edge of length zero", "edges of length zero",
      "distance of the end points is zero");
  add(report.nonmanifold_edges, "edge of 3 or more faces", "edges of 3 or more faces",
      "paths cross from any face to any other");
  add(report.nonmanifold_vertices, "vertex where separate fans meet", "vertices where separate fans meet",
      "paths pass through them");
  add(report.inconsistent_edges, "edge where the orientation flips", "edges where the orientation flips",
      "no effect on distances");
  add(report.self_loops, "self-loop", "self-loops", "removed");
  add(report.repeated_edges, "repeated edge", "repeated edges", "merged, with the shortest length");
  add(report.unreferenced_vertices, "unreferenced vertex", "unreferenced vertices",
      "kept, at infinite distance from all other vertices");
  add(report.duplicate_positions, "vertex at the position of another", "vertices at the position of another",
      "not merged: connected by edges only");
  add(report.nonfinite_normals, "normal that is not finite", "normals that are not finite",
      "all normals ignored");
  return sheet;
}

}  // namespace

Json to_json(const ShapeFacts& facts) {
  const ShapeReport& report = facts.report;
  const bool mesh = is_mesh(facts), graph = is_graph(facts);
  Json object;
  object["kind"] = facts.kind;
  object["format"] = facts.format;
  object["vertices"] = report.vertices;
  object["faces"] = report.faces;
  object["components"] = mesh || graph ? Json(report.components) : Json(nullptr);
  if (mesh || graph) {
    object["largest_component"] = report.largest_component;
    object["edges"] = report.edges;
    object["zero_length_edges"] = report.zero_length_edges;
    object["unreferenced_vertices"] = report.unreferenced_vertices;
    object["edge_lengths"] = {report.shortest_edge, report.longest_edge};
  }
  if (mesh) {
    object["faces_by_degree"] = Json::object();
    for (const auto& [degree, count] : report.faces_by_degree)
      object["faces_by_degree"][std::to_string(degree)] = count;
    object["boundary_edges"] = report.boundary_edges;
    object["nonmanifold_edges"] = report.nonmanifold_edges;
    object["nonmanifold_vertices"] = report.nonmanifold_vertices;
    object["inconsistent_edges"] = report.inconsistent_edges;
    object["duplicate_faces"] = report.duplicate_faces;
    object["collapsed_faces"] = report.collapsed_faces;
    object["zero_area_faces"] = report.zero_area_faces;
    object["narrow_faces"] = report.narrow_faces;
    object["closed"] = report.closed();
    object["manifold"] = report.manifold();
    object["oriented"] = report.oriented();
    object["euler_characteristic"] = report.euler_characteristic();
    object["area"] = report.area;
  }
  if (graph) {
    object["self_loops"] = report.self_loops;
    object["repeated_edges"] = report.repeated_edges;
  } else {
    object["dimension"] = report.dimension;
    object["duplicate_positions"] = report.duplicate_positions;
    object["nonfinite_vertices"] = report.nonfinite_vertices;
    object["bounding_box"] = {to_list(report.low), to_list(report.high)};
  }
  if (facts.kind == "point cloud") object["normals"] = facts.normals;
  std::vector<std::string> notes = cleaning_notes(report);
  if (!facts.note.empty()) notes.insert(notes.begin(), facts.note);
  object["notes"] = notes;
  return object;
}

std::string to_text(const ShapeFacts& facts) {
  Sheet sheet;
  add_structure(facts, sheet);
  add_measures(facts, sheet);
  const Sheet defects = list_defects(facts.report);
  return text(facts.path, ": ", facts.kind, " (", facts.format, ")\n", sheet.print(),
              facts.note.empty() ? "" : "Note: " + facts.note + "\n",
              defects.empty() ? "No defects found.\n" : "Defects and their treatment:\n", defects.print());
}

}  // namespace geodome::cli
