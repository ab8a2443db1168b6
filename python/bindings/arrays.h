#pragma once
/// NumPy arrays as the library sees them, and its results as NumPy arrays, without copies.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::python {

namespace nb = nanobind;

/// What the Python side hands over: of these types and in C order. It converts where that is needed.
template <typename Scalar>
using VectorIn = nb::ndarray<const Scalar, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename Scalar>
using MatrixIn = nb::ndarray<const Scalar, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Scalar>
using VectorOut = nb::ndarray<nb::numpy, Scalar, nb::ndim<1>>;
template <typename Scalar>
using MatrixOut = nb::ndarray<nb::numpy, Scalar, nb::ndim<2>>;

template <typename Scalar>
std::span<const Scalar> span_of(const VectorIn<Scalar>& array) {
  return {array.data(), array.shape(0)};
}

/// For indices, which are checked once and then relied on, whatever happens to the array meanwhile.
template <typename Scalar>
std::vector<Scalar> copied(const VectorIn<Scalar>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

/// A view; the array must outlive it.
template <typename Scalar>
Eigen::Map<const RowMatrix<Scalar>> matrix_of(const MatrixIn<Scalar>& array) {
  return {array.data(), static_cast<Eigen::Index>(array.shape(0)), static_cast<Eigen::Index>(array.shape(1))};
}

/// Keeps `value` alive as long as an array looks into it.
template <typename Value>
nb::capsule owner_of(Value* value) {
  return nb::capsule(value, [](void* pointer) noexcept { delete static_cast<Value*>(pointer); });
}

template <typename Scalar>
VectorOut<Scalar> to_numpy(std::vector<Scalar> values) {
  auto* held = new std::vector<Scalar>(std::move(values));
  const nb::capsule owner = owner_of(held);
  return {held->data(), {held->size()}, owner};
}

inline VectorOut<double> to_numpy(Vector values) {
  auto* held = new Vector(std::move(values));
  const nb::capsule owner = owner_of(held);
  return {held->data(), {static_cast<std::size_t>(held->size())}, owner};
}

template <typename Scalar>
MatrixOut<Scalar> to_numpy(RowMatrix<Scalar> values) {
  auto* held = new RowMatrix<Scalar>(std::move(values));
  const nb::capsule owner = owner_of(held);
  return {
      held->data(), {static_cast<std::size_t>(held->rows()), static_cast<std::size_t>(held->cols())}, owner};
}

}  // namespace geodome::python
