#include "geodome/report/trial_plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

struct MethodLook {
  const char* name;
  const char* title;
  CurveStyle style;
};

/// Colours that stay apart for readers who see fewer of them [Okabe and Ito 2008; Tol 2021]; of two methods
/// that are akin one has filled and one has open markers.
const std::vector<MethodLook>& looks() {
  static const std::vector<MethodLook> all = {
      {"sbha", "sBHA", {"#0072b2", Marker::disc, ""}},
      {"cell", "cell", {"#000000", Marker::disc, ""}},
      {"bha", "BHA", {"#56b4e9", Marker::ring, ""}},
      {"fmds", "FMDS", {"#d55e00", Marker::square, ""}},
      {"fmds-hard", "FMDS, μ → ∞", {"#e69f00", Marker::open_square, ""}},
      {"nystrom", "Nyström", {"#cc79a7", Marker::triangle, ""}},
      {"nystrom-truncated", "Nyström, truncated", {"#882255", Marker::open_triangle, ""}},
      {"smds", "SMDS", {"#009e73", Marker::diamond, ""}},
      {"lmds", "LMDS", {"#999933", Marker::plus, ""}},
      {"pivot", "Pivot MDS", {"#117733", Marker::cross, ""}},
      {"hybrid", "hybrid", {"#332288", Marker::star, ""}},
      {"ctg", "CTG", {"#aa4499", Marker::pentagon, ""}},
      {"spectrometer", "SpectroMeter", {"#44aa99", Marker::open_diamond, ""}},
      {"exact", "exact", {"#222222", Marker::bar, ""}}};
  return all;
}

/// A colour mixed with so much white.
std::string lighter(const std::string& colour, double white) {
  constexpr const char* digits = "0123456789abcdef";
  std::string mixed = "#";
  for (std::size_t k = 1; k < 7; k += 2) {
    const int part = std::stoi(colour.substr(k, 2), nullptr, 16);
    const auto value = static_cast<int>(std::lround(part + white * (255 - part)));
    mixed += digits[value / 16];
    mixed += digits[value % 16];
  }
  return mixed;
}

using Figure = std::function<Spread(const TrialGroup&)>;

Figure figure(double Trial::*member) {
  return [=](const TrialGroup& group) { return group.spread(member); };
}

Figure figure(std::int64_t Trial::*member) {
  return [=](const TrialGroup& group) { return group.spread(member); };
}

double landmark_fraction(const TrialGroup& group) {
  return group.landmarks > 0 ? static_cast<double>(group.landmarks) / group.vertices : unmeasured;
}

Spread fraction(const TrialGroup& group) {
  const double value = landmark_fraction(group);
  return {value, value, value};
}

Spread vertices(const TrialGroup& group) {
  const double value = group.vertices;
  return {value, value, value};
}

std::string note_of(const TrialGroup& group) {
  std::string note;
  if (group.landmarks > 0) note += text(group.landmarks, " landmarks, ");
  return note + (group.repeats.size() == 1 ? "1 run" : text(group.repeats.size(), " runs"));
}

/// What tells curves apart, in the order in which they are listed.
struct CurveKey {
  std::string method;
  Index nonzeros = 0;
  Index landmarks = 0;  ///< 0 where a curve goes through several

  bool operator<(const CurveKey& other) const {
    return std::tie(method, nonzeros, landmarks) < std::tie(other.method, other.nonzeros, other.landmarks);
  }
};

