#pragma once
/// The distances that weights are learned from: rows of landmarks over all vertices, summed up as they are
/// measured.

#include <mutex>
#include <vector>

#include "geodome/base/team.h"
#include "geodome/cell/cell_layout.h"
#include "geodome/geodesic/solver.h"
#include "geodome/landmark/landmark_distances.h"

namespace geodome::internal {

/// What the rows of the training landmarks say about every vertex. With t over the training landmarks of a
/// component, d_v(t) = d(t, v) - d(t, centre) for a vertex v of a cell, D_s(t) the same for a landmark s of
/// its support.
struct TrainingSums {
  struct Cell {
    Eigen::MatrixXd gram;      ///< Σ D_s D_s', #support by #support
    RowMatrix<float> moments;  ///< Σ d_v D_s, #members by #support
    Eigen::VectorXd energy;    ///< Σ d_v², #members
    std::vector<char> broken;  ///< #members: whether a distance was not finite, in a row that has the support
  };
  std::vector<Cell> cells;
  std::vector<int> rank;  ///< #cells, of a team: the rank that has the sums; empty where one process has all
  std::vector<Index> rows;  ///< #components: training landmarks summed up
  /// Distances from the training landmarks of a component, in the order of `sources`, to its sample vertices.
  struct Sample {
    std::vector<Index> vertices;                      ///< the landmarks of the component first
    std::vector<Index> sources;                       ///< positions of landmarks
    RowMatrix<float> distances;                       ///< #sources by #vertices
    std::vector<Index> others;                        ///< sources that are not landmarks
    std::vector<std::vector<float>> other_distances;  ///< #others, of #vertices each
  };
  std::vector<Sample> samples;  ///< #components
};

struct TrainingOptions {
  Index most_rows = 2000;   ///< training landmarks of a component; the first of the sequence beyond
  Index least_rows = 160;   ///< of a component, where it has that many vertices
  Index least_others = 16;  ///< rows of vertices that are not landmarks
  Index sample_share = 5;   ///< sample vertices per landmark, where all landmarks are used for training
};

/// A solver that sums up the rows of training landmarks while it passes on the distances between landmarks.
/// Sums are formed in the order of the calls of `between`, which must be the same in every run; they do not
/// depend on the number of threads. With a team `between` is called by all ranks, which share the rows and
/// the cells; the executions of all calls have that team.
class TrainingRows final : public GeodesicSolver {
 public:
  /// All arguments must outlive it.
  TrainingRows(const GeodesicSolver& solver, const OrderedLandmarks& landmarks, const CellLayout& layout,
               std::span<const Index> sequence, const TrainingOptions& options, const Team* team = nullptr);

  Index size() const override { return solver_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override {
    solver_.distances(sources, out, execution);
  }
  /// Sources and targets must be landmarks of one component for anything to be learned; a row is learned
  /// once, however often it is measured.
  RowMatrix<double> between(std::span<const Index> sources, std::span<const Index> targets,
                            const Execution& execution = {}) const override;

  /// Whether the rows of all training landmarks were summed up, each once.
  bool complete() const;
  /// Starts again and measures the training landmarks alone, in the blocks that landmark_distances makes with
  /// these options.
  void measure_all(const LandmarkDistanceOptions& options, const Execution& execution);
  /// Adds rows of other vertices: some in every component, to check a fit of W with, and more in components
  /// with few landmarks, where weights would follow the landmarks and not the distances.
  void measure_more(const Execution& execution);
  /// Those vertices.
  const std::vector<Index>& more() const { return more_; }
  TrainingSums take();

 private:
  /// Where the columns of measured rows are that this process has.
  class Columns;
  /// Measures sources of a component, some at a time, and adds them up. Distances to the landmarks of the
  /// component go to `to_landmarks`, if given: a row for each source.
  void learn(std::span<const Index> sources, Index component, RowMatrix<double>* to_landmarks,
             const Execution& execution) const;
  void learn_some(std::span<const Index> sources, Index component, const RowMatrix<double>& rows,
                  const Columns& columns, const Execution& execution) const;
  void add_to_cell(Index cell, const RowMatrix<double>& rows, const Columns& columns) const;
  bool is_mine(std::size_t cell) const { return team_ == nullptr || sums_.rank[cell] == team_->rank(); }
  void share_cells();
  void reset() const;

  const GeodesicSolver& solver_;
  const OrderedLandmarks& landmarks_;
  const CellLayout& layout_;
  TrainingOptions options_;
  const Team* team_;             ///< nullptr where this process works alone
  std::vector<Index> position_;  ///< #V: of a landmark, -1 elsewhere
  std::vector<Index> place_;     ///< #V: in layout_.members
  std::vector<char> training_;   ///< #landmarks
  std::vector<Index> more_;      ///< vertices other than landmarks
  mutable TrainingSums sums_;
  mutable std::vector<char> learned_;  ///< #landmarks: whose rows are in the sums
};

}  // namespace geodome::internal
