#include "geodome/report/axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Three digits, or all before the point where there are more.
std::string digits(double value) {
  char buffer[32];
  const bool large = std::abs(value) >= 999.5 && std::abs(value) < 1e15;
  std::snprintf(buffer, sizeof buffer, large ? "%.0f" : "%.3g", value);
  return buffer;
}

std::string superscript(int exponent) {
  constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) result += raised[c - '0'];
  return result;
}

std::string scaled(double value, const std::vector<const char*>& units) {
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return digits(value) + units[unit];
}

std::string format_number(double value) {
  const double size = std::abs(value);
  if (size == 0 || (size >= 0.00999 && size < 9999.5)) return digits(value);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  std::string factor = digits(value / std::pow(10, exponent));
  if (factor == "10") {
    factor = "1";
    ++exponent;
  }
  return (factor == "1" ? "" : factor + "·") + "10" + superscript(exponent);
}

/// A step of 1, 2 or 5 times a power of ten that divides the range into three to seven.
double round_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 3)));
  for (const double factor : {5.0, 2.0})
    if (range / (factor * power) >= 3) return factor * power;
  return power;
}

void add_round_ticks(Axis& axis, Unit unit) {
  const double step = round_step(axis.high - axis.low);
  for (double k = std::ceil(axis.low / step); k * step <= axis.high; ++k) {
    const double value = k == 0 ? 0 : k * step;
    axis.ticks.push_back({value, format_quantity(value, unit)});
  }
}

/// Where one decade is written as a power, all are.
std::string decade_label(const Axis& axis, int exponent, Unit unit) {
  const bool powers = unit == Unit::number && (axis.low < 5e-3 || axis.high > 2e4);
  return powers && exponent != 0 ? "10" + superscript(exponent)
                                 : format_quantity(std::pow(10, exponent), unit);
}

void add_decades(Axis& axis, Unit unit) {
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::floor(std::log10(axis.high)));
  const double decades = std::log10(axis.high / axis.low);
  const int every = decades > 8 ? static_cast<int>(std::ceil(decades / 8)) : 1;
  for (int exponent = first; exponent <= last; ++exponent)
    for (int factor = 1; factor <= 9; ++factor) {
      const double value = factor * std::pow(10, exponent);
      if (value < axis.low || value > axis.high) continue;
      const bool labelled = factor == 1 ? exponent % every == 0 : decades < 2 && (factor == 2 || factor == 5);
      if (factor > 1 && every > 1) continue;
      if (labelled && factor == 1)
        axis.ticks.push_back({value, decade_label(axis, exponent, unit)});
      else
        axis.ticks.push_back({value, labelled ? format_quantity(value, unit) : ""});
    }
}

}  // namespace

std::string format_quantity(double value, Unit unit) {
  switch (unit) {
    case Unit::percent:
      return digits(100 * value) + " %";
    case Unit::bytes:
      return scaled(value, {" B", " kB", " MB", " GB", " TB"});
    case Unit::seconds:
      return digits(value) + " s";
    case Unit::count:
      return scaled(value, {"", "k", "M", "G"});
    case Unit::number:
      break;
  }
  return format_number(value);
}

double Axis::place(double value) const {
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

Axis make_axis(double least, double largest, Unit unit, bool logarithmic) {
  if (!std::isfinite(least) || !std::isfinite(largest) || least > largest || (logarithmic && !(least > 0)))
    throw InputError(
        text("invalid ", logarithmic ? "logarithmic " : "", "axis from ", least, " to ", largest));
  Axis axis;
  axis.logarithmic = logarithmic;
  if (logarithmic) {
    // One value alone stands in the middle of a factor of four.
    const double room = std::max(0.05 * std::log(largest / least), largest > least ? 0.02 : std::log(2.0));
    axis.low = least * std::exp(-room);
    axis.high = largest * std::exp(room);
    if (std::log10(axis.high / axis.low) < 0.5)
      add_round_ticks(axis, unit);
    else
      add_decades(axis, unit);
    return axis;
  }
  const double size = std::max(std::abs(least), std::abs(largest));
  const double room = largest > least ? 0.05 * (largest - least) : (size > 0 ? 0.5 * size : 0.5);
  axis.low = least >= 0 ? std::max(0.0, least - room) : least - room;
  axis.high = largest + room;
  add_round_ticks(axis, unit);
  return axis;
}

}  // namespace geodome::internal
