#include "geodome/base/token_coder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr std::uint32_t largest = token_value_limit - 1;

TokenRecord record_of(const std::vector<TokenRecord::Number>& numbers) {
  TokenRecord record;
  for (const TokenRecord::Number& number : numbers) record.put(number.context, number.value);
  return record;
}

TokenTables tables_of(const TokenRecord& record, std::size_t contexts) {
  TokenCounts counts(contexts);
  counts.add(record);
  return TokenTables(counts);
}

/// The numbers come back, and with them the end of the stream.
void expect_read_back(const TokenRecord& record, const TokenTables& tables,
                      const std::vector<std::uint32_t>& words) {
  TokenReader reader(tables, words);
  for (std::size_t k = 0; k < record.numbers().size(); ++k)
    ASSERT_EQ(reader.get(record.numbers()[k].context), record.numbers()[k].value) << k;
  EXPECT_NO_THROW(reader.finish());
}

/// From where values and contexts come.
struct Source {
  std::string name;
  std::function<std::uint32_t(std::mt19937&)> value;
  std::size_t contexts = 1;
};

class TokenCoderOn : public ::testing::TestWithParam<Source> {};

TEST_P(TokenCoderOn, GivesBackWhatWasPut) {
  for (const std::size_t count : {1, 2, 3, 100, 20000}) {
    std::mt19937 random(static_cast<unsigned>(count));
    TokenRecord record;
    for (std::size_t k = 0; k < count; ++k)
      record.put(random() % GetParam().contexts, GetParam().value(random));
    const TokenTables tables = tables_of(record, GetParam().contexts);
    const std::vector<std::uint32_t> words = encode(record, tables);
    expect_read_back(record, tables, words);
    expect_read_back(record, TokenTables(tables.bytes()), words);
    EXPECT_EQ(TokenTables(tables.bytes()).bytes(), tables.bytes());
  }
}

std::uint32_t heavy_tailed(std::mt19937& random) {
  const double uniform = std::uniform_real_distribution<double>(1e-9, 1)(random);
  return static_cast<std::uint32_t>(std::min(1 / uniform, static_cast<double>(largest)));
}

INSTANTIATE_TEST_SUITE_P(
    EveryDistribution, TokenCoderOn,
    ::testing::Values(
        Source{"Zeros", [](std::mt19937&) { return 0u; }},
        Source{"Fifteens", [](std::mt19937&) { return 15u; }},
        Source{"Sixteens", [](std::mt19937&) { return 16u; }},
        Source{"Largest", [](std::mt19937&) { return largest; }},
        Source{"Bits", [](std::mt19937& random) { return static_cast<std::uint32_t>(random() % 2); }, 3},
        Source{"Small", [](std::mt19937& random) { return static_cast<std::uint32_t>(random() % 40); }, 5},
        Source{"Uniform", [](std::mt19937& random) { return static_cast<std::uint32_t>(random() & largest); },
               64},
        Source{"Rare", [](std::mt19937& random) { return random() % 5000 == 0 ? largest : 7u; }},
        Source{"HeavyTailed", heavy_tailed, 2},
        Source{"BelowPowers", [](std::mt19937& random) { return (1u << random() % 25) - 1; }},
        Source{"Powers", [](std::mt19937& random) { return 1u << random() % 24; }}),
    [](const auto& one) { return one.param.name; });

TEST(TokenCoder, SignsAlternate) {
  for (std::int32_t value = -1000; value <= 1000; ++value) EXPECT_EQ(from_zigzag(zigzag(value)), value);
  EXPECT_EQ(zigzag(0), 0u);
  EXPECT_EQ(zigzag(-1), 1u);
  EXPECT_EQ(zigzag(1), 2u);
  EXPECT_EQ(zigzag(-2), 3u);
  TokenRecord record;
  const std::int32_t most = static_cast<std::int32_t>(token_value_limit / 2) - 1;
  for (const std::int32_t value : {0, most, -most - 1}) record.put_signed(0, value);
  const TokenTables tables = tables_of(record, 1);
  const auto words = encode(record, tables);
  TokenReader reader(tables, words);
  for (const std::int32_t value : {0, most, -most - 1}) EXPECT_EQ(reader.get_signed(0), value);
  EXPECT_THROW(record.put_signed(0, most + 1), InputError);
}

