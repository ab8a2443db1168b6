#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/geodesic/exact/patch.h"
#include "geodome/geodesic/workspace_pool.h"
#include "geodome/matrix/local_search.h"
#include "geodome/matrix/near_shape.h"

namespace geodome::internal {
namespace {

using Position = Eigen::RowVector3d;

/// Regions are enlarged by this part, so that rounding leaves out nothing.
constexpr double margin = 1 + 1e-9;

/// Pairs of one source that are searched for one by one; more share one search.
constexpr std::size_t few_targets = 6;

double distance_to_segment(const Position& p, const Position& a, const Position& b) {
  const Position side = b - a;
  const double length = side.squaredNorm();
  const double at = length > 0 ? std::clamp((p - a).dot(side) / length, 0.0, 1.0) : 0.0;
  return (a + at * side - p).norm();
}

/// Where paths of bounded length run: the points whose distances from one or two foci, in space, sum to at
/// most `most`.
struct Region {
  Position from, to;
  bool ball = true;  ///< one focus
  double most = 0;

  bool contains(const Position& p) const { return (p - from).norm() + (ball ? 0 : (p - to).norm()) <= most; }
  bool may_meet(const Position& a, const Position& b) const {
    return distance_to_segment(from, a, b) + (ball ? 0 : distance_to_segment(to, a, b)) <= most;
  }
};

/// The corners of a point that matter, and where it is.
struct Place {
  std::array<Index, 3> corner{};
  int corners = 0;
  Position position = Position::Zero();
};

/// Faces around a source, cut out of a mesh, and memory to do so.
struct Cutting {
  LocalNumbers numbers;
  std::vector<Position> positions;
  std::vector<char> inside, waits, expanded;  ///< by local number
  std::vector<Index> queue;
  std::vector<std::array<Index, 3>> faces;  ///< of local numbers
  TriangleMesh piece;
  std::vector<double> distance;

  void clear() {
    numbers.clear();
    positions.clear();
    for (auto* flags : {&inside, &waits, &expanded}) flags->clear();
    queue.clear();
    faces.clear();
  }
  void make_piece() {
    piece.points.resize(static_cast<Eigen::Index>(positions.size()), 3);
    for (std::size_t v = 0; v < positions.size(); ++v)
      piece.points.row(static_cast<Eigen::Index>(v)) = positions[v];
    piece.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
    for (std::size_t f = 0; f < faces.size(); ++f)
      piece.triangles.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  }
};

class NearMesh final : public NearShape {
 public:
  NearMesh(MeshArrays mesh, const std::vector<char>& keep) : mesh_(std::move(mesh)) {
    const std::size_t count =
        std::visit([](const auto& values) { return values.size(); }, mesh_.points.values);
    vertices_ = count / 3;
    const std::size_t faces = mesh_.triangles.size() / 3;
    const auto used = [&](std::size_t f) {
      const Index a = mesh_.triangles[3 * f], b = mesh_.triangles[3 * f + 1], c = mesh_.triangles[3 * f + 2];
      return a != b && b != c && c != a && (keep.empty() || (keep[a] && keep[b] && keep[c]));
    };
    first_face_.assign(vertices_ + 2, 0);
    for (std::size_t f = 0; f < faces; ++f)
      if (used(f))
        for (std::size_t k = 0; k < 3; ++k) ++first_face_[mesh_.triangles[3 * f + k] + 2];
    for (std::size_t v = 2; v < first_face_.size(); ++v) first_face_[v] += first_face_[v - 1];
    face_.resize(first_face_.back());
    // first_face_[v + 1] is where the next face of v goes, and ends where those of v + 1 begin.
    for (std::size_t f = 0; f < faces; ++f)
      if (used(f))
        for (std::size_t k = 0; k < 3; ++k)
          face_[first_face_[mesh_.triangles[3 * f + k] + 1]++] = static_cast<std::uint32_t>(f);
  }

  std::vector<Neighbour> within(Index source, double radius) const override {
    auto cutting = cuttings_.borrow();
    run(*cutting, source, ball(source, radius), radius);
    std::vector<Neighbour> found;
    for (Index v = 0; v < cutting->numbers.size(); ++v)
      if (cutting->distance[v] <= radius) found.push_back({cutting->numbers.vertex(v), cutting->distance[v]});
    return found;
  }

  void distances(Index source, std::span<const Index> targets, double radius,
                 std::span<double> out) const override {
    auto cutting = cuttings_.borrow();
    if (targets.size() <= few_targets) {
      for (std::size_t k = 0; k < targets.size(); ++k)
        out[k] = one_distance(*cutting, source, targets[k], radius);
      return;
    }
    const double reach = radius_to(source, targets, radius);
    run(*cutting, source, ball(source, reach), reach);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const Index v = cutting->numbers.find(targets[k]);
      out[k] = v >= 0 && cutting->distance[v] <= radius ? cutting->distance[v] : infinity;
    }
  }

