#include "geodome/matrix/weights.h"

#include <numeric>

namespace geodome::internal {

Weights combine(double s, const Weights& a, double t, const Weights& b) {
  Weights both;
  both.column.reserve(a.size() + b.size());
  both.value.reserve(a.size() + b.size());
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a.column[i] < b.column[j])) {
      both.add(a.column[i], s * a.value[i]);
      ++i;
    } else if (i == a.size() || b.column[j] < a.column[i]) {
      both.add(b.column[j], t * b.value[j]);
      ++j;
    } else {
      both.add(a.column[i], s * a.value[i] + t * b.value[j]);
      ++i;
      ++j;
    }
  }
  return both;
}

double sum(const Weights& weights) {
  return std::accumulate(weights.value.begin(), weights.value.end(), 0.0);
}

}  // namespace geodome::internal
