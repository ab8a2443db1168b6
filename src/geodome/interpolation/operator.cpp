#include "geodome/interpolation/operator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/bounded_weights.h"
#include "geodome/interpolation/cell_graph.h"
#include "geodome/interpolation/patch.h"
#include "geodome/interpolation/pursuit.h"
#include "geodome/interpolation/sparsify.h"
#include "geodome/interpolation/system.h"

namespace geodome::internal {
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

/// Columns of P; with a team only those that this rank has solved for.
struct SomeColumns {
  std::vector<std::vector<ColumnEntry>> entries;  ///< of all columns, empty where another rank has them
  std::vector<char> mine;
};

/// Columns of P by clusters of landmarks, each cut down to its `count` largest entries.
class ColumnSolver {
 public:
  ColumnSolver(const InterpolationSystem& system, std::span<const Index> landmarks,
               std::span<const Index> cell, InterpolationMethod method, double entries_per_row,
               std::size_t count, InterpolationSolver::Factor factor)
      : count_(count),
        system_(system),
        landmarks_(landmarks),
        cells_(make_cell_graph(system.M, cell, static_cast<Index>(landmarks.size()))),
        clusters_(cluster_cells(cells_, cluster_size)) {
    stiffest_first();
    method_ = method == InterpolationMethod::automatic
                  ? choose_method(system, cells_, clusters_, landmarks.size(), entries_per_row)
                  : method;
    halo_ = halo_for(entries_per_row, method_);
    enlarged_.assign(clusters_.size(), not_solved);
    columns_ = {std::vector<std::vector<ColumnEntry>>(landmarks.size()),
                std::vector<char>(landmarks.size(), 0)};
    if (method_ != InterpolationMethod::patches && factor == InterpolationSolver::Factor::own)
      factor_ = std::make_unique<SparseCholesky>(factor_whole(system));
  }

  void solve_until(const std::function<bool()>& stop, const Execution& execution) {
    std::vector<Workspace> workspaces(static_cast<std::size_t>(thread_count(execution)));
    parallel_for(clusters_.size(), execution, stage, [&](std::size_t cluster, int thread) {
      if (!stop()) solve_cluster(cluster, workspaces[static_cast<std::size_t>(thread)]);
    });
  }

  void share(const Team& team) {
    team.broadcast(std::as_writable_bytes(std::span(enlarged_)), 0);
    if (method_ == InterpolationMethod::patches || unsolved().empty()) return;
    SupernodalArrays arrays;
    if (team.rank() == 0) arrays = factor_->take_arrays();
    broadcast(team, arrays, 0);
    factor_ = std::make_unique<SparseCholesky>(std::move(arrays));
  }

  SomeColumns solve(InterpolationSummary& summary, const Execution& execution) {
    std::vector<Workspace> workspaces(static_cast<std::size_t>(thread_count(execution)));
    const std::vector<std::size_t> left = unsolved();
    SharedItems shared;
    shared.work = [&](std::size_t item, int thread) {
      solve_cluster(left[item], workspaces[static_cast<std::size_t>(thread)]);
    };
    shared.pack = [&](std::size_t item, BytesWriter& to) { to.put(enlarged_[left[item]]); };
    shared.unpack = [&](std::size_t item, BytesReader& from) { enlarged_[left[item]] = from.get<Index>(); };
    share_items(left.size(), execution, stage, shared);
    summary.method = method_;
    summary.clusters = static_cast<Index>(clusters_.size());
    summary.enlarged = std::accumulate(enlarged_.begin(), enlarged_.end(), Index{0});
    return std::move(columns_);
  }

 private:
  static constexpr Index not_solved = -1;

  std::vector<std::size_t> unsolved() const {
    std::vector<std::size_t> clusters;
    for (std::size_t k = 0; k < enlarged_.size(); ++k)
      if (enlarged_[k] == not_solved) clusters.push_back(k);
    return clusters;
  }

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

  /// What a thread keeps from one cluster to the next.
  struct Workspace {
    std::optional<PartialSolve> solve;  ///< with the factor of the whole
    std::vector<float> columns;
  };

