#include "geodome/maps/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/maps/components.h"

namespace geodome {

using namespace internal;

namespace {

/// Centres that a vertex may belong to: offsets move a border by less than a region, so that the nearest few
/// suffice.
constexpr std::size_t nearest_kept = 12;
/// Steps of the offsets in a round.
constexpr int balancing_steps = 60;
/// Vertices of a region that may become its centre, and vertices they are measured against.
constexpr std::size_t candidates = 32, witnesses = 128;

void measure_areas(Partition& partition, std::span<const double> area) {
  partition.area.assign(partition.centre.size(), 0);
  for (std::size_t v = 0; v < partition.label.size(); ++v)
    if (partition.label[v] >= 0) partition.area[partition.label[v]] += area[v];
  const auto [least, most] = std::minmax_element(partition.area.begin(), partition.area.end());
  partition.ratio = *least > 0 ? *most / *least : infinity;
}

/// Evenly spaced ones of a list.
std::vector<Index> some_of(std::span<const Index> members, std::size_t count) {
  std::vector<Index> some;
  for (std::size_t k = 0; k < std::min(count, members.size()); ++k)
    some.push_back(members[k * members.size() / std::min(count, members.size())]);
  return some;
}

/// One component and its regions. Vertices are places in `members`.
class BalancedRegions {
 public:
  BalancedRegions(const DistanceMatrix& matrix, std::vector<Index> members, std::span<const double> area,
                  Index parts, std::mt19937_64& random, const Execution& execution)
      : matrix_(matrix), members_(std::move(members)), execution_(execution) {
    for (const Index v : members_) area_.push_back(area[v]);
    target_ = std::accumulate(area_.begin(), area_.end(), 0.0) / parts;
    distance_.resize(parts, static_cast<Eigen::Index>(members_.size()));
    start(parts, random);
    label_.resize(members_.size());
    nearest_.resize(members_.size() * kept());
    offset_.assign(static_cast<std::size_t>(parts), 0);
  }

  /// Areas are balanced for the centres as they are.
  void balance() {
    find_nearest();
    const double radius = typical_radius();
    std::vector<double> best_offset = offset_;
    double best = infinity;
    for (int step = 0; step < balancing_steps; ++step) {
      assign();
      const std::vector<double> areas = region_areas();
      const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
      const double ratio = *least > 0 ? *most / *least : infinity;
      if (ratio < best) {
        best = ratio;
        best_offset = offset_;
      }
      const double rate = 0.5 * radius * (1 - 0.7 * step / balancing_steps);
      for (std::size_t c = 0; c < offset_.size(); ++c)
        offset_[c] += rate * std::clamp(1 - areas[c] / target_, -1.0, 1.0);
    }
    offset_ = best_offset;
    assign();
  }

  void move_centres() {
    std::vector<std::vector<Index>> region(centre_.size());
    for (std::size_t v = 0; v < members_.size(); ++v) region[label_[v]].push_back(static_cast<Index>(v));
    for (std::size_t c = 0; c < centre_.size(); ++c)
      if (!region[c].empty()) centre_[c] = medoid(c, region[c]);
    measure();
  }

  void write(Partition& partition) const {
    const auto first = static_cast<Index>(partition.centre.size());
    for (const Index c : centre_) partition.centre.push_back(members_[c]);
    for (std::size_t v = 0; v < members_.size(); ++v) partition.label[members_[v]] = first + label_[v];
  }

 private:
  std::size_t kept() const {
    return std::min<std::size_t>(nearest_kept, static_cast<std::size_t>(distance_.rows()));
  }

  void measure_row(Eigen::Index c) {
    distance_.row(c) = matrix_.block(std::span(&members_[centre_[c]], 1), members_, execution_).cast<float>();
    distance_(c, centre_[c]) = 0;
  }

  void measure() {
    for (Eigen::Index c = 0; c < distance_.rows(); ++c) measure_row(c);
  }

  void start(Index parts, std::mt19937_64& random) {
    Eigen::RowVectorXf nearest = Eigen::RowVectorXf::Constant(distance_.cols(), static_cast<float>(infinity));
    centre_.push_back(static_cast<Index>(random() % members_.size()));
    for (Index c = 0; c < parts; ++c) {
      measure_row(c);
      nearest = nearest.cwiseMin(distance_.row(c));
      Eigen::Index farthest = 0;
      nearest.maxCoeff(&farthest);
      if (c + 1 < parts) centre_.push_back(static_cast<Index>(farthest));
    }
  }

  void find_nearest() {
    std::vector<Index> order(centre_.size());
    for (std::size_t v = 0; v < members_.size(); ++v) {
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept()), order.end(),
                        [&](Index a, Index b) {
                          return distance_(a, static_cast<Eigen::Index>(v)) <
                                 distance_(b, static_cast<Eigen::Index>(v));
                        });
      std::copy_n(order.begin(), kept(), nearest_.begin() + static_cast<std::ptrdiff_t>(v * kept()));
    }
  }

  /// Of a disc of the wanted area, in units of distance: half the mean distance between centres that meet.
  double typical_radius() const {
    double sum = 0;
    for (std::size_t v = 0; v < members_.size(); ++v)
      sum += distance_(nearest_[v * kept()], static_cast<Eigen::Index>(v));
    return 1.5 * sum / static_cast<double>(members_.size());
  }

  void assign() {
    for (std::size_t v = 0; v < members_.size(); ++v) {
      double least = infinity;
      for (std::size_t k = 0; k < kept(); ++k) {
        const Index c = nearest_[v * kept() + k];
        const double here = distance_(c, static_cast<Eigen::Index>(v)) - offset_[c];
        if (here < least) {
          least = here;
          label_[v] = c;
        }
      }
    }
  }

