/// Writes the seeds of every fuzz target: small valid files and small valid shapes, one folder per target.
///
///   fuzz_make_seeds FOLDER
///
/// Files come from the library's own writers where it has one for the format, and are spelled out here where
/// not.

#include <zlib.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/file/matrix_file.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"
#include "support/sections.h"

namespace {

using namespace geodome;
using namespace geodome::internal;
namespace fs = std::filesystem;

class SeedFolder {
 public:
  explicit SeedFolder(fs::path root) : root_(std::move(root)) { fs::create_directories(root_); }

  void add(const std::string& target, const std::string& bytes) {
    const fs::path folder = root_ / target;
    fs::create_directories(folder);
    std::ofstream(folder / text("seed", ++count_), std::ios::binary) << bytes;
  }

  /// What `write` stores under the name it is given.
  template <typename Write>
  std::string written(const std::string& extension, const Write& write) const {
    const fs::path path = root_ / ("written." + extension);
    write(path.string());
    std::ifstream stream(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    fs::remove(path);
    return bytes;
  }

 private:
  fs::path root_;
  int count_ = 1000;  // equally long names sort by number
};

std::string shape_file(const SeedFolder& seeds, const Shape& shape, const std::string& extension,
                       const Colours& colours = {}) {
  return seeds.written(extension, [&](const std::string& path) { write_shape(shape, path, colours); });
}

template <typename Value>
void put(std::string& bytes, Value value, std::endian order) {
  char copy[sizeof(Value)];
  std::memcpy(copy, &value, sizeof(Value));
  if (order != std::endian::native) std::reverse(copy, copy + sizeof(Value));
  bytes.append(copy, sizeof(Value));
}

template <typename Value, typename Matrix>
std::string packed(const Matrix& matrix, std::endian order) {
  std::string bytes;
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) put(bytes, static_cast<Value>(matrix(r, c)), order);
  return bytes;
}

template <typename Matrix>
std::string printed(const Matrix& matrix) {
  std::string lines;
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) lines += text(c > 0 ? " " : "", matrix(r, c));
    lines += "\n";
  }
  return lines;
}

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string letters;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = i; k < i + 3; ++k)
      group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      letters += i + k > bytes.size() ? '=' : alphabet[group >> (18 - 6 * k) & 63];
  }
  return letters;
}

std::string stl_text(const TriangleMesh& mesh) {
  std::string file = "solid seed\n";
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    file += "facet normal 0 0 1\nouter loop\n";
    for (int corner = 0; corner < 3; ++corner)
      file += "vertex " + printed(mesh.points.row(mesh.triangles(f, corner)));
    file += "endloop\nendfacet\n";
  }
  return file + "endsolid seed\n";
}

std::string stl_binary(const TriangleMesh& mesh) {
  std::string file(80, ' ');
  put(file, static_cast<std::uint32_t>(mesh.triangles.rows()), std::endian::little);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    file += std::string(12, '\0');
    for (int corner = 0; corner < 3; ++corner)
      file += packed<float>(mesh.points.row(mesh.triangles(f, corner)), std::endian::little);
    file += std::string(2, '\0');
  }
  return file;
}

std::string gifti_array(const char* intent, const char* type, Eigen::Index rows, Eigen::Index columns,
                        const char* encoding, const std::string& data) {
  return text("<DataArray Intent=\"", intent, "\" DataType=\"", type,
              "\" ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"2\" Dim0=\"", rows, "\" Dim1=\"",
              columns, "\" Encoding=\"", encoding, "\" Endian=\"LittleEndian\"><Data>", data,
              "</Data></DataArray>");
}

std::string gifti(const TriangleMesh& mesh, const std::string& encoding) {
  const auto encoded = [&](const std::string& numbers, const std::string& bytes) {
    if (encoding == "ASCII") return numbers;
    return base64(encoding == "Base64Binary" ? bytes : gzip(bytes));
  };
  return "<?xml version=\"1.0\"?><GIFTI Version=\"1.0\"><!-- seed --><MetaData/>" +
         gifti_array("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", mesh.points.rows(), 3, encoding.c_str(),
                     encoded(printed(mesh.points), packed<float>(mesh.points, std::endian::little))) +
         gifti_array(
             "NIFTI_INTENT_TRIANGLE", "NIFTI_TYPE_INT32", mesh.triangles.rows(), 3, encoding.c_str(),
             encoded(printed(mesh.triangles), packed<std::int32_t>(mesh.triangles, std::endian::little))) +
         "</GIFTI>";
}