  double radius_of(Index source, Index count, double most) const override {
    // Along edges, which is no shorter: a radius that contains enough vertices by edges does so in any case.
    Index settled = -1;
    double radius = infinity;
    bool cut = false;
    walk(source, infinity, no_rest, [&](Index, double distance) {
      cut = distance > most;
      if (cut) return true;
      radius = distance;
      return ++settled == count;
    });
    return cut ? infinity : radius;
  }

  std::optional<double> distance(const SurfacePoint& a, const SurfacePoint& b, double radius) const override;

 private:
  static double no_rest(Index) { return 0; }

  Position position(Index v) const { return point_of(mesh_.points, v); }
  std::span<const std::uint32_t> faces(Index v) const {
    return {face_.data() + first_face_[v], face_.data() + first_face_[v + 1]};
  }
  std::array<Index, 3> corners(std::uint32_t f) const {
    const Index* corner = mesh_.triangles.data() + 3 * static_cast<std::size_t>(f);
    return {corner[0], corner[1], corner[2]};
  }
  Region ball(Index source, double radius) const { return {position(source), {}, true, radius * margin}; }

  template <typename Rest, typename Settle>
  void walk(Index source, double radius, Rest rest, Settle settle) const {
    auto local = searches_.borrow();
    local->run(
        source, radius,
        [&](Index v, auto visit) {
          const Position here = position(v);
          for (const std::uint32_t f : faces(v))
            for (const Index other : corners(f))
              if (other != v) visit(other, (position(other) - here).norm());
        },
        rest, settle);
  }

  /// The length of a path along edges; infinite where it is more than `radius`.
  double along_edges(Index source, Index target, double radius) const {
    const Position goal = position(target);
    double length = infinity;
    walk(
        source, radius, [&](Index v) { return (position(v) - goal).norm(); },
        [&](Index v, double distance) {
          if (v == target) length = distance;
          return v == target;
        });
    return length;
  }

  /// A radius, at most `most`, that contains those targets that are not farther than that.
  double radius_to(Index source, std::span<const Index> targets, double most) const {
    std::vector<Index> wanted(targets.begin(), targets.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::size_t left = wanted.size();
    double radius = most;
    walk(source, most, no_rest, [&](Index v, double distance) {
      left -= std::binary_search(wanted.begin(), wanted.end(), v);
      if (left == 0) radius = distance;
      return left == 0;
    });
    return radius;
  }

  double one_distance(Cutting& cutting, Index source, Index target, double radius) const {
    const Position from = position(source), to = position(target);
    const double chord = (to - from).norm();
    const double path = along_edges(source, target, radius);
    if (path <= chord) return path;
    const double most = std::min(path, radius);
    run(cutting, source, {from, to, false, most * margin}, most);
    const Index v = cutting.numbers.find(target);
    return v >= 0 && cutting.distance[v] <= radius ? cutting.distance[v] : infinity;
  }

  void run(Cutting& cutting, Index source, const Region& region, double limit) const {
    cutting.clear();
    const std::array start{source};
    cut(cutting, region, start);
    cutting.make_piece();
    patch_distances(cutting.piece, 0, limit * margin, cutting.distance);
  }

  /// Adds the faces that can be reached inside the region, from those of `start` on; these have the first
  /// local numbers.
  void cut(Cutting& cutting, const Region& region, std::span<const Index> start) const {
    const auto number = [&](Index vertex) {
      bool added = false;
      const Index v = cutting.numbers.add(vertex, added);
      if (!added) return v;
      cutting.positions.push_back(position(vertex));
      cutting.inside.push_back(region.contains(cutting.positions.back()));
      cutting.waits.push_back(cutting.inside.back());
      cutting.expanded.push_back(0);
      if (cutting.inside.back()) cutting.queue.push_back(v);
      return v;
    };
    const auto expand_later = [&](Index v) {
      if (!cutting.waits[v]) cutting.queue.push_back(v);
      cutting.waits[v] = 1;
    };
    for (const Index vertex : start) expand_later(number(vertex));
    for (std::size_t next = 0; next < cutting.queue.size(); ++next) {
      const Index v = cutting.queue[next];
      for (const std::uint32_t f : faces(cutting.numbers.vertex(v))) {
        const auto corner = corners(f);
        const std::array<Index, 3> local{number(corner[0]), number(corner[1]), number(corner[2])};
        // A face comes with the first of its corners.
        if (cutting.expanded[local[0]] || cutting.expanded[local[1]] || cutting.expanded[local[2]]) continue;
        cutting.faces.push_back(local);
        for (int k = 0; k < 3; ++k) {
          const Index a = local[k], b = local[k == 2 ? 0 : k + 1];
          if (!cutting.waits[a] && !cutting.waits[b] &&
              region.may_meet(cutting.positions[a], cutting.positions[b]))
            expand_later(a);
        }
      }
      cutting.expanded[v] = 1;
    }
  }

  Place place_of(const SurfacePoint& point) const;
  bool in_one_face(const Place& a, const Place& b) const;

  MeshArrays mesh_;
  std::size_t vertices_ = 0;
  std::vector<std::uint32_t> first_face_;  ///< #V + 2: positions in face_
  std::vector<std::uint32_t> face_;        ///< the faces of each vertex
  WorkspacePool<Cutting> cuttings_;
  WorkspacePool<LocalSearch> searches_;
};

template <typename Corners>
bool has_all(const Corners& face, const Place& place) {
  return std::all_of(place.corner.begin(), place.corner.begin() + place.corners,
                     [&](Index v) { return std::find(face.begin(), face.end(), v) != face.end(); });
}

Place NearMesh::place_of(const SurfacePoint& point) const {
  // A weight that moves the point by less than rounding would split faces into slivers.
  constexpr double least_weight = 1e-12;
  Place place;
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(point.weight[k]) < least_weight) continue;
    place.position += point.weight[k] * position(point.vertex[k]);
    const auto end = place.corner.begin() + place.corners;
    if (std::find(place.corner.begin(), end, point.vertex[k]) == end)
      place.corner[static_cast<std::size_t>(place.corners++)] = point.vertex[k];
  }
  return place;
}

