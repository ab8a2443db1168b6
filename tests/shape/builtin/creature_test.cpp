#include "geodome/shape/builtin/creature.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/shape/edge_table.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using testing::surface_facts;

TEST(Creature, IsOneClosedBodyOfGenusZeroAtAnyResolution) {
  for (Index vertices : {200, 1500, 13000}) {
    const Creature creature = make_creature(vertices);
    if (vertices <= 12000) {
      EXPECT_EQ(creature.stretched.points.rows(), vertices);
    } else {
      EXPECT_NEAR(static_cast<double>(creature.stretched.points.rows()), vertices, 1e-3 * vertices);
    }
    const auto facts = surface_facts(creature.stretched);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_EQ(facts.components, 1);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_EQ(facts.non_manifold_edges, 0);
    EXPECT_TRUE(facts.consistent);
    EXPECT_GT(facts.volume, 0.4);
    EXPECT_GT(testing::worst_quality(creature.stretched), 0.5);
  }
}

TEST(Creature, BendsNearlyIsometrically) {
  const Creature creature = make_creature(3000);
  const EdgeTable table = find_edges(creature.stretched);
  ASSERT_GE(creature_pose_count(), 6);
  std::vector<TriangleMesh> poses;
  for (int k = 0; k < creature_pose_count(); ++k) {
    poses.push_back(pose_creature(creature, k));
    EXPECT_EQ(poses[k].triangles, creature.stretched.triangles);
    EXPECT_LT(poses[k].points.colwise().mean().norm(), 1e-12);
    EXPECT_GT(surface_facts(poses[k]).volume, 0.4);
    EXPECT_FALSE(creature_pose_name(k).empty());
  }
  for (std::size_t i = 0; i < poses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double change = 0;
      for (const auto& [a, b] : table.edges) {
        const double in_i = (poses[i].points.row(a) - poses[i].points.row(b)).norm();
        const double in_j = (poses[j].points.row(a) - poses[j].points.row(b)).norm();
        change += std::abs(in_i / in_j - 1);
      }
      EXPECT_LT(change / table.size(), 0.04) << "poses " << i << " and " << j;
      // Bent, not turned: some points come closer to each other or farther apart by a good part of the body.
      double moved = 0;
      for (Eigen::Index a = 0; a < 3000; a += 50) {
        for (Eigen::Index b = 0; b < a; b += 50) {
          const double in_i = (poses[i].points.row(a) - poses[i].points.row(b)).norm();
          const double in_j = (poses[j].points.row(a) - poses[j].points.row(b)).norm();
          moved = std::max(moved, std::abs(in_i - in_j));
        }
      }
      EXPECT_GT(moved, 0.1) << "poses " << i << " and " << j;
    }
  }
}

TEST(Creature, IsTheSameEveryTimeAndOnAnyNumberOfThreads) {
  const Creature once = make_creature(5000, Execution{1, {}}), again = make_creature(5000, Execution{2, {}});
  EXPECT_EQ(once.stretched.points, again.stretched.points);
  EXPECT_EQ(once.stretched.triangles, again.stretched.triangles);
}

TEST(Creature, HasOneColourPerVertex) {
  const Creature creature = make_creature(500);
  EXPECT_EQ(creature_colours(creature).rows(), 500);
}

TEST(Creature, RefusesPosesAndSizesItHasNot) {
  EXPECT_THROW(make_creature(100), InputError);
  const Creature creature = make_creature(200);
  EXPECT_THROW(pose_creature(creature, -1), InputError);
  EXPECT_THROW(pose_creature(creature, creature_pose_count()), InputError);
}

}  // namespace
}  // namespace geodome::internal
