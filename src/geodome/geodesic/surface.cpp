#include "geodome/geodesic/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome {
namespace {

/// Union-find with path halving; the root of a set is its smallest member.
class Sets {
 public:
  explicit Sets(Index count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index find(Index item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void unite(Index a, Index b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

void require_valid(const TriangleMesh& mesh) {
  const Index count = static_cast<Index>(mesh.points.rows());
  for (Index v = 0; v < count; ++v)
    if (!mesh.points.row(v).allFinite()) throw InputError(text("vertex ", v, " has a coordinate that is not finite"));
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles(f, k) < 0 || mesh.triangles(f, k) >= count)
        throw InputError(text("face ", f, " names vertex ", mesh.triangles(f, k), ", out of range [0, ", count, ")"));
}

/// Position along a Morton curve of 21 bits per axis through the unit cube.
std::uint64_t morton_code(const Eigen::RowVector3d& unit) {
  std::uint64_t code = 0;
  std::array<std::uint64_t, 3> cell;
  for (int k = 0; k < 3; ++k) cell[k] = static_cast<std::uint64_t>(std::clamp(unit[k], 0.0, 1.0) * 2097151.0);
  for (int bit = 20; bit >= 0; --bit)
    for (int k = 0; k < 3; ++k) code = code << 1 | (cell[k] >> bit & 1);
  return code;
}

/// Corners of each triangle with the smallest first, keeping the cyclic order.
std::array<Index, 3> rotated(std::array<Index, 3> face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  return face;
}

std::array<Index, 3> sorted(std::array<Index, 3> face) {
  std::sort(face.begin(), face.end());
  return face;
}

/// Renumbers the referenced vertices along the curve; returns their number and fills `rank`, -1 elsewhere.
Index rank_along_curve(const Points& unit, const std::vector<char>& referenced, std::vector<Index>& rank) {
  std::vector<std::pair<std::uint64_t, Index>> order;
  for (Index v = 0; v < unit.rows(); ++v)
    if (referenced[v]) order.emplace_back(morton_code(unit.row(v)), v);
  std::sort(order.begin(), order.end());
  rank.assign(unit.rows(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i].second] = static_cast<Index>(i);
  return static_cast<Index>(order.size());
}

void label_components(Surface& surface) {
  const Index count = static_cast<Index>(surface.points.rows());
  Sets sets(count);
  for (Index f = 0; f < surface.triangles.rows(); ++f) {
    sets.unite(surface.triangles(f, 0), surface.triangles(f, 1));
    sets.unite(surface.triangles(f, 0), surface.triangles(f, 2));
  }
  surface.component.resize(count);
  for (Index v = 0; v < count; ++v) {
    const Index root = sets.find(v);
    surface.component[v] = root == v ? surface.components++ : surface.component[root];
  }
}

}  // namespace

Surface prepare_surface(const TriangleMesh& mesh) {
  require_valid(mesh);
  const Index count = static_cast<Index>(mesh.points.rows());
  Surface surface;

  const Eigen::RowVector3d low = count ? mesh.points.colwise().minCoeff().eval() : Eigen::RowVector3d::Zero();
  const Eigen::RowVector3d high = count ? mesh.points.colwise().maxCoeff().eval() : Eigen::RowVector3d::Zero();
  const double diagonal = (high - low).norm();
  if (diagonal > 0) surface.scale = diagonal;
  const Points unit = (mesh.points.rowwise() - low) / surface.scale;

  Sets merged(count);
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
      if (mesh.points.row(a) == mesh.points.row(b)) merged.unite(a, b);
    }

  std::vector<char> referenced(count, 0);
  std::vector<std::array<Index, 3>> faces;
  for (Index f = 0; f < mesh.triangles.rows(); ++f) {
    std::array<Index, 3> face;
    for (int k = 0; k < 3; ++k) {
      face[k] = merged.find(mesh.triangles(f, k));
      referenced[face[k]] = 1;
    }
    if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces.push_back(rotated(face));
  }

  std::vector<Index> rank;
  const Index kept = rank_along_curve(unit, referenced, rank);
  surface.points.resize(kept, 3);
  surface.of_input.resize(count, -1);
  std::vector<char> named(count, 0);
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k) named[mesh.triangles(f, k)] = 1;
  for (Index v = 0; v < count; ++v) {
    if (rank[v] >= 0) surface.points.row(rank[v]) = unit.row(v);
    if (named[v]) surface.of_input[v] = rank[merged.find(v)];
  }

  for (auto& face : faces) face = rotated({rank[face[0]], rank[face[1]], rank[face[2]]});
  std::sort(faces.begin(), faces.end(), [](const auto& a, const auto& b) {
    return std::tuple(sorted(a), a) < std::tuple(sorted(b), b);
  });
  faces.erase(std::unique(faces.begin(), faces.end(),
                          [](const auto& a, const auto& b) { return sorted(a) == sorted(b); }),
              faces.end());
  surface.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k) surface.triangles(static_cast<Eigen::Index>(f), k) = faces[f][k];
  label_components(surface);
  return surface;
}

SurfaceSolver::SurfaceSolver(Surface surface) : surface_(std::move(surface)) {}

void SurfaceSolver::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                              const Execution& execution) const {
  const Index count = size();
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != count)
    throw InputError(text("the result is ", out.rows(), " by ", out.cols(), ", not ", sources.size(), " by ", count));
  for (const Index source : sources)
    if (source < 0 || source >= count)
      throw InputError(text("source ", source, " is out of range [0, ", count, ")"));

  // Neighbours along the curve are neighbours on the surface, mostly: sort, then cut into blocks.
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (surface_.of_input[sources[s]] >= 0) order.push_back(s);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(surface_.of_input[sources[a]], a) < std::pair(surface_.of_input[sources[b]], b);
  });
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (surface_.of_input[sources[s]] < 0) {
      out.row(s).setConstant(infinity);
      out(s, sources[s]) = 0;
    }

  const std::size_t block = block_size();
  const std::size_t blocks = (order.size() + block - 1) / block;
  parallel_for(blocks, execution, "geodesic distances", [&](std::size_t item, int) {
    const std::size_t begin = item * block, end = std::min(order.size(), begin + block);
    std::vector<Index> local;
    for (std::size_t i = begin; i < end; ++i) local.push_back(surface_.of_input[sources[order[i]]]);
    RowMatrix<double> rows(local.size(), surface_.points.rows());
    solve(local, rows);
    for (std::size_t i = begin; i < end; ++i) {
      const Index home = surface_.component[local[i - begin]];
      for (Index v = 0; v < count; ++v) {
        const Index here = surface_.of_input[v];
        const bool reachable = here >= 0 && surface_.component[here] == home;
        out(order[i], v) = reachable ? surface_.scale * rows(i - begin, here) : infinity;
      }
    }
  });
}

}  // namespace geodome
