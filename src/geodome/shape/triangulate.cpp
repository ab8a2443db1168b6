#include "geodome/shape/triangulate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/check.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

constexpr int largest_exhaustive = 32;  // the best split of 32 corners costs 5,000 triangle tests

using Corner = Eigen::RowVector2d;
using Triple = std::array<int, 3>;

/// Corners of a face in the plane of its vector area, counter-clockwise. Without area any plane will do.
std::vector<Corner> flatten(const Points& points, const std::vector<Index>& face) {
  Eigen::RowVector3d normal = vector_area(points, face);
  if (normal.norm() > 0)
    normal.normalize();
  else
    normal = Eigen::RowVector3d::UnitZ();
  const Eigen::RowVector3d right = normal.unitOrthogonal(), up = normal.cross(right);
  std::vector<Corner> flat;
  for (const Index v : face) {
    const Eigen::RowVector3d arm = points.row(v) - points.row(face[0]);
    flat.emplace_back(arm.dot(right), arm.dot(up));
  }
  return flat;
}

double cross(const Corner& a, const Corner& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Signed area over summed squared sides: largest for an equilateral triangle, negative if turned over.
double quality(const Corner& a, const Corner& b, const Corner& c) {
  const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return sides > 0 ? cross(b - a, c - a) / sides : 0;
}

/// How good a set of triangles is: by its worst one, then by the sum, so that equal worst ones still differ.
struct Score {
  double worst = infinity;
  double sum = 0;
  bool operator<(const Score& other) const {
    return worst != other.worst ? worst < other.worst : sum < other.sum;
  }
};

/// Best split of the polygon `ring` (places in `flat`) by dynamic programming over its chords. If every
/// triangle has the same sign, a simple boundary is covered once: no separate test whether a chord is inside.
void split_exhaustively(const std::vector<Corner>& flat, const std::vector<int>& ring,
                        std::vector<Triple>& out) {
  const int n = static_cast<int>(ring.size());
  std::vector<Score> best(static_cast<std::size_t>(n) * n);
  std::vector<int> apex(static_cast<std::size_t>(n) * n, -1);
  for (int width = 2; width < n; ++width)
    for (int i = 0; i + width < n; ++i) {
      const int k = i + width;
      Score& here = best[i * n + k];
      for (int j = i + 1; j < k; ++j) {
        const Score &left = best[i * n + j], &right = best[j * n + k];
        const double own = quality(flat[ring[i]], flat[ring[j]], flat[ring[k]]);
        const Score score{std::min({own, left.worst, right.worst}), own + left.sum + right.sum};
        if (apex[i * n + k] < 0 || here < score) {
          here = score;
          apex[i * n + k] = j;
        }
      }
    }
  std::vector<std::pair<int, int>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, k] = open.back();
    open.pop_back();
    if (k - i < 2) continue;
    const int j = apex[i * n + k];
    out.push_back({ring[i], ring[j], ring[k]});
    open.emplace_back(j, k);
    open.emplace_back(i, j);
  }
}

/// Quality of cutting off corner `place` of the ring, or -infinity if another corner is in the way.
double ear_quality(const std::vector<Corner>& flat, const std::vector<int>& ring, std::size_t place) {
  const std::size_t n = ring.size();
  const int previous = ring[(place + n - 1) % n], self = ring[place], next = ring[(place + 1) % n];
  const Corner &a = flat[previous], &b = flat[self], &c = flat[next];
  const double own = quality(a, b, c);
  if (own <= 0) return own;
  // A corner on the cut is in the way too, even if rounding puts it just outside: cutting past a row of
  // corners on one line would leave nothing but that line.
  const double margin = -zero_area_tolerance * ((b - a).squaredNorm() + (c - b).squaredNorm());
  for (const int other : ring) {
    if (other == previous || other == self || other == next) continue;
    const Corner& p = flat[other];
    const bool at_a_corner = p == a || p == b || p == c;
    if (!at_a_corner && cross(b - a, p - a) >= margin && cross(c - b, p - b) >= margin &&
        cross(a - c, p - c) >= margin)
      return -infinity;
  }
  return own;
}

