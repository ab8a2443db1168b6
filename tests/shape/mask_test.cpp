#include "geodome/shape/mask.h"

#include <gtest/gtest.h>

#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "shape/io/bytes.h"
#include "shape/io/file_support.h"
#include "shape/io/gzip.h"
#include "small_shapes.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::contains;
using testing::store;
using testing::TemporaryFolder;

const std::vector<char> expected = {1, 0, 1, 0, 0};

std::string gifti(const std::string& rows, const std::string& data) {
  return "<GIFTI><DataArray Intent='NIFTI_INTENT_LABEL' DataType='NIFTI_TYPE_INT32' Dimensionality='1' "
         "Dim0='" +
         rows + "' Encoding='ASCII' Endian='LittleEndian'><Data>" + data + "</Data></DataArray></GIFTI>";
}

std::string refusal(const std::string& path, Index vertices) {
  try {
    read_mask(path, vertices);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(ReadMask, NonzeroKeepsInEveryFormat) {
  const TemporaryFolder folder;
  const std::pair<const char*, std::string> files[] = {
      {"m.txt", "# cortex\n1\n0\n-2.5\n0\n0\n"},
      {"m.csv", "1,0,1,0,0"},
      {"m.txt.gz", testing::gzip("1\n0\n1\n0\n0\n")},
      {"m.label.gii", gifti("5", "3 0 7 0 0")},
      {"m.label", "#!ascii label , from subject bert vox2ras=TkReg\n2\n0 -1.5 2.0 3.0 0.0\n2 1 1 1 0.5\n"},
      {"m.label", "#label cortex\n2\n2  1 1 1 0\n0  -1.5 2.0 3.0 0.0\n"},
  };
  for (const auto& [name, bytes] : files) {
    store(folder.file(name), bytes);
    EXPECT_EQ(read_mask(folder.file(name), 5), expected) << name;
  }
  const Eigen::VectorXd values = (Eigen::VectorXd(5) << 1, 0, 0.5, 0, 0).finished();
  write_npy(values, folder.file("m.npy"));
  EXPECT_EQ(read_mask(folder.file("m.npy"), 5), expected);
  write_npy(RowMatrix<std::int32_t>(values.transpose().array().ceil().cast<std::int32_t>()),
            folder.file("m.npy"));
  EXPECT_EQ(read_mask(folder.file("m.npy"), 5), expected);
}

TEST(ReadMask, RefusalsNameTheCause) {
  const TemporaryFolder folder;
  const std::string label = "#!ascii label\n";
  const std::tuple<const char*, std::string, const char*> files[] = {
      {"m.txt", "1\n0\n1\n", "values for 3 vertices, but the shape has 5"},
      {"m.txt", "", "values for 0 vertices, but the shape has 5"},
      {"m.txt", "1 1 1\nx 1\n", "line 2: expected numbers only"},
      {"m.txt", "1 1 nan 1 1\n", "vertex 2 is not a number"},
      {"m.gii", gifti("4", "3 0 7 0"), "values for 4 vertices, but the shape has 5"},
      {"m.gii", gifti("5", "3 0 7 0 "), "4 numbers where 5"},
      {"m.gii", "<GIFTI></GIFTI>", "no array with one value per vertex"},
      {"m.label", label + "2\n5 0 0 0 0\n1 0 0 0 0\n", "vertex 5, outside [0, 5)"},
      {"m.label", label + "1\n1 0 0 0 0\n2 0 0 0 0\n", "more vertices than the 1"},
      {"m.label", label + "2000000000\n1 0 0 0 0\n", "declares 2000000000"},
      {"m.label", label + "2\n1 0 0 0 0\n2 0 0 0   ", "the file ends"},
  };
  for (const auto& [name, bytes, cause] : files) {
    store(folder.file(name), bytes);
    EXPECT_TRUE(contains(refusal(folder.file(name), 5), cause)) << refusal(folder.file(name), 5);
  }
  write_npy(RowMatrix<double>::Ones(5, 3), folder.file("m.npy"));
  EXPECT_TRUE(contains(refusal(folder.file("m.npy"), 5), "5 by 3"));
}

TEST(ApplyMask, VerticesLeftOutBelongToNoFaceAndTheRestIsUntouched) {
  const TriangleMesh mesh = make_sphere(4);
  const Index vertices = static_cast<Index>(mesh.points.rows());
  std::vector<char> keep(static_cast<std::size_t>(vertices));
  for (Index v = 0; v < vertices; ++v) keep[static_cast<std::size_t>(v)] = mesh.points(v, 2) > -0.5;
  const auto kept = [&](Index v) { return keep[static_cast<std::size_t>(v)] != 0; };
  Eigen::Index faces = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    faces += kept(mesh.triangles(f, 0)) && kept(mesh.triangles(f, 1)) && kept(mesh.triangles(f, 2));
  }
  ASSERT_TRUE(faces > 0 && faces < mesh.triangles.rows());

  const Shape triangles = apply_mask(mesh, keep);
  EXPECT_EQ(face_count(triangles), faces);
  EXPECT_TRUE(testing::identical(std::get<TriangleMesh>(triangles).points, mesh.points));
  for (Index v : std::get<TriangleMesh>(triangles).triangles.reshaped()) EXPECT_TRUE(kept(v));

  const Shape polygons = apply_mask(testing::as_polygons(mesh), keep);
  EXPECT_EQ(face_count(polygons), faces);
  EXPECT_EQ(vertex_count(polygons), vertices);
  for (Index v : std::get<PolygonMesh>(polygons).corners) EXPECT_TRUE(kept(v));
}

TEST(ApplyMask, GraphsLoseTheEdgesOfVerticesLeftOut) {
  const Graph graph{5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {2, 0, 4}, {4, 4, 0}}, {10, 20, 30, 40, 50}};
  const Graph masked = std::get<Graph>(apply_mask(graph, expected));
  EXPECT_EQ(masked.vertices, 5);
  EXPECT_EQ(masked.labels, graph.labels);
  ASSERT_EQ(masked.edges.size(), 1u);
  EXPECT_EQ(masked.edges[0].length, 4);
}

TEST(ApplyMask, RefusesOtherLengthsAndShapesWithoutConnections) {
  EXPECT_THROW(apply_mask(testing::tetrahedron(), expected), InputError);
  EXPECT_THROW(apply_mask(PointCloud{Points::Random(5, 3), {}}, expected), InputError);
  EXPECT_THROW(apply_mask(Samples{RowMatrix<double>::Random(5, 3)}, expected), InputError);
}

}  // namespace
}  // namespace geodome::internal
