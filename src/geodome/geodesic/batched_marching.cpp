#include "geodome/geodesic/batched_marching.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "geodome/base/error.h"

namespace geodome {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

/// Each source is marched on its own as far as this many radii of its cluster: closer than that the sources
/// see the shape in too different orders.
constexpr float near_radii = 1;
/// Changes below this fraction of a distance are not passed on.
constexpr float tolerance = 2e-4f;
/// Narrower buckets visit vertices more nearly in their order, and fewer of them twice.
constexpr float bucket_edges = 0.25f;
constexpr std::size_t most_buckets = std::size_t{1} << 20;
/// Dirty vertices of one bucket may make each other dirty again; beyond this they wait for the next sweep.
constexpr int most_rounds = 3;
/// Far more sweeps than were ever seen (about ten): a guard against cycles.
constexpr int most_sweeps = 500;
/// Lanes, and the part of its component that a cluster of so many may take up: seeding wider ones costs more
/// than they save.
struct ClusterSize {
  std::size_t lanes = 0;
  double widest = 0;
};
constexpr ClusterSize all_sizes[] = {{64, 0.01}, {32, 0.016}, {16, 0.1}};

/// Of a run, in single marches, empty lanes and all.
constexpr double cost_of(std::size_t lanes) {
  return 1 + 0.085 * static_cast<double>(lanes);
}

/// Finds clusters one after the other in one component.
class ClusterMaker {
 public:
  ClusterMaker(const Stencil& stencil, const Points& points, const MarchingKernel& kernel,
               std::span<const ClusterSize> sizes)
      : stencil_(stencil),
        points_(points),
        marcher_(stencil, kernel),
        rank_(stencil.vertices, -1),
        sizes_(sizes) {}

  std::vector<std::vector<Index>> divide(std::span<const Index> sources) {
    taken_.assign(sources.size(), 0);
    for (std::size_t s = 0; s < sources.size(); ++s) rank_[sources[s]] = static_cast<Index>(s);
    for (const Index source : sources)
      if (!taken_[rank_[source]]) divide_component(source);
    return std::move(clusters_);
  }

 private:
  void divide_component(Index root) {
    marcher_.run(root);
    const double size = static_cast<double>(marcher_.reached().size());
    std::vector<std::pair<float, Index>> members;
    for (const Index v : marcher_.reached())
      if (rank_[v] >= 0) members.emplace_back(-marcher_.distance(v), v);
    // Outermost first: what remains is then a ball around the root, not a scatter of leftovers.
    std::sort(members.begin(), members.end());
    vertices_ = size;
    // A disc of twice the wanted area, with vertices as dense as in a triangular grid.
    const double per_source = size / static_cast<double>(members.size());
    const double wanted =
        std::min(2 * per_source * static_cast<double>(sizes_.front().lanes), sizes_.back().widest * size);
    radius_ = stencil_.typical_edge * static_cast<float>(std::sqrt(0.28 * wanted));
    for (const auto& [outside, v] : members)
      if (!taken_[rank_[v]]) add_cluster_at(v);
  }

  void add_cluster_at(Index start) {
    find_near(start);
    std::size_t best = 1;
    double least_cost = 1;
    for (const ClusterSize& size : sizes_) {
      const std::size_t count = count_within(size);
      const double cost = cost_of(size.lanes) / static_cast<double>(count);
      if (count < 2 || cost >= least_cost) continue;
      least_cost = cost;
      best = count;
    }
    std::vector<Index> cluster;
    for (std::size_t k = 0; k < best; ++k) {
      cluster.push_back(near_[k].second);
      taken_[rank_[near_[k].second]] = 1;
    }
    put_middle_first(cluster);
    clusters_.push_back(std::move(cluster));
  }

  /// The sources that are left around a vertex, nearest first, at least as many as make a cluster of one
  /// size, unless there are fewer.
  void find_near(Index start) {
    for (float radius = radius_;; radius *= 1.3f) {
      marcher_.run(start, radius);
      near_.clear();
      for (const Index v : marcher_.reached())
        if (rank_[v] >= 0 && !taken_[rank_[v]]) near_.emplace_back(marcher_.distance(v), v);
      const auto reached = static_cast<double>(marcher_.reached().size());
      // Going on is of use to a size that is neither full nor too wide, unless a larger one is full.
      bool enough = true;
      for (const ClusterSize& size : sizes_) {
        if (near_.size() >= size.lanes) break;
        enough &= reached > size.widest * vertices_;
      }
      if (enough) break;
    }
    std::sort(near_.begin(), near_.end());
    // Much the same will be found from the next.
    radius_ = 1.2f * near_[std::min(near_.size(), sizes_.front().lanes) - 1].first + stencil_.typical_edge;
  }

