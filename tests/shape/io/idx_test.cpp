#include <gtest/gtest.h>

#include "bytes.h"
#include "file_support.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::parse;
using testing::put;

std::string header(unsigned char type, const std::vector<std::uint32_t>& sizes) {
  std::string bytes = {0, 0, static_cast<char>(type), static_cast<char>(sizes.size())};
  for (std::uint32_t size : sizes) put(bytes, size, ByteOrder::big);
  return bytes;
}

template <typename Value>
void expect_values(unsigned char type) {
  std::string bytes = header(type, {3, 2, 2});
  for (int i = 0; i < 12; ++i) put(bytes, static_cast<Value>(i), ByteOrder::big);
  for (const char* name : {"images-idx3-ubyte", "f.idx", "f.txt"}) {
    const RowMatrix<double> values = std::get<Samples>(parse(name, bytes)).values;
    ASSERT_EQ(values.rows(), 3);
    ASSERT_EQ(values.cols(), 4);
    for (int i = 0; i < 12; ++i) EXPECT_EQ(values(i / 4, i % 4), i);
  }
}

TEST(Idx, FlattensImagesOfEveryType) {
  expect_values<std::uint8_t>(0x08);
  expect_values<std::int8_t>(0x09);
  expect_values<std::int16_t>(0x0B);
  expect_values<std::int32_t>(0x0C);
  expect_values<float>(0x0D);
  expect_values<double>(0x0E);
}

TEST(Idx, OneDimensionIsOneValuePerSample) {
  const RowMatrix<double> values = std::get<Samples>(parse("labels", header(8, {3}) + "\1\2\xFF")).values;
  EXPECT_EQ(values, (RowMatrix<double>(3, 1) << 1, 2, 255).finished());
}

TEST(Idx, SizesThatDoNotFitTheFileAreRefused) {
  expect_refused("f.idx", header(8, {2, 2}) + "123", "declares 2 samples");
  expect_refused("f.idx", header(8, {2, 2}) + "12345", "5 bytes follow");
  expect_refused("f.idx", header(8, {4294967295u, 4294967295u}) + "1234", "declares");
  expect_refused("f.idx", header(14, {1, 65536, 65536, 65536, 65536, 65536}) + "1234", "declares");
  expect_refused("f.idx", header(8, {4294967295u, 0, 4294967295u}) + "", "");
  expect_refused("f.idx", header(8, {0, 2}) + "12", "the array is empty");
  expect_refused("f.idx", header(8, {2, 2}).substr(0, 9), "the file ends");
  expect_refused("f.idx", header(7, {2, 2}) + "1234", "begins with 00 00");
}

}  // namespace
}  // namespace geodome::internal
