#pragma once
/// A shape prepared for one or several methods: what is costly and the same for all of them is computed once,
/// and its time is charged to each of them.
///
///   PreparedShape prepared(shape);
///   const Build sbha = build_matrix(prepared, {.method = Method::sbha});
///   const Build fmds = build_matrix(prepared, {.method = Method::fmds});   // the same landmarks, measured
///   once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geodome/evaluation/spot_check.h"
#include "geodome/geodesic/choose_solver.h"
#include "geodome/geodesic/coarse_marching.h"
#include "geodome/geodesic/factory.h"
#include "geodome/landmark/landmark_replacement.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/laplacian/eigen.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/matrix/row_bounds.h"
#include "geodome/pipeline/remembered_rows.h"

namespace geodome::internal {

/// Solvers that builds of one shape, with the same options but the number of landmarks, share one after the
/// other. Rows of the method without error are measured once.
class SharedSolvers {
 public:
  /// `bound`: bytes of kept rows.
  explicit SharedSolvers(std::int64_t bound) : bound_(bound) {}

  /// As choose_solver. `true_method`: the name of the method without error.
  const ChosenSolver& choose(const PathDomain& domain, const GeodesicOptions& options,
                             const std::string& true_method, const Execution& execution);
  /// The solver without error, by its name.
  std::shared_ptr<const GeodesicSolver> true_solver(
      const std::string& name, const std::function<std::shared_ptr<const GeodesicSolver>()>& make);

 private:
  std::int64_t bound_;
  /// By the method of the options and what it stands for, which depends on the number of landmarks.
  std::map<std::pair<GeodesicMethod, GeodesicMethod>, ChosenSolver> chosen_;
  std::map<std::string, std::shared_ptr<const GeodesicSolver>> true_;
};

struct PrepareOptions {
  /// How distances are measured; `geodesic.keep` is the mask.
  GeodesicOptions geodesic{};
  /// User-supplied distances: an NPY file (#V by #V), or any solver; empty and null: none.
  std::string distances{};
  std::shared_ptr<const GeodesicSolver> solver{};
  LaplacianOptions laplacian{};
  /// Of the neighbour searches; replaces the seeds above.
  std::uint64_t seed = 0;
  /// The landmarks that will be measured many at a time, if that is known: exact distances are then chosen
  /// only while they take a few seconds (landmark_geodesics).
  std::optional<LandmarkOptions> landmarks{};
  /// Whether rows of landmarks are kept for the next method. Off: a method that only needs the distances
  /// between landmarks (bha, sbha) never holds #V by #landmarks of them; one that needs columns still holds
  /// its own.
  bool keep_rows = true;
  /// Whether it serves one build only: the solver is released as soon as it is no longer needed.
  bool once = false;
  /// Where it serves one build that keeps no rows: the share of vertices of a coarser mesh to measure the
  /// distances between landmarks on; 0: by measured error, 1: none (coarse_marching.h).
  Index coarsen = 1;
  /// Landmarks of a component whose whole rows are needed.
  Index whole_rows = 0;
  std::shared_ptr<SharedSolvers> shared{};
  /// Bytes of kept rows, 4 per distance. Four gigabytes: a million vertices with a thousand landmarks.
  std::int64_t row_bound = std::int64_t{4} << 30;
};

/// Landmarks in the order in which a matrix stores them.
struct ChosenLandmarks {
  LandmarkOptions options;  ///< as requested, with the count resolved
  OrderedLandmarks order;
  std::vector<Index> sequence;  ///< the same vertices in the order in which they were chosen
  double cover_radius = 0;      ///< the largest distance from a vertex to its nearest landmark
  double seconds = 0;
  bool with_solver = false;  ///< whether `seconds` include making the solver
};

/// What is measured besides W.
struct MeasureRequest {
  LandmarkDistanceOptions distances{};
  bool with_rows = false;  ///< `columns` will be called, so rows are kept whatever the options say
  /// A solver around the given one to measure with; empty: none. Measured landmarks that are shared do not
  /// use it.
  std::function<const GeodesicSolver&(const GeodesicSolver&)> through{};
  bool keep_solver = false;  ///< `solver` will be called again
  Index spots = 0;           ///< rows for a check of the matrix (spot_check.h)
  std::uint64_t seed = 0;    ///< of the spots
};

/// Landmarks, some of which may have been replaced, and the distances between them.
struct MeasuredLandmarks {
  LandmarkOptions options;  ///< those of ChosenLandmarks
  Precision precision = Precision::float32;
  OrderedLandmarks order;
  LandmarkDistances W;
  std::vector<ReplacedLandmark> replaced;
  SpotRows spots;
  double cover_radius = 0;
  double landmark_seconds = 0;
  double geodesic_seconds = 0;
};

/// A solver without error, and the name of its method.
struct TrueSolver {
  std::shared_ptr<const GeodesicSolver> solver;
  std::string name;
};

template <typename T>
struct Timed {
  T value;
  double seconds = 0;
};

/// Work beside the measuring of landmarks, for which there may be no thread before they are measured.
using WorkBeside = std::function<void(const std::function<bool()>& is_measured)>;

/// Not to be used by two threads at once. References it returns are valid until `forget` or its end.
class PreparedShape {
 public:
  /// The shape must be clean (clean.h) and outlive it. Throws InputError where options and shape do not fit.
  explicit PreparedShape(const Shape& shape, const PrepareOptions& options = {},
                         const Execution& execution = {});

