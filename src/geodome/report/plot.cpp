#include "geodome/report/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geodome/base/error.h"
#include "geodome/report/page.h"

namespace geodome::internal {
namespace {

constexpr double width = 640, height = 430, top = 36, bottom = 56, left = 74;
constexpr double line_height = 16, letter_width = 6.5;

struct Pixel {
  double x = 0;
  double y = 0;
};

std::string at(const Pixel& pixel) {
  return svg_number(pixel.x) + "," + svg_number(pixel.y);
}

bool drawable(double value, const PlotAxis& axis) {
  return std::isfinite(value) && (value > 0 || !axis.logarithmic);
}

bool drawable(const PlotPoint& point, const Plot& plot) {
  return drawable(point.x, plot.x) && drawable(point.y, plot.y);
}

/// The ends of a point's spread that can be drawn; the point itself where they cannot.
double low_end(const PlotPoint& point, const Plot& plot) {
  return drawable(point.low, plot.y) ? std::min(point.low, point.y) : point.y;
}
double high_end(const PlotPoint& point, const Plot& plot) {
  return drawable(point.high, plot.y) ? std::max(point.high, point.y) : point.y;
}

/// The curves without what cannot be drawn.
std::vector<Curve> drawable_curves(const Plot& plot) {
  std::vector<Curve> curves = plot.curves;
  for (Curve& curve : curves)
    std::erase_if(curve.points, [&](const PlotPoint& point) { return !drawable(point, plot); });
  std::erase_if(curves, [](const Curve& curve) { return curve.points.empty(); });
  return curves;
}

/// Where values are in the picture.
struct Frame {
  Axis x, y;
  double right;  ///< of the plotting area