/// Whether a face has all corners of both.
bool NearMesh::in_one_face(const Place& a, const Place& b) const {
  const auto around = faces(a.corner[0]);
  return std::any_of(around.begin(), around.end(),
                     [&](std::uint32_t f) { return has_all(corners(f), a) && has_all(corners(f), b); });
}

/// Makes the point, which is vertex `v` of the piece, a corner of the faces it lies in. Returns whether there
/// are any.
bool insert(Cutting& cutting, const Place& place, Index v) {
  Place local = place;
  for (int k = 0; k < place.corners; ++k) {
    local.corner[static_cast<std::size_t>(k)] =
        cutting.numbers.find(place.corner[static_cast<std::size_t>(k)]);
    if (local.corner[static_cast<std::size_t>(k)] < 0) return false;
  }
  bool found = false;
  const std::size_t count = cutting.faces.size();
  for (std::size_t f = 0; f < count; ++f) {
    const std::array<Index, 3> face = cutting.faces[f];
    if (!has_all(face, local)) continue;
    bool replaced = false;
    for (std::size_t k = 0; k < 3; ++k) {
      // The side opposite corner k stays a side, unless the point lies on it.
      if (local.corners == 2 && face[k] != local.corner[0] && face[k] != local.corner[1]) continue;
      std::array<Index, 3> part = face;
      part[k] = v;
      if (replaced)
        cutting.faces.push_back(part);
      else
        cutting.faces[f] = part;
      replaced = true;
    }
    found = true;
  }
  return found;
}

std::optional<double> NearMesh::distance(const SurfacePoint& a, const SurfacePoint& b, double radius) const {
  const Place from = place_of(a), to = place_of(b);
  if (!in_one_face(from, from) || !in_one_face(to, to)) return {};
  const double chord = (to.position - from.position).norm();
  if (in_one_face(from, to)) return chord <= radius ? chord : infinity;
  auto cutting = cuttings_.borrow();
  const double ends =
      (position(from.corner[0]) - from.position).norm() + (position(to.corner[0]) - to.position).norm();
  const double path = ends + along_edges(from.corner[0], to.corner[0], radius);
  const double most = std::min(path, radius);
  const Region region{from.position, to.position, false, most * margin};
  cutting->clear();
  cut(*cutting, region, std::span(from.corner).first(static_cast<std::size_t>(from.corners)));
  Index source = 0, target = -1;
  for (const auto& [place, number] : {std::pair(&from, &source), std::pair(&to, &target)}) {
    if (place->corners == 1) {
      *number = cutting->numbers.find(place->corner[0]);
    } else {
      *number = static_cast<Index>(cutting->positions.size());
      cutting->positions.push_back(place->position);
      if (!insert(*cutting, *place, *number)) *number = -1;
    }
  }
  if (target < 0) return infinity;
  cutting->make_piece();
  patch_distances(cutting->piece, source, most * margin, cutting->distance);
  const double found = cutting->distance[target];
  return found <= radius ? found : infinity;
}

}  // namespace

std::unique_ptr<const NearShape> near_mesh(MeshArrays mesh, const std::vector<char>& keep) {
  if (mesh.triangles.size() / 3 > std::numeric_limits<std::uint32_t>::max() / 3)
    throw InputError(text("distances near a vertex support at most ",
                          std::numeric_limits<std::uint32_t>::max() / 3, " triangles, got ",
                          mesh.triangles.size() / 3));
  return std::make_unique<const NearMesh>(std::move(mesh), keep);
}

}  // namespace geodome::internal
