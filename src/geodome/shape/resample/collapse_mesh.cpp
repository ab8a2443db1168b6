#include "geodome/shape/resample/collapse_mesh.h"

#include <algorithm>
#include <array>
#include <utility>

namespace geodome::internal {
namespace {

bool has_corner(const Index* face, Index v) {
  return face[0] == v || face[1] == v || face[2] == v;
}

/// The corner that is neither a nor b.
Index third_corner(const Index* face, Index a, Index b) {
  for (int k = 0; k < 2; ++k) {
    if (face[k] != a && face[k] != b) return face[k];
  }
  return face[2];
}

}  // namespace

CollapseMesh::CollapseMesh(Triangles triangles, Index vertices)
    : faces_(std::move(triangles)),
      alive_(faces_.rows(), true),
      begin_(vertices + 1, 0),
      count_(vertices, 0),
      place_(vertices, Place::unused),
      mark_(vertices, 0) {
  const Eigen::Index n = vertices;
  for (Eigen::Index f = 0; f < faces_.rows(); ++f) {
    const auto t = faces_.row(f);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      alive_[f] = false;
      continue;
    }
    for (int k = 0; k < 3; ++k) ++begin_[t[k] + 1];
  }
  for (Eigen::Index v = 0; v < n; ++v) begin_[v + 1] += begin_[v];
  pool_.resize(begin_[n]);
  for (Eigen::Index f = 0; f < faces_.rows(); ++f) {
    if (!alive_[f]) continue;
    for (int k = 0; k < 3; ++k) {
      const Index v = faces_(f, k);
      pool_[begin_[v] + count_[v]++] = static_cast<Index>(f);
    }
  }
  for (Index v = 0; v < n; ++v) classify(v);
  vertices_ = static_cast<Index>(n - std::count(place_.begin(), place_.end(), Place::unused));
}

/// Walks the faces around v: they must form one fan, closed or open.
void CollapseMesh::classify(Index v) {
  if (count_[v] == 0) return;
  place_[v] = Place::fixed;
  std::vector<std::array<Index, 2>> link;
  for (Index f : faces(v)) {
    std::array<Index, 2> ends{};
    int found = 0;
    for (int k = 0; k < 3; ++k) {
      if (faces_(f, k) != v) ends[found++] = faces_(f, k);
    }
    link.push_back(ends);
  }
  const auto degree = [&](Index w) {
    return std::count_if(link.begin(), link.end(), [&](const auto& e) { return e[0] == w || e[1] == w; });
  };
  Index ends = 0, start = link[0][0];
  for (const auto& edge : link) {
    for (Index w : edge) {
      const auto d = degree(w);
      if (d > 2) return;
      if (d == 1) ++ends, start = w;
    }
  }
  if (ends != 0 && ends != 2) return;
  std::size_t walked = 0;
  std::vector<bool> used(link.size(), false);
  for (Index at = start;; ++walked) {
    std::size_t next = 0;
    while (next < link.size() && (used[next] || (link[next][0] != at && link[next][1] != at))) ++next;
    if (next == link.size()) break;
    used[next] = true;
    at = link[next][0] == at ? link[next][1] : link[next][0];
  }
  if (walked == link.size()) place_[v] = ends == 0 ? Place::inside : Place::boundary;
}

bool CollapseMesh::has_face(Index v, Index a, Index b) const {
  for (Index f : faces(v)) {
    if (has_corner(face(f), a) && has_corner(face(f), b)) return true;
  }
  return false;
}

bool CollapseMesh::can_collapse(Index a, Index b) {
  if (place_[a] == Place::fixed || place_[b] == Place::fixed) return false;
  Index opposite[2];
  int on_edge = 0;
  for (Index f : faces(a)) {
    if (!has_corner(face(f), b)) continue;
    if (on_edge == 2) return false;
    opposite[on_edge++] = third_corner(face(f), a, b);
  }
  if (on_edge == 0) return false;
  for (int k = 0; k < on_edge; ++k) {
    if (place_[opposite[k]] == Place::fixed) return false;
  }
  if (on_edge == 1) {
    if (count_[opposite[0]] == 1) return false;  // the last triangle of its component
  } else {
    // An inner edge between boundary vertices would pinch the surface; a tetrahedron would fall flat.
    if (place_[a] == Place::boundary && place_[b] == Place::boundary) return false;
    if (has_face(a, opposite[0], opposite[1]) && has_face(b, opposite[0], opposite[1])) return false;
  }
  for_each_neighbour(a, [](Index) {});
  const unsigned around_a = marks_used_;
  int common = 0;
  for (Index f : faces(b)) {
    for (int k = 0; k < 3; ++k) {
      const Index w = faces_(f, k);
      if (w == b || mark_[w] != around_a) continue;
      mark_[w] = 0;
      ++common;
    }
  }
  return common == on_edge;
}

void CollapseMesh::remove_from_list(Index v, Index f) {
  Index* list = pool_.data() + begin_[v];
  Index* end = std::remove(list, list + count_[v], f);
  count_[v] = static_cast<Index>(end - list);
}

void CollapseMesh::collapse(Index a, Index b) {
  std::vector<Index>& merged = scratch_;
  merged.clear();
  for (Index f : faces(a)) {
    if (!has_corner(face(f), b)) {
      merged.push_back(f);
      continue;
    }
    alive_[f] = false;
    remove_from_list(third_corner(face(f), a, b), f);
  }
  for (Index f : faces(b)) {
    if (!alive_[f]) continue;
    for (int k = 0; k < 3; ++k) {
      if (faces_(f, k) == b) faces_(f, k) = a;
    }
    merged.push_back(f);
  }
  begin_[a] = static_cast<std::int64_t>(pool_.size());
  count_[a] = static_cast<Index>(merged.size());
  pool_.insert(pool_.end(), merged.begin(), merged.end());
  if (place_[b] == Place::boundary) place_[a] = Place::boundary;
  place_[b] = Place::unused;
  count_[b] = 0;
  --vertices_;
}

Triangles CollapseMesh::triangles() const {
  Triangles left(std::count(alive_.begin(), alive_.end(), true), 3);
  Eigen::Index row = 0;
  for (Eigen::Index f = 0; f < faces_.rows(); ++f) {
    if (alive_[f]) left.row(row++) = faces_.row(f);
  }
  return left;
}

}  // namespace geodome::internal
