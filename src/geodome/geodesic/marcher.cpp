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
      inverse_width_(1 / (bucket_edges * stencil.typical_edge)) {
  const double span = std::min<double>(static_cast<double>(stencil.longest) * inverse_width_, most_buckets);
  buckets_.resize(std::min(most_buckets, std::bit_ceil(static_cast<std::size_t>(span) + 2)));
}

void Marcher::enqueue(Index vertex) {
  Label& label = labels_[vertex];
  const auto size = static_cast<std::int32_t>(buckets_.size());
  const auto wanted = static_cast<std::int32_t>(std::min(label.distance * inverse_width_, last_bucket));
  const std::int32_t bucket = std::clamp(wanted, bucket_, bucket_ + size - 1);
  if (label.bucket == Label::unreached) reached_.push_back(vertex);
  // A vertex that waits in a later bucket is entered again; the later entry is skipped when its turn comes.
  if (label.bucket >= 0 && label.bucket <= bucket) return;
  label.bucket = bucket;
  buckets_[bucket & (size - 1)].push_back(vertex);
  ++waiting_;
}

void Marcher::relax(Index vertex, float limit) {
  Index improved[Fan::slots];
  for (Index f = vertex; f >= 0; f = stencil_->fans[f].next) {
    const Fan& fan = stencil_->fans[f];
    const int found = kernel_->offer(fan, stencil_->rays.data() + fan.first_ray, labels_[vertex].distance,
                                     limit, labels_.data(), improved);
    for (int i = 0; i < found; ++i) enqueue(improved[i]);
  }
}

void Marcher::run(Index source, float limit) {
  for (const Index v : reached_) labels_[v] = {};
  reached_.clear();
  bucket_ = 0;
  labels_[source].distance = 0;
  enqueue(source);
  const std::size_t mask = buckets_.size() - 1;
  for (; waiting_ > 0; ++bucket_) {
    // Relaxing may add to the bucket being emptied, so its size is asked again every time.
    auto& bucket = buckets_[bucket_ & mask];
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      if (i + 8 < bucket.size()) prefetch(&stencil_->fans[bucket[i + 8]], sizeof(Fan));
      if (i + 4 < bucket.size()) {
        const Fan& soon = stencil_->fans[bucket[i + 4]];
        prefetch(stencil_->rays.data() + soon.first_ray, static_cast<std::size_t>(soon.count) * sizeof(Ray));
      }
      const Index vertex = bucket[i];
      --waiting_;
      if (labels_[vertex].bucket != bucket_) continue;
      labels_[vertex].bucket = Label::settled;
      relax(vertex, limit);
    }
    bucket.clear();
  }
}

}  // namespace geodome
