#pragma once
/// The interface of everything that answers for all distances of a shape.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"

namespace geodome {

/// What the entries of a matrix are. Part of the object and of the file, never a convention.
enum class DistanceKind { distance, squared };

/// How a matrix P W Pᵀ answers.
enum class QueryMode {
  /// Distances up to about a landmark spacing are exact: computed on the shape. Without the shape: as
  /// `blend`.
  near_field,
  /// Near distances are estimated from P and W: zero on the diagonal, never negative, never below the chord
  /// or what edges allow.
  blend,
  raw,  ///< the linear form as it is
};

namespace internal {
class LandmarkMatrix;
}

/// Classical scaling: the largest eigenvalues of B = -½ J E J on some vertices.
struct PartScaling {
  Vector values;            ///< decreasing
  Eigen::MatrixXd vectors;  ///< #vertices by #values
};

/// Classical scaling by a method of the matrix's own, for instance a QR decomposition of its factors.
struct OwnScaling {
  std::int64_t workspace_bytes = 0;  ///< needed while it runs
  /// `count` eigenpairs on these vertices, with residuals below `tolerance`; `seed` of the starting vectors.
  std::function<PartScaling(const std::vector<Index>& vertices, Index count, double tolerance,
                            std::uint64_t seed)>
      scale;
};

/// What a matrix consists of, as far as it applies.
struct MatrixFacts {
  std::optional<Index> landmarks;
  std::optional<std::int64_t> nonzeros;  ///< of P
  std::string_view precision = "float32";
  std::vector<std::pair<std::string_view, std::int64_t>> counts{};  ///< of parts of its own, by name
};

/// A symmetric matrix of all distances, size() by size(). Const and thread-safe; results do not depend on the
/// number of threads. Entries between components are infinite; an unreferenced vertex is infinitely far from
/// everything and zero from itself.
class DistanceMatrix {
 public:
  virtual ~DistanceMatrix() = default;

  virtual Index size() const = 0;
  virtual DistanceKind kind() const = 0;

  /// The entries (I[k], J[k]), one for every k. Throws InputError when the lengths differ or a vertex is out
  /// of range.
  virtual Vector entries(std::span<const Index> I, std::span<const Index> J,
                         const Execution& execution = {}) const = 0;

  /// #I by #J. The default calls `entries` row by row, several rows at once.
  virtual RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                                  const Execution& execution = {}) const;

  /// #I by size(). The default is a block with every vertex.
  virtual RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const;

  /// The product with X (size() by k). The default goes through all rows, some at a time. Throws InputError
  /// where X has another size or the matrix has infinite entries.
  virtual RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                  const Execution& execution = {}) const;

  /// Whether `apply` goes through all entries, so that a product costs in proportion to size()². Where the
  /// entries are no linear form there is no other way.
  virtual bool quadratic_product() const { return true; }

  /// #V: the component of every vertex, -1 for one that reaches no other. The default looks at one row for
  /// each, and one for every vertex that reaches no other.
  virtual std::vector<Index> component_labels(const Execution& execution = {}) const;

  /// Bytes of everything stored, counted array by array.
  virtual std::int64_t bytes() const = 0;

  virtual MatrixFacts facts() const { return {}; }

  /// The same matrix as the other kind, sharing its arrays; nullptr where that is another approximation.
  virtual std::shared_ptr<const DistanceMatrix> converted(DistanceKind /*kind*/) const { return nullptr; }

  /// The matrix as factors P W Pᵀ; nullptr where it has none.
  virtual const internal::LandmarkMatrix* landmark_matrix() const { return nullptr; }

  /// #V by d: points whose Euclidean distances are the entries; nullptr where there are none.
  virtual const RowMatrix<float>* points() const { return nullptr; }

  /// Classical scaling by a method of its own, where there is one that is better than products.
  virtual std::optional<OwnScaling> own_scaling() const { return {}; }

  /// A copy with all entries stored, so that products read them instead of computing them; nullptr where
  /// products are fast already or the copy takes more than `memory_bound` bytes.
  virtual std::shared_ptr<const DistanceMatrix> with_fast_products(std::int64_t memory_bound,
                                                                   const Execution& execution = {}) const;

  /// The codec (file/codec.h) that stores it; empty where no file can hold it.
  virtual std::string_view codec() const { return {}; }
  /// What the codec stores: entries in units of `unit()`.
  virtual const DistanceMatrix& stored() const { return *this; }
  virtual double unit() const { return 1; }
  /// Whether it cannot be stored without the shape.
  virtual bool needs_shape() const { return false; }

 protected:
  /// Throws InputError when a vertex is outside [0, size()).
  void require_vertices(std::span<const Index> vertices) const;
  /// The same for both, and when they are not as many.
  void require_pairs(std::span<const Index> I, std::span<const Index> J) const;
  /// Throws InputError when X does not have size() rows.
  void require_rows(Eigen::Index count) const;
  /// Throws InputError for a product with a matrix that has infinite entries.
  static void require_finite(bool finite);
};

}  // namespace geodome
