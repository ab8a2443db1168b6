#pragma once
/// Plots of measured curves as people of the field draw them, in SVG: logarithmic axes, medians with their
/// spread, names beside the curves.

#include <string>
#include <vector>

#include "geodome/report/axis.h"

namespace geodome::internal {

enum class Marker {
  disc,
  ring,
  square,
  open_square,
  triangle,
  open_triangle,
  diamond,
  open_diamond,
  pentagon,
  plus,
  cross,
  star,
  bar
};

/// How a curve looks. Colours alone tell nothing to some readers: markers and dashes differ too.
struct CurveStyle {
  std::string colour = "#222222";
  Marker marker = Marker::disc;
  std::string dash;  ///< lengths of dashes and gaps; empty: solid
};

struct PlotPoint {
  double x = 0;
  double y = 0;  ///< the median
  double low = 0;
  double high = 0;
  std::string note;  ///< shown when the pointer rests on the point
};

struct Curve {
  std::string name;
  CurveStyle style;
  std::vector<PlotPoint> points;  ///< joined in this order
};

struct PlotAxis {
  std::string label;
  Unit unit = Unit::number;
  bool logarithmic = true;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<Curve> curves;
};

/// True if there is anything to draw: a point whose coordinates are finite, and positive on logarithmic axes.
bool has_points(const Plot& plot);

/// One <svg> element, 640 wide, that can stand alone or in a page. Points that cannot be drawn are left out.
/// A band from `low` to `high` surrounds a curve where they differ; a curve's name stands to the right, at
/// the height of its last point where there is room. Throws InputError when there is nothing to draw.
std::string draw_plot_svg(const Plot& plot);

}  // namespace geodome::internal
