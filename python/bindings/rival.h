#pragma once
/// A matrix of another method as Python holds it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geodome/pipeline/methods.h"
#include "module.h"

namespace geodome::python {

/// What a method is built from, so that its squared distances can be built too.
struct RivalRecipe {
  std::shared_ptr<const Shape> shape;
  PrepareOptions prepare;
  MethodOptions method;
};

class Rival {
 public:
  /// `how` is missing where it comes from a file. `shape` may be null.
  Rival(MethodMatrix built, std::string recipe, std::shared_ptr<const Shape> shape,
        std::vector<std::int64_t> labels, std::optional<RivalRecipe> how);

  const MethodMatrix& built() const { return built_; }
  const DistanceMatrix& matrix() const { return *built_.matrix; }
  /// As `raw` as they are held, or distances also where squares are held.
  const DistanceMatrix& field(bool raw) const { return raw ? *built_.matrix : *distances_; }
  const std::string& recipe() const { return recipe_; }
  const std::shared_ptr<const Shape>& shape() const { return shape_; }
  const std::vector<std::int64_t>& labels() const { return labels_; }
  const std::optional<RivalRecipe>& how() const { return how_; }

 private:
  MethodMatrix built_;
  std::shared_ptr<const DistanceMatrix> distances_;
  std::string recipe_;
  std::shared_ptr<const Shape> shape_;
  std::vector<std::int64_t> labels_;
  std::optional<RivalRecipe> how_;
};

}  // namespace geodome::python