std::string freesurfer(const TriangleMesh& mesh) {
  std::string file = "\xff\xff\xfeseed\n\n";
  put(file, static_cast<std::int32_t>(mesh.points.rows()), std::endian::big);
  put(file, static_cast<std::int32_t>(mesh.triangles.rows()), std::endian::big);
  return file + packed<float>(mesh.points, std::endian::big) +
         packed<std::int32_t>(mesh.triangles, std::endian::big);
}

/// Three vertices and one face of four corners, in the two older forms.
std::string freesurfer_quads(bool floats) {
  std::string file(floats ? "\xff\xff\xfd\0\0\3\0\0\1" : "\xff\xff\xff\0\0\3\0\0\1", 9);
  const TriangleMesh mesh = make_plane(2, 2);
  file += floats ? packed<float>(mesh.points.topRows(3), std::endian::big)
                 : packed<std::int16_t>(100 * mesh.points.topRows(3), std::endian::big);
  return file + std::string("\0\0\0\0\0\1\0\0\2\0\0\1", 12);
}

std::string vtk(const TriangleMesh& mesh, bool binary) {
  const auto numbers = [&](const auto& matrix, auto value) {
    return (binary ? packed<decltype(value)>(matrix, std::endian::big) : printed(matrix)) + "\n";
  };
  RowMatrix<Index> faces(mesh.triangles.rows(), 4);
  faces << RowMatrix<Index>::Constant(mesh.triangles.rows(), 1, 3), mesh.triangles;
  return text("# vtk DataFile Version 3.0\nseed\n", binary ? "BINARY" : "ASCII",
              "\nDATASET POLYDATA\nPOINTS ", mesh.points.rows(), " float\n", numbers(mesh.points, float{}),
              "POLYGONS ", faces.rows(), " ", faces.size(), "\n", numbers(faces, std::int32_t{}));
}

std::string vtk_offsets() {
  std::string file = "# vtk DataFile Version 5.1\nseed\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n";
  file += "0 0 0 1 0 0 1 1 0 0 1 0\nMETADATA\nINFORMATION 0\n\nPOLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\n";
  return file + "CONNECTIVITY vtktypeint64\n0 1 2 3\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n";
}

std::string idx(int type, const std::string& numbers) {
  std::string file{'\0', '\0', static_cast<char>(type), '\3'};
  for (const std::uint32_t size : {4u, 2u, 3u}) put(file, size, std::endian::big);
  return file + numbers;
}

/// Adds a file that its reader accepts.
void add_file_of(SeedFolder& seeds, const std::string& target, std::string_view format,
                 const std::string& bytes) {
  format_by_name(format).read({target, "", bytes});
  seeds.add(target, bytes);
}

/// One that is read as it is, and one that is repeated to the length of a tile: see targets/read_hgt.cpp.
void add_tile_seeds(SeedFolder& seeds) {
  const std::string heights("N57E011.hgt \1\2\x80\0", 16);
  seeds.add("read_hgt", heights);
  std::string tile;
  for (std::uint32_t end = 0;
       tile.empty() ||
       crc32(0, reinterpret_cast<const Bytef*>(tile.data()), static_cast<uInt>(tile.size())) % 16384 != 0;
       ++end)
    put(tile = heights, end, std::endian::little);
  seeds.add("read_hgt", tile);
}

