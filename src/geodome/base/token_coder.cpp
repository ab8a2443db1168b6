#include "geodome/base/token_coder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr std::uint64_t lowest_state = std::uint64_t{1} << 31;
constexpr std::uint32_t scale = std::uint32_t{1} << TokenTables::scale_bits;

struct Split {
  std::uint32_t token;
  int bits;  ///< stored as they are
  std::uint32_t rest;
};

Split split(std::uint32_t value) {
  if (value < 16) return {value, 0, 0};
  const int length = std::bit_width(value) - 1;  // at least 4
  const int bits = length - 1;
  return {16 + 2 * static_cast<std::uint32_t>(length - 4) + (value >> bits & 1), bits,
          value & ((std::uint32_t{1} << bits) - 1)};
}

/// Frequencies in proportion to the counts, at least one for each token that occurs, `scale` in all.
std::array<std::uint16_t, token_count> frequencies(const std::array<std::uint64_t, token_count>& counts) {
  std::array<std::uint16_t, token_count> result{};
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (total == 0) return result;
  std::int64_t left = scale;
  for (std::size_t t = 0; t < token_count; ++t) {
    if (counts[t] == 0) continue;
    result[t] = static_cast<std::uint16_t>(std::max<std::uint64_t>(1, counts[t] * scale / total));
    left -= result[t];
  }
  // What rounding left over goes to the largest, and what it took comes from there.
  while (left != 0) {
    const auto largest = std::max_element(result.begin(), result.end());
    const std::int64_t change = left > 0 ? left : std::max<std::int64_t>(left, 1 - *largest);
    *largest = static_cast<std::uint16_t>(*largest + change);
    left -= change;
  }
  return result;
}

class Encoder {
 public:
  void put(std::uint64_t begin, std::uint64_t frequency, int bits) {
    const std::uint64_t limit = ((lowest_state >> bits) << 32) * frequency;
    if (state_ >= limit) {
      words_.push_back(static_cast<std::uint32_t>(state_));
      state_ >>= 32;
    }
    state_ = ((state_ / frequency) << bits) + state_ % frequency + begin;
  }
  std::vector<std::uint32_t> finish() {
    words_.push_back(static_cast<std::uint32_t>(state_));
    words_.push_back(static_cast<std::uint32_t>(state_ >> 32));
    std::reverse(words_.begin(), words_.end());
    return std::move(words_);
  }

 private:
  std::uint64_t state_ = lowest_state;
  std::vector<std::uint32_t> words_;
};

}  // namespace

void TokenRecord::put(std::size_t context, std::uint32_t value) {
  if (value >= token_value_limit)
    throw InputError(text("a number to be coded must be below ", token_value_limit, ", got ", value));
  numbers_.push_back({static_cast<std::uint8_t>(context), value});
}

void TokenCounts::add(const TokenRecord& record) {
  for (const TokenRecord::Number& number : record.numbers())
    ++counts_[number.context][split(number.value).token];
}

TokenTables::TokenTables(const TokenCounts& counts) : contexts_(counts.counts().size()) {
  for (std::size_t c = 0; c < contexts_.size(); ++c) {
    const auto all = frequencies(counts.counts()[c]);
    for (std::size_t t = 0; t < token_count; ++t) contexts_[c].token[t].frequency = all[t];
  }
  fill();
}

TokenTables::TokenTables(std::span<const std::uint8_t> bytes) {
  std::size_t at = 0;
  const auto next = [&]() -> std::uint32_t {
    if (at == bytes.size()) throw InputError("the frequencies of coded numbers end early");
    return bytes[at++];
  };
  const std::uint32_t contexts = next();
  if (contexts > most_token_contexts) throw InputError(text("coded numbers have ", contexts, " contexts"));
  contexts_.resize(contexts);
  for (Context& context : contexts_) {
    const std::uint32_t tokens = next();
    if (tokens > token_count) throw InputError(text("coded numbers have ", tokens, " tokens"));
    std::uint32_t total = 0;
    for (std::uint32_t t = 0; t < tokens; ++t) {
      std::uint32_t frequency = next();
      if (frequency >= 128) frequency = (frequency & 127) << 8 | next();
      context.token[t].frequency = static_cast<std::uint16_t>(std::min(frequency, scale + 1));
      total += context.token[t].frequency;
    }
    if (tokens > 0 && total != scale) throw InputError(text("frequencies of coded numbers sum to ", total));
  }
  if (at != bytes.size()) throw InputError("the frequencies of coded numbers are followed by other bytes");
  fill();
}

std::vector<std::uint8_t> TokenTables::bytes() const {
  std::vector<std::uint8_t> result{static_cast<std::uint8_t>(contexts_.size())};
  for (const Context& context : contexts_) {
    std::size_t tokens = token_count;
    while (tokens > 0 && context.token[tokens - 1].frequency == 0) --tokens;
    result.push_back(static_cast<std::uint8_t>(tokens));
    for (std::size_t t = 0; t < tokens; ++t) {
      const std::uint16_t frequency = context.token[t].frequency;
      if (frequency >= 128) result.push_back(static_cast<std::uint8_t>(128 | frequency >> 8));
      result.push_back(static_cast<std::uint8_t>(frequency & 255));
    }
  }
  return result;
}

void TokenTables::fill() {
  for (Context& context : contexts_) {
    std::uint16_t begin = 0;
    for (std::size_t t = 0; t < token_count; ++t) {
      context.token[t].begin = begin;
      begin = static_cast<std::uint16_t>(begin + context.token[t].frequency);
      context.at.resize(begin, static_cast<std::uint8_t>(t));
    }
  }
}

std::vector<std::uint32_t> encode(const TokenRecord& record, const TokenTables& tables) {
  Encoder encoder;
  const auto& numbers = record.numbers();
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    const Split parts = split(number->value);
    if (parts.bits > 0) encoder.put(parts.rest, 1, parts.bits);
    const TokenTables::Token& token = tables.context(number->context).token[parts.token];
    encoder.put(token.begin, token.frequency, TokenTables::scale_bits);
  }
  return encoder.finish();
}

TokenReader::TokenReader(const TokenTables& tables, std::span<const std::uint32_t> words)
    : tables_(tables), words_(words) {
  if (words.size() < 2) throw InputError("coded numbers end early");
  state_ = std::uint64_t{words[0]} << 32 | words[1];
  next_ = 2;
}

void TokenReader::refill() {
  if (state_ >= lowest_state) return;
  if (next_ == words_.size()) throw InputError("coded numbers end early");
  state_ = state_ << 32 | words_[next_++];
}

std::uint32_t TokenReader::get(std::size_t number) {
  const TokenTables::Context& context = tables_.context(number);
  if (context.at.empty()) throw InputError("coded numbers use a context without frequencies");
  const std::uint32_t place = static_cast<std::uint32_t>(state_) & (scale - 1);
  const std::uint32_t found = context.at[place];
  const TokenTables::Token token = context.token[found];
  state_ = token.frequency * (state_ >> TokenTables::scale_bits) + place - token.begin;
  refill();
  if (found < 16) return found;
  const int bits = static_cast<int>((found - 16) / 2) + 3;
  const std::uint32_t rest = static_cast<std::uint32_t>(state_) & ((std::uint32_t{1} << bits) - 1);
  state_ >>= bits;
  refill();
  return (2 | (found & 1)) << bits | rest;
}

void TokenReader::finish() const {
  if (next_ != words_.size() || state_ != lowest_state)
    throw InputError("coded numbers do not end where they should");
}

}  // namespace geodome::internal