  Pixel place(double at_x, double at_y) const {
    return {left + x.place(at_x) * (right - left), height - bottom - y.place(at_y) * (height - top - bottom)};
  }
};

Frame make_frame(const Plot& plot, const std::vector<Curve>& curves) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double least_x = none, largest_x = -none, least_y = none, largest_y = -none;
  std::size_t longest = 0;
  for (const Curve& curve : curves) {
    longest = std::max(longest, curve.name.size());
    for (const PlotPoint& point : curve.points) {
      least_x = std::min(least_x, point.x);
      largest_x = std::max(largest_x, point.x);
      least_y = std::min(least_y, low_end(point, plot));
      largest_y = std::max(largest_y, high_end(point, plot));
    }
  }
  const double legend = std::min(220.0, 46 + letter_width * static_cast<double>(longest));
  return {make_axis(least_x, largest_x, plot.x.unit, plot.x.logarithmic),
          make_axis(least_y, largest_y, plot.y.unit, plot.y.logarithmic), width - legend};
}

std::string line(const Pixel& from, const Pixel& to, const std::string& colour, double wide = 1) {
  return "<line x1=\"" + svg_number(from.x) + "\" y1=\"" + svg_number(from.y) + "\" x2=\"" +
         svg_number(to.x) + "\" y2=\"" + svg_number(to.y) + "\" stroke=\"" + colour + "\" stroke-width=\"" +
         svg_number(wide) + "\"/>\n";
}

std::string label(const Pixel& pixel, const std::string& words, const std::string& attributes) {
  return "<text x=\"" + svg_number(pixel.x) + "\" y=\"" + svg_number(pixel.y) + "\" " + attributes + ">" +
         escape_html(words) + "</text>\n";
}

std::string draw_axes(const Plot& plot, const Frame& frame) {
  const double low = height - bottom;
  std::string svg;
  for (const Tick& tick : frame.x.ticks) {
    const double x = frame.place(tick.value, frame.y.low).x;
    if (!tick.label.empty()) {
      svg += line({x, top}, {x, low}, "#e4e4e4");
      svg += label({x, low + 18}, tick.label, "text-anchor=\"middle\" fill=\"#444444\"");
    }
    svg += line({x, low}, {x, low + (tick.label.empty() ? 3 : 6)}, "#666666");
  }
  for (const Tick& tick : frame.y.ticks) {
    const double y = frame.place(frame.x.low, tick.value).y;
    if (!tick.label.empty()) {
      svg += line({left, y}, {frame.right, y}, "#e4e4e4");
      svg += label({left - 9, y + 4}, tick.label, "text-anchor=\"end\" fill=\"#444444\"");
    }
    svg += line({left - (tick.label.empty() ? 3 : 6), y}, {left, y}, "#666666");
  }
  svg += line({left, low}, {frame.right, low}, "#666666") + line({left, top}, {left, low}, "#666666");
  svg += label({(left + frame.right) / 2, height - 14}, plot.x.label, "text-anchor=\"middle\"");
  const std::string middle = svg_number((top + low) / 2);
  svg += label({16, (top + low) / 2}, plot.y.label,
               "text-anchor=\"middle\" transform=\"rotate(-90 16 " + middle + ")\"");
  return svg + label({left, 20}, plot.title, "font-size=\"14\" font-weight=\"bold\"");
}

std::string polygon(const std::vector<Pixel>& corners) {
  std::string path;
  for (const Pixel& corner : corners) path.append(path.empty() ? "M" : "L").append(at(corner));
  return path + "Z";
}

std::string draw_marker(const Pixel& p, const CurveStyle& style, const std::string& inside = "") {
  constexpr double r = 4;
  const auto shifted = [&](double dx, double dy) { return Pixel{p.x + dx * r, p.y + dy * r}; };
  const std::string filled = " fill=\"" + style.colour + "\" stroke=\"#ffffff\" stroke-width=\"0.8\">";
  const std::string open = " fill=\"#ffffff\" stroke=\"" + style.colour + "\" stroke-width=\"1.6\">";
  const std::string drawn = " fill=\"none\" stroke=\"" + style.colour + "\" stroke-width=\"2\">";
  const auto path = [&](const std::string& way, const std::string& look) {
    return "<path d=\"" + way + "\"" + look + inside + "</path>\n";
  };
  const std::string square =
      polygon({shifted(-0.9, -0.9), shifted(0.9, -0.9), shifted(0.9, 0.9), shifted(-0.9, 0.9)});
  const std::string triangle = polygon({shifted(0, -1.2), shifted(1.1, 0.9), shifted(-1.1, 0.9)});
  const std::string diamond = polygon({shifted(0, -1.3), shifted(1.2, 0), shifted(0, 1.3), shifted(-1.2, 0)});
  const std::string plus = "M" + at(shifted(-1.1, 0)) + "L" + at(shifted(1.1, 0)) + "M" +
                           at(shifted(0, -1.1)) + "L" + at(shifted(0, 1.1));
  const std::string cross = "M" + at(shifted(-0.9, -0.9)) + "L" + at(shifted(0.9, 0.9)) + "M" +
                            at(shifted(0.9, -0.9)) + "L" + at(shifted(-0.9, 0.9));
  const std::string round = "<circle cx=\"" + svg_number(p.x) + "\" cy=\"" + svg_number(p.y) + "\" r=\"4\"";
  switch (style.marker) {
    case Marker::disc:
      return round + filled + inside + "</circle>\n";
    case Marker::ring:
      return round + open + inside + "</circle>\n";
    case Marker::square:
      return path(square, filled);
    case Marker::open_square:
      return path(square, open);
    case Marker::triangle:
      return path(triangle, filled);
    case Marker::open_triangle:
      return path(polygon({shifted(0, 1.2), shifted(1.1, -0.9), shifted(-1.1, -0.9)}), open);
    case Marker::diamond:
      return path(diamond, filled);
    case Marker::open_diamond:
      return path(diamond, open);
    case Marker::pentagon:
      return path(polygon({shifted(0, -1.2), shifted(1.15, -0.35), shifted(0.7, 1), shifted(-0.7, 1),
                           shifted(-1.15, -0.35)}),
                  filled);
    case Marker::plus:
      return path(plus, drawn);
    case Marker::cross:
      return path(cross, drawn);
    case Marker::star:
      return path(plus + cross, drawn);
    case Marker::bar:
      return path("M" + at(shifted(-1.3, 0)) + "L" + at(shifted(1.3, 0)), drawn);
  }
  return {};
}

std::string draw_band(const Curve& curve, const Plot& plot, const Frame& frame) {
  std::vector<Pixel> above, below;
  bool spread = false;
  for (const PlotPoint& point : curve.points) {
    above.push_back(frame.place(point.x, high_end(point, plot)));
    below.push_back(frame.place(point.x, low_end(point, plot)));
    spread = spread || below.back().y - above.back().y > 0.5;
  }
  if (!spread) return {};
  if (above.size() == 1) return line(above[0], below[0], curve.style.colour, 1.5);
  above.insert(above.end(), below.rbegin(), below.rend());
  return "<path d=\"" + polygon(above) + "\" fill=\"" + curve.style.colour + "\" fill-opacity=\"0.15\"/>\n";
}

std::string draw_curve(const Curve& curve, const Frame& frame) {
  if (curve.points.size() < 2) return {};
  std::string way;
  for (const PlotPoint& point : curve.points)
    way += (way.empty() ? "" : " ") + at(frame.place(point.x, point.y));
  return "<polyline points=\"" + way + "\" fill=\"none\" stroke=\"" + curve.style.colour +
         "\" stroke-width=\"1.8\" stroke-linejoin=\"round\"" +
         (curve.style.dash.empty() ? "" : " stroke-dasharray=\"" + curve.style.dash + "\"") + "/>\n";
}

/// Heights for names, as near as possible to those wanted (which increase), none on another.
std::vector<double> spread_out(std::vector<double> wanted, double lowest) {
  for (std::size_t k = 1; k < wanted.size(); ++k)
    wanted[k] = std::max(wanted[k], wanted[k - 1] + line_height);
  if (!wanted.empty()) wanted.back() = std::min(wanted.back(), lowest);
  for (std::size_t k = wanted.size(); k-- > 1;)
    wanted[k - 1] = std::min(wanted[k - 1], wanted[k] - line_height);
  return wanted;
}

/// Names to the right, in the order of the curves' ends; a thin line leads to an end that is near.
std::string draw_names(const std::vector<Curve>& curves, const Frame& frame) {
  std::vector<const Curve*> order;
  for (const Curve& curve : curves) order.push_back(&curve);
  const auto end = [&](const Curve& curve) {
    return frame.place(curve.points.back().x, curve.points.back().y);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Curve* a, const Curve* b) { return end(*a).y < end(*b).y; });
  std::vector<double> wanted;
  for (const Curve* curve : order) wanted.push_back(end(*curve).y);
  const std::vector<double> heights = spread_out(std::move(wanted), height - bottom);
  std::string svg;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Pixel from = end(*order[k]);
    const Pixel marker{frame.right + 20, heights[k]};
    if (from.x > frame.right - 0.12 * (frame.right - left))
      svg += line(from, {marker.x - 7, marker.y}, "#bbbbbb", 0.7);
    if (!order[k]->style.dash.empty())
      svg += "<line x1=\"" + svg_number(marker.x - 9) + "\" y1=\"" + svg_number(marker.y) + "\" x2=\"" +
             svg_number(marker.x + 9) + "\" y2=\"" + svg_number(marker.y) + "\" stroke=\"" +
             order[k]->style.colour + "\" stroke-width=\"1.8\" stroke-dasharray=\"" + order[k]->style.dash +
             "\"/>\n";
    svg += draw_marker(marker, order[k]->style);
    svg += label({marker.x + 12, marker.y + 4}, order[k]->name, "fill=\"#222222\"");
  }
  return svg;
}

