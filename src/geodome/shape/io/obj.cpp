/// Wavefront OBJ: vertices, normals and faces; everything else (texture, groups, lines, materials) is no part
/// of a shape and is skipped.

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

constexpr TextStyle obj_style{.comment = '#', .continuation = true};

void read_three(TextScanner& scanner, std::vector<double>& values, std::string_view what) {
  for (int axis = 0; axis < 3; ++axis) {
    if (scanner.at_line_end()) scanner.fail(text(what, " has ", axis, " numbers; three are required"));
    values.push_back(scanner.number(what));
  }
}

/// The vertex of a corner written v, v/t, v//n or v/t/n: zero based. A negative number counts back from the
/// last vertex so far.
Index corner_vertex(TextScanner& scanner, std::int64_t vertices_so_far) {
  const std::string_view corner = scanner.word("a corner");
  std::int64_t number = 0;
  if (!parse_integer(corner.substr(0, corner.find('/')), number))
    scanner.fail(text("a corner should begin with a vertex number, not '", corner.substr(0, 40), "'"));
  if (number > std::numeric_limits<Index>::max())
    scanner.fail(text("vertex ", number, " is beyond the largest possible, 2147483647"));
  if (number == 0) scanner.fail("vertex 0 does not exist: vertices are numbered from 1");
  if (number < -vertices_so_far)
    scanner.fail(text("vertex ", number, " counts back beyond the first of ", vertices_so_far, " vertices"));
  return static_cast<Index>(number > 0 ? number - 1 : vertices_so_far + number);
}

void read_face(TextScanner& scanner, std::int64_t vertices_so_far, FaceList& faces) {
  while (!scanner.at_line_end()) faces.add_corner(corner_vertex(scanner, vertices_so_far));
  if (faces.open_corners() < 3)
    scanner.fail(text("a face has ", faces.open_corners(), " corners; at least three are required"));
  faces.end_face();
}

}  // namespace

Match recognise_obj(const InputFile& file) {
  static constexpr std::array<std::string_view, 14> keywords = {
      "v", "vn", "vt", "vp", "f", "o", "g", "s", "l", "p", "mtllib", "usemtl", "usemap", "maplib"};
  TextScanner scanner(file, obj_style);
  // A vertex among the first lines, and nothing that OBJ does not have.
  for (int line = 0; line < 100 && !scanner.at_end(); ++line) {
    const std::string_view keyword = scanner.word("a keyword");
    if (std::find(keywords.begin(), keywords.end(), keyword) == keywords.end()) return Match::no;
    double x = 0;
    if (keyword == "v" && !scanner.at_line_end() && parse_number(scanner.word("x"), x)) return Match::certain;
    scanner.next_line();
  }
  return Match::no;
}

Shape read_obj(const InputFile& file) {
  std::vector<double> points;
  std::vector<double> normals;
  FaceList faces;
  TextScanner scanner(file, obj_style);
  while (!scanner.at_end()) {
    const std::string_view keyword = scanner.word("a keyword");
    if (keyword == "v") {
      read_three(scanner, points, "a vertex");
    } else if (keyword == "vn") {
      read_three(scanner, normals, "a normal");
    } else if (keyword == "f" || keyword == "fo") {
      read_face(scanner, static_cast<std::int64_t>(points.size() / 3), faces);
    }
    scanner.next_line();
  }
  return faces.finish(file, to_points(points, file), to_points(normals, file), 1);
}

}  // namespace geodome::internal
