#include "geodome/geodesic/marching/carried.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/geodesic/marching/carried_batch.h"
#include "geodome/geodesic/marching/source_clusters.h"

namespace geodome::internal {
namespace {

constexpr float none = std::numeric_limits<float>::infinity();
constexpr float pi = std::numbers::pi_v<float>;
constexpr std::int64_t bucket_count = 64;

/// Sine and cosine of an angle in [0, pi], by their series around pi / 2; accurate to 5e-7.
void sine_and_cosine(float angle, float& sine, float& cosine) {
  const float x = angle - pi / 2, q = x * x;
  sine = 1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90))));
  cosine = -x * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110)))));
}

float smooth_step(float t) {
  return t * t * (3 - 2 * t);
}

/// A source placed from the distances of both ends of a chord; infinite where its ray misses the chord.
struct Fit {
  float distance = none;
  float crossing = 0;
};

Fit fit_source(float da, float db, const CarriedChord& chord) {
  const float source = ((da - db) * (da + db) + chord.length * chord.length) * chord.half_inverse;
  const float height_squared = (da - source) * (da + source);
  if (!(height_squared >= 0)) return {};
  const float height = std::sqrt(height_squared);
  const float across = source * chord.y + chord.x * height, depth = height + chord.y;
  if (!(across >= 0 && across <= chord.length * depth)) return {};
  const float aside = chord.x - source;
  return {std::sqrt(aside * aside + depth * depth), across / depth};
}

}  // namespace

/// The source that one end of a chord carries, as the target sees it: with this end at (reach, 0) and the
/// other at an angle counter-clockwise.
struct CarriedMarcher::Seen {
  bool usable = false;  ///< in front of the target, not on the outer side of this end
  bool inside = false;  ///< and its ray passes between the two ends
  float x = 1;
  float y = 0;
  float distance = 0;  ///< what it gives at the target
  float miss = 0;      ///< what it gives at the other end, beyond what that end has
  float part = 0;      ///< of the way from this end to the other at which the ray passes
};

CarriedMarcher::CarriedMarcher(const CarriedStencil& stencil)
    : stencil_(stencil),
      labels_(stencil.closed_angle.size()),
      queued_(stencil.closed_angle.size(), -1),
      buckets_(bucket_count) {}

/// The angle at v from the direction of the target to that of the source, turning towards the other end;
/// beyond pi where the source is not on that side.
float CarriedMarcher::turn_at(Index v, float target, float sign) const {
  float turn = sign * (labels_[v].direction - target);
  const float around = stencil_.closed_angle[v];
  if (!(around > 0)) return turn < 0 ? 2 * pi : turn;
  if (turn < 0) turn += around;
  if (turn >= around) turn -= around;
  if (turn < 0 || turn >= around) turn -= around * std::floor(turn / around);
  return turn;
}

CarriedMarcher::Seen CarriedMarcher::see(const Label& near, const Label& far, float turn, float reach,
                                         float far_reach, float cosine, float sine) {
  Seen seen;
  const float straight = near.distance - near.bend;
  if (!(straight > 0 && turn < pi)) return seen;
  float turn_sine, turn_cosine;
  sine_and_cosine(turn, turn_sine, turn_cosine);
  seen.x = reach - straight * turn_cosine;
  seen.y = straight * turn_sine;
  const float from_near = reach * seen.y, to_far = far_reach * (seen.x * sine - seen.y * cosine);
  const float whole = from_near + to_far;
  if (!(whole > 0 && from_near >= 0)) return seen;
  seen.usable = true;
  seen.inside = to_far >= 0;
  seen.part = from_near / whole;
  const float dx = far_reach * cosine - seen.x, dy = far_reach * sine - seen.y;
  seen.miss = near.bend + std::sqrt(dx * dx + dy * dy) - far.distance;
  seen.distance = near.bend + std::sqrt(seen.x * seen.x + seen.y * seen.y);
  return seen;
}

