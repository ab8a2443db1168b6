#include "geodome/landmark/landmarks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// The place farthest from all landmarks, by distances multiplied by a number for each component. Distances
/// only fall, so an entry that still holds its place's distance when it comes to the top is the maximum; one
/// that does not is sorted in again. Places nearer than half the distance of the farthest one wait outside,
/// and come in together when it is their turn: most of them are nearer still by then.
class FarthestPlace {
 public:
  /// `scale`: #components; empty: one.
  explicit FarthestPlace(const Cover& cover, std::vector<double> scale = {})
      : cover_(cover), scale_(std::move(scale)) {
    gather();
  }

  struct Entry {
    double distance;
    Index place;
  };

  /// Distance zero, and no place, when every place is a landmark or at distance zero from one.
  Entry top() {
    while (true) {
      while (!heap_.empty()) {
        const double now = distance(heap_.front().place);
        if (heap_.front().distance == now) return heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), nearer);
        heap_.back().distance = now;
        if (now > outside_)
          std::push_heap(heap_.begin(), heap_.end(), nearer);
        else
          heap_.pop_back();
      }
      if (outside_ == 0) return {0, -1};
      gather();
    }
  }

 private:
  /// Fills the empty heap.
  void gather() {
    const auto count = static_cast<Index>(cover_.places().component.size());
    const auto each = [&](const auto& use) {
      for (Index place = 0; place < count; ++place)
        if (cover_.places().component[place] >= 0) use(place, distance(place));
    };
    double farthest = 0;
    each([&](Index, double here) { farthest = std::max(farthest, here); });
    // While some are infinitely far, these alone.
    outside_ = farthest < infinity ? farthest / 2 : std::numeric_limits<double>::max();
    each([&](Index place, double here) {
      if (here > outside_) heap_.push_back({here, place});
    });
    std::make_heap(heap_.begin(), heap_.end(), nearer);
  }

  /// Ties go to the smallest place, whatever the order of earlier updates.
  static bool nearer(const Entry& a, const Entry& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.place > b.place);
  }

  double distance(Index place) const {
    return cover_.distance(place) * (scale_.empty() ? 1 : scale_[cover_.places().component[place]]);
  }

  const Cover& cover_;
  std::vector<double> scale_;
  std::vector<Entry> heap_;
  double outside_ = 0;  // places up to this distance are not in the heap
};

/// Makes components comparable, once each has a landmark: a distance is multiplied by √(√n / m), n the
/// number of places and m their mean distance from the landmarks. On surfaces the landmarks of a component
/// are then in proportion to the geometric mean of n and its area. By area alone a fine part among many
/// coarse ones of its size would have few, by n alone the large parts of few triangles.
std::vector<double> component_scales(const Cover& cover) {
  const Places& places = cover.places();
  std::vector<double> total(static_cast<std::size_t>(places.components), 0), count = total;
  for (Index place = 0; place < static_cast<Index>(places.component.size()); ++place)
    if (const Index c = places.component[place]; c >= 0) {
      total[c] += cover.distance(place);
      ++count[c];
    }
  for (std::size_t c = 0; c < total.size(); ++c)
    total[c] = total[c] > 0 ? std::sqrt(std::sqrt(count[c]) * count[c] / total[c]) : 1;
  return total;
}

/// Input vertices of each component, increasing; components with most vertices first, ties by smallest
/// vertex.
std::vector<std::vector<Index>> vertices_by_component(const Places& places) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(places.components));
  for (Index v = 0; v < static_cast<Index>(places.of_vertex.size()); ++v)
    if (places.of_vertex[v] >= 0) members[places.component[places.of_vertex[v]]].push_back(v);
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.front() < b.front();
  });
  return members;
}

/// Adds landmarks one by one and keeps the record.
class Selection {
 public:
  Selection(Cover& cover, Index count, bool or_all, const Execution& execution)
      : cover_(cover), count_(count), or_all_(or_all), execution_(execution) {
    const Places& places = cover.places();
    representative_.assign(places.component.size(), -1);
    for (Index v = static_cast<Index>(places.of_vertex.size()) - 1; v >= 0; --v)
      if (places.of_vertex[v] >= 0) representative_[places.of_vertex[v]] = v;
    landmarks_.components = places.components;
  }

