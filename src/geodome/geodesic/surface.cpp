#include "geodome/geodesic/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {

bool coincide(const Eigen::RowVector3d& a, const Eigen::RowVector3d& b) {
  const Eigen::RowVector3d middle = a + (b - a) / 2;
  return middle == a || middle == b;
}

Points unit_points(const Points& points, double& scale) {
  if (points.rows() == 0) return points;
  const double diagonal = (points.colwise().maxCoeff() - points.colwise().minCoeff()).stableNorm();
  scale = diagonal > 0 ? std::exp2(std::floor(std::log2(diagonal))) : 1;
  return points / scale;
}

namespace {

using Face = std::array<Index, 3>;

void require_valid(const TriangleMesh& mesh) {
  const Index count = static_cast<Index>(mesh.points.rows());
  for (Index v = 0; v < count; ++v)
    if (!mesh.points.row(v).allFinite())
      throw InputError(text("vertex ", v, " has a coordinate that is not finite"));
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles(f, k) < 0 || mesh.triangles(f, k) >= count)
        throw InputError(
            text("face ", f, " refers to vertex ", mesh.triangles(f, k), ", out of range [0, ", count, ")"));
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
Face rotated(Face face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  return face;
}

Face sorted(Face face) {
  std::sort(face.begin(), face.end());
  return face;
}

/// Renumbers the referenced vertices along the curve: their new numbers, -1 elsewhere.
std::vector<Index> rank_along_curve(const Points& unit, const std::vector<char>& referenced) {
  std::vector<std::pair<std::uint64_t, Index>> order;
  if (unit.rows() == 0) return {};
  // A cube of the diagonal's size, not of the unit's: then the order does not depend on the scale.
  const Eigen::RowVector3d low = unit.colwise().minCoeff(), high = unit.colwise().maxCoeff();
  const double diagonal = high == low ? 1 : (high - low).norm();
  for (Index v = 0; v < unit.rows(); ++v)
    if (referenced[v]) order.emplace_back(morton_code((unit.row(v) - low) / diagonal), v);
  std::sort(order.begin(), order.end());
  std::vector<Index> rank(unit.rows(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i].second] = static_cast<Index>(i);
  return rank;
}

/// For each vertex the smallest vertex that edges of length zero join it to, itself if there are none.
std::vector<Index> merge_along_zero_edges(const TriangleMesh& mesh) {
  const Index count = static_cast<Index>(mesh.points.rows());
  DisjointSets sets(count);
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
      if (coincide(mesh.points.row(a), mesh.points.row(b))) sets.unite(a, b);
    }
  std::vector<Index> merged(count);
  for (Index v = 0; v < count; ++v) merged[v] = static_cast<Index>(sets.find(v));
  return merged;
}

/// The triangles under new numbers, each once, in their order, without those that have become an edge or a
/// point.
Triangles renumbered(const Triangles& triangles, const std::vector<Index>& number, Index numbers) {
  std::vector<Face> faces;
  faces.reserve(static_cast<std::size_t>(triangles.rows()));
  std::vector<Index> first(numbers + 1, 0);  // by smallest corner
  for (Index f = 0; f < triangles.rows(); ++f) {
    const Face face = {number[triangles(f, 0)], number[triangles(f, 1)], number[triangles(f, 2)]};
    if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) continue;
    faces.push_back(rotated(face));
    ++first[faces.back()[0] + 1];
  }
  for (Index v = 0; v < numbers; ++v) first[v + 1] += first[v];
  std::vector<Face> ordered(faces.size());
  std::vector<Index> next(first.begin(), first.end() - 1);
  for (const Face& face : faces) ordered[next[face[0]]++] = face;
  for (Index v = 0; v < numbers; ++v)
    std::sort(ordered.begin() + first[v], ordered.begin() + first[v + 1], [](const Face& a, const Face& b) {
      return std::tuple(sorted(a), a) < std::tuple(sorted(b), b);
    });
  ordered.erase(std::unique(ordered.begin(), ordered.end(),
                            [](const Face& a, const Face& b) { return sorted(a) == sorted(b); }),
                ordered.end());
  Triangles result(static_cast<Eigen::Index>(ordered.size()), 3);
  for (std::size_t f = 0; f < ordered.size(); ++f)
    for (int k = 0; k < 3; ++k) result(static_cast<Eigen::Index>(f), k) = ordered[f][k];
  return result;
}

