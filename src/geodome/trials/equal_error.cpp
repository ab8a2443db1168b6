#include "geodome/trials/equal_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodome::internal {
namespace {

struct Point {
  double error = 0;
  double bytes = 0;
};

/// One method with one number of nonzeros, by increasing landmarks.
struct ErrorCurve {
  std::string method;
  Index nonzeros = 0;
  std::vector<Point> points;
};

std::vector<ErrorCurve> curves_of(std::vector<TrialGroup> groups, std::int64_t Trial::*bytes) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const TrialGroup& a, const TrialGroup& b) { return a.landmarks < b.landmarks; });
  std::vector<ErrorCurve> curves;
  for (const TrialGroup& group : groups) {
    const Point point{group.spread(&Trial::relative_error).median, group.spread(bytes).median};
    if (!(point.error > 0) || !(point.bytes > 0)) continue;
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const ErrorCurve& other) {
      return other.method == group.method && other.nonzeros == group.nonzeros;
    });
    if (curve == curves.end()) curve = curves.insert(curves.end(), {group.method, group.nonzeros, {}});
    curve->points.push_back(point);
  }
  return curves;
}

double bytes_at(const std::vector<Point>& points, double error) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Point &before = points[k - 1], &after = points[k];
    if (before.error < error || after.error > error || before.error == after.error) continue;
    const double part = std::log(before.error / error) / std::log(before.error / after.error);
    return before.bytes * std::pow(after.bytes / before.bytes, part);
  }
  return unmeasured;
}

/// Between the smallest and the largest of all curves, decreasing.
std::vector<double> round_errors(const std::vector<ErrorCurve>& curves) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const ErrorCurve& curve : curves)
    for (const Point& point : curve.points) {
      least = std::min(least, point.error);
      largest = std::max(largest, point.error);
    }
  std::vector<double> errors;
  if (!(largest > 0)) return errors;
  for (int exponent = static_cast<int>(std::ceil(std::log10(largest)));
       exponent >= static_cast<int>(std::floor(std::log10(least))); --exponent)
    for (const double factor : {5.0, 2.0, 1.0}) {
      const double error = factor * std::pow(10, exponent);
      if (error >= least && error <= largest) errors.push_back(error);
    }
  return errors;
}

}  // namespace

EqualErrors bytes_at_equal_error(const std::vector<TrialGroup>& groups, std::int64_t Trial::*bytes) {
  const std::vector<ErrorCurve> curves = curves_of(groups, bytes);
  EqualErrors result;
  for (const double error : round_errors(curves)) {
    const auto passing = std::count_if(curves.begin(), curves.end(), [&](const ErrorCurve& curve) {
      return !std::isnan(bytes_at(curve.points, error));
    });
    if (passing > 1) result.errors.push_back(error);
  }
  for (const ErrorCurve& curve : curves) {
    EqualErrorRow row{curve.method, curve.nonzeros, {}};
    for (const double error : result.errors) row.bytes.push_back(bytes_at(curve.points, error));
    if (!std::all_of(row.bytes.begin(), row.bytes.end(), [](double value) { return std::isnan(value); }))
      result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace geodome::internal
