#include "geodome/report/match_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/report/map_drawing.h"
#include "report/count_of.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

Image plain(int width, int height, std::uint8_t grey) {
  return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height), grey)};
}

TEST(MapDrawing, PutsEveryShapeWhereTheMapSays) {
  RowMatrix<double> map(3, 2);
  map << 0, 0, 10, 0, 0, 4;
  const std::string svg = draw_map_svg(map, {"a", "b<", "c"}, {"x", "y", "x"});
  EXPECT_EQ(count_of("<circle", svg), 3u);
  EXPECT_EQ(count_of("b&lt;", svg), 2u);
  EXPECT_EQ(svg.find("b<"), std::string::npos);
  EXPECT_THROW(draw_map_svg(map, {"a"}, {"x"}), InputError);
  const Image image =
      draw_map_picture(map, {"x", "y", "x"}, {plain(20, 10, 1), plain(20, 10, 2), plain(20, 10, 3)});
  std::array<int, 4> seen = {};
  for (std::size_t k = 0; k < image.rgb.size(); k += 3)
    if (image.rgb[k] < 4 && image.rgb[k] == image.rgb[k + 1]) ++seen[image.rgb[k]];
  for (int grey = 1; grey <= 3; ++grey) EXPECT_GE(seen[grey], 100) << "of 200, less the dot";
  EXPECT_THROW(draw_map_picture(map, {"x", "y", "x"}, {plain(20, 10, 1), plain(20, 10, 2), plain(9, 9, 3)}),
               InputError);
  const auto colours = label_colours({"x", "y", "x"});
  EXPECT_EQ(colours[0], colours[2]);
  EXPECT_NE(colours[0], colours[1]);
  // One shape, or all in one place, is drawn too.
  EXPECT_EQ(count_of("<circle", draw_map_svg(RowMatrix<double>::Zero(1, 2), {"a"}, {"a"})), 1u);
}

TEST(MapDrawing, DrawsNoPictureOverAnother) {
  constexpr int wide = 150, high = 120;
  for (const Index count : {1, 2, 5, 30}) {
    RowMatrix<double> map = RowMatrix<double>::Random(count, 2);
    if (count > 4) map.topRows(4).setZero();  // some in one place
    const MapLayout layout = lay_out_pictures(map, wide, high);
    ASSERT_EQ(layout.centre.size(), static_cast<std::size_t>(count));
    int lowest = layout.height;
    for (std::size_t i = 0; i < layout.centre.size(); ++i) {
      const auto [x, y] = layout.centre[i];
      lowest = std::min(lowest, y);
      EXPECT_GE(x, wide / 2);
      EXPECT_LE(x, layout.width - wide / 2);
      EXPECT_GE(y, high / 2);
      EXPECT_LE(y, layout.height - high / 2);
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_TRUE(std::abs(x - layout.centre[j][0]) >= 0.79 * wide ||
                    std::abs(y - layout.centre[j][1]) >= high)
            << i << " and " << j << " of " << count;
    }
    EXPECT_LT(lowest, high) << "no empty space above";
    const std::string svg =
        name_map_picture(layout, high, "data:,", std::vector<std::string>(layout.centre.size(), "a<b"));
    EXPECT_EQ(count_of("a&lt;b</text>", svg), static_cast<std::size_t>(count));
  }
}

TEST(MapDrawing, WritesNoNameOverAnother) {
  RowMatrix<double> map(4, 2);
  map << 0, 0, 0, 0, 0.001, 0, 1, 0;
  const std::string svg = draw_map_svg(map, {"first", "second", "third", "far"}, {"x", "x", "x", "x"});
  std::vector<double> heights;
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1))
    heights.push_back(std::stod(svg.substr(svg.find("y=\"", at) + 3)));
  ASSERT_EQ(heights.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE(std::abs(heights[i] - heights[j]), 12);
  EXPECT_EQ(heights[3], heights[0]);
}

TEST(MatchPage, HoldsEverythingAndNeedsNothingElse) {
  const testing::TemporaryFolder folder;
  MatchPage page;
  page.names = {"cat1", "cat<2>", "dog"};
  page.labels = {"cat", "cat", "dog"};
  page.distances.resize(3, 3);
  page.distances << 0, 0.125, 0.5, 0.125, 0, 0.75, 0.5, 0.75, 0;
  page.map = RowMatrix<double>::Random(3, 2);
  write_png(plain(3, 2, 7), folder / "p.png");
  page.pictures = {folder / "p.png", "", folder / "p.png"};
  page.facts = {"three & more"};
  const std::string html = make_match_page(page);
  EXPECT_EQ(count_of("data:image/png;base64,iVBORw0KGgo", html), 2u);
  EXPECT_EQ(count_of("<svg", html), 1u);
  EXPECT_EQ(count_of("<td", html), 9u);
  EXPECT_EQ(count_of("class=\"near\"", html), 3u);
  EXPECT_EQ(count_of("class=\"wrong\"", html), 1u);  // the dog's nearest is a cat
  EXPECT_EQ(html.find("cat<2>"), std::string::npos);
  EXPECT_NE(html.find("three &amp; more"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(count_of(">~0.", html), 0u);
  page.estimated = RowMatrix<bool>::Constant(3, 3, false);
  page.estimated(0, 2) = page.estimated(2, 0) = true;
  EXPECT_EQ(count_of(">~0.500<", make_match_page(page)), 2u);
  page.map_picture = {folder / "p.png"};
  page.small_picture = {20, 10};
  const std::string with_pictures = make_match_page(page);
  EXPECT_EQ(count_of("<svg", with_pictures), 1u) << "one map, not two";
  EXPECT_EQ(count_of("data:image/png;base64,iVBORw0KGgo", with_pictures), 3u);
  page.pictures[1] = folder / "none.png";
  EXPECT_THROW(make_match_page(page), FileError);
  page.pictures.pop_back();
  EXPECT_THROW(make_match_page(page), InputError);
}

}  // namespace
}  // namespace geodome::internal
