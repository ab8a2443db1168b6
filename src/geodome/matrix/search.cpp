#include "geodome/matrix/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

std::size_t heaviest(const Weights& weights) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < weights.size(); ++k)
    if (std::abs(weights.value[k]) > std::abs(weights.value[best])) best = k;
  return best;
}

std::vector<Neighbour> row_up_to(const DistanceMatrix& distances, Index vertex, double radius) {
  const RowMatrix<double> row = distances.rows(std::span(&vertex, 1));
  std::vector<Neighbour> found;
  for (Index other = 0; other < distances.size(); ++other)
    if (row(0, other) <= radius && std::isfinite(row(0, other))) found.push_back({other, row(0, other)});
  return found;
}

void require_count(Index count) {
  if (count < 0) throw InputError(text("the number of nearest vertices must not be negative, got ", count));
}

}  // namespace

std::vector<Neighbour> nearest_in_row(const DistanceMatrix& distances, Index vertex, Index count) {
  require_count(count);
  std::vector<Neighbour> found = row_up_to(distances, vertex, infinity);
  std::erase_if(found, [&](const Neighbour& one) { return one.vertex == vertex; });
  const auto kept = std::min<std::size_t>(found.size(), static_cast<std::size_t>(count));
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(found.begin(), middle, found.end(), nearer);
  found.resize(kept);
  return found;
}

std::vector<Neighbour> within_in_row(const DistanceMatrix& distances, Index vertex, double radius) {
  std::vector<Neighbour> found = row_up_to(distances, vertex, radius);
  std::sort(found.begin(), found.end(), nearer);
  return found;
}

/// The vertex a search starts from.
struct NeighbourSearch::Source {
  struct Group {
    double bound;  ///< no vertex of the group is nearer
    Index landmark;
  };
  Index vertex = 0;
  Index component = -1;
  Weights weights;
  std::vector<double> z;        ///< distances to the landmarks of the component
  std::vector<Group> groups;    ///< by bound
  std::vector<Neighbour> near;  ///< by vertex: what the shape says of them; empty where it is not asked

  bool is_near(Index other) const {
    const auto at = std::lower_bound(near.begin(), near.end(), other,
                                     [](const Neighbour& one, Index v) { return one.vertex < v; });
    return at != near.end() && at->vertex == other;
  }
};

NeighbourSearch::NeighbourSearch(NearField field) : field_(std::move(field)) {
  const LandmarkMatrix& matrix = field_.matrix();
  const std::size_t landmarks = matrix.landmarks().size();
  std::vector<Index> group(static_cast<std::size_t>(matrix.size()), -1);
  begin_.assign(landmarks + 1, 0);
  radius_.assign(landmarks, 0);
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    const Index c = matrix.component(v);
    if (c < 0) continue;
    matrix.read_weights(v, row);
    // A row that lost all its entries has no landmark of its own; the first group is as good as any, since
    // its radius says how far the vertex may be.
    const Index local = row.size() > 0 ? row.column[heaviest(row)] : 0;
    const Index landmark = matrix.first_landmark(c) + local;
    double distance = 0;
    for (std::size_t k = 0; k < row.size(); ++k) distance += row.value[k] * matrix.W(c)(local, row.column[k]);
    group[v] = landmark;
    radius_[landmark] = std::max(radius_[landmark], distance);
    ++begin_[landmark + 1];
  }
  for (std::size_t k = 0; k < landmarks; ++k) begin_[k + 1] += begin_[k];
  member_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
  for (Index v = 0; v < matrix.size(); ++v)
    if (group[v] >= 0) member_[next[group[v]]++] = v;
}

NeighbourSearch::Source NeighbourSearch::make_source(Index vertex) const {
  const LandmarkMatrix& matrix = field_.matrix();
  if (vertex < 0 || vertex >= matrix.size())
    throw InputError(text("vertex ", vertex, " is out of range [0, ", matrix.size(), ")"));
  Source source;
  source.vertex = vertex;
  source.component = matrix.component(vertex);
  if (source.component < 0) return source;
  matrix.read_weights(vertex, source.weights);
  source.z = matrix.W(source.component).times(source.weights);
  if (field_.exact()) source.near = field_.near_vertices(vertex);
  const Index first = matrix.first_landmark(source.component);
  for (std::size_t k = 0; k < source.z.size(); ++k) {
    const Index landmark = first + static_cast<Index>(k);
    source.groups.push_back({source.z[k] - radius_[landmark] - matrix.spacing(source.component), landmark});
  }
  std::sort(source.groups.begin(), source.groups.end(), [](const auto& a, const auto& b) {
    return std::pair(a.bound, a.landmark) < std::pair(b.bound, b.landmark);
  });
  return source;
}

template <typename Limit, typename Visit>
void NeighbourSearch::look_at(const Source& source, Index landmark, Limit limit, Visit visit) const {
  Weights row;
  for (std::int64_t k = begin_[landmark]; k < begin_[landmark + 1]; ++k) {
    const Index other = member_[k];
    if (field_.exact() && source.is_near(other)) continue;
    if (other == source.vertex && field_.mode() != QueryMode::raw) {
      visit(other, 0.0);
      continue;
    }
    const double bound = field_.bound(source.vertex, other);
    if (field_.mode() != QueryMode::raw && bound > limit()) continue;
    field_.matrix().read_weights(other, row);
    const double raw = dot(row, source.z);
    visit(other, field_.exact() ? field_.beyond(raw, source.component, bound)
                                : field_.correct(raw, source.component, source.weights, row, bound));
  }
}

std::vector<Neighbour> NeighbourSearch::nearest(Index vertex, Index count) const {
  require_count(count);
  const Source source = make_source(vertex);
  std::vector<Neighbour> best;  // a heap, the farthest in front
  if (count == 0) return best;
  const auto limit = [&] {
    return best.size() < static_cast<std::size_t>(count) ? infinity : best.front().distance;
  };
  const auto take = [&](Index other, double distance) {
    const Neighbour found{other, distance};
    if (other == vertex) return;
    if (best.size() == static_cast<std::size_t>(count)) {
      if (!nearer(found, best.front())) return;
      std::pop_heap(best.begin(), best.end(), nearer);
      best.pop_back();
    }
    best.push_back(found);
    std::push_heap(best.begin(), best.end(), nearer);
  };
  for (const Neighbour& one : source.near) take(one.vertex, one.distance);
  for (const Source::Group& group : source.groups) {
    if (group.bound > limit()) break;
    look_at(source, group.landmark, limit, take);
  }
  std::sort_heap(best.begin(), best.end(), nearer);
  return best;
}

std::vector<Neighbour> NeighbourSearch::within(Index vertex, double radius) const {
  const Source source = make_source(vertex);
  std::vector<Neighbour> found;
  if (source.component < 0 && radius >= 0) found.push_back({vertex, 0});
  const auto take = [&](Index other, double distance) {
    if (distance <= radius) found.push_back({other, distance});
  };
  for (const Neighbour& one : source.near) take(one.vertex, one.distance);
  for (const Source::Group& group : source.groups) {
    if (group.bound > radius) break;
    look_at(
        source, group.landmark, [&] { return radius; }, take);
  }
  std::sort(found.begin(), found.end(), nearer);
  return found;
}

}  // namespace geodome::internal
