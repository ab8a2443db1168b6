#include "geodome/geodesic/marching/batched_marching.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

/// Each source is marched on its own as far as the centre of its cluster and this many radii beyond: closer
/// than that the sources see the shape in too different orders. Wider near fields save visits, and cost more
/// than these.
constexpr float near_radii = 0.5f;
/// Changes below this fraction of a distance, for each lane of a batch, are not passed on. What is held back
/// adds up along a path: on four scans to three times as much at worst with 64 lanes and to eight times
/// with 16. The fewer the lanes, the wider the cluster, and the more often its distances are corrected.
constexpr float tolerance_of_lane = 2e-6f;
/// Of a bucket's width. Narrower ones visit vertices more nearly in their order, but seldom find anything to
/// fetch ahead.
constexpr float bucket_edges = 0.5f;
/// What is farther away shares the last one.
constexpr float last_bucket = 1 << 20;
/// Dirty vertices of one bucket may make each other dirty again; beyond this they wait for the next sweep.
constexpr int most_rounds = 3;
/// Far more sweeps than were ever seen (about ten): a guard against cycles.
constexpr int most_sweeps = 500;
/// Empty ones take next to no time.
constexpr Index buckets_per_poll = 16;
/// Lanes, and the part of its component that a cluster of this many may take up: seeding wider ones costs
/// more than they save.
struct ClusterSize {
  std::size_t lanes = 0;
  double widest = 0;
};
constexpr ClusterSize all_sizes[] = {{64, 0.02}, {32, 0.03}, {16, 0.1}};

/// Of a run, in single marches, empty lanes and all.
constexpr double cost_of(std::size_t lanes) {
  return 4.5 + 0.07 * static_cast<double>(lanes);
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
    // A disc of twice the area of the largest size that fits, with vertices as dense as in a triangular grid.
    const double per_source = size / static_cast<double>(members.size());
    double wanted = sizes_.back().widest * size;
    for (const ClusterSize& each : sizes_)
      if (2 * per_source * static_cast<double>(each.lanes) < wanted &&
          per_source * static_cast<double>(each.lanes) <= each.widest * size) {
        wanted = 2 * per_source * static_cast<double>(each.lanes);
        break;
      }
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
    // Much the same will be found from the next.
    if (best > 1) radius_ = 1.2f * near_[best - 1].first + stencil_.typical_edge;
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
  }

  /// How many sources a cluster of that size can hold here.
  std::size_t count_within(const ClusterSize& size) {
    std::size_t count = std::min(near_.size(), size.lanes);
    const float widest = distance_of_nearest(static_cast<std::size_t>(size.widest * vertices_));
    while (count > 1 && near_[count - 1].first > widest) --count;
    return count;
  }

  /// How far the march had to go for the `count` nearest vertices; infinite if it reached fewer.
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

/// How many vertices before their turn what they read is fetched: their stars, and the distances.
constexpr std::size_t far_ahead = 6, ahead = 2;

[[gnu::always_inline]] inline void fetch(const void* data, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(data) + at);
}

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
      progress_(stencil.vertices),
      visited_(stencil.vertices),
      inverse_width_(1 / (bucket_edges * stencil.typical_edge)) {
  if (lanes != 16 && lanes != 32 && lanes != 64)
    throw InputError(text("lanes must be 16, 32 or 64, got ", lanes));
}

inline Index BatchedMarcher::bucket_at(float distance) const {
  return static_cast<Index>(std::min(distance * inverse_width_, last_bucket));
}

/// How far the sources are from the middle one, and with that how far each is marched on its own.
void BatchedMarcher::measure_cluster(std::span<const Index> sources) {
  from_centre_.assign(sources.size(), unreached);
  for (float limit = 8 * stencil_->typical_edge;; limit *= 1.5f) {
    marcher_.run(sources[0], limit);
    for (std::size_t lane = 0; lane < sources.size(); ++lane)
      from_centre_[lane] = marcher_.distance(sources[lane]);
    const float radius = *std::max_element(from_centre_.begin(), from_centre_.end());
    if (radius == unreached && limit < unreached) continue;
    near_radius_ = near_radii * radius + 2 * stencil_->typical_edge;
    return;
  }
}

