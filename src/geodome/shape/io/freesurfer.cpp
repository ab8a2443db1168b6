// FreeSurfer's binary surfaces, all big endian: triangles (magic 0xFFFFFE, two comment lines, 32-bit floats),
// and the two older forms made of quadrangles (0xFFFFFF with 16-bit hundredths, 0xFFFFFD with floats; 3-byte
// indices).

#include <cstdint>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/numbers.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

constexpr std::uint32_t triangle_magic = 0xFFFFFE;
constexpr std::uint32_t quad_magic = 0xFFFFFF;
constexpr std::uint32_t float_quad_magic = 0xFFFFFD;

std::uint32_t three_bytes(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  return byte(0) << 16 | byte(1) << 8 | byte(2);
}

std::uint32_t magic_of(const InputFile& file) {
  return file.content.size() < 3 ? 0 : three_bytes(file.content.data());
}

Points read_points(ByteCursor& cursor, std::size_t vertices, NumberType type, double unit) {
  cursor.expect(vertices, 3 * number_size(type), "vertices");
  Points points(static_cast<Eigen::Index>(vertices), 3);
  const char* bytes = cursor.take(vertices * 3 * number_size(type), "the vertices");
  decode_numbers(bytes, 3 * vertices, type, ByteOrder::big, points.data());
  return points * unit;
}

Shape read_triangles(const InputFile& file) {
  ByteCursor start(file, ByteOrder::big, 3);
  std::size_t comments_end = 2;
  for (int line = 0; line < 2; ++line) {
    comments_end = file.content.find('\n', comments_end + 1);
    if (comments_end == std::string::npos)
      start.fail("the two comment lines of a FreeSurfer surface do not end");
  }
  ByteCursor cursor(file, ByteOrder::big, comments_end + 1);
  const auto vertices = cursor.read<std::int32_t>("the number of vertices");
  const auto triangles = cursor.read<std::int32_t>("the number of triangles");
  if (vertices < 0 || triangles < 0) {
    cursor.fail(text("declares ", vertices, " vertices and ", triangles, " triangles"));
  }
  Points points = read_points(cursor, static_cast<std::size_t>(vertices), NumberType::float32, 1);
  cursor.expect(static_cast<std::uint64_t>(triangles), 12, "triangles");
  FaceList faces;
  faces.reserve(static_cast<std::size_t>(triangles));
  for (std::int32_t f = 0; f < triangles; ++f) {
    const auto a = cursor.read<std::int32_t>("a triangle");
    const auto b = cursor.read<std::int32_t>("a triangle");
    const auto c = cursor.read<std::int32_t>("a triangle");
    faces.add_triangle(a, b, c);
  }
  return faces.finish(file, std::move(points));
}

Shape read_quads(const InputFile& file, NumberType type, double unit) {
  ByteCursor cursor(file, ByteOrder::big, 3);
  const std::uint32_t vertices = three_bytes(cursor.take(3, "the number of vertices"));
  const std::uint32_t quads = three_bytes(cursor.take(3, "the number of quadrangles"));
  Points points = read_points(cursor, vertices, type, unit);
  cursor.expect(quads, 12, "quadrangles");
  FaceList faces;
  for (std::uint32_t f = 0; f < quads; ++f) {
    for (int corner = 0; corner < 4; ++corner) {
      faces.add_corner(static_cast<Index>(three_bytes(cursor.take(3, "a quadrangle"))));
    }
    faces.end_face();
  }
  return faces.finish(file, std::move(points));
}

// Three bytes of ones open many files, so the sizes must fit the length too.
bool quads_fit(const InputFile& file, std::uint64_t bytes_per_vertex) {
  if (file.content.size() < 9) return false;
  const std::uint64_t vertices = three_bytes(file.content.data() + 3);
  const std::uint64_t quads = three_bytes(file.content.data() + 6);
  return vertices > 0 && 9 + vertices * bytes_per_vertex + quads * 12 == file.content.size();
}

}  // namespace

Match recognise_freesurfer(const InputFile& file) {
  switch (magic_of(file)) {
    case triangle_magic:
      return Match::certain;
    case quad_magic:
      return quads_fit(file, 6) ? Match::certain : Match::no;
    case float_quad_magic:
      return quads_fit(file, 12) ? Match::certain : Match::no;
    default:
      return Match::no;
  }
}

Shape read_freesurfer(const InputFile& file) {
  switch (magic_of(file)) {
    case triangle_magic:
      return read_triangles(file);
    case quad_magic:
      return read_quads(file, NumberType::int16, 0.01);
    case float_quad_magic:
      return read_quads(file, NumberType::float32, 1);
    default:
      ByteCursor(file, ByteOrder::big).fail("a FreeSurfer surface begins with the bytes ff ff fe");
  }
}

}  // namespace geodome::internal
