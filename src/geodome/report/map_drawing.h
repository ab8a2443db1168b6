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

/// `map` is n by 2, one row for each name and label. Equal scales along both axes. The text is one <svg>
/// element that can stand alone or in a page. Throws InputError when the numbers differ.
std::string draw_map_svg(const RowMatrix<double>& map, const std::vector<std::string>& names,
                         const std::vector<std::string>& labels);

/// The same with a small picture at each place, without its background (that of View), over a dot in the
/// colour of its label. Throws InputError when numbers or sizes of pictures differ.
Image draw_map_picture(const RowMatrix<double>& map, const std::vector<std::string>& labels,
                       const std::vector<Image>& pictures);

}  // namespace geodome::internal
