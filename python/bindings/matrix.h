#pragma once
/// A distance matrix as Python holds it.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "geodome/matrix/near_field.h"
#include "geodome/matrix/search.h"
#include "module.h"

namespace geodome::python {

/// The matrix with its recipe and its shape, and how it is queried. Const but for what it makes when first
/// asked.
class Matrix {
 public:
  /// `shape` may be null. Chords bound distances only where these were `measured` on the shape.
  Matrix(std::shared_ptr<const LandmarkMatrix> form, std::string recipe, std::shared_ptr<const Shape> shape,
         bool measured, std::vector<std::int64_t> labels = {});

  const LandmarkMatrix& form() const { return *form_; }
  const std::string& recipe() const { return recipe_; }
  const std::shared_ptr<const Shape>& shape() const { return shape_; }
  const std::vector<std::int64_t>& labels() const { return labels_; }
  const NearField& field(bool raw) const { return raw ? raw_ : corrected_; }
  /// Throws InputError on a vertex outside [0, size()).
  void require_vertices(std::span<const Index> vertices) const;
  const NeighbourSearch& search() const;

 private:
  std::shared_ptr<const LandmarkMatrix> form_;
  std::string recipe_;
  std::shared_ptr<const Shape> shape_;
  std::vector<std::int64_t> labels_;
  NearField corrected_;
  NearField raw_;
  mutable std::once_flag searched_;
  mutable std::unique_ptr<const NeighbourSearch> search_;
};

/// Vertices and distances, two arrays.
nb::tuple to_tuple(const std::vector<Neighbour>& found);

}  // namespace geodome::python
