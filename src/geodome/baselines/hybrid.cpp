#include "geodome/baselines/hybrid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// Vertices handed to a thread at once.
constexpr Index hybrid_panel = 512;

std::size_t panels(Index vertices) {
  return static_cast<std::size_t>((vertices + hybrid_panel - 1) / hybrid_panel);
}

/// Rows of D, one component's landmarks at a time.
class Residues {
 public:
  Residues(const SparseLandmarkMatrix& base, const LandmarkColumns& measured)
      : base_(base), measured_(measured) {
    for (Index c = 0; c < measured.components(); ++c)
      W_.push_back(measured.between(c, base.kind() == DistanceKind::squared));
  }

  /// Row `vertex` of D, for the landmarks of its component.
  Eigen::RowVectorXd row(Index vertex, const Weights& weights) const {
    const Index c = base_.component(vertex), count = measured_.count(c);
    Eigen::RowVectorXd result = measured_.C.row(vertex).head(count).cast<double>();
    if (base_.kind() == DistanceKind::squared) result = result.cwiseAbs2().eval();
    for (std::size_t k = 0; k < weights.size(); ++k)
      result -= weights.value[k] * W_[c].row(weights.column[k]);
    return result;
  }

 private:
  const SparseLandmarkMatrix& base_;
  const LandmarkColumns& measured_;
  std::vector<Eigen::MatrixXd> W_;  // symmetric
};

/// What is known of every column of D and P.
struct ColumnSizes {
  Vector residue;  ///< Σ D²
  Vector weight;   ///< Σ P²
  Vector largest;  ///< max |D|

  explicit ColumnSizes(Eigen::Index count)
      : residue(Vector::Zero(count)), weight(Vector::Zero(count)), largest(Vector::Zero(count)) {}
};

ColumnSizes measure_columns(const SparseLandmarkMatrix& base, const Residues& residues, Index landmarks,
                            const Execution& execution) {
  // As many parts as the size alone decides, summed in order: the same on any number of threads.
  std::vector<ColumnSizes> parts(std::min<std::size_t>(16, panels(base.size())), ColumnSizes(landmarks));
  parallel_for(parts.size(), execution, "residues", [&](std::size_t part, int) {
    Weights weights;
    ColumnSizes& sizes = parts[part];
    const auto share = [&](std::size_t at) {
      return static_cast<Index>(static_cast<std::size_t>(base.size()) * at / parts.size());
    };
    for (Index v = share(part); v < share(part + 1); ++v) {
      if (base.component(v) < 0) continue;
      base.read_weights(v, weights);
      const Eigen::RowVectorXd row = residues.row(v, weights);
      const Index first = base.first_landmark(base.component(v));
      sizes.residue.segment(first, row.size()) += row.cwiseAbs2().transpose();
      sizes.largest.segment(first, row.size()) =
          sizes.largest.segment(first, row.size()).cwiseMax(row.cwiseAbs().transpose());
      for (std::size_t k = 0; k < weights.size(); ++k)
        sizes.weight[first + weights.column[k]] += weights.value[k] * weights.value[k];
    }
  });
  for (std::size_t part = 1; part < parts.size(); ++part) {
    parts[0].residue += parts[part].residue;
    parts[0].weight += parts[part].weight;
    parts[0].largest = parts[0].largest.cwiseMax(parts[part].largest);
  }
  return parts[0];
}

/// The `count` positions of the largest gains, increasing; of equal ones the first.
std::vector<Index> choose_columns(const ColumnSizes& sizes, Index count) {
  const Vector gain = sizes.residue.cwiseProduct(sizes.weight);
  std::vector<Index> order(static_cast<std::size_t>(gain.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return gain[a] > gain[b]; });
  order.resize(std::min<std::size_t>(order.size(), static_cast<std::size_t>(count)));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

HybridMatrix::HybridMatrix(SparseLandmarkMatrix base, HybridColumns columns)
    : base_(std::move(base)), columns_(std::move(columns)), kept_at_(base_.landmarks().size(), -1) {
  if (columns_.residue.rows() != base_.size() ||
      columns_.residue.cols() != static_cast<Eigen::Index>(columns_.landmark.size()) ||
      columns_.step.size() != columns_.landmark.size())
    throw InputError(text(columns_.landmark.size(), " columns kept, with ", columns_.step.size(),
                          " steps and a residue of ", columns_.residue.rows(), " by ",
                          columns_.residue.cols()));
  Index before = -1;
  for (std::size_t k = 0; k < columns_.landmark.size(); ++k) {
    const Index at = columns_.landmark[k];
    if (at <= before || static_cast<std::size_t>(at) >= kept_at_.size())
      throw InputError(text("the column of landmark ", at, " after that of ", before,
                            ": they must increase and be below ", kept_at_.size()));
    kept_at_[at] = static_cast<Index>(k);
    before = at;
  }
}

void HybridMatrix::kept_weights(Index vertex, Weights& row) const {
  Weights all;
  base_.read_weights(vertex, all);
  row.clear();
  if (base_.component(vertex) < 0) return;
  const Index first = base_.first_landmark(base_.component(vertex));
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const Index at = kept_at_[first + all.column[k]]; at >= 0)
      row.add(at, all.value[k] * static_cast<double>(columns_.step[at]));
}

double HybridMatrix::residue(Index vertex, const Weights& kept) const {
  double total = 0;
  for (std::size_t k = 0; k < kept.size(); ++k)
    total += kept.value[k] * static_cast<double>(columns_.residue(vertex, kept.column[k]));
  return total;
}

