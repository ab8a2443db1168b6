#include "geodome/geodesic/split_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr double on_edge = 1e-12;
constexpr double sum_tolerance = 1e-6;

using Triple = std::array<Index, 3>;
using Barycentric = Eigen::Vector3d;

std::string named(const SurfacePoint& point) {
  std::string name = "the point";
  for (int k = 0; k < 3; ++k) name += text(k ? ", " : " ", point.vertex[k], ":", point.weight[k]);
  return name;
}

/// One face and its pieces. Positions are barycentric in the face.
class SplitFace {
 public:
  explicit SplitFace(const Triple& corners) : corners_(corners), pieces_{corners} {
    for (int k = 0; k < 3; ++k) position_[corners[k]] = Barycentric::Unit(k);
  }

  /// The corners of a point must be some of the face's. `vertex` is the number it gets unless there is a
  /// vertex in its place already, whose number is returned then.
  Index add(const SurfacePoint& point, Index vertex) {
    Barycentric here = Barycentric::Zero();
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c)
        if (point.vertex[k] == corners_[c]) here[c] += point.weight[k];
    for (const auto& [other, position] : position_)
      if ((position - here).lpNorm<Eigen::Infinity>() <= on_edge) return other;
    position_[vertex] = here;
    const auto piece =
        std::max_element(pieces_.begin(), pieces_.end(), [&](const Triple& a, const Triple& b) {
          return within(a, here).minCoeff() < within(b, here).minCoeff();
        });
    const Barycentric inside = within(*piece, here);
    int opposite = 0;
    if (inside.minCoeff(&opposite) > on_edge)
      split_piece(piece, vertex);
    else
      split_side((*piece)[(opposite + 1) % 3], (*piece)[(opposite + 2) % 3], vertex);
    return vertex;
  }

  const std::vector<Triple>& pieces() const { return pieces_; }

 private:
  Barycentric within(const Triple& piece, const Barycentric& point) const {
    Eigen::Matrix3d corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = position_.at(piece[k]);
    return corners.inverse() * point;
  }

  void split_piece(std::vector<Triple>::iterator piece, Index vertex) {
    const auto [a, b, c] = *piece;
    *piece = {a, b, vertex};
    pieces_.push_back({b, c, vertex});
    pieces_.push_back({c, a, vertex});
  }

  void split_side(Index a, Index b, Index vertex) {
    const std::size_t count = pieces_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Triple piece = pieces_[i];
      const auto at_a = std::find(piece.begin(), piece.end(), a),
                 at_b = std::find(piece.begin(), piece.end(), b);
      if (at_a == piece.end() || at_b == piece.end()) continue;
      pieces_[i][at_a - piece.begin()] = vertex;
      pieces_.push_back(piece);
      pieces_.back()[at_b - piece.begin()] = vertex;
    }
  }

  Triple corners_;
  std::map<Index, Barycentric> position_;
  std::vector<Triple> pieces_;
};

bool holds(const Triple& face, const SurfacePoint& point) {
  return std::all_of(point.vertex.begin(), point.vertex.end(),
                     [&](Index corner) { return std::find(face.begin(), face.end(), corner) != face.end(); });
}

Triangles with_pieces(const Triangles& triangles, const std::map<Index, SplitFace>& split) {
  Eigen::Index count = triangles.rows();
  for (const auto& [face, pieces] : split) count += static_cast<Eigen::Index>(pieces.pieces().size()) - 1;
  Triangles result(count, 3);
  result.topRows(triangles.rows()) = triangles;
  Eigen::Index next = triangles.rows();
  for (const auto& [face, pieces] : split)
    for (std::size_t i = 0; i < pieces.pieces().size(); ++i) {
      const auto& [a, b, c] = pieces.pieces()[i];
      result.row(i == 0 ? face : next++) << a, b, c;
    }
  return result;
}

}  // namespace

SurfacePoint normalised(const SurfacePoint& point, Index vertices) {
  std::map<Index, double> weight;
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (point.weight[k] == 0) continue;
    if (point.vertex[k] < 0 || point.vertex[k] >= vertices)
      throw InputError(text("vertex ", point.vertex[k], " is out of range [0, ", vertices, ")"));
    if (!(point.weight[k] >= -on_edge && point.weight[k] < infinity))
      throw InputError(
          text(named(point), " has the weight ", point.weight[k], ": weights must not be negative"));
    weight[point.vertex[k]] += point.weight[k];
    sum += point.weight[k];
  }
  if (!(std::abs(sum - 1) <= sum_tolerance))
    throw InputError(text(named(point), " has weights that sum to ", sum, ": they must sum to one"));
  std::erase_if(weight, [](const auto& one) { return one.second <= on_edge; });
  double kept = 0;
  for (const auto& [vertex, part] : weight) kept += part;
  SurfacePoint result(weight.begin()->first);
  result.weight = {0, 0, 0};
  std::size_t k = 0;
  for (const auto& [vertex, part] : weight) {
    result.vertex[k] = vertex;
    result.weight[k++] = weight.size() == 1 ? 1 : part / kept;
  }
  return result;
}

int corner_count(const SurfacePoint& point) {
  return static_cast<int>(
      std::count_if(point.weight.begin(), point.weight.end(), [](double w) { return w > 0; }));
}

SplitMesh split_at_points(TriangleMesh mesh, std::span<const SurfacePoint> points) {
  SplitMesh result;
  result.original = static_cast<Index>(mesh.points.rows());
  std::map<Index, SplitFace> split;
  Index vertices = result.original;
  for (const SurfacePoint& given : points) {
    const SurfacePoint point = normalised(given, result.original);
    if (corner_count(point) == 1) {
      result.vertex.push_back(point.vertex[0]);
      continue;
    }
    Index vertex = -1;
    for (Index f = 0; f < mesh.triangles.rows(); ++f) {
      const Triple face = {mesh.triangles(f, 0), mesh.triangles(f, 1), mesh.triangles(f, 2)};
      if (holds(face, point)) vertex = split.try_emplace(f, face).first->second.add(point, vertices);
    }
    if (vertex < 0)
      throw InputError(text(named(given), " is not on the surface: its corners are not those of a triangle"));
    result.vertex.push_back(vertex);
    if (vertex < vertices) continue;
    result.added.push_back(point);
    ++vertices;
  }
  result.mesh.triangles = split.empty() ? std::move(mesh.triangles) : with_pieces(mesh.triangles, split);
  result.mesh.points = std::move(mesh.points);
  result.mesh.points.conservativeResize(vertices, 3);
  for (Index v = result.original; v < vertices; ++v) {
    const SurfacePoint point = result.place(v);
    result.mesh.points.row(v).setZero();
    for (int k = 0; k < 3; ++k)
      result.mesh.points.row(v) += point.weight[k] * result.mesh.points.row(point.vertex[k]);
  }
  return result;
}

}  // namespace geodome::internal
