#include "geodome/report/match_page.h"

#include <algorithm>
#include <cstdio>

#include "geodome/base/error.h"
#include "geodome/base/mapped_file.h"
#include "geodome/report/colour_map.h"
#include "geodome/report/map_drawing.h"
#include "geodome/report/page.h"

namespace geodome::internal {
namespace {

constexpr const char* match_style =
    "td,th{padding:3px 4px;text-align:right;border:1px solid #fff}"
    "th{font-weight:normal;text-align:left;white-space:nowrap}"
    "thead th{writing-mode:vertical-rl;text-align:left}"
    ".shapes{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:12px}"
    "figure{margin:0;font-size:13px}figure img{width:100%}.near{outline:2px solid "
    "#d64541;outline-offset:-2px}"
    ".many td{font-size:0;padding:0;border:0;width:8px;height:8px;min-width:8px}"
    ".many th{font-size:8px;padding:0 2px;border:0;line-height:8px}"
    ".wrong{color:#b00020}";

/// A file in the alphabet of data addresses.
std::string base64(const std::string& path) {
  constexpr const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const MappedFile file(path);
  const std::string_view bytes = file.as_text();
  const auto at = [&](std::size_t k) {
    return k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[k])) : 0u;
  };
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::uint32_t three = at(k) << 16 | at(k + 1) << 8 | at(k + 2);
    const std::size_t known = std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t digit = 0; digit < 4; ++digit)
      result += digit <= known ? alphabet[three >> (18 - 6 * digit) & 63] : '=';
  }
  return result;
}

std::string address_of(const std::string& path) {
  return "data:image/png;base64," + base64(path);
}

std::string image(const std::string& path, const std::string& description) {
  return "<img alt=\"" + escape_html(description) + "\" src=\"" + address_of(path) + "\">";
}

/// With the shapes in their places, or dots where there is no picture of it.
std::string map_of(const MatchPage& page) {
  if (page.map_picture.empty() || page.names.size() > most_named_shapes)
    return draw_map_svg(page.map, page.names, page.labels);
  const auto [width, height] = page.small_picture;
  return name_map_picture(lay_out_pictures(page.map, width, height), height,
                          address_of(page.map_picture.front()), page.names);
}

std::string three_decimals(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3f", value);
  return buffer;
}

/// Dark text on light cells and light on dark ones.
std::string cell(double value, double largest, bool nearest, bool estimated) {
  const auto colour = uniform_colour(largest > 0 ? 1 - value / largest : 1);
  const int light = (2 * colour[0] + 5 * colour[1] + colour[2]) / 8;
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "<td%s style=\"background:rgb(%d,%d,%d);color:%s\">%s%s</td>",
                nearest ? " class=\"near\"" : "", colour[0], colour[1], colour[2],
                light > 130 ? "#222" : "#eee", estimated ? "~" : "", three_decimals(value).c_str());
  return buffer;
}

std::string table(const MatchPage& page, const std::vector<Index>& nearest) {
  const double largest = page.distances.size() > 0 ? page.distances.maxCoeff() : 0;
  std::string html = "<div class=\"scroll\"><table";
  if (page.names.size() > most_named_shapes) html += " class=\"many\"";
  html += "><thead><tr><th></th>";
  for (const std::string& name : page.names) html += "<th>" + escape_html(name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < page.names.size(); ++i) {
    html += "<tr><th>" + escape_html(page.names[i]) + "</th>";
    for (std::size_t j = 0; j < page.names.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      html += cell(page.distances(row, column), largest, nearest[i] == static_cast<Index>(j),
                   page.estimated.size() > 0 && page.estimated(row, column));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string shapes(const MatchPage& page, const std::vector<Index>& nearest) {
  std::string html = "<div class=\"shapes\">\n";
  for (std::size_t k = 0; k < page.names.size(); ++k) {
    html += "<figure>";
    if (!page.pictures[k].empty()) html += image(page.pictures[k], page.names[k]);
    html += "<figcaption><b>" + escape_html(page.names[k]) + "</b> (" + escape_html(page.labels[k]) + ")";
    if (nearest[k] >= 0) {
      const bool same = page.labels[nearest[k]] == page.labels[k];
      html += std::string("<br>nearest: <span") + (same ? "" : " class=\"wrong\"") + ">" +
              escape_html(page.names[nearest[k]]) + "</span>, " +
              three_decimals(page.distances(static_cast<Eigen::Index>(k), nearest[k]));
    }
    html += "</figcaption></figure>\n";
  }
  return html + "</div>\n";
}

}  // namespace

std::string make_match_page(const MatchPage& page) {
  const std::size_t n = page.names.size();
  if (page.labels.size() != n || page.pictures.size() != n ||
      static_cast<std::size_t>(page.distances.rows()) != n ||
      page.distances.cols() != page.distances.rows() ||
      (page.estimated.size() > 0 &&
       (page.estimated.rows() != page.distances.rows() || page.estimated.cols() != page.distances.cols())))
    throw InputError(text("a page of ", n, " shapes with ", page.labels.size(), " labels, ",
                          page.pictures.size(), " pictures and ", page.distances.rows(), " by ",
                          page.distances.cols(), " distances"));
  const std::vector<Index> nearest = nearest_shapes(page.distances);
  std::string html;
  for (const std::string& fact : page.facts) html += "<p>" + escape_html(fact) + "</p>\n";
  html +=
      "<h2>Map</h2>\n<p>Classical scaling of the distances below to two dimensions: similar shapes are "
      "close. " +
      std::string(n > most_named_shapes
                      ? "Names of shapes are shown under the pointer."
                      : "Shapes that would cover one another are drawn above or below their place.") +
      "</p>\n" + map_of(page);
  html +=
      "<h2>Distances</h2>\n<p>Distances between aligned canonical forms, in mean radii; the nearest shape of "
      "each row is "
      "framed." +
      std::string(n > most_named_shapes ? " The numbers are in distances.csv." : "") + "</p>\n" +
      table(page, nearest) +
      "<h2>Shapes</h2>\n<p>Coloured by canonical coordinates: the same part has the same colour in every "
      "pose, up to the direction of each axis.</p>\n" +
      shapes(page, nearest);
  return html_page("Shapes compared by their canonical forms", match_style, html);
}

}  // namespace geodome::internal
