#include "geodome/matrix/dense_landmark_matrix.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/landmark_storage.h"
#include "geodome/matrix/rescaled_arrays.h"

namespace geodome::internal {
namespace {

struct DenseStorage {
  LandmarkStorage landmarks;
  RowMatrix<float> P;
};

}  // namespace

DenseLandmarkMatrix::DenseLandmarkMatrix(Index size, DenseLandmarkArrays arrays, DistanceKind kind)
    : LandmarkMatrix(size, kind, arrays.landmarks), arrays_(std::move(arrays)) {
  const std::size_t expected = static_cast<std::size_t>(size) * landmarks().size();
  if (arrays_.P.size() != expected)
    throw InputError(text("P has ", arrays_.P.size(), " numbers, but ", size, " vertices and ",
                          landmarks().size(), " landmarks require ", expected));
}

std::shared_ptr<const LandmarkMatrix> DenseLandmarkMatrix::in_unit(double unit) const {
  return std::make_shared<DenseLandmarkMatrix>(size(), rescaled(arrays_, unit), kind());
}

std::int64_t DenseLandmarkMatrix::bytes() const {
  return landmark_bytes() + static_cast<std::int64_t>(arrays_.P.size_bytes());
}

void DenseLandmarkMatrix::read_weights(Index vertex, Weights& row) const {
  row.clear();
  const Index c = component(vertex);
  if (c < 0) return;
  const auto own = arrays_.P.subspan(
      static_cast<std::size_t>(vertex) * landmarks().size() + static_cast<std::size_t>(first_landmark(c)),
      static_cast<std::size_t>(W(c).size()));
  verify(arrays_.landmarks.check, own);
  for (std::size_t k = 0; k < own.size(); ++k)
    if (own[k] != 0) row.add(static_cast<Index>(k), static_cast<double>(own[k]));
}

RowMatrix<double> DenseLandmarkMatrix::rows_of_P(Index begin, Index end) const {
  const auto count = static_cast<Eigen::Index>(landmarks().size());
  verify(arrays_.landmarks.check, arrays_.P.subspan(static_cast<std::size_t>(begin * count),
                                                    static_cast<std::size_t>((end - begin) * count)));
  return Eigen::Map<const RowMatrix<float>>(arrays_.P.data() + begin * count, end - begin, count)
      .cast<double>();
}

void DenseLandmarkMatrix::spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const {
  constexpr Index together = 64;
  for (Index first = begin; first < end; first += together) {
    const Index last = std::min(end, first + together);
    Eigen::Map<RowMatrix<double>>(out + (first - begin) * Z.cols(), last - first, Z.cols()).noalias() =
        rows_of_P(first, last) * Z;
  }
}

void DenseLandmarkMatrix::collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const {
  constexpr Index together = 64;
  for (Index first = begin; first < end; first += together) {
    const Index last = std::min(end, first + together);
    const Eigen::Map<const RowMatrix<double>> some(X + (first - begin) * sums.cols(), last - first,
                                                   sums.cols());
    sums.noalias() += rows_of_P(first, last).transpose() * some;
  }
}

DenseLandmarkMatrix make_dense_landmark_matrix(OrderedLandmarks landmarks, RowMatrix<float> P,
                                               LandmarkDistances W, DistanceKind kind) {
  if (static_cast<std::size_t>(P.rows()) != landmarks.component.size())
    throw InputError(text("P has ", P.rows(), " rows for ", landmarks.component.size(), " vertices"));
  const auto storage = std::make_shared<DenseStorage>();
  storage->landmarks = store_landmarks(std::move(landmarks), std::move(W));
  storage->P = std::move(P);
  DenseLandmarkArrays arrays;
  arrays.landmarks = view(storage->landmarks);
  arrays.P = {storage->P.data(), static_cast<std::size_t>(storage->P.size())};
  arrays.owner = storage;
  return {static_cast<Index>(storage->P.rows()), std::move(arrays), kind};
}

}  // namespace geodome::internal
