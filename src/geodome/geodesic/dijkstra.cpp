#include "geodome/geodesic/dijkstra.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

// Wide nodes: a push climbs half the levels of a binary heap, and the four children lie side by side.
constexpr std::size_t arity = 4;

/// Ties by vertex number, so that the order of a search does not depend on the heap's history.
bool before(const Neighbour& a, const Neighbour& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.vertex < b.vertex);
}

/// Tentative distances in buckets as wide as a short edge [Meyer and Sanders 2003]. An entry costs a push to
/// a vector instead of a climb in a heap; a vertex whose distance falls within a bucket is visited again.
/// What remains is the least sum over all paths, rounded edge by edge: the same numbers as with a heap.
class BucketQueue {
 public:
  /// Distances in the queue at any time differ by less than `count - 1` widths.
  void start(double width, std::size_t count) {
    width_ = width;
    buckets_.resize(count);
  }

  void push(Index vertex, double distance) {
    buckets_[static_cast<std::size_t>(static_cast<std::int64_t>(distance / width_) %
                                      static_cast<std::int64_t>(buckets_.size()))]
        .push_back({vertex, distance});
    ++waiting_;
  }

  /// Calls `visit`, which may push, for every entry until none is left, the first bucket's first. Gives up
  /// after `most` entries: then it returns false, and nothing is left either.
  template <typename Visit>
  bool run(std::size_t most, Visit visit) {
    std::size_t visited = 0;
    for (std::size_t at = 0; waiting_ > 0 && visited <= most; at = at + 1 < buckets_.size() ? at + 1 : 0) {
      for (std::size_t i = 0; i < buckets_[at].size() && visited <= most; ++i, ++visited) {
        const Neighbour entry = buckets_[at][i];
        visit(entry);
      }
      waiting_ -= buckets_[at].size();
      buckets_[at].clear();
    }
    if (waiting_ > 0)
      for (auto& bucket : buckets_) bucket.clear();
    waiting_ = 0;
    return visited <= most;
  }

 private:
  double width_ = 1;
  std::size_t waiting_ = 0;
  std::vector<std::vector<Neighbour>> buckets_;
};

/// `distance` is infinite before. Returns false where vertices are visited so often that a heap is faster,
/// which takes an entry per edge at most; `distance` is then of no use.
bool fill_distances(const Adjacency& adjacency, Index source, std::span<double> distance,
                    BucketQueue& queue) {
  distance[source] = 0;
  queue.push(source, 0);
  return queue.run(adjacency.neighbours.size() + 1, [&](const Neighbour& nearest) {
    if (nearest.distance > distance[nearest.vertex]) return;
    for (std::int64_t k = adjacency.offsets[nearest.vertex]; k < adjacency.offsets[nearest.vertex + 1]; ++k) {
      const Index vertex = adjacency.neighbours[k];
      const double length = nearest.distance + adjacency.lengths[k];
      if (!(length < distance[vertex])) continue;
      distance[vertex] = length;
      queue.push(vertex, length);
    }
  });
}

void require_source(Index source, Index size) {
  if (source < 0 || source >= size)
    throw InputError(text("source ", source, " is out of range [0, ", size, ")"));
}

}  // namespace

void DistanceHeap::push(Index vertex, double distance) {
  const Neighbour entry{vertex, distance};
  std::size_t hole = entries_.size();
  entries_.push_back(entry);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / arity;
    if (!before(entry, entries_[parent])) break;
    entries_[hole] = entries_[parent];
    hole = parent;
  }
  entries_[hole] = entry;
}

Neighbour DistanceHeap::pop() {
  const Neighbour top = entries_.front();
  const Neighbour last = entries_.back();
  entries_.pop_back();
  const std::size_t count = entries_.size();
  if (count == 0) return top;
  std::size_t hole = 0;
  while (true) {
    const std::size_t first = hole * arity + 1;
    if (first >= count) break;
    std::size_t best = first;
    for (std::size_t child = first + 1; child < std::min(first + arity, count); ++child)
      if (before(entries_[child], entries_[best])) best = child;
    if (!before(entries_[best], last)) break;
    entries_[hole] = entries_[best];
    hole = best;
  }
  entries_[hole] = last;
  return top;
}

