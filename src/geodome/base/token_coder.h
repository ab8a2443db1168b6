#pragma once
/// Entropy coding of integers: range asymmetric numeral systems [Duda 2013] with fixed frequencies.
///
///   TokenRecord record;                        // one per stream that can be decoded alone
///   record.put(context, value);
///   TokenCounts counts;  counts.add(record);   // over all streams
///   const TokenTables tables(counts);
///   const std::vector<std::uint32_t> words = encode(record, tables);
///   TokenReader reader(tables, words);
///   reader.get(context);

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace geodome::internal {

/// A number below 16 is one token; a larger one is a token for its length and first bits, and further bits
/// that are stored as they are. Numbers are below 2^24.
inline constexpr std::uint32_t token_value_limit = std::uint32_t{1} << 24;
inline constexpr std::size_t token_count = 56;
inline constexpr std::size_t most_token_contexts = 64;

/// 0, -1, 1, -2, … as 0, 1, 2, 3, …
constexpr std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}
constexpr std::int32_t from_zigzag(std::uint32_t value) {
  return static_cast<std::int32_t>(value >> 1) ^ -static_cast<std::int32_t>(value & 1);
}

/// The numbers of one stream, each with the context whose frequencies it is coded with.
class TokenRecord {
 public:
  /// Throws InputError when the value is not below `token_value_limit`.
  void put(std::size_t context, std::uint32_t value);
  void put_signed(std::size_t context, std::int32_t value) { put(context, zigzag(value)); }

  struct Number {
    std::uint8_t context;
    std::uint32_t value;
  };
  const std::vector<Number>& numbers() const { return numbers_; }

 private:
  std::vector<Number> numbers_;
};

/// How often each token occurs in each context.
class TokenCounts {
 public:
  explicit TokenCounts(std::size_t contexts) : counts_(contexts) {}
  void add(const TokenRecord& record);
  const std::vector<std::array<std::uint64_t, token_count>>& counts() const { return counts_; }

 private:
  std::vector<std::array<std::uint64_t, token_count>> counts_;
};

/// The frequencies of all contexts, in units of 1/4096.
class TokenTables {
 public:
  static constexpr int scale_bits = 12;

  explicit TokenTables(const TokenCounts& counts);
  /// From `bytes()`. Throws InputError when they are no tables.
  explicit TokenTables(std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> bytes() const;

  struct Token {
    std::uint16_t frequency = 0;
    std::uint16_t begin = 0;  ///< the sum of the frequencies before it
  };
  struct Context {
    std::array<Token, token_count> token{};
    std::vector<std::uint8_t> at;  ///< the token at each of 4096 places; empty where the context is not used
  };
  const Context& context(std::size_t number) const { return contexts_[number]; }
  std::size_t contexts() const { return contexts_.size(); }

 private:
  void fill();
  std::vector<Context> contexts_;
};

/// Every token of the record must have a frequency in the tables.
std::vector<std::uint32_t> encode(const TokenRecord& record, const TokenTables& tables);

/// Reads the numbers in the order in which they were put. Both arguments must outlive it.
class TokenReader {
 public:
  /// Throws InputError when the stream is too short.
  TokenReader(const TokenTables& tables, std::span<const std::uint32_t> words);
  /// Throws InputError when the stream ends early or the context is not used.
  std::uint32_t get(std::size_t context);
  std::int32_t get_signed(std::size_t context) { return from_zigzag(get(context)); }
  /// Throws InputError unless the whole stream was read.
  void finish() const;

 private:
  void refill();
  const TokenTables& tables_;
  std::span<const std::uint32_t> words_;
  std::size_t next_ = 0;
  std::uint64_t state_ = 0;
};

}  // namespace geodome::internal