  std::vector<double> region_areas() const {
    std::vector<double> areas(centre_.size(), 0);
    for (std::size_t v = 0; v < members_.size(); ++v) areas[label_[v]] += area_[v];
    return areas;
  }

  /// Among some vertices of the region, against some others.
  Index medoid(std::size_t c, const std::vector<Index>& region) const {
    std::vector<Index> from = some_of(region, candidates), to = some_of(region, witnesses);
    from.push_back(centre_[c]);
    const auto vertices = [&](std::vector<Index> places) {
      for (Index& place : places) place = members_[place];
      return places;
    };
    const RowMatrix<double> distance = matrix_.block(vertices(from), vertices(to), execution_);
    Vector weight(static_cast<Eigen::Index>(to.size()));
    for (std::size_t k = 0; k < to.size(); ++k) weight[static_cast<Eigen::Index>(k)] = area_[to[k]];
    Eigen::Index best = 0;
    (distance.array().square().matrix() * weight).minCoeff(&best);
    return from[static_cast<std::size_t>(best)];
  }

  const DistanceMatrix& matrix_;
  std::vector<Index> members_;
  const Execution& execution_;
  std::vector<double> area_;
  double target_ = 0;
  RowMatrix<float> distance_;  ///< #parts by #members
  std::vector<Index> centre_;
  std::vector<Index> label_;
  std::vector<Index> nearest_;  ///< #members by kept()
  std::vector<double> offset_;
};

/// How many regions each component gets: by area, at least one.
std::vector<Index> parts_of(const std::vector<std::vector<Index>>& components, std::span<const double> area,
                            Index parts) {
  std::vector<double> sizes;
  for (const auto& members : components) {
    sizes.push_back(0);
    for (const Index v : members) sizes.back() += area[v];
  }
  std::vector<Index> given(components.size(), 1);
  for (auto left = parts - static_cast<Index>(components.size()); left > 0; --left) {
    std::size_t best = components.size();
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (given[c] >= static_cast<Index>(components[c].size())) continue;
      if (best == components.size() || sizes[c] * given[best] > sizes[best] * given[c]) best = c;
    }
    ++given[best];
  }
  return given;
}

}  // namespace

Partition voronoi_cells(const DistanceMatrix& matrix, std::span<const Index> seeds,
                        std::span<const double> weights, const Execution& execution) {
  const std::vector<double> area = checked_weights(weights, matrix.size());
  if (seeds.empty()) throw InputError("no seeds: expected at least one vertex");
  std::vector<Index> sorted(seeds.begin(), seeds.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() < 0 || sorted.back() >= matrix.size())
    throw InputError(text("seed ", sorted.front() < 0 ? sorted.front() : sorted.back(),
                          " is out of range [0, ", matrix.size(), ")"));
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw InputError(text("seed ", *twice, " occurs twice"));
  Partition result;
  result.centre.assign(seeds.begin(), seeds.end());
  result.label.assign(static_cast<std::size_t>(matrix.size()), -1);
  std::vector<double> nearest(static_cast<std::size_t>(matrix.size()), infinity);
  constexpr std::size_t together = 16;
  for (std::size_t begin = 0; begin < seeds.size(); begin += together) {
    const auto some = seeds.subspan(begin, std::min(together, seeds.size() - begin));
    const RowMatrix<double> rows = matrix.rows(some, execution);
    for (std::size_t s = 0; s < some.size(); ++s)
      for (Index v = 0; v < matrix.size(); ++v)
        if (const double d = rows(static_cast<Eigen::Index>(s), v); d < nearest[v]) {
          nearest[v] = d;
          result.label[v] = static_cast<Index>(begin + s);
        }
    execution.report("cells", static_cast<double>(begin + some.size()) / static_cast<double>(seeds.size()));
  }
  for (std::size_t s = 0; s < seeds.size(); ++s) result.label[seeds[s]] = static_cast<Index>(s);
  measure_areas(result, area);
  return result;
}

Partition partition(const DistanceMatrix& given, const PartitionOptions& options,
                    std::span<const double> weights, const Execution& execution) {
  const auto converted =
      given.kind() == DistanceKind::distance ? nullptr : given.converted(DistanceKind::distance);
  const DistanceMatrix& matrix = converted ? *converted : given;
  const std::vector<double> area = checked_weights(weights, matrix.size());
  std::vector<std::vector<Index>> components = component_members(matrix, execution);
  std::size_t vertices = 0;
  for (const auto& members : components) vertices += members.size();
  if (options.parts < static_cast<Index>(components.size()))
    throw InputError(text(options.parts, " parts cannot cover ", components.size(),
                          " components: use at least ", components.size()));
  if (static_cast<std::size_t>(options.parts) > vertices || options.parts < 1)
    throw InputError(text(options.parts, " parts of ", vertices, " vertices: use 1 to ", vertices));
  std::mt19937_64 random(options.seed);
  const std::vector<Index> parts = parts_of(components, area, options.parts);
  std::vector<BalancedRegions> regions;
  for (std::size_t c = 0; c < components.size(); ++c)
    regions.emplace_back(matrix, std::move(components[c]), area, parts[c], random, execution);
  Partition best;
  best.ratio = infinity;
  for (int round = 0; round < std::max(1, options.rounds); ++round) {
    Partition found;
    found.label.assign(static_cast<std::size_t>(matrix.size()), -1);
    for (BalancedRegions& one : regions) {
      if (round > 0) one.move_centres();
      one.balance();
      one.write(found);
    }
    measure_areas(found, area);
    if (found.ratio < best.ratio || round == 0) best = std::move(found);
    execution.report("partition", (round + 1.0) / std::max(1, options.rounds));
  }
  return best;
}

}  // namespace geodome
