#pragma once
/// One row of P: which landmarks a point takes its distances from, and with what weights.

#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Columns increase strictly and count from the first landmark of the point's component.
struct Weights {
  std::vector<Index> column;
  std::vector<double> value;

  std::size_t size() const { return column.size(); }
  void clear() {
    column.clear();
    value.clear();
  }
  void add(Index at, double weight) {
    column.push_back(at);
    value.push_back(weight);
  }
};

/// s a + t b, columns merged.
Weights combine(double s, const Weights& a, double t, const Weights& b);

/// Σ value.
double sum(const Weights& weights);

/// Σ value z[column].
inline double dot(const Weights& weights, const std::vector<double>& z) {
  double total = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) total += weights.value[k] * z[weights.column[k]];
  return total;
}

}  // namespace geodome::internal
