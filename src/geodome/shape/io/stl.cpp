/// STL in text and binary form. The format lists each triangle with its own three positions; positions that
/// are exactly equal become one vertex, numbered by first occurrence.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

constexpr std::size_t header_bytes = 84;
constexpr std::size_t triangle_bytes = 50;

/// Numbers positions by first occurrence: a hash table with open addressing, at most half full.
class VertexMerger {
 public:
  Index number_of(std::array<double, 3> position) {
    for (double& coordinate : position) coordinate += 0.0;  // -0 becomes 0
    if (2 * (size() + 1) > slots_.size()) grow();
    const std::size_t slot = find_slot(position);
    if (slots_[slot] < 0) {
      slots_[slot] = static_cast<std::int64_t>(size());
      coordinates_.insert(coordinates_.end(), position.begin(), position.end());
    }
    // A larger number cannot be stored; to_points then refuses the file.
    return static_cast<Index>(std::min<std::int64_t>(slots_[slot], std::numeric_limits<Index>::max()));
  }
  const std::vector<double>& coordinates() const { return coordinates_; }

 private:
  std::size_t size() const { return coordinates_.size() / 3; }

  std::size_t find_slot(const std::array<double, 3>& position) const {
    std::uint64_t hash = 0;
    for (double coordinate : position) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(coordinate)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] >= 0 && !equals(slots_[slot], position)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  /// By bits, so that a coordinate that is not a number equals itself.
  bool equals(std::int64_t vertex, const std::array<double, 3>& position) const {
    return std::memcmp(&coordinates_[static_cast<std::size_t>(3 * vertex)], position.data(),
                       sizeof position) == 0;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), -1);
    for (std::size_t vertex = 0; vertex < size(); ++vertex) {
      const double* at = &coordinates_[3 * vertex];
      slots_[find_slot({at[0], at[1], at[2]})] = static_cast<std::int64_t>(vertex);
    }
  }

  std::vector<std::int64_t> slots_;  // vertex numbers; -1 is free
  std::vector<double> coordinates_;
};

std::uint64_t announced_triangles(const InputFile& file) {
  return load_value<std::uint32_t>(file.content.data() + header_bytes - 4, ByteOrder::little);
}

/// Binary files often begin with "solid" too, so the length decides.
bool has_binary_length(const InputFile& file) {
  const std::size_t size = file.content.size();
  return size >= header_bytes && size == header_bytes + triangle_bytes * announced_triangles(file);
}

bool begins_as_text(const InputFile& file) {
  TextScanner scanner(file, {.comment = '\0'});
  if (scanner.at_end() || scanner.word("solid") != "solid") return false;
  scanner.next_line();
  if (scanner.at_end()) return false;
  const std::string_view next = scanner.word("facet");
  return next == "facet" || next == "endsolid";
}

Shape read_binary(const InputFile& file) {
  ByteCursor cursor(file, ByteOrder::little);
  cursor.take(header_bytes - 4, "the header");
  const std::uint64_t triangles = cursor.read<std::uint32_t>("the number of triangles");
  cursor.expect(triangles, triangle_bytes, "triangles");
  // A short tail is padding; room for a triangle means that the count is wrong.
  if (cursor.remaining() - triangles * triangle_bytes >= triangle_bytes)
    cursor.fail(text("declares ", triangles, " triangles, but there are bytes for ",
                     cursor.remaining() / triangle_bytes));

  VertexMerger merger;
  FaceList faces;
  faces.reserve(triangles);
  for (std::uint64_t triangle = 0; triangle < triangles; ++triangle) {
    const char* at = cursor.take(triangle_bytes, "a triangle") + 12;  // behind the normal
    for (int corner = 0; corner < 3; ++corner, at += 12) {
      std::array<double, 3> position{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        position[axis] = static_cast<double>(load_value<float>(at + 4 * axis, ByteOrder::little));
      faces.add_corner(merger.number_of(position));
    }
    faces.end_face();
  }
  return faces.finish(file, to_points(merger.coordinates(), file));
}

void expect_word(TextScanner& scanner, std::string_view expected) {
  const std::string_view found = scanner.word(expected);
  if (found != expected) scanner.fail(text("expected '", expected, "', found '", found.substr(0, 40), "'"));
}

void read_facet(TextScanner& scanner, VertexMerger& merger, FaceList& faces) {
  expect_word(scanner, "normal");
  for (int axis = 0; axis < 3; ++axis) scanner.word("a normal");  // not used, and often nonsense
  expect_word(scanner, "outer");
  expect_word(scanner, "loop");
  for (int corner = 0; corner < 3; ++corner) {
    expect_word(scanner, "vertex");
    std::array<double, 3> position{};
    for (double& coordinate : position) coordinate = scanner.number("a coordinate");
    faces.add_corner(merger.number_of(position));
  }
  expect_word(scanner, "endloop");
  expect_word(scanner, "endfacet");
  faces.end_face();
}

Shape read_text(const InputFile& file) {
  VertexMerger merger;
  FaceList faces;
  TextScanner scanner(file, {.comment = '\0'});
  bool inside = false;
  while (!scanner.at_end()) {
    const std::string_view word = scanner.word("a keyword");
    if (word == "facet" && inside) {
      read_facet(scanner, merger, faces);
    } else if (word == "solid" && !inside) {
      inside = true;
      scanner.next_line();  // the rest of the line is a name
    } else if (word == "endsolid" && inside) {
      inside = false;
      scanner.next_line();
    } else {
      scanner.fail(text("expected '", inside ? "facet' or 'endsolid" : "solid", "', found '",
                        word.substr(0, 40), "'"));
    }
  }
  if (inside) scanner.fail("the file ends before 'endsolid'");
  return faces.finish(file, to_points(merger.coordinates(), file));
}

}  // namespace

Match recognise_stl(const InputFile& file) {
  if (has_binary_length(file) && announced_triangles(file) > 0) return Match::certain;
  return begins_as_text(file) ? Match::certain : Match::no;
}

Shape read_stl(const InputFile& file) {
  return !has_binary_length(file) && begins_as_text(file) ? read_text(file) : read_binary(file);
}

}  // namespace geodome::internal
