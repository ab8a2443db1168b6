#pragma once
/// Exact distances from one vertex by propagating windows, and the memory this needs.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/geodesic/halfedge.h"

namespace geodome {

/// An interval [low, high] of a half-edge that straight paths cross on their way into its triangle. In the
/// half-edge's plane they all come from the point (x, -y), y >= 0, the image of a vertex at distance `sigma`.
struct Window {
  double low = 0;
  double high = 0;
  double x = 0;
  double y = 0;
  double sigma = 0;
};

/// The improved Chen–Han algorithm [Chen and Han 1990, Xin and Wang 2009] over a bucket queue of half-edges.
/// A shortest path is straight across every edge, and bends only at vertices with room behind them; windows
/// bundle the straight pieces, and are dropped when a path through a vertex of the last triangle is as short.
///
/// One object serves one thread, for any number of sources one after the other.
/// Cost of a run: time and memory in proportion to the windows, 10 to 150 per vertex of the ball on real
/// meshes, some 50 ns each; 90 bytes per half-edge once.
class WindowPropagation {
 public:
  /// Keeps a reference: the half-edges must outlive this object.
  explicit WindowPropagation(const HalfEdges& edges);

  /// Computes the distances from `source` that are at most `limit`.
  void run(Index source, double limit = infinity);

  /// After a run: the distance of v, exact when at most the limit, else an upper bound, or infinite.
  double distance(Index v) const { return distance_[v]; }

  /// After a run: the vertices of finite distance, each once, in no useful order.
  std::span<const Index> reached() const { return reached_; }

  struct Counts {
    std::int64_t windows = 0;  ///< propagated
    std::int64_t repairs =
        0;  ///< vertices found shorter along edges at the end; zero unless rounding lost a window
  };
  /// Of the last run.
  const Counts& counts() const { return counts_; }

 private:
  /// How the best path so far enters a vertex: from the point (x, -y) in the plane of a half-edge it is apex
  /// of.
  struct Arrival {
    Index half_edge = 0;
    double x = 0;
    double y = 0;
  };
  /// What a half-edge knows: its waiting windows, and the best one that has seen its apex.
  struct Side {
    double best = infinity;    ///< length of the shortest path through this edge to the apex so far
    double crossing = 0;       ///< where that path crosses the edge
    double rooted = infinity;  ///< least sigma of a window whose root lies on the edge itself
    Index waiting = -1;        ///< head of the list of windows, in windows_
    bool queued = false;
    bool touched = false;
  };
  struct Stored {
    Window window;
    Index next = -1;
  };
  struct Bend {
    Index vertex = 0;
    double distance = 0;
  };
  struct Bucket {
    std::vector<Index> half_edges;
    std::vector<Bend> bends;
  };
  /// One of the two sides through which a window leaves its triangle, as seen from the end it shares with the
  /// edge the window came through.
  struct Exit;

  void reset();
  void drain();
  void propagate(Index h, const Window& window);
  void leave(const Exit& exit, double low, double high, double x, const Window& window);
  bool beaten_from_ends(Index base, Index end, double length, const Window& window) const;
  bool beaten_from_third(const Exit& exit, const Window& window) const;
  void store(Index out, Index base, const Window& window);
  bool accept(Index h, Window& window);
  bool accept_rooted(Index h, const Window& window);
  void touch(Index h);
  void enqueue(Index h, const Window& window);
  void reach(Index v, double distance, const Arrival& arrival);
  void relax_edges(Index corner, double distance);
  void emit_all(Index v);
  void emit_shadow(Index v);
  void turn_around(Index v);
  void emit(Index corner, double from, double to, double sigma);
  Bucket& bucket_at(double key);
  void repair();

  const HalfEdges& edges_;
  double limit_ = infinity;
  std::vector<double> distance_;
  std::vector<Arrival> arrival_;
  std::vector<double> turn_;  ///< angle between the arriving direction and that to each neighbour of a vertex
  std::vector<Index> reached_;
  std::vector<Side> sides_;
  std::vector<Index> touched_;
  std::vector<Stored> windows_;
  std::vector<std::vector<Window>> accepted_;  ///< on each half-edge where sheets meet
  Index free_ = -1;
  std::vector<Bucket> buckets_;
  Bucket current_;
  std::int64_t bucket_ = 0;
  std::int64_t pending_ = 0;
  double buckets_per_length_ = 1;
  Counts counts_;
};

}  // namespace geodome
