#include "support/path_output.h"

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/read_number.h"
#include "geodome/report/picture.h"
#include "geodome/report/tube.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/triangulate.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
Number parse_in(std::string_view word, const std::string& words) {
  Number value{};
  const auto [end, error] = read_number(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    throw InputError(text("'", words,
                          "' is not a point: pass a vertex, such as 17, or corners of a triangle with ",
                          "weights, such as 17:0.5,18:0.25,40:0.25"));
  return value;
}

bool is_mesh(const Shape& shape) {
  return std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<PolygonMesh>(shape);
}

std::string coordinates(const ShortestPath& path, Eigen::Index point, char separator) {
  std::string line;
  for (Eigen::Index k = 0; k < path.positions.cols(); ++k)
    line += (k ? std::string(1, separator) : "") + exact_digits(path.positions(point, k));
  return line;
}

std::string obj_text(const std::vector<ShortestPath>& paths) {
  std::string lines;
  std::int64_t first = 1;
  for (const ShortestPath& path : paths) {
    for (Eigen::Index p = 0; p < path.positions.rows(); ++p) lines += "v " + coordinates(path, p, ' ') + '\n';
    if (path.points.size() > 1) {
      lines += 'l';
      for (std::size_t p = 0; p < path.points.size(); ++p) lines += ' ' + std::to_string(first + p);
      lines += '\n';
    }
    first += static_cast<std::int64_t>(path.points.size());
  }
  return lines;
}

std::string ply_text(const std::vector<ShortestPath>& paths) {
  std::string vertices, edges;
  std::size_t count = 0, edge_count = 0;
  for (std::size_t which = 0; which < paths.size(); ++which)
    for (std::size_t p = 0; p < paths[which].points.size(); ++p) {
      vertices +=
          coordinates(paths[which], static_cast<Eigen::Index>(p), ' ') + ' ' + std::to_string(which) + '\n';
      if (p > 0) {
        edges += text(count - 1, ' ', count, '\n');
        ++edge_count;
      }
      ++count;
    }
  return text("ply\nformat ascii 1.0\nelement vertex ", count,
              "\nproperty double x\nproperty double y\nproperty double z\nproperty int path\nelement edge ",
              edge_count, "\nproperty int vertex1\nproperty int vertex2\nend_header\n", vertices, edges);
}

std::string csv_text(const std::vector<ShortestPath>& paths, const Numbering& numbering) {
  const Eigen::Index dimensions = paths.empty() ? 0 : paths.front().positions.cols();
  std::string lines = "path,vertex1,weight1,vertex2,weight2,vertex3,weight3";
  for (Eigen::Index k = 0; k < dimensions; ++k)
    lines += dimensions <= 3 ? text(',', "xyz"[k]) : text(",x", k);
  lines += '\n';
  for (std::size_t which = 0; which < paths.size(); ++which)
    for (std::size_t p = 0; p < paths[which].points.size(); ++p) {
      const SurfacePoint& point = paths[which].points[p];
      lines += std::to_string(which);
      for (int k = 0; k < 3; ++k)
        lines += point.weight[k] > 0
                     ? text(',', numbering.number(point.vertex[k]), ',', exact_digits(point.weight[k]))
                     : ",,";
      if (dimensions > 0) lines += ',' + coordinates(paths[which], static_cast<Eigen::Index>(p), ',');
      lines += '\n';
    }
  return lines;
}

std::string json_text(const std::vector<ShortestPath>& paths, const Numbering& numbering) {
  Json all = Json::array();
  for (const ShortestPath& path : paths)
    all.push_back({{"length", std::isfinite(path.length) ? Json(path.length) : Json()},
                   {"exact", path.exact},
                   {"points", points_json(path, numbering)}});
  return Json({{"paths", all}}).dump(1) + '\n';
}

/// The shape, with every path as a red tube.
void draw_paths(const std::string& file, const Shape& shape, const std::vector<ShortestPath>& paths) {
  const auto* polygons = std::get_if<PolygonMesh>(&shape);
  TriangleMesh mesh = polygons ? triangulate(*polygons) : std::get<TriangleMesh>(shape);
  const double size = (mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff()).stableNorm();
  View view;
  view.width = 960;
  view.height = 720;
  Colours colours = Colours::Zero(mesh.points.rows(), 3);
  for (int k = 0; k < 3; ++k) colours.col(k).setConstant(view.colour[static_cast<std::size_t>(k)]);
  for (const ShortestPath& path : paths) add_tube(path.positions, size / 200, {200, 30, 30}, mesh, colours);
  write_png(render(mesh, colours, view), file);
}

}  // namespace