/// Faces with a side of length zero are edges; those of them that are not sides of another face would be
/// lost, and what hangs on them.
std::vector<std::array<Index, 2>> loose_edges(const Triangles& triangles, const std::vector<Index>& number,
                                              const Triangles& kept) {
  std::vector<std::array<Index, 2>> edges;
  for (Index f = 0; f < triangles.rows(); ++f) {
    const Face face = sorted({number[triangles(f, 0)], number[triangles(f, 1)], number[triangles(f, 2)]});
    if (face[0] == face[2] || (face[0] != face[1] && face[1] != face[2])) continue;
    edges.push_back({face[0], face[2]});
  }
  if (edges.empty()) return edges;
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<char> held(edges.size(), 0);
  for (Index f = 0; f < kept.rows(); ++f)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({kept(f, k), kept(f, (k + 1) % 3)});
      const auto place = std::lower_bound(edges.begin(), edges.end(), std::array{low, high});
      if (place != edges.end() && *place == std::array{low, high}) held[place - edges.begin()] = 1;
    }
  std::vector<std::array<Index, 2>> loose;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (!held[e]) loose.push_back(edges[e]);
  return loose;
}

/// Lays a triangle without area along each edge; its third corner, in the middle, is no vertex of the input.
void add_flat_triangles(const std::vector<std::array<Index, 2>>& edges, Surface& surface) {
  const Eigen::Index points = surface.points.rows(), triangles = surface.triangles.rows();
  const auto count = static_cast<Eigen::Index>(edges.size());
  surface.points.conservativeResize(points + count, 3);
  surface.triangles.conservativeResize(triangles + count, 3);
  for (Eigen::Index e = 0; e < count; ++e) {
    const auto [a, b] = edges[static_cast<std::size_t>(e)];
    surface.points.row(points + e) =
        surface.points.row(a) + (surface.points.row(b) - surface.points.row(a)) / 2;
    surface.triangles.row(triangles + e) << a, static_cast<Index>(points + e), b;
  }
}

void label_components(Surface& surface) {
  const Index count = static_cast<Index>(surface.points.rows());
  DisjointSets sets(count);
  for (Index f = 0; f < surface.triangles.rows(); ++f) {
    sets.unite(surface.triangles(f, 0), surface.triangles(f, 1));
    sets.unite(surface.triangles(f, 0), surface.triangles(f, 2));
  }
  surface.component.resize(count);
  for (Index v = 0; v < count; ++v) {
    const std::int64_t root = sets.find(v);
    surface.component[v] = root == v ? surface.components++ : surface.component[root];
  }
}

}  // namespace

Surface prepare_surface(const TriangleMesh& mesh) {
  require_valid(mesh);
  Surface surface;
  const Points unit = unit_points(mesh.points, surface.scale);
  const std::vector<Index> merged = merge_along_zero_edges(mesh);

  const auto count = static_cast<std::size_t>(mesh.points.rows());
  std::vector<char> named(count, 0), referenced(count, 0);
  for (const Index corner : mesh.triangles.reshaped()) {
    named[corner] = 1;
    referenced[merged[corner]] = 1;
  }
  const std::vector<Index> rank = rank_along_curve(unit, referenced);
  surface.points.resize(std::count(referenced.begin(), referenced.end(), 1), 3);
  surface.of_input.assign(count, -1);
  for (std::size_t v = 0; v < count; ++v) {
    if (rank[v] >= 0) surface.points.row(rank[v]) = unit.row(static_cast<Eigen::Index>(v));
    if (named[v]) surface.of_input[v] = rank[merged[v]];
  }
  surface.triangles = renumbered(mesh.triangles, surface.of_input, static_cast<Index>(surface.points.rows()));
  add_flat_triangles(loose_edges(mesh.triangles, surface.of_input, surface.triangles), surface);
  label_components(surface);
  return surface;
}

SurfaceSolver::SurfaceSolver(Surface surface) : surface_(std::move(surface)) {}

/// Which block computes which rows of the result.
struct SurfaceSolver::Plan {
  std::vector<std::vector<Index>> blocks;      // of surface vertices
  std::vector<std::vector<std::size_t>> rows;  // of each surface vertex that is a source, by its rank
  std::vector<Index> sources;                  // distinct, increasing
  std::vector<std::size_t> loose;              // rows whose source is not on the surface

  const std::vector<std::size_t>& rows_of(Index source) const {
    return rows[std::lower_bound(sources.begin(), sources.end(), source) - sources.begin()];
  }
};

SurfaceSolver::Plan SurfaceSolver::plan(std::span<const Index> sources) const {
  Plan plan;
  for (std::size_t row = 0; row < sources.size(); ++row) {
    const Index here = surface_.of_input[sources[row]];
    if (here >= 0)
      plan.sources.push_back(here);
    else
      plan.loose.push_back(row);
  }
  std::sort(plan.sources.begin(), plan.sources.end());
  plan.sources.erase(std::unique(plan.sources.begin(), plan.sources.end()), plan.sources.end());
  plan.rows.resize(plan.sources.size());
  for (std::size_t row = 0; row < sources.size(); ++row) {
    const Index here = surface_.of_input[sources[row]];
    if (here >= 0)
      plan.rows[std::lower_bound(plan.sources.begin(), plan.sources.end(), here) - plan.sources.begin()]
          .push_back(row);
  }
  plan.blocks = blocks(plan.sources);
  return plan;
}

