#include "geodome/embedding/stress.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"
#include "geodome/embedding/gram.h"
#include "geodome/geodesic/shared_rows.h"

namespace geodome::internal {
namespace {

/// Two-sided 95 % of the normal distribution.
constexpr double normal_quantile = 1.959964;
/// Rows requested at a time.
constexpr std::size_t together = 64;

/// Sums of squares over one component, and how uncertain they are.
struct Part {
  double misfit = 0;  ///< ‖Z Zᵀ + ½ J E J‖²
  double whole = 0;   ///< ‖½ J E J‖²
  double misfit_variance = 0;
  double whole_variance = 0;
  double covariance = 0;
  Index rows = 0;
  bool exact = true;
};

std::vector<Index> sample(std::vector<Index> vertices, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  for (std::size_t k = 0; k < count; ++k)
    std::swap(vertices[k], vertices[k + static_cast<std::size_t>(random_unit(generator) *
                                                                 static_cast<double>(vertices.size() - k))]);
  vertices.resize(count);
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

std::size_t row_count(std::size_t vertices, const StressOptions& options) {
  const std::size_t wanted = vertices <= static_cast<std::size_t>(options.exact_up_to)
                                 ? vertices
                                 : static_cast<std::size_t>(options.rows);
  const auto row_bytes = static_cast<std::int64_t>(8 * vertices);
  const auto affordable =
      static_cast<std::size_t>(std::max<std::int64_t>(2, options.memory_bound / row_bytes));
  return std::min({vertices, wanted, affordable});
}

/// Rows of a matrix with their own means taken off, and the means of its columns over those rows.
struct CentredRows {
  RowMatrix<float> rows;
  Vector column_mean;
};

void take_row(CentredRows& to, Eigen::Index at, Vector row) {
  row.array() -= row.mean();
  to.column_mean += row;
  to.rows.row(at) = row.cast<float>().transpose();
}

/// ‖row - column means‖² for every row: the rows of J M J, its column means those of the sample.
Vector row_energies(CentredRows& all) {
  all.column_mean /= static_cast<double>(all.rows.rows());
  Vector energies(all.rows.rows());
  for (Eigen::Index i = 0; i < all.rows.rows(); ++i)
    energies[i] = (all.rows.row(i).transpose().cast<double>() - all.column_mean).squaredNorm();
  return energies;
}

double mean_product(const Vector& a, const Vector& b) {
  return (a.array() - a.mean()).matrix().dot((b.array() - b.mean()).matrix()) /
         static_cast<double>(a.size() - 1);
}

/// A power of four that makes the squared radius of Z of the order of one, so that rows fit single precision.
double scale_for(const Eigen::Ref<const RowMatrix<double>>& Z) {
  const double largest = Z.size() > 0 ? Z.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0) || (largest > 1e-6 && largest < 1e6)) return 1;
  return std::ldexp(1.0, -2 * std::ilogb(largest));
}

/// Everything times `scale`.
Part measure(const RowMatrix<double>& Z, const std::vector<Index>& vertices, const SquaredRows& squared,
             const StressOptions& options, double scale) {
  const std::size_t count = row_count(vertices.size(), options);
  const std::vector<Index> chosen = sample(vertices, count, options.seed);
  const auto n = static_cast<Eigen::Index>(vertices.size());
  RowMatrix<double> own(n, Z.cols());
  for (Eigen::Index v = 0; v < n; ++v) own.row(v) = std::sqrt(scale) * Z.row(vertices[v]);
  const auto rows = static_cast<Eigen::Index>(count);
  CentredRows misfit{RowMatrix<float>(rows, n), Vector::Zero(n)}, whole = misfit;
  for (std::size_t begin = 0; begin < count; begin += together) {
    const auto some = std::span(chosen).subspan(begin, std::min(together, count - begin));
    const RowMatrix<double> E = squared(some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      Vector half(n);
      for (Eigen::Index v = 0; v < n; ++v) half[v] = scale * E(static_cast<Eigen::Index>(i), vertices[v]) / 2;
      if (!half.allFinite())
        throw NumericalError(
            text("distances from vertex ", some[i],
                 " within its component are not finite: the distances have different components"));
      take_row(whole, static_cast<Eigen::Index>(begin + i), half);
      take_row(misfit, static_cast<Eigen::Index>(begin + i),
               half + own * (std::sqrt(scale) * Z.row(some[i])).transpose());
    }
  }
  const Vector misfits = row_energies(misfit), wholes = row_energies(whole);
  const auto s = static_cast<double>(count), size = static_cast<double>(n);
  Part part;
  part.rows = static_cast<Index>(count);
  part.exact = count == vertices.size();
  // Column means from the same rows take one degree of freedom, as in a sample variance.
  const double factor = part.exact ? 1 : (size - 1) / (s - 1);
  part.misfit = factor * misfits.sum();
  part.whole = factor * wholes.sum();
  if (part.exact) return part;
  const double spread = factor * factor * s * (1 - s / size);
  part.misfit_variance = spread * mean_product(misfits, misfits);
  part.whole_variance = spread * mean_product(wholes, wholes);
  part.covariance = spread * mean_product(misfits, wholes);
  return part;
}

/// √value with the ends of an interval around the value. Rows are skewed, a few of them much larger than the
/// rest, so few rows show too small a variance: the interval is wider than a normal one by 1 + 3/√rows.
Interval root_interval(double value, double variance, Index rows) {
  const double widening = 1 + 3 / std::sqrt(static_cast<double>(std::max<Index>(rows, 1)));
  const double reach = widening * normal_quantile * std::sqrt(std::max(0.0, variance));
  return {std::sqrt(std::max(0.0, value - reach)), std::sqrt(value + reach)};
}

void check(const Eigen::Ref<const RowMatrix<double>>& Z, std::span<const Index> component,
           const StressOptions& options) {
  if (static_cast<std::size_t>(Z.rows()) != component.size())
    throw InputError(text(Z.rows(), " points for ", component.size(), " vertices"));
  if (options.rows < 2)
    throw InputError(text("the number of rows for the stress must be at least 2, got ", options.rows));
}

}  // namespace

