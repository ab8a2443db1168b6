#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/landmark_storage.h"
#include "geodome/matrix/sparse_landmark_matrix.h"

namespace geodome::internal {
namespace {

/// The arrays of a matrix made in memory.
struct SparseStorage {
  LandmarkStorage landmarks;
  std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>> row_begin;
  std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>> column;
  std::variant<std::vector<float>, std::vector<std::int16_t>> weight;
};

template <typename Narrow, typename Wide, typename Source>
std::variant<std::vector<Narrow>, std::vector<Wide>> narrowed(const std::vector<Source>& numbers,
                                                              std::uint64_t largest) {
  if (largest <= std::numeric_limits<Narrow>::max())
    return std::vector<Narrow>(numbers.begin(), numbers.end());
  return std::vector<Wide>(numbers.begin(), numbers.end());
}

void check(const OrderedLandmarks& landmarks, const SparseRows& P) {
  if (static_cast<std::size_t>(P.columns) != landmarks.vertices.size())
    throw InputError(text("P has ", P.columns, " columns for ", landmarks.vertices.size(), " landmarks"));
  if (static_cast<std::size_t>(P.rows()) != landmarks.component.size())
    throw InputError(text("P has ", P.rows(), " rows for ", landmarks.component.size(), " vertices"));
}

/// In which steps all weights fit into 16 bits; 0 where they would be coarse.
double step_for(const std::vector<float>& weights) {
  float largest = 0;
  for (const float weight : weights) largest = std::max(largest, std::abs(weight));
  for (const int digits : {14, 13, 12})
    if (largest < std::ldexp(32766.0, -digits))
      return std::ldexp(1.0, -digits);  // a step of room for rounding
  return 0;
}

/// Rounds along every row, what one weight loses going to the next, so that sums stay what they are.
std::vector<std::int16_t> in_steps(const SparseRows& P, double step) {
  std::vector<std::int16_t> result(P.value.size());
  for (Index row = 0; row < P.rows(); ++row) {
    double left_over = 0;
    for (std::int64_t k = P.begin[row]; k < P.begin[row + 1]; ++k) {
      const double wanted = static_cast<double>(P.value[k]) / step + left_over;
      const double rounded = std::nearbyint(wanted);
      left_over = wanted - rounded;
      result[k] = static_cast<std::int16_t>(rounded);
    }
  }
  return result;
}

}  // namespace

SparseLandmarkMatrix make_sparse_landmark_matrix(OrderedLandmarks landmarks, const SparseRows& P,
                                                 LandmarkDistances W, DistanceKind kind,
                                                 WeightPrecision precision) {
  check(landmarks, P);
  const auto storage = std::make_shared<SparseStorage>();
  storage->row_begin =
      narrowed<std::uint32_t, std::uint64_t>(P.begin, static_cast<std::uint64_t>(P.nonzeros()));
  storage->column = narrowed<std::uint16_t, std::uint32_t>(
      P.column, static_cast<std::uint64_t>(std::max<Index>(P.columns, 1) - 1));
  const double step = precision == WeightPrecision::int16 ? step_for(P.value) : 0;
  if (step > 0)
    storage->weight = in_steps(P, step);
  else
    storage->weight = P.value;
  storage->landmarks = store_landmarks(std::move(landmarks), std::move(W));

  SparseLandmarkArrays arrays;
  arrays.landmarks = view(storage->landmarks);
  std::visit([&](const auto& all) { arrays.row_begin = std::span(all); }, storage->row_begin);
  std::visit([&](const auto& all) { arrays.column = std::span(all); }, storage->column);
  std::visit([&](const auto& all) { arrays.weight = std::span(all); }, storage->weight);
  if (step > 0) arrays.weight_step = step;
  arrays.owner = storage;
  SparseLandmarkMatrix matrix(std::move(arrays), kind);
  Weights row;
  for (Index vertex = 0; vertex < matrix.size(); ++vertex) matrix.read_weights(vertex, row);
  return matrix;
}

}  // namespace geodome::internal
