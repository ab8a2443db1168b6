#include "geodome/laplacian/laplacian.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

struct Chooser {
  const LaplacianOptions& options;
  const Execution& execution;

  Laplacian operator()(const TriangleMesh& mesh) const { return triangle_laplacian(mesh, options); }
  Laplacian operator()(const PolygonMesh& mesh) const { return polygon_laplacian(mesh); }
  Laplacian operator()(const PointCloud& cloud) const { return cloud_laplacian(cloud, options, execution); }
  Laplacian operator()(const Graph& graph) const { return graph_laplacian(graph, options); }
  Laplacian operator()(const Samples& samples) const {
    return samples_laplacian(samples, options, execution);
  }
};

}  // namespace

Laplacian laplacian(const Shape& shape, const LaplacianOptions& options, const Execution& execution) {
  return std::visit(Chooser{options, execution}, shape);
}

SparseMatrix biharmonic(const Laplacian& laplacian) {
  const SparseMatrix& S = laplacian.stiffness;
  const Vector root =
      laplacian.mass.unaryExpr([](double mass) { return mass > 0 ? 1 / std::sqrt(mass) : 0.0; });
  const Eigen::Index count = S.cols();
  std::vector<Index> seen(static_cast<std::size_t>(count), -1), rows;
  // Calls add(i, column of S) for all S_ik S_kj, by k. Column k of S is its row k, to the last bit.
  const auto find_rows = [&](Index j, const auto& add) {
    rows.clear();
    for (SparseMatrix::InnerIterator middle(S, j); middle; ++middle)
      for (SparseMatrix::InnerIterator entry(S, middle.row()); entry; ++entry) {
        const auto i = static_cast<Index>(entry.row());
        const bool first = seen[i] != j;
        if (first) rows.push_back(i);
        seen[i] = j;
        add(i, first, root[middle.row()] * entry.value(), root[middle.row()] * middle.value());
      }
  };
  SparseMatrix M(count, count);
  for (Index j = 0; j < count; ++j) {
    find_rows(j, [](Index, bool, double, double) {});
    M.outerIndexPtr()[j + 1] = M.outerIndexPtr()[j] + static_cast<Index>(rows.size());
  }
  M.resizeNonZeros(M.outerIndexPtr()[count]);
  std::fill(seen.begin(), seen.end(), -1);
  std::vector<double> sum(static_cast<std::size_t>(count));
  for (Index j = 0; j < count; ++j) {
    // Sums over k in one order for (i, j) and (j, i): symmetric to the last bit.
    find_rows(j, [&](Index i, bool first, double left, double right) {
      sum[i] = first ? left * right : sum[i] + left * right;
    });
    std::sort(rows.begin(), rows.end());
    Eigen::Index at = M.outerIndexPtr()[j];
    for (const Index i : rows) {
      M.innerIndexPtr()[at] = i;
      M.valuePtr()[at++] = sum[i];
    }
  }
  return M;
}

}  // namespace geodome::internal
