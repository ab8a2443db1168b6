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
    : adjacency_(std::move(adjacency)), workspaces_(std::make_unique<Workspaces>()) {}

DijkstraSolver::~DijkstraSolver() = default;

void DijkstraSolver::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                               const Execution& execution) const {
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != size())
    throw InputError(
        text("the result is ", out.rows(), " by ", out.cols(), ", not ", sources.size(), " by ", size()));
  for (const Index source : sources) require_source(source, size());
  std::vector<DistanceHeap> heaps(static_cast<std::size_t>(thread_count(execution)));
  parallel_for(sources.size(), execution, "geodesic distances", [&](std::size_t s, int thread) {
    const std::span row(out.row(static_cast<Eigen::Index>(s)).data(), static_cast<std::size_t>(size()));
    std::fill(row.begin(), row.end(), infinity);
    lower_distances(adjacency_, sources[s], infinity, row, heaps[thread]);
  });
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
