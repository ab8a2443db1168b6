#include "geodome/embedding/eigenpairs.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"

namespace geodome::internal {
namespace {

/// Below this a dense solve takes a fraction of a second and cannot fail.
constexpr Index dense_size = 256;

RowMatrix<double> random_block(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  RowMatrix<double> block(rows, columns);
  for (double& value : block.reshaped()) value = random_unit(generator) - 0.5;
  return block;
}

/// The operator divided by its own size, on the complement of vectors that are known already.
class Deflated {
 public:
  Deflated(Index size, const std::function<Vector(const Vector&)>& product, Eigen::MatrixXd known,
           double scale)
      : size_(size), product_(product), known_(std::move(known)), scale_(scale) {}

  void perform_op(const double* in, double* out) const {
    Vector x = Eigen::Map<const Vector>(in, size_);
    project(x);
    Vector y = product_(x) / scale_;
    project(y);
    Eigen::Map<Vector>(out, size_) = y;
  }
  void project(Vector& x) const {
    if (known_.cols() > 0) x -= known_ * (known_.transpose() * x);
  }

 private:
  Index size_;
  const std::function<Vector(const Vector&)>& product_;
  Eigen::MatrixXd known_;
  double scale_;
};

class Search {
 public:
  Search(Index size, const BlockProduct& product, const EigenpairOptions& options)
      : size_(size), product_(product), options_(options) {}

  TopEigenpairs run() {
    images_ = apply(random_block(size_, options_.count + 1, options_.seed));
    scale_ = images_.colwise().norm().maxCoeff();
    if (!(scale_ > 0) || !std::isfinite(scale_)) return nothing();
    // Spectra's tolerance is relative to each eigenvalue, ours to the largest: half of it leaves room.
    const double tolerance = options_.tolerance / 2;
    improve(join(options_.find ? options_.find(options_.count, tolerance)
                               : search(options_.count, tolerance, images_.col(0)),
                 images_));
    for (int round = 0; round < 2 * options_.count + 4; ++round) {
      // A loose answer tells whether something was missed; only then is it worth refining.
      const Eigen::MatrixXd candidate = search(1, 1e-2, images_.rowwise().sum());
      if (candidate.cols() == 0 || !improve(candidate)) break;
      improve(search(1, options_.tolerance / 2, candidate.col(0)));
    }
    return finish();
  }

 private:
  RowMatrix<double> apply(const RowMatrix<double>& X) {
    products_ += static_cast<int>(X.cols());
    return product_(X);
  }

  TopEigenpairs nothing() const {
    TopEigenpairs pairs;
    pairs.values = pairs.residuals = Vector::Zero(options_.count);
    pairs.vectors = Eigen::MatrixXd::Zero(size_, options_.count);
    pairs.products = products_;
    pairs.converged = scale_ == 0;
    return pairs;
  }

  static Eigen::MatrixXd join(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    Eigen::MatrixXd both(a.rows(), a.cols() + b.cols());
    both << a, b;
    return both;
  }

  /// Vectors that Spectra takes for the largest on the complement of what is known; none where the operator
  /// vanishes there. They may be wrong: it reports success on operators of low rank.
  Eigen::MatrixXd search(Index wanted, double tolerance, Vector start) {
    const std::function<Vector(const Vector&)> product = [&](const Vector& x) {
      return Vector(apply(RowMatrix<double>(x)));
    };
    Deflated deflated(size_, product, vectors_, scale_);
    deflated.project(start);
    // What is left of images inside the span of the known vectors is rounding.
    if (!(start.norm() > 1e-12 * scale_)) return Eigen::MatrixXd(size_, 0);
    start.normalize();
    const Index steps = std::min<Index>(size_, std::max<Index>(8, 2 * wanted + 4));
    try {
      const Eigen::MatrixXd found =
          lanczos(
              size_, [&](const double* in, double* out) { deflated.perform_op(in, out); },
              {.wanted = wanted, .steps = steps, .iterations = 300, .tolerance = tolerance, .start = &start})
              .vectors;
      if (found.allFinite()) return found;
    } catch (const Error&) {
      throw;  // cancelled, or refused by the operator
    } catch (const std::exception&) {
      // Spectra gave up; what is known already has to do, and is measured.
    }
    return start;
  }

