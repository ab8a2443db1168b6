#include "geodome/shape/io/parse/scan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "file_support.h"

namespace geodome::internal {
namespace {

using testing::contains;

InputFile file_of(std::string content) {
  return {"f.txt", "txt", std::move(content)};
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(TextScanner, ReadsWordsAcrossLinesAndComments) {
  const InputFile file = file_of("  one\ttwo # three\r\n# four\rfive\n\n six#seven");
  TextScanner scanner(file);
  for (const char* word : {"one", "two", "five", "six"}) EXPECT_EQ(scanner.word("a word"), word);
  EXPECT_TRUE(scanner.at_end());
  EXPECT_TRUE(contains(failure([&] { scanner.word("a word"); }), "ends where a word should be"));
}

TEST(TextScanner, KnowsTheEndOfALine) {
  const InputFile file = file_of("1 2 \n\r\n3 # x\n4");
  TextScanner scanner(file);
  EXPECT_EQ(scanner.integer("n"), 1);
  EXPECT_FALSE(scanner.at_line_end());
  EXPECT_EQ(scanner.integer("n"), 2);
  EXPECT_TRUE(scanner.at_line_end());
  scanner.next_line();
  EXPECT_TRUE(scanner.at_line_end());
  EXPECT_EQ(scanner.integer("n"), 3);
  EXPECT_TRUE(scanner.at_line_end());
  scanner.next_line();
  EXPECT_EQ(scanner.rest_of_line(), "4");
  EXPECT_EQ(scanner.integer("n"), 4);
  EXPECT_TRUE(scanner.at_line_end());
  EXPECT_TRUE(scanner.at_end());
}

TEST(TextScanner, JoinsContinuedLinesOnlyIfAsked) {
  const InputFile file = file_of("1 \\\n2\\\r\n3\n4");
  TextScanner joined(file, {.continuation = true});
  for (int n = 1; n <= 3; ++n) {
    EXPECT_FALSE(joined.at_line_end());
    EXPECT_EQ(joined.integer("n"), n);
  }
  EXPECT_TRUE(joined.at_line_end());
  TextScanner skipping(file, {.continuation = true});
  skipping.next_line();
  EXPECT_EQ(skipping.integer("n"), 4);
  TextScanner plain(file);
  EXPECT_EQ(plain.integer("n"), 1);
  EXPECT_EQ(plain.word("w"), "\\");
}

TEST(TextScanner, TakesACommaAsSeparatorOnlyIfAsked) {
  const InputFile file = file_of("1,2 , 3");
  TextScanner scanner(file, {.separator = ','});
  for (int n = 1; n <= 3; ++n) EXPECT_EQ(scanner.integer("n"), n);
  TextScanner plain(file);
  EXPECT_THROW(plain.integer("n"), FileError);
}

TEST(TextScanner, ReadsEveryFormOfNumber) {
  const InputFile file = file_of("1 -2.5 +3 4e2 .5 5. +.5e-1 1e-400 -1e400 nan -inf Infinity NaN");
  TextScanner scanner(file);
  for (double value : {1.0, -2.5, 3.0, 400.0, 0.5, 5.0, 0.05, 0.0, -infinity})
    EXPECT_EQ(scanner.number("x"), value);
  EXPECT_TRUE(std::isnan(scanner.number("x")));
  EXPECT_EQ(scanner.number("x"), -infinity);
  EXPECT_EQ(scanner.number("x"), infinity);
  EXPECT_TRUE(std::isnan(scanner.number("x")));
}

TEST(TextScanner, RefusesWhatIsNotANumber) {
  for (const char* word : {"x", "1x", "1,5", "--1", "+-1", "+", "1e", "0x10", "1.2.3"}) {
    const InputFile file = file_of(word);
    TextScanner scanner(file);
    EXPECT_TRUE(contains(failure([&] { scanner.number("the width"); }), "the width should be a number"))
        << word;
  }
  for (const char* word : {"1.0", "9223372036854775808", "a"}) {
    const InputFile file = file_of(word);
    TextScanner scanner(file);
    EXPECT_TRUE(contains(failure([&] { scanner.integer("the width"); }), "should be an integer")) << word;
  }
}

TEST(TextScanner, NamesFileAndLine) {
  for (const char* content : {"1\n2\n x", "1\r\n2\r\n x", "1\r2\r x"}) {
    const InputFile file = file_of(content);
    TextScanner scanner(file);
    scanner.number("n");
    scanner.number("n");
    EXPECT_EQ(failure([&] { scanner.number("n"); }), "'f.txt', line 3: n should be a number, not 'x'");
  }
}

TEST(TextScanner, CountsAreBounded) {
  for (const char* word : {"-1", "2147483648", "4294967296"}) {
    const InputFile file = file_of(word);
    TextScanner scanner(file);
    EXPECT_TRUE(contains(failure([&] { scanner.count("n"); }), word)) << word;
  }
  const InputFile file = file_of("0 2147483647 0 1 2");
  TextScanner scanner(file);
  EXPECT_EQ(scanner.count("n"), 0);
  EXPECT_EQ(scanner.count("n"), 2147483647);
  scanner.word("w");
  EXPECT_NO_THROW(scanner.expect(2, 2, "numbers"));
  EXPECT_THROW(scanner.expect(3, 2, "numbers"), FileError);
  EXPECT_THROW(scanner.expect(std::numeric_limits<std::int64_t>::max(), 8, "numbers"), FileError);
}

TEST(ParseNumber, TakesWholeWordsOnly) {
  double number = 0;
  EXPECT_TRUE(parse_number("-1.5e3", number));
  EXPECT_EQ(number, -1500);
  for (const char* word : {"", "1 ", "1x", "e5"}) EXPECT_FALSE(parse_number(word, number)) << word;
  std::int64_t integer = 0;
  EXPECT_TRUE(parse_integer("+42", integer));
  EXPECT_EQ(integer, 42);
  for (const char* word : {"", "4.2", "-", "4/5"}) EXPECT_FALSE(parse_integer(word, integer)) << word;
}

TEST(ByteCursor, ReadsBothByteOrders) {
  const InputFile file = file_of(std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8));
  ByteCursor little(file, ByteOrder::little);
  EXPECT_EQ(little.read<std::uint16_t>("n"), 0x0201);
  EXPECT_EQ(little.read<std::uint32_t>("n"), 0x06050403u);
  EXPECT_EQ(little.position(), 6u);
  ByteCursor big(file, ByteOrder::big);
  EXPECT_EQ(big.read<std::uint64_t>("n"), 0x0102030405060708u);
  EXPECT_EQ(big.remaining(), 0u);
  const InputFile one = file_of(std::string("\x3f\x80\x00\x00", 4));
  EXPECT_EQ(ByteCursor(one, ByteOrder::big).read<float>("x"), 1.0f);
}

TEST(ByteCursor, NeverLeavesTheFile) {
  const InputFile file = file_of("12345");
  ByteCursor cursor(file, ByteOrder::little, 2);
  EXPECT_TRUE(contains(failure([&] { cursor.read<std::uint32_t>("the count"); }), "byte 2"));
  EXPECT_NO_THROW(cursor.expect(3, 1, "bytes"));
  EXPECT_THROW(cursor.expect(2, 2, "pairs"), FileError);
  EXPECT_THROW(cursor.expect(std::uint64_t{1} << 63, 16, "rows"), FileError);  // the product overflows
  cursor.take(3, "the rest");
  EXPECT_EQ(cursor.remaining(), 0u);
  EXPECT_THROW(cursor.take(1, "more"), FileError);
  EXPECT_EQ(ByteCursor(file, ByteOrder::little, 99).remaining(), 0u);
}

}  // namespace
}  // namespace geodome::internal
