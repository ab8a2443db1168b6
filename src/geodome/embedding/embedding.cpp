#include "geodome/embedding/embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/platform.h"
#include "geodome/base/random_unit.h"
#include "geodome/embedding/eigenpairs.h"
#include "geodome/embedding/gram.h"
#include "geodome/embedding/landmark_scaling.h"
#include "geodome/embedding/rank_gram.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome {

using namespace internal;

namespace {

constexpr double gigabyte = 1e9;
/// Below this part of the largest, an eigenvalue is rounding and has no axis.
constexpr double rounding = 1e-13;
/// All eigenvalues are computed for the share of the negative ones up to this many vertices, or landmarks of
/// a form P W Pᵀ, which takes two decompositions with vectors: half a second either way.
constexpr Index most_vertices = 1000, most_landmarks = 400;
/// Beyond, those of a random sample of vertices: a tenth of a second.
constexpr Index sample_size = 400;

struct Pairs {
  Vector values;            ///< #dimensions
  Eigen::MatrixXd vectors;  ///< #vertices by #dimensions
  Vector spectrum;          ///< all that are not zero, or empty
  Vector residuals;         ///< #dimensions, or empty where they are still to be measured
  int products = 0;
  bool fallback = false;
};

Pairs padded(const Vector& spectrum, const Eigen::MatrixXd& vectors, Index count) {
  Pairs pairs;
  pairs.spectrum = spectrum;
  pairs.values = Vector::Zero(count);
  pairs.vectors = Eigen::MatrixXd::Zero(vectors.rows(), count);
  const Eigen::Index found = std::min<Eigen::Index>(vectors.cols(), count);
  pairs.values.head(found) = spectrum.head(found);
  pairs.vectors.leftCols(found) = vectors.leftCols(found);
  return pairs;
}

double dense_bytes(const GramOperator& B) {
  // The matrix, its eigenvectors and a copy.
  return 24.0 * static_cast<double>(B.size()) * static_cast<double>(B.size());
}

Pairs dense_pairs(const GramOperator& B, const EmbeddingOptions& options) {
  if (dense_bytes(B) > static_cast<double>(options.memory_bound))
    throw InputError(text("dense scaling of ", B.size(), " vertices requires ", dense_bytes(B) / gigabyte,
                          " GB, above the bound of ", static_cast<double>(options.memory_bound) / gigabyte,
                          " GB: use Lanczos iteration, which requires products only"));
  const SymmetricEigen all = symmetric_eigen(B.dense());
  const Eigen::Index count = std::min<Eigen::Index>(options.dimensions, B.size());
  return padded(all.values.reverse(), all.vectors.rightCols(count).rowwise().reverse(), options.dimensions);
}

/// Vectors of the largest eigenvalues, of which every rank finds some rows.
Eigen::MatrixXd found_by_ranks(const GramOperator& B, Index wanted, double tolerance,
                               const Execution& execution) {
  const RankGram mine(B, *execution.team, execution);
  const std::size_t rows = mine.end() - mine.begin();
  return mine.gathered(execution.team->eigensolver()->largest(
      rows, [&](const double* x, double* y) { mine.multiply(x, y); }, wanted, tolerance));
}

Pairs lanczos_pairs(const GramOperator& B, const EmbeddingOptions& options, const Execution& execution) {
  double share = 0;
  const BlockProduct product = [&](const RowMatrix<double>& X) {
    // How many products it takes is not known beforehand: each takes a part of what is left.
    execution.report("classical scaling", share);
    share += 0.05 * (1 - share);
    return B.apply(X);
  };
  EigenpairOptions how{options.dimensions, options.tolerance, options.seed};
  if (team_of(execution) != nullptr && execution.team->eigensolver() != nullptr &&
      B.matrix().landmark_matrix() != nullptr)
    how.find = [&](Index wanted, double tolerance) {
      return found_by_ranks(B, wanted, tolerance, execution);
    };
  const TopEigenpairs top = top_eigenpairs(B.size(), product, how);
  if (top.converged) return {top.values, top.vectors, {}, top.residuals, top.products, false};
  Pairs pairs;
  const LandmarkMatrix* form = B.matrix().landmark_matrix();
  const Index part = form ? form->component(B.vertices().front()) : 0;
  if (form && gram_bytes(form->W(part).size()) <= options.memory_bound) {
    const LandmarkScaling scaling = scale_by_gram(*form, B.vertices(), options.dimensions);
    pairs = padded(B.scale() * scaling.spectrum, scaling.vectors, options.dimensions);
  } else if (dense_bytes(B) <= static_cast<double>(options.memory_bound)) {
    pairs = dense_pairs(B, options);
  } else {
    throw NumericalError(text("Lanczos iteration left a residual of ", top.residuals.maxCoeff(), " after ",
                              top.products, " products, above ", options.tolerance,
                              ", and no dense method fits into ", byte_count(options.memory_bound)));
  }
  pairs.products = top.products;
  pairs.fallback = true;
  return pairs;
}

Pairs qr_pairs(const GramOperator& B, const EmbeddingOptions& options) {
  const LandmarkMatrix* form = B.matrix().landmark_matrix();
  if (form == nullptr)
    throw InputError("BMDS requires a matrix P W Pᵀ: use Lanczos iteration for this matrix");
  const LandmarkScaling scaling = scale_by_qr(*form, B.vertices(), options.dimensions, options.memory_bound);
  return padded(B.scale() * scaling.spectrum, scaling.vectors, options.dimensions);
}

/// Eigenvalues of the scaling of a few random vertices: those of the whole, divided by a common factor and
/// blurred.
Vector sampled_spectrum(const GramOperator& B, std::uint64_t seed) {
  std::vector<Index> positions(static_cast<std::size_t>(B.size()));
  std::iota(positions.begin(), positions.end(), 0);
  const auto count = std::min<std::size_t>(positions.size(), sample_size);
  std::mt19937_64 generator(seed);
  for (std::size_t k = 0; k < count && k + 1 < positions.size(); ++k)
    std::swap(positions[k],
              positions[k + static_cast<std::size_t>(random_unit(generator) *
                                                     static_cast<double>(positions.size() - k))]);
  positions.resize(count);
  std::sort(positions.begin(), positions.end());
  return symmetric_eigenvalues(B.dense(positions));
}

/// Residuals from a product of our own, whatever the method.
Vector residuals_of(const GramOperator& B, const Pairs& pairs) {
  if (pairs.residuals.size() > 0) return pairs.residuals;
  const double largest = std::max(pairs.values.cwiseAbs().maxCoeff(),
                                  pairs.spectrum.size() > 0 ? pairs.spectrum.cwiseAbs().maxCoeff() : 0.0);
  if (!(largest > 0)) return Vector::Zero(pairs.values.size());
  const Eigen::MatrixXd rest = B.apply(pairs.vectors) - pairs.vectors * pairs.values.asDiagonal();
  return rest.colwise().norm().transpose() / largest;
}

Pairs pairs_of(const GramOperator& B, const EmbeddingOptions& options, const Execution& execution) {
  return options.method == ScalingMethod::lanczos ? lanczos_pairs(B, options, execution)
         : options.method == ScalingMethod::qr    ? qr_pairs(B, options)
                                                  : dense_pairs(B, options);
}

/// All eigenvalues that are not zero, where they are known or affordable; otherwise empty.
Vector whole_spectrum(const GramOperator& B, const Pairs& pairs) {
  if (pairs.spectrum.size() > 0) return pairs.spectrum;
  const LandmarkMatrix* form = B.matrix().landmark_matrix();
  if (B.size() <= most_vertices) return symmetric_eigenvalues(B.dense());
  if (form && form->W(form->component(B.vertices().front())).size() <= most_landmarks)
    return B.scale() * scale_by_gram(*form, B.vertices(), 1).spectrum;
  return {};
}

void set_negative_share(ComponentEmbedding& part, const GramOperator& B, const Pairs& pairs,
                        std::uint64_t seed) {
  Vector spectrum = whole_spectrum(B, pairs);
  part.share_exact = spectrum.size() > 0;
  if (!part.share_exact) spectrum = sampled_spectrum(B, seed);
  const double mass = spectrum.cwiseAbs().sum();
  part.negative_share = mass > 0 ? -spectrum.cwiseMin(0.0).sum() / mass : 0;
  part.spectrum_size = static_cast<Index>(spectrum.size());
}

ComponentEmbedding embed_part(const GramOperator& B, const Pairs& pairs, const EmbeddingOptions& options,
                              RowMatrix<double>& Z) {
  ComponentEmbedding part;
  part.vertices = B.size();
  part.eigenvalues = pairs.values / B.scale();
  part.residuals = residuals_of(B, pairs);
  part.products = pairs.products;
  part.fallback = pairs.fallback;
  if (!(part.residuals.maxCoeff() <= options.tolerance))
    throw NumericalError(text("classical scaling left a relative residual of ", part.residuals.maxCoeff(),
                              ", above ", options.tolerance));
  set_negative_share(part, B, pairs, options.seed);
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  for (Index axis = 0; axis < options.dimensions; ++axis) {
    if (!(pairs.values[axis] > rounding * largest)) break;
    ++part.axes;
    const double length = std::sqrt(part.eigenvalues[axis]) * axis_orientation(pairs.vectors.col(axis));
    for (Index v = 0; v < B.size(); ++v) Z(B.vertices()[v], axis) = length * pairs.vectors(v, axis);
  }
  return part;
}

template <typename PairsOf>
Embedding embed_parts(const DistanceMatrix& squared, const EmbeddingOptions& options,
                      const Execution& execution, const PairsOf& find) {
  if (squared.kind() != DistanceKind::squared)
    throw InputError(
        "classical scaling requires squared distances, and this matrix contains distances: read or "
        "build it as squared");
  require_dimensions(options.dimensions, squared.size());
  const FiniteParts parts = finite_parts(squared, execution);
  Embedding embedding;
  embedding.Z = RowMatrix<double>::Zero(squared.size(), options.dimensions);
  embedding.component = parts.of_vertex;
  for (std::size_t part = 0; part < parts.vertices.size(); ++part) {
    const GramOperator B(squared, parts, static_cast<Index>(part), execution);
    embedding.components.push_back(embed_part(B, find(B), options, embedding.Z));
  }
  execution.report("classical scaling", 1);
  return embedding;
}

/// The points of a matrix that consists of points, as an embedding.
Embedding embed_points(const DistanceMatrix& matrix, Index dimensions, const Execution& execution) {
  const RowMatrix<float>& points = *matrix.points();
  if (points.cols() != dimensions)
    throw InputError(text("the points have ", points.cols(), " dimensions, but ", dimensions,
                          " were requested: build them with this number of dimensions"));
  Embedding result;
  result.Z = points.cast<double>();
  result.component = matrix.component_labels(execution);
  for (Index v = 0; v < matrix.size(); ++v) {
    const Index c = result.component[static_cast<std::size_t>(v)];
    if (c < 0) continue;
    if (static_cast<std::size_t>(c) >= result.components.size())
      result.components.resize(static_cast<std::size_t>(c) + 1);
    ComponentEmbedding& part = result.components[static_cast<std::size_t>(c)];
    if (part.vertices++ == 0) part.eigenvalues = part.residuals = Vector::Zero(dimensions);
    part.eigenvalues += result.Z.row(v).transpose().cwiseAbs2();
  }
  for (ComponentEmbedding& part : result.components)
    part.axes = static_cast<Index>((part.eigenvalues.array() > 0).count());
  return result;
}

/// By the matrix's own scaling of every component.
Embedding embed_by_own_scaling(const DistanceMatrix& squared, const OwnScaling& own,
                               const EmbeddingOptions& options, const Execution& execution) {
  return embed_parts(squared, options, execution, [&](const GramOperator& B) {
    execution.report("classical scaling", 0);
    const PartScaling part = own.scale(B.vertices(), options.dimensions, options.tolerance, options.seed);
    Pairs pairs = padded(part.values, part.vectors, options.dimensions);
    pairs.spectrum.resize(0);
    return pairs;
  });
}

/// The only place that decides which scaling suits which matrix.
Embedding embed_automatically(const DistanceMatrix& squared, EmbeddingOptions options,
                              const Execution& execution) {
  if (squared.points() != nullptr) return embed_points(squared, options.dimensions, execution);
  const std::optional<OwnScaling> own = squared.own_scaling();
  const LandmarkMatrix* factors = squared.landmark_matrix();
  const bool dense = factors != nullptr && factors->dense();
  const std::int64_t workspace = own ? own->workspace_bytes : dense ? 8 * factors->nonzeros() : 0;
  const bool fits = workspace <= options.memory_bound;
  if (own && fits) return embed_by_own_scaling(squared, *own, options, execution);
  options.method = dense && fits ? ScalingMethod::qr : ScalingMethod::lanczos;
  Embedding result = embed(squared, options, execution);
  if (!fits)
    result.note =
        text("the QR decomposition needs ", byte_count(workspace), "; Lanczos iteration was used instead");
  return result;
}

}  // namespace

