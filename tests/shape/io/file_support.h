#pragma once
/// What the tests of readers and writers share: shapes from text, the message of a refusal, equality.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/shape.h"

namespace geodome::testing {

/// Reads bytes as if they were a file of that name.
inline Shape parse(const std::string& name, std::string bytes) {
  const internal::InputFile file = internal::load_bytes(std::move(bytes), name);
  return internal::find_format(file).read(file);
}

/// The message with which the bytes are refused; empty if they are not.
inline std::string refusal(const std::string& name, std::string bytes) {
  try {
    parse(name, std::move(bytes));
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Expects a refusal whose message names the file and the given cause.
inline void expect_refused(const std::string& name, const std::string& bytes, const std::string& cause) {
  const std::string message = refusal(name, bytes);
  EXPECT_TRUE(contains(message, name)) << message;
  EXPECT_TRUE(contains(message, cause)) << "expected: " << cause << "\nmessage: " << message;
}

/// Equal bit by bit, so that a coordinate that is not a number equals itself.
template <typename Matrix>
bool identical(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(),
                      static_cast<std::size_t>(a.size()) * sizeof(typename Matrix::Scalar)) == 0);
}

/// All corners in range, all faces of three or more corners: whatever a reader returns must be this.
inline void expect_valid(const Shape& shape) {
  const Index vertices = vertex_count(shape);
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    ASSERT_TRUE(mesh->triangles.size() == 0 ||
                (mesh->triangles.minCoeff() >= 0 && mesh->triangles.maxCoeff() < vertices));
  } else if (const auto* polygons = std::get_if<PolygonMesh>(&shape)) {
    for (Index corner : polygons->corners) ASSERT_TRUE(corner >= 0 && corner < vertices);
    ASSERT_EQ(polygons->offsets.front(), 0);
    ASSERT_EQ(polygons->offsets.back(), static_cast<std::int64_t>(polygons->corners.size()));
    for (std::size_t face = 1; face < polygons->offsets.size(); ++face)
      ASSERT_GE(polygons->offsets[face] - polygons->offsets[face - 1], 3);
  } else if (const auto* cloud = std::get_if<PointCloud>(&shape)) {
    ASSERT_TRUE(cloud->normals.rows() == 0 || cloud->normals.rows() == vertices);
  } else if (const auto* graph = std::get_if<Graph>(&shape)) {
    for (const Edge& edge : graph->edges)
      ASSERT_TRUE(edge.a >= 0 && edge.a < vertices && edge.b >= 0 && edge.b < vertices);
  }
}

}  // namespace geodome::testing
