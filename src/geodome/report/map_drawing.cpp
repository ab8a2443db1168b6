#include "geodome/report/map_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "geodome/base/error.h"
#include "geodome/report/page.h"

namespace geodome::internal {
namespace {

constexpr std::array<std::array<std::uint8_t, 3>, 12> palette = {{{214, 69, 65},
                                                                  {31, 119, 180},
                                                                  {44, 140, 70},
                                                                  {230, 145, 30},
                                                                  {125, 80, 170},
                                                                  {30, 165, 165},
                                                                  {150, 95, 60},
                                                                  {215, 105, 175},
                                                                  {110, 110, 110},
                                                                  {150, 160, 40},
                                                                  {50, 60, 130},
                                                                  {160, 30, 80}}};

constexpr double name_room = 40;  ///< pixels under a picture, for its dot and name

/// Coordinates of the map to pixels, the same scale along both axes, a margin left free.
struct MapFrame {
  double width;
  double height;
  double margin;
  Eigen::RowVector2d low;
  double scale;

  MapFrame(const RowMatrix<double>& map, double wide, double free) : width(wide), margin(free) {
    low = map.rows() > 0 ? Eigen::RowVector2d(map.colwise().minCoeff()) : Eigen::RowVector2d(0, 0);
    const Eigen::RowVector2d high =
        map.rows() > 0 ? Eigen::RowVector2d(map.colwise().maxCoeff()) : Eigen::RowVector2d(0, 0);
    const double extent = std::max(high[0] - low[0], high[1] - low[1]);
    scale = extent > 0 ? (width - 2 * margin) / extent : 0;
    // Centred along the shorter axis, of which at least half the picture is kept.
    height = std::max(width / 2, 2 * margin + (high[1] - low[1]) * scale);
    low[0] -= scale > 0 ? (width - 2 * margin - (high[0] - low[0]) * scale) / 2 / scale : 0;
    low[1] -= scale > 0 ? (height - 2 * margin - (high[1] - low[1]) * scale) / 2 / scale : 0;
  }
  double x(double value) const { return scale > 0 ? margin + (value - low[0]) * scale : width / 2; }
  double y(double value) const { return scale > 0 ? height - margin - (value - low[1]) * scale : height / 2; }
};

/// Where the lines of names go: over their dots, or as near to that as leaves names before them readable.
std::vector<double> name_heights(const MapFrame& frame, const RowMatrix<double>& map,
                                 const std::vector<std::string>& names) {
  constexpr double letter = 7, line = 13, above = 9;  // pixels
  std::vector<double> heights;
  const auto is_free = [&](std::size_t k, double height) {
    for (std::size_t other = 0; other < k; ++other) {
      const auto letters = static_cast<double>(names[k].size() + names[other].size());
      const double apart =
          frame.x(map(static_cast<Eigen::Index>(k), 0)) - frame.x(map(static_cast<Eigen::Index>(other), 0));
      if (std::abs(apart) < letters * letter / 2 && std::abs(height - heights[other]) < line) return false;
    }
    return true;
  };
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double wanted = frame.y(map(static_cast<Eigen::Index>(k), 1)) - above;
    double height = wanted;
    for (std::size_t step = 1; step <= 2 * names.size() && !is_free(k, height); ++step)
      height = wanted + (step % 2 ? -1.0 : 1.0) * line * static_cast<double>((step + 1) / 2);
    heights.push_back(height);
  }
  return heights;
}

std::string hex(const std::array<std::uint8_t, 3>& colour) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "#%02x%02x%02x", colour[0], colour[1], colour[2]);
  return buffer;
}

void require_equal(Eigen::Index rows, std::size_t count, const char* what) {
  if (static_cast<std::size_t>(rows) != count)
    throw InputError(text("a map of ", rows, " shapes with ", count, " ", what));
}

/// Lays the picture on another, its background left out.
void paste(Image& onto, const Image& picture, int left, int top) {
  const auto background = View().background;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const int at_x = left + x, at_y = top + y;
      if (at_x < 0 || at_y < 0 || at_x >= onto.width || at_y >= onto.height) continue;
      const std::uint8_t* from = &picture.rgb[3 * (static_cast<std::size_t>(y) * picture.width + x)];
      if (std::equal(from, from + 3, background.begin())) continue;
      std::copy(from, from + 3, &onto.rgb[3 * (static_cast<std::size_t>(at_y) * onto.width + at_x)]);
    }
}

void dot(Image& onto, int centre_x, int centre_y, const std::array<std::uint8_t, 3>& colour) {
  constexpr int radius = 7;
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x) {
      const int at_x = centre_x + x, at_y = centre_y + y;
      if (x * x + y * y > radius * radius || at_x < 0 || at_y < 0 || at_x >= onto.width ||
          at_y >= onto.height)
        continue;
      std::copy(colour.begin(), colour.end(),
                &onto.rgb[3 * (static_cast<std::size_t>(at_y) * onto.width + at_x)]);
    }
}

}  // namespace

std::vector<std::array<std::uint8_t, 3>> label_colours(const std::vector<std::string>& labels) {
  std::map<std::string, std::size_t> known;
  std::vector<std::array<std::uint8_t, 3>> colours;
  for (const std::string& label : labels)
    colours.push_back(palette[known.emplace(label, known.size()).first->second % palette.size()]);
  return colours;
}