/// Makes room for the distances of a vertex, unless they are there.
inline void BatchedMarcher::reach(Index vertex) {
  if (progress_[vertex].changed) return;
  progress_[vertex].changed = now_;
  std::fill_n(row(vertex), lanes_, unreached);
}

/// The near field, exactly: everything within the near radius of the centre, from each source.
void BatchedMarcher::seed(std::span<const Index> sources) {
  std::fill(progress_.begin(), progress_.end(), Progress{});
  std::fill(visited_.begin(), visited_.end(), 0);
  now_ = 2;
  // The middle one last: what it reaches is the near field.
  for (std::size_t lane = sources.size(); lane-- > 0;) {
    marcher_.run(sources[lane], near_radius_ + from_centre_[lane]);
    for (const Index v : marcher_.reached()) {
      reach(v);
      row(v)[lane] = marcher_.distance(v);
    }
  }
  for (const Index v : marcher_.reached()) {
    visited_[v] = 1;  // by nobody who looked around: when it has to, all of it is new
    progress_[v].place = Progress::visited_in(bucket_at(marcher_.distance(v)), false);
  }
  for (const Index v : marcher_.reached()) {
    queue_neighbours(v);
    // What is beyond the reach of one source, because marches do not quite obey the triangle inequality.
    const float* const end = row(v) + sources.size();
    if (std::find(static_cast<const float*>(row(v)), end, unreached) != end) queue_again(v);
  }
}

/// Neighbours that were not visited yet get their turn by how far they are from the centre, along edges.
void BatchedMarcher::queue_neighbours(Index vertex) {
  alignas(64) std::int32_t buckets[Star::slots];
  const Index own_bucket = progress_[vertex].bucket();
  for (Index s = vertex; s >= 0; s = (*stars_)[s].next) {
    const Star& star = (*stars_)[s];
    unsigned earlier = kernel_->queue(star, progress_.data(), row(vertex)[0], own_bucket, inverse_width_,
                                      last_bucket, buckets);
    for (; earlier; earlier &= earlier - 1) {
      const int slot = std::countr_zero(earlier);
      Progress& other = progress_[star.neighbour[slot]];
      if (other.place <= buckets[slot]) continue;  // it has another slot, along a shorter connection
      other.place = buckets[slot];
      make_bucket(buckets[slot]);
      ahead_[buckets[slot]].push_back(star.neighbour[slot]);
    }
  }
}

inline void BatchedMarcher::make_bucket(Index bucket) {
  if (ahead_.size() > static_cast<std::size_t>(bucket)) return;
  ahead_.resize(bucket + 1);
  dirty_.resize(bucket + 1);
}

inline void BatchedMarcher::queue_again(Index vertex) {
  const Index bucket = progress_[vertex].bucket();
  progress_[vertex].place = Progress::visited_in(bucket, true);
  make_bucket(bucket);
  dirty_[bucket].push_back(vertex);
  ++dirty_count_;
}

/// Takes over what is new around the vertex, which is visited in that bucket. Those that may have to follow
/// have their turn when a sweep passes their bucket.
void BatchedMarcher::update(Index vertex, Index bucket) {
  const std::int32_t last_visit = visited_[vertex];
  progress_[vertex].place = Progress::visited_in(bucket, false);
  visited_[vertex] = ++now_;
  reach(vertex);
  const float tolerance = tolerance_of_lane * static_cast<float>(lanes_);
  std::uint64_t fell = 0;
  for (Index s = vertex; s >= 0; s = (*stars_)[s].next)
    fell |= kernel_->gather((*stars_)[s], progress_.data(), last_visit, lanes_, vertex, tolerance,
                            distances_.data());
  if (!fell) return;
  progress_[vertex].changed = now_;
  for (Index s = vertex; s >= 0; s = (*stars_)[s].next) {
    const Star& star = (*stars_)[s];
    unsigned following = kernel_->followers(star, progress_.data(), lanes_, vertex, fell, distances_.data());
    for (; following; following &= following - 1) {
      const Index other = star.neighbour[std::countr_zero(following)];
      if (progress_[other].awake()) queue_again(other);  // once, however many slots it has
    }
  }
}

