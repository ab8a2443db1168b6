#pragma once
/// A matrix in a `.geodome` file, together with how it was made and the shape it belongs to.
///
///   save_matrix("bunny.geodome", *built.matrix, built.recipe, &shape);
///   const MatrixFile file = MatrixFile::open("bunny.geodome");
///   const double d = file.matrix().entries(std::array{7}, std::array{42})[0];

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/file/container.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/lower_bound.h"
#include "geodome/matrix/near_shape.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Const and thread-safe; copies share what is mapped.
class MatrixFile {
 public:
  /// Opening is by memory map and takes O(#landmarks), of several components O(#V): what is large is checked
  /// block by block when it is first read. Throws FileError naming the file, the place and the cause.
  static MatrixFile open(const std::string& path);

  /// Nothing where `path` is a file of another format, or no regular file.
  static std::optional<MatrixFile> open_if_matrix(const std::string& path);
  /// Whether the file starts as one. Throws FileError where it cannot be read.
  static bool is_one(const std::string& path);

  const std::string& path() const { return container_->path(); }
  /// Lives as long as this object or a copy of the pointer.
  const DistanceMatrix& matrix() const { return *matrix_; }
  std::shared_ptr<const DistanceMatrix> shared_matrix() const { return matrix_; }
  /// The codec and the kind of distance, as stored: "compact distance".
  const std::string& stored_as() const { return stored_as_; }
  /// JSON: how it was made.
  const std::string& recipe() const { return recipe_; }
  bool has_shape() const;
  /// The shape, unless it was left out. Cost: a copy.
  std::optional<Shape> shape() const;
  /// What no distance on the shape is below, without a copy of the shape; no bound where it was left out.
  LowerBound lower_bound() const;
  /// The faces of a triangle mesh where they lie in the file; nothing where it holds no such shape. Cost: a
  /// pass over the faces. Throws FileError.
  std::optional<MeshArrays> mesh() const;
  /// The numbers of the vertices in the shape's own file, where they are not 0, 1, 2, …; valid as long as
  /// this object or a copy of it.
  std::span<const std::int64_t> labels() const { return labels_; }
  /// LandmarkError::parts; empty where the file has none.
  std::span<const std::uint8_t> landmark_error_parts() const { return error_parts_; }
  std::uint64_t file_bytes() const;
  /// Checks every byte. Throws FileError naming the first damage.
  void verify(const Execution& execution = {}) const;

 private:
  static MatrixFile read(std::shared_ptr<const Container> container);

  std::shared_ptr<const Container> container_;
  std::shared_ptr<const DistanceMatrix> matrix_;
  std::string stored_as_;
  std::string recipe_;
  std::span<const std::int64_t> labels_;
  std::span<const std::uint8_t> error_parts_;
};

/// Writes a matrix; the file appears complete or not at all, and equal input gives equal files. `shape` may
/// be nullptr: queries then have no lower bound, and coordinates are not available; a graph's own vertex
/// numbers are `labels`; `error_parts` are LandmarkError::parts. Throws FileError where writing fails,
/// InputError for a matrix without a codec or a shape with another number of vertices. With a team all ranks
/// write parts of it, and it is there for all of them afterwards.
void save_matrix(const std::string& path, const DistanceMatrix& matrix, const std::string& recipe,
                 const Shape* shape = nullptr, std::span<const std::int64_t> labels = {},
                 std::span<const std::uint8_t> error_parts = {}, const Execution& execution = {});

}  // namespace geodome::internal
