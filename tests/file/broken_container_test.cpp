/// No broken file crashes, hangs, allocates out of proportion or gives a wrong answer: it is refused when it
/// is opened, when the damaged place is touched, or by verify.

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "container_support.h"

namespace geodome::internal {
namespace {

using namespace testing;

void flip_bit(const std::string& path, std::uint64_t bit) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(bit / 8));
  const auto flipped = static_cast<char>(file.get() ^ (1 << bit % 8));
  file.seekp(static_cast<std::streamoff>(bit / 8));
  file.put(flipped);
}

/// A damaged file is refused somewhere, and never gives another answer than the right one.
void expect_damage_found(const std::string& path, const Sample& right, std::uint64_t place) {
  const std::string message = file_error([&] {
    const Container container = Container::open(path, known_kinds);
    const std::string touched = file_error([&] { EXPECT_TRUE(read_sample(container) == right) << place; });
    const std::string verified = file_error([&] { container.verify(); });
    EXPECT_NE(verified, "") << place;
    if (!touched.empty()) {
      EXPECT_NE(verified.find("checksum"), std::string::npos) << place;
    }
    EXPECT_EQ(file_error([&] { container.verify({.threads = 1}); }), verified);
    throw FileError(verified);
  });
  EXPECT_NE(message.find(path), std::string::npos) << place << ": " << message;
}

TEST(BrokenContainer, EveryFlippedBitIsFound) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  const Sample sample = make_sample(20, 70, 1);
  write_sample(path, sample);
  const std::uint64_t bits = 8 * std::filesystem::file_size(path);
  for (std::uint64_t bit = 0; bit < bits; ++bit) {
    flip_bit(path, bit);
    expect_damage_found(path, sample, bit);
    flip_bit(path, bit);
  }
  EXPECT_TRUE(read_sample(Container::open(path, known_kinds)) == sample);
}

TEST(BrokenContainer, AFlippedBitInALargeBodyIsFoundWhereItIsTouched) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  const Sample sample = make_sample(700'000, 100'000, 2);
  write_sample(path, sample);
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::size_t number = random() % sample.numbers.size();
    const std::uint64_t offset = Container::open(path, known_kinds).section(numbers_kind).file_offset();
    const std::uint64_t bit = 8 * (offset + 4 * number) + random() % 32;
    flip_bit(path, bit);
    expect_damage_found(path, sample, bit);
    const Container container = Container::open(path, known_kinds);
    const Section& numbers = container.section(numbers_kind);
    const std::string message = file_error([&] { numbers.view<float>(number, 1); });
    EXPECT_NE(message.find("'numb'"), std::string::npos) << message;
    // Asking again does not help; other blocks are not concerned.
    EXPECT_EQ(file_error([&] { numbers.view<float>(number, 1); }), message);
    const std::size_t elsewhere = (number + container_block / 4) % (2 * container_block / 4);
    EXPECT_EQ(numbers.view<float>(elsewhere, 1)[0], sample.numbers[elsewhere]);
    flip_bit(path, bit);
  }
}

TEST(BrokenContainer, EveryTruncationIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_sample(path, make_sample(20, 70, 4));
  for (std::uint64_t length = std::filesystem::file_size(path); length-- > 0;) {
    std::filesystem::resize_file(path, length);
    EXPECT_NE(open_error(path).find(path), std::string::npos) << length;
  }
}

TEST(BrokenContainer, AnythingAfterTheEndIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_sample(path, make_sample(20, 70, 4));
  const std::string whole = contents(path);
  for (const std::size_t more : {1, 4, 64, 1000}) {
    store(path, whole + std::string(more, '\0'));
    EXPECT_NE(open_error(path), "") << more;
  }
  store(path, whole + whole.substr(whole.size() - sizeof(ContainerFooter)));
  EXPECT_NE(open_error(path).find("should have"), std::string::npos);
}

TEST(BrokenContainer, TruncationAnywhereInALargeBodyIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_sample(path, make_sample(700'000, 100'000, 5));
  std::vector<std::uint64_t> lengths;
  std::mt19937_64 random(6);
  for (int i = 0; i < 100; ++i) lengths.push_back(random() % std::filesystem::file_size(path));
  std::sort(lengths.rbegin(), lengths.rend());
  for (const std::uint64_t length : lengths) {
    std::filesystem::resize_file(path, length);
    EXPECT_NE(open_error(path), "") << length;
  }
}

TEST(BrokenContainer, IsNotAnotherKindOfFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  for (const std::string& bytes :
       {std::string("OFF\n3 1 0\n"), std::string(1000, '\0'), std::string("\x89geodom")}) {
    store(path, bytes);
    EXPECT_NE(open_error(path).find("not a geodome file"), std::string::npos);
  }
}

