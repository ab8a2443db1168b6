#include "geodome/base/team.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "geodome/base/error.h"
#include "team_of_threads.h"

namespace geodome::internal {
namespace {

TEST(Team, BytesAreReadAsTheyWereWritten) {
  BytesWriter writer;
  writer.put(3);
  writer.put_vector(std::vector<double>{1.5, -2});
  writer.put_vector(std::vector<char>{});
  const Bytes bytes = writer.take();
  BytesReader reader(bytes);
  EXPECT_EQ(reader.get<int>(), 3);
  EXPECT_EQ(reader.get_vector<double>(), (std::vector<double>{1.5, -2}));
  EXPECT_FALSE(reader.empty());
  EXPECT_TRUE(reader.get_vector<char>().empty());
  EXPECT_TRUE(reader.empty());
  EXPECT_THROW(reader.get<int>(), Error);
  BytesReader wrong{std::span(bytes).first(12)};
  EXPECT_EQ(wrong.get<int>(), 3);
  EXPECT_THROW(wrong.get_vector<double>(), Error);
}

TEST(Team, BroadcastsBytesWhoseLengthOneRankKnows) {
  as_ranks(3, [](const Team& team) {
    for (int root = 0; root < 3; ++root) {
      const Bytes mine(static_cast<std::size_t>(10 * team.rank()), std::byte(team.rank()));
      EXPECT_EQ(broadcast(team, mine, root), Bytes(static_cast<std::size_t>(10 * root), std::byte(root)));
    }
  });
}

TEST(Team, ReducesInTheOrderOfTheRanks) {
  for (const std::size_t count : {0, 1, 2, 7, 100})
    as_ranks(3, [&](const Team& team) {
      std::vector<double> values(count);
      const auto value = [](int rank, std::size_t k) {
        return 1.0 / (1 + 7 * rank + static_cast<double>(k));
      };
      for (std::size_t k = 0; k < count; ++k) values[k] = value(team.rank(), k);
      reduce(team, std::span<double>(values), std::plus<double>());
      for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(values[k], value(0, k) + value(1, k) + value(2, k));
    });
}

TEST(Team, SharedItemsAreAllKnownToAllRanks) {
  constexpr std::size_t items = 23;
  for (const int ranks : {1, 2, 3, 30})
    for (const bool dealt : {true, false})
      as_ranks(ranks, [&](const Team& team) {
        std::vector<std::size_t> result(items, 0), done(items, 0);
        SharedItems shared;
        if (!dealt) shared.owner = [&](std::size_t item) { return item < 20 ? ranks - 1 : 0; };
        shared.work = [&](std::size_t item, int) {
          result[item] = item * item;
          done[item] = 1;
        };
        shared.pack = [&](std::size_t item, BytesWriter& to) { to.put(result[item]); };
        shared.unpack = [&](std::size_t item, BytesReader& from) { result[item] = from.get<std::size_t>(); };
        share_items(items, {2, {}, &team}, "items", shared);
        for (std::size_t item = 0; item < items; ++item) {
          EXPECT_EQ(result[item], item * item);
          const int owner = dealt ? static_cast<int>(item) % ranks : item < 20 ? ranks - 1 : 0;
          EXPECT_EQ(done[item], owner == team.rank() ? 1u : 0u);
        }
      });
}

TEST(Team, NumericalErrorsAreThrownOnAllRanks) {
  std::vector<int> caught(3, 0);
  as_ranks(3, [&](const Team& team) {
    try {
      fail_together(team, [&] {
        if (team.rank() == 1) throw NumericalError("");
        if (team.rank() == 2) throw NumericalError("the other");
      });
    } catch (const NumericalError& error) {
      EXPECT_STREQ(error.what(), "");
      caught[static_cast<std::size_t>(team.rank())] = 1;
    }
  });
  EXPECT_EQ(caught, (std::vector<int>{1, 1, 1}));
}

TEST(Team, OtherErrorsLeaveTheRankThatHasThem) {
  EXPECT_THROW(as_ranks(3,
                        [](const Team& team) {
                          SharedItems shared;
                          shared.work = [](std::size_t item, int) {
                            if (item == 4) throw InputError("item 4");
                          };
                          shared.pack = [](std::size_t, BytesWriter&) {};
                          shared.unpack = [](std::size_t, BytesReader&) {};
                          share_items(9, {1, {}, &team}, {}, shared);
                        }),
               InputError);
}

TEST(Team, WhatDiffersBetweenRanksIsRefused) {
  const auto compare = [](int odd) {
    as_ranks(3, [&](const Team& team) {
      const double value = team.rank() == odd ? 1.0000000001 : 1;
      require_same(team, "numbers", std::as_bytes(std::span(&value, 1)));
    });
  };
  EXPECT_NO_THROW(compare(-1));
  EXPECT_THROW(compare(2), Error);
}

}  // namespace
}  // namespace geodome::internal
