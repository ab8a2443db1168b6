#include "geodome/shape/resample/decimate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/edge_table.h"
#include "geodome/shape/resample/collapse_mesh.h"
#include "geodome/shape/resample/quadric.h"
#include "geodome/shape/resample/sound_face.h"

namespace geodome::internal {
namespace {

using Eigen::Vector3d;
using Place = CollapseMesh::Place;

/// Pull of a merged vertex towards the middle of its edge, relative to the planes that place it: enough to
/// make the place unique on flat and cylindrical parts, too little to round off corners visibly.
constexpr double hold = 1e-3;

struct Candidate {
  double cost;
  Index a, b;
  unsigned stamp;  ///< of both ends together when the cost was computed
};

/// Heap order: the cheapest on top; ties by index, so that the result is unique.
bool is_worse(const Candidate& x, const Candidate& y) {
  if (x.cost != y.cost) return x.cost > y.cost;
  return std::pair(x.a, x.b) > std::pair(y.a, y.b);
}

class Decimator {
 public:
  Decimator(const TriangleMesh& mesh, const DecimateOptions& options)
      : Decimator(mesh, options, find_edges(mesh)) {}

  void run(Index target, const Execution& execution) {
    const Index start = surface_.vertices();
    // An edge that was refused may become possible when its surroundings have changed: try until nothing
    // changes.
    for (Index before = 0; surface_.vertices() > target && surface_.vertices() != before;) {
      before = surface_.vertices();
      fill_heap();
      while (surface_.vertices() > target && !heap_.empty()) {
        const Index left = surface_.vertices();
        if (left % 4096 == 0)
          execution.report("decimate", double(start - left) / std::max(1, start - target));
        std::pop_heap(heap_.begin(), heap_.end(), is_worse);
        const Candidate best = heap_.back();
        heap_.pop_back();
        try_collapse(best);
      }
    }
    execution.report("decimate", 1);
  }

  Decimated result() const {
    Decimated out;
    std::vector<Index> renumbered(input_.points.rows(), -1);
    for (Index v = 0; v < input_.points.rows(); ++v) {
      if (surface_.place(v) == Place::unused) continue;
      renumbered[v] = static_cast<Index>(out.origin.size());
      out.origin.push_back(v);
    }
    out.mesh.points.resize(static_cast<Eigen::Index>(out.origin.size()), 3);
    for (std::size_t k = 0; k < out.origin.size(); ++k) {
      const Index v = out.origin[k];
      if (moved_[v]) {
        out.mesh.points.row(static_cast<Eigen::Index>(k)) = (points_[v] * scale_ + centre_).transpose();
      } else {
        out.mesh.points.row(static_cast<Eigen::Index>(k)) = input_.points.row(v);
      }
    }
    out.mesh.triangles = surface_.triangles();
    for (Index& corner : out.mesh.triangles.reshaped()) corner = renumbered[corner];
    return out;
  }

 private:
  /// The edges are looked at first: they also check that every corner is a vertex.
  Decimator(const TriangleMesh& mesh, const DecimateOptions& options, const EdgeTable& edges)
      : input_(mesh), options_(options), surface_(mesh) {
    normalise();
    stamps_.assign(mesh.points.rows(), 0);
    moved_.assign(mesh.points.rows(), false);
    add_face_planes();
    add_boundary_planes(edges);
  }

  /// Works in a box of size one around the origin, where no product of coordinates overflows or vanishes.
  void normalise() {
    if (!input_.points.allFinite()) throw InputError("cannot decimate: a coordinate is not a finite number");
    const Vector3d low = input_.points.colwise().minCoeff(), high = input_.points.colwise().maxCoeff();
    centre_ = low / 2 + high / 2;
    scale_ = (high / 2 - low / 2).maxCoeff();
    if (!(scale_ > 0)) scale_ = 1;
    points_.resize(input_.points.rows());
    for (std::size_t v = 0; v < points_.size(); ++v) {
      points_[v] = (input_.points.row(static_cast<Eigen::Index>(v)).transpose() - centre_) / scale_;
    }
  }

  Vector3d doubled_area_normal(const Index* face) const {
    return Corners{points_[face[0]], points_[face[1]], points_[face[2]]}.doubled_area_normal();
  }

  void add_face_planes() {
    quadrics_.resize(points_.size());
    for (Eigen::Index f = 0; f < input_.triangles.rows(); ++f) {
      const Index* face = input_.triangles.row(f).data();
      const Vector3d normal = doubled_area_normal(face);
      const double length = normal.norm();
      if (!(length > 0)) continue;
      for (int k = 0; k < 3; ++k) quadrics_[face[k]].add_plane(normal / length, points_[face[k]], length / 6);
    }
  }

