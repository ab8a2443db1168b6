// SRTM elevation tiles: one degree by one degree of heights in metres as big-endian 16-bit integers, the
// northern row first, 1201 or 3601 to a side. The file's name says where: N57E011 is the south-western
// corner.
//
// The tile becomes a surface in metres: x east, y north, z up, the origin at the south-western corner. The
// earth is taken as flat within the tile, with the cell size of its middle latitude on the WGS 84 ellipsoid.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <optional>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

constexpr std::int16_t no_height = -32768;

Index side_of(const InputFile& file) {
  for (Index side : {1201, 3601}) {
    if (file.content.size() ==
        std::size_t{2} * static_cast<std::size_t>(side) * static_cast<std::size_t>(side)) {
      return side;
    }
  }
  return 0;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// The latitude of the southern border, in degrees, from a name that contains N57E011 or the like.
std::optional<int> southern_latitude(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  for (std::size_t i = 0; i + 7 <= name.size(); ++i) {
    const bool north = name[i] == 'N' || name[i] == 'n';
    const bool south = name[i] == 'S' || name[i] == 's';
    const bool side = std::string_view("EeWw").find(name[i + 3]) != std::string_view::npos;
    bool digits = true;
    for (int at : {1, 2, 4, 5, 6}) digits = digits && is_digit(name[i + static_cast<std::size_t>(at)]);
    if (!(north || south) || !side || !digits) continue;
    const int degrees = 10 * (name[i + 1] - '0') + (name[i + 2] - '0');
    if (degrees <= 90) return north ? degrees : -degrees;
  }
  return std::nullopt;
}

struct CellSize {
  double east;
  double north;
};

// Metres between neighbours, from the two radii of curvature of the WGS 84 ellipsoid.
CellSize cell_size(double latitude_degrees, Index side) {
  constexpr double radius = 6378137;
  constexpr double squared_eccentricity = 6.69437999014e-3;
  const double degree = std::numbers::pi / 180;
  const double latitude = latitude_degrees * degree;
  const double flattening = 1 - squared_eccentricity * std::sin(latitude) * std::sin(latitude);
  const double across = radius / std::sqrt(flattening);
  const double along = across * (1 - squared_eccentricity) / flattening;
  const double step = degree / (side - 1);
  return {across * std::cos(latitude) * step, along * step};
}

}  // namespace

// A length proves little, so the extension has to agree.
Match recognise_hgt(const InputFile& file) {
  return side_of(file) != 0 && file.extension == "hgt" ? Match::possible : Match::no;
}

Shape read_hgt(const InputFile& file) {
  const ByteCursor start(file, ByteOrder::big);
  const Index side = side_of(file);
  if (side == 0) {
    start.fail(text("an SRTM tile has 2884802 bytes (1201 by 1201) or 25934402 (3601 by 3601), not ",
                    file.content.size()));
  }
  const std::optional<int> latitude = southern_latitude(file.path);
  if (!latitude) start.fail("the name of an SRTM tile must contain its position, such as N57E011.hgt");
  const CellSize cell = cell_size(*latitude + 0.5, side);

  TriangleMesh mesh;
  mesh.points.resize(Eigen::Index{side} * side, 3);
  std::vector<char> known(static_cast<std::size_t>(mesh.points.rows()));
  for (Index row = 0; row < side; ++row) {
    for (Index column = 0; column < side; ++column) {
      const std::size_t v =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column);
      const auto height = load_value<std::int16_t>(file.content.data() + 2 * v, ByteOrder::big);
      known[v] = height != no_height;
      mesh.points.row(static_cast<Eigen::Index>(v)) << column * cell.east, (side - 1 - row) * cell.north,
          known[v] ? height : 0;
    }
  }

  mesh.triangles.resize(2 * Eigen::Index{side - 1} * (side - 1), 3);
  Eigen::Index faces = 0;
  const auto add = [&](Index a, Index b, Index c) {
    const auto is_known = [&](Index v) { return known[static_cast<std::size_t>(v)] != 0; };
    if (is_known(a) && is_known(b) && is_known(c)) mesh.triangles.row(faces++) << a, b, c;
  };
  for (Index row = 0; row + 1 < side; ++row) {
    for (Index column = 0; column + 1 < side; ++column) {
      const Index north_west = row * side + column;
      const Index north_east = north_west + 1;
      const Index south_west = north_west + side;
      const Index south_east = south_west + 1;
      // Alternating diagonals favour no direction.
      if ((row + column) % 2 == 0) {
        add(north_west, south_west, north_east);
        add(north_east, south_west, south_east);
      } else {
        add(north_west, south_west, south_east);
        add(north_west, south_east, north_east);
      }
    }
  }
  if (faces < mesh.triangles.rows()) mesh.triangles.conservativeResize(faces, 3);
  return mesh;
}

}  // namespace geodome::internal