  /// The shape in its unit, and as it was given.
  const Shape& shape() const { return scaled_ ? *scaled_ : shape_; }
  const Shape& original() const { return shape_; }
  /// The unit of everything computed here (unit.h); one for shapes of ordinary size and for user-supplied
  /// distances.
  double unit() const { return unit_; }
  const PrepareOptions& options() const { return options_; }
  Index size() const { return static_cast<Index>(component_.size()); }
  Index components() const { return components_; }
  /// #V, -1 for a vertex that reaches no other.
  const std::vector<Index>& component() const { return component_; }
  /// What paths run on, and which vertices are next to each other there.
  const PathDomain& domain() const { return *domain_; }
  const Adjacency& edges() const { return edges_; }
  /// Of a point cloud whose paths run on triangles: these, since they take long to make; else null.
  const std::shared_ptr<const TriangleMesh>& triangulated() const { return triangulated_; }
  /// Whether distances are measured on the shape, not user-supplied.
  bool measures() const { return options_.distances.empty() && options_.solver == nullptr; }
  /// The name of the method that measures: "given" for user-supplied distances. An automatic one may change
  /// when the solver is made, to a more accurate one.
  const std::string& geodesic() const { return geodesic_; }
  /// The methods whose error was measured to choose it (choose_solver.h); empty before the solver is made.
  const std::vector<MeasuredSolver>& tried_solvers() const { return tried_; }
  /// Windows per vertex of an exact row (ExactRows), where some were measured; else 0.
  double exact_windows() const { return exact_windows_; }
  /// The mesh on which landmarks were measured, if not on the shape's own: its share is 1 then; and those
  /// that it was chosen from.
  const CoarseMesh& coarse_mesh() const { return coarse_mesh_; }
  const std::vector<CoarseMesh>& tried_meshes() const { return tried_meshes_; }
  /// Whether what measures landmarks is chosen only when they are known.
  bool waits_for_landmarks() const { return waits_for_landmarks_; }
  /// Whether there is a solver, or what to make it of (release_domain).
  bool can_measure() const { return solver_ != nullptr || domain_.has_value(); }
  /// Made when first needed.
  const GeodesicSolver& solver(const Execution& execution = {});
  /// The name of the method of `true_solver`.
  std::string true_method() const;
  /// Exact where the shape allows it; along edges where distances are measured along them; user-supplied
  /// distances are the truth themselves. Not kept.
  TrueSolver true_solver(const Execution& execution = {}) const;
  /// Of the solver, also after its release (solver_warnings).
  std::vector<std::string> warnings() const { return solver_ ? solver_warnings(*solver_) : warnings_; }
  /// To prepare the domain, and to make the solver.
  double domain_seconds() const { return domain_seconds_; }
  double solver_seconds() const { return solver_seconds_; }

  /// A count of 0 chooses (default_landmark_count). Throws as choose_landmarks and order_landmarks do.
  const ChosenLandmarks& choose(LandmarkOptions options, const Execution& execution = {});

  /// The vertices alone, in the order of choice, for a method that does not measure between them.
  std::vector<Index> choose_vertices(const LandmarkOptions& options, const Execution& execution = {});

  /// W of chosen landmarks. `beside`, if any, runs after it, or where this serves one build at the
  /// same time on a second thread, if there is one.
  /// Throws as settle_landmarks does.
  const MeasuredLandmarks& measure(const ChosenLandmarks& chosen, const MeasureRequest& request = {},
                                   const Execution& execution = {}, const WorkBeside& beside = {});

