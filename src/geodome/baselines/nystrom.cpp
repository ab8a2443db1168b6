#include "geodome/baselines/nystrom.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/baselines/signed_root.h"

namespace geodome::internal {

FactoredMatrix nystrom(const LandmarkColumns& columns, DistanceKind kind, double cut,
                       const Execution& execution) {
  if (!(cut >= 0 && cut < 1))
    throw InputError(text("the cut of the pseudoinverse must be in [0, 1), got ", cut));
  const bool squared = kind == DistanceKind::squared;
  std::vector<SignedRoot> roots;
  Eigen::Index most = 0;
  for (Index c = 0; c < columns.components(); ++c) {
    roots.push_back(signed_root(columns.between(c, squared), cut, true));
    most = std::max(most, roots.back().root.cols());
  }
  Factors factors;
  factors.A = RowMatrix<float>::Zero(columns.C.rows(), most);
  factors.sign = RowMatrix<float>::Zero(columns.components(), most);
  factors.component = columns.labels();
  const auto members = columns.members();
  constexpr std::size_t panel = 64;
  for (Index c = 0; c < columns.components(); ++c) {
    const auto& root = roots[c].root;
    const auto& sign = roots[c].sign;
    factors.sign.row(c).head(sign.size()) = sign.transpose().cast<float>();
    const std::vector<Index>& vertices = members[c];
    parallel_for((vertices.size() + panel - 1) / panel, execution, "Nyström", [&](std::size_t item, int) {
      const std::size_t begin = item * panel, count = std::min(panel, vertices.size() - begin);
      RowMatrix<double> rows(static_cast<Eigen::Index>(count), columns.count(c));
      for (std::size_t k = 0; k < count; ++k)
        rows.row(static_cast<Eigen::Index>(k)) =
            columns.C.row(vertices[begin + k]).head(columns.count(c)).cast<double>();
      if (squared) rows = rows.cwiseAbs2().eval();
      const RowMatrix<double> product = rows * root;
      for (std::size_t k = 0; k < count; ++k)
        factors.A.row(vertices[begin + k]).head(product.cols()) =
            product.row(static_cast<Eigen::Index>(k)).cast<float>();
    });
  }
  return {std::move(factors), kind};
}

}  // namespace geodome::internal
