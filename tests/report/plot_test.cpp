#include "geodome/report/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "geodome/base/error.h"
#include "report/count_of.h"

namespace geodome::internal {
namespace {

PlotPoint point(double x, double y, double spread = 1) {
  return {x, y, y / spread, y * spread, ""};
}

Plot two_curves() {
  Plot plot;
  plot.title = "a < b";
  plot.x = {"landmarks", Unit::percent, true};
  plot.y = {"error", Unit::number, true};
  plot.curves = {{"first & best", {"#0072b2", Marker::disc, ""}, {point(0.01, 1e-2, 2), point(0.1, 1e-4, 2)}},
                 {"second", {"#d55e00", Marker::square, "7 3"}, {point(0.01, 1e-1), point(0.1, 1e-3)}}};
  return plot;
}

/// What stands between `before` and the next quotation mark, wherever it occurs.
std::vector<std::string> quoted_after(const std::string& before, const std::string& svg) {
  std::vector<std::string> all;
  for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    all.push_back(svg.substr(begin, svg.find('"', begin) - begin));
  }
  return all;
}

/// Corners of every curve, in pixels.
std::vector<std::vector<std::pair<double, double>>> polylines(const std::string& svg) {
  std::vector<std::vector<std::pair<double, double>>> all;
  for (const std::string& points : quoted_after("<polyline points=\"", svg)) {
    all.emplace_back();
    std::istringstream stream(points);
    char comma = 0;
    for (double x = 0, y = 0; stream >> x >> comma >> y;) all.back().emplace_back(x, y);
  }
  return all;
}

TEST(Plot, PutsPointsWhereTheirLogarithmsAre) {
  const auto curves = polylines(draw_plot_svg(two_curves()));
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0][0].first, curves[1][0].first);
  EXPECT_LT(curves[0][0].first, curves[0][1].first);
  EXPECT_GT(curves[0][0].second, curves[1][0].second) << "a smaller error is further down";
  // Both fall by a factor of 100, which is the same length anywhere on the axis.
  EXPECT_NEAR(curves[0][1].second - curves[0][0].second, curves[1][1].second - curves[1][0].second, 0.21);
}

TEST(Plot, DrawsSpreadAndNamesAndIsSafe) {
  const std::string svg = draw_plot_svg(two_curves());
  EXPECT_EQ(count_of("fill-opacity", svg), 1u) << "only the first curve has a spread";
  EXPECT_NE(svg.find("first &amp; best"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(svg.find("a < b"), std::string::npos);
  EXPECT_EQ(count_of("<svg", svg), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(count_of("<title>", svg), 4u);
}

TEST(Plot, LeavesOutWhatCannotBeDrawn) {
  Plot plot = two_curves();
  plot.curves[0].points.push_back(point(0.2, 0));
  plot.curves[0].points.push_back(point(0.2, std::nan("")));
  plot.curves[0].points.push_back(point(std::nan(""), 1));
  plot.curves.push_back({"empty", {}, {point(-1, 1)}});
  EXPECT_EQ(draw_plot_svg(plot), draw_plot_svg(two_curves()));
  plot.curves = {plot.curves.back()};
  EXPECT_FALSE(has_points(plot));
  EXPECT_THROW(draw_plot_svg(plot), InputError);
}

TEST(Plot, KeepsNamesApartHoweverManyEndTogether) {
  Plot plot = two_curves();
  plot.curves.clear();
  for (int k = 0; k < 18; ++k)
    plot.curves.push_back({"curve " + std::to_string(k),
                           {"#222222", static_cast<Marker>(k % 11), ""},
                           {point(0.01, 1), point(0.1, 1e-3 * (1 + 1e-3 * k))}});
  const std::string svg = draw_plot_svg(plot);
  std::vector<double> heights;
  for (std::size_t at = svg.find(">curve "); at != std::string::npos; at = svg.find(">curve ", at + 1)) {
    const std::string before = svg.substr(0, at);
    if (const std::size_t element = before.rfind("<text"); element > before.rfind("<title"))
      heights.push_back(std::stod(quoted_after(" y=\"", before.substr(element)).front()));
  }
  ASSERT_EQ(heights.size(), 18u);
  for (std::size_t k = 1; k < heights.size(); ++k) EXPECT_GE(heights[k], heights[k - 1] + 15.9);
  EXPECT_GT(heights.front(), 0);
  EXPECT_LT(heights.back(), 430);
}

TEST(Plot, DrawsASinglePoint) {
  Plot plot = two_curves();
  plot.curves = {{"one", {"#222222", Marker::star, ""}, {point(3, 5, 2)}}};
  const std::string svg = draw_plot_svg(plot);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace geodome::internal
