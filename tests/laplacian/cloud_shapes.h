#pragma once
/// Random point clouds on flat sheets, whose distances are known.

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome {

struct FlatCloud {
  PointCloud cloud;
  RowMatrix<double> flat;  ///< #V by 2: position in the unrolled sheet
  std::vector<int> sheet;  ///< of each point
};

/// The Swiss roll of scikit-learn: radius and angle t in [1.5 pi, 4.5 pi], height 21. `noise` is the standard
/// deviation along the normal, in local spacings.
inline FlatCloud swiss_roll(Index count, unsigned seed, double noise = 0) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  FlatCloud result{{Points(count, 3), {}}, RowMatrix<double>(count, 2), std::vector<int>(count, 0)};
  for (Index v = 0; v < count; ++v) {
    const double t = 1.5 * std::numbers::pi * (1 + 2 * uniform(random)), y = 21 * uniform(random);
    const double speed = std::sqrt(1 + t * t);
    const double spacing = std::sqrt(3 * std::numbers::pi * 21 * speed / count);
    const double shift = noise * spacing * normal(random) / speed;
    result.cloud.points.row(v) << t * std::cos(t) - shift * (std::sin(t) + t * std::cos(t)), y,
        t * std::sin(t) + shift * (std::cos(t) - t * std::sin(t));
    result.flat.row(v) << (t * speed + std::asinh(t)) / 2, y;
  }
  return result;
}

/// Two parallel unit squares of `count` points each, `gap` spacings apart, the upper one shifted sideways.
inline FlatCloud two_sheets(Index count, unsigned seed, double gap, double shift = 0, double noise = 0) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  const double spacing = 1 / std::sqrt(static_cast<double>(count));
  FlatCloud result{{Points(2 * count, 3), {}}, RowMatrix<double>(2 * count, 2), {}};
  for (Index v = 0; v < 2 * count; ++v) {
    const int sheet = v / count;
    result.sheet.push_back(sheet);
    result.flat.row(v) << uniform(random) + shift * sheet, uniform(random);
    const double height = spacing * (gap * sheet + noise * normal(random));
    result.cloud.points.row(v) << result.flat(v, 0), result.flat(v, 1), height;
  }
  return result;
}

}  // namespace geodome
