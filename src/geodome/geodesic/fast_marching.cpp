#include "geodome/geodesic/fast_marching.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

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

/// A workspace on loan: taken from the idle ones or made, and given back.
class FastMarching::Lease {
 public:
  explicit Lease(const FastMarching& solver) : solver_(solver) {
    const std::lock_guard lock(solver.mutex_);
    if (solver.idle_.empty()) return;
    marcher_ = std::move(solver.idle_.back());
    solver.idle_.pop_back();
  }
  ~Lease() {
    if (!marcher_) return;
    const std::lock_guard lock(solver_.mutex_);
    solver_.idle_.push_back(std::move(marcher_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Marcher& operator*() {
    if (!marcher_) marcher_ = std::make_unique<Marcher>(solver_.stencil_, *solver_.kernel_);
    return *marcher_;
  }

 private:
  const FastMarching& solver_;
  std::unique_ptr<Marcher> marcher_;
};

FastMarching::FastMarching(const TriangleMesh& mesh, const FastMarchingOptions& options)
    : FastMarching(prepare_surface(mesh), options) {}

FastMarching::FastMarching(Surface prepared, const FastMarchingOptions& options)
    : SurfaceSolver(std::move(prepared)),
      options_(options),
      kernel_(&marching_kernel(options.vectors)),
      stencil_(make_stencil(surface(), options.ring)),
      input_offsets_(stencil_.vertices + 1, 0),
      inputs_(size()) {
  for (const Index v : surface().of_input)
    if (v >= 0) ++input_offsets_[v + 1];
  for (Index v = 0; v < stencil_.vertices; ++v) input_offsets_[v + 1] += input_offsets_[v];
  std::vector<Index> next(input_offsets_.begin(), input_offsets_.end() - 1);
  for (Index input = 0; input < size(); ++input)
    if (surface().of_input[input] >= 0) inputs_[next[surface().of_input[input]]++] = input;
}

FastMarching::~FastMarching() = default;

void FastMarching::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  Lease lease(*this);
  Marcher& marcher = *lease;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    marcher.run(sources[s]);
    for (Index v = 0; v < stencil_.vertices; ++v) out(static_cast<Eigen::Index>(s), v) = marcher.distance(v);
  }
}

std::vector<Neighbour> FastMarching::within(Index source, double radius) const {
  if (source < 0 || source >= size())
    throw InputError(text("source ", source, " is out of range [0, ", size(), ")"));
  if (std::isnan(radius) || radius < 0) return {};
  const Index start = surface().of_input[source];
  if (start < 0) return {{source, 0}};
  Lease lease(*this);
  Marcher& marcher = *lease;
  const double limit = radius / surface().scale;
  // Rounded up: the exact comparison is made below, in the input's units.
  marcher.run(start, std::nextafter(static_cast<float>(limit), unreached));
  std::vector<Neighbour> found;
  for (const Index v : marcher.reached()) {
    const double distance = surface().scale * static_cast<double>(marcher.distance(v));
    if (distance > radius) continue;
    for (Index i = input_offsets_[v]; i < input_offsets_[v + 1]; ++i) found.push_back({inputs_[i], distance});
  }
  std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  return found;
}

}  // namespace geodome