void lower_distances(const Adjacency& adjacency, Index source, double radius, std::span<double> distance,
                     DistanceHeap& heap, std::vector<Index>* lowered) {
  const auto reach = [&](Index vertex, double length) {
    if (!(length <= radius && length < distance[vertex])) return;
    distance[vertex] = length;
    heap.push(vertex, length);
  };
  reach(source, 0);
  while (!heap.empty()) {
    const Neighbour nearest = heap.pop();
    if (nearest.distance > distance[nearest.vertex]) continue;
    if (lowered) lowered->push_back(nearest.vertex);
    for (std::int64_t k = adjacency.offsets[nearest.vertex]; k < adjacency.offsets[nearest.vertex + 1]; ++k)
      reach(adjacency.neighbours[k], nearest.distance + adjacency.lengths[k]);
  }
}

/// Arrays as long as the graph that are clean between uses, handed out to one search at a time.
class DijkstraSolver::Workspaces {
 public:
  struct Workspace {
    std::vector<double> distance;  ///< infinite everywhere between uses
    std::vector<Index> lowered;
    DistanceHeap heap;
  };

  std::unique_ptr<Workspace> take(Index size) {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto workspace = std::move(free_.back());
        free_.pop_back();
        return workspace;
      }
    }
    auto workspace = std::make_unique<Workspace>();
    workspace->distance.assign(static_cast<std::size_t>(size), infinity);
    return workspace;
  }

  void give_back(std::unique_ptr<Workspace> workspace) {
    for (const Index vertex : workspace->lowered) workspace->distance[vertex] = infinity;
    workspace->lowered.clear();
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

DijkstraSolver::DijkstraSolver(Adjacency adjacency)
    : adjacency_(std::move(adjacency)), workspaces_(std::make_unique<Workspaces>()) {
  // Wider buckets visit vertices again; a tenth of the width is no faster.
  constexpr double part = 0.25, most_buckets = 1000;
  double total = 0, longest = 0;
  for (const double length : adjacency_.lengths) {
    total += length;
    longest = std::max(longest, length);
  }
  const double width = part * total / static_cast<double>(adjacency_.lengths.size());
  if (!(width > 0 && longest < most_buckets * width)) return;
  bucket_width_ = width;
  buckets_ = static_cast<std::size_t>(longest / width) + 3;  // one begun at each end, one for rounding
}

DijkstraSolver::~DijkstraSolver() = default;

void DijkstraSolver::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                               const Execution& execution) const {
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != size())
    throw InputError(
        text("the result is ", out.rows(), " by ", out.cols(), ", not ", sources.size(), " by ", size()));
  for (const Index source : sources) require_source(source, size());
  struct Search {
    DistanceHeap heap;
    BucketQueue queue;
  };
  std::vector<Search> searches(static_cast<std::size_t>(thread_count(execution)));
  if (buckets_ > 0)
    for (Search& search : searches) search.queue.start(bucket_width_, buckets_);
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int thread) {
    const std::span row(out.row(static_cast<Eigen::Index>(s)).data(), static_cast<std::size_t>(size()));
    std::fill(row.begin(), row.end(), infinity);
    Search& search = searches[static_cast<std::size_t>(thread)];
    if (buckets_ > 0) {
      if (fill_distances(adjacency_, sources[s], row, search.queue)) return;
      std::fill(row.begin(), row.end(), infinity);
    }
    lower_distances(adjacency_, sources[s], infinity, row, search.heap);
  });
}

SomeRows DijkstraSolver::some_between(std::span<const Index> sources, std::span<const Index> targets,
                                      const Share& share, const Execution& execution) const {
  SomeRows rows;
  std::vector<Index> mine;
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (share.has(s, sources.size())) {
      rows.sources.push_back(s);
      mine.push_back(sources[s]);
    }
  rows.distances = between(mine, targets, execution);
  return rows;
}

std::vector<Neighbour> DijkstraSolver::within(Index source, double radius) const {
  require_source(source, size());
  auto workspace = workspaces_->take(size());
  lower_distances(adjacency_, source, radius, workspace->distance, workspace->heap, &workspace->lowered);
  std::vector<Neighbour> found;
  found.reserve(workspace->lowered.size());
  for (const Index vertex : workspace->lowered) found.push_back({vertex, workspace->distance[vertex]});
  workspaces_->give_back(std::move(workspace));
  return found;
}

}  // namespace geodome::internal
