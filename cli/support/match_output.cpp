#include "support/match_output.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <variant>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/comparison/correspondence.h"
#include "geodome/geodesic/factory.h"
#include "geodome/report/canonical_shape.h"
#include "geodome/report/map_drawing.h"
#include "geodome/report/match_page.h"
#include "geodome/report/picture.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/triangulate.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

std::string in(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

void write_text(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

/// A field of a table, quoted where it has to be.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string digits(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

/// Estimates are marked by ~, so that they are not read as measured distances by mistake.
std::string distance_table(const MatchResult& result) {
  std::string table = "name";
  for (const ShapeForm& form : result.forms) table += "," + quoted(form.name);
  table += '\n';
  for (std::size_t i = 0; i < result.forms.size(); ++i) {
    table += quoted(result.forms[i].name);
    for (std::size_t j = 0; j < result.forms.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      table += result.table.estimated(row, column) ? ",~" : ",";
      table += digits(result.table.distances(row, column));
    }
    table += '\n';
  }
  return table;
}

std::string map_table(const MatchResult& result) {
  std::string table = "name,label,x,y\n";
  for (std::size_t i = 0; i < result.forms.size(); ++i)
    table += quoted(result.forms[i].name) + "," + quoted(result.labels[i]) + "," +
             digits(result.map(static_cast<Eigen::Index>(i), 0)) + "," +
             digits(result.map(static_cast<Eigen::Index>(i), 1)) + "\n";
  return table;
}

/// Turned so that the chosen axis points up, the others keeping their order.
TriangleMesh upright(TriangleMesh mesh, const std::string& up) {
  const Points before = mesh.points;
  if (up == "y") mesh.points << before.col(2), before.col(0), before.col(1);
  if (up == "x") mesh.points << before.col(1), before.col(2), before.col(0);
  return mesh;
}

/// The mesh of a shape that has faces.
const TriangleMesh* faces_of(const Shape& shape, TriangleMesh& storage) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return mesh;
  const auto* polygons = std::get_if<PolygonMesh>(&shape);
  if (polygons == nullptr) return nullptr;
  storage = triangulate(*polygons);
  return &storage;
}

struct Pictures {
  std::string path;  ///< of the large one; empty for a shape that has no faces
  Image small;
};

/// Width and height of the pictures on the map: the fewer, the larger.
std::array<int, 2> small_size(std::size_t shapes) {
  if (shapes <= 4) return {360, 270};
  if (shapes <= 12) return {240, 180};
  return {150, 120};
}

/// The shape and its form side by side, both in canonical colours, and a small picture of the shape.
Pictures draw(const ShapeForm& form, const std::string& folder, const MatchPictureOptions& options,
              std::array<int, 2> small) {
  const auto [small_width, small_height] = small;
  Pictures pictures;
  pictures.small = {
      small_width, small_height,
      std::vector<std::uint8_t>(
          static_cast<std::size_t>(3) * static_cast<std::size_t>(small_width * small_height), 230)};
  const Shape shape = clean_shape(read_shape(form.path)).shape;
  TriangleMesh storage;
  const TriangleMesh* mesh = faces_of(shape, storage);
  if (mesh == nullptr || form.Z.cols() < 1) return pictures;
  const std::vector<Index> whole(static_cast<std::size_t>(form.Z.rows()), 0);
  const Colours colours = canonical_colours(form.Z, whole);
  const TriangleMesh standing = upright(*mesh, options.up);
  const TriangleMesh canonical = std::get<TriangleMesh>(canonical_shape(*mesh, form.Z));
  View view;
  view.width = view.height = 360;
  pictures.path = in(folder, "pictures/" + form.name + ".png");
  write_png(arrange({render(standing, colours, view), render(canonical, colours, view)}, 2), pictures.path);
  view.width = small_width;
  view.height = small_height;
  pictures.small = render(standing, colours, view);
  return pictures;
}

}  // namespace

