/// Distances between regions equal means and minima over pairs.
#include "geodome/maps/region_distances.h"

#include <gtest/gtest.h>

#include "geodome/maps/partition.h"
#include "maps/map_cases.h"

namespace geodome::testing {
namespace {

TEST(RegionDistances, AreMeansAndMinimaOverPairs) {
  const Shape shape = side_by_side(make_sphere(6), make_plane(9, 9));
  const auto full = all_distances_of(shape);
  Partition regions = partition(full, {.parts = 7, .rounds = 2});
  for (Index v = 0; v < full.size(); v += 11)
    if (v != regions.centre[regions.label[v]]) regions.label[v] = -1;
  std::vector<double> weights;
  for (Index v = 0; v < full.size(); ++v) weights.push_back(1 + v % 3);
  const RegionDistances found = region_distances(full, full, regions.label, weights);
  for (Index r = 0; r < 7; ++r)
    for (Index s = 0; s < 7; ++s) {
      double sum = 0, total = 0, least = infinity;
      for (Index i = 0; i < full.size(); ++i)
        for (Index j = 0; j < full.size(); ++j) {
          if (regions.label[i] != r || regions.label[j] != s) continue;
          sum += weights[i] * weights[j] * full.values()(i, j);
          total += weights[i] * weights[j];
          least = std::min(least, full.values()(i, j));
        }
      EXPECT_EQ(found.minimum(r, s), least);
      if (sum == infinity)
        EXPECT_EQ(found.mean(r, s), infinity);
      else
        EXPECT_NEAR(found.mean(r, s), sum / total, 1e-12 * sum / total);
    }
}

TEST(RegionDistances, NeedTheBordersOnly) {
  const Shape shape = make_torus(30, 12);
  BuildOptions options;
  options.landmarks = 80;
  const Distances m = build(shape, options);
  const Partition regions = partition(m.matrix(), {.parts = 8, .rounds = 3});
  const RegionDistances all = region_distances(m.matrix(), m.queries(), regions.label);
  const RegionDistances some =
      region_distances(m.matrix(), m.queries(), regions.label, {}, region_borders(shape, regions.label));
  EXPECT_EQ(all.mean, some.mean);
  // Shortest paths cross borders beside vertices: within an edge.
  EXPECT_LT((some.minimum - all.minimum).cwiseAbs().maxCoeff(), 1e-2 * all.mean.maxCoeff());
  EXPECT_LT((all.mean - all.mean.transpose()).cwiseAbs().maxCoeff(), 1e-6 * all.mean.maxCoeff());
}

TEST(RegionDistances, RefuseLabelsThatAreNone) {
  const auto full = all_distances_of(make_plane(3, 3));
  const auto refused = [&](const std::vector<Index>& label) {
    EXPECT_THROW(region_distances(full, full, label), InputError);
  };
  refused(std::vector<Index>(8, 0));
  refused(std::vector<Index>(9, -1));
  refused({0, 0, 0, 2, 2, 2, 2, 2, 2});
  refused({0, 0, 0, -2, 0, 0, 0, 0, 0});
  refused({0, 0, 0, 100, 0, 0, 0, 0, 0});
  EXPECT_THROW(region_distances(full, full, std::vector<Index>(9, 0), std::vector<double>(9, 0.0)),
               InputError);
  EXPECT_THROW(region_borders(make_plane(3, 3), std::vector<Index>(8, 0)), InputError);
}

}  // namespace
}  // namespace geodome::testing
