/// Geomview OFF in text form, with the variants that add colours, normals and texture coordinates.

#include <optional>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

struct OffVariant {
  bool normals = false;
  bool colours_or_texture = false;
  bool other_dimension = false;
};

/// The first word of the file, [ST][C][N][4][n]OFF; nothing if it is not one.
std::optional<OffVariant> parse_variant(std::string_view word) {
  OffVariant variant;
  auto skip = [&word](std::string_view prefix) {
    const bool found = word.starts_with(prefix);
    if (found) word.remove_prefix(prefix.size());
    return found;
  };
  variant.colours_or_texture |= skip("ST");
  variant.colours_or_texture |= skip("C");
  variant.normals = skip("N");
  variant.other_dimension |= skip("4");
  variant.other_dimension |= skip("n");
  if (word != "OFF") return std::nullopt;
  return variant;
}

struct OffHeader {
  OffVariant variant;
  std::int64_t vertices = 0;
  std::int64_t faces = 0;
};

OffHeader read_header(TextScanner& scanner) {
  OffHeader header;
  TextScanner behind_keyword = scanner;
  // The keyword may be left out: the file then begins with the counts.
  if (!behind_keyword.at_end()) {
    if (const auto variant = parse_variant(behind_keyword.word("the keyword OFF"))) {
      header.variant = *variant;
      scanner = behind_keyword;
    }
  }
  if (header.variant.other_dimension)
    scanner.fail("only shapes in three dimensions are supported (OFF, not 4OFF or nOFF)");
  if (scanner.rest_of_line().starts_with("BINARY"))
    scanner.fail("binary OFF is not supported; convert it to text OFF or PLY");

  header.vertices = scanner.count("the number of vertices");
  const bool one_per_line = scanner.at_line_end();
  header.faces = scanner.count("the number of faces");
  // The number of edges means nothing and is sometimes left out.
  if (one_per_line || !scanner.at_line_end()) scanner.integer("the number of edges");
  return header;
}

/// Whether each vertex has a line of its own whose end, not its third number, ends it. So it is where colours
/// or texture coordinates follow: they have no fixed length. Some programs write them without saying so in
/// the keyword; the file then has a line for each vertex and face, and more than three numbers in the first.
bool one_vertex_per_line(TextScanner scanner, const OffHeader& header) {
  if (header.variant.colours_or_texture) return true;
  if (header.variant.normals || scanner.at_end()) return false;
  for (int axis = 0; axis < 3 && !scanner.at_line_end(); ++axis) scanner.word("a coordinate");
  if (scanner.at_line_end()) return false;
  std::int64_t lines = 0;
  for (; lines < header.vertices + header.faces && !scanner.at_end(); ++lines) scanner.next_line();
  return lines == header.vertices + header.faces;
}

void read_face(TextScanner& scanner, FaceList& faces) {
  const std::int64_t degree = scanner.count("the number of corners");
  if (degree < 3)
    scanner.fail(text("face ", faces.size(), " has ", degree, " corners; at least three are required",
                      " (or the number of vertices in the header is wrong)"));
  scanner.expect(degree, 2, "corners");
  for (std::int64_t corner = 0; corner < degree; ++corner)
    faces.add_corner(static_cast<Index>(scanner.count("a corner")));
  faces.end_face();
  scanner.next_line();  // what remains is the face's colour
}

}  // namespace

Match recognise_off(const InputFile& file) {
  TextScanner scanner(file);
  if (scanner.at_end()) return Match::no;
  const std::string_view word = scanner.word("the keyword OFF");
  if (parse_variant(word)) return Match::certain;
  std::int64_t vertices = 0;
  return parse_integer(word, vertices) && vertices > 0 && file.extension == "off" ? Match::possible
                                                                                  : Match::no;
}

Shape read_off(const InputFile& file) {
  TextScanner scanner(file);
  const OffHeader header = read_header(scanner);
  scanner.expect(header.vertices, 6, "vertices");
  scanner.expect(header.faces, 8, "faces");

  const bool by_line = one_vertex_per_line(scanner, header);
  Points points(header.vertices, 3);
  Points normals(header.variant.normals ? header.vertices : 0, 3);
  for (Eigen::Index vertex = 0; vertex < points.rows(); ++vertex) {
    for (int axis = 0; axis < 3; ++axis) points(vertex, axis) = scanner.number("a coordinate");
    if (header.variant.normals)
      for (int axis = 0; axis < 3; ++axis) normals(vertex, axis) = scanner.number("a normal");
    if (by_line) scanner.next_line();
  }

  FaceList faces;
  faces.reserve(static_cast<std::size_t>(header.faces));
  for (std::int64_t face = 0; face < header.faces; ++face) read_face(scanner, faces);
  if (!scanner.at_end())
    scanner.fail(text("data after the declared ", header.vertices, " vertices and ", header.faces, " faces"));
  return faces.finish(file, std::move(points), std::move(normals));
}

}  // namespace geodome::internal
