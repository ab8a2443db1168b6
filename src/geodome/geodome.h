#pragma once
/// All geodesic distances of a shape, as one value.
///
///   #include <geodome/geodome.h>
///   const auto bunny = geodome::build(geodome::read_shape("bunny.obj"), {.landmarks = 500});
///   bunny.distance(7, 42);  bunny.row(7);  bunny.nearest(7, 10);  bunny.within(7, 0.1);  bunny.apply(X);
///   bunny.embed(3);  bunny.evaluate(20);  bunny.save("bunny.geodome");
///   const auto again = geodome::open("bunny.geodome");

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/execution.h"
#include "geodome/base/interval.h"
#include "geodome/embedding/embedding.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/path.h"
#include "geodome/landmark/sample.h"
#include "geodome/maps/eccentricity.h"
#include "geodome/maps/interpolate_values.h"
#include "geodome/maps/mean_distance.h"
#include "geodome/maps/partition.h"
#include "geodome/maps/region_distances.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/summary.h"
#include "geodome/pipeline/target.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/surface_point.h"

namespace geodome {

class Distances;
struct TargetBuild;

namespace internal {
class MatrixFile;
Distances distances_in(MatrixFile file);
}  // namespace internal

struct EvaluationOptions {
  Index rows = 100;  ///< chosen at random by the seed; 0: all
  std::uint64_t seed = 0;
  /// How the rows are measured; by default exactly, where the shape allows it.
  std::optional<GeodesicMethod> geodesic{};
  /// Compares the stored values as they are, squared ones with squares, without the near-field correction.
  bool raw = false;
  /// The shape, for a file that does not contain it; nullptr: its own.
  const Shape* shape = nullptr;
  /// User-supplied distances (an NPY file, #V by #V) to compare with; empty: measured on the shape.
  std::string distances{};
  /// Leaves out the rows of landmarks, whose errors are smaller than those of other vertices.
  bool fresh = false;
};

/// One interval for each of several pairs.
struct Intervals {
  Vector low, high;
};

struct SaveOptions {
  bool shape = true;  ///< whether the file contains the shape
};

/// A matrix of all distances, the shape it belongs to, how it was made, and how queries are answered. Const
/// and thread-safe; copies share everything. Vertices are numbered as in the shape. Distances between
/// connected components are infinite. Every query throws InputError on a vertex out of range, and FileError
/// where the file it reads from is damaged.
class Distances {
 public:
  Index size() const;
  /// What the matrix stores. Queries return distances in any case, except `apply`.
  DistanceKind kind() const;

  double distance(Index i, Index j) const;
  /// Between points that need not be vertices; matrices P W Pᵀ only, else InputError.
  double distance(const SurfacePoint& a, const SurfacePoint& b) const;
  /// One distance for every pair (I[k], J[k]).
  Vector distances(std::span<const Index> I, std::span<const Index> J, const Execution& execution = {}) const;
  /// An interval that contains the distance on the shape (docs/methods/bounds.md); the distance itself where
  /// it is at most three landmark spacings. Cost: 10 ms per vertex where 5,000 vertices lie within that
  /// radius. Throws InputError unless the matrix is P W Pᵀ, measured on a shape that it contains.
  Interval bounds(Index i, Index j) const;
  /// One interval for every pair (I[k], J[k]); each vertex is searched around once for some thousand pairs.
  Intervals bounds(std::span<const Index> I, std::span<const Index> J, const Execution& execution = {}) const;
  /// Whether the intervals are certain, up to 1e-6 of the distance: where the distances between landmarks are
  /// exact. Otherwise twice the largest error that was found in some of these is allowed for. Throws as
  /// `bounds`.
  bool certain_bounds() const;
  Vector row(Index i) const;
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const;
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const;
  /// The `count` nearest other vertices, nearest first.
  std::vector<Neighbour> nearest(Index vertex, Index count) const;
  /// All vertices at most `radius` away, the vertex itself included, nearest first.
  std::vector<Neighbour> within(Index vertex, double radius) const;
  /// The product of the stored matrix with X (#V by k). Throws InputError on several components.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const;

  /// Classical scaling of the squared distances: the canonical form. By default the scaling that suits the
  /// method.
  Embedding embed(Index dimensions = 3) const;
  Embedding embed(const EmbeddingOptions& options, const Execution& execution = {}) const;

  /// The error against distances measured on the shape, or of a build from an NPY file of distances against
  /// those. Throws InputError where a file has no shape, and otherwise where distances were user-supplied.
  Evaluation evaluate(Index rows) const;
  Evaluation evaluate(const EvaluationOptions& options = {}, const Execution& execution = {}) const;