Vector HybridMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                             const Execution& execution) const {
  Vector result = base_.entries(I, J, execution);
  constexpr std::size_t chunk = 4096;
  parallel_for((I.size() + chunk - 1) / chunk, execution, {}, [&](std::size_t item, int) {
    Weights a, b;
    for (std::size_t k = item * chunk; k < std::min(I.size(), (item + 1) * chunk); ++k) {
      double& entry = result[static_cast<Eigen::Index>(k)];
      if (!std::isfinite(entry)) continue;
      // The smaller vertex first, so that (i, j) and (j, i) agree to the last bit.
      const Index i = std::min(I[k], J[k]), j = std::max(I[k], J[k]);
      kept_weights(i, a);
      kept_weights(j, b);
      entry += residue(j, a) + residue(i, b);
    }
  });
  return result;
}

RowMatrix<double> HybridMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  RowMatrix<double> result = base_.rows(I, execution);
  std::vector<Weights> own(I.size());
  for (std::size_t k = 0; k < I.size(); ++k) kept_weights(I[k], own[k]);
  parallel_for(panels(size()), execution, {}, [&](std::size_t item, int) {
    Weights other;
    const Index begin = static_cast<Index>(item) * hybrid_panel;
    for (Index v = begin; v < std::min(size(), begin + hybrid_panel); ++v) {
      kept_weights(v, other);
      for (std::size_t k = 0; k < I.size(); ++k) {
        double& entry = result(static_cast<Eigen::Index>(k), v);
        if (std::isfinite(entry)) entry += residue(v, own[k]) + residue(I[k], other);
      }
    }
  });
  return result;
}

RowMatrix<double> HybridMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                      const Execution& execution) const {
  RowMatrix<double> result = base_.apply(X, execution);
  const auto kept = static_cast<Eigen::Index>(columns_.landmark.size());
  struct Sums {
    RowMatrix<double> residue, weight;  // DᵀX and PᵀX, the steps in the latter
  };
  constexpr std::size_t parts = 16;
  std::vector<Sums> sums(parts);
  parallel_for(parts, execution, {}, [&](std::size_t part, int) {
    Sums& sum = sums[part];
    sum.residue = sum.weight = RowMatrix<double>::Zero(kept, X.cols());
    Weights weights;
    const auto share = [&](std::size_t at) {
      return static_cast<Index>(static_cast<std::size_t>(size()) * at / parts);
    };
    for (Index v = share(part); v < share(part + 1); ++v) {
      kept_weights(v, weights);
      for (std::size_t k = 0; k < weights.size(); ++k)
        sum.weight.row(weights.column[k]) += weights.value[k] * X.row(v);
      sum.residue.noalias() += columns_.residue.row(v).cast<double>().transpose() * X.row(v);
    }
  });
  for (std::size_t part = 1; part < parts; ++part) {
    sums[0].residue += sums[part].residue;
    sums[0].weight += sums[part].weight;
  }
  parallel_for(panels(size()), execution, {}, [&](std::size_t item, int) {
    Weights weights;
    const Index begin = static_cast<Index>(item) * hybrid_panel;
    for (Index v = begin; v < std::min(size(), begin + hybrid_panel); ++v) {
      kept_weights(v, weights);
      for (std::size_t k = 0; k < weights.size(); ++k)
        result.row(v) += weights.value[k] * sums[0].residue.row(weights.column[k]);
      result.row(v).noalias() += columns_.residue.row(v).cast<double>() * sums[0].weight;
    }
  });
  return result;
}

std::int64_t HybridMatrix::bytes() const {
  return base_.bytes() + static_cast<std::int64_t>(columns_.landmark.size() * sizeof(Index) +
                                                   columns_.step.size() * sizeof(float) +
                                                   static_cast<std::size_t>(columns_.residue.size()) +
                                                   kept_at_.size() * sizeof(Index));
}

HybridMatrix make_hybrid_matrix(SparseLandmarkMatrix base, const LandmarkColumns& measured, Index count,
                                const Execution& execution) {
  if (count < 0) throw InputError(text("the number of columns to keep must not be negative, got ", count));
  const Residues residues(base, measured);
  const auto landmarks = static_cast<Index>(base.landmarks().size());
  const ColumnSizes sizes = measure_columns(base, residues, landmarks, execution);
  HybridColumns columns;
  columns.landmark = choose_columns(sizes, count);
  for (const Index at : columns.landmark) columns.step.push_back(static_cast<float>(sizes.largest[at] / 127));
  columns.residue =
      RowMatrix<std::int8_t>::Zero(base.size(), static_cast<Eigen::Index>(columns.landmark.size()));
  parallel_for(panels(base.size()), execution, "residues", [&](std::size_t item, int) {
    Weights weights;
    const Index begin = static_cast<Index>(item) * hybrid_panel;
    for (Index v = begin; v < std::min(base.size(), begin + hybrid_panel); ++v) {
      const Index c = base.component(v);
      if (c < 0) continue;
      base.read_weights(v, weights);
      const Eigen::RowVectorXd row = residues.row(v, weights);
      for (std::size_t k = 0; k < columns.landmark.size(); ++k) {
        const Index at = columns.landmark[k] - base.first_landmark(c);
        if (at < 0 || at >= row.size() || !(columns.step[k] > 0)) continue;
        columns.residue(v, static_cast<Eigen::Index>(k)) = static_cast<std::int8_t>(
            std::clamp<long>(std::lround(row[at] / static_cast<double>(columns.step[k])), -127, 127));
      }
    }
  });
  return {std::move(base), std::move(columns)};
}

}  // namespace geodome::internal