void add_reader_seeds(SeedFolder& seeds) {
  const TriangleMesh box = make_box(1), strip = make_plane(3, 2);
  const PolygonMesh quads = make_plane_quads(3, 2);
  const PointCloud cloud{strip.points, strip.points};
  for (const std::string extension : {"obj", "off", "ply"}) {
    const std::string target = "read_" + extension;
    add_file_of(seeds, target, extension, shape_file(seeds, box, extension));
    add_file_of(seeds, target, extension, shape_file(seeds, quads, extension, Colours::Constant(6, 3, 200)));
    add_file_of(seeds, target, extension, shape_file(seeds, cloud, extension));
  }
  add_file_of(seeds, "read_obj", "OBJ",
              "# seed\nmtllib a.mtl\nv 0 0 0 1\nv 1 0 \\\n0\nv 1 1 0\nvn 0 0 1\nvt 0 0\ng a\nf -3//1 -2//1 "
              "-1//1\nf 1/1 2/1 3/1\n");
  add_file_of(seeds, "read_off", "OFF",
              "COFF # seed\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 0 0 0\n0 1 0 1 1 1 1\n3 0 1 2 0.5 0.5 0.5\n");
  add_file_of(
      seeds, "read_ply", "PLY",
      "ply\nformat ascii 1.0\ncomment seed\nelement vertex 3\nproperty float x\nproperty float "
      "y\nproperty double z\n"
      "property list uchar int tags\nelement face 1\nproperty list uchar int vertex_indices\nelement "
      "tristrips 1\n"
      "property list int int vertex_indices\nend_header\n0 0 0 1 5\n1 0 0 0\n1 1 0 0\n3 0 1 2\n5 0 1 2 "
      "-1 0\n");
  add_file_of(seeds, "read_stl", "STL", stl_text(strip));
  add_file_of(seeds, "read_stl", "STL", stl_binary(strip));
  for (const char* encoding : {"ASCII", "Base64Binary", "GZipBase64Binary"})
    add_file_of(seeds, "read_gifti", "GIFTI", gifti(strip, encoding));
  add_file_of(seeds, "read_freesurfer", "FreeSurfer surface", freesurfer(strip));
  add_file_of(seeds, "read_freesurfer", "FreeSurfer surface", freesurfer_quads(false));
  add_file_of(seeds, "read_freesurfer", "FreeSurfer surface", freesurfer_quads(true));
  add_file_of(seeds, "read_vtk", "legacy VTK", vtk(strip, false));
  add_file_of(seeds, "read_vtk", "legacy VTK", vtk(strip, true));
  add_file_of(seeds, "read_vtk", "legacy VTK", vtk_offsets());
  add_file_of(seeds, "read_xyz", "XYZ", "# seed\n6\n" + printed(strip.points));
  add_file_of(seeds, "read_xyz", "XYZ",
              printed((RowMatrix<double>(6, 6) << strip.points, strip.points).finished()));
  for (const std::string extension : {"edges", "mtx"})
    for (const Graph& graph : {make_grid_graph(3, 2), make_path_graph(5)})
      add_file_of(seeds, extension == "mtx" ? "read_matrix_market" : "read_edge_list", extension,
                  shape_file(seeds, graph, extension));
  add_file_of(seeds, "read_edge_list", "edge list", "id a b length\n0 7 9 0.5\n1 9 7 0.25\n2 9 9 1e3\n");
  add_file_of(seeds, "read_matrix_market", "Matrix Market",
              "%%MatrixMarket matrix coordinate pattern symmetric\n% seed\n3 3 2\n2 1\n3 1\n");
  const Samples samples{RowMatrix<double>::Random(5, 3)};
  add_file_of(seeds, "read_csv", "CSV", shape_file(seeds, samples, "csv"));
  add_file_of(seeds, "read_csv", "CSV", "a,\"b \"\"c\"\"\"\n1,\"2\"\n3,-4.5e1\n");
  add_file_of(seeds, "read_csv", "CSV", "x;y;z\n1;2;3\n4;5;6\n");
  add_file_of(seeds, "read_npy", "NPY", shape_file(seeds, samples, "npy"));
  add_file_of(seeds, "read_npy", "NPY", seeds.written("npy", [](const std::string& path) {
    write_npy(RowMatrix<std::int32_t>(RowMatrix<std::int32_t>::Ones(3, 2)), path);
  }));
  add_file_of(seeds, "read_idx", "IDX", idx(0x08, std::string(24, '\7')));
  add_file_of(seeds, "read_idx", "IDX",
              idx(0x0e, packed<double>(RowMatrix<double>::Random(4, 6), std::endian::big)));
  add_tile_seeds(seeds);
  for (char name = 0; name < 14; ++name) {
    seeds.add("read_any", name + gzip(printed(strip.points)));
    seeds.add("read_any", name + shape_file(seeds, strip, "ply"));
    seeds.add("read_any", name + std::string("1,2,3\n4,5,6\n"));
  }
}

void add_mask_seeds(SeedFolder& seeds) {
  const RowMatrix<double> keep = RowMatrix<double>::Ones(6, 1);
  const char six = 5;  // one is added: see targets/mask.cpp
  seeds.add("mask", six + std::string("# seed\n1 0 1\n1,1 0\n"));
  seeds.add("mask", six + seeds.written("npy", [&](const std::string& path) { write_npy(keep, path); }));
  seeds.add("mask", six + std::string("#!ascii label, seed\n2\n0 0 0 0 1.0\n5 1.5 2 3 0\n"));
  seeds.add("mask",
            six + std::string("<?xml version=\"1.0\"?><GIFTI Version=\"1.0\">") +
                gifti_array("NIFTI_INTENT_SHAPE", "NIFTI_TYPE_FLOAT32", 6, 1, "ASCII", "1 0 1 1 0 1") +
                "</GIFTI>");
  seeds.add("mask", six + gzip("1 0 1 1 1 0\n"));
}

