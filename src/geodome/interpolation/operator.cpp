#include "geodome/interpolation/operator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/cells.h"
#include "geodome/interpolation/sparsify.h"
#include "geodome/interpolation/system.h"

namespace geodome {
namespace {

constexpr std::string_view stage = "interpolation";

/// Rows of P that some columns live on, and the columns' values there.
struct Patch {
  std::vector<Index> unknowns;  ///< increasing
  std::vector<char> rim;        ///< of each: in the outer rings, where the solution has to have faded
  bool whole = false;           ///< nothing lies beyond
};

Patch patch_around(const InterpolationSystem& system, const CellGraph& cells, std::span<const Index> cluster,
                   Index rings) {
  const Neighbourhood around = cells_around(cells, cluster, rings);
  std::vector<std::pair<Index, char>> members;
  for (std::size_t i = 0; i < around.cells.size(); ++i)
    for (const Index vertex : cells.members[around.cells[i]])
      if (system.unknown_of[vertex] >= 0)
        members.emplace_back(system.unknown_of[vertex], around.ring[i] + 1 >= rings);
  std::sort(members.begin(), members.end());
  Patch patch;
  patch.whole = around.whole;
  for (const auto& [unknown, rim] : members) {
    patch.unknowns.push_back(unknown);
    patch.rim.push_back(rim);
  }
  return patch;
}

Patch everything(const InterpolationSystem& system) {
  Patch patch;
  patch.whole = true;
  patch.unknowns.resize(system.vertex_of.size());
  std::iota(patch.unknowns.begin(), patch.unknowns.end(), 0);
  patch.rim.assign(patch.unknowns.size(), 0);
  return patch;
}

/// #patch by #landmarks: -M_ub restricted to the patch.
RowMatrix<double> right_hand_sides(const InterpolationSystem& system, const Patch& patch,
                                   std::span<const Index> landmarks) {
  RowMatrix<double> block = RowMatrix<double>::Zero(static_cast<Eigen::Index>(patch.unknowns.size()),
                                                    static_cast<Eigen::Index>(landmarks.size()));
  for (std::size_t c = 0; c < landmarks.size(); ++c)
    for (SparseMatrix::InnerIterator entry(system.M, landmarks[c]); entry; ++entry) {
      const Index unknown = system.unknown_of[entry.row()];
      if (unknown < 0) continue;
      const auto at = std::lower_bound(patch.unknowns.begin(), patch.unknowns.end(), unknown);
      if (at != patch.unknowns.end() && *at == unknown)
        block(at - patch.unknowns.begin(), static_cast<Eigen::Index>(c)) = -entry.value();
    }
  return block;
}

/// The system cut out of M on the patch alone: zero is imposed all around it.
void solve_on_patch(const InterpolationSystem& system, const Patch& patch, RowMatrix<double>& block) {
  std::vector<Index> vertices(patch.unknowns.size()), position(system.unknown_of.size(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i] = system.vertex_of[patch.unknowns[i]];
    position[vertices[i]] = static_cast<Index>(i);
  }
  const SparseCholesky factor(principal_submatrix(system.M, vertices, position), FactorOrdering::quick);
  std::vector<Index> all(vertices.size());
  std::iota(all.begin(), all.end(), 0);
  factor.solve_rows(all, block);
}

/// Entries of one column with the largest magnitudes; false when one beyond the patch might have been larger.
bool select(const InterpolationSystem& system, const Patch& patch, const RowMatrix<double>& block,
            Eigen::Index c, std::size_t count, std::vector<ColumnEntry>& column) {
  column.clear();
  double rim = 0;
  for (std::size_t i = 0; i < patch.unknowns.size(); ++i) {
    const double value = block(static_cast<Eigen::Index>(i), c);
    if (value == 0) continue;
    column.push_back({system.vertex_of[patch.unknowns[i]], static_cast<float>(value)});
    if (patch.rim[i]) rim = std::max(rim, std::abs(value));
  }
  const bool all_kept = column.size() <= count;
  keep_largest(column, count);
  if (patch.whole) return true;
  if (all_kept) return false;
  double smallest = infinity;
  for (const ColumnEntry& entry : column) smallest = std::min<double>(smallest, std::abs(entry.value));
  return smallest >= rim;
}

/// Rings of cells that hold the wanted entries with a margin of two and a half: a disc of r landmark spacings
/// covers 3.63 r² cells of hexagonally placed landmarks.
Index rings_for(double entries_per_row) {
  return static_cast<Index>(std::ceil(1.15 * std::sqrt(entries_per_row / 3.63) + 2.5));
}

/// Landmarks solved together: enough right-hand sides for level-3 BLAS, few enough to stay neighbours.
constexpr Index cluster_size = 32;
/// Below this many unknowns a whole solve costs less than finding out what could be left out.
constexpr std::size_t few_unknowns = 4000;
/// Above this many vertices per landmark one global factor beats a factor per patch (measured: 60 to 100).
constexpr double many_per_landmark = 80;

InterpolationMethod choose_method(const InterpolationSystem& system, const CellGraph& cells,
                                  const std::vector<std::vector<Index>>& clusters, std::size_t landmarks,
                                  Index rings) {
  const std::size_t unknowns = system.vertex_of.size();
  if (unknowns <= few_unknowns) return InterpolationMethod::plain;
  const Patch first = patch_around(system, cells, clusters.front(), rings);
  if (2 * first.unknowns.size() > unknowns) return InterpolationMethod::plain;
  const double per_landmark = static_cast<double>(unknowns) / static_cast<double>(landmarks);
  return per_landmark > many_per_landmark ? InterpolationMethod::partial : InterpolationMethod::patches;
}

/// Columns of P by clusters of landmarks, each cut down to its `count` largest entries.
class ColumnSolver {
 public:
  ColumnSolver(const InterpolationSystem& system, std::span<const Index> landmarks,
               std::span<const Index> cell, InterpolationMethod method, double entries_per_row)
      : system_(system),
        landmarks_(landmarks),
        cells_(make_cell_graph(system.M, cell, static_cast<Index>(landmarks.size()))),
        clusters_(cluster_cells(cells_, cluster_size)),
        rings_(rings_for(entries_per_row)) {
    method_ = method == InterpolationMethod::automatic
                  ? choose_method(system, cells_, clusters_, landmarks.size(), rings_)
                  : method;
    if (method_ != InterpolationMethod::patches)
      factor_ = std::make_unique<SparseCholesky>(system.unknown_matrix());
  }