/// Lowers the label of the chord's target if a path along an edge or across the chord is shorter.
bool CarriedMarcher::update(const CarriedChord& chord) {
  const Label a = labels_[chord.a], b = labels_[chord.b];
  Label& target = labels_[chord.target];
  const float before = target.distance;
  if (a.distance + chord.from_a < target.distance)
    target = {a.distance + chord.from_a, a.distance, chord.a_at_target};
  if (b.distance + chord.from_b < target.distance)
    target = {b.distance + chord.from_b, b.distance, chord.a_at_target + chord.turn_target * chord.angle};
  const float latest = std::max(a.distance, b.distance);
  if (!(latest < target.distance) || !(chord.length > 0)) return target.distance < before;
  const Fit fit = fit_source(a.distance, b.distance, chord);
  if (fit.distance < none && fit.distance > target.distance + CarriedChord::hopeless * chord.length)
    return target.distance < before;

  const Seen from_a = see(a, b, turn_at(chord.a, chord.target_at_a, chord.turn_a), chord.from_a, chord.from_b,
                          chord.cosine, chord.sine);
  const Seen from_b = see(b, a, turn_at(chord.b, chord.target_at_b, chord.turn_b), chord.from_b, chord.from_a,
                          chord.cosine, chord.sine);
  float distance = fit.distance, bend = 0;
  const Seen* chosen = nullptr;
  if (from_a.inside || from_b.inside) {
    // Carried along a geodesic over positive curvature a source seems too far, over negative curvature too
    // near, into what is shadow. Which of the two it is shows at the other end.
    const bool too_near = (from_a.usable ? from_a.miss : 0) + (from_b.usable ? from_b.miss : 0) < 0;
    if (from_a.inside && from_b.inside) {
      chosen = (too_near ? from_a.distance > from_b.distance : from_a.distance < from_b.distance) ? &from_a
                                                                                                  : &from_b;
      distance = chosen->distance;
    } else {
      chosen = from_a.inside ? &from_a : &from_b;
      distance = chosen->distance - (too_near ? smooth_step(chosen->part) * chosen->miss : 0);
    }
    bend = chosen == &from_a ? a.bend : b.bend;
    if (fit.distance < none)
      distance = CarriedChord::carried_weight * distance + (1 - CarriedChord::carried_weight) * fit.distance;
  }
  if (!(distance < target.distance && distance >= latest)) return target.distance < before;

  float arrival = 0;
  if (fit.distance < none)
    arrival = std::atan2(fit.crossing * chord.y, chord.from_a * chord.from_a - fit.crossing * chord.x);
  if (chosen) {
    const float seen = std::atan2(chosen->y, chosen->x);
    const float carried = chosen == &from_a ? seen : chord.angle - seen;
    arrival = fit.distance < none
                  ? CarriedChord::carried_weight * carried + (1 - CarriedChord::carried_weight) * arrival
                  : carried;
  }
  arrival = std::clamp(arrival, 0.0f, chord.angle);
  target = {distance, bend > distance ? 0 : bend, chord.a_at_target + chord.turn_target * arrival};
  return true;
}

void CarriedMarcher::enqueue(Index v, float limit) {
  if (labels_[v].distance > limit) return;
  // One mean edge per bucket; a key beyond the ring is served too early, and corrected later if need be.
  const auto wanted = static_cast<std::int64_t>(std::min(labels_[v].distance / stencil_.mean_edge, 1e15f));
  const std::int64_t bucket = std::clamp(wanted, bucket_, bucket_ + bucket_count - 1);
  if (queued_[v] >= 0 && queued_[v] <= bucket) return;
  queued_[v] = bucket;
  buckets_[bucket % bucket_count].push_back(v);
  ++waiting_;
}

void CarriedMarcher::run(Index source, float limit) {
  for (const Index v : reached_) labels_[v] = Label{};
  reached_.assign(1, source);
  labels_[source].distance = 0;
  bucket_ = 0;
  enqueue(source, limit);
  std::vector<Index> current;
  for (; waiting_ > 0; ++bucket_)
    while (!buckets_[bucket_ % bucket_count].empty()) {
      current.swap(buckets_[bucket_ % bucket_count]);
      waiting_ -= current.size();
      for (const Index v : current) {
        if (queued_[v] != bucket_) continue;
        queued_[v] = -1;
        for (const Index c : stencil_.ending_in(v)) {
          const CarriedChord& chord = stencil_.chords[c];
          const bool fresh = labels_[chord.target].distance == none;
          if (labels_[chord.target].distance <= labels_[v].distance || !update(chord)) continue;
          if (fresh) reached_.push_back(chord.target);
          enqueue(chord.target, limit);
        }
      }
      current.clear();
    }
  // What is beyond the limit may still be far too long.
  std::erase_if(reached_, [&](Index v) {
    const bool beyond = labels_[v].distance > limit;
    if (beyond) labels_[v] = Label{};
    return beyond;
  });
}