  void solve_cluster(std::size_t cluster, Workspace& workspace) {
    std::vector<Index> wanted = clusters_[cluster];  // fewer each time: what has faded is not solved again
    for (Index rings = halo_.rings;; rings += 2) {
      const Patch patch = method_ == InterpolationMethod::plain
                              ? whole_patch(system_)
                              : patch_around(system_, cells_, wanted, rings, halo_.rim);
      solve_patch(patch, wanted, workspace);
      std::vector<Index> missing;
      for (std::size_t c = 0; c < wanted.size(); ++c) {
        const auto column =
            std::span(workspace.columns).subspan(c * patch.unknowns.size(), patch.unknowns.size());
        if (auto largest = select_largest(system_, patch, column, count_)) {
          columns_.entries[wanted[c]] = std::move(*largest);
          columns_.mine[wanted[c]] = 1;
        } else {
          missing.push_back(wanted[c]);
        }
      }
      if (missing.empty()) {
        enlarged_[cluster] = (rings - halo_.rings) / 2;
        return;
      }
      wanted = std::move(missing);
    }
  }

  void solve_patch(const Patch& patch, const std::vector<Index>& wanted, Workspace& workspace) const {
    std::vector<Index> vertices;
    for (const Index position : wanted) vertices.push_back(landmarks_[position]);
    if (factor_) {
      if (!workspace.solve) workspace.solve.emplace(*factor_);
      return solve_columns(system_, patch, vertices, FactorOf::whole, *workspace.solve, workspace.columns);
    }
    const SparseCholesky factor = factor_patch(system_, patch);
    PartialSolve own(factor);
    solve_columns(system_, patch, vertices, FactorOf::patch, own, workspace.columns);
  }

  std::size_t count_;
  const InterpolationSystem& system_;
  std::span<const Index> landmarks_;
  CellGraph cells_;
  std::vector<std::vector<Index>> clusters_;
  Halo halo_;
  InterpolationMethod method_;
  std::unique_ptr<SparseCholesky> factor_;
  std::vector<Index> enlarged_;  ///< of each cluster: how often its neighbourhood had to grow, or not_solved
  SomeColumns columns_;
};

/// Unit rows at the landmarks and at the vertices that copy one. Columns stay in order.
void add_unit_rows(const InterpolationSystem& system, std::span<const Index> landmarks,
                   std::span<const Index> cell, SomeColumns& some) {
  std::vector<std::vector<ColumnEntry>>& columns = some.entries;
  std::vector<std::size_t> solved;
  for (const auto& column : columns) solved.push_back(column.size());
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    if (some.mine[position]) columns[position].push_back({landmarks[position], 1.0f});
  for (const Index vertex : system.copied)
    if (some.mine[cell[vertex]]) columns[cell[vertex]].push_back({vertex, 1.0f});
  const auto by_row = [](const ColumnEntry& a, const ColumnEntry& b) { return a.row < b.row; };
  for (std::size_t position = 0; position < columns.size(); ++position) {
    auto& column = columns[position];
    const auto added = column.begin() + static_cast<std::ptrdiff_t>(solved[position]);
    std::sort(added, column.end(), by_row);
    std::inplace_merge(column.begin(), added, column.end(), by_row);
  }
}

SomeColumns pursue(const InterpolationSystem& system, std::span<const Index> landmarks, std::size_t count,
                   InterpolationSummary& summary, const Execution& execution) {
  const ColumnPursuit pursuit(system);
  SomeColumns columns{std::vector<std::vector<ColumnEntry>>(landmarks.size()),
                      std::vector<char>(landmarks.size(), 0)};
  SharedItems shared;
  shared.work = [&](std::size_t item, int) {
    columns.entries[item] = pursuit.column(landmarks[item], count);
    columns.mine[item] = 1;
  };
  shared.pack = [](std::size_t, BytesWriter&) {};
  shared.unpack = [](std::size_t, BytesReader&) {};
  share_items(landmarks.size(), execution, stage, shared);
  summary.method = InterpolationMethod::plain;
  summary.clusters = static_cast<Index>(landmarks.size());
  return columns;
}

}  // namespace

/// One attempt: with the Laplacian bounded so far and no further.
struct InterpolationSolver::Prepared {
  InterpolationSystem system;
  Index bounded_vertices = 0;
  double bound = 0;
  std::size_t count = 0;               ///< entries of a column to choose from
  std::optional<ColumnSolver> solver;  ///< none for pursuit
};

