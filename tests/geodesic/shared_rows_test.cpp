#include "geodome/geodesic/shared_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"
#include "team_of_threads.h"

namespace geodome::internal {
namespace {

/// One after the other, in blocks of these sizes.
std::vector<std::span<const Index>> blocks_of(const std::vector<Index>& sources,
                                              const std::vector<std::size_t>& sizes) {
  std::vector<std::span<const Index>> blocks;
  std::size_t begin = 0;
  for (const std::size_t size : sizes) {
    blocks.push_back(std::span(sources).subspan(begin, size));
    begin += size;
  }
  return blocks;
}

TEST(SharedRows, AreAsManyOnEveryRankWhateverTheBlocks) {
  const Shape sphere = make_sphere(8);
  for (const GeodesicMethod method : {GeodesicMethod::fast_marching, GeodesicMethod::graph}) {
    const auto solver = make_solver(sphere, {.method = method});
    std::vector<Index> sources(600);
    std::iota(sources.begin(), sources.end(), 0);
    const std::vector<Index> targets{5, 77, 300};
    for (const std::vector<std::size_t>& sizes :
         {std::vector<std::size_t>{600}, {400, 200}, {200, 200, 200}, {1, 598, 1}, {90, 300, 10, 200}})
      for (const int ranks : {1, 2, 3, 7}) {
        const auto blocks = blocks_of(sources, sizes);
        std::vector<std::vector<std::size_t>> found(static_cast<std::size_t>(ranks));
        as_ranks(ranks, [&](const Team& team) {
          const SomeRows mine = my_rows_of_blocks(*solver, blocks, targets, team, {1, {}});
          ASSERT_EQ(mine.sources.size(), static_cast<std::size_t>(mine.distances.rows()));
          std::size_t begin = 0;
          for (const auto& block : blocks) {
            const RowMatrix<double> alone = solver->between(block, targets, {1, {}});
            for (std::size_t k = 0; k < mine.sources.size(); ++k) {
              if (mine.sources[k] < begin || mine.sources[k] >= begin + block.size()) continue;
              EXPECT_EQ(mine.distances.row(static_cast<Eigen::Index>(k)),
                        alone.row(static_cast<Eigen::Index>(mine.sources[k] - begin)));
            }
            begin += block.size();
          }
          found[static_cast<std::size_t>(team.rank())] = mine.sources;
        });
        std::vector<std::size_t> all;
        for (const auto& some : found) {
          // At both ends of a part and of each block a group of 64 may go to either side.
          EXPECT_LE(some.size(), sources.size() / static_cast<std::size_t>(ranks) + 64 * (1 + sizes.size()));
          all.insert(all.end(), some.begin(), some.end());
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(all.size(), sources.size());
        for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], k);
      }
  }
}

}  // namespace
}  // namespace geodome::internal
