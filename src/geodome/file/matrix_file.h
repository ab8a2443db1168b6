#pragma once
/// A matrix in a `.geodome` file, together with how it was made and the shape it belongs to.
///
///   save_matrix("bunny.geodome", *built.matrix, built.recipe, &shape);
///   const MatrixFile file = MatrixFile::open("bunny.geodome", file_codecs());
///   const double d = file.matrix().entries(std::array{7}, std::array{42})[0];

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/file/codec.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/shape/shape.h"

namespace geodome {

/// Const and thread-safe; copies share what is mapped.
class MatrixFile {
 public:
  /// Opening is by memory map and takes O(#V): what is large is checked block by block when it is first read.
  /// `forms` are those it may be of (file_codecs() in rivals/ are all). Throws FileError naming the file,
  /// the place and the cause.
  static MatrixFile open(const std::string& path, std::span<const FileCodec> forms = symmetric_forms());

  /// Whether the file begins like one. Throws FileError where it cannot be read.
  static bool is_one(const std::string& path);

  const std::string& path() const { return path_; }
  /// Lives as long as this object or a copy of the pointer.
  const DistanceMatrix& matrix() const { return *matrix_; }
  std::shared_ptr<const DistanceMatrix> shared_matrix() const { return matrix_; }
  /// The matrix where it is of the form P W Pᵀ, else nullptr.
  std::shared_ptr<const LandmarkMatrix> landmark_matrix() const;
  /// The same. Throws InputError, saying what `needs` it, where it is of another form.
  const LandmarkMatrix& require_landmark_matrix(const std::string& needs) const;
  /// JSON: how it was made.
  const std::string& recipe() const { return recipe_; }
  /// The shape, unless it was left out. Cost: a copy.
  std::optional<Shape> shape() const;
  /// The numbers by which the shape's own file knows its vertices, where they are not 0, 1, 2, …
  const std::vector<std::int64_t>& labels() const { return labels_; }
  std::uint64_t file_bytes() const;
  /// Checks every byte. Throws FileError naming the first damage.
  void verify(const Execution& execution = {}) const;

 private:
  std::string path_;
  std::shared_ptr<const Container> container_;
  std::shared_ptr<const DistanceMatrix> matrix_;
  std::string form_;
  std::string recipe_;
  std::vector<std::int64_t> labels_;
};

/// Writes a matrix of one of the forms; the file appears complete or not at all, and equal input gives equal
/// files. `shape` may be nullptr: the file then answers everything but what needs coordinates; a graph's own
/// vertex numbers are `labels`. Throws FileError where writing fails, InputError for a matrix of another form
/// or a shape of another size.
void save_matrix(const std::string& path, const DistanceMatrix& matrix, const std::string& recipe,
                 const Shape* shape = nullptr, const std::vector<std::int64_t>& labels = {},
                 std::span<const FileCodec> forms = symmetric_forms());

}  // namespace geodome
