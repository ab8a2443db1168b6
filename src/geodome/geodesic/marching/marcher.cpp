#include "geodome/geodesic/marching/marcher.h"

#include <algorithm>
#include <bit>

namespace geodome::internal {
namespace {

/// Buckets are this many typical edges wide. Between a quarter and two makes no difference; narrower ones are
/// safer where edges differ much in length.
constexpr float bucket_edges = 0.5f;
/// Longer edges than the ring of buckets is wide are queued too early, which costs time only.
constexpr std::size_t most_buckets = std::size_t{1} << 14;

/// What is farther away shares the last bucket.
constexpr float last_bucket = 1e9f;

/// How many vertices before its turn what a vertex reads is fetched.
constexpr std::size_t ahead = 8;

void prefetch(const Fan& fan) {
  for (std::size_t at = 0; at < sizeof(Fan); at += 64)
    __builtin_prefetch(reinterpret_cast<const char*>(&fan) + at);
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
inline void Marcher::enqueue(Index vertex, float distance) {
  Label& label = labels_[vertex];
  label.signed_distance = distance;
  const auto size = static_cast<std::int32_t>(buckets_.size());
  const auto wanted = static_cast<std::int32_t>(std::min(distance * inverse_width_, last_bucket));
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

void Marcher::take_turns(float limit) {
  alignas(64) float offered[MarchingKernel::most_turns * Fan::slots];
  std::uint64_t closer = kernel_->offer(turns_, turn_count_, limit, labels_.data(), offered);
  turn_count_ = 0;
  for (; closer; closer &= closer - 1) {
    const int at = std::countr_zero(closer);
    const Index vertex = turns_[at / Fan::slots].fan->neighbour[at % Fan::slots];
    // Another of these turns may have offered less.
    if (offered[at] < labels_[vertex].distance()) enqueue(vertex, offered[at]);
  }
}

void Marcher::run(Index source, float limit) {
  for (const Index v : reached()) labels_[v] = {};
  reached_count_ = 0;
  bucket_ = 0;
  enqueue(source, 0);
  const std::size_t mask = buckets_.size() - 1;
  for (; waiting_ > 0; ++bucket_) {
    // Turns may add to the bucket being emptied, and move it, so it is looked up again every time.
    Bucket& bucket = buckets_[bucket_ & mask];
    for (std::size_t i = 0; i < bucket.count; ++i) {
      if (i + ahead < bucket.count) prefetch(stencil_->fans[bucket.vertices[i + ahead]]);
      const Index vertex = bucket.vertices[i];
      Label& label = labels_[vertex];
      --waiting_;
      if (label.bucket == bucket_) {
        label.bucket = Label::not_waiting;
        const float from = label.signed_distance;
        label.signed_distance = -from;
        for (Index f = vertex; f >= 0; f = stencil_->fans[f].next) {
          turns_[turn_count_++] = {&stencil_->fans[f], from};
          if (turn_count_ == MarchingKernel::most_turns) take_turns(limit);
        }
      }
      if (i + 1 == bucket.count && turn_count_ > 0) take_turns(limit);
    }
    bucket.count = 0;
  }
}

}  // namespace geodome::internal
