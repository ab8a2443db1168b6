#include "geodome/shape/io/write.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "file_support.h"
#include "geodome/shape/io/read.h"
#include "temporary_folder.h"

namespace geodome {
namespace {

using testing::contains;
using testing::contents;
using testing::identical;
using testing::TemporaryFolder;

const char* const extensions[] = {"obj", "off", "ply"};

/// Numbers of every size, among them those that are hard to write exactly.
Points difficult_points(Eigen::Index rows, unsigned seed) {
  std::mt19937_64 random(seed);
  Points points(rows, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i) {
    const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
    points.data()[i] = std::ldexp(mantissa, std::uniform_int_distribution<int>(-1000, 1000)(random));
  }
  const double special[] = {0.0,
                            -0.0,
                            0.1,
                            1.0 / 3,
                            1e-8,
                            1e8,
                            std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::max(),
                            infinity};
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(9, points.size()); ++i) points.data()[i] = special[i];
  return points;
}

Shape through_file(const Shape& shape, const std::string& extension, const Colours& colours = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.file("shape." + extension);
  write_shape(shape, path, colours);
  return read_shape(path);
}

Colours some_colours(Eigen::Index rows) {
  Colours colours(rows, 3);
  for (Eigen::Index i = 0; i < colours.size(); ++i) colours.data()[i] = static_cast<std::uint8_t>(i * 37);
  return colours;
}

TEST(WriteShape, TriangleMeshesComeBackExactly) {
  for (const char* extension : extensions) {
    for (const Index vertices : {3, 50}) {
      TriangleMesh mesh{difficult_points(vertices, 1), Triangles(vertices, 3)};
      for (Index f = 0; f < vertices; ++f)
        mesh.triangles.row(f) << f, (f * 7 + 1) % vertices, (f * 3 + 2) % vertices;
      for (const Colours& colours : {Colours{}, some_colours(vertices)}) {
        const auto back = std::get<TriangleMesh>(through_file(mesh, extension, colours));
        EXPECT_TRUE(identical(back.points, mesh.points)) << extension;
        EXPECT_TRUE(identical(back.triangles, mesh.triangles)) << extension;
      }
    }
  }
}

TEST(WriteShape, PolygonMeshesComeBackExactly) {
  for (const char* extension : extensions) {
    for (const Index largest : {4, 300}) {  // more than 255 corners need a longer list length in PLY
      PolygonMesh mesh{difficult_points(301, 2), {}, {0}};
      for (const Index degree : {Index{3}, largest, Index{5}}) {
        for (Index k = 0; k < degree; ++k) mesh.corners.push_back(k);
        mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
      }
      const auto back = std::get<PolygonMesh>(through_file(mesh, extension));
      EXPECT_TRUE(identical(back.points, mesh.points)) << extension;
      EXPECT_EQ(back.corners, mesh.corners) << extension;
      EXPECT_EQ(back.offsets, mesh.offsets) << extension;
    }
  }
}

TEST(WriteShape, CloudsComeBackExactlyWithTheirNormals) {
  for (const char* extension : extensions) {
    for (const Points& normals : {Points(0, 3), difficult_points(20, 4)}) {
      const PointCloud cloud{difficult_points(20, 3), normals};
      for (const Colours& colours : {Colours{}, some_colours(20)}) {
        const auto back = std::get<PointCloud>(through_file(cloud, extension, colours));
        EXPECT_TRUE(identical(back.points, cloud.points)) << extension;
        EXPECT_TRUE(identical(back.normals, cloud.normals)) << extension;
      }
    }
  }
}

TEST(WriteShape, GraphsComeBackExactly) {
  Graph graph{5, {{0, 1, 0.1}, {1, 2, 1.0 / 3}, {2, 1, 1e-300}, {3, 3, 7}, {0, 4, 1e300}, {0, 1, 0.1}}, {}};
  const auto expect_equal = [&](const Shape& shape) {
    const auto& back = std::get<Graph>(shape);
    EXPECT_EQ(back.vertices, graph.vertices);
    EXPECT_EQ(back.labels, graph.labels);
    ASSERT_EQ(back.edges.size(), graph.edges.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      EXPECT_EQ(back.edges[i].a, graph.edges[i].a);
      EXPECT_EQ(back.edges[i].b, graph.edges[i].b);
      EXPECT_EQ(back.edges[i].length, graph.edges[i].length);
    }
  };
  expect_equal(through_file(graph, "edges"));
  expect_equal(through_file(graph, "mtx"));
  graph.labels = {-3, 0, 7, 8, 1000000000000};
  expect_equal(through_file(graph, "edges"));
  EXPECT_THROW(through_file(graph, "mtx"), InputError);
  graph.labels.clear();
  graph.vertices = 6;
  expect_equal(through_file(graph, "mtx"));
  EXPECT_THROW(through_file(graph, "edges"), InputError);
}

TEST(WriteShape, SamplesComeBackExactly) {
  const Points points = difficult_points(20, 7);
  Samples samples{Eigen::Map<const RowMatrix<double>>(points.data(), 12, 5)};
  samples.values(1, 3) = 2;  // a table of infinite values is no table
  for (const char* extension : {"npy", "csv"}) {
    const auto back = std::get<Samples>(through_file(samples, extension));
    EXPECT_TRUE(identical(back.values, samples.values)) << extension;
  }
}

TEST(WriteShape, ColoursAreInTheFile) {
  const TemporaryFolder folder;
  const PointCloud cloud{(Points(1, 3) << 1, 2, 3).finished(), {}};
  const Colours colours = (Colours(1, 3) << 255, 51, 0).finished();
  write_shape(cloud, folder.file("c.ply"), colours);
  const std::string ply = contents(folder.file("c.ply"));
  EXPECT_TRUE(contains(ply, "property uchar red\nproperty uchar green\nproperty uchar blue\n"));
  EXPECT_EQ(ply.substr(ply.size() - 3), std::string("\xff\x33\x00", 3));
  write_shape(cloud, folder.file("c.off"), colours);
  EXPECT_EQ(contents(folder.file("c.off")), "COFF\n1 0 0\n1 2 3 255 51 0 255\n");
  write_shape(cloud, folder.file("c.obj"), colours);
  EXPECT_EQ(contents(folder.file("c.obj")), "v 1 2 3 1 0.2 0\n");
}

TEST(WriteShape, TheSameShapeGivesTheSameBytes) {
  const TemporaryFolder folder;
  const PointCloud cloud{difficult_points(30, 5), {}};
  for (const std::string extension : extensions) {
    write_shape(cloud, folder.file("a." + extension));
    write_shape(cloud, folder.file("b." + extension));
    EXPECT_TRUE(contents(folder.file("a." + extension)) == contents(folder.file("b." + extension)));
  }
}

TEST(WriteShape, RefusesWhatItCannotWriteAndLeavesNoFile) {
  const TemporaryFolder folder;
  const PointCloud cloud{difficult_points(2, 6), {}};
  try {
    write_shape(cloud, folder.file("a.doc"));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_TRUE(contains(error.what(), "'doc'")) << error.what();
    for (const char* extension : extensions) EXPECT_TRUE(contains(error.what(), extension)) << error.what();
  }
  EXPECT_THROW(write_shape(cloud, folder.file("a.ply.gz")), FileError);
  EXPECT_THROW(write_shape(cloud, folder.file("noextension")), FileError);
  EXPECT_THROW(write_shape(cloud, folder.file("no/folder.ply")), FileError);
  EXPECT_THROW(write_shape(Graph{}, folder.file("a.ply")), InputError);
  EXPECT_THROW(write_shape(Samples{}, folder.file("a.obj")), InputError);
  EXPECT_THROW(write_shape(cloud, folder.file("a.mtx")), InputError);
  EXPECT_THROW(write_shape(Samples{RowMatrix<double>::Ones(3, 2)}, folder.file("a.npy"), some_colours(3)),
               InputError);
  EXPECT_THROW(write_shape(cloud, folder.file("a.ply"), some_colours(3)), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace geodome
