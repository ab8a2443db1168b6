/// Files written by several ranks.

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "geodome/base/error.h"
#include "geodome/file/container.h"
#include "geodome/file/container_writer.h"
#include "team_of_threads.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using geodome::testing::TemporaryFolder;

/// Sections of several blocks, appended in pieces of all sizes, and small ones between them.
void write_many_blocks(const std::string& path, const Team* team) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> numbers(5 << 20);  // 20 MiB
  for (std::uint32_t& one : numbers) one = random();
  ContainerWriter writer(path, team);
  writer.add_text(SectionKind("TEXT"), "of a file that ranks write together");
  writer.begin(SectionKind("NUMB"), ElementType::uint32);
  for (std::size_t begin = 0, size = 1; begin < numbers.size(); begin += size, size = 3 * size + 1)
    writer.append(
        std::span<const std::uint32_t>(numbers).subspan(begin, std::min(size, numbers.size() - begin)));
  writer.end();
  writer.add<float>(SectionKind("NONE"), {});
  writer.add<std::uint32_t>(SectionKind("MORE"), std::span(numbers).first(700001), SectionNeed::optional);
  writer.commit();
}

std::string bytes_in_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ContainerWriter, RanksWriteTheFileOfOneProcess) {
  const TemporaryFolder folder;
  write_many_blocks(folder / "alone", nullptr);
  const std::string expected = bytes_in_file(folder / "alone");
  for (const int ranks : {2, 3, 7}) {
    const std::string path = folder / ("ranks" + std::to_string(ranks));
    as_ranks(ranks, [&](const Team& team) {
      write_many_blocks(path, &team);
      EXPECT_TRUE(std::filesystem::exists(path));
    });
    EXPECT_TRUE(bytes_in_file(path) == expected) << ranks;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST(ContainerWriter, ARankThatFailsLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("old", "as it was");
  EXPECT_THROW(as_ranks(2,
                        [&](const Team& team) {
                          ContainerWriter writer(path, &team);
                          writer.add_text(SectionKind("TEXT"), "new");
                          if (team.rank() == 1) throw WriteError("no space left");
                          writer.commit();
                        }),
               WriteError);
  EXPECT_EQ(bytes_in_file(path), "as it was");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename(), "old");
}

TEST(ContainerWriter, RanksWriteNothingBesideADevice) {
  as_ranks(2, [](const Team& team) { EXPECT_NO_THROW(write_many_blocks("/dev/null", &team)); });
}

}  // namespace
}  // namespace geodome::internal
