#include <algorithm>
#include <utility>

#include "geodome/geodesic/workspace_pool.h"
#include "geodome/matrix/local_search.h"
#include "geodome/matrix/near_shape.h"

namespace geodome::internal {
namespace {

double no_rest(Index) {
  return 0;
}

class NearEdges final : public NearShape {
 public:
  explicit NearEdges(Adjacency adjacency) : adjacency_(std::move(adjacency)) {}

  std::vector<Neighbour> within(Index source, double radius) const override {
    std::vector<Neighbour> found;
    search(source, radius, [&](Index vertex, double distance) {
      found.push_back({vertex, distance});
      return false;
    });
    return found;
  }

  void distances(Index source, std::span<const Index> targets, double radius,
                 std::span<double> out) const override {
    std::vector<std::pair<Index, std::size_t>> wanted;
    for (std::size_t k = 0; k < targets.size(); ++k) wanted.emplace_back(targets[k], k);
    std::sort(wanted.begin(), wanted.end());
    std::fill(out.begin(), out.end(), infinity);
    std::size_t left = targets.size();
    search(source, radius, [&](Index vertex, double distance) {
      auto one = std::lower_bound(wanted.begin(), wanted.end(), std::pair(vertex, std::size_t{0}));
      for (; one != wanted.end() && one->first == vertex; ++one) {
        out[one->second] = distance;
        --left;
      }
      return left == 0;
    });
  }

  double radius_of(Index source, Index count, double most) const override {
    Index settled = -1;
    double radius = infinity;
    bool cut = false;
    search(source, infinity, [&](Index, double distance) {
      cut = distance > most;
      if (cut) return true;
      radius = distance;
      return ++settled == count;
    });
    return cut ? infinity : radius;
  }

  /// A graph has no points between its vertices.
  std::optional<double> distance(const SurfacePoint&, const SurfacePoint&, double) const override {
    return {};
  }

 private:
  template <typename Settle>
  void search(Index source, double radius, Settle settle) const {
    auto local = pool_.borrow();
    local->run(
        source, radius,
        [&](Index v, auto visit) {
          for (std::int64_t k = adjacency_.offsets[v]; k < adjacency_.offsets[v + 1]; ++k)
            visit(adjacency_.neighbours[k], adjacency_.lengths[k]);
        },
        no_rest, settle);
  }

  Adjacency adjacency_;
  WorkspacePool<LocalSearch> pool_;
};

}  // namespace

std::unique_ptr<const NearShape> near_edges(Adjacency adjacency) {
  return std::make_unique<const NearEdges>(std::move(adjacency));
}

}  // namespace geodome::internal
