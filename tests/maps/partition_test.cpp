/// Regions: Voronoi cells, and connected ones of nearly equal area.
#include "geodome/maps/partition.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "geodome/maps/interpolate_values.h"
#include "maps/map_cases.h"

namespace geodome::testing {
namespace {

TEST(VoronoiCells, HoldTheVerticesNearestToTheirSeed) {
  const auto full = all_distances_of(side_by_side(make_sphere(5), make_plane(9, 9)));
  const std::vector<Index> seeds = {3, 40, 100, 260};
  const Partition cells = voronoi_cells(full, seeds);
  for (Index v = 0; v < full.size(); ++v) {
    double nearest = infinity;
    for (const Index seed : seeds) nearest = std::min(nearest, full.values()(seed, v));
    if (nearest == infinity)
      EXPECT_EQ(cells.label[v], -1);
    else
      EXPECT_EQ(full.values()(seeds[cells.label[v]], v), nearest);
  }
  double vertices = 0;
  for (const double area : cells.area) vertices += area;
  EXPECT_EQ(vertices, std::count_if(cells.label.begin(), cells.label.end(), [](Index l) { return l >= 0; }));
}

/// How many pieces a region's vertices form along edges.
Index pieces_of(const TriangleMesh& mesh, const std::vector<Index>& label, Index region) {
  std::vector<Index> root(label.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
      if (label[a] == region && label[b] == region) root[find(a)] = find(b);
    }
  std::set<Index> roots;
  for (Index v = 0; v < static_cast<Index>(label.size()); ++v)
    if (label[v] == region) roots.insert(find(v));
  return static_cast<Index>(roots.size());
}

TEST(Partition, HasRegionsOfNearlyEqualAreaOnClosedShapes) {
  for (const TriangleMesh& mesh :
       {make_sphere(9), make_torus(36, 18), internal::make_creature(1000).stretched}) {
    const auto full = all_distances_of(mesh);
    const Vector area = vertex_areas(mesh);
    for (const Index parts : {2, 10, 30}) {
      const Partition found =
          partition(full, {.parts = parts}, {area.data(), static_cast<std::size_t>(area.size())});
      ASSERT_EQ(found.centre.size(), static_cast<std::size_t>(parts));
      EXPECT_LE(found.ratio, 1.5) << parts;
      for (Index region = 0; region < parts; ++region) {
        EXPECT_EQ(pieces_of(mesh, found.label, region), 1) << region;
        EXPECT_EQ(found.label[found.centre[region]], region);
      }
    }
  }
}

TEST(Partition, GivesComponentsRegionsByTheirArea) {
  const TriangleMesh mesh = side_by_side(make_sphere(10), make_sphere(5));
  const auto full = all_distances_of(mesh);
  const Partition found = partition(full, {.parts = 10});
  const Index first = static_cast<Index>(make_sphere(10).points.rows());
  std::set<Index> big(found.label.begin(), found.label.begin() + first),
      small(found.label.begin() + first, found.label.end());
  EXPECT_EQ(big.size(), 8u);
  EXPECT_EQ(small.size(), 2u);
}

TEST(Partition, RefusesWhatItCannotDo) {
  const auto full = all_distances_of(side_by_side(make_sphere(2), make_sphere(2)));
  EXPECT_THROW(partition(full, {.parts = 1}), InputError);
  EXPECT_THROW(partition(full, {.parts = 1000}), InputError);
  EXPECT_THROW(partition(full, {.parts = 3}, std::vector<double>(3, 1.0)), InputError);
  EXPECT_THROW(voronoi_cells(full, std::vector<Index>{}), InputError);
  EXPECT_THROW(voronoi_cells(full, std::vector<Index>{1, 1}), InputError);
  EXPECT_THROW(voronoi_cells(full, std::vector<Index>{-1}), InputError);
  EXPECT_THROW(voronoi_cells(full, std::vector<Index>{100000}), InputError);
}

}  // namespace
}  // namespace geodome::testing