  bool full() const { return static_cast<Index>(landmarks_.vertices.size()) >= count_; }

  /// Whether a landmark is there already.
  bool taken(Index vertex) const { return cover_.distance(cover_.places().of_vertex[vertex]) == 0; }

  /// Whether its component has a landmark.
  bool covers(Index vertex) const { return cover_.distance(cover_.places().of_vertex[vertex]) < infinity; }

  void add(Index vertex) {
    cover_.add(cover_.places().of_vertex[vertex]);
    if (!farthest_) farthest_.emplace(cover_);
    landmarks_.vertices.push_back(vertex);
    const double radius = farthest_->top().distance;
    landmarks_.cover_radius.push_back(radius);
    // As soon as each component has a landmark: so the next ones do not depend on how many were given.
    if (!shared_ && cover_.places().components > 1 && radius < infinity)
      shared_.emplace(cover_, component_scales(cover_));
    // The k-th landmark costs about 1/k of the first.
    execution_.report("landmarks", std::log1p(static_cast<double>(landmarks_.vertices.size())) /
                                       std::log1p(static_cast<double>(count_)));
  }

  void add_farthest() {
    const Index place = (shared_ ? shared_ : farthest_)->top().place;
    if (place < 0 && or_all_) {
      count_ = static_cast<Index>(landmarks_.vertices.size());
      return;
    }
    if (place < 0)
      throw InputError(text(count_, " landmarks are more than the ", landmarks_.vertices.size(),
                            " vertices at distinct positions: use at most this number"));
    add(representative_[place]);
  }

  Landmarks take() { return std::move(landmarks_); }

 private:
  Cover& cover_;
  Index count_;
  bool or_all_;
  const Execution& execution_;
  std::vector<Index> representative_;      // the smallest input vertex at a place
  std::optional<FarthestPlace> farthest_;  // once there is a landmark
  std::optional<FarthestPlace> shared_;    // the same for several components, once each has a landmark
  Landmarks landmarks_;
};

void require_count(Index count, bool or_all, const std::vector<std::vector<Index>>& members) {
  const Index components = static_cast<Index>(members.size());
  std::size_t vertices = 0;
  for (const auto& component : members) vertices += component.size();
  if (vertices == 0)
    throw InputError(
        "no two vertices are connected, so there are no distances: the shape needs faces, edges, or enough "
        "points for "
        "a surface, and a mask must leave some of its vertices");
  if (count < components)
    throw InputError(text(count, " landmarks cannot cover ", components, " components: use at least ",
                          components, ", or remove the small components"));
  if (static_cast<std::size_t>(count) > vertices && !or_all)
    throw InputError(text(count, " landmarks are more than the ", vertices,
                          " vertices with a neighbour: use at most this number"));
}

void select_farthest(Selection& selection, const std::vector<std::vector<Index>>& members,
                     std::mt19937_64& random) {
  for (const auto& component : members)
    if (!selection.covers(component.front())) selection.add(component[random() % component.size()]);
  while (!selection.full()) selection.add_farthest();
}

void select_random(Selection& selection, const std::vector<std::vector<Index>>& members,
                   std::mt19937_64& random) {
  std::vector<Index> rest;
  for (const auto& component : members) {
    const std::size_t first = random() % component.size();
    if (!selection.covers(component.front())) selection.add(component[first]);
    rest.insert(rest.end(), component.begin(), component.end());
  }
  for (std::size_t k = 0; !selection.full(); ++k) {
    if (k == rest.size()) return selection.add_farthest();  // nothing left: says so
    std::swap(rest[k], rest[k + random() % (rest.size() - k)]);
    if (!selection.taken(rest[k])) selection.add(rest[k]);
  }
}

