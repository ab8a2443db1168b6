#pragma once
/// Drawings of a map of shapes: as SVG with names, and as a picture with the shapes themselves in their
/// places.

#include <array>
#include <string>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/report/picture.h"

namespace geodome::internal {

/// A colour for each label, the same for equal labels; twelve that are easy to tell apart, then again.
std::vector<std::array<std::uint8_t, 3>> label_colours(const std::vector<std::string>& labels);

/// More names or pictures of shapes cover each other on a map.
inline constexpr std::size_t most_named_shapes = 60;

/// `map` is n by 2, one row for each name and label. Of more than `most_named_shapes` shapes the labels are
/// written, once each, and names are shown as tooltips. Equal scales along both axes. The text is one <svg>
/// element that can stand alone or in a page. Throws InputError when the numbers differ.
std::string draw_map_svg(const RowMatrix<double>& map, const std::vector<std::string>& names,
                         const std::vector<std::string>& labels);

/// Where small pictures of equal size go on a large one: at their places on the map, or above or below them
/// where they would cover others. The large one is as high as it has to be.
struct MapLayout {
  int width = 0;
  int height = 0;
  std::vector<std::array<int, 2>> centre;
};

MapLayout lay_out_pictures(const RowMatrix<double>& map, int picture_width, int picture_height);

/// A small picture at each place, without its background (that of View), over a dot in the colour of its
/// label. Throws InputError when numbers or sizes of pictures differ.
Image draw_map_picture(const RowMatrix<double>& map, const std::vector<std::string>& labels,
                       const std::vector<Image>& pictures);

/// That picture as an <svg> element with the names under the small ones. `address` is that of the picture.
std::string name_map_picture(const MapLayout& layout, int picture_height, const std::string& address,
                             const std::vector<std::string>& names);

}  // namespace geodome::internal
