#include "geodome/base/sparse_cholesky.h"

#include <cblas.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace geodome {

SparseCholesky::SparseCholesky(const SparseMatrix& matrix, FactorOrdering ordering)
    : SparseCholesky(factor_supernodal(matrix, ordering)) {}

SparseCholesky::SparseCholesky(SupernodalArrays arrays) : arrays_(std::move(arrays)) {
  const std::size_t size = arrays_.permutation.size();
  position_.resize(size);
  for (std::size_t i = 0; i < size; ++i) position_[arrays_.permutation[i]] = static_cast<Index>(i);
  node_of_.resize(size);
  for (std::size_t node = 0; node + 1 < arrays_.first_column.size(); ++node)
    std::fill(node_of_.begin() + arrays_.first_column[node],
              node_of_.begin() + arrays_.first_column[node + 1], static_cast<Index>(node));
}

std::size_t SparseCholesky::bytes() const {
  return sizeof(double) * arrays_.values.size() + sizeof(Index) * (position_.size() + node_of_.size()) +
         sizeof(std::int64_t) *
             (arrays_.rows.size() + arrays_.permutation.size() + arrays_.first_column.size() +
              arrays_.row_begin.size() + arrays_.value_begin.size());
}

std::vector<std::int64_t> SparseCholesky::closure(std::span<const Index> rows) const {
  std::vector<std::int64_t> nodes;
  std::vector<char> visited(arrays_.first_column.size(), 0);
  for (const Index row : rows) {
    std::int64_t node = node_of_[position_[row]];
    while (!visited[node]) {
      visited[node] = 1;
      nodes.push_back(node);
      const std::int64_t columns = arrays_.first_column[node + 1] - arrays_.first_column[node];
      if (arrays_.row_begin[node] + columns == arrays_.row_begin[node + 1]) break;  // a root
      node = node_of_[arrays_.rows[arrays_.row_begin[node] + columns]];
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// The block is row-major, k numbers per row, so BLAS sees its transpose column-major: k by #rows.

void SparseCholesky::forward(std::int64_t node, const std::vector<std::int64_t>& start, double* block, int k,
                             std::vector<double>& scratch) const {
  const auto& a = arrays_;
  const int columns = static_cast<int>(a.first_column[node + 1] - a.first_column[node]);
  const int height = static_cast<int>(a.row_begin[node + 1] - a.row_begin[node]);
  const double* values = a.values.data() + a.value_begin[node];
  double* own = block + start[node] * k;
  if (std::all_of(own, own + static_cast<std::ptrdiff_t>(columns) * k, [](double x) { return x == 0; }))
    return;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, k, columns, 1, values, height,
              own, k);
  const int below = height - columns;
  if (below == 0) return;
  scratch.resize(static_cast<std::size_t>(below) * k);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, k, below, columns, 1, own, k, values + columns, height,
              0, scratch.data(), k);
  for (int i = 0; i < below; ++i) {
    const std::int64_t position = a.rows[a.row_begin[node] + columns + i];
    const std::int64_t other = node_of_[position];
    double* target = block + (start[other] + position - a.first_column[other]) * k;
    for (int c = 0; c < k; ++c) target[c] -= scratch[static_cast<std::size_t>(i) * k + c];
  }
}

void SparseCholesky::backward(std::int64_t node, const std::vector<std::int64_t>& start, double* block, int k,
                              std::vector<double>& scratch) const {
  const auto& a = arrays_;
  const int columns = static_cast<int>(a.first_column[node + 1] - a.first_column[node]);
  const int height = static_cast<int>(a.row_begin[node + 1] - a.row_begin[node]);
  const double* values = a.values.data() + a.value_begin[node];
  double* own = block + start[node] * k;
  const int below = height - columns;
  if (below > 0) {
    scratch.resize(static_cast<std::size_t>(below) * k);
    for (int i = 0; i < below; ++i) {
      const std::int64_t position = a.rows[a.row_begin[node] + columns + i];
      const std::int64_t other = node_of_[position];
      const double* source = block + (start[other] + position - a.first_column[other]) * k;
      std::copy(source, source + k, scratch.data() + static_cast<std::size_t>(i) * k);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, columns, below, -1, scratch.data(), k,
                values + columns, height, 1, own, k);
  }
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, k, columns, 1, values,
              height, own, k);
}

RowMatrix<double> SparseCholesky::solve(RowMatrix<double> B) const {
  assert(B.rows() == size());
  std::vector<Index> all(position_.size());
  std::iota(all.begin(), all.end(), 0);
  solve_rows(all, B);
  return B;
}

Vector SparseCholesky::solve(const Vector& b) const {
  return solve(RowMatrix<double>(b));
}

void SparseCholesky::solve_rows(std::span<const Index> rows, Eigen::Ref<RowMatrix<double>> block) const {
  assert(block.rows() == static_cast<Eigen::Index>(rows.size()) && block.outerStride() == block.cols());
  const int k = static_cast<int>(block.cols());
  if (k == 0 || rows.empty()) return;

  const std::vector<std::int64_t> nodes = closure(rows);
  std::vector<std::int64_t> start(arrays_.first_column.size(),
                                  -1);  // first compact row of a visited supernode
  std::int64_t total = 0;
  for (const std::int64_t node : nodes) {
    start[node] = total;
    total += arrays_.first_column[node + 1] - arrays_.first_column[node];
  }
  std::vector<double> compact(static_cast<std::size_t>(total) * k, 0.0), scratch;
  const auto row_at = [&](Index row) {
    const Index position = position_[row];
    const Index node = node_of_[position];
    return compact.data() + (start[node] + position - arrays_.first_column[node]) * k;
  };

  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* from = block.row(static_cast<Eigen::Index>(i)).data();
    std::copy(from, from + k, row_at(rows[i]));
  }
  for (const std::int64_t node : nodes) forward(node, start, compact.data(), k, scratch);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    backward(*node, start, compact.data(), k, scratch);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* from = row_at(rows[i]);
    std::copy(from, from + k, block.row(static_cast<Eigen::Index>(i)).data());
  }
}

}  // namespace geodome
