/// Stanford PLY: text and both binary encodings; vertices with any further properties, faces of any degree,
/// triangle strips.

#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/ply_header.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

/// Values of a text body, with the interface of BinaryBody.
class TextBody {
 public:
  TextBody(const InputFile& file, const PlyHeader& header) : scanner_(file, {.comment = '\0'}, header.body) {}

  double value(PlyType) { return scanner_.number("a value"); }
  std::int64_t list_length(const PlyProperty&) {
    const std::int64_t length = scanner_.count("the length of a list");
    scanner_.expect(length, 2, "list entries");
    return length;
  }
  bool at_end() { return scanner_.at_end(); }
  [[noreturn]] void fail(const std::string& message) const { scanner_.fail(message); }

 private:
  TextScanner scanner_;
};

class BinaryBody {
 public:
  BinaryBody(const InputFile& file, const PlyHeader& header)
      : content_(file.content),
        cursor_(file, header.encoding == PlyEncoding::big_endian ? ByteOrder::big : ByteOrder::little,
                header.body) {}

  double value(PlyType type) {
    return load_ply_value(type, cursor_.take(size_of(type), "a value"), cursor_.order());
  }
  std::int64_t list_length(const PlyProperty& list) {
    const auto length = static_cast<std::int64_t>(value(list.count_type));
    if (length < 0) cursor_.fail(text("list ", list.name, " has the length ", length));
    cursor_.expect(static_cast<std::uint64_t>(length), size_of(list.type), "list entries");
    return length;
  }
  /// White space and zeros may follow: some programs end or pad their files with them.
  bool at_end() const {
    const std::string_view rest = std::string_view(content_).substr(cursor_.position());
    return rest.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string_view::npos;
  }
  [[noreturn]] void fail(const std::string& message) const { cursor_.fail(message); }

 private:
  const std::string& content_;
  ByteCursor cursor_;
};

struct PlyContent {
  Points points;
  Points normals;
  FaceList faces;
};

/// Three properties that together are a vector: their places among the properties, or -1.
struct VectorPlaces {
  int axis[3];
  bool complete() const { return axis[0] >= 0 && axis[1] >= 0 && axis[2] >= 0; }
};

template <typename Body>
void skip_list(Body& body, const PlyProperty& list) {
  for (std::int64_t left = body.list_length(list); left > 0; --left) body.value(list.type);
}

template <typename Body>
void skip_rows(Body& body, const PlyElement& element) {
  if (element.properties.empty()) return;
  for (std::int64_t row = 0; row < element.rows; ++row)
    for (const PlyProperty& property : element.properties)
      property.is_list ? skip_list(body, property) : static_cast<void>(body.value(property.type));
}

template <typename Body>
void read_vertices(Body& body, const PlyElement& element, PlyContent& content) {
  const VectorPlaces position{{element.find({"x"}), element.find({"y"}), element.find({"z"})}};
  const VectorPlaces normal{{element.find({"nx"}), element.find({"ny"}), element.find({"nz"})}};
  if (!position.complete()) body.fail("the vertices lack a property x, y or z");
  content.points.resize(element.rows, 3);
  content.normals.resize(normal.complete() ? element.rows : 0, 3);

  // Where each property goes: 0–2 position, 3–5 normal, -1 nowhere.
  std::vector<int> target(element.properties.size(), -1);
  for (int axis = 0; axis < 3; ++axis) {
    target[static_cast<std::size_t>(position.axis[axis])] = axis;
    if (normal.complete()) target[static_cast<std::size_t>(normal.axis[axis])] = 3 + axis;
  }
  for (std::int64_t row = 0; row < element.rows; ++row) {
    for (std::size_t i = 0; i < target.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (property.is_list) {
        if (target[i] >= 0) body.fail(text("property ", property.name, " of the vertices is a list"));
        skip_list(body, property);
        continue;
      }
      const double value = body.value(property.type);
      if (target[i] >= 3) {
        content.normals(row, target[i] - 3) = value;
      } else if (target[i] >= 0) {
        content.points(row, target[i]) = value;
      }
    }
  }
}

