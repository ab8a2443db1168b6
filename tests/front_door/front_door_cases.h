#pragma once
/// Distances of every method on small shapes, and ways to look at them.

#include <algorithm>
#include <string>
#include <vector>

#include "geodome/geodome.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {

/// Methods that a file can hold.
inline constexpr Method stored_methods[] = {Method::sbha, Method::bha, Method::ctg, Method::spectrometer};

inline constexpr DistanceKind both_kinds[] = {DistanceKind::distance, DistanceKind::squared};

inline BuildOptions options_of(Method method, Index landmarks = 30,
                               DistanceKind kind = DistanceKind::distance) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  options.kind = kind;
  options.seed = 5;
  options.certificate_rows = options.check_rows = 0;
  return options;
}

inline std::string method_name(Method method) {
  return std::string(name_of(methods(), method));
}

inline RowMatrix<double> all_rows(const Distances& distances) {
  return distances.rows(everything(distances.size()));
}

inline RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

/// The finite distances of a row, nearest first.
inline std::vector<Neighbour> sorted_row(const Distances& distances, Index vertex) {
  const Vector row = distances.row(vertex);
  std::vector<Neighbour> all;
  for (Index other = 0; other < row.size(); ++other)
    if (std::isfinite(row[other])) all.push_back({other, row[other]});
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  return all;
}

}  // namespace geodome::internal
