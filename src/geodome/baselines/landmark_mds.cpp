#include "geodome/baselines/landmark_mds.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// Below this part of the largest, an eigenvalue is rounding of single precision and has no axis.
constexpr double rounding = 1e-6;

Embedding empty_embedding(const LandmarkColumns& columns, Index dimensions) {
  require_dimensions(dimensions, static_cast<Index>(columns.C.rows()));
  Embedding result;
  result.Z = RowMatrix<double>::Zero(columns.C.rows(), dimensions);
  result.component = columns.order.component;
  return result;
}

/// Turns the points of a component to their principal axes, puts them in, and notes what is known.
void put(Embedding& embedding, const std::vector<Index>& vertices, Eigen::MatrixXd Z) {
  Z.rowwise() -= Z.colwise().mean().eval();
  const SymmetricEigen axes = symmetric_eigen(Z.transpose() * Z);
  ComponentEmbedding part;
  part.vertices = static_cast<Index>(vertices.size());
  part.eigenvalues = axes.values.reverse();
  part.residuals = Vector::Zero(Z.cols());
  const double largest = part.eigenvalues.size() > 0 ? part.eigenvalues[0] : 0;
  const Eigen::MatrixXd turned = Z * axes.vectors.rowwise().reverse();
  for (Eigen::Index axis = 0; axis < turned.cols(); ++axis) {
    if (!(part.eigenvalues[axis] > rounding * rounding * largest)) break;
    ++part.axes;
    const double sign = axis_orientation(turned.col(axis));
    for (std::size_t k = 0; k < vertices.size(); ++k)
      embedding.Z(vertices[k], axis) = sign * turned(static_cast<Eigen::Index>(k), axis);
  }
  embedding.components.push_back(std::move(part));
}

/// -½ J W₂ J.
Eigen::MatrixXd centred(Eigen::MatrixXd W2) {
  W2.rowwise() -= W2.colwise().mean().eval();
  W2.colwise() -= W2.rowwise().mean().eval();
  return W2 / -2;
}

/// The squared distances of a component's vertices to its landmarks, some rows at a time.
class Panels {
 public:
  Panels(const LandmarkColumns& columns, Index component, const std::vector<Index>& vertices)
      : columns_(columns), count_(columns.count(component)), vertices_(vertices) {}

  std::size_t size() const { return (vertices_.size() + panel - 1) / panel; }
  Eigen::Index begin(std::size_t item) const { return static_cast<Eigen::Index>(item * panel); }
  RowMatrix<double> squared(std::size_t item) const {
    const std::size_t first = item * panel, rows = std::min(panel, vertices_.size() - first);
    RowMatrix<double> result(static_cast<Eigen::Index>(rows), count_);
    for (std::size_t k = 0; k < rows; ++k)
      result.row(static_cast<Eigen::Index>(k)) =
          columns_.C.row(vertices_[first + k]).head(count_).cast<double>().cwiseAbs2();
    return result;
  }

 private:
  static constexpr std::size_t panel = 256;
  const LandmarkColumns& columns_;
  Index count_;
  const std::vector<Index>& vertices_;
};

/// Rows times `lift`, after `prepare` has been at them.
template <typename Prepare>
Eigen::MatrixXd placed(const Panels& panels, Eigen::Index vertices, const Eigen::MatrixXd& lift,
                       const Execution& execution, const Prepare& prepare) {
  Eigen::MatrixXd Z(vertices, lift.cols());
  parallel_for(panels.size(), execution, {}, [&](std::size_t item, int) {
    RowMatrix<double> rows = panels.squared(item);
    prepare(rows);
    Z.middleRows(panels.begin(item), rows.rows()) = rows * lift;
  });
  return Z;
}

Eigen::RowVectorXd column_means(const Panels& panels, Index count, std::size_t vertices) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(count);
  for (std::size_t item = 0; item < panels.size(); ++item) sum += panels.squared(item).colwise().sum();
  return sum / static_cast<double>(vertices);
}

/// CᵀC, in as many parts as the size alone decides: the same on any number of threads.
template <typename Prepare>
Eigen::MatrixXd products_of_columns(const Panels& panels, Index count, const Execution& execution,
                                    const Prepare& prepare) {
  constexpr std::size_t parts = 8;
  std::vector<Eigen::MatrixXd> sums(parts, Eigen::MatrixXd::Zero(count, count));
  parallel_for(parts, execution, "Pivot MDS", [&](std::size_t part, int) {
    for (std::size_t item = panels.size() * part / parts; item < panels.size() * (part + 1) / parts; ++item) {
      RowMatrix<double> rows = panels.squared(item);
      prepare(rows);
      sums[part].selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
    }
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0] += sums[part];
  return sums[0];
}

/// #landmarks by #dimensions: the vectors of the largest values, each times `scale` of its value.
template <typename Scale>
Eigen::MatrixXd lift_by(const SymmetricEigen& scaling, Index dimensions, double least, const Scale& scale) {
  const Eigen::Index size = scaling.values.size();
  Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(size, dimensions);
  for (Eigen::Index k = 0; k < std::min<Eigen::Index>(dimensions, size); ++k) {
    const double value = scaling.values[size - 1 - k];
    if (!(value > least * scaling.values[size - 1])) break;
    lift.col(k) = scaling.vectors.col(size - 1 - k) * scale(value);
  }
  return lift;
}

}  // namespace

Embedding landmark_mds(const LandmarkColumns& columns, Index dimensions, const Execution& execution) {
  Embedding result = empty_embedding(columns, dimensions);
  const auto members = columns.members();
  for (Index c = 0; c < columns.components(); ++c) {
    const Eigen::MatrixXd W2 = columns.between(c, true);
    const Eigen::RowVectorXd mean = W2.colwise().mean();
    const Eigen::MatrixXd lift = lift_by(symmetric_eigen(centred(W2)), dimensions, rounding,
                                         [](double value) { return -0.5 / std::sqrt(value); });
    put(result, members[c],
        placed(Panels(columns, c, members[c]), static_cast<Eigen::Index>(members[c].size()), lift, execution,
               [&](RowMatrix<double>& rows) { rows.rowwise() -= mean; }));
  }
  return result;
}

Embedding pivot_mds(const LandmarkColumns& columns, Index dimensions, const Execution& execution) {
  Embedding result = empty_embedding(columns, dimensions);
  const auto members = columns.members();
  for (Index c = 0; c < columns.components(); ++c) {
    const Panels panels(columns, c, members[c]);
    const Index count = columns.count(c);
    const Eigen::RowVectorXd mean = column_means(panels, count, members[c].size());
    const auto centre_rows = [&](RowMatrix<double>& rows) {
      rows.rowwise() -= mean;
      rows.colwise() -= rows.rowwise().mean().eval();
      rows /= -2;
    };
    const double stretch = std::sqrt(static_cast<double>(members[c].size()) / count);
    const SymmetricEigen scaling =
        symmetric_eigen(products_of_columns(panels, count, execution, centre_rows));
    const Eigen::MatrixXd lift = lift_by(scaling, dimensions, rounding * rounding, [&](double value) {
      return std::sqrt(stretch / std::sqrt(value));  // value is σ²
    });
    put(result, members[c],
        placed(panels, static_cast<Eigen::Index>(members[c].size()), lift, execution, centre_rows));
  }
  return result;
}

}  // namespace geodome::internal