namespace {

std::string name_text(const std::string& x, double y, const std::string& name) {
  return "<text x=\"" + x + "\" y=\"" + svg_number(y) + "\" text-anchor=\"middle\" fill=\"#333333\">" +
         escape_html(name) + "</text>\n";
}

}  // namespace

std::string draw_map_svg(const RowMatrix<double>& map, const std::vector<std::string>& names,
                         const std::vector<std::string>& labels) {
  require_equal(map.rows(), names.size(), "names");
  require_equal(map.rows(), labels.size(), "labels");
  const MapFrame frame(map, 900, 70);
  const auto colours = label_colours(labels);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + svg_number(frame.width) +
                    " " + svg_number(frame.height) + "\" width=\"" + svg_number(frame.width) +
                    "\" height=\"" + svg_number(frame.height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n" +
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  const bool all_names = names.size() <= most_named_shapes;
  const std::vector<double> heights = all_names ? name_heights(frame, map, names) : std::vector<double>();
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t k = 0; k < names.size(); ++k) {
    members[labels[k]].push_back(k);
    const std::string x = svg_number(frame.x(map(static_cast<Eigen::Index>(k), 0)));
    const double y = frame.y(map(static_cast<Eigen::Index>(k), 1));
    svg += "<circle cx=\"" + x + "\" cy=\"" + svg_number(y) + "\" r=\"6\" fill=\"" + hex(colours[k]) +
           "\" fill-opacity=\"0.8\"><title>" + escape_html(names[k] + " (" + labels[k] + ")") +
           "</title></circle>\n";
    if (all_names) svg += name_text(x, heights[k], names[k]);
  }
  if (!all_names)
    for (const auto& [label, places] : members) {
      Eigen::RowVector2d middle = Eigen::RowVector2d::Zero();
      for (const std::size_t k : places) middle += map.row(static_cast<Eigen::Index>(k));
      middle /= static_cast<double>(places.size());
      svg += name_text(svg_number(frame.x(middle[0])), frame.y(middle[1]), label);
    }
  return svg + "</svg>\n";
}

MapLayout lay_out_pictures(const RowMatrix<double>& map, int picture_width, int picture_height) {
  constexpr double border = 10;
  const double high = picture_height + name_room;
  const MapFrame frame(map, 1600, picture_width / 2.0 + border);
  std::vector<double> x, y;
  const auto is_free = [&](std::size_t k, double height) {
    for (std::size_t other = 0; other < k; ++other)
      if (std::abs(x[k] - x[other]) < 0.8 * picture_width && std::abs(height - y[other]) < 0.9 * high)
        return false;
    return true;
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(map.rows()); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    x.push_back(frame.x(map(row, 0)));
    double height = frame.y(map(row, 1));
    const double wanted = height;
    for (std::size_t step = 1; !is_free(k, height); ++step)
      height = wanted + (step % 2 ? -0.3 : 0.3) * high * static_cast<double>((step + 1) / 2);
    y.push_back(height);
  }
  MapLayout layout;
  layout.width = static_cast<int>(frame.width);
  if (y.empty()) return layout;
  const auto [low, top] = std::minmax_element(y.begin(), y.end());
  layout.height = static_cast<int>(*top - *low + high + 2 * border);
  for (std::size_t k = 0; k < x.size(); ++k)
    layout.centre.push_back(
        {static_cast<int>(x[k]), static_cast<int>(y[k] - *low + picture_height / 2.0 + border)});
  return layout;
}

Image draw_map_picture(const RowMatrix<double>& map, const std::vector<std::string>& labels,
                       const std::vector<Image>& pictures) {
  require_equal(map.rows(), labels.size(), "labels");
  require_equal(map.rows(), pictures.size(), "pictures");
  for (const Image& picture : pictures)
    if (picture.width != pictures.front().width || picture.height != pictures.front().height)
      throw InputError("pictures on a map must have the same size");
  const int wide = pictures.empty() ? 0 : pictures.front().width;
  const int high = pictures.empty() ? 0 : pictures.front().height;
  const MapLayout layout = lay_out_pictures(map, wide, high);
  Image image{layout.width, layout.height, {}};
  image.rgb.assign(3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height), 255);
  const auto colours = label_colours(labels);
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    const auto [x, y] = layout.centre[k];
    paste(image, pictures[k], x - wide / 2, y - high / 2);
  }
  for (std::size_t k = 0; k < pictures.size(); ++k)
    dot(image, layout.centre[k][0], layout.centre[k][1] + high / 2, colours[k]);
  return image;
}

std::string name_map_picture(const MapLayout& layout, int picture_height, const std::string& address,
                             const std::vector<std::string>& names) {
  require_equal(static_cast<Eigen::Index>(layout.centre.size()), names.size(), "names");
  std::string svg =
      text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", layout.width, " ", layout.height,
           "\" width=\"100%\" font-family=\"sans-serif\" font-size=\"22\">\n", "<image width=\"",
           layout.width, "\" height=\"", layout.height, "\" href=\"", address, "\"/>\n");
  for (std::size_t k = 0; k < names.size(); ++k)
    svg += text("<text x=\"", layout.centre[k][0], "\" y=\"",
                layout.centre[k][1] + picture_height / 2 + static_cast<int>(0.75 * name_room),
                "\" text-anchor=\"middle\" fill=\"#333333\">", escape_html(names[k]), "</text>\n");
  return svg + "</svg>\n";
}

}  // namespace geodome::internal