/// A vertex number. Within strips also -1, which starts a new one; in an unsigned type it is the largest
/// number.
template <typename Body>
Index read_corner(Body& body, PlyType type, bool may_restart) {
  const double value = body.value(type);
  if (value >= 0 && value <= std::numeric_limits<Index>::max() &&
      value == static_cast<double>(static_cast<Index>(value)))
    return static_cast<Index>(value);
  if (may_restart && (value == -1 || value == std::numeric_limits<std::uint32_t>::max())) return -1;
  body.fail(text("vertex number ", value, " is not an integer in [0, 2147483647]"));
}

template <typename Body>
void read_polygon(Body& body, const PlyProperty& list, FaceList& faces) {
  const std::int64_t degree = body.list_length(list);
  if (degree < 3)
    body.fail(text("face ", faces.size(), " has ", degree, " corners; at least three are required"));
  for (std::int64_t corner = 0; corner < degree; ++corner)
    faces.add_corner(read_corner(body, list.type, false));
  faces.end_face();
}

/// Every three consecutive corners are a triangle, every second one turned over. A triangle with a repeated
/// corner only steers the strip.
template <typename Body>
void read_strip(Body& body, const PlyProperty& list, FaceList& faces) {
  Index a = -1;
  Index b = -1;
  bool turned = false;
  for (std::int64_t left = body.list_length(list); left > 0; --left) {
    const Index c = read_corner(body, list.type, true);
    if (c < 0) {
      a = b = -1;
      turned = false;
      continue;
    }
    if (a >= 0) {
      if (a != b && b != c && a != c) turned ? faces.add_triangle(b, a, c) : faces.add_triangle(a, b, c);
      turned = !turned;
    }
    a = b;
    b = c;
  }
}

template <typename Body>
void read_faces(Body& body, const PlyElement& element, bool strips, FaceList& faces) {
  const int corners = element.find({"vertex_indices", "vertex_index"});
  if (element.rows == 0) return;
  if (corners < 0 || !element.properties[static_cast<std::size_t>(corners)].is_list)
    body.fail(text("element ", element.name, " has no list named vertex_indices or vertex_index"));
  if (!strips) faces.reserve(static_cast<std::size_t>(element.rows));
  for (std::int64_t row = 0; row < element.rows; ++row) {
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (static_cast<int>(i) == corners) {
        strips ? read_strip(body, property, faces) : read_polygon(body, property, faces);
      } else if (property.is_list) {
        skip_list(body, property);
      } else {
        body.value(property.type);
      }
    }
  }
}

template <typename Body>
PlyContent read_elements(Body body, const PlyHeader& header) {
  PlyContent content;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") {
      if (content.points.rows() > 0) body.fail("the header has two vertex elements");
      read_vertices(body, element, content);
    } else if (element.name == "face") {
      read_faces(body, element, false, content.faces);
    } else if (element.name == "tristrips") {
      read_faces(body, element, true, content.faces);
    } else {
      skip_rows(body, element);
    }
  }
  if (!body.at_end()) body.fail("data after the last element declared in the header");
  return content;
}

}  // namespace

Match recognise_ply(const InputFile& file) {
  const std::string_view content = file.content;
  return content.starts_with("ply\n") || content.starts_with("ply\r") || content.starts_with("ply ")
             ? Match::certain
             : Match::no;
}

Shape read_ply(const InputFile& file) {
  const PlyHeader header = read_ply_header(file);
  PlyContent content = header.encoding == PlyEncoding::ascii
                           ? read_elements(TextBody(file, header), header)
                           : read_elements(BinaryBody(file, header), header);
  return content.faces.finish(file, std::move(content.points), std::move(content.normals));
}

}  // namespace geodome::internal
