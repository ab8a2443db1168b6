#include "geodome/shape/check.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "geodome/shape/area.h"
#include "geodome/shape/topology.h"

namespace geodome {

using namespace internal;

namespace {

/// Of any vector, also where squares of its components do not fit a double; NaN where one is not finite.
double length(const Eigen::RowVector3d& vector) {
  return vector.allFinite() ? vector.stableNorm() : std::numeric_limits<double>::quiet_NaN();
}

/// Counts positions that are not finite. `Rows` is any row-major matrix of doubles.
template <typename Rows>
void count_nonfinite(const Rows& rows, ShapeReport& report) {
  report.vertices = static_cast<Index>(rows.rows());
  report.dimension = static_cast<Index>(rows.cols());
  for (Index v = 0; v < rows.rows(); ++v)
    if (!rows.row(v).allFinite() && report.nonfinite_vertices++ == 0) report.first_nonfinite = v;
}

/// What else can be said of positions alone.
template <typename Rows>
void describe_positions(const Rows& rows, ShapeReport& report) {
  std::vector<Index> finite;
  finite.reserve(static_cast<std::size_t>(rows.rows()));
  report.low = Vector::Constant(rows.cols(), infinity);
  report.high = Vector::Constant(rows.cols(), -infinity);
  for (Index v = 0; v < rows.rows(); ++v) {
    if (!rows.row(v).allFinite()) continue;
    finite.push_back(v);
    report.low = report.low.cwiseMin(rows.row(v).transpose());
    report.high = report.high.cwiseMax(rows.row(v).transpose());
  }
  if (finite.empty()) report.low = report.high = Vector();

  const auto compare = [&](Index a, Index b) {
    const double* left = rows.data() + a * rows.cols();
    const double* right = rows.data() + b * rows.cols();
    for (Eigen::Index k = 0; k < rows.cols(); ++k)
      if (left[k] != right[k]) return left[k] < right[k] ? -1 : 1;
    return 0;
  };
  std::sort(finite.begin(), finite.end(), [&](Index a, Index b) { return compare(a, b) < 0; });
  for (std::size_t i = 1; i < finite.size(); ++i)
    if (compare(finite[i - 1], finite[i]) == 0) ++report.duplicate_positions;
}

/// Fills in the number of components and the size of the largest, over the vertices marked as referenced.
void count_components(DisjointSets& sets, const std::vector<char>& referenced, ShapeReport& report) {
  std::vector<Index> members(referenced.size(), 0);
  for (std::size_t v = 0; v < referenced.size(); ++v) {
    if (!referenced[v]) {
      ++report.unreferenced_vertices;
      continue;
    }
    const auto root = static_cast<std::size_t>(sets.find(static_cast<std::int64_t>(v)));
    if (members[root]++ == 0) ++report.components;
    report.largest_component = std::max(report.largest_component, members[root]);
  }
}

/// Marks the faces that are faces: indices in range and at least three different corners.
std::vector<char> find_valid(const FaceView& faces, ShapeReport& report) {
  std::vector<char> valid(static_cast<std::size_t>(faces.size()), 0);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    ++report.faces_by_degree[static_cast<std::int64_t>(faces[f].size())];
    if (out_of_range(faces[f], report.vertices)) {
      if (report.out_of_range++ == 0) report.first_out_of_range = f;
    } else if (collapsed(faces[f])) {
      ++report.collapsed_faces;
    } else {
      valid[f] = 1;
    }
  }
  return valid;
}

/// One side of a face: the edge between a lower vertex and `high`.
struct Side {
  Index high = 0;
  bool forward = false;          ///< the face walks from the lower vertex to the higher
  std::int64_t low_corner = 0;   ///< the face's corner at the lower vertex, counted among all corners
  std::int64_t high_corner = 0;  ///< the face's corner at the higher
  bool operator<(const Side& other) const { return high < other.high; }
};

/// Calls add(low, side) for the sides of all valid faces but those from a vertex to itself.
template <typename Add>
void add_sides(const FaceView& faces, const std::vector<char>& valid, Add add) {
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (!valid[f]) continue;
    const auto face = faces[f];
    const std::int64_t first = faces.begin(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::size_t next = k + 1 == face.size() ? 0 : k + 1;
      const Index a = face[k], b = face[next];
      const auto from = first + static_cast<std::int64_t>(k), to = first + static_cast<std::int64_t>(next);
      if (a < b) add(a, Side{b, true, from, to});
      if (b < a) add(b, Side{a, false, to, from});
    }
  }
}

