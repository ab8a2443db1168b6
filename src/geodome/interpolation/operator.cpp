#include "geodome/interpolation/operator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/cells.h"
#include "geodome/interpolation/patch.h"
#include "geodome/interpolation/pursuit.h"
#include "geodome/interpolation/sparsify.h"
#include "geodome/interpolation/system.h"
#include "geodome/interpolation/temper.h"

namespace geodome {
namespace {

constexpr std::string_view stage = "interpolation";

/// How many rings of cells around a cluster are solved for, and how many of them only show that the solution
/// has faded.
struct Halo {
  Index rings = 0;
  Index rim = 0;
};

/// Holds the wanted entries with a margin: a disc of r landmark spacings covers 3.63 r² cells of hexagonally
/// placed landmarks. A patch by itself needs a wider margin, because zero is imposed beyond it.
Halo halo_for(double entries_per_row, InterpolationMethod method) {
  const bool alone = method == InterpolationMethod::patches;
  const double radius = 1.15 * std::sqrt(entries_per_row / 3.63);
  return {static_cast<Index>(std::ceil(radius + (alone ? 2.5 : 1))), alone ? 2 : 1};
}

/// Landmarks solved together: enough right-hand sides for level-3 BLAS, few enough to stay neighbours.
constexpr Index cluster_size = 32;
/// Below this many unknowns a whole solve costs less than finding out what could be left out.
constexpr std::size_t few_unknowns = 4000;
/// Above this many vertices per landmark one global factor beats a factor per patch (measured: 60 to 100).
constexpr double many_per_landmark = 80;

InterpolationMethod choose_method(const InterpolationSystem& system, const CellGraph& cells,
                                  const std::vector<std::vector<Index>>& clusters, std::size_t landmarks,
                                  double entries_per_row) {
  const std::size_t unknowns = system.vertex_of.size();
  if (unknowns <= few_unknowns) return InterpolationMethod::plain;
  const double per_landmark = static_cast<double>(unknowns) / static_cast<double>(landmarks);
  const auto local =
      per_landmark > many_per_landmark ? InterpolationMethod::partial : InterpolationMethod::patches;
  const Halo halo = halo_for(entries_per_row, local);
  const Patch first = patch_around(system, cells, clusters.front(), halo.rings, halo.rim);
  return 2 * first.unknowns.size() > unknowns ? InterpolationMethod::plain : local;
}

/// Columns of P by clusters of landmarks, each cut down to its `count` largest entries.
class ColumnSolver {
 public:
  ColumnSolver(const InterpolationSystem& system, std::span<const Index> landmarks,
               std::span<const Index> cell, InterpolationMethod method, double entries_per_row)
      : system_(system),
        landmarks_(landmarks),
        cells_(make_cell_graph(system.M, cell, static_cast<Index>(landmarks.size()))),
        clusters_(cluster_cells(cells_, cluster_size)) {
    stiffest_first();
    method_ = method == InterpolationMethod::automatic
                  ? choose_method(system, cells_, clusters_, landmarks.size(), entries_per_row)
                  : method;
    halo_ = halo_for(entries_per_row, method_);
    if (method_ != InterpolationMethod::patches)
      factor_ = std::make_unique<SparseCholesky>(factor_whole(system));
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
  /// Where rounding is going to spoil the solution it should do so at once, not after all other clusters.
  void stiffest_first() {
    const Vector diagonal = system_.M.diagonal();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      double largest = 0;
      for (const Index landmark : clusters_[k])
        for (const Index vertex : cells_.members[landmark]) largest = std::max(largest, diagonal[vertex]);
      order.emplace_back(-largest, k);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::vector<Index>> sorted;
    for (const auto& [_, k] : order) sorted.push_back(std::move(clusters_[k]));
    clusters_ = std::move(sorted);
  }

  void solve_cluster(const std::vector<Index>& cluster, std::size_t count,
                     std::vector<std::vector<ColumnEntry>>& columns) {
    std::vector<Index> vertices;
    for (const Index position : cluster) vertices.push_back(landmarks_[position]);
    for (Index rings = halo_.rings;; rings += 2) {
      const Patch patch = method_ == InterpolationMethod::plain
                              ? whole_patch(system_)
                              : patch_around(system_, cells_, cluster, rings, halo_.rim);
      RowMatrix<double> block = right_hand_sides(system_, patch, vertices);
      if (factor_)
        factor_->solve_rows(patch.unknowns, block);
      else
        block = factor_patch(system_, patch).solve(std::move(block));
      std::vector<std::vector<ColumnEntry>> selected(cluster.size());
      if (select_largest(system_, patch, block, count, selected)) {
        for (std::size_t c = 0; c < cluster.size(); ++c) columns[cluster[c]] = std::move(selected[c]);
        return;
      }
      ++enlarged_;
    }
  }

  const InterpolationSystem& system_;
  std::span<const Index> landmarks_;
  CellGraph cells_;
  std::vector<std::vector<Index>> clusters_;
  Halo halo_;
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

/// Thresholded columns of the dense P, and how they were computed.
std::vector<std::vector<ColumnEntry>> threshold(const InterpolationSystem& system,
                                                std::span<const Index> landmarks, std::span<const Index> cell,
                                                const InterpolationOptions& options, double per_row,
                                                std::size_t count, InterpolationSummary& summary,
                                                const Execution& execution) {
  ColumnSolver solver(system, landmarks, cell, options.method, per_row);
  auto columns = solver.solve(count, execution);
  summary.method = solver.method();
  summary.clusters = solver.clusters();
  summary.enlarged = solver.enlarged();
  return columns;
}

std::vector<std::vector<ColumnEntry>> pursue(const InterpolationSystem& system,
                                             std::span<const Index> landmarks, std::size_t count,
                                             InterpolationSummary& summary, const Execution& execution) {
  const ColumnPursuit pursuit(system);
  std::vector<std::vector<ColumnEntry>> columns(landmarks.size());
  parallel_for(landmarks.size(), execution, stage,
               [&](std::size_t item, int) { columns[item] = pursuit.column(landmarks[item], count); });
  summary.method = InterpolationMethod::plain;
  summary.clusters = static_cast<Index>(landmarks.size());
  return columns;
}

Interpolation solve(const TemperedLaplacian& tempered, std::span<const Index> landmarks,
                    std::span<const Index> cell, const InterpolationOptions& options,
                    const Execution& execution) {
  const InterpolationSystem system = make_interpolation_system(tempered.laplacian, landmarks, cell);
  const double unknowns = static_cast<double>(system.vertex_of.size());
  // Choosing by rows needs more than the average to choose from: rows differ in how many entries they share.
  const double candidates = options.sparsity == Sparsity::rows ? 1.6 : 1.0;
  const double per_row =
      std::min<double>(candidates * options.nonzeros, static_cast<double>(landmarks.size()));
  const auto count =
      static_cast<std::size_t>(std::floor(unknowns * per_row / static_cast<double>(landmarks.size())));

  Interpolation result;
  InterpolationSummary& summary = result.summary;
  const std::size_t wanted = std::max<std::size_t>(count, 1);
  auto columns = options.sparsity == Sparsity::pursuit
                     ? pursue(system, landmarks, wanted, summary, execution)
                     : threshold(system, landmarks, cell, options, per_row, wanted, summary, execution);
  add_unit_rows(system, landmarks, cell, columns);
  result.P = assemble(columns, static_cast<Index>(cell.size()));
  if (options.sparsity == Sparsity::rows) result.P = keep_largest_per_row(result.P, options.nonzeros);
  const RowSums sums = row_sums(result.P);
  summary.incomplete_rows = sums.incomplete;
  summary.largest_row_deviation = sums.largest_deviation;
  summary.copied_rows = static_cast<Index>(system.copied.size());
  summary.tempered_vertices = tempered.vertices;
  if (options.sparsity == Sparsity::rows || options.sparsity == Sparsity::columns_normalised)
    normalise_rows(result.P);
  return result;
}

}  // namespace

Interpolation interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                     std::span<const Index> cell, const InterpolationOptions& options,
                                     const Execution& execution) {
  if (options.nonzeros < 1)
    throw InputError(text("nonzeros per row must be at least 1, not ", options.nonzeros));
  Interpolation result;
  solve_tempered(laplacian, landmarks.size(), [&](const TemperedLaplacian& tempered) {
    result = solve(tempered, landmarks, cell, options, execution);
  });
  return result;
}

}  // namespace geodome