  /// The same distances with this error in the recipe, so that a file states it, in place of the one that the
  /// build measured. Rows of landmarks are left out and distances are exact (along edges on graphs and
  /// samples, or where the matrix was built so). Throws InputError as `evaluate`, and on options that
  /// contradict this.
  Distances with_certificate(EvaluationOptions options = {}, const Execution& execution = {}) const;
  /// The error in the recipe, of a build or of with_certificate; nothing for a file.
  const std::optional<Evaluation>& measured_error() const;
  /// The error in the recipe, of a file too, as a sentence: "mean error 0.31 %, 99 % of distances within
  /// 1.9 %, measured on 12 rows of exact distances"; empty if it was not measured.
  std::string certificate() const;

  /// Replaces the file atomically. Throws InputError for a method that no file can hold, FileError.
  void save(const std::string& path, const SaveOptions& options = {}, const Execution& execution = {}) const;

  /// The same distances answered in another mode.
  Distances with(QueryMode mode) const;
  QueryMode mode() const;
  /// Whether near distances are computed on the shape: in QueryMode::near_field, for a matrix P W Pᵀ that was
  /// measured on the shape and has it.
  bool exact_near_field() const;

  /// The matrix as it is stored, and what queries are answered from.
  const DistanceMatrix& matrix() const;
  std::shared_ptr<const DistanceMatrix> shared_matrix() const;
  const DistanceMatrix& queries() const;
  /// The factors of a matrix P W Pᵀ, else nullptr.
  const internal::LandmarkMatrix* factors() const { return matrix().landmark_matrix(); }

  bool has_shape() const;
  /// nullptr where there is none. From a file it is copied at the first call.
  std::shared_ptr<const Shape> shape() const;
  /// Throws InputError, naming both digests, unless the matrix was built from this shape.
  void require_same_shape(const Shape& shape) const;

  /// JSON: how it was made.
  const std::string& recipe() const;
  std::string method() const;    ///< the name in the recipe; empty if unknown
  std::string geodesic() const;  ///< how distances were measured; "given": user-supplied; empty if unknown
  bool measured() const;         ///< whether they were measured on the shape
  /// How paths run according to the recipe; the method is left open.
  GeodesicOptions path_options() const;
  Index landmarks() const;
  /// The numbers of the vertices in the shape's own file, where they are not 0, 1, 2, …
  std::span<const std::int64_t> labels() const;

  const BuildSummary& summary() const;            ///< of the build; empty for a file
  const std::vector<std::string>& notes() const;  ///< what cleaning the shape dropped or kept aside
  const internal::MatrixFile* file() const;       ///< nullptr unless it was opened from one

 private:
  struct State;
  explicit Distances(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  friend Distances build(std::shared_ptr<const Shape>, std::vector<std::string>, const BuildOptions&,
                         const Execution&);
  friend TargetBuild build_to_target(std::shared_ptr<const Shape>, std::vector<std::string>,
                                     const BuildOptions&, const ErrorTarget&, const Execution&);
  friend Distances internal::distances_in(internal::MatrixFile);

  std::shared_ptr<const State> state_;
};

/// Cleans the shape (clean.h) and builds the matrix. Cost of cell, the default: docs/methods/cells.md. Cost
/// of sbha: time about 0.1 µs per vertex and landmark for W and 0.1 ms per vertex for the rest; memory that
/// of the result plus one factorisation. Throws InputError where options or shape do not allow it,
/// NumericalError where the arithmetic fails, Cancelled.
Distances build(Shape shape, const BuildOptions& options = {}, const Execution& execution = {});
/// The same for a clean shape that is shared with the caller; `notes` become those of the result.
Distances build(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                const BuildOptions& options = {}, const Execution& execution = {});
/// The same for a shape that is clean.
Distances build(CleanShape shape, const BuildOptions& options = {}, const Execution& execution = {});

struct TargetBuild {
  Distances distances;
  TargetReport report;
};

/// The same with the smallest number of landmarks whose error is below the target: the upper end of its 95 %
/// confidence interval, on exact rows that nothing was fitted to. The number of landmarks in the options is
/// where the search starts. The result is that of a build with the number found, and its recipe states the
/// target. Where the target is not met, it is the most accurate of the builds. Cost: several builds, about
/// three times that of the last. Throws InputError as `build`, on methods other than cell, sbha and bha, on
/// landmarks that are given, and on a target outside (0, 1).
TargetBuild build_to_target(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                            const BuildOptions& options, const ErrorTarget& target,
                            const Execution& execution = {});

/// Opens a `.geodome` file of any method: one memory map, nothing is copied. Throws FileError.
Distances open(const std::string& path);
/// Nothing where the file is of another format.
std::optional<Distances> open_if_matrix(const std::string& path);

}  // namespace geodome
