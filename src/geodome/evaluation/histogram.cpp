#include "geodome/evaluation/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "geodome/base/types.h"

namespace geodome::internal {
namespace {

constexpr int bins_per_octave_bits = 8;
constexpr int lowest_power = -64, highest_power = 64;
constexpr std::uint64_t inner_bins = std::uint64_t{highest_power - lowest_power} << bins_per_octave_bits;

/// The leading bits of a positive double, sign and exponent first, grow with the number: they are the bin.
constexpr int dropped_bits = 52 - bins_per_octave_bits;

std::uint64_t leading_bits(double value) {
  return std::bit_cast<std::uint64_t>(value) >> dropped_bits;
}

double from_leading_bits(std::uint64_t bits) {
  return std::bit_cast<double>(bits << dropped_bits);
}

std::uint64_t first_bits() {
  static const std::uint64_t bits = leading_bits(std::ldexp(1.0, lowest_power));
  return bits;
}

}  // namespace

Histogram::Histogram() : bins_(inner_bins + 2, 0) {}

void Histogram::add(double value) {
  const std::uint64_t bits = leading_bits(std::abs(value)), first = first_bits();
  ++bins_[bits < first ? 0 : std::min(bits - first, inner_bins) + 1];
  ++count_;
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) bins_[bin] += other.bins_[bin];
  count_ += other.count_;
}

void Histogram::merge(const Team& team) {
  reduce(team, std::span<std::int64_t>(bins_), std::plus<std::int64_t>());
  reduce(team, std::span<std::int64_t>(&count_, 1), std::plus<std::int64_t>());
}

double Histogram::quantile(double share) const {
  if (count_ == 0) return 0;
  const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(count_);
  std::int64_t below = 0;
  std::size_t bin = 0;
  while (bin + 1 < bins_.size() && static_cast<double>(below + bins_[bin]) < wanted) below += bins_[bin++];
  if (bin == 0) return 0;
  if (bin + 1 == bins_.size()) return infinity;
  const double low = from_leading_bits(first_bits() + bin - 1), high = from_leading_bits(first_bits() + bin);
  const double part =
      bins_[bin] > 0 ? (wanted - static_cast<double>(below)) / static_cast<double>(bins_[bin]) : 0.0;
  return low + part * (high - low);
}

}  // namespace geodome::internal
