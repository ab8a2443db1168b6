#include "geodome/base/scratch_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <vector>

#include "team_of_threads.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

std::ptrdiff_t scratch_names(const TemporaryFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

/// Of many pages, no two parts alike.
std::vector<std::byte> some_bytes() {
  std::vector<std::byte> bytes(300'001);
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(k * k >> 3);
  return bytes;
}

bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TEST(ScratchFile, HoldsWhatIsWrittenAndHasNoName) {
  const TemporaryFolder folder;
  const std::vector<std::byte> bytes = some_bytes();
  ScratchFile file(folder / "output", bytes.size());
  EXPECT_EQ(scratch_names(folder), 0);
  const std::span<std::byte> whole = file.whole();
  ASSERT_EQ(whole.size(), bytes.size());
  EXPECT_TRUE(std::all_of(whole.begin(), whole.end(), [](std::byte one) { return one == std::byte{0}; }));
  std::copy(bytes.begin(), bytes.end(), whole.begin());
  EXPECT_TRUE(same_bytes(file.finish(), bytes));
  EXPECT_EQ(scratch_names(folder), 0);
}

TEST(ScratchFile, IsWrittenByAllRanks) {
  const TemporaryFolder folder;
  const std::vector<std::byte> bytes = some_bytes();
  for (const bool on_one_machine : {true, false}) {
    for (const bool by_the_first : {true, false})
      as_ranks(
          3,
          [&](const Team& team) {
            ScratchFile file(folder / "output", bytes.size(), &team);
            static_cast<void>(team.gather({}));  // until the first rank has removed the name
            EXPECT_EQ(scratch_names(folder), on_one_machine ? 0 : 1);
            static_cast<void>(team.gather({}));
            const auto rank = static_cast<std::size_t>(team.rank());
            const std::size_t begin = bytes.size() * rank / 3, end = bytes.size() * (rank + 1) / 3;
            if (!by_the_first)
              file.write_at(begin, std::span(bytes).subspan(begin, end - begin));
            else if (rank == 0)
              std::copy(bytes.begin(), bytes.end(), file.whole().begin());
            EXPECT_TRUE(same_bytes(file.finish(), bytes)) << rank;
            static_cast<void>(team.gather({}));
          },
          on_one_machine);
    EXPECT_EQ(scratch_names(folder), 0);
  }
}

TEST(ScratchFile, IsGoneWhereARankFails) {
  const TemporaryFolder folder;
  for (const bool on_one_machine : {true, false})
    for (const int failing : {0, 1}) {
      EXPECT_THROW(as_ranks(
                       2,
                       [&](const Team& team) {
                         ScratchFile file(folder / "output", 5000, &team);
                         if (team.rank() == failing) throw WriteError("no space left");
                         file.finish();
                       },
                       on_one_machine),
                   WriteError);
      EXPECT_EQ(scratch_names(folder), 0);
    }
}

TEST(ScratchFile, SaysAtOnceWhereThereIsNoRoom) {
  const TemporaryFolder folder;
  const auto before_signal = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limited{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limited);
  EXPECT_THROW(ScratchFile(folder / "output", 2 << 20), WriteError);
  EXPECT_NO_THROW(ScratchFile(folder / "output", 1 << 20));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, before_signal);
  EXPECT_THROW(ScratchFile(folder / "none/output", 1 << 20), FileError);
  EXPECT_THROW(ScratchFile("/dev/null", 1 << 20), FileError);
  EXPECT_EQ(scratch_names(folder), 0);
}

}  // namespace
}  // namespace geodome::internal
