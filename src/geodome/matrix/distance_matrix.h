#pragma once
/// The interface of everything that answers for all distances of a shape.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"

namespace geodome {

/// What the entries of a matrix are. Part of the object and of the file, never a convention.
enum class DistanceKind { distance, squared };

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

  /// #I by #J. The default asks `entries` row by row, several rows at once.
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