/// Curves of y against x, one for each method and number of nonzeros (and of landmarks, where asked), joined
/// by increasing landmarks and vertices.
std::vector<Curve> curves_of(std::vector<TrialGroup> groups, const Figure& x, const Figure& y,
                             bool by_landmarks) {
  std::stable_sort(groups.begin(), groups.end(), [](const TrialGroup& a, const TrialGroup& b) {
    return std::pair(a.vertices, a.landmarks) < std::pair(b.vertices, b.landmarks);
  });
  std::vector<CurveKey> keys;
  std::map<CurveKey, std::vector<PlotPoint>> points;
  std::set<Index> landmarks;
  for (const TrialGroup& group : groups) {
    if (group.landmarks > 0) landmarks.insert(group.landmarks);
    const CurveKey key{group.method, group.nonzeros, by_landmarks ? group.landmarks : 0};
    if (!points.contains(key)) keys.push_back(key);
    const Spread at = x(group), value = y(group);
    points[key].push_back({at.median, value.median, value.low, value.high, note_of(group)});
  }
  // A method with a parameter has its largest value drawn solid.
  std::sort(keys.begin(), keys.end(), [](const CurveKey& a, const CurveKey& b) { return b < a; });
  std::vector<Curve> curves;
  std::map<std::string, std::size_t> variants;
  for (const CurveKey& key : keys) {
    Curve curve;
    curve.name = method_title(key.method);
    if (key.nonzeros > 0) curve.name += text(", p = ", key.nonzeros);
    if (by_landmarks && landmarks.size() > 1 && key.landmarks > 0)
      curve.name += text(", l = ", key.landmarks);
    curve.style = method_style(key.method, variants[key.method]++);
    curve.points = points[key];
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::size_t different(const std::vector<TrialGroup>& groups, Index TrialGroup::*member) {
  std::set<Index> values;
  for (const TrialGroup& group : groups)
    if (group.*member > 0) values.insert(group.*member);
  return values.size();
}

const PlotAxis fraction_axis{"landmarks / vertices", Unit::percent, true};
const PlotAxis bytes_axis{"bytes stored", Unit::bytes, true};
const PlotAxis reference_axis{"bytes, reference accounting", Unit::bytes, true};
const PlotAxis error_axis{"relative error ε", Unit::number, true};
const PlotAxis vertices_axis{"vertices", Unit::count, true};

void add(std::vector<NamedPlot>& plots, NamedPlot plot) {
  if (has_points(plot.plot)) plots.push_back(std::move(plot));
}

/// The stress of exact scaling of the same shape, if it was tried.
double exact_stress(const std::vector<TrialGroup>& groups) {
  for (const TrialGroup& group : groups)
    if (group.method == "exact") return group.spread(&Trial::stress).median;
  return unmeasured;
}

/// How stress is drawn: what it is above exact scaling, or where that is not known, normalised.
struct StressFigure {
  Figure y;
  PlotAxis axis;
};

StressFigure stress_figure(const std::vector<TrialGroup>& groups) {
  const double exact = exact_stress(groups);
  if (!(exact > 0))
    return {figure(&Trial::normalised_stress), {"stress, 1 for a single point", Unit::number, true}};
  return {[exact](const TrialGroup& group) {
            const Spread own = group.spread(&Trial::stress);
            return Spread{own.median / exact - 1, own.low / exact - 1, own.high / exact - 1};
          },
          {"stress above exact scaling", Unit::percent, true}};
}

void add_shape_plots(std::vector<NamedPlot>& plots, const std::string& shape,
                     const std::vector<TrialGroup>& groups) {
  const Figure error = figure(&Trial::relative_error);
  const bool sweep = different(groups, &TrialGroup::landmarks) > 1;
  const auto plot = [&](const std::string& title, const PlotAxis& x_axis, const PlotAxis& y_axis,
                        const Figure& x, const Figure& y) {
    return Plot{shape + ": " + title, x_axis, y_axis, curves_of(groups, x, y, false)};
  };
  const StressFigure stress = stress_figure(groups);
  if (sweep) {
    add(plots, {"error-landmarks-" + shape, "Error for the same number of landmarks: lower is better.",
                plot("error against landmarks", fraction_axis, error_axis, fraction, error)});
  }
  add(plots, {"error-bytes-" + shape, "Error for the same memory: lower and further left is better.",
              plot("error against bytes", bytes_axis, error_axis, figure(&Trial::bytes), error)});
  add(plots, {"error-reference-bytes-" + shape,
              "The same with reference bytes: 64-bit values and 32-bit indices, W stored in full.",
              plot("error against bytes of the reference", reference_axis, error_axis,
                   figure(&Trial::reference_bytes), error)});
  if (sweep)
    add(plots, {"stress-landmarks-" + shape, "Stress of the canonical forms by number of landmarks.",
                plot("stress against landmarks", fraction_axis, stress.axis, fraction, stress.y)});
  add(plots, {"stress-bytes-" + shape, "Stress of the canonical forms by memory.",
              plot("stress against bytes", bytes_axis, stress.axis, figure(&Trial::bytes), stress.y)});
}

void add_size_plots(std::vector<NamedPlot>& plots, const std::vector<TrialGroup>& groups) {
  const auto plot = [&](const std::string& title, const PlotAxis& y_axis, const Figure& y) {
    return Plot{title, vertices_axis, y_axis, curves_of(groups, vertices, y, true)};
  };
  add(plots, {"seconds-vertices", "Total time by number of vertices, from distances to the canonical form.",
              plot("time against vertices", {"seconds", Unit::seconds, true}, figure(&Trial::seconds))});
  add(plots, {"cpu-seconds-vertices", "The same in processor time, which does not depend on other programs.",
              plot("processor time against vertices", {"seconds of processor time", Unit::seconds, true},
                   figure(&Trial::cpu_seconds))});
  add(plots, {"bytes-vertices", "Stored bytes by number of vertices.",
              plot("bytes against vertices", bytes_axis, figure(&Trial::bytes))});
  add(plots,
      {"workspace-vertices", "Reference bytes by number of vertices, with the workspace of the scaling.",
       plot("bytes with workspace against vertices", {"bytes with workspace", Unit::bytes, true},
            [](const TrialGroup& group) {
              std::vector<double> values;
              for (const Trial& trial : group.repeats)
                values.push_back(static_cast<double>(trial.reference_bytes + trial.workspace_bytes));
              return spread_of(std::move(values));
            })});
  add(plots, {"error-vertices", "Error by number of vertices.",
              plot("error against vertices", error_axis, figure(&Trial::relative_error))});
}

/// Large entries of P, one curve for each shape.
void add_weight_plot(std::vector<NamedPlot>& plots, const std::vector<TrialGroup>& groups,
                     const std::vector<std::string>& shapes) {
  Plot plot{"large entries of P",
            fraction_axis,
            {text("entries above ", large_weight, " per row"), Unit::count, true},
            {}};
  const auto& styles = looks();
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    std::vector<TrialGroup> own;
    for (const TrialGroup& group : groups)
      if (group.shape == shapes[s] && group.method == "bha") own.push_back(group);
    for (Curve& curve : curves_of(own, fraction, figure(&Trial::large_weights), false)) {
      curve.name = shapes[s];
      curve.style = styles[s % styles.size()].style;
      plot.curves.push_back(std::move(curve));
    }
  }
  add(plots,
      {"weights-landmarks", "Number of large entries per row of P; P is sparse because it is small.", plot});
}

}  // namespace

