#include "geodome/geodesic/marching/batch_schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

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
/// How many vertices before their turn what they read is fetched: their stars, and the distances.
constexpr std::size_t far_ahead = 6, ahead = 2;

[[gnu::always_inline]] inline void fetch(const void* data, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(data) + at);
}

}  // namespace

BatchSchedule::BatchSchedule(const Stencil& stencil, const Stars& stars, const MarchingKernel& kernel,
                             int lanes, const BatchTolerances& tolerances)
    : tolerances_(tolerances),
      stencil_(&stencil),
      stars_(&stars),
      kernel_(&kernel),
      lanes_(lanes),
      distances_(static_cast<std::size_t>(stencil.vertices) * lanes),
      progress_(stencil.vertices),
      visited_(stencil.vertices),
      inverse_width_(1 / (bucket_edges * stencil.typical_edge)) {
  if (lanes != 16 && lanes != 32 && lanes != 64)
    throw InputError(text("lanes must be 16, 32 or 64, got ", lanes));
}

inline Index BatchSchedule::bucket_at(float distance) const {
  return static_cast<Index>(std::min(distance * inverse_width_, last_bucket));
}

/// How far the sources are from the middle one, and with that how far each is marched on its own.
void BatchSchedule::measure_cluster(std::span<const Index> sources) {
  from_centre_.assign(sources.size(), unreached);
  for (float limit = 8 * stencil_->typical_edge;; limit *= 1.5f) {
    march(sources[0], limit);
    for (std::size_t lane = 0; lane < sources.size(); ++lane) from_centre_[lane] = marched(sources[lane]);
    const float radius = *std::max_element(from_centre_.begin(), from_centre_.end());
    if (radius == unreached && limit < unreached) continue;
    near_radius_ = tolerances_.near_radii * radius + 2 * stencil_->typical_edge;
    return;
  }
}

/// Makes room for the distances of a vertex, unless they are there.
inline void BatchSchedule::reach(Index vertex) {
  if (progress_[vertex].changed) return;
  progress_[vertex].changed = now_;
  std::fill_n(row(vertex), lanes_, unreached);
}

/// The near field, exactly: everything within the near radius of the centre, from each source.
void BatchSchedule::seed(std::span<const Index> sources) {
  std::fill(progress_.begin(), progress_.end(), Progress{});
  std::fill(visited_.begin(), visited_.end(), 0);
  now_ = 2;
  // The middle one last: what it reaches is the near field.
  for (std::size_t lane = sources.size(); lane-- > 0;) {
    march(sources[lane], near_radius_ + from_centre_[lane]);
    for (const Index v : reached()) {
      reach(v);
      take_label(v, static_cast<int>(lane));
    }
  }
  for (const Index v : reached()) {
    visited_[v] = 1;  // by nobody who looked around: when it has to, all of it is new
    progress_[v].place = Progress::visited_in(bucket_at(marched(v)), false);
  }
  for (const Index v : reached()) {
    queue_neighbours(v);
    // What is beyond the reach of one source, because marches do not quite obey the triangle inequality.
    const float* const end = row(v) + sources.size();
    if (std::find(static_cast<const float*>(row(v)), end, unreached) != end) queue_again(v);
  }
}

/// Neighbours that were not visited yet get their turn by how far they are from the centre, along edges.
void BatchSchedule::queue_neighbours(Index vertex) {
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

inline void BatchSchedule::make_bucket(Index bucket) {
  if (ahead_.size() > static_cast<std::size_t>(bucket)) return;
  ahead_.resize(bucket + 1);
  dirty_.resize(bucket + 1);
}

inline void BatchSchedule::queue_again(Index vertex) {
  const Index bucket = progress_[vertex].bucket();
  progress_[vertex].place = Progress::visited_in(bucket, true);
  make_bucket(bucket);
  dirty_[bucket].push_back(vertex);
  ++dirty_count_;
}

/// Takes over what is new around the vertex, which is visited in that bucket. Those that may have to follow
/// have their turn when a sweep passes their bucket.
void BatchSchedule::update(Index vertex, Index bucket) {
  const std::int32_t last_visit = visited_[vertex];
  progress_[vertex].place = Progress::visited_in(bucket, false);
  visited_[vertex] = ++now_;
  reach(vertex);
  const std::uint64_t fell = gather(vertex, last_visit, tolerances_.of_lane * static_cast<float>(lanes_));
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
[[gnu::always_inline]] inline void BatchSchedule::prefetch(const std::vector<Index>& vertices,
                                                           std::size_t i) const {
  if (i + far_ahead < vertices.size()) prefetch_star(vertices[i + far_ahead]);
  if (i + ahead < vertices.size()) prefetch_rows(vertices[i + ahead]);
}

[[gnu::always_inline]] inline void BatchSchedule::prefetch_star(Index vertex) const {
  fetch(&(*stars_)[vertex], sizeof(Star));
}

[[gnu::always_inline]] inline void BatchSchedule::prefetch_rows(Index vertex) const {
  const Star& star = (*stars_)[vertex];
  for (int slot = 0; slot < star.used; ++slot) {
    // What nobody has reached is not read.
    const Index neighbour = star.neighbour[slot];
    fetch(row(progress_[neighbour].changed ? neighbour : vertex),
          sizeof(float) * static_cast<std::size_t>(lanes_));
  }
}

void BatchSchedule::sweep_bucket(Index bucket) {
  // Visiting adds to the buckets, this one included, and may move it: it is looked up again every time.
  for (std::size_t i = 0; i < ahead_[bucket].size(); ++i) {
    prefetch(ahead_[bucket], i);
    const Index vertex = ahead_[bucket][i];
    if (progress_[vertex].place != bucket) continue;
    update(vertex, bucket);
    if (row(vertex)[0] == unreached) {
      progress_[vertex].place = Progress::nowhere;  // no chord leads here from the neighbour that queued it
      continue;
    }
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
[[gnu::always_inline]] inline void BatchSchedule::prefetch_bucket(Index bucket) const {
  if (bucket < 0 || bucket >= static_cast<Index>(ahead_.size())) return;
  for (const auto* list : {&ahead_[bucket], &dirty_[bucket]})
    for (std::size_t i = 0; i < std::min(far_ahead, list->size()); ++i) prefetch_star((*list)[i]);
}

void BatchSchedule::run(std::span<const Index> sources) {
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
