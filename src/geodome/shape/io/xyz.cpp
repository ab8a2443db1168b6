// Point lists: x y z, or x y z and a normal, one point per line, in any of the ways LineReader splits. The
// first line may be the number of points, or words that name the columns.

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/lines.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

struct Rows {
  std::vector<double> points;
  std::vector<double> extras;  // the other three columns, if there are six
};

Rows read_rows(const InputFile& file) {
  LineReader lines(file);
  Rows rows;
  std::vector<double> values;
  std::size_t columns = 0;
  std::int64_t announced = -1;
  while (lines.next()) {
    if (!lines.numbers(values)) {
      if (lines.first()) continue;
      lines.fail("a point must be three or six numbers");
    }
    if (lines.first() && values.size() == 1) {
      if (!parse_integer(lines.words()[0], announced) || announced < 0)
        lines.fail("invalid number of points");
      continue;
    }
    if (values.size() != 3 && values.size() != 6) {
      lines.fail(text("a point has three numbers (x y z) or six (x y z and a normal), not ", values.size()));
    }
    if (columns != 0 && values.size() != columns) {
      lines.fail(text(values.size(), " numbers, but the points before have ", columns));
    }
    columns = values.size();
    rows.points.insert(rows.points.end(), values.begin(), values.begin() + 3);
    rows.extras.insert(rows.extras.end(), values.begin() + 3, values.end());
  }
  const std::int64_t found = static_cast<std::int64_t>(rows.points.size() / 3);
  if (announced >= 0 && announced != found) {
    lines.fail(text("the first line declares ", announced, " points, but the file contains ", found));
  }
  if (found == 0) lines.fail("there are no points in the file");
  return rows;
}

// Scanners write colours where others write normals: whole numbers from 0 to 255, not all of them 0 or 1.
bool are_colours(const std::vector<double>& extras) {
  bool large = false;
  for (double value : extras) {
    if (!(value >= 0 && value <= 255) || value != std::floor(value)) return false;
    large = large || value > 1;
  }
  return large;
}

}  // namespace

Match recognise_xyz(const InputFile& file) {
  const TextLook look = look_at_text(file);
  const bool fits = look.columns == 6 || (look.columns == 3 && look.integers < 2);
  return fits && !look.commas ? Match::possible : Match::no;
}

Shape read_xyz(const InputFile& file) {
  const Rows rows = read_rows(file);
  PointCloud cloud;
  cloud.points = to_points(rows.points, file);
  if (!rows.extras.empty() && !are_colours(rows.extras)) cloud.normals = to_points(rows.extras, file);
  return cloud;
}

}  // namespace geodome::internal
