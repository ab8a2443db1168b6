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
/// A cluster may take up this part of its component. Seeding wider ones costs more than they save.
constexpr double widest_cluster = 0.1;
/// Fewer sources than this part of the lanes are better marched one by one.
constexpr double least_company = 0.25;

/// Finds clusters one after the other in one component.
class ClusterMaker {
 public:
  ClusterMaker(const Stencil& stencil, const Points& points, const MarchingKernel& kernel, int lanes)
      : stencil_(stencil),
        points_(points),
        marcher_(stencil, kernel),
        rank_(stencil.vertices, -1),
        lanes_(static_cast<std::size_t>(lanes)) {}

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
    const double per_source = size / static_cast<double>(members.size());
    most_reached_ = static_cast<std::size_t>(widest_cluster * size);
    // A disc of twice the wanted area, with vertices as dense as in a triangular grid.
    const double wanted = std::min(2 * per_source * static_cast<double>(lanes_), widest_cluster * size);
    radius_ = stencil_.typical_edge * static_cast<float>(std::sqrt(0.28 * wanted));
    for (const auto& [outside, v] : members)
      if (!taken_[rank_[v]]) add_cluster_at(v);
  }

  void add_cluster_at(Index start) {
    std::vector<std::pair<float, Index>> found;
    for (float radius = radius_;; radius *= 1.3f) {
      marcher_.run(start, radius);
      found.clear();
      for (const Index v : marcher_.reached())
        if (rank_[v] >= 0 && !taken_[rank_[v]]) found.emplace_back(marcher_.distance(v), v);
      if (found.size() >= lanes_ || marcher_.reached().size() > most_reached_) break;
    }
    std::sort(found.begin(), found.end());
    if (found.size() > lanes_) found.resize(lanes_);
    const float widest = distance_of_nearest(most_reached_);
    while (found.size() > 1 && found.back().first > widest) found.pop_back();
    if (static_cast<double>(found.size()) < least_company * static_cast<double>(lanes_)) found.resize(1);
    std::vector<Index> cluster;
    for (const auto& [distance, v] : found) {
      cluster.push_back(v);
      taken_[rank_[v]] = 1;
    }
    put_middle_first(cluster);
    clusters_.push_back(std::move(cluster));
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
  std::size_t lanes_;
  std::size_t most_reached_ = 0;
  float radius_ = 0;
};

}  // namespace

std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes) {
  return ClusterMaker(stencil, points, kernel, lanes).divide(sources);
}

int lanes_for(std::size_t sources) {
  if (sources < 64) return 1;
  if (sources < 2500) return 16;
  return sources < 8000 ? 32 : 64;
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
      visited_(stencil.vertices),
      waiting_(stencil.vertices),
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
  std::fill(visited_.begin(), visited_.end(), 0);
  std::fill(waiting_.begin(), waiting_.end(), 0);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {
    marcher_.run(sources[lane], near_radius_ + from_centre_[lane]);
    for (const Index v : marcher_.reached())
      distances_[static_cast<std::size_t>(v) * lanes_ + lane] = marcher_.distance(v);
  }
  for (std::size_t i = 0; i < bucket_offsets_[next_unvisited_]; ++i) visited_[order_[i]] = 1;
}

/// Those that may have to follow a change at the vertex: their turn comes when a sweep passes their bucket.
void BatchedMarcher::update(Index vertex) {
  const Star star = stars_->of(vertex);
  const std::uint64_t fell =
      kernel_->gather(star, lanes_, vertex, tolerance, distances_.data(), earlier_.data());
  if (!fell) return;
  for (std::int64_t i = 0; i < star.neighbour_count; ++i) {
    const Index neighbour = star.neighbours[i].vertex;
    if (!visited_[neighbour] || waiting_[neighbour] || neighbour == vertex) continue;
    if (!(fell & ~earlier_[i]) && !kernel_->below(row(vertex), row(neighbour), lanes_, fell)) continue;
    waiting_[neighbour] = 1;
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
    lines(row(next.neighbours[k].vertex), sizeof(float) * static_cast<std::size_t>(lanes_));
}

void BatchedMarcher::sweep_bucket(std::size_t bucket) {
  if (bucket >= next_unvisited_) {
    next_unvisited_ = bucket + 1;
    for (std::size_t i = bucket_offsets_[bucket]; i < bucket_offsets_[bucket + 1]; ++i) {
      prefetch(i);
      visited_[order_[i]] = 1;
      update(order_[i]);
    }
  }
  for (int round = 0; round < most_rounds && !dirty_[bucket].empty(); ++round) {
    now_.swap(dirty_[bucket]);
    dirty_count_ -= now_.size();
    for (const Index v : now_) {
      waiting_[v] = 0;
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