/// Brings closer what the vertices after the i-th will read: their stars first, then what these point at.
/// Waiting for it would take most of the time.
[[gnu::always_inline]] inline void BatchedMarcher::prefetch(const std::vector<Index>& vertices,
                                                            std::size_t i) const {
  if (i + far_ahead < vertices.size()) prefetch_star(vertices[i + far_ahead]);
  if (i + ahead < vertices.size()) prefetch_rows(vertices[i + ahead]);
}

[[gnu::always_inline]] inline void BatchedMarcher::prefetch_star(Index vertex) const {
  fetch(&(*stars_)[vertex], sizeof(Star));
}

[[gnu::always_inline]] inline void BatchedMarcher::prefetch_rows(Index vertex) const {
  const Star& star = (*stars_)[vertex];
  for (int slot = 0; slot < star.used; ++slot) {
    // What nobody has reached is not read.
    const Index neighbour = star.neighbour[slot];
    fetch(row(progress_[neighbour].changed ? neighbour : vertex),
          sizeof(float) * static_cast<std::size_t>(lanes_));
  }
}

void BatchedMarcher::sweep_bucket(Index bucket) {
  // Visiting adds to the buckets, this one included, and may move it: it is looked up again every time.
  for (std::size_t i = 0; i < ahead_[bucket].size(); ++i) {
    prefetch(ahead_[bucket], i);
    const Index vertex = ahead_[bucket][i];
    if (progress_[vertex].place != bucket) continue;
    update(vertex, bucket);
    queue_neighbours(vertex);
  }
  ahead_[bucket].clear();
  for (int round = 0; round < most_rounds && !dirty_[bucket].empty(); ++round) {
    round_.swap(dirty_[bucket]);
    dirty_count_ -= round_.size();
    for (std::size_t i = 0; i < round_.size(); ++i) {
      prefetch(round_, i);
      update(round_[i], bucket);
    }
    round_.clear();
  }
}

/// The first ones of a bucket that comes next.
[[gnu::always_inline]] inline void BatchedMarcher::prefetch_bucket(Index bucket) const {
  if (bucket < 0 || bucket >= static_cast<Index>(ahead_.size())) return;
  for (const auto* list : {&ahead_[bucket], &dirty_[bucket]})
    for (std::size_t i = 0; i < std::min(far_ahead, list->size()); ++i) prefetch_star((*list)[i]);
}

void BatchedMarcher::run(std::span<const Index> sources) {
  measure_cluster(sources);
  seed(sources);
  for (Index b = 0; b < static_cast<Index>(ahead_.size()); ++b) {
    prefetch_bucket(b + 1);
    sweep_bucket(b);
    if (b % buckets_per_poll == 0) stop_if_cancelled();
  }
  const auto buckets = static_cast<Index>(ahead_.size());
  // Always all the way back and forth: returning to the lowest dirty bucket at once explodes on wide
  // clusters.
  for (int sweep = 0; sweep < most_sweeps && dirty_count_ > 0; ++sweep)
    for (Index k = 0; k < buckets; ++k) {
      const bool back = sweep % 2 == 0;
      const Index b = back ? buckets - 1 - k : k;
      prefetch_bucket(back ? b - 1 : b + 1);
      sweep_bucket(b);
      if (k % buckets_per_poll == 0) stop_if_cancelled();
    }
  for (auto& bucket : dirty_) bucket.clear();
  dirty_count_ = 0;
}

}  // namespace geodome::internal