  /// How many sources a cluster of that size can hold here.
  std::size_t count_within(const ClusterSize& size) {
    std::size_t count = std::min(near_.size(), size.lanes);
    const float widest = distance_of_nearest(static_cast<std::size_t>(size.widest * vertices_));
    while (count > 1 && near_[count - 1].first > widest) --count;
    return count;
  }

  /// How far the march had to go for the `count` nearest vertices; infinite if it did not reach so many.
  float distance_of_nearest(std::size_t count) {
    if (marcher_.reached().size() <= count) return unreached;
    distances_.clear();
    for (const Index v : marcher_.reached()) distances_.push_back(marcher_.distance(v));
    std::nth_element(distances_.begin(), distances_.begin() + static_cast<std::ptrdiff_t>(count),
                     distances_.end());
    return distances_[count];
  }

  void put_middle_first(std::vector<Index>& cluster) const {
    Eigen::RowVector3d middle = Eigen::RowVector3d::Zero();
    for (const Index v : cluster) middle += points_.row(v) / static_cast<double>(cluster.size());
    const auto off = [&](Index v) { return (points_.row(v) - middle).squaredNorm(); };
    const auto best =
        std::min_element(cluster.begin(), cluster.end(), [&](Index a, Index b) { return off(a) < off(b); });
    std::swap(*best, cluster.front());
  }

  const Stencil& stencil_;
  const Points& points_;
  Marcher marcher_;
  std::vector<Index> rank_;  // of a vertex among the sources, or -1
  std::vector<char> taken_;  // by rank
  std::vector<std::vector<Index>> clusters_;
  std::vector<float> distances_;
  std::vector<std::pair<float, Index>> near_;  // sources with their distances
  std::span<const ClusterSize> sizes_;         // largest first
  double vertices_ = 0;                        // of the component
  float radius_ = 0;                           // to look for sources in
};

}  // namespace

std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes) {
  const ClusterSize one{static_cast<std::size_t>(lanes), all_sizes[2].widest};
  return ClusterMaker(stencil, points, kernel, lanes == 0 ? std::span(all_sizes) : std::span(&one, 1))
      .divide(sources);
}

BatchedMarcher::BatchedMarcher(const Stencil& stencil, const Stars& stars, const MarchingKernel& kernel,
                               int lanes)
    : stencil_(&stencil),
      stars_(&stars),
      kernel_(&kernel),
      lanes_(lanes),
      marcher_(stencil, kernel),
      distances_(static_cast<std::size_t>(stencil.vertices) * lanes),
      bucket_of_(stencil.vertices),
      state_(stencil.vertices),
      known_(stars.most_neighbours),
      earlier_(stars.most_neighbours) {
  if (lanes != 16 && lanes != 32 && lanes != 64)
    throw InputError(text("lanes is ", lanes, ", not 16, 32 or 64"));
}

/// The march from the middle of the cluster orders the vertices for all of it.
void BatchedMarcher::order_by_centre(std::span<const Index> sources) {
  marcher_.run(sources[0]);
  from_centre_.clear();
  for (const Index source : sources) from_centre_.push_back(marcher_.distance(source));
  near_radius_ =
      near_radii * *std::max_element(from_centre_.begin(), from_centre_.end()) + 2 * stencil_->typical_edge;

  float farthest = 0;
  for (const Index v : marcher_.reached()) farthest = std::max(farthest, marcher_.distance(v));
  const float width =
      std::max(bucket_edges * stencil_->typical_edge, farthest / static_cast<float>(most_buckets));
  const auto bucket_at = [width](float distance) { return static_cast<std::size_t>(distance / width); };
  const std::size_t buckets = bucket_at(farthest) + 1;
  bucket_offsets_.assign(buckets + 1, 0);
  std::fill(bucket_of_.begin(), bucket_of_.end(), -1);
  for (const Index v : marcher_.reached()) {
    bucket_of_[v] = static_cast<Index>(bucket_at(marcher_.distance(v)));
    ++bucket_offsets_[bucket_of_[v] + 1];
  }
  for (std::size_t b = 0; b < buckets; ++b) bucket_offsets_[b + 1] += bucket_offsets_[b];
  order_.resize(bucket_offsets_.back());
  std::vector<std::size_t> next(bucket_offsets_.begin(), bucket_offsets_.end() - 1);
  for (Index v = 0; v < stencil_->vertices; ++v)
    if (bucket_of_[v] >= 0) order_[next[bucket_of_[v]]++] = v;
  if (dirty_.size() < buckets) dirty_.resize(buckets);
  next_unvisited_ = std::min(buckets, bucket_at(near_radius_));
}