/// Counts edges by the number of their faces, and joins the corners of faces that meet at an edge into fans.
void check_edges(const Points& points, const FaceView& faces, const std::vector<char>& valid,
                 DisjointSets& fans, ShapeReport& report) {
  double shortest = infinity;
  const auto each_side = [&](auto add) { add_sides(faces, valid, add); };
  visit_edges<Side>(report.vertices, each_side, [&](Index low, std::span<const Side> sides) {
    const Side& side = sides.front();
    for (const Side& other : sides) {
      fans.unite(side.low_corner, other.low_corner);
      fans.unite(side.high_corner, other.high_corner);
    }
    ++report.edges;
    if (sides.size() == 1) ++report.boundary_edges;
    if (sides.size() == 2 && side.forward == sides[1].forward) ++report.inconsistent_edges;
    if (sides.size() > 2) ++report.nonmanifold_edges;
    const double length = (points.row(low) - points.row(side.high)).norm();
    if (points.row(low) == points.row(side.high)) ++report.zero_length_edges;
    if (!std::isfinite(length)) return;
    shortest = std::min(shortest, length);
    report.longest_edge = std::max(report.longest_edge, length);
  });
  if (shortest < infinity) report.shortest_edge = shortest;
}

/// A vertex is manifold if its corners form one fan.
void count_nonmanifold_vertices(const FaceView& faces, const std::vector<char>& valid, DisjointSets& fans,
                                ShapeReport& report) {
  std::vector<char> seen(static_cast<std::size_t>(report.vertices), 0);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (!valid[f]) continue;
    for (std::size_t k = 0; k < faces[f].size(); ++k) {
      const std::int64_t corner = faces.begin(f) + static_cast<std::int64_t>(k);
      const Index v = faces[f][k];
      if (fans.find(corner) == corner && seen[v] < 2 && ++seen[v] == 2) ++report.nonmanifold_vertices;
    }
  }
}

/// Counts the faces that cleaning drops or mentions.
std::vector<char> find_defects(const Points& points, const FaceView& faces, ShapeReport& report) {
  report.faces = faces.size();
  std::vector<char> valid = find_valid(faces, report);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    // Whatever has no area is narrow: most faces are looked at once.
    if (!valid[f] || !has_no_area(points, faces[f], narrow_tolerance)) continue;
    ++(has_no_area(points, faces[f]) ? report.zero_area_faces : report.narrow_faces);
  }
  const std::vector<char> duplicate = find_duplicates(faces, report.vertices, valid);
  report.duplicate_faces = std::count(duplicate.begin(), duplicate.end(), 1);
  return valid;
}

void check_connections(const FaceView& faces, const std::vector<char>& valid, ShapeReport& report) {
  DisjointSets sets(report.vertices);
  std::vector<char> referenced(static_cast<std::size_t>(report.vertices), 0);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (!valid[f]) continue;
    for (const Index v : faces[f]) {
      referenced[v] = 1;
      sets.unite(faces[f][0], v);
    }
  }
  count_components(sets, referenced, report);
}

template <typename Mesh>
ShapeReport check_mesh(const Mesh& mesh, bool defects_only) {
  ShapeReport report;
  count_nonfinite(mesh.points, report);
  const FaceView faces(mesh);
  const std::vector<char> valid = find_defects(mesh.points, faces, report);
  if (defects_only) return report;

  describe_positions(mesh.points, report);
  report.area = surface_area(mesh);
  check_connections(faces, valid, report);
  DisjointSets fans(faces.corners());
  check_edges(mesh.points, faces, valid, fans, report);
  count_nonmanifold_vertices(faces, valid, fans, report);
  return report;
}