void SurfaceSolver::require_in_range(std::span<const Index> vertices, const char* what) const {
  for (const Index vertex : vertices)
    if (vertex < 0 || vertex >= size())
      throw InputError(text(what, " ", vertex, " is out of range [0, ", size(), ")"));
}

std::vector<std::vector<Index>> SurfaceSolver::blocks(std::span<const Index> sources) const {
  // Neighbours along the curve are neighbours on the surface, mostly.
  std::vector<std::vector<Index>> result;
  const auto block = static_cast<std::size_t>(block_size());
  for (std::size_t begin = 0; begin < sources.size(); begin += block) {
    const auto part = sources.subspan(begin, std::min(block, sources.size() - begin));
    result.emplace_back(part.begin(), part.end());
  }
  return result;
}

void SurfaceSolver::solve_at(std::span<const Index> sources, std::span<const Index> targets,
                             Eigen::Ref<RowMatrix<double>> out) const {
  RowMatrix<double> rows(sources.size(), surface_.points.rows());
  solve(sources, rows);
  for (std::size_t t = 0; t < targets.size(); ++t) out.col(t) = rows.col(targets[t]);
}

void SurfaceSolver::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                              const Execution& execution) const {
  if (out.rows() != static_cast<Eigen::Index>(sources.size()) || out.cols() != size())
    throw InputError(
        text("the result is ", out.rows(), " by ", out.cols(), ", not ", sources.size(), " by ", size()));
  require_in_range(sources, "source");
  const Plan work = plan(sources);
  for (const std::size_t row : work.loose) {
    out.row(row).setConstant(infinity);
    out(row, sources[row]) = 0;
  }
  parallel_for(work.blocks.size(), execution, "geodesic distances", [&](std::size_t item, int) {
    const std::vector<Index>& block = work.blocks[item];
    RowMatrix<double> found(block.size(), surface_.points.rows());
    solve(block, found);
    for (std::size_t i = 0; i < block.size(); ++i)
      for (const std::size_t row : work.rows_of(block[i]))
        for (Index v = 0; v < size(); ++v) {
          const Index here = surface_.of_input[v];
          const bool reachable = here >= 0 && surface_.component[here] == surface_.component[block[i]];
          out(row, v) = reachable ? surface_.scale * found(i, here) : infinity;
        }
  });
}

RowMatrix<double> SurfaceSolver::between(std::span<const Index> sources, std::span<const Index> targets,
                                         const Execution& execution) const {
  return std::move(some_between(sources, targets, {}, execution).distances);
}

SomeRows SurfaceSolver::some_between(std::span<const Index> sources, std::span<const Index> targets,
                                     const Share& share, const Execution& execution) const {
  require_in_range(sources, "source");
  require_in_range(targets, "target");
  Plan work = plan(sources);
  std::vector<std::vector<Index>> mine;
  for (std::size_t k = 0; k < work.blocks.size(); ++k)
    if (share.has(k, work.blocks.size())) mine.push_back(std::move(work.blocks[k]));
  const bool has_loose = share.has(0, 1);
  SomeRows result;
  if (has_loose) result.sources = work.loose;
  for (const std::vector<Index>& block : mine)
    for (const Index source : block)
      result.sources.insert(result.sources.end(), work.rows_of(source).begin(), work.rows_of(source).end());
  std::sort(result.sources.begin(), result.sources.end());
  std::vector<std::size_t> place(sources.size());  // of a row of all, in the result
  for (std::size_t k = 0; k < result.sources.size(); ++k) place[result.sources[k]] = k;

  RowMatrix<double>& out = result.distances;
  out.setConstant(static_cast<Eigen::Index>(result.sources.size()), static_cast<Eigen::Index>(targets.size()),
                  infinity);
  if (has_loose)
    for (const std::size_t row : work.loose)
      for (std::size_t t = 0; t < targets.size(); ++t)
        if (targets[t] == sources[row]) out(place[row], t) = 0;
  std::vector<Index> places;         // on the surface
  std::vector<std::size_t> columns;  // of the result
  for (std::size_t t = 0; t < targets.size(); ++t)
    if (surface_.of_input[targets[t]] >= 0) {
      places.push_back(surface_.of_input[targets[t]]);
      columns.push_back(t);
    }
  parallel_for(mine.size(), execution, "geodesic distances", [&](std::size_t item, int) {
    const std::vector<Index>& block = mine[item];
    RowMatrix<double> found(block.size(), places.size());
    solve_at(block, places, found);
    for (std::size_t i = 0; i < block.size(); ++i)
      for (const std::size_t row : work.rows_of(block[i]))
        for (std::size_t t = 0; t < places.size(); ++t)
          if (surface_.component[places[t]] == surface_.component[block[i]])
            out(place[row], columns[t]) = surface_.scale * found(i, t);
  });
  return result;
}

}  // namespace geodome::internal