  /// C: #V by the most landmarks of a component; row v has the distances of v to the landmarks of its own
  /// component, as W has them where v is a landmark; the rest, and the row of a vertex of none, is zero.
  /// Seconds: of measuring, as if nothing had been kept. Throws InputError above options().row_bound.
  Timed<RowMatrix<float>> columns(const MeasuredLandmarks& landmarks, const Execution& execution = {});

  SpotRows spot_rows(Index count, std::uint64_t seed, const Execution& execution = {});

  const Timed<Laplacian>& laplacian(const Execution& execution = {});
  /// At least `count`.
  const Timed<Eigenpairs>& eigenpairs(Index count, const Execution& execution = {});
  /// All of P for these landmarks: #V by #landmarks, its rows bounded. The last one is kept.
  const Timed<RowMatrix<float>>& interpolation(const MeasuredLandmarks& landmarks,
                                               const Execution& execution = {});
  /// Of the last one.
  const RowBounds& row_bounds() const { return bounds_; }

  /// The landmarks, or all of P, for a matrix to keep: moved where this serves one build, else copied.
  MeasuredLandmarks take(const MeasuredLandmarks& found);
  RowMatrix<float> take_interpolation();
  SpotRows take_spots(const MeasuredLandmarks& found);
  /// Drops the solver, where this serves one build.
  void release_solver() {
    if (!options_.once || !measures()) return;
    warnings_ = warnings();
    solver_.reset(), coarse_solver_.reset(), rows_.reset();
  }
  /// Drops what paths run on, where this serves one build and only the solver is still needed; as soon as
  /// there is one.
  void release_domain() {
    domain_released_ = options_.once;
    if (domain_released_ && !waits_for_landmarks_) domain_.reset();
  }
  /// Drops kept rows, landmarks and P; the solver, the Laplacian and its eigenpairs stay.
  void forget();
  /// Drops the Laplacian and its eigenpairs.
  void forget_operators();

 private:
  void make_solver_now(const Execution& execution);
  bool might_coarsen(Index landmarks) const;
  void measure_exact_rows();
  /// Landmarks of rank 0, while the last rank measures the rows that a coarser mesh is chosen by.
  void choose_by_ranks(const Team& team, ChosenLandmarks& result,
                       const std::function<void(const Execution&)>& choose, const Execution& execution);
  const GeodesicSolver& spot_solver(double first_share, const Execution& execution);
  CoarseMarching find_coarse_mesh(const std::vector<Index>& landmarks, const Execution& execution);
  const GeodesicSolver& landmark_solver(const ChosenLandmarks& chosen, double first_share,
                                        const Execution& execution);
  /// The solver, or what it is chosen by, unless it is there, at the same time as this work.
  void make_solver_beside(const Execution& execution, const std::function<void(const Execution&)>& work);
  bool keeps_rows(const std::vector<Index>& landmarks, bool with_rows) const;
  RememberedRows& rows(const Execution& execution);

  const Shape& shape_;
  double unit_ = 1;
  std::optional<Shape> scaled_;  // where the unit is not one
  PrepareOptions options_;
  std::optional<PathDomain> domain_;
  std::shared_ptr<const TriangleMesh> triangulated_;
  Adjacency edges_;
  std::vector<Index> component_;
  Index components_ = 0;
  std::shared_ptr<const GeodesicSolver> solver_;
  std::vector<std::string> warnings_;  // of a solver that has been released
  std::string geodesic_;
  std::vector<MeasuredSolver> tried_;
  /// Whether the solver is made once landmarks are known, because a coarser mesh that has them may do. Until
  /// then there are only the rows that the choice is made by.
  bool waits_for_landmarks_ = false;
  bool domain_released_ = false;
  std::optional<ExactRows> exact_;
  double exact_windows_ = 0;
  std::shared_ptr<const GeodesicSolver> coarse_solver_;
  CoarseMesh coarse_mesh_;
  std::vector<CoarseMesh> tried_meshes_;
  double domain_seconds_ = 0;
  double solver_seconds_ = 0;
  std::optional<RememberedRows> rows_;
  std::list<ChosenLandmarks> chosen_;  // lists: their elements stay where they are
  std::list<MeasuredLandmarks> landmarks_;
  std::optional<Timed<Laplacian>> laplacian_;
  std::optional<Timed<Eigenpairs>> eigenpairs_;
  std::vector<Index> interpolated_;  // the landmarks that P belongs to
  std::optional<Timed<RowMatrix<float>>> interpolation_;
  RowBounds bounds_;  // of it
};

}  // namespace geodome::internal