TEST(TokenCoder, RefusesNumbersThatAreTooLarge) {
  TokenRecord record;
  EXPECT_THROW(record.put(0, token_value_limit), InputError);
  EXPECT_THROW(record.put(0, ~std::uint32_t{0}), InputError);
  EXPECT_TRUE(record.numbers().empty());
}

TEST(TokenCoder, NothingIsAStreamToo) {
  for (const std::size_t contexts : {0, 1, 64}) {
    const TokenTables tables{TokenCounts(contexts)};
    EXPECT_EQ(tables.contexts(), contexts);
    EXPECT_EQ(tables.bytes().size(), 1 + contexts);
    const auto words = encode(TokenRecord(), tables);
    EXPECT_EQ(words.size(), 2u);
    TokenReader reader(tables, words);
    EXPECT_NO_THROW(reader.finish());
    if (contexts > 0) {
      EXPECT_THROW(reader.get(0), InputError);
    }
  }
}

TEST(TokenCoder, AContextThatIsNotUsedHasNoNumbers) {
  const TokenRecord record = record_of({{2, 5}, {2, 6}});
  const TokenTables tables = tables_of(record, 4);
  const auto words = encode(record, tables);
  TokenReader reader(tables, words);
  for (const std::size_t context : {0, 1, 3}) EXPECT_THROW(reader.get(context), InputError);
  EXPECT_EQ(reader.get(2), 5u);
  EXPECT_THROW(reader.finish(), InputError) << "a number is left";
  EXPECT_EQ(reader.get(2), 6u);
  EXPECT_NO_THROW(reader.finish());
}

TEST(TokenCoder, StreamsShareTheirTables) {
  std::mt19937 random(3);
  std::vector<TokenRecord> records(20);
  TokenCounts counts(3);
  for (std::size_t k = 0; k < records.size(); ++k) {
    for (std::size_t i = 0; i < 50 * k; ++i)
      records[k].put(random() % 3, static_cast<std::uint32_t>(random() % (2 + 40 * k)));
    counts.add(records[k]);
  }
  const TokenTables tables(counts);
  for (const TokenRecord& record : records) expect_read_back(record, tables, encode(record, tables));
}

TEST(TokenCoder, AConstantContextTakesNoBits) {
  TokenRecord record;
  for (int k = 0; k < 10000; ++k) record.put(0, 9);
  EXPECT_EQ(encode(record, tables_of(record, 1)).size(), 2u);
}

/// Bits per number of what was put, if every context and value had its own frequency.
double entropy(const TokenRecord& record) {
  std::map<std::pair<std::size_t, std::uint32_t>, double> count;
  std::map<std::size_t, double> total;
  for (const TokenRecord::Number& number : record.numbers()) {
    ++count[{number.context, number.value}];
    ++total[number.context];
  }
  double bits = 0;
  for (const auto& [key, times] : count) bits -= times * std::log2(times / total[key.first]);
  return bits;
}

TEST(TokenCoder, ComesNearTheEntropy) {
  constexpr int numbers = 100000;
  std::mt19937 random(4);
  const auto check = [&](const char* name, std::size_t contexts, const auto& value) {
    TokenRecord record;
    for (int k = 0; k < numbers; ++k) {
      const std::size_t context = random() % contexts;
      record.put(context, static_cast<std::uint32_t>(value(context)));
    }
    const double bytes = 4.0 * static_cast<double>(encode(record, tables_of(record, contexts)).size());
    EXPECT_LE(bytes, 1.03 * entropy(record) / 8 + 16) << name;
    EXPECT_GE(bytes, 0.999 * entropy(record) / 8) << name;
  };
  std::geometric_distribution<int> half(0.5), tenth(0.1);
  check("geometric", 1, [&](std::size_t) { return half(random); });
  check("flatter", 1, [&](std::size_t) { return tenth(random); });
  check("uniform of 16", 1, [&](std::size_t) { return random() % 16; });
  check("uniform of 1024", 1, [&](std::size_t) { return random() % 1024; });
  check("skewed", 1, [&](std::size_t) { return random() % 100 == 0 ? 1 : 0; });
  check("by context", 4, [&](std::size_t context) { return random() % (1 + 5 * context); });
}

