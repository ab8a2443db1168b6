#include "geodome/baselines/factored.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/each_pair.h"

namespace geodome::internal {
namespace {

/// Rows turned into double precision at once.
constexpr Index panel = 64;

void check(const Factors& factors) {
  const auto& [A, B, sign, component] = factors;
  if (B.size() > 0 && (B.rows() != A.rows() || B.cols() != A.cols()))
    throw InputError(text("factors of ", A.rows(), " by ", A.cols(), " and ", B.rows(), " by ", B.cols(),
                          " numbers have no symmetric product"));
  if (B.size() == 0 && sign.cols() != A.cols())
    throw InputError(text(sign.cols(), " signs for ", A.cols(), " columns"));
  if (!component.empty() && static_cast<Eigen::Index>(component.size()) != A.rows())
    throw InputError(text(component.size(), " component labels for ", A.rows(), " vertices"));
  if (!A.allFinite() || !B.allFinite()) throw InputError("a factor contains a number that is not finite");
}

}  // namespace

FactoredMatrix::FactoredMatrix(Factors factors, DistanceKind kind)
    : factors_(std::move(factors)), kind_(kind) {
  check(factors_);
  for (const Index c : factors_.component) {
    components_ = std::max(components_, c + 1);
    whole_ = whole_ && c == 0;
  }
  if (factors_.B.size() == 0 && factors_.sign.rows() != components_)
    throw InputError(text("signs for ", factors_.sign.rows(), " of ", components_, " components"));
}

Eigen::RowVectorXd FactoredMatrix::partner(Index i) const {
  const Eigen::RowVectorXd a = factors_.A.row(i).cast<double>();
  if (factors_.B.size() == 0)
    return a.cwiseProduct(factors_.sign.row(std::max<Index>(0, component(i))).cast<double>());
  Eigen::RowVectorXd both(2 * a.size());
  both << factors_.B.row(i).cast<double>() / 2, a / 2;
  return both;
}

Vector FactoredMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                               const Execution& execution) const {
  require_pairs(I, J);
  return each_pair(I, J, execution, [&](Index a, Index b) {
    // The smaller vertex first, so that (i, j) and (j, i) agree to the last bit.
    const Index i = std::min(a, b), j = std::max(a, b);
    if (component(i) < 0 || component(i) != component(j)) return i == j ? 0 : infinity;
    const Eigen::RowVectorXd other = partner(i);
    double entry = other.head(columns()).dot(factors_.A.row(j).cast<double>());
    if (factors_.B.size() > 0) entry += other.tail(columns()).dot(factors_.B.row(j).cast<double>());
    return entry;
  });
}

RowMatrix<double> FactoredMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  require_vertices(I);
  const auto count = static_cast<Eigen::Index>(I.size());
  const bool two = factors_.B.size() > 0;
  Eigen::MatrixXd partners((two ? 2 : 1) * columns(), count);
  for (Eigen::Index k = 0; k < count; ++k) partners.col(k) = partner(I[static_cast<std::size_t>(k)]);
  RowMatrix<double> result(count, size());
  parallel_for(
      static_cast<std::size_t>((size() + panel - 1) / panel), execution, {}, [&](std::size_t item, int) {
        const Index begin = static_cast<Index>(item) * panel, width = std::min(panel, size() - begin);
        RowMatrix<double> values =
            factors_.A.middleRows(begin, width).cast<double>() * partners.topRows(columns());
        if (two)
          values.noalias() +=
              factors_.B.middleRows(begin, width).cast<double>() * partners.bottomRows(columns());
        for (Eigen::Index k = 0; k < count; ++k) {
          const Index i = I[static_cast<std::size_t>(k)], c = component(i);
          for (Index v = begin; v < begin + width; ++v)
            result(k, v) = c >= 0 && c == component(v) ? values(v - begin, k) : i == v ? 0 : infinity;
        }
      });
  return result;
}

RowMatrix<double> FactoredMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                        const Execution& execution) const {
  require_rows(X.rows());
  if (!whole_)
    throw InputError(text("the shape has ", components_,
                          " components or unreferenced vertices, and the distances between them are "
                          "infinite, so the whole matrix cannot be multiplied: use one component at a time"));
  const bool two = factors_.B.size() > 0;
  const auto width = (two ? 2 : 1) * columns();
  // As many parts as the size alone decides, summed in order: the same on any number of threads.
  constexpr Index parts = 16;
  std::vector<RowMatrix<double>> sums(parts);
  const auto share = [&](Index part) {
    return static_cast<Index>(static_cast<std::int64_t>(size()) * part / parts);
  };
  parallel_for(parts, execution, {}, [&](std::size_t item, int) {
    RowMatrix<double>& sum = sums[item] = RowMatrix<double>::Zero(width, X.cols());
    const Index last = share(static_cast<Index>(item) + 1);
    for (Index begin = share(static_cast<Index>(item)); begin < last; begin += panel) {
      const Index rows = std::min(panel, last - begin);
      sum.topRows(columns()).noalias() +=
          factors_.A.middleRows(begin, rows).cast<double>().transpose() * X.middleRows(begin, rows);
      if (two)
        sum.bottomRows(columns()).noalias() +=
            factors_.B.middleRows(begin, rows).cast<double>().transpose() * X.middleRows(begin, rows);
    }
  });
  for (Index part = 1; part < parts; ++part) sums[0] += sums[static_cast<std::size_t>(part)];
  RowMatrix<double> middle = sums[0];
  if (two) {
    middle.topRows(columns()) = sums[0].bottomRows(columns()) / 2;
    middle.bottomRows(columns()) = sums[0].topRows(columns()) / 2;
  } else {
    middle = factors_.sign.row(0).cast<double>().transpose().asDiagonal() * sums[0];
  }
  RowMatrix<double> result(X.rows(), X.cols());
  parallel_for(static_cast<std::size_t>((size() + panel - 1) / panel), execution, {},
               [&](std::size_t item, int) {
                 const Index begin = static_cast<Index>(item) * panel, rows = std::min(panel, size() - begin);
                 result.middleRows(begin, rows).noalias() =
                     factors_.A.middleRows(begin, rows).cast<double>() * middle.topRows(columns());
                 if (two)
                   result.middleRows(begin, rows).noalias() +=
                       factors_.B.middleRows(begin, rows).cast<double>() * middle.bottomRows(columns());
               });
  return result;
}

std::int64_t FactoredMatrix::bytes() const {
  return static_cast<std::int64_t>(
      (static_cast<std::size_t>(factors_.A.size() + factors_.B.size() + factors_.sign.size())) *
          sizeof(float) +
      factors_.component.size() * sizeof(Index));
}

}  // namespace geodome::internal
