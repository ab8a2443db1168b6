#include "geodome/file/container_format.h"

#include <gtest/gtest.h>

#include "container_support.h"

namespace geodome::internal {
namespace {

using namespace testing;

void put(std::string& bytes, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

void put_checksum(std::string& bytes, std::size_t start) {
  put(bytes, crc32c(std::as_bytes(std::span(bytes).subspan(start))), 4);
}

/// Version 1, put together from its description alone. Files like this one exist: it must stay readable.
std::string version_1() {
  std::string file = "\x89geodome";
  for (const int number : {1, 0, 0, 1, 0}) put(file, number, 2);
  file.resize(60);
  put_checksum(file, 0);
  file += "{}";  // at byte 64
  file.resize(128);
  put(file, 0x3f800000, 4);  // 1.0f
  put(file, 0xc0000000, 4);  // -2.0f
  file.resize(192);

  file += "rcpe";
  put(file, 1, 4);   // mandatory
  put(file, 64, 8);  // offset
  put(file, 2, 8);   // length
  put(file, 1, 4);   // text
  put(file, 0, 4);
  file += "numb";
  put(file, 0, 4);  // optional
  put(file, 128, 8);
  put(file, 8, 8);
  put(file, 10, 4);  // float32
  put(file, 0, 4);
  put(file, crc32c(std::as_bytes(std::span(file).subspan(64, 2))), 4);
  put(file, crc32c(std::as_bytes(std::span(file).subspan(128, 8))), 4);

  const std::size_t footer = file.size();
  const std::uint32_t table_checksum = crc32c(std::as_bytes(std::span(file).subspan(192)));
  put(file, 192, 8);
  put(file, footer + 64, 8);
  put(file, 2, 4);
  put(file, table_checksum, 4);
  file.resize(footer + 60);
  put_checksum(file, footer);
  return file;
}

TEST(ContainerFormat, Version1IsRead) {
  const TemporaryFolder folder;
  store(folder.file("a"), version_1());
  const Container container = Container::open(folder.file("a"), known_kinds);
  EXPECT_NO_THROW(container.verify());
  EXPECT_EQ(container.section(recipe_kind).as_text(), "{}");
  EXPECT_TRUE(container.section(recipe_kind).mandatory());
  EXPECT_FALSE(container.section(numbers_kind).mandatory());
  EXPECT_EQ(container.section(numbers_kind).view<float>()[0], 1);
  EXPECT_EQ(container.section(numbers_kind).view<float>()[1], -2);
}

TEST(ContainerFormat, IsWrittenAsDescribed) {
  const TemporaryFolder folder;
  const std::vector<float> numbers = {1, -2};
  ContainerWriter writer(folder.file("a"));
  writer.add_text(recipe_kind, "{}");
  writer.add<float>(numbers_kind, numbers, SectionNeed::optional);
  writer.commit();
  EXPECT_TRUE(contents(folder.file("a")) == version_1());
}

}  // namespace
}  // namespace geodome::internal
