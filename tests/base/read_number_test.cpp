#include "geodome/base/read_number.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace geodome::internal {
namespace {

/// What was read from a word: the number, how many characters it took, and the error.
struct Reading {
  double value = 42;
  std::ptrdiff_t length = 0;
  std::errc error{};
};

using Reader = std::from_chars_result(const char*, const char*, double&);

Reading reading_of(const std::string& word, Reader& reader) {
  Reading result;
  const auto [stop, error] = reader(word.data(), word.data() + word.size(), result.value);
  result.length = stop - word.data();
  result.error = error;
  return result;
}

/// The reader of this build and the portable one agree to the last bit.
void expect_same(const std::string& word) {
  const Reading one = reading_of(word, read_number<double>), other = reading_of(word, read_double_portably);
  EXPECT_EQ(one.error, other.error) << word;
  EXPECT_EQ(one.length, other.length) << word;
  if (!std::isnan(one.value)) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one.value), std::bit_cast<std::uint64_t>(other.value)) << word;
  }
  EXPECT_EQ(std::isnan(one.value), std::isnan(other.value)) << word;
}

TEST(ReadNumber, ReadsNumbersAndStopsBehindThem) {
  for (Reader* const reader : {&read_number<double>, &read_double_portably}) {
    EXPECT_EQ(reading_of("1.5 2", *reader).value, 1.5);
    EXPECT_EQ(reading_of("1.5 2", *reader).length, 3);
    EXPECT_EQ(reading_of("-.25e2x", *reader).value, -25);
    EXPECT_EQ(reading_of("-.25e2x", *reader).length, 6);
    EXPECT_EQ(reading_of("7e", *reader).length, 1);
    EXPECT_EQ(reading_of("7e+", *reader).length, 1);
    EXPECT_EQ(reading_of("5.", *reader).length, 2);
    EXPECT_EQ(reading_of("0x10", *reader).length, 1);
    EXPECT_EQ(reading_of("-inf", *reader).value, -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(reading_of("NaN(12)", *reader).value));
    for (const char* word : {"", "-", ".", "+1", " 1", "e5", "-e5", "one", "-.e1", "in", "--1"})
      EXPECT_EQ(reading_of(word, *reader).error, std::errc::invalid_argument) << word;
    for (const char* word : {"1e400", "-1e400", "1e-400", "1e99999999999999999999"}) {
      EXPECT_EQ(reading_of(word, *reader).error, std::errc::result_out_of_range) << word;
      EXPECT_EQ(reading_of(word, *reader).value, 42) << word;
    }
    EXPECT_EQ(reading_of("0e-400", *reader).value, 0);
    EXPECT_EQ(reading_of("5e-324", *reader).value, std::numeric_limits<double>::denorm_min());
  }
}

TEST(ReadNumber, OfEveryKindIsThatOfTheStandardLibrary) {
  for (const char* word : {"0", "-0", "-0.0e5", "1e308", "1.7976931348623157e308", "2.2250738585072014e-308",
                           "2.2250738585072011e-308", "4.9e-324", "123456789012345678901234567890", "0.1e1.5",
                           "infinity", "infinit", "INF1", "nan", "nan(", "nan(a b)", "-nan", "1.e3", "1..2"})
    expect_same(word);
  std::mt19937_64 random(7);
  for (int k = 0; k < 20000; ++k) {
    char digits[40];
    const auto value = std::bit_cast<double>(random());
    std::snprintf(digits, sizeof digits, "%.*g", static_cast<int>(random() % 20), value);
    expect_same(digits);
  }
  constexpr char letters[] = "0123456789.eE+-infa";
  for (int k = 0; k < 20000; ++k) {
    std::string word;
    for (std::size_t left = random() % 9; left > 0; --left) word += letters[random() % (sizeof letters - 1)];
    expect_same(word);
  }
}

TEST(ReadNumber, DoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "C.UTF-8"}) std::setlocale(LC_ALL, locale);
  EXPECT_EQ(reading_of("2.5", read_double_portably).value, 2.5);
  EXPECT_EQ(reading_of("2,5", read_double_portably).length, 1);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(ReadNumber, ReadsIntegers) {
  const std::string word = "-17,";
  std::int64_t value = 0;
  EXPECT_EQ(read_number(word.data(), word.data() + word.size(), value).ptr, word.data() + 3);
  EXPECT_EQ(value, -17);
}

}  // namespace
}  // namespace geodome::internal