class ForgedContainer : public ::testing::Test {
 protected:
  void SetUp() override {
    write_sample(path_, make_sample(100, 100, 7));
    whole_ = contents(path_);
  }
  /// What opening says of a file that was changed in this way and has right checksums.
  std::string error_of(const std::function<void(ForgedFile&)>& change) {
    store(path_, forge(whole_, change));
    return open_error(path_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("a");
  std::string whole_;
};

TEST_F(ForgedContainer, OpensIfNothingWasChanged) {
  EXPECT_EQ(error_of([](ForgedFile&) {}), "");
  EXPECT_TRUE(contents(path_) == whole_);
}

TEST_F(ForgedContainer, IsRefusedForAbsurdSizes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t absurd : {most, most - 63, most / 2 + 1, most - 64 * 3, std::uint64_t{1} << 40}) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NE(error_of([&](ForgedFile& file) { file.entries[i].length = absurd; }), "") << i;
      EXPECT_NE(error_of([&](ForgedFile& file) { file.entries[i].offset = absurd; }), "") << i;
      EXPECT_NE(error_of([&](ForgedFile& file) {
                  file.entries[i].offset = absurd;
                  file.entries[i].length = 0 - absurd;
                }),
                "")
          << i;
    }
    EXPECT_NE(error_of([&](ForgedFile& file) { file.footer.table_offset = absurd; }), "");
    EXPECT_NE(error_of([&](ForgedFile& file) { file.footer.file_length = absurd; }), "");
  }
  for (const std::uint32_t count : {0U, 3U, 5U, 6U, 0xffffffffU, 0x08000000U}) {
    EXPECT_NE(error_of([&](ForgedFile& file) { file.footer.section_count = count; }), "") << count;
  }
  for (const std::uint64_t offset : {0, 1, 63, 64, 128}) {
    EXPECT_NE(error_of([&](ForgedFile& file) { file.footer.table_offset = offset; }), "") << offset;
  }
}

TEST_F(ForgedContainer, IsRefusedForSectionsThatOverlapOrLeaveGapsOrRepeat) {
  EXPECT_NE(error_of([](ForgedFile& file) { file.entries[1].offset = file.entries[0].offset; }), "");
  EXPECT_NE(error_of([](ForgedFile& file) { file.entries[1].offset += 64; }), "");
  EXPECT_NE(error_of([](ForgedFile& file) { file.entries[1].length += 100; }), "");
  EXPECT_NE(error_of([](ForgedFile& file) { std::swap(file.entries[0], file.entries[1]); }), "");
  EXPECT_NE(error_of([](ForgedFile& file) { file.entries[0].offset = 0; }).find("instead of 64"),
            std::string::npos);
  const std::string twice = error_of([](ForgedFile& file) { file.entries[0].kind = numbers_kind; });
  EXPECT_NE(twice.find("two sections 'numb'"), std::string::npos) << twice;
  const std::string odd = error_of([](ForgedFile& file) { file.entries[1].length -= 1; });
  EXPECT_NE(odd.find("multiple of the 4"), std::string::npos) << odd;
}

TEST_F(ForgedContainer, IsRefusedForAnUnknownMandatorySectionOnly) {
  const SectionKind unknown("what");
  const std::string message = error_of([&](ForgedFile& file) { file.entries[0].kind = unknown; });
  EXPECT_NE(message.find("mandatory section 'what'"), std::string::npos) << message;
  // The optional one is there, unread; a type of element from the future does no harm either.
  EXPECT_EQ(error_of([&](ForgedFile& file) {
              file.entries[3].kind = unknown;
              file.entries[3].element = static_cast<ElementType>(99);
            }),
            "");
  const Container container = Container::open(path_, known_kinds);
  EXPECT_EQ(container.find(bytes_kind), nullptr);
  EXPECT_EQ(container.section(numbers_kind).view<float>().size(), 100U);
  EXPECT_NO_THROW(container.verify());
  const std::string future = file_error([&] { container.section(unknown).view<std::byte>(); });
  EXPECT_NE(future.find("unknown type 99"), std::string::npos) << future;
  const std::string unprintable =
      error_of([](ForgedFile& file) { file.entries[3].kind = SectionKind("a\x01z "); });
  EXPECT_NE(unprintable.find("'a?z?'"), std::string::npos) << unprintable;
}

TEST_F(ForgedContainer, OfALaterMajorVersionSaysWhichGeodomeIsNeeded) {
  const std::string message = error_of([](ForgedFile& file) {
    file.header.major = container_major + 1;
    file.header.needs = {3, 14, 1};
  });
  EXPECT_NE(message.find("use geodome 3.14.1 or later"), std::string::npos) << message;
  EXPECT_EQ(error_of([](ForgedFile& file) { file.header.minor = container_minor + 1; }), "");
  EXPECT_NE(error_of([](ForgedFile& file) { file.header.major = 0; }), "");
}

TEST_F(ForgedContainer, OfRandomNumbersIsRefusedUnlessEverySectionIsWhereItWas) {
  std::mt19937_64 random(8);
  int refused = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    bool moved = false;
    std::string message = error_of([&](ForgedFile& file) {
      SectionEntry& entry = file.entries[random() % file.entries.size()];
      const SectionEntry before = entry;
      std::array<std::uint64_t, 4> words;
      std::memcpy(words.data(), &entry, sizeof entry);
      words[random() % 4] ^= random() >> random() % 64;
      std::memcpy(static_cast<void*>(&entry), words.data(), sizeof entry);
      moved = entry.offset != before.offset || entry.length != before.length;
    });
    if (message.empty()) message = file_error([this] { Container::open(path_, known_kinds).verify(); });
    if (moved) {
      EXPECT_NE(message, "") << repeat;
    }
    refused += !message.empty();
  }
  EXPECT_GT(refused, 150);
  EXPECT_LT(refused, 300);
}

}  // namespace
}  // namespace geodome::internal