  /// Rayleigh-Ritz on the known vectors and some more; whether the wanted values grew.
  bool improve(const Eigen::MatrixXd& more) {
    // The known vectors are orthonormal already: their part of the basis, and its images, stay as they are.
    const Eigen::MatrixXd fresh = orthonormal(join(vectors_, more)).rightCols(more.cols());
    const Eigen::MatrixXd trial = join(vectors_, fresh), images = join(vector_images_, apply(fresh));
    Eigen::MatrixXd projected = trial.transpose() * images;
    projected = (projected + projected.transpose()).eval() / 2;
    const SymmetricEigen ritz = symmetric_eigen(projected);
    const Eigen::Index count = std::min<Eigen::Index>(options_.count, trial.cols());
    const Vector values = ritz.values.tail(count).reverse();
    const Eigen::MatrixXd turn = ritz.vectors.rightCols(count).rowwise().reverse();
    largest_ = ritz.values.cwiseAbs().maxCoeff();
    // Rounding lets values grow a little with any new direction.
    const bool grew = values_.size() < count || values.sum() - values_.sum() > 1e-6 * largest_;
    values_ = values;
    vectors_ = trial * turn;
    vector_images_ = images * turn;
    return grew;
  }

  TopEigenpairs finish() const {
    TopEigenpairs pairs;
    pairs.values = Vector::Zero(options_.count);
    pairs.residuals = Vector::Zero(options_.count);
    pairs.vectors = Eigen::MatrixXd::Zero(size_, options_.count);
    pairs.values.head(values_.size()) = values_;
    pairs.vectors.leftCols(values_.size()) = vectors_;
    const Eigen::MatrixXd rest = vector_images_ - vectors_ * values_.asDiagonal();
    if (largest_ > 0) pairs.residuals.head(values_.size()) = rest.colwise().norm().transpose() / largest_;
    pairs.products = products_;
    pairs.converged = pairs.residuals.maxCoeff() <= options_.tolerance;
    return pairs;
  }

  Index size_;
  const BlockProduct& product_;
  EigenpairOptions options_;
  int products_ = 0;
  double scale_ = 0;
  double largest_ = 0;
  RowMatrix<double> images_;
  Vector values_ = Vector(0);
  Eigen::MatrixXd vectors_ = Eigen::MatrixXd(size_, 0);
  Eigen::MatrixXd vector_images_ = Eigen::MatrixXd(size_, 0);  // the operator times these
};

}  // namespace

TopEigenpairs top_eigenpairs(Index size, const BlockProduct& product, const EigenpairOptions& options) {
  if (options.count < 1)
    throw InputError(text("the number of eigenpairs must be at least 1, got ", options.count));
  if (size > std::max(dense_size, 8 * options.count)) return Search(size, product, options).run();
  TopEigenpairs pairs;
  const RowMatrix<double> B = product(RowMatrix<double>::Identity(size, size));
  const SymmetricEigen all = symmetric_eigen((B + B.transpose()) / 2);
  const Index found = std::min(size, options.count);
  pairs.values = pairs.residuals = Vector::Zero(options.count);
  pairs.vectors = Eigen::MatrixXd::Zero(size, options.count);
  pairs.values.head(found) = all.values.tail(found).reverse();
  pairs.vectors.leftCols(found) = all.vectors.rightCols(found).rowwise().reverse();
  const double largest = size > 0 ? all.values.cwiseAbs().maxCoeff() : 0;
  if (largest > 0)
    pairs.residuals =
        (B * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().transpose() /
        largest;
  pairs.products = size;
  pairs.converged = pairs.residuals.maxCoeff() <= options.tolerance;
  return pairs;
}

}  // namespace geodome::internal
