#include "geodome/laplacian/similarity.h"

#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Fills `row` with probabilities for excess squared distances over the nearest one; returns their entropy.
double fill(const Eigen::RowVectorXd& excess, double beta, Eigen::RowVectorXd& row) {
  row = (-beta * excess).array().exp();
  const double sum = row.sum();
  row /= sum;
  return std::log(sum) + beta * row.dot(excess);
}

/// Excess squared distances in units of the largest, or all zero.
Eigen::RowVectorXd scaled_excess(const Eigen::RowVectorXd& distance) {
  const double nearest = distance.minCoeff(), furthest = distance.maxCoeff();
  if (!(furthest > nearest)) return Eigen::RowVectorXd::Zero(distance.size());
  const Eigen::ArrayXd unit = distance.transpose().array() / furthest;
  const double least = nearest / furthest;
  return ((unit - least) * (unit + least)).matrix().transpose() / ((1 - least) * (1 + least));
}

void calibrate(const Eigen::RowVectorXd& excess, double perplexity, Eigen::RowVectorXd& row) {
  const double target = std::log(perplexity);
  const auto ties = (excess.array() == 0).count();
  if (perplexity >= static_cast<double>(excess.size()) || ties == excess.size()) {
    fill(excess, 0, row);
    return;
  }
  if (static_cast<double>(ties) >= perplexity) {
    const double next = (excess.array() > 0).select(excess.array(), infinity).minCoeff();
    fill(excess, 1 / next, row);
    return;
  }
  double low = 0, high = 1;  // entropy falls as beta grows
  while (fill(excess, high, row) > target && high < 1e300) low = high, high *= 2;
  for (int step = 0; step < 200; ++step) {
    const double beta = low + (high - low) / 2;
    const double entropy = fill(excess, beta, row);
    if (std::abs(entropy - target) < 1e-10) return;
    (entropy > target ? low : high) = beta;
  }
}

}  // namespace

RowMatrix<double> neighbour_probabilities(const Neighbours& neighbours, double perplexity) {
  if (!(perplexity > 1)) throw InputError(text("perplexity must be above 1, got ", perplexity));
  RowMatrix<double> result(neighbours.distance.rows(), neighbours.distance.cols());
  Eigen::RowVectorXd row;
  for (Eigen::Index v = 0; v < result.rows() && result.cols() > 0; ++v) {
    calibrate(scaled_excess(neighbours.distance.row(v)), perplexity, row);
    result.row(v) = row;
  }
  return result;
}

}  // namespace geodome::internal
