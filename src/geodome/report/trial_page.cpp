#include "geodome/report/trial_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/report/page.h"
#include "geodome/report/trial_plots.h"
#include "geodome/trials/equal_error.h"

namespace geodome::internal {
namespace {

constexpr const char* trial_style =
    "body{max-width:1320px}.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),"
    "1fr));gap:18px}figure{margin:0;min-width:0}figure .scroll svg{min-width:500px;width:100%}"
    "figcaption,p.note{font-size:13px;color:#555;margin:4px 0 10px}.scroll+p.note{margin-top:14px}"
    "table{font-size:13px}"
    "td,th{padding:3px 9px;text-align:right;white-space:nowrap;border-bottom:1px solid #e4e4e4}"
    "th{font-weight:normal;color:#555}td:first-child,th:first-child{text-align:left}"
    "tbody tr.first td{border-top:2px solid #bbb}td.best{font-weight:bold}"
    "pre{background:#f4f4f4;padding:10px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}"
    "li{margin:4px 0;overflow-wrap:anywhere}@media(min-width:620px){.narrow{display:none}}";

/// A figure in the table.
std::string cell(const Spread& spread, Unit unit, bool best = false) {
  if (!spread.measured()) return "<td>–</td>";
  std::string title;
  if (spread.low != spread.high)
    title =
        " title=\"" + format_quantity(spread.low, unit) + " to " + format_quantity(spread.high, unit) + "\"";
  return std::string("<td") + (best ? " class=\"best\"" : "") + title + ">" +
         format_quantity(spread.median, unit) + "</td>";
}

/// The smallest error among the groups with the same number of landmarks.
double least_error(const std::vector<TrialGroup>& groups, Index landmarks) {
  double least = unmeasured;
  for (const TrialGroup& group : groups) {
    const double error = group.spread(&Trial::relative_error).median;
    if (group.landmarks == landmarks && !(error >= least)) least = std::isnan(error) ? least : error;
  }
  return least;
}

std::string table(const std::vector<TrialGroup>& groups) {
  std::string html =
      "<div "
      "class=\"scroll\"><table><thead><tr><th>method</th><th>landmarks</th><th>nonzeros</th><th>runs</th>"
      "<th>error ε</th><th>mean relative</th><th>99 % relative</th><th>stress</th><th>bytes</th>"
      "<th>reference bytes</th><th>workspace</th><th>peak</th><th>seconds</th><th>processor</th></tr></thead>"
      "<tbody>\n";
  std::string before;
  for (const TrialGroup& group : groups) {
    const std::string name = text(group.method, group.nonzeros);
    html += name == before ? "<tr>" : "<tr class=\"first\">";
    before = name;
    const Spread error = group.spread(&Trial::relative_error);
    const bool best = group.landmarks > 0 && error.median == least_error(groups, group.landmarks);
    html += "<td>" + escape_html(method_title(group.method)) + "</td><td>" +
            (group.landmarks > 0 ? text(group.landmarks) : "–") + "</td><td>" +
            (group.nonzeros > 0 ? text(group.nonzeros) : "–") + "</td><td>" + text(group.repeats.size()) +
            "</td>" + cell(error, Unit::number, best) +
            cell(group.spread(&Trial::mean_relative_error), Unit::percent) +
            cell(group.spread(&Trial::p99_relative_error), Unit::percent) +
            cell(group.spread(&Trial::normalised_stress), Unit::number) +
            cell(group.spread(&Trial::bytes), Unit::bytes) +
            cell(group.spread(&Trial::reference_bytes), Unit::bytes) +
            cell(group.spread(&Trial::workspace_bytes), Unit::bytes) +
            cell(group.spread(&Trial::peak_bytes), Unit::bytes) +
            cell(group.spread(&Trial::seconds), Unit::seconds) +
            cell(group.spread(&Trial::cpu_seconds), Unit::seconds) + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Nothing where no two methods reach the same error.
std::string equal_error_table(const std::vector<TrialGroup>& groups, std::int64_t Trial::*bytes,
                              const std::string& caption) {
  const EqualErrors found = bytes_at_equal_error(groups, bytes);
  if (found.errors.empty()) return {};
  std::string html =
      "<p class=\"note\">" + caption + "</p>\n<div class=\"scroll\"><table><thead><tr><th>error ε</th>";
  for (const double error : found.errors) html += "<th>" + format_quantity(error, Unit::number) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const EqualErrorRow& row : found.rows) {
    html += "<tr><td>" + escape_html(method_title(row.method)) +
            (row.nonzeros > 0 ? text(", p = ", row.nonzeros) : "") + "</td>";
    for (const double value : row.bytes) html += cell({value, value, value}, Unit::bytes);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string tables(const std::vector<TrialGroup>& groups) {
  std::vector<std::pair<std::string, std::vector<TrialGroup>>> shapes;
  for (const TrialGroup& group : groups) {
    auto found =
        std::find_if(shapes.begin(), shapes.end(), [&](const auto& one) { return one.first == group.shape; });
    if (found == shapes.end()) found = shapes.insert(shapes.end(), {group.shape, {}});
    found->second.push_back(group);
  }
  std::string html =
      "<h2>Tables</h2>\n<p class=\"note\">Medians over runs; hover over a number for the smallest "
      "and the largest value. ε = ‖K̃ − K‖² / ‖K‖²; relative errors are of pairs; stress is 1 for a single "
      "point. "
      "Bytes are those stored by geodome; reference bytes count 64-bit values and 32-bit indices; the "
      "workspace is "
      "the additional memory of the method's scaling; the peak is the increase in memory use, which includes "
      "shared "
      "distances for the first method only. Processor time is that of the method alone, without the set-up "
      "of "
      "the solver. Bold: the smallest error for the same number of landmarks.</p>\n";
  for (const auto& [shape, own] : shapes)
    html += "<h3>" + escape_html(shape) + ", " + grouped(own.front().vertices) + " vertices</h3>\n" +
            table(own) +
            equal_error_table(own, &Trial::reference_bytes,
                              "Reference bytes at equal error, from the curves of medians, "
                              "with logarithmic interpolation between numbers of landmarks.") +
            equal_error_table(own, &Trial::bytes, "The same for the bytes stored by geodome.");
  return html;
}

/// Every reason once for each shape and number of landmarks, with the methods it holds for.
std::string refusals(const std::vector<Trial>& trials) {
  struct Refusal {
    std::vector<std::string> methods;
    std::string where, reason;
  };
  std::vector<Refusal> all;
  for (const Trial& trial : trials) {
    if (trial.done()) continue;
    std::string where = " on " + trial.shape;
    if (trial.landmarks > 0) where += text(" with ", trial.landmarks, " landmarks");
    auto found = std::find_if(all.begin(), all.end(), [&](const Refusal& one) {
      return one.where == where && one.reason == trial.reason;
    });
    if (found == all.end()) found = all.insert(all.end(), {{}, where, trial.reason});
    const std::string method = method_title(trial.method);
    if (std::find(found->methods.begin(), found->methods.end(), method) == found->methods.end())
      found->methods.push_back(method);
  }
  if (all.empty()) return {};
  std::string html = "<h2>Failed runs</h2>\n<ul>\n";
  for (const Refusal& one : all) {
    std::string names;
    for (const std::string& method : one.methods) names += (names.empty() ? "" : "; ") + method;
    html += "<li><b>" + escape_html(names) + "</b>" + escape_html(one.where) + ": " +
            escape_html(one.reason) + "</li>\n";
  }
  return html + "</ul>\n";
}

std::string plots(const std::vector<Trial>& trials) {
  std::string html = "<div class=\"plots\">\n";
  for (const NamedPlot& one : trial_plots(trials))
    html += "<figure><div class=\"scroll\">" + draw_plot_svg(one.plot) + "</div><figcaption>" +
            escape_html(one.caption) + "</figcaption></figure>\n";
  return html + "</div>\n";
}

}  // namespace

std::string make_trial_page(const TrialPage& page) {
  std::string html;
  for (const std::string& fact : page.facts) html += "<p>" + escape_html(fact) + "</p>\n";
  html +=
      "<h2>Plots</h2>\n<p class=\"note\">Lines are medians over runs, bands range from the smallest to the "
      "largest value. Both axes are logarithmic.<span class=\"narrow\"> Plots and tables are wider than this "
      "screen: scroll them sideways for the names of the curves.</span></p>\n" +
      plots(page.trials) + tables(group_trials(page.trials)) + refusals(page.trials);
  if (!page.command.empty()) html += "<h2>Command</h2>\n<pre>" + escape_html(page.command) + "</pre>\n";
  return html_page(page.title, trial_style, html);
}

}  // namespace geodome::internal
