#include "geodome/shape/mask.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/gifti.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/lines.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

std::vector<char> nonzero(const RowMatrix<double>& values, const InputFile& file) {
  std::vector<char> keep(static_cast<std::size_t>(values.size()));
  for (std::size_t v = 0; v < keep.size(); ++v) {
    const double value = values.data()[v];
    if (std::isnan(value))
      throw FileError(text("'", file.path, "': the mask's value of vertex ", v, " is not a number"));
    keep[v] = value != 0;
  }
  return keep;
}

RowMatrix<double> npy_values(const InputFile& file) {
  RowMatrix<double> values = parse_npy_matrix(file);
  if (values.rows() != 1 && values.cols() != 1) {
    throw FileError(text("'", file.path, "': expected a mask with one value per vertex, got an array of ",
                         values.rows(), " by ", values.cols()));
  }
  return values;
}

RowMatrix<double> gifti_values(const InputFile& file) {
  const std::vector<GiftiArray> arrays = parse_gifti(file);
  const GiftiArray* found = nullptr;
  for (const GiftiArray& array : arrays) {
    if (array.columns != 1 && array.rows != 1) continue;
    if (found != nullptr) {
      throw FileError(
          text("'", file.path, "' contains several arrays with one value per vertex: store a single one"));
    }
    found = &array;
  }
  if (found == nullptr)
    throw FileError(text("'", file.path, "' contains no array with one value per vertex"));
  return decode_gifti(*found, file);
}

RowMatrix<double> text_values(const InputFile& file) {
  LineReader lines(file);
  std::vector<double> all;
  std::vector<double> row;
  while (lines.next()) {
    if (!lines.numbers(row)) lines.fail("expected numbers only");
    all.insert(all.end(), row.begin(), row.end());
  }
  return Eigen::Map<const RowMatrix<double>>(all.data(), static_cast<Eigen::Index>(all.size()), 1);
}

bool is_label(const InputFile& file) {
  const std::string_view line = std::string_view(file.content).substr(0, file.content.find_first_of("\r\n"));
  return line.starts_with("#!ascii") ||
         (line.starts_with('#') && line.find("label") != std::string_view::npos && file.extension == "label");
}

// A comment, the number of vertices, then for each: its number, three coordinates and a value.
std::vector<char> label_mask(const InputFile& file, Index vertices) {
  TextScanner scanner(file);
  const std::int64_t count = scanner.count("the number of vertices in the label");
  scanner.expect(count, 10, "vertices");
  std::vector<char> keep(static_cast<std::size_t>(vertices), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t vertex = scanner.integer("a vertex");
    if (vertex < 0 || vertex >= vertices) {
      scanner.fail(text("the label refers to vertex ", vertex, ", outside [0, ", vertices, ")"));
    }
    keep[static_cast<std::size_t>(vertex)] = 1;
    for (int column = 0; column < 4; ++column) scanner.number("a label's coordinate or value");
  }
  if (!scanner.at_end()) scanner.fail(text("more vertices than the ", count, " declared"));
  return keep;
}

TriangleMesh masked(const TriangleMesh& mesh, const std::vector<char>& keep) {
  TriangleMesh result{mesh.points, Triangles(mesh.triangles.rows(), 3)};
  Eigen::Index faces = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto corners = mesh.triangles.row(f);
    if (std::all_of(corners.begin(), corners.end(),
                    [&](Index v) { return keep[static_cast<std::size_t>(v)] != 0; })) {
      result.triangles.row(faces++) = corners;
    }
  }
  result.triangles.conservativeResize(faces, 3);
  return result;
}

PolygonMesh masked(const PolygonMesh& mesh, const std::vector<char>& keep) {
  PolygonMesh result;
  result.points = mesh.points;
  for (std::size_t f = 0; f + 1 < mesh.offsets.size(); ++f) {
    const auto begin = mesh.corners.begin() + mesh.offsets[f];
    const auto end = mesh.corners.begin() + mesh.offsets[f + 1];
    if (!std::all_of(begin, end, [&](Index v) { return keep[static_cast<std::size_t>(v)] != 0; })) continue;
    result.corners.insert(result.corners.end(), begin, end);
    result.offsets.push_back(static_cast<std::int64_t>(result.corners.size()));
  }
  return result;
}

Graph masked(const Graph& graph, const std::vector<char>& keep) {
  Graph result = graph;
  std::erase_if(result.edges, [&](const Edge& edge) {
    return keep[static_cast<std::size_t>(edge.a)] == 0 || keep[static_cast<std::size_t>(edge.b)] == 0;
  });
  return result;
}

template <typename Points>
Shape masked(const Points&, const std::vector<char>&) {
  throw InputError(
      "a mask requires a mesh or a graph: for a point cloud or samples, remove the points instead");
}

}  // namespace

std::vector<char> read_mask(const std::string& path, Index vertices) {
  const InputFile file = load_file(path);
  if (is_label(file)) return label_mask(file, vertices);
  const bool npy = recognise_npy(file) == Match::certain;
  const bool gifti = recognise_gifti(file) == Match::certain;
  const std::vector<char> keep = nonzero(npy     ? npy_values(file)
                                         : gifti ? gifti_values(file)
                                                 : text_values(file),
                                         file);
  if (keep.size() != static_cast<std::size_t>(vertices)) {
    throw FileError(
        text("'", path, "' has values for ", keep.size(), " vertices, but the shape has ", vertices));
  }
  return keep;
}

Shape apply_mask(const Shape& shape, const std::vector<char>& keep) {
  if (keep.size() != static_cast<std::size_t>(vertex_count(shape))) {
    throw InputError(
        text("the mask has ", keep.size(), " values, but the shape has ", vertex_count(shape), " vertices"));
  }
  return std::visit([&](const auto& kind) -> Shape { return masked(kind, keep); }, shape);
}

}  // namespace geodome::internal