ShapeReport check_cloud(const PointCloud& cloud, bool defects_only) {
  ShapeReport report;
  count_nonfinite(cloud.points, report);
  for (Eigen::Index v = 0; v < cloud.normals.rows(); ++v)
    if (!cloud.normals.row(v).allFinite()) ++report.nonfinite_normals;
  if (!defects_only) describe_positions(cloud.points, report);
  return report;
}

ShapeReport check_samples(const Samples& samples, bool defects_only) {
  ShapeReport report;
  count_nonfinite(samples.values, report);
  if (!defects_only) describe_positions(samples.values, report);
  return report;
}

ShapeReport check_graph(const Graph& graph) {
  ShapeReport report;
  report.vertices = graph.vertices;
  DisjointSets sets(graph.vertices);
  std::vector<char> referenced(static_cast<std::size_t>(graph.vertices), 0);
  std::vector<std::pair<Index, Index>> ends;
  ends.reserve(graph.edges.size());
  double shortest = infinity;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    const auto number = static_cast<std::int64_t>(e);
    const Index pair[] = {edge.a, edge.b};
    if (out_of_range(pair, graph.vertices)) {
      if (report.out_of_range++ == 0) report.first_out_of_range = number;
      continue;
    }
    if (!std::isfinite(edge.length) || edge.length < 0) {
      if (report.bad_lengths++ == 0) report.first_bad_length = number;
    } else if (edge.a != edge.b) {
      shortest = std::min(shortest, edge.length);
      report.longest_edge = std::max(report.longest_edge, edge.length);
      if (edge.length == 0) ++report.zero_length_edges;
    }
    if (edge.a == edge.b) ++report.self_loops;
    referenced[edge.a] = referenced[edge.b] = 1;
    sets.unite(edge.a, edge.b);
    ends.emplace_back(std::min(edge.a, edge.b), std::max(edge.a, edge.b));
  }
  if (shortest < infinity) report.shortest_edge = shortest;
  count_components(sets, referenced, report);
  std::sort(ends.begin(), ends.end());
  report.edges = std::unique(ends.begin(), ends.end()) - ends.begin();
  report.repeated_edges = static_cast<std::int64_t>(ends.size()) - report.edges;
  return report;
}

struct Check {
  bool defects_only;

  ShapeReport operator()(const TriangleMesh& mesh) const { return check_mesh(mesh, defects_only); }
  ShapeReport operator()(const PolygonMesh& mesh) const { return check_mesh(mesh, defects_only); }
  ShapeReport operator()(const PointCloud& cloud) const { return check_cloud(cloud, defects_only); }
  ShapeReport operator()(const Graph& graph) const { return check_graph(graph); }
  ShapeReport operator()(const Samples& samples) const { return check_samples(samples, defects_only); }
};

}  // namespace

std::int64_t ShapeReport::euler_characteristic() const {
  return vertices - unreferenced_vertices - edges + faces - collapsed_faces - out_of_range;
}

ShapeReport check_shape(const Shape& shape) {
  return std::visit(Check{false}, shape);
}

ShapeReport internal::check_defects(const Shape& shape) {
  return std::visit(Check{true}, shape);
}

Eigen::RowVector3d internal::vector_area(const Points& points, std::span<const Index> face) {
  // Relative to the first corner, so that a shape far from the origin loses no digits.
  const Eigen::RowVector3d origin = points.row(face[0]);
  Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
  for (std::size_t k = 2; k < face.size(); ++k)
    sum += (points.row(face[k - 1]) - origin).cross(points.row(face[k]) - origin);
  return 0.5 * sum;
}

bool internal::has_no_area(const Points& points, std::span<const Index> face, double tolerance) {
  const Eigen::RowVector3d origin = points.row(face[0]);
  for (std::size_t k = 2; k < face.size(); ++k) {
    const Eigen::RowVector3d a = points.row(face[k - 1]) - origin, b = points.row(face[k]) - origin;
    const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
    if (0.5 * length(a.cross(b)) <= tolerance * longest) return true;
  }
  return false;
}

}  // namespace geodome
