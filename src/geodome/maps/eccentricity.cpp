#include "geodome/maps/eccentricity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "geodome/base/error.h"
#include "geodome/maps/components.h"

namespace geodome {

using namespace internal;

namespace {

/// After so many rows, those are added once more.
constexpr std::int64_t early_rows = 24;

/// One component while rows are added. Vertices are places in `members`.
class FarthestSearch {
 public:
  FarthestSearch(const DistanceMatrix& matrix, std::span<const Index> members)
      : matrix_(matrix),
        members_(members),
        largest_(members.size(), 0),
        farthest_(members.size(), 0),
        gain_(members.size(), infinity) {}

  /// The place that may add most to any eccentricity, and how much at most.
  std::pair<std::size_t, double> next() const {
    const auto best = std::max_element(gain_.begin(), gain_.end());
    return {static_cast<std::size_t>(best - gain_.begin()), *best};
  }

  void add(std::size_t place, const Execution& execution) {
    const RowMatrix<double> row = matrix_.block(members_.subspan(place, 1), members_, execution);
    double gap = -infinity, own = 0;
    for (std::size_t v = 0; v < members_.size(); ++v) {
      const double distance = row(0, static_cast<Eigen::Index>(v));
      if (distance > largest_[v]) {
        largest_[v] = distance;
        farthest_[v] = place;
      }
      if (distance > own) {
        own = distance;
        farthest_of_row_ = v;
      }
      gap = std::max(gap, distance - largest_[v]);
    }
    // From any vertex, another one is at most its distance to this one farther away.
    for (std::size_t v = 0; v < members_.size(); ++v)
      gain_[v] = std::min(gain_[v], gap + row(0, static_cast<Eigen::Index>(v)));
    if (own > largest_[place]) {
      largest_[place] = own;
      farthest_[place] = farthest_of_row_;
    }
    gain_[place] = 0;
    added_.push_back(place);
  }

  /// The rows so far once more: when they were added, few eccentricities were known.
  void add_again(const Execution& execution) {
    for (const std::size_t place : std::vector<std::size_t>(added_)) add(place, execution);
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(added_.size()); }
  double largest() const { return *std::max_element(largest_.begin(), largest_.end()); }

  void write(Eccentricity& result) const {
    for (std::size_t v = 0; v < members_.size(); ++v) {
      result.eccentricity[members_[v]] = largest_[v];
      result.farthest[members_[v]] = members_[farthest_[v]];
    }
  }

 private:
  const DistanceMatrix& matrix_;
  std::span<const Index> members_;
  std::vector<double> largest_;
  std::vector<std::size_t> farthest_;
  std::vector<double> gain_;  ///< by how much the row of a vertex can raise any eccentricity, at most
  std::vector<std::size_t> added_;
  std::size_t farthest_of_row_ = 0;
};

/// Adds rows until no vertex that is left can add more than the tolerance to any eccentricity.
void search(FarthestSearch& found, const EccentricityOptions& options, const Execution& execution,
            double& bound) {
  double first = 0;
  while (true) {
    const auto [place, gain] = found.next();
    const double least = options.tolerance * found.largest();
    const bool enough = options.most_rows > 0 && found.rows() >= options.most_rows;
    if (enough || !(gain > least)) {
      bound = std::max(bound, gain);
      return;
    }
    found.add(place, execution);
    if (found.rows() == early_rows) found.add_again(execution);
    if (found.rows() == 2) first = gain;
    if (found.rows() > 2 && first > least)
      execution.report("eccentricity",
                       std::clamp(std::max((first - gain) / (first - least),
                                           options.most_rows > 0 ? static_cast<double>(found.rows()) /
                                                                       static_cast<double>(options.most_rows)
                                                                 : 0.0),
                                  0.0, 1.0));
  }
}

}  // namespace

Eccentricity eccentricity(const DistanceMatrix& given, const EccentricityOptions& options,
                          const Execution& execution) {
  if (!(options.tolerance >= 0 && options.tolerance <= 1))
    throw InputError(text("tolerance ", options.tolerance, " is out of range [0, 1]"));
  if (options.most_rows < 0) throw InputError(text(options.most_rows, " rows: use at least 0"));
  const auto converted =
      given.kind() == DistanceKind::distance ? nullptr : given.converted(DistanceKind::distance);
  if (given.kind() != DistanceKind::distance && !converted)
    throw InputError(
        "eccentricity requires a matrix of distances, and this one stores squared distances only");
  const DistanceMatrix& matrix = converted ? *converted : given;
  Eccentricity result;
  result.eccentricity = Vector::Constant(matrix.size(), std::numeric_limits<double>::quiet_NaN());
  result.farthest.assign(static_cast<std::size_t>(matrix.size()), -1);
  std::size_t most = 0;
  for (const std::vector<Index>& members : component_members(matrix, execution)) {
    FarthestSearch found(matrix, members);
    search(found, options, execution, result.bound);
    found.write(result);
    result.rows += found.rows();
    for (const Index v : members)
      if (result.from < 0 || result.eccentricity[v] > result.diameter) {
        result.diameter = result.eccentricity[v];
        result.from = v;
        result.to = result.farthest[v];
      }
    if (members.size() <= most) continue;
    most = members.size();
    result.centre = *std::min_element(members.begin(), members.end(), [&](Index a, Index b) {
      return result.eccentricity[a] < result.eccentricity[b];
    });
    result.radius = result.eccentricity[result.centre];
  }
  return result;
}

}  // namespace geodome
