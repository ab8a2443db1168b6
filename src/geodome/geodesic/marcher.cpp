#include "geodome/geodesic/marcher.h"

#include <algorithm>
#include <bit>

namespace geodome {
namespace {

/// Buckets are this many typical edges wide. Between a quarter and two makes no difference; narrower ones are
/// safer where edges differ much in length.
constexpr float bucket_edges = 0.5f;
/// Longer edges than the ring of buckets is wide are queued too early, which costs time only.
constexpr std::size_t most_buckets = std::size_t{1} << 14;

/// What is farther away shares the last bucket.
constexpr float last_bucket = 1e9f;

void prefetch(const void* data, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(data) + at);
}

}  // namespace

Marcher::Marcher(const Stencil& stencil, const MarchingKernel& kernel)
    : stencil_(&stencil),
      kernel_(&kernel),
      labels_(stencil.vertices),
      reached_(static_cast<std::size_t>(stencil.vertices) + 1),
      inverse_width_(1 / (bucket_edges * stencil.typical_edge)) {
  const double span = std::min<double>(static_cast<double>(stencil.longest) * inverse_width_, most_buckets);
  buckets_.resize(std::min(most_buckets, std::bit_ceil(static_cast<std::size_t>(span) + 2)));
}

/// Without branches where they would be unpredictable: waiting for a wrong guess takes longer than the work.
inline void Marcher::enqueue(Index vertex) {
  Label& label = labels_[vertex];
  const auto size = static_cast<std::int32_t>(buckets_.size());
  const auto wanted = static_cast<std::int32_t>(std::min(label.distance * inverse_width_, last_bucket));
  const std::int32_t at = std::clamp(wanted, bucket_, bucket_ + size - 1);
  reached_[reached_count_] = vertex;
  reached_count_ += label.bucket == Label::unreached;
  // A vertex that waits in a later bucket is entered again; the later entry is skipped when its turn comes.
  const bool enter = (label.bucket < 0) | (label.bucket > at);
  label.bucket = enter ? at : label.bucket;
  Bucket& bucket = buckets_[at & (size - 1)];
  bucket.vertices[bucket.count] = vertex;
  bucket.count += enter;
  waiting_ += enter;
  if (bucket.count == bucket.vertices.size()) bucket.vertices.resize(2 * bucket.count);
}

void Marcher::relax(Index vertex, float limit) {
  Index improved[Fan::slots];
  for (Index f = vertex; f >= 0; f = stencil_->fans[f].next) {
    const Fan& fan = stencil_->fans[f];
    const int found = kernel_->offer(fan, stencil_->rays.data() + fan.first_group, labels_[vertex].distance,
                                     limit, labels_.data(), improved);
    for (int i = 0; i < found; ++i) enqueue(improved[i]);
  }
}

void Marcher::run(Index source, float limit) {
  for (const Index v : reached()) labels_[v] = {};
  reached_count_ = 0;
  bucket_ = 0;
  labels_[source].distance = 0;
  enqueue(source);
  const std::size_t mask = buckets_.size() - 1;
  for (; waiting_ > 0; ++bucket_) {
    // Relaxing may add to the bucket being emptied, and move it, so it is asked again every time.
    Bucket& bucket = buckets_[bucket_ & mask];
    for (std::size_t i = 0; i < bucket.count; ++i) {
      if (i + 8 < bucket.count) prefetch(&stencil_->fans[bucket.vertices[i + 8]], sizeof(Fan));
      if (i + 4 < bucket.count) {
        const Fan& soon = stencil_->fans[bucket.vertices[i + 4]];
        const auto groups = static_cast<std::size_t>((soon.count + Rays::lanes - 1) / Rays::lanes);
        prefetch(stencil_->rays.data() + soon.first_group, groups * sizeof(Rays));
      }
      const Index vertex = bucket.vertices[i];
      --waiting_;
      if (labels_[vertex].bucket != bucket_) continue;
      labels_[vertex].bucket = Label::settled;
      relax(vertex, limit);
    }
    bucket.count = 0;
  }
}

}  // namespace geodome