/// The near field, exactly: everything within the near radius of the centre, from each source.
void BatchedMarcher::seed(std::span<const Index> sources) {
  std::fill(distances_.begin(), distances_.end(), unreached);
  std::fill(state_.begin(), state_.end(), State::unknown);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {
    marcher_.run(sources[lane], near_radius_ + from_centre_[lane]);
    for (const Index v : marcher_.reached()) {
      distances_[static_cast<std::size_t>(v) * lanes_ + lane] = marcher_.distance(v);
      state_[v] = State::seeded;
    }
  }
  for (std::size_t i = 0; i < bucket_offsets_[next_unvisited_]; ++i) state_[order_[i]] = State::visited;
}

/// Those that may have to follow a change at the vertex: their turn comes when a sweep passes their bucket.
void BatchedMarcher::update(Index vertex) {
  const Star star = stars_->of(vertex);
  int known = 0;
  for (std::int64_t i = 0; i < star.neighbour_count; ++i) {
    known_[known] = static_cast<std::int32_t>(i);
    known += state_[star.neighbours[i].vertex] != State::unknown;
  }
  const std::uint64_t fell = kernel_->gather(star, known_.data(), known, lanes_, vertex, tolerance,
                                             distances_.data(), earlier_.data());
  if (!fell) return;
  for (int k = 0; k < known; ++k) {
    const std::int32_t i = known_[k];
    const Index neighbour = star.neighbours[i].vertex;
    if (state_[neighbour] != State::visited || neighbour == vertex) continue;
    if (!(fell & ~earlier_[i]) && !kernel_->below(row(vertex), row(neighbour), lanes_, fell)) continue;
    state_[neighbour] = State::waiting;
    dirty_[bucket_of_[neighbour]].push_back(neighbour);
    ++dirty_count_;
  }
}

/// Brings what the vertices after order_[i] will read closer: chords first, then what they point at.
void BatchedMarcher::prefetch(std::size_t i) const {
  constexpr std::size_t far_ahead = 6, ahead = 2;
  if (i + far_ahead >= order_.size()) return;
  const auto lines = [](const void* data, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(data) + at);
  };
  const Star soon = stars_->of(order_[i + far_ahead]), next = stars_->of(order_[i + ahead]);
  lines(soon.chords, static_cast<std::size_t>(soon.chord_count) * sizeof(StarChord));
  lines(soon.neighbours, static_cast<std::size_t>(soon.neighbour_count) * sizeof(Neighbouring));
  for (std::int64_t k = 0; k < next.neighbour_count; ++k)
    if (state_[next.neighbours[k].vertex] != State::unknown)
      lines(row(next.neighbours[k].vertex), sizeof(float) * static_cast<std::size_t>(lanes_));
}

void BatchedMarcher::sweep_bucket(std::size_t bucket) {
  if (bucket >= next_unvisited_) {
    next_unvisited_ = bucket + 1;
    for (std::size_t i = bucket_offsets_[bucket]; i < bucket_offsets_[bucket + 1]; ++i) {
      prefetch(i);
      state_[order_[i]] = State::visited;
      update(order_[i]);
    }
  }
  for (int round = 0; round < most_rounds && !dirty_[bucket].empty(); ++round) {
    now_.swap(dirty_[bucket]);
    dirty_count_ -= now_.size();
    for (const Index v : now_) {
      state_[v] = State::visited;
      update(v);
    }
    now_.clear();
  }
}

void BatchedMarcher::run(std::span<const Index> sources) {
  order_by_centre(sources);
  seed(sources);
  const std::size_t buckets = bucket_offsets_.size() - 1;
  for (std::size_t b = next_unvisited_; b < buckets; ++b) sweep_bucket(b);
  // Always all the way back and forth: returning to the lowest dirty bucket at once explodes on wide
  // clusters.
  for (int sweep = 0; sweep < most_sweeps && dirty_count_ > 0; ++sweep)
    for (std::size_t b = 0; b < buckets; ++b) sweep_bucket(sweep % 2 == 0 ? buckets - 1 - b : b);
  for (auto& bucket : dirty_) bucket.clear();
  dirty_count_ = 0;
}

}  // namespace geodome