void require_landmarks(std::span<const Index> given, const Places& places) {
  const Index count = static_cast<Index>(places.of_vertex.size());
  for (const Index vertex : given) {
    if (vertex < 0 || vertex >= count)
      throw InputError(text("landmark ", vertex, " is out of range [0, ", count, ")"));
    if (places.of_vertex[vertex] < 0)
      throw InputError(text("landmark ", vertex, " has no neighbour: choose another vertex"));
  }
  std::vector<Index> sorted(given.begin(), given.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw InputError(text("landmark ", *twice, " occurs twice"));
}

void add_given(Selection& selection, std::span<const Index> given) {
  for (const Index vertex : given) {
    if (selection.taken(vertex))
      throw InputError(
          text("landmark ", vertex, " is at distance zero from an earlier one: remove one of them"));
    selection.add(vertex);
  }
}

void require_all_covered(const Selection& selection, const std::vector<std::vector<Index>>& members) {
  for (const auto& component : members)
    if (!selection.covers(component.front()))
      throw InputError(text("no landmark is left for the component of vertex ", component.front(),
                            ": choose more, or start with fewer"));
}

void select_given(Selection& selection, const std::vector<Index>& given, const Cover& cover) {
  const Places& places = cover.places();
  const Index count = static_cast<Index>(places.of_vertex.size());
  require_landmarks(given, places);
  std::vector<char> covered(static_cast<std::size_t>(places.components), 0);
  for (const Index vertex : given) covered[places.component[places.of_vertex[vertex]]] = 1;
  for (Index v = 0; v < count; ++v)
    if (places.of_vertex[v] >= 0 && !covered[places.component[places.of_vertex[v]]])
      throw InputError(text("the ", given.size(), " user-supplied landmarks miss ",
                            std::count(covered.begin(), covered.end(), 0), " of ", places.components,
                            " components, such as the one of vertex ", v,
                            ": every component requires at least one landmark"));
  add_given(selection, given);
}

}  // namespace

Landmarks choose_landmarks(Cover& cover, const LandmarkOptions& options, const Execution& execution) {
  return choose_landmarks_from(cover, options, {}, execution);
}

Landmarks choose_landmarks_from(Cover& cover, const LandmarkOptions& options, std::span<const Index> begin,
                                const Execution& execution) {
  const auto members = vertices_by_component(cover.places());
  const bool given = options.method == LandmarkMethod::user;
  const Index count = given ? static_cast<Index>(options.vertices.size()) : options.count;
  const bool or_all = !given && options.or_all;
  require_count(count, or_all, members);
  if (static_cast<std::size_t>(count) < begin.size())
    throw InputError(text(begin.size(), " vertices to start with, but only ", count, " are to be chosen"));
  Selection selection(cover, count, or_all, execution);
  require_landmarks(begin, cover.places());
  add_given(selection, begin);
  if (selection.full()) require_all_covered(selection, members);
  // The engine is the same on every platform; the distributions of the standard library are not.
  std::mt19937_64 random(options.seed);
  switch (options.method) {
    case LandmarkMethod::farthest:
      select_farthest(selection, members, random);
      break;
    case LandmarkMethod::random:
      select_random(selection, members, random);
      break;
    case LandmarkMethod::user:
      select_given(selection, options.vertices, cover);
      break;
  }
  return selection.take();
}

Landmarks choose_landmarks(const PathDomain& domain, const LandmarkOptions& options,
                           const Execution& execution) {
  const auto* paths = std::get_if<MeshPaths>(&domain.paths);
  const auto cover = paths ? make_surface_cover(paths->surface, execution)
                           : make_graph_cover(std::get<Adjacency>(domain.paths));
  return choose_landmarks(*cover, options, execution);
}

Landmarks choose_landmarks(const Shape& shape, const LandmarkOptions& options,
                           const GeodesicOptions& geodesic, const Execution& execution) {
  return choose_landmarks(make_path_domain(shape, geodesic, execution), options, execution);
}

Landmarks choose_landmarks(const GeodesicSolver& solver, const LandmarkOptions& options,
                           const Execution& execution) {
  const auto cover = make_row_cover(solver);
  return choose_landmarks(*cover, options, execution);
}

}  // namespace geodome::internal
