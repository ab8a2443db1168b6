#pragma once
/// The same shape in every format that can be read, made on the spot: for formats the library writes by its
/// own writers, for the others by the few lines each takes.

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/parse/scan.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/io/writers.h"
#include "geodome/shape/shape.h"

namespace geodome::bench {

using namespace internal;

template <typename Value>
void put(std::string& bytes, Value value, ByteOrder order) {
  char raw[sizeof(Value)];
  std::memcpy(raw, &value, sizeof(Value));
  for (std::size_t i = 0; i < sizeof(Value); ++i)
    bytes += raw[order == native_order ? i : sizeof(Value) - 1 - i];
}

inline void put_points(std::string& bytes, const Points& points, ByteOrder order) {
  for (Eigen::Index i = 0; i < points.size(); ++i) put(bytes, static_cast<float>(points.data()[i]), order);
}

/// One line per row.
inline std::string text_rows(const Points& points) {
  std::string lines;
  for (Eigen::Index row = 0; row < points.rows(); ++row) {
    append_row(lines, points, row);
    lines += '\n';
  }
  return lines;
}

/// One line per triangle, its degree first if asked for.
inline std::string text_rows(const Triangles& triangles, bool degree) {
  std::string lines;
  for (Eigen::Index row = 0; row < triangles.rows(); ++row) {
    if (degree) append_number(lines, std::int64_t{3});
    for (int k = 0; k < 3; ++k) append_number(lines, std::int64_t{triangles(row, k)});
    lines += '\n';
  }
  return lines;
}

inline std::string ply_header(const TriangleMesh& mesh, const char* encoding) {
  return text("ply\nformat ", encoding, " 1.0\nelement vertex ", mesh.points.rows(),
              "\nproperty float x\nproperty float y\nproperty float z\nelement face ", mesh.triangles.rows(),
              "\nproperty list uchar int vertex_indices\nend_header\n");
}

inline std::string ply_text(const TriangleMesh& mesh) {
  return ply_header(mesh, "ascii") + text_rows(mesh.points) + text_rows(mesh.triangles, true);
}

inline std::string ply_big_endian(const TriangleMesh& mesh) {
  std::string bytes = ply_header(mesh, "binary_big_endian");
  put_points(bytes, mesh.points, ByteOrder::big);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    bytes += '\3';
    for (int k = 0; k < 3; ++k) put(bytes, mesh.triangles(f, k), ByteOrder::big);
  }
  return bytes;
}

inline std::string stl_text(const TriangleMesh& mesh) {
  std::string lines = "solid shape\n";
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    lines += "facet normal 0 0 0\nouter loop\n";
    for (int k = 0; k < 3; ++k) {
      lines += "vertex";
      append_row(lines, mesh.points, mesh.triangles(f, k));
      lines += '\n';
    }
    lines += "endloop\nendfacet\n";
  }
  return lines + "endsolid shape\n";
}

inline std::string stl_binary(const TriangleMesh& mesh) {
  std::string bytes(80, ' ');
  put(bytes, static_cast<std::uint32_t>(mesh.triangles.rows()), ByteOrder::little);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    bytes.append(12, '\0');
    for (int k = 0; k < 3; ++k) put_points(bytes, mesh.points.row(mesh.triangles(f, k)), ByteOrder::little);
    bytes.append(2, '\0');
  }
  return bytes;
}

inline std::string gifti_text(const TriangleMesh& mesh) {
  const auto array = [](const char* intent, const char* type, Eigen::Index rows, const std::string& data) {
    return text("<DataArray Intent=\"", intent, "\" DataType=\"", type,
                "\" ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"2\" Dim0=\"", rows,
                "\" Dim1=\"3\" Encoding=\"ASCII\" Endian=\"LittleEndian\" ExternalFileName=\"\" "
                "ExternalFileOffset=\"\">\n<Data>",
                data, "</Data>\n</DataArray>\n");
  };
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<GIFTI Version=\"1.0\" NumberOfDataArrays=\"2\">\n" +
         array("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", mesh.points.rows(), text_rows(mesh.points)) +
         array("NIFTI_INTENT_TRIANGLE", "NIFTI_TYPE_INT32", mesh.triangles.rows(),
               text_rows(mesh.triangles, false)) +
         "</GIFTI>\n";
}