void add_value_seeds(SeedFolder& seeds) {
  const RowMatrix<double> heights = RowMatrix<double>::Random(6, 2);
  for (const char numbered : {0, 1}) {
    const std::string six{5, numbered};  // one is added: see targets/values.cpp
    seeds.add("values", six + std::string("# seed\n1\n-0.5\n2e3\nnan\n\n5\n6\n"));
    seeds.add("values", six + std::string("a,b\n1,2\n,NA\n3,4\n5,inf\n7,8\n9,+1\r\n"));
    seeds.add("values", six + std::string("vertex;height;age\n4;1;2\n1;;3\n"));
    seeds.add("values", six + std::string("4, 1, 1\n0 3"));
    seeds.add("values", six + std::string("1 2\n3 4\n5 6\n7 8\n9 10\n11 12\n"));
    seeds.add("values", six + seeds.written("npy", [&](const std::string& to) { write_npy(heights, to); }));
    const std::string array =
        gifti_array("NIFTI_INTENT_SHAPE", "NIFTI_TYPE_FLOAT32", 6, 1, "ASCII", "1 0.5 1 1 0 1");
    seeds.add("values", six + "<?xml version=\"1.0\"?><GIFTI Version=\"1.0\">" + array + array + "</GIFTI>");
    seeds.add("values", six + gzip("vertex,x\n4,1\n1,0.25\n"));
  }
}

void add_given_seeds(SeedFolder& seeds) {
  RowMatrix<double> path(5, 5);
  for (Eigen::Index i = 0; i < 5; ++i)
    for (Eigen::Index j = 0; j < 5; ++j) path(i, j) = std::abs(static_cast<double>(i - j));
  RowMatrix<double> two = path;
  two.topRightCorner(2, 3).setConstant(infinity);
  two.bottomLeftCorner(3, 2).setConstant(infinity);
  for (const RowMatrix<double>& matrix : {path, two, RowMatrix<double>(path.topLeftCorner(2, 2))}) {
    seeds.add("given_distances", seeds.written("npy", [&](const std::string& to) { write_npy(matrix, to); }));
    const RowMatrix<float> single = matrix.cast<float>();
    seeds.add("given_distances", seeds.written("npy", [&](const std::string& to) { write_npy(single, to); }));
  }
}

void add_file(SeedFolder& seeds, const DistanceMatrix& matrix, const std::string& recipe,
              const Shape* shape) {
  const std::string bytes =
      seeds.written("geodome", [&](const std::string& path) { save_matrix(path, matrix, recipe, shape); });
  seeds.add("container", bytes);
  seeds.add("matrix_file", fuzz::encode_sections(fuzz::split_container(bytes)));
}

void add_file_seeds(SeedFolder& seeds) {
  const Samples samples{RowMatrix<double>::Random(12, 3)};
  const std::vector<Shape> shapes = {make_box(1),
                                     make_two_spheres(1),
                                     make_plane_quads(4, 3),
                                     make_grid_graph(4, 3),
                                     samples,
                                     PointCloud{make_sphere(1).points, {}}};
  for (const Shape& shape : shapes) {
    BuildOptions options;
    options.landmarks.count = 5;
    options.interpolation.nonzeros = 3;
    for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
      options.precision = precision;
      for (const Method method : {Method::sbha, Method::bha}) {
        options.method = method;
        const Build built = build_matrix(shape, options, {1, {}});
        add_file(seeds, *built.matrix, "{}", method == Method::sbha ? &shape : nullptr);
      }
    }
  }
  for (const Method method : {Method::ctg, Method::spectrometer}) {
    BuildOptions options;
    options.landmarks.count = 6;
    options.method = method;
    options.baseline.eigenvectors = 6;
    const Shape shape = make_two_spheres(1);
    const Build built = build_matrix(shape, options, {1, {}});
    add_file(seeds, *built.matrix, "{}", nullptr);
  }
}

/// Targets that decode shapes make something of any bytes: numbers at random, long and short.
void add_shape_seeds(SeedFolder& seeds) {
  std::mt19937 random(1);
  for (const char* target : {"surface", "cloud", "graph", "build", "methods"})
    for (std::size_t k = 0; k < 64; ++k) {
      std::string bytes(8 + random() % 200, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      bytes[0] = static_cast<char>(k);
      bytes[1] = static_cast<char>(k / 6);
      seeds.add(target, bytes);
    }
}

}  // namespace

int main(int count, char** values) {
  if (count != 2) {
    std::cerr << "usage: fuzz_make_seeds FOLDER\n";
    return 2;
  }
  fs::remove_all(values[1]);
  SeedFolder seeds(values[1]);
  add_reader_seeds(seeds);
  add_mask_seeds(seeds);
  add_value_seeds(seeds);
  add_given_seeds(seeds);
  add_file_seeds(seeds);
  add_shape_seeds(seeds);
  return 0;
}
