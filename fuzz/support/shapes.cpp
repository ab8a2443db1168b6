#include "support/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "geodome/shape/builtin/builtin.h"

namespace geodome::fuzz {
namespace {

/// How one shape's coordinates are spelled.
class CoordinateDecoder {
 public:
  explicit CoordinateDecoder(ByteSource& bytes) : bytes_(bytes), style_(bytes.below(4)) {}

  double next() {
    switch (style_) {
      case 0:  // a coarse grid: many vertices coincide, many are collinear
        return bytes_.between(-4, 4);
      case 1:
        return bytes_.raw<std::int16_t>() / 256.0;
      case 2:  // scales of twelve orders of magnitude in one shape
        return bytes_.raw<std::int8_t>() * std::pow(10.0, -bytes_.below(13));
      default:  // a grid whose vertices are moved by little
        return bytes_.between(-4, 4) + bytes_.raw<std::int8_t>() * std::pow(10.0, -bytes_.between(2, 16));
    }
  }

  template <typename Rows>
  void fill(Rows& rows) {
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      for (Eigen::Index c = 0; c < rows.cols(); ++c) rows(r, c) = next();
  }

 private:
  ByteSource& bytes_;
  int style_;
};

/// Mostly one; otherwise a power of ten, also where squares leave the range of a double.
double decode_scale(ByteSource& bytes) {
  const int choice = bytes.byte();
  if (choice < 200) return 1;
  return std::pow(10.0, 6 * (choice - 228));
}

Triangles random_faces(ByteSource& bytes, Index vertices) {
  Triangles faces(bytes.between(1, 28), 3);
  for (Index& corner : faces.reshaped<Eigen::RowMajor>()) corner = bytes.below(vertices);
  return faces;
}

TriangleMesh soup(ByteSource& bytes) {
  CoordinateDecoder coordinates(bytes);
  TriangleMesh mesh;
  mesh.points.resize(bytes.between(3, 16), 3);
  mesh.triangles = random_faces(bytes, static_cast<Index>(mesh.points.rows()));
  coordinates.fill(mesh.points);
  return mesh;
}

/// A grid of narrow triangles: its rows are `width` apart, its vertices moved by about as much.
TriangleMesh sliver_strip(ByteSource& bytes) {
  TriangleMesh mesh = make_plane(bytes.between(2, 9), bytes.between(2, 5));
  const double width = std::pow(10.0, -bytes.below(14));
  for (Index v = 0; v < mesh.points.rows(); ++v) {
    mesh.points(v, 1) = width * (mesh.points(v, 1) + bytes.raw<std::int8_t>() / 200.0);
    mesh.points(v, 0) += bytes.raw<std::int8_t>() / 1000.0;
    mesh.points(v, 2) = width * bytes.raw<std::int8_t>() / 100.0;
  }
  return mesh;
}

/// Triangles around a vertex, closed or not, the rim at any distance: needles, spikes, saddles.
TriangleMesh vertex_fan(ByteSource& bytes) {
  const int rim = bytes.between(3, 14), around = bytes.flag() ? rim : rim - 1;
  const double turn = std::numbers::pi * bytes.between(1, 32) / 16;
  TriangleMesh mesh;
  mesh.points = Points::Zero(rim + 1, 3);
  for (int k = 0; k < rim; ++k) {
    const double radius = bytes.between(1, 8) * std::pow(10.0, -bytes.below(10));
    const double angle = turn * k / rim;
    mesh.points.row(k + 1) << radius * std::cos(angle), radius * std::sin(angle),
        radius * bytes.raw<std::int8_t>() / 64.0;
  }
  mesh.triangles.resize(around, 3);
  for (int k = 0; k < around; ++k) mesh.triangles.row(k) << 0, k + 1, (k + 1) % rim + 1;
  return mesh;
}

TriangleMesh some_builtin(ByteSource& bytes) {
  switch (bytes.below(9)) {
    case 0:
      return make_plane(bytes.between(2, 7), bytes.between(2, 7));
    case 1:
      return make_sphere(bytes.between(1, 2));
    case 2:
      return make_torus(bytes.between(3, 8), bytes.between(3, 6));
    case 3:
      return make_cylinder(bytes.between(3, 8), bytes.between(2, 5));
    case 4:
      return make_box(bytes.between(1, 2));
    case 5:
      return make_moebius(bytes.between(3, 9), bytes.between(2, 4));
    case 6:
      return make_fan(bytes.between(2, 4), bytes.between(2, 4));
    case 7:
      return make_two_spheres(1);
    default:
      return make_swiss_roll(bytes.between(4, 12), bytes.between(2, 4));
  }
}

/// One change of a mesh that leaves its indices valid.
void edit(TriangleMesh& mesh, ByteSource& bytes) {
  const auto vertices = static_cast<int>(mesh.points.rows());
  const auto faces = static_cast<int>(mesh.triangles.rows());
  const int v = bytes.below(vertices), other = bytes.below(vertices), face = bytes.below(faces);
  const double small = std::pow(10.0, -bytes.below(15));
  switch (bytes.below(7)) {
    case 0:
      mesh.points(v, face % 3) += small * bytes.raw<std::int8_t>() / 16;
      break;
    case 1:  // nearly or exactly coincident vertices
      mesh.points.row(v) = mesh.points.row(other);
      mesh.points(v, face % 3) += small < 1e-12 ? 0 : small;
      break;
    case 2:
      mesh.points.col(face % 3) *= small;
      break;
    case 3:
      std::swap(mesh.triangles(face, 0), mesh.triangles(face, 1));
      break;
    case 4:
      mesh.triangles(face, other % 3) = v;
      break;
    case 5:  // without this face: a hole
      mesh.triangles.row(face) = mesh.triangles.row(0).eval();
      break;
    default:  // onto the line between two others
      mesh.points.row(v) = (1 - small) * mesh.points.row(other) + small * mesh.points.row(face % vertices);
  }
}

TriangleMesh edited_builtin(ByteSource& bytes) {
  TriangleMesh mesh = some_builtin(bytes);
  for (int edits = 0; edits < 24 && !bytes.empty(); ++edits) edit(mesh, bytes);
  return mesh;
}

PolygonMesh polygon_soup(ByteSource& bytes) {
  CoordinateDecoder coordinates(bytes);
  PolygonMesh mesh;
  mesh.points.resize(bytes.between(3, 16), 3);
  const auto vertices = static_cast<int>(mesh.points.rows());
  for (int face = bytes.between(1, 12); face > 0; --face) {
    for (int corner = bytes.between(3, 7); corner > 0; --corner)
      mesh.corners.push_back(bytes.below(vertices));
    mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
  coordinates.fill(mesh.points);
  return mesh;
}

PolygonMesh moved_quads(ByteSource& bytes) {
  PolygonMesh mesh = bytes.flag() ? make_sphere_quads(bytes.between(1, 3))
                                  : make_plane_quads(bytes.between(2, 6), bytes.between(2, 6));
  for (int moves = 0; moves < 24 && !bytes.empty(); ++moves) {
    const auto v = static_cast<Eigen::Index>(bytes.below(static_cast<int>(mesh.points.rows())));
    mesh.points(v, bytes.below(3)) += std::pow(10.0, -bytes.below(13)) * bytes.raw<std::int8_t>() / 32;
  }
  return mesh;
}

/// Points of one family in the unit cube, before any is moved.
Points cloud_points(ByteSource& bytes) {
  const int count = bytes.between(3, 80), family = bytes.below(6);
  const double gap = std::pow(10.0, -bytes.below(7)) * bytes.between(1, 10) / 5;
  Points points(count, 3);
  for (int k = 0; k < count; ++k) {
    // Low-discrepancy numbers: even, without a grid's ties.
    const double u = std::fmod(0.5 + 0.754877666 * k, 1.0), v = std::fmod(0.5 + 0.569840291 * k, 1.0);
    const double angle = 2 * std::numbers::pi * u;
    if (family == 0)
      points.row(k) << u, v, 0;
    else if (family == 1)  // two sheets
      points.row(k) << u, v, k % 2 == 0 ? 0 : gap;
    else if (family == 2)
      points.row(k) << std::cos(angle) * std::sqrt(v), std::sin(angle) * std::sqrt(v), std::sqrt(1 - v);
    else if (family == 3)  // a line
      points.row(k) << u, gap * 1e-3 * v, 0;
    else if (family == 4)  // a grid with all its ties
      points.row(k) << k % 9 / 8.0, k / 9 / 8.0, 0;
    else  // two patches of different spacing
      points.row(k) << (k % 2 == 0 ? u : 2 + gap * u), (k % 2 == 0 ? v : gap * v), 0;
  }
  return points;
}

}  // namespace

Shape decode_surface(ByteSource& bytes) {
  const double scale = decode_scale(bytes);
  Shape shape;
  switch (bytes.below(6)) {
    case 0:
      shape = soup(bytes);
      break;
    case 1:
      shape = sliver_strip(bytes);
      break;
    case 2:
      shape = vertex_fan(bytes);
      break;
    case 3:
      shape = polygon_soup(bytes);
      break;
    case 4:
      shape = moved_quads(bytes);
      break;
    default:
      shape = edited_builtin(bytes);
  }
  if (auto* mesh = std::get_if<TriangleMesh>(&shape)) mesh->points *= scale;
  if (auto* mesh = std::get_if<PolygonMesh>(&shape)) mesh->points *= scale;
  return shape;
}

Shape decode_cloud(ByteSource& bytes) {
  const double scale = decode_scale(bytes);
  PointCloud cloud{cloud_points(bytes), {}};
  const double noise = bytes.below(4) == 0 ? std::pow(10.0, -bytes.below(10)) : 0;
  const auto count = static_cast<int>(cloud.points.rows());
  for (int moves = 0; moves < 60 && !bytes.empty(); ++moves) {
    const int v = bytes.below(count);
    if (noise == 0)
      cloud.points.row(v) = cloud.points.row(bytes.below(count));
    else
      cloud.points(v, bytes.below(3)) += noise * bytes.raw<std::int8_t>() / 64;
  }
  cloud.points *= scale;
  return cloud;
}

Shape decode_graph(ByteSource& bytes) {
  const double scale = decode_scale(bytes);
  Graph graph;
  const int family = bytes.below(4), count = bytes.between(2, 40);
  graph.vertices = count;
  const auto length = [&] {
    const int choice = bytes.below(8);
    return scale * (choice < 4 ? 1 : choice < 6 ? bytes.byte() / 16.0 : std::pow(10.0, bytes.between(-9, 6)));
  };
  if (family == 0)  // a star
    for (Index v = 1; v < count; ++v) graph.edges.push_back({0, v, length()});
  if (family == 1)  // a tree
    for (Index v = 1; v < count; ++v) graph.edges.push_back({bytes.below(v), v, length()});
  if (family == 2)  // a cycle
    for (Index v = 0; v < count; ++v) graph.edges.push_back({v, (v + 1) % count, length()});
  for (int more = 0; more < 80 && !bytes.empty(); ++more)
    graph.edges.push_back({bytes.below(count), bytes.below(count), length()});
  return graph;
}

Shape decode_samples(ByteSource& bytes) {
  const double scale = decode_scale(bytes);
  CoordinateDecoder coordinates(bytes);
  Samples samples;
  samples.values.resize(bytes.between(2, 60), bytes.between(1, 5));
  coordinates.fill(samples.values);
  samples.values *= scale;
  return samples;
}

Shape decode_any_shape(ByteSource& bytes) {
  switch (bytes.below(6)) {
    case 0:
      return decode_cloud(bytes);
    case 1:
    case 2:
      return decode_graph(bytes);
    case 3:
      return decode_samples(bytes);
    default:
      return decode_surface(bytes);
  }
}

}  // namespace geodome::fuzz
