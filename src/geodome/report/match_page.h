#pragma once
/// One page, complete in itself, that shows how a set of shapes compares.

#include <array>
#include <string>
#include <vector>

#include "geodome/comparison/table.h"

namespace geodome::internal {

/// Everything a page shows; vectors have one entry per shape.
struct MatchPage {
  std::vector<std::string> names;
  std::vector<std::string> labels;
  RowMatrix<double> distances;           ///< n by n
  RowMatrix<bool> estimated;             ///< n by n, or empty where no distance is
  RowMatrix<double> map;                 ///< n by 2
  std::vector<std::string> pictures;     ///< PNG files, or empty text where there is none
  std::vector<std::string> map_picture;  ///< none or one PNG file, that of draw_map_picture
  std::array<int, 2> small_picture{};    ///< width and height of the pictures on it
  std::vector<std::string> facts;        ///< sentences for the head of the page
};

/// HTML with pictures inside: the map, the table as a heat map, and the shapes with their nearest. Throws
/// FileError when a picture cannot be read, InputError when numbers differ.
std::string make_match_page(const MatchPage& page);

}  // namespace geodome::internal
