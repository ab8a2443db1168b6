#include "geodome/file/container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "container_support.h"

namespace geodome::internal {
namespace {

using namespace testing;

constexpr std::size_t mebi = std::size_t{1} << 20;

bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % container_alignment == 0;
}

TEST(Container, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geodome");
  // Lengths around the blocks' and the alignment's.
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, mebi - 1,
                                  mebi, mebi + 1, 3 * mebi + 17}) {
    const Sample sample = make_sample(bytes / 8, bytes, 1);
    write_sample(path, sample);
    const Container container = Container::open(path, known_kinds);
    EXPECT_TRUE(read_sample(container) == sample) << bytes;
    EXPECT_NO_THROW(container.verify());
    EXPECT_EQ(container.file_bytes(), std::filesystem::file_size(path));
    ASSERT_EQ(container.sections().size(), 4U);
    EXPECT_EQ(container.sections()[3].kind(), bytes_kind);
    EXPECT_EQ(container.sections()[3].bytes(), bytes);
    EXPECT_EQ(container.sections()[1].element(), ElementType::float32);
    EXPECT_TRUE(container.sections()[1].mandatory());
    EXPECT_FALSE(container.sections()[3].mandatory());
    EXPECT_TRUE(is_aligned(container.section(numbers_kind).view<float>().data()));
  }
}

TEST(Container, GivesTheSameInSmallPiecesAndAsAWhole) {
  const TemporaryFolder folder;
  const Sample sample = make_sample(10, 3 * mebi + 17, 1);
  write_sample(folder.file("a"), sample);
  const Container container = Container::open(folder.file("a"), known_kinds);
  const Section& section = container.section(bytes_kind);
  const Container whole = Container::open(folder.file("a"), known_kinds);
  const auto expected = whole.section(bytes_kind).view<std::byte>();
  // Pages of blocks of which little is read are let go, and read again.
  for (std::uint64_t at = 5; at + 100 < section.bytes(); at += 100'003) {
    const auto piece = section.view<std::byte>(at, 100);
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), expected.begin() + static_cast<std::ptrdiff_t>(at)))
        << at;
  }
  const auto all = section.view<std::byte>();
  EXPECT_TRUE(std::equal(all.begin(), all.end(), expected.begin(), expected.end()));
}

TEST(Container, GivesBackEveryTypeOfNumber) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geodome");
  const auto check = [&path]<typename T>(T) {
    const std::vector<T> numbers = {std::numeric_limits<T>::lowest(), T{7}, std::numeric_limits<T>::max()};
    ContainerWriter writer(path);
    writer.add<T>(numbers_kind, numbers);
    writer.commit();
    const Container container = Container::open(path, known_kinds);
    const auto read = container.section(numbers_kind).view<T>();
    EXPECT_TRUE(std::equal(read.begin(), read.end(), numbers.begin(), numbers.end()));
    EXPECT_EQ(element_size(container.section(numbers_kind).element()), sizeof(T));
    EXPECT_NE(file_error([&container] { container.section(numbers_kind).view<std::byte>(); }), "");
  };
  check(std::int8_t{});
  check(std::uint8_t{});
  check(std::int16_t{});
  check(std::uint16_t{});
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
  check(std::uint64_t{});
  check(float{});
  check(double{});
}

TEST(Container, MayHaveNoSectionAtAll) {
  const TemporaryFolder folder;
  ContainerWriter(folder.file("a")).commit();
  const Container container = Container::open(folder.file("a"), {});
  EXPECT_TRUE(container.sections().empty());
  EXPECT_NO_THROW(container.verify());
  EXPECT_EQ(container.find(recipe_kind), nullptr);
  EXPECT_NE(file_error([&] { container.section(recipe_kind); }).find("no section 'rcpe'"), std::string::npos);
}