std::string note_of(const Curve& curve, const PlotPoint& point, const Plot& plot) {
  return "<title>" +
         escape_html(curve.name + ": " + format_quantity(point.x, plot.x.unit) + ", " +
                     format_quantity(point.y, plot.y.unit) + (point.note.empty() ? "" : "; " + point.note)) +
         "</title>";
}

}  // namespace

bool has_points(const Plot& plot) {
  return !drawable_curves(plot).empty();
}

std::string draw_plot_svg(const Plot& plot) {
  const std::vector<Curve> curves = drawable_curves(plot);
  if (curves.empty()) throw InputError(text("nothing can be drawn in '", plot.title, "'"));
  const Frame frame = make_frame(plot, curves);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" +
                    escape_html(plot.title) + "\" viewBox=\"0 0 " + svg_number(width) + " " +
                    svg_number(height) + "\" width=\"" + svg_number(width) + "\" height=\"" +
                    svg_number(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"#ffffff\"/>\n" +
                    draw_axes(plot, frame);
  for (const Curve& curve : curves) svg += draw_band(curve, plot, frame);
  for (const Curve& curve : curves) svg += draw_curve(curve, frame);
  for (const Curve& curve : curves)
    for (const PlotPoint& point : curve.points)
      svg += draw_marker(frame.place(point.x, point.y), curve.style, note_of(curve, point, plot));
  return svg + draw_names(curves, frame) + "</svg>\n";
}

}  // namespace geodome::internal
