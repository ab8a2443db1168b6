#include "geodome/base/sparse_cholesky.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "geodome/base/panel_solve.h"

namespace geodome::internal {

void broadcast(const Team& team, SupernodalArrays& arrays, int root) {
  broadcast_vector(team, arrays.first_column, root);
  broadcast_vector(team, arrays.row_begin, root);
  broadcast_vector(team, arrays.value_begin, root);
  broadcast_vector(team, arrays.rows, root);
  broadcast_vector(team, arrays.values, root);
  broadcast_vector(team, arrays.permutation, root);
}

SparseCholesky::SparseCholesky(SparseMatrix matrix, FactorOrdering ordering)
    : SparseCholesky(factor_supernodal(std::move(matrix), ordering)) {}

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
  return sizeof(double) * arrays_.values.size() +
         sizeof(Index) * (arrays_.rows.size() + position_.size() + node_of_.size()) +
         sizeof(std::int64_t) * (arrays_.permutation.size() + arrays_.first_column.size() +
                                 arrays_.row_begin.size() + arrays_.value_begin.size());
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
  const auto k = block.cols();
  if (k == 0 || rows.empty()) return;
  PartialSolve partial(*this);
  partial.begin(rows, static_cast<int>(k));
  const auto row_of = [&](std::size_t i) { return block.data() + static_cast<Eigen::Index>(i) * k; };
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(row_of(i), row_of(i) + k, partial.right_hand_side(rows[i]));
  partial.solve();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* from = partial.solution(rows[i]);
    std::copy(from, from + k, row_of(i));
  }
}

PartialSolve::PartialSolve(const SparseCholesky& factor)
    : factor_(factor),
      visited_(factor.arrays_.first_column.size(), 0),
      loaded_(factor.arrays_.first_column.size(), 0),
      place_(factor.position_.size(), -1) {}

/// -1 at a root.
Index PartialSolve::parent(Index node) const {
  const SupernodalArrays& a = factor_.arrays_;
  const std::int64_t first_below = a.row_begin[node] + a.first_column[node + 1] - a.first_column[node];
  return first_below == a.row_begin[node + 1] ? -1 : factor_.node_of_[a.rows[first_below]];
}

void PartialSolve::find_nodes(std::span<const Index> rows) {
  for (const Index node : nodes_) visited_[node] = loaded_[node] = 0;
  nodes_.clear();
  for (const Index row : rows)
    for (Index node = factor_.node_of_[factor_.position_[row]]; node >= 0 && !visited_[node];
         node = parent(node)) {
      visited_[node] = 1;
      nodes_.push_back(node);
    }
  std::sort(nodes_.begin(), nodes_.end());
}

void PartialSolve::begin(std::span<const Index> rows, int k) {
  find_nodes(rows);
  lanes_ = (k + panel_lanes - 1) / panel_lanes * panel_lanes;
  const auto& first_column = factor_.arrays_.first_column;
  Index place = 0;
  for (const Index node : nodes_)
    for (std::int64_t column = first_column[node]; column < first_column[node + 1]; ++column)
      place_[column] = place++;
  block_.assign(static_cast<std::size_t>(place) * lanes_, 0.0);
}

double* PartialSolve::right_hand_side(Index row) {
  loaded_[factor_.node_of_[factor_.position_[row]]] = 1;
  return block_.data() + place_of(row) * lanes_;
}

SupernodeView PartialSolve::view(Index node) {
  const SupernodalArrays& a = factor_.arrays_;
  const std::int64_t first = a.first_column[node], columns = a.first_column[node + 1] - first;
  const Index* rows = a.rows.data() + a.row_begin[node];
  const std::int64_t height = a.row_begin[node + 1] - a.row_begin[node];
  below_.resize(static_cast<std::size_t>(height - columns));
  for (std::int64_t i = columns; i < height; ++i) below_[i - columns] = place_[rows[i]];
  return {a.values.data() + a.value_begin[node], static_cast<int>(columns), static_cast<int>(height),
          block_.data() + static_cast<std::int64_t>(place_[first]) * lanes_, below_.data()};
}

void PartialSolve::solve() {
  for (const Index node : nodes_) {
    if (!loaded_[node]) continue;
    solve_forward(view(node), lanes_, block_.data());
    if (const Index next = parent(node); next >= 0) loaded_[next] = 1;
  }
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
    solve_backward(view(*node), lanes_, block_.data());
}

}  // namespace geodome::internal
