#pragma once
/// Exact distances from one vertex by propagating windows, and the memory this needs.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/geodesic/exact/halfedge.h"
#include "geodome/geodesic/exact/windows_kernel.h"

namespace geodome::internal {

/// The improved Chen–Han algorithm [Chen and Han 1990, Xin and Wang 2009] over a bucket queue of half-edges.
/// A shortest path is straight across every edge, and bends only at vertices with room behind them; windows
/// bundle the straight pieces, and are dropped when a path through a vertex of the last triangle is as short.
/// On edges of slivers, and of more than two triangles, they are also compared with each other, as Mitchell,
/// Mount and Papadimitriou (1987) do everywhere: at the tip of a needle of angle w they would wind around it
/// 1 / w times before a vertex tells which is shorter.
///
/// The number of windows of a run is bounded by about a hundred times that of a sphere with as many faces,
/// which no mesh comes near unless faces of extreme aspect ratio make rounding multiply them. Where the bound
/// ends a run, distances are those of the paths found so far and their continuations along edges: upper
/// bounds.
///
/// One object serves one thread, for any number of sources one after the other.
/// Cost of a run: time and memory in proportion to the windows, 10 to 150 per vertex of the ball on real
/// meshes, some 50 ns each; 90 bytes per half-edge once.
class WindowPropagation {
 public:
  /// Keeps a reference: the half-edges must outlive this object.
  explicit WindowPropagation(const HalfEdges& edges);

  /// Computes the distances from `source` that are at most `limit`. Inside a parallel_for it can be
  /// cancelled; after an exception this object must not be used again.
  void run(Index source, double limit = infinity);

  /// The same up to the farthest of these targets.
  void run_to(Index source, std::span<const Index> targets);

  /// After a run: the distance of v, exact when at most the limit, else an upper bound, or infinite.
  double distance(Index v) const { return distance_[v]; }

  /// How the best path enters a vertex: from the point (x, -y) in the plane of a half-edge it is apex of.
  struct Arrival {
    Index half_edge = 0;
    double x = 0;
    double y = 0;
  };
  /// After a run: of a vertex other than the source whose distance is exact.
  const Arrival& arrival(Index v) const { return arrival_[v]; }

  /// After a run: the half-edge from whose triangle the paths of `window`, which came over half-edge h of an
  /// edge of more than two triangles, came to it; -1 if there is no such window.
  Index came_from(Index h, const Window& window) const;

  /// After a run: the vertices of finite distance, each once, in no useful order.
  std::span<const Index> reached() const { return reached_; }

  struct Counts {
    std::int64_t windows = 0;  ///< propagated
    std::int64_t repairs =
        0;  ///< vertices found shorter along edges at the end; zero unless rounding lost a window
    bool complete = true;  ///< false where the bound on windows ended the run
  };
  /// Of the last run.
  const Counts& counts() const { return counts_; }

 private:
  /// What a half-edge has seen.
  struct alignas(32) Side {
    double best = infinity;  ///< length of the shortest path through this edge to the apex so far
    double crossing = 0;     ///< where that path crosses the edge
    bool touched = false;
  };
  /// A window measured from the smaller end of its edge, the half-edge it came to, and the one of the
  /// triangle it came from.
  struct Accepted {
    Window window;
    Index half_edge = 0;
    Index from = 0;
  };
  /// Windows that wait on the same half-edge, a few together: reading them one by one from all over the
  /// memory would take most of the time.
  struct alignas(64) Block {
    static constexpr int most = 6;
    Window windows[most];
    Index count = 0;
    Index next = -1;  ///< the block with further windows of the half-edge
  };
  struct Bend {
    Index vertex = 0;
    double distance = 0;
  };
  struct Bucket {
    std::vector<Index> half_edges;
    std::vector<Bend> bends;
  };
  void reset();
  void start(Index source);
  void drain();
  void limit_to_targets();
  void abandon();
  void prefetch(Index h) const;
  void propagate(Index h);
  void pass(Index h);
  void store(Index out, bool from_a, const Window& window);
  bool accept(Index h, Index from, Window& window);
  void touch(Index h);
  void enqueue(Index h, const Window& window);
  void reach(Index v, double distance, const Arrival& arrival);
  Arrival along_to_a(Index corner) const;
  Arrival along_to_b(Index corner) const;
  void relax_edges(Index corner, double distance);
  void emit_all(Index v);
  void emit_shadow(Index v);
  double straight(const Arrival& arrival) const;
  double direction_error(Index v) const;
  double turn_from_a(const Arrival& arrival) const;
  void turn_around(Index v);
  void emit(Index corner, double from, double to, double sigma);
  Bucket& bucket_at(double key);
  void repair();

  const HalfEdges& edges_;
  double limit_ = infinity;
  std::vector<Index> targets_;  ///< of run_to
  std::size_t unreached_ = 0;   ///< all targets from here on have a path
  LargeVector<double> distance_;
  LargeVector<Arrival> arrival_;
  std::vector<double> turn_;  ///< angle between the arriving direction and that to each neighbour of a vertex
  std::vector<Index> reached_;
  LargeVector<Side> sides_;
  LargeVector<Index>
      waiting_;  ///< the first block of each half-edge with windows: it is queued, too; else -1
  std::vector<Index> touched_;
  LargeVector<Block> blocks_;
  std::vector<std::vector<Accepted>> accepted_;  ///< on each edge with a `crossing`
  Index free_ = -1;
  std::int64_t most_windows_;
  std::vector<Bucket> buckets_;
  Bucket current_;
  Bundle bundle_;
  Bundle children_;
  std::int64_t bucket_ = 0;
  std::int64_t pending_ = 0;
  double buckets_per_length_ = 1;
  Counts counts_;
};

}  // namespace geodome::internal