void require_dimensions(Index dimensions, Index vertices) {
  const Index most = std::max<Index>(vertices, EmbeddingOptions().dimensions);
  if (dimensions < 1 || dimensions > most)
    throw InputError(text("the number of dimensions must be 1 to ", most, " for ", vertices,
                          " vertices, got ", dimensions));
  // Beyond an eighth of the vertices the eigenproblem is solved densely (eigenpairs.h).
  const auto n = static_cast<double>(vertices), d = static_cast<double>(dimensions);
  const double needed = 8 * n * (d > n / 8 ? 3 * n + d : 8 * d);
  const auto memory = static_cast<double>(machine_memory());
  if (memory > 0 && needed > memory)
    throw InputError(text("scaling ", vertices, " vertices to ", dimensions, " dimensions requires about ",
                          needed / gigabyte, " GB, and this machine has ", memory / gigabyte,
                          " GB: use fewer dimensions"));
}

double internal::axis_orientation(const Eigen::Ref<const Vector>& axis) {
  const double largest = axis.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return 1;
  const Vector scaled = axis / largest;
  const double moment = scaled.array().cube().sum();
  if (std::abs(moment) > 1e-3 * scaled.array().abs().cube().sum()) return moment > 0 ? 1 : -1;
  for (Eigen::Index v = 0; v < scaled.size(); ++v)
    if (std::abs(scaled[v]) > 1 - 1e-6) return scaled[v] > 0 ? 1 : -1;
  return 1;
}

Embedding embed(const DistanceMatrix& squared, const EmbeddingOptions& options, const Execution& execution) {
  if (options.method == ScalingMethod::automatic) return embed_automatically(squared, options, execution);
  const auto fast = options.method == ScalingMethod::lanczos
                        ? squared.with_fast_products(options.memory_bound, execution)
                        : nullptr;
  return embed_parts(fast ? *fast : squared, options, execution,
                     [&](const GramOperator& B) { return pairs_of(B, options, execution); });
}

Embedding embed_exactly(const GeodesicSolver& solver, const EmbeddingOptions& options,
                        const Execution& execution) {
  if (options.method == ScalingMethod::qr)
    throw InputError(
        "BMDS requires a matrix P W Pᵀ, got all distances: use dense scaling or Lanczos iteration");
  return embed(full_matrix(solver, DistanceKind::squared, options.memory_bound, execution), options,
               execution);
}

}  // namespace geodome
