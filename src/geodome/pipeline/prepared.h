#pragma once
/// A shape made ready for several methods: what is costly and the same for all of them is computed once, and
/// what it took is told to each of them.
///
///   PreparedShape prepared(shape);
///   const MeasuredLandmarks& landmarks = prepared.landmarks(options);
///   const double seconds = landmarks.landmark_seconds + landmarks.geodesic_seconds;

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "geodome/geodesic/factory.h"
#include "geodome/landmark/landmark_replacement.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/laplacian/eigen.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/matrix/row_bounds.h"
#include "geodome/pipeline/remembered_rows.h"

namespace geodome {

struct PrepareOptions {
  /// How distances are measured; `geodesic.keep` is the mask.
  GeodesicOptions geodesic;
  /// An NPY file (#V by #V) to take the distances from, instead of measuring them; empty: none.
  std::string distances;
  LaplacianOptions laplacian;
  /// Of the neighbour searches; takes the place of the seeds above.
  std::uint64_t seed = 0;
  /// Whether rows of landmarks are kept for the next method. Off: a method that only needs the distances
  /// between landmarks (bha, sbha) never holds #V by #landmarks of them; one that needs columns still has its
  /// own.
  bool keep_rows = true;
  /// What kept rows may take, 4 bytes a number. Four gigabytes: a million vertices with a thousand landmarks.
  std::int64_t row_bound = std::int64_t{4} << 30;
};

/// Landmarks, the distances between them, and the seconds each of the two takes by itself.
struct MeasuredLandmarks {
  LandmarkOptions options;  ///< as asked for, with the count resolved
  Precision precision = Precision::float32;
  OrderedLandmarks order;
  LandmarkDistances W;
  std::vector<ReplacedLandmark> replaced;
  double cover_radius = 0;
  double landmark_seconds = 0;
  double geodesic_seconds = 0;
};

template <typename T>
struct Timed {
  T value;
  double seconds = 0;
};

/// Not to be used by two threads at once. References it returns are valid until `forget` or its end.
class PreparedShape {
 public:
  /// The shape must be clean (clean.h) and outlive it. Throws InputError where options and shape do not fit.
  explicit PreparedShape(const Shape& shape, const PrepareOptions& options = {},
                         const Execution& execution = {});

  /// The shape in its unit.
  const Shape& shape() const { return scaled_ ? *scaled_ : shape_; }
  /// The unit of everything computed here (unit.h), one for shapes of ordinary size and for given distances.
  double unit() const { return unit_; }
  const PrepareOptions& options() const { return options_; }
  Index size() const { return solver_->size(); }
  Index components() const { return components_; }
  /// What paths run on, and which vertices are next to each other there.
  const PathDomain& domain() const { return *domain_; }
  const Adjacency& edges() const { return edges_; }
  /// What measures, and its name: "given" for the user's distances.
  const GeodesicSolver& solver() const { return *solver_; }
  const std::string& geodesic() const { return geodesic_; }
  /// To make the solver.
  double solver_seconds() const { return solver_seconds_; }

  /// A count of 0 chooses (default_landmark_count). `with_rows`: `columns` will be asked for, so rows are
  /// kept whatever the options say. Throws as choose_landmarks and settle_landmarks do.
  const MeasuredLandmarks& landmarks(LandmarkOptions options, Precision precision = Precision::float32,
                                     const Execution& execution = {}, bool with_rows = false);

  /// C: #V by the most landmarks of a component; row v has the distances of v to the landmarks of its own
  /// component, as W has them where v is a landmark; the rest, and the row of a vertex of none, is zero.
  /// Seconds: of measuring, as if nothing had been kept. Throws InputError above options().row_bound.
  Timed<RowMatrix<float>> columns(const MeasuredLandmarks& landmarks, const Execution& execution = {});

  const Timed<Laplacian>& laplacian(const Execution& execution = {});
  /// At least `count`.
  const Timed<Eigenpairs>& eigenpairs(Index count, const Execution& execution = {});
  /// All of P for these landmarks: #V by #landmarks, its rows bounded. The last one is kept.
  const Timed<RowMatrix<float>>& interpolation(const MeasuredLandmarks& landmarks,
                                               const Execution& execution = {});
  /// Of the last one.
  const RowBounds& row_bounds() const { return bounds_; }

  /// Drops kept rows, landmarks and P; the solver, the Laplacian and its eigenpairs stay.
  void forget();
  /// Drops the Laplacian and its eigenpairs.
  void forget_operators();

 private:
  MeasuredLandmarks measure(const LandmarkOptions& options, Precision precision, bool with_rows,
                            const Execution& execution);

  const Shape& shape_;
  double unit_ = 1;
  std::optional<Shape> scaled_;  // where the unit is not one
  PrepareOptions options_;
  std::optional<PathDomain> domain_;
  Adjacency edges_;
  Index components_ = 0;
  std::unique_ptr<GeodesicSolver> solver_;
  std::string geodesic_;
  double solver_seconds_ = 0;
  std::optional<RememberedRows> rows_;
  std::list<MeasuredLandmarks> landmarks_;  // a list: its elements stay where they are
  std::optional<Timed<Laplacian>> laplacian_;
  std::optional<Timed<Eigenpairs>> eigenpairs_;
  std::vector<Index> interpolated_;  // the landmarks that P belongs to
  std::optional<Timed<RowMatrix<float>>> interpolation_;
  RowBounds bounds_;  // of it
};

}  // namespace geodome