SurfacePoint parse_point(const std::string& words, const Numbering& numbering) {
  if (words.find(':') == std::string::npos)
    return SurfacePoint(numbering.vertex(parse_in<std::int64_t>(words, words)));
  SurfacePoint point(0);
  point.weight = {0, 0, 0};
  std::size_t begin = 0;
  for (std::size_t k = 0; begin <= words.size(); ++k) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = std::string_view(words).substr(begin, end - begin);
    const std::size_t colon = std::min(word.find(':'), word.size());
    if (k == 3 || colon == word.size()) parse_in<double>("", words);
    point.vertex[k] = numbering.vertex(parse_in<std::int64_t>(word.substr(0, colon), words));
    point.weight[k] = parse_in<double>(word.substr(colon + 1), words);
    begin = end + 1;
  }
  return point;
}

std::string point_text(const SurfacePoint& point, const Numbering& numbering) {
  if (point.weight[0] == 1) return std::to_string(numbering.number(point.vertex[0]));
  std::string words;
  for (int k = 0; k < 3; ++k)
    if (point.weight[k] != 0)
      words += text(words.empty() ? "" : ",", numbering.number(point.vertex[k]), ':',
                    exact_digits(point.weight[k]));
  return words;
}

Json points_json(const ShortestPath& path, const Numbering& numbering) {
  Json points = Json::array();
  for (std::size_t p = 0; p < path.points.size(); ++p) {
    Json vertices = Json::array(), weights = Json::array(), position = Json::array();
    for (int k = 0; k < 3; ++k)
      if (path.points[p].weight[k] > 0) {
        vertices.push_back(numbering.number(path.points[p].vertex[k]));
        weights.push_back(path.points[p].weight[k]);
      }
    for (const double x : path.positions.row(static_cast<Eigen::Index>(p))) position.push_back(x);
    points.push_back({{"vertices", vertices}, {"weights", weights}, {"position", position}});
  }
  return points;
}

void require_path_extension(const std::string& path, const Shape& shape) {
  if (path.empty()) return;
  const std::string extension = path.ends_with(".gz") ? "gz" : file_extension(path);
  if (extension == "csv" || extension == "json") return;
  if (extension != "ply" && extension != "obj" && extension != "png")
    throw InputError(
        text("cannot write '", path, "': the extension must be one of .ply, .obj, .csv, .json, .png"));
  if (is_mesh(shape) || (extension != "png" && std::holds_alternative<PointCloud>(shape))) return;
  throw InputError(text("cannot write '", path, "': .", extension, " output requires a mesh",
                        extension == "png" ? "" : " or a point cloud", ", and this shape is of kind '",
                        kind_name(shape), "': write .csv or .json"));
}

void write_paths(const std::string& path, const Shape& shape, const Numbering& numbering,
                 const std::vector<ShortestPath>& paths) {
  const std::string extension = file_extension(path);
  if (extension == "png") return draw_paths(path, shape, paths);
  AtomicFile file(path);
  file.write(extension == "obj"   ? obj_text(paths)
             : extension == "ply" ? ply_text(paths)
             : extension == "csv" ? csv_text(paths, numbering)
                                  : json_text(paths, numbering));
  file.commit();
}

}  // namespace geodome::cli
