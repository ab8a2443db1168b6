#include "geodome/shape/clean.h"

#include <algorithm>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/shape/topology.h"
#include "geodome/shape/unit.h"

namespace geodome {

using namespace internal;

namespace {

std::string counted(std::int64_t count, const char* one, const char* many) {
  return text(count, ' ', count == 1 ? one : many);
}

/// Which faces stay: those that are neither collapsed nor a copy of an earlier one.
std::vector<char> find_kept(const FaceView& faces, Index vertices) {
  std::vector<char> kept(static_cast<std::size_t>(faces.size()));
  for (std::int64_t f = 0; f < faces.size(); ++f) kept[f] = !collapsed(faces[f]);
  const std::vector<char> duplicate = find_duplicates(faces, vertices, kept);
  for (std::int64_t f = 0; f < faces.size(); ++f)
    if (duplicate[f]) kept[f] = 0;
  return kept;
}

void drop_faces(TriangleMesh& mesh, const std::vector<char>& kept) {
  Eigen::Index count = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f)
    if (kept[f]) mesh.triangles.row(count++) = mesh.triangles.row(f);
  mesh.triangles.conservativeResize(count, 3);
}

void drop_faces(PolygonMesh& mesh, const std::vector<char>& kept) {
  std::size_t count = 0, corners = 0;
  for (std::size_t f = 0; f < kept.size(); ++f) {
    if (!kept[f]) continue;
    for (std::int64_t c = mesh.offsets[f]; c < mesh.offsets[f + 1]; ++c)
      mesh.corners[corners++] = mesh.corners[c];
    mesh.offsets[++count] = static_cast<std::int64_t>(corners);
  }
  mesh.corners.resize(corners);
  mesh.offsets.resize(count + 1);
}

struct Clean {
  const ShapeReport& report;

  template <typename Mesh>
  void drop_from_mesh(Mesh& mesh) const {
    if (report.faces == report.collapsed_faces)
      throw InputError(text("the mesh has no face with three different corners, only ",
                            counted(report.vertices, "vertex", "vertices"),
                            ": no surface to compute on (store a point cloud as .xyz)"));
    if (report.collapsed_faces + report.duplicate_faces == 0) return;
    drop_faces(mesh, find_kept(FaceView(mesh), report.vertices));
  }

  void operator()(TriangleMesh& mesh) const { drop_from_mesh(mesh); }
  void operator()(PolygonMesh& mesh) const { drop_from_mesh(mesh); }

  void operator()(PointCloud& cloud) const {
    if (report.nonfinite_normals > 0) cloud.normals.resize(0, 3);
  }

  void operator()(Samples&) const {}

  void operator()(Graph& graph) const {
    std::erase_if(graph.edges, [](const Edge& edge) { return edge.a == edge.b; });
    if (graph.edges.empty())
      throw InputError(text("the graph has no edge between two different vertices, only ",
                            counted(report.vertices, "vertex", "vertices"), ": no paths to compute on"));
    if (report.repeated_edges == 0) return;
    const auto ends = [](const Edge& edge) {
      return std::pair(std::min(edge.a, edge.b), std::max(edge.a, edge.b));
    };
    // The shortest of each bundle keeps its place in the file.
    std::vector<std::size_t> order(graph.edges.size());
    for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const Edge &left = graph.edges[a], &right = graph.edges[b];
      return std::tuple(ends(left), left.length, a) < std::tuple(ends(right), right.length, b);
    });
    order.erase(std::unique(order.begin(), order.end(),
                            [&](std::size_t a, std::size_t b) {
                              return ends(graph.edges[a]) == ends(graph.edges[b]);
                            }),
                order.end());
    std::sort(order.begin(), order.end());
    for (std::size_t e = 0; e < order.size(); ++e) graph.edges[e] = graph.edges[order[e]];
    graph.edges.resize(order.size());
  }
};

}  // namespace

void require_workable(const ShapeReport& report) {
  if (report.vertices == 0) throw InputError("the shape has no vertices");
  if (report.nonfinite_vertices > 0)
    throw InputError(text("vertex ", report.first_nonfinite, " has a coordinate that is not finite (",
                          counted(report.nonfinite_vertices, "vertex", "vertices"),
                          " in total, numbered from 0): correct the file"));
  if (report.out_of_range > 0)
    throw InputError(text(report.faces > 0 ? "face " : "edge ", report.first_out_of_range,
                          " refers to a vertex out of range [0, ", report.vertices, ") (",
                          report.out_of_range, " in total, numbered from 0): correct the file"));
  if (report.bad_lengths > 0)
    throw InputError(text("edge ", report.first_bad_length, " has a length that is negative or not finite (",
                          report.bad_lengths,
                          " in total, numbered from 0): lengths must be in [0, infinity)"));
}

std::vector<std::string> cleaning_notes(const ShapeReport& report) {
  std::vector<std::string> notes;
  const auto add = [&](std::int64_t count, const char* one, const char* many, const char* what) {
    if (count > 0) notes.push_back(text(counted(count, one, many), ' ', what));
  };
  add(report.collapsed_faces, "face", "faces", "with fewer than three different corners removed");
  add(report.duplicate_faces, "duplicate face", "duplicate faces", "removed");
  add(report.zero_area_faces, "zero-area face", "zero-area faces",
      "kept with weight zero, so that vertices stay connected");
  add(report.narrow_faces, "face", "faces",
      "with height below a millionth of the longest side: distances near them may be inaccurate");
  add(report.self_loops, "self-loop", "self-loops", "removed");
  add(report.repeated_edges, "repeated edge", "repeated edges", "merged, with the shortest length");
  add(report.nonfinite_normals, "normal", "normals", "not finite: all normals ignored");
  return notes;
}

CleanShape clean_shape(Shape shape) {
  const ShapeReport report = check_defects(shape);
  require_workable(report);
  require_size(shape);
  std::visit(Clean{report}, shape);
  return {std::move(shape), cleaning_notes(report)};
}

}  // namespace geodome