/// Cuts off the best corner again and again until the ring is small enough for the exhaustive search.
void cut_ears(const std::vector<Corner>& flat, std::vector<int>& ring, std::vector<Triple>& out) {
  std::vector<double> ears(ring.size());
  for (std::size_t place = 0; place < ring.size(); ++place) ears[place] = ear_quality(flat, ring, place);
  while (ring.size() > largest_exhaustive) {
    const auto place = static_cast<std::size_t>(std::max_element(ears.begin(), ears.end()) - ears.begin());
    const std::size_t n = ring.size();
    out.push_back({ring[(place + n - 1) % n], ring[place], ring[(place + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(place));
    ears.erase(ears.begin() + static_cast<std::ptrdiff_t>(place));
    const std::size_t next = place % ring.size(), previous = (place + ring.size() - 1) % ring.size();
    ears[previous] = ear_quality(flat, ring, previous);
    ears[next] = ear_quality(flat, ring, next);
  }
}

/// The corners of a face without those that follow themselves.
std::vector<Index> without_repeats(std::span<const Index> face) {
  std::vector<Index> corners(face.begin(), face.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  return corners;
}

/// Whether the triangles, three corners each, hold all corners of the face together.
bool joins(const std::vector<Index>& face, std::span<const Index> triangles) {
  const auto place = [&](Index v) { return std::find(face.begin(), face.end(), v) - face.begin(); };
  DisjointSets sets(static_cast<std::int64_t>(face.size()));
  for (std::size_t k = 0; k < triangles.size(); ++k)
    sets.unite(place(triangles[k]), place(triangles[k / 3 * 3]));
  return std::all_of(face.begin(), face.end(), [&](Index v) { return sets.find(place(v)) == sets.find(0); });
}

/// The corners of a face, each where it comes first.
std::vector<Index> distinct(const std::vector<Index>& face) {
  std::vector<Index> corners;
  for (const Index v : face)
    if (std::find(corners.begin(), corners.end(), v) == corners.end()) corners.push_back(v);
  return corners;
}

void split(const Points& points, const std::vector<Index>& face, std::vector<Index>& corners) {
  const std::size_t before = corners.size();
  bool repeated = false;
  std::vector<Triple> triples;
  if (face.size() == 3) {
    triples.push_back({0, 1, 2});
  } else {
    const std::vector<Corner> flat = flatten(points, face);
    std::vector<int> ring(face.size());
    std::iota(ring.begin(), ring.end(), 0);
    cut_ears(flat, ring, triples);
    split_exhaustively(flat, ring, triples);
  }
  for (const auto& [i, j, k] : triples) {
    const Index a = face[i], b = face[j], c = face[k];
    if (a != b && b != c && c != a)
      corners.insert(corners.end(), {a, b, c});
    else
      repeated = true;
  }
  if (!repeated || joins(face, std::span(corners).subspan(before))) return;
  corners.resize(before);
  split(points, distinct(face), corners);
}

}  // namespace

TriangleMesh triangulate(const PolygonMesh& mesh) {
  const FaceView faces(mesh);
  const auto count = static_cast<Index>(mesh.points.rows());
  std::vector<Index> corners;
  corners.reserve(
      static_cast<std::size_t>(std::max<std::int64_t>(0, 3 * (faces.corners() - 2 * faces.size()))));
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (out_of_range(faces[f], count))
      throw InputError(text("face ", f, " refers to a vertex out of range [0, ", count, ")"));
    if (faces[f].size() > largest_degree)
      throw InputError(text("face ", f, " has ", faces[f].size(), " corners, more than ", largest_degree,
                            ": split it into smaller faces"));
    const std::vector<Index> face = without_repeats(faces[f]);
    if (!collapsed(face)) split(mesh.points, face, corners);
  }
  TriangleMesh result{mesh.points, Triangles(static_cast<Eigen::Index>(corners.size() / 3), 3)};
  std::copy(corners.begin(), corners.end(), result.triangles.data());
  return result;
}

}  // namespace geodome::internal