InterpolationSolver::InterpolationSolver(const Laplacian& laplacian, std::vector<Index> landmarks,
                                         std::vector<Index> cell, const InterpolationOptions& options,
                                         Factor factor)
    : laplacian_(laplacian), landmarks_(std::move(landmarks)), cell_(std::move(cell)), options_(options) {
  if (options.nonzeros < 1)
    throw InputError(text("nonzeros per row must be at least 1, got ", options.nonzeros));
  solve_with_bounded_weights(laplacian_, landmarks_.size(),
                             [&](const BoundedLaplacian& bounded) { prepared_ = prepare(bounded, factor); });
}

InterpolationSolver::~InterpolationSolver() = default;

std::unique_ptr<InterpolationSolver::Prepared> InterpolationSolver::prepare(const BoundedLaplacian& bounded,
                                                                            Factor factor) const {
  auto result = std::make_unique<Prepared>();
  result->system = make_interpolation_system(bounded.laplacian, landmarks_, cell_);
  result->bounded_vertices = bounded.vertices;
  result->bound = bounded.bound;
  const double unknowns = static_cast<double>(result->system.vertex_of.size());
  const auto all = static_cast<double>(landmarks_.size());
  // Choosing by rows needs more than the average to choose from: rows differ in how many entries they share.
  const double candidates = options_.sparsity == Sparsity::rows ? 1.6 : 1.0;
  const double per_row = std::min<double>(candidates * options_.nonzeros, all);
  result->count = std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(unknowns * per_row / all)));
  if (options_.sparsity != Sparsity::pursuit)
    result->solver.emplace(result->system, landmarks_, cell_, options_.method, per_row, result->count,
                           factor);
  return result;
}

void InterpolationSolver::solve_until(const std::function<bool()>& stop, const Execution& execution) {
  if (!prepared_->solver) return;
  try {
    prepared_->solver->solve_until(stop, execution);
  } catch (const NumericalError&) {
    // `solve` meets it again, together with the other ranks if there are any.
  }
}

void InterpolationSolver::share(const Team& team) {
  if (!prepared_->solver) return;
  double bound = prepared_->bound;
  team.broadcast(std::as_writable_bytes(std::span(&bound, 1)), 0);
  if (bound != prepared_->bound) prepared_ = prepare(bound_weights(laplacian_, bound), Factor::of_rank_0);
  prepared_->solver->share(team);
}

Interpolation InterpolationSolver::finish(Prepared& prepared, const Execution& execution) const {
  Interpolation result;
  InterpolationSummary& summary = result.summary;
  const InterpolationSystem& system = prepared.system;
  SomeColumns columns;
  if (prepared.solver) {
    columns = prepared.solver->solve(summary, execution);
  } else {
    columns = pursue(system, landmarks_, prepared.count, summary, execution);
  }
  add_unit_rows(system, landmarks_, cell_, columns);
  const bool by_rows = options_.sparsity == Sparsity::rows;
  const Index most = by_rows ? options_.nonzeros : static_cast<Index>(landmarks_.size());
  result.P = assemble(columns.entries, static_cast<Index>(cell_.size()), most, execution);
  const RowSums sums = row_sums(result.P);
  summary.incomplete_rows = sums.incomplete;
  summary.largest_row_deviation = sums.largest_deviation;
  summary.copied_rows = static_cast<Index>(system.copied.size());
  summary.bounded_vertices = prepared.bounded_vertices;
  if (by_rows || options_.sparsity == Sparsity::columns_normalised) normalise_rows(result.P);
  return result;
}

Interpolation InterpolationSolver::solve(const Execution& execution) {
  try {
    return finish(*prepared_, execution);
  } catch (const NumericalError&) {
    if (prepared_->bound <= 1) throw;
  }
  Interpolation result;
  solve_with_bounded_weights(
      laplacian_, landmarks_.size(),
      [&](const BoundedLaplacian& bounded) { result = finish(*prepare(bounded, Factor::own), execution); },
      prepared_->bound);
  return result;
}

bool has_one_factor(Index vertices, Index landmarks, const InterpolationOptions& options) {
  return options.method == InterpolationMethod::automatic && options.sparsity != Sparsity::pursuit &&
         vertices > many_per_landmark * landmarks;
}

Interpolation interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                     std::span<const Index> cell, const InterpolationOptions& options,
                                     const Execution& execution) {
  InterpolationSolver solver(laplacian, {landmarks.begin(), landmarks.end()}, {cell.begin(), cell.end()},
                             options);
  return solver.solve(execution);
}

}  // namespace geodome::internal
