#include "geodome/laplacian/cloud_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "geodome/laplacian/cloud_stars.h"

namespace geodome::internal {
namespace {

struct Candidate {
  std::array<Index, 3> corner{};
  int votes = 0;         ///< corners whose star has it
  int mutual_edges = 0;  ///< edges that both ends have in their stars
  double circumradius = 0;
  double largest_cosine = 0;  ///< minus the cosine of the largest angle
};

/// A triangle with an angle above 162° lies flat on its longest edge: taken only to close a hole.
constexpr double flat_cosine = 0.951;
/// Two triangles at an edge whose angle is below 45° are one folded onto the other.
constexpr double fold_cosine = 0.7071;

Candidate measure(const Points& points, std::array<Index, 3> corner) {
  Candidate candidate{corner};
  const Eigen::RowVector3d a = points.row(corner[0]), b = points.row(corner[1]), c = points.row(corner[2]);
  std::array<double, 3> length{(c - b).norm(), (a - c).norm(), (b - a).norm()};
  const double twice_area = (b - a).cross(c - a).norm();
  candidate.circumradius = twice_area > 0 ? length[0] / twice_area * length[1] * length[2] / 2 : infinity;
  std::sort(length.begin(), length.end());
  candidate.largest_cosine = ((length[2] - length[0]) * (length[2] + length[0]) - length[1] * length[1]) /
                             (2 * length[0] * length[1]);
  return candidate;
}

/// The edges from each vertex to the corners of its star.
class StarEdges {
 public:
  explicit StarEdges(const CloudStars& stars) {
    for (std::size_t v = 0; v + 1 < stars.offsets.size(); ++v)
      for (std::size_t t = stars.offsets[v]; t < stars.offsets[v + 1]; ++t)
        for (const Index other : stars.triangles[t]) edges_.emplace_back(static_cast<Index>(v), other);
    std::sort(edges_.begin(), edges_.end());
  }

  bool mutual(Index a, Index b) const { return has(a, b) && has(b, a); }

 private:
  bool has(Index from, Index to) const {
    return std::binary_search(edges_.begin(), edges_.end(), std::pair(from, to));
  }

  std::vector<std::pair<Index, Index>> edges_;
};

/// Every triangle of any star once, best first.
std::vector<Candidate> collect(const Points& points, const CloudStars& stars) {
  std::vector<std::pair<std::array<Index, 3>, std::array<Index, 3>>> all;  // sorted corners, corners as found
  all.reserve(stars.triangles.size());
  for (std::size_t v = 0; v + 1 < stars.offsets.size(); ++v)
    for (std::size_t t = stars.offsets[v]; t < stars.offsets[v + 1]; ++t) {
      const std::array<Index, 3> corner{static_cast<Index>(v), stars.triangles[t][0], stars.triangles[t][1]};
      std::array<Index, 3> sorted = corner;
      std::sort(sorted.begin(), sorted.end());
      all.emplace_back(sorted, corner);
    }
  std::sort(all.begin(), all.end());
  const StarEdges star_edges(stars);
  std::vector<Candidate> candidates;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    candidates.push_back(measure(points, all[begin].second));
    Candidate& candidate = candidates.back();
    candidate.votes = static_cast<int>(end - begin);
    for (std::size_t k = 0; k < 3; ++k)
      candidate.mutual_edges += star_edges.mutual(candidate.corner[k], candidate.corner[(k + 1) % 3]);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.votes, a.circumradius) < std::tuple(-b.votes, b.circumradius);
  });
  return candidates;
}

/// A growing mesh in which no edge has more than two triangles.
class ManifoldBuilder {
 public:
  explicit ManifoldBuilder(const Points& points) : points_(points) {}

  /// True when every edge has room for this triangle and it folds back on no neighbour.
  bool fits(const Candidate& candidate) const {
    for (int k = 0; k < 3; ++k) {
      const auto edge = edges_.find(key(candidate, k));
      if (edge == edges_.end()) continue;
      if (edge->second.triangles > 1 || folds(candidate, k, edge->second.apex)) return false;
    }
    return true;
  }