/// Reads as many numbers as were put. Whether the stream was refused; otherwise the numbers are in range.
bool refused(const TokenRecord& record, const TokenTables& tables, std::span<const std::uint32_t> words) {
  try {
    TokenReader reader(tables, words);
    for (const TokenRecord::Number& number : record.numbers())
      EXPECT_LT(reader.get(number.context), token_value_limit);
    reader.finish();
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TokenRecord small_record() {
  std::mt19937 random(5);
  TokenRecord record;
  for (int k = 0; k < 300; ++k) record.put(random() % 3, heavy_tailed(random));
  return record;
}

TEST(TokenCoder, ACutStreamIsRefused) {
  const TokenRecord record = small_record();
  const TokenTables tables = tables_of(record, 3);
  std::vector<std::uint32_t> words = encode(record, tables);
  ASSERT_FALSE(refused(record, tables, words));
  for (std::size_t length = 0; length < words.size(); ++length) {
    const std::vector<std::uint32_t> cut(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_TRUE(refused(record, tables, cut)) << length;
  }
  words.push_back(0);
  EXPECT_TRUE(refused(record, tables, words));
}

TEST(TokenCoder, AFlippedBitIsRefusedOrChangesNumbersOnly) {
  const TokenRecord record = small_record();
  const TokenTables tables = tables_of(record, 3);
  const std::vector<std::uint32_t> words = encode(record, tables);
  std::size_t tried = 0, found = 0;
  for (std::size_t k = 0; k < words.size(); ++k)
    for (int bit = 0; bit < 32; ++bit) {
      std::vector<std::uint32_t> damaged = words;
      damaged[k] ^= std::uint32_t{1} << bit;
      ++tried;
      found += refused(record, tables, damaged);
    }
  EXPECT_GT(found, tried * 9 / 10) << tried;
}

TEST(TokenCoder, AnyWordsAndAnyTablesAreSafe) {
  std::mt19937 random(6);
  const TokenRecord record = small_record();
  const TokenTables tables = tables_of(record, 3);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<std::uint32_t> words(random() % 40);
    for (std::uint32_t& word : words) word = repeat % 3 == 0 ? 0 : static_cast<std::uint32_t>(random());
    refused(record, tables, words);
  }
}

TEST(TokenCoder, DamagedTablesAreRefusedOrAreTables) {
  const TokenRecord record = small_record();
  const std::vector<std::uint8_t> bytes = tables_of(record, 3).bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(TokenTables(std::span(bytes).first(length)), InputError) << length;
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_THROW(TokenTables{longer}, InputError);
  const auto words = encode(record, tables_of(record, 3));
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (int value = 0; value < 256; ++value) {
      std::vector<std::uint8_t> damaged = bytes;
      damaged[k] = static_cast<std::uint8_t>(value);
      try {
        const TokenTables tables{damaged};
        ASSERT_LE(tables.contexts(), most_token_contexts);
        for (std::size_t c = 0; c < tables.contexts(); ++c)
          EXPECT_TRUE(tables.context(c).at.empty() || tables.context(c).at.size() == 4096);
        if (tables.contexts() == 3) refused(record, tables, words);
      } catch (const InputError&) {
      }
    }
}

TEST(TokenCoder, RefusesTablesThatMakeNoSense) {
  const auto refuse = [](std::vector<std::uint8_t> bytes) { EXPECT_THROW(TokenTables{bytes}, InputError); };
  refuse({});
  refuse({65});  // too many contexts
  refuse({255});
  refuse({1});                       // one without frequencies
  refuse({1, 57});                   // too many tokens
  refuse({1, 1, 127});               // frequencies that do not sum to 4096
  refuse({1, 2, 0x90, 0x00, 1});     // 4097
  refuse({1, 1, 0xff, 0xff});        // 32767
  refuse({1, 1, 0x90});              // half a frequency
  refuse({1, 1, 0x90, 0x00, 0x00});  // more than the tables
  EXPECT_NO_THROW(TokenTables{std::vector<std::uint8_t>({1, 1, 0x90, 0x00})});
  EXPECT_NO_THROW(TokenTables{std::vector<std::uint8_t>({2, 0, 0})});
}

}  // namespace
}  // namespace geodome::internal