  std::vector<std::vector<ColumnEntry>> solve(std::size_t count, const Execution& execution) {
    std::vector<std::vector<ColumnEntry>> columns(landmarks_.size());
    parallel_for(clusters_.size(), execution, stage,
                 [&](std::size_t item, int) { solve_cluster(clusters_[item], count, columns); });
    return columns;
  }

  InterpolationMethod method() const { return method_; }
  Index clusters() const { return static_cast<Index>(clusters_.size()); }
  Index enlarged() const { return enlarged_; }

 private:
  void solve_cluster(const std::vector<Index>& cluster, std::size_t count,
                     std::vector<std::vector<ColumnEntry>>& columns) {
    std::vector<Index> vertices;
    for (const Index position : cluster) vertices.push_back(landmarks_[position]);
    for (Index rings = rings_;; rings += 3) {
      const Patch patch = method_ == InterpolationMethod::plain
                              ? everything(system_)
                              : patch_around(system_, cells_, cluster, rings);
      RowMatrix<double> block = right_hand_sides(system_, patch, vertices);
      if (factor_)
        factor_->solve_rows(patch.unknowns, block);
      else
        solve_on_patch(system_, patch, block);
      bool complete = true;
      for (std::size_t c = 0; c < cluster.size(); ++c)
        complete &= select(system_, patch, block, static_cast<Eigen::Index>(c), count, columns[cluster[c]]);
      if (complete) return;
      ++enlarged_;
    }
  }

