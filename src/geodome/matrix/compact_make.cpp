#include <algorithm>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/compact.h"
#include "geodome/matrix/landmark_storage.h"

namespace geodome {
namespace {

/// The arrays of a matrix made in memory.
struct Storage {
  LandmarkStorage landmarks;
  std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>> row_begin;
  std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>> column;
  std::vector<float> weight;
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

}  // namespace

CompactMatrix make_compact_matrix(OrderedLandmarks landmarks, const SparseRows& P, LandmarkDistances W,
                                  DistanceKind kind) {
  check(landmarks, P);
  const auto storage = std::make_shared<Storage>();
  storage->row_begin =
      narrowed<std::uint32_t, std::uint64_t>(P.begin, static_cast<std::uint64_t>(P.nonzeros()));
  storage->column = narrowed<std::uint16_t, std::uint32_t>(
      P.column, static_cast<std::uint64_t>(std::max<Index>(P.columns, 1) - 1));
  storage->weight = P.value;
  storage->landmarks = store_landmarks(std::move(landmarks), std::move(W));

  CompactArrays arrays;
  arrays.landmarks = view(storage->landmarks);
  std::visit([&](const auto& all) { arrays.row_begin = std::span(all); }, storage->row_begin);
  std::visit([&](const auto& all) { arrays.column = std::span(all); }, storage->column);
  arrays.weight = storage->weight;
  arrays.owner = storage;
  CompactMatrix matrix(std::move(arrays), kind);
  Weights row;
  for (Index vertex = 0; vertex < matrix.size(); ++vertex) matrix.read_weights(vertex, row);
  return matrix;
}

}  // namespace geodome