void make_match_folders(const std::string& folder) {
  for (const char* inside : {"", "forms", "pictures"}) {
    std::error_code error;
    std::filesystem::create_directories(in(folder, inside), error);
    if (error)
      throw FileError(text("cannot create the folder '", in(folder, inside), "': ", error.message()));
  }
}

void write_match(const std::string& folder, const MatchResult& result, const MatchPictureOptions& options,
                 const Execution& execution) {
  MatchPage page;
  std::vector<Image> small(result.forms.size());
  page.pictures.resize(result.forms.size());
  page.small_picture = small_size(result.forms.size());
  parallel_for(result.forms.size(), execution, "drawing", [&](std::size_t k, int) {
    Pictures pictures = draw(result.forms[k], folder, options, page.small_picture);
    page.pictures[k] = std::move(pictures.path);
    small[k] = std::move(pictures.small);
  });
  for (const ShapeForm& form : result.forms) page.names.push_back(form.name);
  page.labels = result.labels;
  page.distances = result.table.distances;
  page.estimated = result.table.estimated;
  page.map = result.map;
  write_text(in(folder, "distances.csv"), distance_table(result));
  write_text(in(folder, "map.csv"), map_table(result));
  write_text(in(folder, "map.svg"), draw_map_svg(result.map, page.names, page.labels));
  write_png(draw_map_picture(result.map, page.labels, small), in(folder, "map.png"));
  page.map_picture = {in(folder, "map.png")};
  const CategoryAccuracy accuracy = category_accuracy(page.distances, page.labels);
  page.facts.push_back(text(page.names.size(),
                            " shapes. Distances are in units of the mean radius of the canonical forms (",
                            digits(result.table.scale), " in the units of the shapes)."));
  if (accuracy.of > 0)
    page.facts.push_back(text(accuracy.right, " of ", accuracy.of,
                              " shapes with others of their category are nearest to one of them."));
  if (page.estimated.any()) {
    const std::size_t pairs = page.names.size() * (page.names.size() - 1) / 2;
    page.facts.push_back(text(result.table.aligned_pairs, " of ", pairs,
                              " pairs, those most similar by simple measures, were aligned. The distances of "
                              "the others, marked ~, are estimated."));
  }
  write_text(in(folder, "index.html"), make_match_page(page));
}

Json write_correspondences(const std::string& folder, const MatchResult& result, std::uint64_t seed,
                           const Execution& execution) {
  std::error_code error;
  std::filesystem::create_directories(in(folder, "correspondences"), error);
  if (error) throw FileError(text("cannot create '", in(folder, "correspondences"), "': ", error.message()));
  Json all = Json::array();
  const std::vector<Index> nearest = nearest_shapes(result.table.distances);
  for (std::size_t k = 0; k < result.forms.size(); ++k) {
    execution.report("correspondences", static_cast<double>(k) / static_cast<double>(result.forms.size()));
    const ShapeForm &from = result.forms[k], &to = result.forms[nearest[k]];
    const FormSamples from_samples(from.Z), to_samples(to.Z);
    const Alignment alignment = align(from_samples, to_samples);
    const std::vector<Index> matches = correspondence(alignment.apply(from.Z), to_samples.tree(), execution);
    const std::string path = in(folder, "correspondences/" + from.name + "-to-" + to.name + ".npy");
    write_npy(Eigen::Map<const RowMatrix<std::int32_t>>(matches.data(),
                                                        static_cast<Eigen::Index>(matches.size()), 1),
              path);
    Json one = {{"from", from.name}, {"to", to.name}, {"file", path}};
    if (from.vertices == to.vertices) {
      GeodesicOptions geodesic;
      constexpr Index points = 200;
      geodesic.expected_sources = points;
      const auto solver = make_solver(clean_shape(read_shape(to.path)).shape, geodesic, execution);
      const CorrespondenceError measured = correspondence_error(matches, *solver, points, seed, execution);
      one["mean_error"] = measured.mean;
      one["median_error"] = measured.median;
      one["p90_error"] = measured.p90;
      one["diameter"] = measured.extent;
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace geodome::cli
