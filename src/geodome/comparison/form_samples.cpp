#include "geodome/comparison/form_samples.h"

#include <cmath>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr Eigen::Index most_dimensions = 4;

RowMatrix<double> finite_rows(const Eigen::Ref<const RowMatrix<double>>& form) {
  if (form.cols() < 1 || form.cols() > most_dimensions)
    throw InputError(text("canonical forms of ", form.cols(), " dimensions cannot be aligned: use 1 to ",
                          most_dimensions));
  RowMatrix<double> finite(form.rows(), form.cols());
  Eigen::Index rows = 0;
  for (Eigen::Index v = 0; v < form.rows(); ++v)
    if (form.row(v).allFinite()) finite.row(rows++) = form.row(v);
  if (rows == 0) throw InputError("a canonical form without a finite point cannot be aligned");
  return finite.topRows(rows);
}

RowMatrix<double> sampled(const RowMatrix<double>& points, Index count) {
  const std::vector<Index> chosen = farthest_points(points, count);
  RowMatrix<double> samples(static_cast<Eigen::Index>(chosen.size()), points.cols());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    samples.row(static_cast<Eigen::Index>(k)) = points.row(chosen[k]);
  return samples;
}

}  // namespace

FormSamples::FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count)
    : tree_(finite_rows(form)),
      grid_(tree_),
      samples_(sampled(tree_.points(), count)),
      centre_(samples_.colwise().mean()),
      radius_(std::sqrt((samples_.rowwise() - centre_).rowwise().squaredNorm().mean())) {}

}  // namespace geodome::internal