CurveStyle method_style(const std::string& method, std::size_t variant) {
  constexpr std::array dashes = {"", "7 3", "3 3", "9 3 3 3"};
  CurveStyle style{"#777777", Marker::disc, ""};
  for (const MethodLook& look : looks())
    if (method == look.name) style = look.style;
  style.dash = dashes[variant % dashes.size()];
  style.colour = lighter(style.colour, 0.18 * static_cast<double>(variant % dashes.size()));
  return style;
}

std::string method_title(const std::string& method) {
  for (const MethodLook& look : looks())
    if (method == look.name) return look.title;
  return method;
}

std::vector<NamedPlot> trial_plots(const std::vector<Trial>& trials) {
  const std::vector<TrialGroup> groups = group_trials(trials);
  std::vector<std::string> shapes;
  for (const TrialGroup& group : groups)
    if (std::find(shapes.begin(), shapes.end(), group.shape) == shapes.end()) shapes.push_back(group.shape);
  const bool sizes = different(groups, &TrialGroup::vertices) > 1;
  std::vector<NamedPlot> plots;
  if (sizes) add_size_plots(plots, groups);
  for (const std::string& shape : shapes) {
    std::vector<TrialGroup> own;
    for (const TrialGroup& group : groups)
      if (group.shape == shape) own.push_back(group);
    // One number of landmarks on many sizes is about growth: a plot for each size would add nothing.
    if (!sizes || different(own, &TrialGroup::landmarks) > 1) add_shape_plots(plots, shape, own);
  }
  add_weight_plot(plots, groups, shapes);
  return plots;
}

}  // namespace geodome::internal