  /// Number of its edges that border exactly one triangle so far.
  int shared_borders(const Candidate& candidate) const {
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      const auto edge = edges_.find(key(candidate, k));
      count += edge != edges_.end() && edge->second.triangles == 1;
    }
    return count;
  }

  void add(const Candidate& candidate) {
    for (int k = 0; k < 3; ++k) {
      EdgeUse& edge = edges_[key(candidate, k)];
      ++edge.triangles;
      edge.apex = candidate.corner[static_cast<std::size_t>(k)];
    }
    triangles_.push_back(candidate.corner);
  }

  /// The edges of exactly one triangle, each once from either end, in order.
  std::vector<std::pair<Index, Index>> border() const {
    std::vector<std::pair<Index, Index>> result;
    for (const auto& [ends, edge] : edges_)
      if (edge.triangles == 1) {
        const auto low = static_cast<Index>(ends >> 32), high = static_cast<Index>(ends & 0xffffffffu);
        result.emplace_back(low, high);
        result.emplace_back(high, low);
      }
    std::sort(result.begin(), result.end());
    return result;
  }

  const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  std::vector<std::array<Index, 3>>& triangles() { return triangles_; }

 private:
  struct EdgeUse {
    int triangles = 0;
    Index apex = 0;
  };

  /// Of the edge opposite corner k.
  static std::uint64_t key(const Candidate& candidate, int k) {
    const Index a = candidate.corner[static_cast<std::size_t>((k + 1) % 3)];
    const Index b = candidate.corner[static_cast<std::size_t>((k + 2) % 3)];
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
  }

  bool folds(const Candidate& candidate, int k, Index other) const {
    const Eigen::RowVector3d base = points_.row(candidate.corner[static_cast<std::size_t>((k + 1) % 3)]);
    const Eigen::RowVector3d along =
        (points_.row(candidate.corner[static_cast<std::size_t>((k + 2) % 3)]) - base).normalized();
    const auto across = [&](Index apex) {
      const Eigen::RowVector3d offset = points_.row(apex) - base;
      return Eigen::RowVector3d(offset - offset.dot(along) * along);
    };
    const Eigen::RowVector3d here = across(candidate.corner[static_cast<std::size_t>(k)]),
                             there = across(other);
    return here.dot(there) > fold_cosine * here.norm() * there.norm();
  }

  const Points& points_;
  std::unordered_map<std::uint64_t, EdgeUse> edges_;
  std::vector<std::array<Index, 3>> triangles_;
};

/// Most corners know the triangle, or at least agree that its corners are neighbours: on four points near a
/// common circle each star may cut off its own corner, and then no triangle has two votes.
bool agreed(const Candidate& candidate) {
  return (candidate.votes >= 2 || candidate.mutual_edges >= 2) && candidate.largest_cosine <= flat_cosine;
}

/// Adds candidates that fit between triangles already there, until none does. Returns those left over.
std::vector<Candidate> close_holes(std::vector<Candidate> rest, ManifoldBuilder& mesh) {
  for (bool changed = true; changed;) {
    std::vector<Candidate> waiting;
    for (const Candidate& candidate : rest) {
      if (!mesh.fits(candidate)) continue;  // never will: edges only fill up
      const int needed = candidate.largest_cosine > flat_cosine ? 3 : 2;
      if (mesh.shared_borders(candidate) >= needed)
        mesh.add(candidate);
      else
        waiting.push_back(candidate);
    }
    changed = waiting.size() < rest.size();
    rest = std::move(waiting);
  }
  return rest;
}

/// Holes with at most this many edges are gaps between stars that disagree, not borders of the surface.
constexpr std::size_t largest_hole = 6;

/// The closed walks of at most `largest_hole` edges along the border, over vertices with two border edges.
std::vector<std::vector<Index>> small_holes(const ManifoldBuilder& mesh, Index vertices) {
  std::vector<std::array<Index, 2>> next(static_cast<std::size_t>(vertices), {-1, -1});
  std::vector<int> degree(static_cast<std::size_t>(vertices), 0);
  for (const auto& [from, to] : mesh.border()) {
    const auto v = static_cast<std::size_t>(from);
    if (degree[v] < 2) next[v][static_cast<std::size_t>(degree[v])] = to;
    ++degree[v];
  }
  std::vector<std::vector<Index>> holes;
  for (Index start = 0; start < vertices; ++start) {
    std::vector<Index> walk;
    Index before = -1, here = start;
    do {
      const auto v = static_cast<std::size_t>(here);
      if (degree[v] != 2 || here < start) break;  // each walk is found from its smallest vertex
      walk.push_back(here);
      const Index on = next[v][0] == before ? next[v][1] : next[v][0];
      before = here;
      here = on;
    } while (here != start && walk.size() < largest_hole);
    if (here == start && walk.size() >= 3) holes.push_back(std::move(walk));
  }
  return holes;
}

