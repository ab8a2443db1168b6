#pragma once
/// Coarser meshes whose vertices are vertices of the mesh they are made from.
///
///   HalfEdgeCollapse collapse(points, triangles, keep);
///   collapse.reduce_to(points.rows() / 4);
///   const Triangles coarse = collapse.triangles();   // between the vertices with collapse.has(v)

#include <cstdint>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/resample/collapse_mesh.h"
#include "geodome/shape/resample/quadric.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Moves vertices onto neighbours, those first whose surroundings move least by that (quadrics [Garland and
/// Heckbert 1997]), and never those to keep. As decimate.h it changes neither the topology (components,
/// boundary loops, genus) nor non-manifold parts, turns no triangle over and makes no needle; a boundary is
/// moved along itself only. Deterministic. Cost: O(n log n) time, about 4 microseconds for each vertex that
/// goes; 250 bytes per vertex.
class HalfEdgeCollapse {
 public:
  /// `keep` (#V): nonzero for vertices that must stay. The points must outlive it; corners must be in range,
  /// and coordinates finite and of ordinary size.
  HalfEdgeCollapse(const Points& points, const Triangles& triangles, std::vector<char> keep);

  /// Goes on until so many vertices have a face, or no further one can go.
  void reduce_to(Index vertices, const Execution& execution = {});

  Index vertices() const { return mesh_.vertices(); }
  bool has(Index v) const { return mesh_.place(v) != CollapseMesh::Place::unused; }
  /// Those that are left, by the numbers of all vertices.
  Triangles triangles() const { return mesh_.triangles(); }

 private:
  struct Candidate {
    float cost;
    Index vertex;
  };
  /// Of the candidate of a vertex: there is none; its cost is known; it was, before a neighbour changed.
  enum class State : char { none, known, outdated };

  static bool is_later(const Candidate& x, const Candidate& y);
  Eigen::Vector3d point(Index v) const { return points_.row(v).transpose() - centre_; }
  void add_planes(const Triangles& triangles);
  void add_boundary_planes(Index v);
  bool find_target(Index v, float& cost);
  bool leaves_faces_sound(Index v, Index onto) const;
  void put(Candidate candidate);
  Candidate take();
  void outdate(Index v);

  const Points& points_;
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  CollapseMesh mesh_;
  std::vector<char> keep_;
  std::vector<Quadric> quadrics_;  ///< of the vertices that went into each
  std::vector<State> state_;
  std::vector<Index> target_;    ///< where each would go
  std::vector<Candidate> heap_;  ///< the cheapest on top
  std::vector<Candidate> ring_;  ///< neighbours of a vertex that it might go to
};

}  // namespace geodome::internal