SquaredRows squared_rows(const GeodesicSolver& solver, const Execution& execution) {
  return [&solver, execution](std::span<const Index> vertices) {
    RowMatrix<double> rows(static_cast<Eigen::Index>(vertices.size()), solver.size());
    if (team_of(execution) != nullptr) {
      std::vector<Index> all(static_cast<std::size_t>(solver.size()));
      std::iota(all.begin(), all.end(), 0);
      rows = shared_between(solver, vertices, all, execution);
    } else {
      solver.distances(vertices, rows, execution);
    }
    return RowMatrix<double>(rows.cwiseAbs2());
  };
}

SquaredRows squared_rows(const DistanceMatrix& squared, const Execution& execution) {
  if (squared.kind() != DistanceKind::squared)
    throw InputError(
        "stress requires squared distances, and this matrix contains distances: read it as squared");
  return [&squared, execution](std::span<const Index> vertices) { return squared.rows(vertices, execution); };
}

Stress stress(const Eigen::Ref<const RowMatrix<double>>& Z, std::span<const Index> component,
              const SquaredRows& rows, const StressOptions& options) {
  check(Z, component, options);
  std::vector<std::vector<Index>> parts;
  for (std::size_t v = 0; v < component.size(); ++v) {
    if (component[v] < 0) continue;
    parts.resize(std::max(parts.size(), static_cast<std::size_t>(component[v]) + 1));
    parts[component[v]].push_back(static_cast<Index>(v));
  }
  const double scale = scale_for(Z);
  Part total;
  for (const std::vector<Index>& vertices : parts) {
    if (vertices.empty()) continue;
    const Part part = measure(Z, vertices, rows, options, scale);
    total.misfit += part.misfit;
    total.whole += part.whole;
    total.misfit_variance += part.misfit_variance;
    total.whole_variance += part.whole_variance;
    total.covariance += part.covariance;
    total.rows += part.rows;
    total.exact = total.exact && part.exact;
  }
  Stress result;
  result.value = std::sqrt(total.misfit) / scale;
  result.interval = root_interval(total.misfit, total.misfit_variance, total.rows);
  result.interval.low /= scale;
  result.interval.high /= scale;
  result.rows = total.rows;
  result.exact = total.exact;
  if (!(total.whole > 0)) return result;
  const double ratio = total.misfit / total.whole;
  const double ratio_variance =
      (total.misfit_variance - 2 * ratio * total.covariance + ratio * ratio * total.whole_variance) /
      (total.whole * total.whole);
  result.normalised = std::sqrt(ratio);
  result.normalised_interval = root_interval(ratio, ratio_variance, total.rows);
  return result;
}

}  // namespace geodome::internal