  const InterpolationSystem& system_;
  std::span<const Index> landmarks_;
  CellGraph cells_;
  std::vector<std::vector<Index>> clusters_;
  Index rings_;
  InterpolationMethod method_;
  std::unique_ptr<SparseCholesky> factor_;
  std::atomic<Index> enlarged_ = 0;
};

/// Unit rows at the landmarks and at the vertices that copy one.
void add_unit_rows(const InterpolationSystem& system, std::span<const Index> landmarks,
                   std::span<const Index> cell, std::vector<std::vector<ColumnEntry>>& columns) {
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    columns[position].push_back({landmarks[position], 1.0f});
  for (const Index vertex : system.copied) columns[cell[vertex]].push_back({vertex, 1.0f});
}

}  // namespace

Interpolation interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                     std::span<const Index> cell, const InterpolationOptions& options,
                                     const Execution& execution) {
  if (options.nonzeros < 1)
    throw InputError(text("nonzeros per row must be at least 1, not ", options.nonzeros));
  const InterpolationSystem system = make_interpolation_system(laplacian, landmarks, cell);
  const double unknowns = static_cast<double>(system.vertex_of.size());
  // Choosing by rows needs more than the average to choose from: rows differ in how many entries they share.
  const double candidates = options.sparsity == Sparsity::rows ? 1.6 : 1.0;
  const double per_row =
      std::min<double>(candidates * options.nonzeros, static_cast<double>(landmarks.size()));
  const auto count =
      static_cast<std::size_t>(std::floor(unknowns * per_row / static_cast<double>(landmarks.size())));

  ColumnSolver solver(system, landmarks, cell, options.method, per_row);
  auto columns = solver.solve(std::max<std::size_t>(count, 1), execution);
  add_unit_rows(system, landmarks, cell, columns);

  Interpolation result;
  result.P = assemble(columns, static_cast<Index>(laplacian.mass.size()));
  if (options.sparsity == Sparsity::rows) result.P = keep_largest_per_row(result.P, options.nonzeros);
  const RowSums sums = row_sums(result.P);
  if (options.sparsity != Sparsity::columns) normalise_rows(result.P);
  result.summary = {solver.method(), solver.clusters(),      solver.enlarged(),
                    sums.incomplete, sums.largest_deviation, static_cast<Index>(system.copied.size())};
  return result;
}

RowMatrix<float> dense_interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                              std::span<const Index> cell, const Execution& execution) {
  const InterpolationSystem system = make_interpolation_system(laplacian, landmarks, cell);
  const auto vertices = static_cast<Eigen::Index>(laplacian.mass.size());
  RowMatrix<float> P = RowMatrix<float>::Zero(vertices, static_cast<Eigen::Index>(landmarks.size()));
  const SparseCholesky factor(system.unknown_matrix());
  const Patch all = everything(system);
  constexpr std::size_t block_size = 64;
  parallel_for((landmarks.size() + block_size - 1) / block_size, execution, stage,
               [&](std::size_t item, int) {
                 const std::size_t first = item * block_size;
                 const auto some = landmarks.subspan(first, std::min(block_size, landmarks.size() - first));
                 RowMatrix<double> block = right_hand_sides(system, all, some);
                 factor.solve_rows(all.unknowns, block);
                 for (std::size_t i = 0; i < all.unknowns.size(); ++i)
                   P.row(system.vertex_of[i]).segment(static_cast<Eigen::Index>(first), block.cols()) =
                       block.row(static_cast<Eigen::Index>(i)).cast<float>();
               });
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    P(landmarks[position], static_cast<Eigen::Index>(position)) = 1;
  for (const Index vertex : system.copied) P(vertex, cell[vertex]) = 1;
  return P;
}

RowMatrix<double> interpolate(const Laplacian& laplacian, std::span<const Index> landmarks,
                              std::span<const Index> cell, const RowMatrix<double>& values) {
  if (values.rows() != static_cast<Eigen::Index>(landmarks.size()))
    throw InputError(text("values for ", values.rows(), " landmarks, but there are ", landmarks.size()));
  const InterpolationSystem system = make_interpolation_system(laplacian, landmarks, cell);
  RowMatrix<double> block =
      RowMatrix<double>::Zero(static_cast<Eigen::Index>(system.vertex_of.size()), values.cols());
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    for (SparseMatrix::InnerIterator entry(system.M, landmarks[position]); entry; ++entry)
      if (const Index unknown = system.unknown_of[entry.row()]; unknown >= 0)
        block.row(unknown) -= entry.value() * values.row(static_cast<Eigen::Index>(position));
  std::vector<Index> all(system.vertex_of.size());
  std::iota(all.begin(), all.end(), 0);
  SparseCholesky(system.unknown_matrix()).solve_rows(all, block);

  RowMatrix<double> result(laplacian.mass.size(), values.cols());
  result.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t u = 0; u < all.size(); ++u)
    result.row(system.vertex_of[u]) = block.row(static_cast<Eigen::Index>(u));
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    result.row(landmarks[position]) = values.row(static_cast<Eigen::Index>(position));
  for (const Index vertex : system.copied) result.row(vertex) = values.row(cell[vertex]);
  return result;
}

}  // namespace geodome
