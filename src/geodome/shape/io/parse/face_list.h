#pragma once
/// Collects faces while a file is read and makes the fitting kind of shape of them.

#include <cstdint>
#include <vector>

#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

class FaceList {
 public:
  /// Corners of the face being built; it is complete with `end_face`.
  void add_corner(Index vertex) { corners_.push_back(vertex); }
  /// Closes the face, which must have at least three corners.
  void end_face();
  void add_triangle(Index a, Index b, Index c);

  void reserve(std::size_t faces) { corners_.reserve(3 * faces); }
  /// Number of complete faces.
  std::int64_t size() const { return faces_; }
  /// Number of corners of the face being built.
  std::int64_t open_corners() const { return static_cast<std::int64_t>(corners_.size()) - closed_; }

  /// A triangle mesh if all faces are triangles, a polygon mesh if not, a point cloud with the normals if
  /// there are no faces. Throws FileError for a corner outside [0, points) and for a file without vertices;
  /// `first` is the number the format gives to the first vertex and the first face, so that the message
  /// speaks of the file's own numbers. Normals are used only if there is one for each point.
  Shape finish(const InputFile& file, Points points, Points normals = {}, int first = 0);

 private:
  std::vector<Index> corners_;
  std::vector<std::int64_t> offsets_;  // empty as long as all faces are triangles
  std::int64_t faces_ = 0;
  std::int64_t closed_ = 0;  // corners of complete faces
};

/// Rows of three numbers as points. Throws FileError if there are more than an Index can count.
Points to_points(const std::vector<double>& coordinates, const InputFile& file);

}  // namespace geodome::internal