TEST(Container, IsTheSameBytesForTheSameContentsHoweverTheyAreCut) {
  const TemporaryFolder folder;
  const Sample sample = make_sample(700'000, 1000, 2);
  write_sample(folder.file("whole"), sample);
  write_sample(folder.file("again"), sample);

  ContainerWriter writer(folder.file("pieces"));
  writer.add_text(recipe_kind, sample.recipe);
  writer.begin(numbers_kind, ElementType::float32);
  std::mt19937 random(3);
  for (std::span<const float> left = sample.numbers; !left.empty();) {
    const std::size_t count = std::min<std::size_t>(left.size(), random() % 100'000);
    writer.append(left.first(count));
    left = left.subspan(count);
  }
  writer.end();
  writer.begin(empty_kind, ElementType::float64);
  writer.end();
  writer.begin(bytes_kind, ElementType::bytes, SectionNeed::optional);
  for (const std::byte& byte : sample.bytes) writer.append(std::span(&byte, 1));
  writer.end();
  writer.commit();

  const std::string whole = contents(folder.file("whole"));
  EXPECT_TRUE(contents(folder.file("again")) == whole);
  EXPECT_TRUE(contents(folder.file("pieces")) == whole);
}

TEST(Container, ViewsAnyRangeInsideASectionAndNoneOutside) {
  const TemporaryFolder folder;
  const Sample sample = make_sample(600'000, 10, 4);
  write_sample(folder.file("a"), sample);
  const Container container = Container::open(folder.file("a"), known_kinds);
  const Section& numbers = container.section(numbers_kind);
  const std::uint64_t size = sample.numbers.size();
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const std::uint64_t first = random() % (size + 1);
    const std::uint64_t count = random() % (size - first + 1);
    const auto view = numbers.view<float>(first, count);
    ASSERT_EQ(view.size(), count);
    if (count == 0) continue;
    ASSERT_EQ(view.front(), sample.numbers[first]);
    ASSERT_EQ(view.back(), sample.numbers[first + count - 1]);
    ASSERT_EQ(static_cast<const void*>(numbers.verified(4 * first, 1).data()), view.data());
  }
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  const std::pair<std::uint64_t, std::uint64_t> outside[] = {{0, size + 1}, {size, 1},        {size + 1, 0},
                                                             {1, size},     {huge, 1},        {1, huge},
                                                             {huge, huge},  {huge / 4 + 1, 1}};
  for (const auto& range : outside) {
    const auto first = range.first, count = range.second;
    const std::string message = file_error([&] { numbers.view<float>(first, count); });
    EXPECT_NE(message.find("'numb'"), std::string::npos) << first << " " << count;
    EXPECT_NE(file_error([&] { numbers.verified(4 * size + 1, count); }), "");
    EXPECT_NE(file_error([&] { numbers.verified(first, huge); }), "");
  }
}

TEST(Container, RefusesAViewOfTheWrongType) {
  const TemporaryFolder folder;
  write_sample(folder.file("a"), make_sample(10, 8, 6));
  const Container container = Container::open(folder.file("a"), known_kinds);
  const std::string message = file_error([&] { container.section(numbers_kind).view<double>(); });
  EXPECT_NE(message.find("holds float32, not float64"), std::string::npos) << message;
  EXPECT_NE(file_error([&] { container.section(numbers_kind).as_text(); }), "");
  EXPECT_NE(file_error([&] { container.section(bytes_kind).view<std::uint8_t>(); }), "");
}

TEST(Container, StaysValidWhenMovedAndWhenTheFileIsReplaced) {
  const TemporaryFolder folder;
  const Sample old_sample = make_sample(600'000, 100, 7);
  const Sample new_sample = make_sample(10, 3 * mebi, 8);
  write_sample(folder.file("a"), old_sample);
  Container first = Container::open(folder.file("a"), known_kinds);
  const Section& section = first.section(numbers_kind);
  const Container moved = std::move(first);
  write_sample(folder.file("a"), new_sample);
  EXPECT_EQ(section.view<float>().back(), old_sample.numbers.back());
  EXPECT_TRUE(read_sample(moved) == old_sample);
  EXPECT_NO_THROW(moved.verify());
  EXPECT_TRUE(read_sample(Container::open(folder.file("a"), known_kinds)) == new_sample);
}

TEST(Container, MayBeReadByManyThreadsAtOnce) {
  const TemporaryFolder folder;
  const Sample sample = make_sample(1'500'000, 2 * mebi, 9);
  write_sample(folder.file("a"), sample);
  const Container container = Container::open(folder.file("a"), known_kinds);
  std::array<int, 4> wrong = {};
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < wrong.size(); ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 random(static_cast<unsigned>(thread));
      const Section& numbers = container.section(numbers_kind);
      for (int repeat = 0; repeat < 1000; ++repeat) {
        const std::size_t at = random() % sample.numbers.size();
        wrong[thread] += numbers.view<float>(at, 1)[0] != sample.numbers[at];
      }
      if (thread == 0) container.verify();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

TEST(Container, ReportsTheProgressOfVerifyAndCanBeCancelled) {
  const TemporaryFolder folder;
  write_sample(folder.file("a"), make_sample(10, 3 * mebi, 10));
  const Container container = Container::open(folder.file("a"), known_kinds);
  double last = 0;
  Execution execution;
  execution.progress = [&last](std::string_view, double fraction) {
    last = fraction;
    return true;
  };
  container.verify(execution);
  EXPECT_EQ(last, 1);
  execution.progress = [](std::string_view, double) { return false; };
  EXPECT_THROW(container.verify(execution), Cancelled);
}

}  // namespace
}  // namespace geodome::internal
