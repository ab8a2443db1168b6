#include "geodome/base/platform.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/base/mapped_file.h"
#include "temporary_folder.h"

// Run against the functions of Linux and, in the program `posix_base`, against those of POSIX.

namespace geodome::internal {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

TEST(Platform, PeakMemoryCountsWhatIsTouched) {
  const std::int64_t before = peak_memory();
  ASSERT_GT(before, mebibyte);
  const std::vector<char> touched(static_cast<std::size_t>(before + 64 * mebibyte), 'x');
  EXPECT_GT(peak_memory(), before + 32 * mebibyte);
  EXPECT_EQ(touched.back(), 'x');
}

TEST(Platform, PeakMemoryIsPlausibleAfterAReset) {
  const std::int64_t before = peak_memory();
  reset_peak_memory();
  EXPECT_GT(peak_memory(), mebibyte);
  EXPECT_LE(peak_memory(), before + 64 * mebibyte);
}

TEST(Platform, MemoryOfTheMachineIsMoreThanOfTheProcess) {
  EXPECT_GT(machine_memory(), peak_memory() / 2);
  EXPECT_GE(available_memory(), 0);  // 0: not known
  EXPECT_LE(available_memory(), machine_memory());
}

TEST(Platform, LargeBlocksHoldWhatIsWritten) {
  LargeVector<int> numbers(3'000'000);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(k);
  for (std::size_t k = 0; k < numbers.size(); k += 4099) EXPECT_EQ(numbers[k], static_cast<int>(k));
}

TEST(Platform, ReleasedContentsCanBeWrittenAgainAndTheRestStays) {
  std::vector<char> bytes(1 << 20, 'a');
  release_pages(bytes.data() + 100000, 500000);
  release_pages(bytes.data() + 10, 5);
  for (std::size_t k = 0; k < 100000; ++k) ASSERT_EQ(bytes[k], 'a');
  for (std::size_t k = 600000; k < bytes.size(); ++k) ASSERT_EQ(bytes[k], 'a');
  std::fill(bytes.begin(), bytes.end(), 'b');
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 'b'), 1 << 20);
}

TEST(Platform, PagesOfAMappedFileHoldTheSameAfterTheyWereReleased) {
  const testing::TemporaryFolder folder;
  std::string content(100'000, ' ');
  for (std::size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>(k % 251);
  testing::store(folder.file("file"), content);
  const MappedFile file(folder.file("file"));
  for (const std::size_t begin : {0, 1, 4096, 70'000})
    for (const std::size_t bytes : {1, 4095, 4096, 30'000}) {
      fetch_pages(file.bytes().data() + begin, bytes);
      release_pages(file.bytes().data() + begin, bytes);
      EXPECT_EQ(file.as_text(), content);
    }
}

TEST(Platform, SyncsFilesAndSaysWhereItCannot) {
  const testing::TemporaryFolder folder;
  const int descriptor = ::open((folder / "file").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(::write(descriptor, "abc", 3), 3);
  EXPECT_EQ(sync_contents(descriptor), 0);
  ::close(descriptor);
  EXPECT_EQ(sync_contents(descriptor), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(Platform, ReservesSpaceAndSaysWhereItCannot) {
  const testing::TemporaryFolder folder;
  const int descriptor = ::open((folder / "file").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(reserve_space(descriptor, 3 * mebibyte + 5), 0);
  const std::string zeros(static_cast<std::size_t>(3 * mebibyte + 5), '\0');
  EXPECT_TRUE(testing::contents(folder / "file") == zeros);
  ::close(descriptor);
  EXPECT_EQ(reserve_space(descriptor, mebibyte), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(Platform, FunctionsOfOpenBlasComeTogether) {
  const OpenBlas& blas = openblas();
  EXPECT_EQ(blas.set_num_threads == nullptr, blas.get_num_threads == nullptr);
  EXPECT_EQ(blas.memory_alloc == nullptr, blas.memory_free == nullptr);
  if (blas.get_num_threads == nullptr) return;  // another BLAS
  const int before = blas.get_num_threads();
  blas.set_num_threads(1);
  EXPECT_EQ(blas.get_num_threads(), 1);
  blas.set_num_threads(before);
}

}  // namespace
}  // namespace geodome::internal
