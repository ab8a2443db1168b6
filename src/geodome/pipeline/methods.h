#pragma once
/// Any way to hold all distances of a shape, by name: ours and every rival, behind one interface.
///
///   PreparedShape prepared(shape);
///   MethodOptions options;
///   options.method = choice_of(methods(), "fmds", "method");
///   options.landmarks.count = 400;
///   const MethodMatrix built = build_method(prepared, options);
///   const Vector d = built.matrix->entries(I, J);

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/names.h"
#include "geodome/baselines/spectrometer.h"
#include "geodome/embedding/embedding.h"
#include "geodome/interpolation/operator.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/pipeline/prepared.h"

namespace geodome {

/// docs/baselines.md has the formulas.
enum class Method {
  exact,
  bha,
  sbha,
  nystrom,
  nystrom_truncated,
  fmds,
  fmds_hard,
  smds,
  lmds,
  pivot,
  hybrid,
  ctg,
  spectrometer,
};

std::span<const Named<Method>> methods();

/// Whether it stands on all distances of its landmarks (#V by #landmarks), not only on those between them.
bool needs_columns(Method method);
/// Whether it has landmarks at all, and whether its size depends on the nonzeros of P.
bool has_landmarks(Method method);
bool has_nonzeros(Method method);
/// Whether it works in the span of eigenvectors of the Laplacian.
bool has_eigenvectors(Method method);
/// Whether it is nothing but points: their distances are what is evaluated.
bool is_embedding(Method method);
/// Whether a file can hold it (rivals/file_codecs.h).
bool has_file(Method method);

struct MethodOptions {
  Method method = Method::sbha;
  /// A `count` of 0 chooses (default_landmark_count).
  LandmarkOptions landmarks{LandmarkMethod::farthest, 0, 0, {}};
  DistanceKind kind = DistanceKind::distance;
  /// sbha, hybrid: P.
  InterpolationOptions interpolation;
  /// bha, sbha, hybrid: how W is kept.
  Precision precision = Precision::float32;
  /// nystrom-truncated: eigenvalues of W below this part of the largest are left out. Errors rise below 1e-4
  /// as the smallest come and go through zero, and above 1e-2 as too little is left.
  double truncation = 1e-3;
  /// fmds: μ, how closely the interpolation keeps to its landmarks. In the units of the shape (1 / length²):
  /// its authors' 50 is for shapes of some hundred units in size.
  double softening = 50;
  /// fmds, fmds-hard: distances as roots of interpolated squared distances, as its authors have them. No
  /// longer linear: a product goes through all entries.
  bool square_root = false;
  /// smds, spectrometer: m, as the former's authors have it; spectrometer takes no more than landmarks. And μ
  /// of smds, in units of 1 / length² too.
  Index eigenvectors = 200;
  double smds_weight = 1;
  /// lmds, pivot: of the points.
  Index dimensions = 3;
  /// hybrid: how many columns are kept besides sbha; -1: all. Most of what they gain comes with the last
  /// ones.
  Index columns = -1;
  /// ctg: how many samples may be added where their triangulation is broken, as a part of those asked for; 8
  /// in any case, since no closed surface has a triangulation of fewer than 4.
  double repair = 0.5;
  /// spectrometer: faces or edges at which gradients are evaluated, for each landmark; 0 for all there are.
  Index places = 2;
  /// spectrometer: how heat flows (spectrometer.h).
  SpectrometerOptions heat;
  /// What the matrix may take, and what building it may take at once. Beyond, InputError names the bytes.
  std::int64_t memory_bound = std::int64_t{8} << 30;
};

struct MethodMatrix {
  std::shared_ptr<const DistanceMatrix> matrix;
  Index landmarks = 0;        ///< 0 where there are none
  Index added_landmarks = 0;  ///< of these, those that ctg added to mend its triangulation
  std::int64_t nonzeros = 0;  ///< of a sparse P, else 0
  /// Counted: what the matrix holds. The same numbers with 8 bytes per value and 4 per index, all of a
  /// symmetric matrix: how the reference counts. Apart from both, what the method's own scaling needs while
  /// it runs.
  std::int64_t bytes = 0;
  std::int64_t reference_bytes = 0;
  std::int64_t workspace_bytes = 0;
  /// By stage, in order; shared stages count as if this method had been alone.
  std::vector<std::pair<std::string, double>> seconds;
  std::string note;  ///< what should be said about the result, if anything

  double total_seconds() const;
};

/// Cost: see docs/baselines.md. Throws InputError where options are out of range, a method cannot handle the
/// shape (smds: several components; ctg: no surface) or memory_bound is too little, naming the bytes;
/// NumericalError where the arithmetic fails; Cancelled.
MethodMatrix build_method(PreparedShape& prepared, const MethodOptions& options,
                          const Execution& execution = {});

/// The same matrix as squared distances, without building it again; nullptr for methods whose squared
/// distances are another approximation.
std::shared_ptr<const DistanceMatrix> squared_matrix(const std::shared_ptr<const DistanceMatrix>& matrix);
/// The same matrix as distances, never negative.
std::shared_ptr<const DistanceMatrix> distance_matrix(const std::shared_ptr<const DistanceMatrix>& matrix);

/// Lanczos iteration on a matrix of kind squared, whatever `options.method` says. Where products go through
/// all entries (ctg, spectrometer) these are computed once, if `options.memory_bound` allows it.
Embedding embed_by_products(const std::shared_ptr<const DistanceMatrix>& squared, EmbeddingOptions options,
                            const Execution& execution = {});

struct MethodEmbedding {
  Embedding embedding;
  double seconds = 0;
  std::string note;  ///< where the method's own scaling did not fit and another took its place
};

/// The method's own classical scaling: QR for bha (BMDS), fmds, smds and nystrom; the points themselves for
/// lmds and pivot; Lanczos iteration for exact, sbha (sBMDS), hybrid, ctg and spectrometer, and where
/// `options.memory_bound` is too little for the QR. `options.method` is not used. `built` is of kind squared,
/// unless it is nothing but points. Throws InputError otherwise.
MethodEmbedding embed_method(const MethodMatrix& built, Method method, const EmbeddingOptions& options = {},
                             const Execution& execution = {});

}  // namespace geodome