/// Cuts triangles off small holes, the smallest first, as long as they fit.
void fill_small_holes(const Points& points, ManifoldBuilder& mesh) {
  for (std::vector<Index>& hole : small_holes(mesh, static_cast<Index>(points.rows())))
    while (hole.size() >= 3) {
      Candidate best;
      std::size_t ear = hole.size();
      for (std::size_t i = 0; i < hole.size(); ++i) {
        const Candidate candidate =
            measure(points, {hole[i], hole[(i + 1) % hole.size()], hole[(i + 2) % hole.size()]});
        if (ear < hole.size() && candidate.circumradius >= best.circumradius) continue;
        const int needed = hole.size() == 3 ? 3 : 2;
        if (candidate.circumradius == infinity || mesh.shared_borders(candidate) < needed ||
            !mesh.fits(candidate))
          continue;
        best = candidate;
        ear = (i + 1) % hole.size();
      }
      if (ear == hole.size()) break;
      mesh.add(best);
      if (hole.size() == 3) break;
      hole.erase(hole.begin() + static_cast<std::ptrdiff_t>(ear));
    }
}

/// The largest distance, in spacings, at which a point is attached to a border.
constexpr double longest_attachment = 4;

/// Joins points without triangles to border edges next to them: at a border a point may be known to itself
/// alone.
void attach_loose(const Points& points, const CloudStars& stars, const std::vector<Candidate>& rest,
                  ManifoldBuilder& mesh) {
  std::vector<char> referenced(static_cast<std::size_t>(points.rows()), 0);
  for (const auto& corner : mesh.triangles())
    for (const Index v : corner) referenced[static_cast<std::size_t>(v)] = 1;
  const auto near = [&](Index loose, Index other) {
    return (points.row(loose) - points.row(other)).norm() <=
           longest_attachment * stars.spacing[static_cast<std::size_t>(other)];
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Candidate& candidate : rest) {
      const auto loose = std::find_if(candidate.corner.begin(), candidate.corner.end(),
                                      [&](Index v) { return !referenced[static_cast<std::size_t>(v)]; });
      if (loose == candidate.corner.end()) continue;
      const auto k = static_cast<std::size_t>(loose - candidate.corner.begin());
      const Index a = candidate.corner[(k + 1) % 3], b = candidate.corner[(k + 2) % 3];
      if (!near(*loose, a) || !near(*loose, b)) continue;
      if (mesh.shared_borders(candidate) != 1 || !mesh.fits(candidate)) continue;
      mesh.add(candidate);
      referenced[static_cast<std::size_t>(*loose)] = 1;
      changed = true;
    }
  }
}

/// Hangs every repeated point on the first one at its position.
void attach_repeated(const CloudStars& stars, std::vector<std::array<Index, 3>>& triangles) {
  std::vector<Index> companion(stars.representative.size(), -1);
  for (const auto& corner : triangles)
    for (std::size_t k = 0; k < 3; ++k) companion[static_cast<std::size_t>(corner[k])] = corner[(k + 1) % 3];
  for (std::size_t v = 0; v < stars.representative.size(); ++v) {
    const Index first = stars.representative[v];
    const Index other = companion[static_cast<std::size_t>(first)];
    if (first != static_cast<Index>(v) && other >= 0)
      triangles.push_back({first, static_cast<Index>(v), other});
  }
}

}  // namespace

TriangleMesh triangulate_cloud(const PointCloud& cloud, Index neighbours, const Execution& execution) {
  const CloudStars stars = cloud_stars(cloud, neighbours, execution);
  ManifoldBuilder mesh(cloud.points);
  std::vector<Candidate> rest;
  for (const Candidate& candidate : collect(cloud.points, stars)) {
    if (agreed(candidate) && mesh.fits(candidate))
      mesh.add(candidate);
    else
      rest.push_back(candidate);
  }
  rest = close_holes(std::move(rest), mesh);
  attach_loose(cloud.points, stars, rest, mesh);
  fill_small_holes(cloud.points, mesh);
  attach_repeated(stars, mesh.triangles());

  TriangleMesh result;
  result.points = cloud.points;
  result.triangles.resize(static_cast<Eigen::Index>(mesh.triangles().size()), 3);
  for (std::size_t f = 0; f < mesh.triangles().size(); ++f)
    for (std::size_t k = 0; k < 3; ++k)
      result.triangles(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(k)) = mesh.triangles()[f][k];
  return result;
}

}  // namespace geodome::internal