/// What batches need besides. Made when many sources are measured for the first time.
struct CarriedMarching::Batches {
  explicit Batches(const Surface& surface)
      : stencil(make_stencil(surface, 1)), stars(replace_chords_by_stars(stencil, {1, {}})) {}

  Stencil stencil;
  Stars stars;
  std::array<WorkspacePool<CarriedBatch>, 3> pools;  // of 16, 32 and 64 lanes
};

CarriedMarching::CarriedMarching(Surface given, const CarriedOptions& options)
    : SurfaceSolver(std::move(given)),
      options_(options),
      kernel_(marching_kernel(options.vectors)),
      stencil_(make_carried_stencil(HalfEdges(surface().points, surface().triangles))),
      inputs_(surface()) {}

CarriedMarching::~CarriedMarching() = default;

const CarriedMarching::Batches& CarriedMarching::batches() const {
  std::call_once(batches_made_, [&] { batches_ = std::make_unique<Batches>(surface()); });
  return *batches_;
}

std::vector<std::vector<Index>> CarriedMarching::blocks(std::span<const Index> sources) const {
  constexpr std::size_t fewest = 64;  // not worth looking for clusters
  if (options_.lanes == 1 || (options_.lanes == 0 && sources.size() < fewest))
    return SurfaceSolver::blocks(sources);
  return cluster_sources(batches().stencil, surface().points, kernel_, sources, options_.lanes);
}

/// Vertex t of the result is vertex_at(t).
template <typename VertexAt>
void CarriedMarching::solve_columns(std::span<const Index> sources, Index columns, const VertexAt& vertex_at,
                                    Eigen::Ref<RowMatrix<double>> out) const {
  if (sources.size() == 1) {
    auto marcher = pool_.borrow(stencil_);
    marcher->run(sources[0]);
    for (Index t = 0; t < columns; ++t) out(0, t) = marcher->distance(vertex_at(t));
    return;
  }
  const int pool = sources.size() <= 16 ? 0 : sources.size() <= 32 ? 1 : 2;
  auto batch =
      batches().pools[pool].borrow(stencil_, batches().stencil, batches().stars, kernel_, 16 << pool);
  batch->run(sources);
  for (Index t = 0; t < columns; ++t)
    for (std::size_t s = 0; s < sources.size(); ++s)
      out(static_cast<Eigen::Index>(s), t) = batch->distance(vertex_at(t), static_cast<int>(s));
}

void CarriedMarching::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  solve_columns(
      sources, static_cast<Index>(out.cols()), [](Index v) { return v; }, out);
}

void CarriedMarching::solve_at(std::span<const Index> sources, std::span<const Index> targets,
                               Eigen::Ref<RowMatrix<double>> out) const {
  solve_columns(
      sources, static_cast<Index>(targets.size()), [&](Index t) { return targets[t]; }, out);
}

std::vector<Neighbour> CarriedMarching::within(Index source, double radius) const {
  if (source < 0 || source >= size())
    throw InputError(text("source ", source, " is out of range [0, ", size(), ")"));
  if (!(radius >= 0)) return {};
  const Index home = surface().of_input[source];
  if (home < 0) return {{source, 0}};
  auto marcher = pool_.borrow(stencil_);
  // Rounded up: the comparison with the radius itself is made in double precision.
  marcher->run(home, std::nextafter(static_cast<float>(radius / surface().scale), none));
  return inputs_.within(marcher->reached(), radius,
                        [&](Index v) { return surface().scale * static_cast<double>(marcher->distance(v)); });
}

}  // namespace geodome::internal