  /// A plane through each boundary edge, upright on its face, keeps the boundary from shrinking.
  void add_boundary_planes(const EdgeTable& edges) {
    for (Eigen::Index c = 0; c < input_.triangles.size(); ++c) {
      if (edges.faces_on_edge[edges.edge_of_corner[c]] != 1) continue;
      const Index* face = input_.triangles.row(c / 3).data();
      const Index a = face[c % 3], b = face[(c + 1) % 3];
      const Vector3d along = points_[b] - points_[a];
      const Vector3d upright = along.cross(doubled_area_normal(face));
      const double length = upright.norm();
      if (!(length > 0)) continue;
      const double weight = options_.boundary_weight * along.squaredNorm();
      for (Index v : {a, b}) quadrics_[v].add_plane(upright / length, points_[a], weight);
    }
  }

  struct Merge {
    Vector3d point;
    double cost;
  };

  Merge merge(Index a, Index b) const {
    Quadric both = quadrics_[a];
    both += quadrics_[b];
    const bool a_bound = surface_.place(a) == Place::boundary, b_bound = surface_.place(b) == Place::boundary;
    Vector3d point;
    if (a_bound != b_bound) {
      point = points_[a_bound ? a : b];  // the boundary does not move for an inner vertex
    } else {
      point = both.minimiser((points_[a] + points_[b]) / 2, hold);
    }
    return {point, both(point) + options_.uniformity * both.weight * (points_[a] - points_[b]).squaredNorm()};
  }

  Candidate candidate(Index a, Index b) const {
    if (a > b) std::swap(a, b);
    return {merge(a, b).cost, a, b, stamps_[a] + stamps_[b]};
  }

  void fill_heap() {
    heap_.clear();
    for (Index v = 0; v < static_cast<Index>(points_.size()); ++v) {
      surface_.for_each_neighbour(v, [&](Index w) {
        if (v < w) heap_.push_back(candidate(v, w));
      });
    }
    std::make_heap(heap_.begin(), heap_.end(), is_worse);
  }

  /// Whether the faces of v that survive (those without `other`) stay upright and fat enough with v at
  /// `point`.
  bool keeps_faces_sound(Index v, Index other, const Vector3d& point) const {
    for (Index f : surface_.faces(v)) {
      const Index* face = surface_.face(f);
      Corners before, after;
      bool vanishes = false;
      for (int k = 0; k < 3; ++k) {
        vanishes |= face[k] == other;
        before[k] = points_[face[k]];
        after[k] = face[k] == v ? point : before[k];
      }
      if (!vanishes && !stays_sound(before, after)) return false;
    }
    return true;
  }

  /// The best place for the merged vertex, or else the first of middle and ends that leaves all faces sound.
  bool find_sound_point(Index a, Index b, Vector3d& point) const {
    const bool free = (surface_.place(a) == Place::boundary) == (surface_.place(b) == Place::boundary);
    const Vector3d places[] = {merge(a, b).point, (points_[a] + points_[b]) / 2, points_[a], points_[b]};
    for (int k = 0; k < (free ? 4 : 1); ++k) {
      point = places[k];
      if (keeps_faces_sound(a, b, point) && keeps_faces_sound(b, a, point)) return true;
    }
    return false;
  }

  void try_collapse(const Candidate& best) {
    const Index a = best.a, b = best.b;
    if (surface_.place(a) == Place::unused || surface_.place(b) == Place::unused) return;
    if (best.stamp != stamps_[a] + stamps_[b]) return;
    if (!surface_.can_collapse(a, b)) return;
    Vector3d point;
    if (!find_sound_point(a, b, point)) return;
    surface_.collapse(a, b);
    points_[a] = point;
    moved_[a] = true;
    quadrics_[a] += quadrics_[b];
    // Larger than either end's stamp, so that no earlier candidate of a or b matches again.
    stamps_[a] += stamps_[b] + 1;
    surface_.for_each_neighbour(a, [&](Index w) {
      heap_.push_back(candidate(a, w));
      std::push_heap(heap_.begin(), heap_.end(), is_worse);
    });
  }

  const TriangleMesh& input_;
  DecimateOptions options_;
  CollapseMesh surface_;
  Vector3d centre_;
  double scale_ = 1;
  std::vector<Vector3d> points_;
  std::vector<Quadric> quadrics_;
  std::vector<unsigned> stamps_;
  std::vector<bool> moved_;
  std::vector<Candidate> heap_;
};

}  // namespace

Decimated decimate(const TriangleMesh& mesh, Index vertices, const DecimateOptions& options,
                   const Execution& execution) {
  if (vertices < 4) throw InputError(text("cannot decimate to ", vertices, " vertices: use at least 4"));
  if (mesh.triangles.rows() == 0) throw InputError("cannot decimate a mesh without faces");
  Decimator decimator(mesh, options);
  decimator.run(vertices, execution);
  Decimated out = decimator.result();
  const auto left = static_cast<Index>(out.origin.size());
  if (left > vertices) {
    out.note = text(left, " vertices remain instead of ", vertices,
                    ": fewer would change the topology, flip triangles or modify non-manifold parts");
  } else if (left < vertices) {
    out.note = text("the mesh has only ", left, " vertices with faces: no edge was collapsed");
  }
  return out;
}

}  // namespace geodome::internal
