#pragma once
/// Axes of plots: where values go and which of them are written beside the axis.

#include <string>
#include <vector>

namespace geodome::internal {

/// How numbers along an axis are written.
enum class Unit {
  number,   ///< 10⁻⁴, 0.25
  percent,  ///< of a share: 2.5 %
  bytes,    ///< 20 MB
  seconds,  ///< 0.1 s
  count,    ///< 50, 5k, 100k
};

/// A value as people read it, to three digits.
std::string format_quantity(double value, Unit unit);

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a minor tick
};

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = true;
  std::vector<Tick> ticks;  ///< increasing, all of them between low and high

  /// 0 at `low`, 1 at `high`.
  double place(double value) const;
};

/// An axis that holds all values from `least` to `largest` with a little room around them. Logarithmic: a
/// label for every decade (for some, beyond eight) and minor ticks at 2 to 9; at 1, 2 and 5 below two
/// decades; at round steps below half a decade. Throws InputError where a bound is not finite, is not
/// positive on a logarithmic axis, or least > largest.
Axis make_axis(double least, double largest, Unit unit, bool logarithmic = true);

}  // namespace geodome::internal
