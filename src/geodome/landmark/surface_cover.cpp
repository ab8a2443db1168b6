#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "geodome/geodesic/marching/stencil.h"
#include "geodome/landmark/cover.h"

namespace geodome::internal {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

/// Buckets are half a typical edge wide: much wider ones mix near and far, much narrower ones are mostly
/// empty.
constexpr float buckets_per_edge = 2;
/// An edge longer than the whole ring of buckets is queued too early, which costs time and nothing else.
constexpr std::size_t most_buckets = 1 << 12;

/// How many vertices before its turn what a vertex reads is fetched.
constexpr std::size_t ahead = 4;

/// A surface vertex that no input vertex belongs to is in no component: it cannot be a landmark.
Places surface_places(const Surface& surface) {
  Places places{surface.of_input, std::vector<Index>(surface.component.size(), -1), surface.components};
  for (const Index v : surface.of_input)
    if (v >= 0) places.component[v] = surface.component[v];
  return places;
}

class SurfaceCover : public Cover {
 public:
  SurfaceCover(const Surface& surface, const Execution& execution)
      : Cover(surface_places(surface)),
        scale_(surface.scale),
        stencil_(make_stencil(surface, 1, execution)),
        nearest_(surface.component.size()),
        waiting_(surface.component.size(), 0),
        buckets_per_length_(buckets_per_edge / stencil_.typical_edge) {
    stencil_.forget_chords();  // only those by their ends are needed from here on
    const double ring = std::min<double>(stencil_.longest * buckets_per_length_, most_buckets / 2);
    buckets_.resize(std::bit_ceil(static_cast<std::size_t>(ring) + 2));
  }

  double distance(Index place) const override {
    return scale_ * static_cast<double>(nearest_[place].distance);
  }

  Index landmark(Index place) const override { return nearest_[place].landmark; }

  void add(Index place) override {
    const Index landmark = landmarks_++;
    bucket_ = 0;
    improve(place, {0, landmark});
    for (; queued_ > 0; ++bucket_) {
      // A vertex may come back into the bucket being emptied, so it grows while it is walked through.
      std::vector<Index>& bucket = buckets_[bucket_ % buckets_.size()];
      for (std::size_t i = 0; i < bucket.size(); ++i) {
        if (i + ahead < bucket.size()) prefetch(bucket[i + ahead]);
        const Index vertex = bucket[i];
        waiting_[vertex] = 0;
        --queued_;
        spread(vertex, landmark);
      }
      bucket.clear();
    }
  }

 private:
  struct Nearest {
    float distance = unreached;
    Index landmark = -1;
  };

  void prefetch(Index vertex) const {
    const auto* const fan = reinterpret_cast<const char*>(&stencil_.fans[vertex]);
    for (std::size_t at = 0; at < sizeof(Fan); at += 64) __builtin_prefetch(fan + at);
  }

  void improve(Index vertex, Nearest nearest) {
    nearest_[vertex] = nearest;
    if (waiting_[vertex]) return;
    waiting_[vertex] = 1;
    ++queued_;
    const auto wanted = static_cast<std::size_t>(nearest.distance * buckets_per_length_);
    buckets_[std::clamp(wanted, bucket_, bucket_ + buckets_.size() - 1) % buckets_.size()].push_back(vertex);
  }

  /// Offers the distance of a vertex to all whose stencil it is in. The other end of a chord counts only if
  /// it has its distance from the same landmark: a virtual source fitted to two landmarks would be neither.
  void spread(Index vertex, Index landmark) {
    const float from = nearest_[vertex].distance;
    visit_offers(
        stencil_, vertex, from,
        [&](Index other) {
          return nearest_[other].landmark == landmark ? nearest_[other].distance : unreached;
        },
        [&](Index target) { return nearest_[target].distance > from; },
        [&](Index target, float offered) {
          if (offered < nearest_[target].distance) improve(target, {offered, landmark});
        });
  }

  double scale_;
  Stencil stencil_;
  std::vector<Nearest> nearest_;             // by place
  std::vector<char> waiting_;                // in a bucket
  std::vector<std::vector<Index>> buckets_;  // a ring: bucket b is buckets_[b % size]
  float buckets_per_length_;
  std::size_t bucket_ = 0;  // the one being emptied
  std::size_t queued_ = 0;
  Index landmarks_ = 0;
};

}  // namespace

std::unique_ptr<Cover> make_surface_cover(const Surface& surface, const Execution& execution) {
  return std::make_unique<SurfaceCover>(surface, execution);
}

}  // namespace geodome::internal
