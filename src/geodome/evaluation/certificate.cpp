#include "geodome/evaluation/certificate.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {
namespace {

using Json = nlohmann::ordered_json;

Json pair_json(const PairErrors& errors) {
  return {{"pairs", errors.pairs},
          {"relative_error", errors.relative_error},
          {"mean_relative_error", errors.mean_relative_error},
          {"median_relative_error", errors.median_relative_error},
          {"p99_relative_error", errors.p99_relative_error},
          {"max_relative_error", errors.max_relative_error}};
}

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json interval_json(const Interval& interval) {
  return {finite_or_null(interval.low), finite_or_null(interval.high)};
}

std::string percent(double share) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g %%", 100 * share);
  return digits;
}

}  // namespace

std::vector<Index> rows_to_leave_out(const DistanceMatrix& matrix, std::vector<Index> more) {
  const std::vector<Index> component = matrix.component_labels();
  for (std::size_t v = 0; v < component.size(); ++v)
    if (component[v] < 0) more.push_back(static_cast<Index>(v));
  if (const LandmarkMatrix* factors = matrix.landmark_matrix())
    more.insert(more.end(), factors->landmarks().begin(), factors->landmarks().end());
  return more;
}

Json error_json(const ErrorReport& report, const DistanceBands& bands) {
  Json facts = pair_json(report);
  facts["interval"] = interval_json(report.interval);
  facts["mean_interval"] = interval_json(report.mean_interval);
  facts["infinite_pairs"] = report.infinite_pairs;
  facts["by_distance"] = Json::array();
  for (std::size_t b = 0; b < bands.size(); ++b) {
    Json band{{"from", bands.edges[b] * bands.unit}, {"to", finite_or_null(bands.edges[b + 1] * bands.unit)}};
    band["from_spacings"] = bands.edges[b];
    band["to_spacings"] = finite_or_null(bands.edges[b + 1]);
    band.update(pair_json(report.by_band[b]));
    facts["by_distance"].push_back(band);
  }
  return facts;
}

Json certificate_json(const Evaluation& evaluation) {
  Json facts{{"rows", evaluation.error.rows.size()},
             {"seed", evaluation.seed},
             {"geodesic", evaluation.geodesic},
             {"fresh", evaluation.fresh}};
  facts.update(error_json(evaluation.error, evaluation.bands));
  return facts;
}

std::string with_certificate(const std::string& recipe, const Evaluation& evaluation, Index wanted_rows) {
  Json noted = Json::parse(recipe, nullptr, false);
  if (!noted.is_object()) throw InputError("the matrix has no recipe that a measured error can be added to");
  noted["measured_error"] = certificate_json(evaluation);
  if (wanted_rows > static_cast<Index>(evaluation.error.rows.size()))
    noted["measured_error"]["wanted_rows"] = wanted_rows;
  return noted.dump(2);
}

std::string certificate_sentence(const Json& measured_error) {
  if (!measured_error.is_object()) return {};
  const auto number = [&](const char* name) {
    const auto found = measured_error.find(name);
    return found != measured_error.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  const bool given = measured_error.contains("geodesic") && measured_error["geodesic"] == "given";
  return text("mean error ", percent(number("mean_relative_error")), ", 99 % of distances within ",
              percent(number("p99_relative_error")), ", measured on ",
              counted(static_cast<std::int64_t>(number("rows")), "row", "rows"), " of ",
              given ? "the user-supplied" : "exact", " distances");
}

}  // namespace geodome::internal