inline std::string freesurfer(const TriangleMesh& mesh) {
  std::string bytes =
      "\xff\xff\xfe"
      "a shape\n\n";
  put(bytes, static_cast<std::int32_t>(mesh.points.rows()), ByteOrder::big);
  put(bytes, static_cast<std::int32_t>(mesh.triangles.rows()), ByteOrder::big);
  put_points(bytes, mesh.points, ByteOrder::big);
  for (Eigen::Index i = 0; i < mesh.triangles.size(); ++i)
    put(bytes, mesh.triangles.data()[i], ByteOrder::big);
  return bytes;
}

inline std::string vtk_text(const TriangleMesh& mesh) {
  return text("# vtk DataFile Version 3.0\na shape\nASCII\nDATASET POLYDATA\nPOINTS ", mesh.points.rows(),
              " float\n", text_rows(mesh.points), "POLYGONS ", mesh.triangles.rows(), " ",
              4 * mesh.triangles.rows(), "\n", text_rows(mesh.triangles, true));
}

/// Images of `size` by `size` bytes.
inline std::string idx(std::int32_t images, std::int32_t size) {
  std::string bytes("\0\0\x08\x03", 4);
  for (std::int32_t dimension : {images, size, size}) put(bytes, dimension, ByteOrder::big);
  for (std::int64_t i = 0; i < std::int64_t{images} * size * size; ++i)
    bytes += static_cast<char>(i * i % 251);
  return bytes;
}

/// A tile of heights between 0 and 999 m.
inline std::string elevation() {
  std::string bytes;
  for (int row = 0; row < 1201; ++row)
    for (int column = 0; column < 1201; ++column)
      put(bytes, static_cast<std::int16_t>((row * row / 900 + column) % 1000), ByteOrder::big);
  return bytes;
}

/// The edges of the mesh, each once if it is closed.
inline Graph graph_of(const TriangleMesh& mesh) {
  Graph graph;
  graph.vertices = static_cast<Index>(mesh.points.rows());
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k);
      const Index b = mesh.triangles(f, (k + 1) % 3);
      if (a < b) graph.edges.push_back({a, b, (mesh.points.row(a) - mesh.points.row(b)).norm()});
    }
  }
  return graph;
}

/// Writes all files into the folder; returns their paths.
inline std::vector<std::string> make_reader_files(const TriangleMesh& mesh, const std::string& folder) {
  std::vector<std::string> paths;
  const auto path = [&](const std::string& name) { return paths.emplace_back(folder + "/" + name); };
  const auto store = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
  };
  for (const char* name : {"binary.ply", "mesh.obj", "mesh.off"}) write_shape(mesh, path(name));
  store("ascii.ply", ply_text(mesh));
  store("big_endian.ply", ply_big_endian(mesh));
  store("binary.stl", stl_binary(mesh));
  store("ascii.stl", stl_text(mesh));
  store("ascii.gii", gifti_text(mesh));
  store("lh.pial", freesurfer(mesh));
  store("ascii.vtk", vtk_text(mesh));
  store("points.xyz", text_rows(mesh.points));
  const Graph graph = graph_of(mesh);
  for (const char* name : {"graph.edges", "graph.mtx"}) write_shape(graph, path(name));
  const Samples samples{mesh.points};
  for (const char* name : {"samples.npy", "samples.csv"}) write_shape(samples, path(name));
  store("images.idx3-ubyte", idx(static_cast<std::int32_t>(mesh.points.rows() / 10), 28));
  store("N45E007.hgt", elevation());
  return paths;
}

}  // namespace geodome::bench
