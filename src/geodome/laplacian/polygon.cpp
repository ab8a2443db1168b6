#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <span>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

/// Weight of what no gradient explains: a quarter makes a square equal to its refinement into four triangles.
constexpr double residual_weight = 0.25;
/// A face's stiffness is dense; larger ones are cut along a chord first, so that memory stays in proportion.
constexpr std::size_t most_corners = 64;

void require_valid(const PolygonMesh& mesh) {
  require_finite(mesh.points);
  const Index count = static_cast<Index>(mesh.points.rows());
  for (const Index corner : mesh.corners)
    if (corner < 0 || corner >= count)
      throw InputError(text("a face refers to vertex ", corner, ", out of range [0, ", count, ")"));
}

class PolygonAssembly {
 public:
  explicit PolygonAssembly(const Points& points) : points_(points), mass_(Vector::Zero(points.rows())) {}

  void add_face(std::span<const Index> corners) {
    if (corners.size() < 3) return;
    if (corners.size() == 3) return add_triangle(corners);
    if (corners.size() <= most_corners) return add_polygon(corners);
    const std::size_t half = corners.size() / 2;
    add_face(corners.subspan(0, half + 1));
    std::vector<Index> rest(corners.begin() + static_cast<std::ptrdiff_t>(half), corners.end());
    rest.push_back(corners[0]);
    add_face(rest);
  }

  Laplacian finish() {
    Laplacian result;
    result.stiffness = assemble_stiffness(static_cast<Index>(points_.rows()), weights_);
    result.mass = std::move(mass_);
    return result;
  }

 private:
  void add_triangle(std::span<const Index> corners) {
    const TriangleShape shape =
        triangle_shape(points_.row(corners[0]), points_.row(corners[1]), points_.row(corners[2]));
    if (shape.area == 0) return;
    for (std::size_t k = 0; k < 3; ++k) {
      mass_[corners[k]] += shape.area / 3;
      weights_.push_back({corners[(k + 1) % 3], corners[(k + 2) % 3], shape.half_cotangent[k]});
    }
  }

  void add_polygon(std::span<const Index> corners) {
    const Eigen::Index size = static_cast<Eigen::Index>(corners.size());
    const auto next = [&](Eigen::Index i) { return (i + 1) % size; };
    // Relative to the first corner, so that the place in space costs no precision.
    Eigen::MatrixX3d place(size, 3), edge(size, 3);
    for (Eigen::Index i = 0; i < size; ++i)
      place.row(i) = points_.row(corners[static_cast<std::size_t>(i)]) - points_.row(corners[0]);
    for (Eigen::Index i = 0; i < size; ++i) edge.row(i) = place.row(next(i)) - place.row(i);
    Eigen::RowVector3d vector_area = Eigen::RowVector3d::Zero();
    for (Eigen::Index i = 0; i < size; ++i) vector_area += place.row(i).cross(place.row(next(i))) / 2;
    const double area = vector_area.norm();
    const double longest = edge.rowwise().squaredNorm().maxCoeff();
    if (!(area > std::sqrt(std::numeric_limits<double>::epsilon()) * longest)) return;
    const Eigen::RowVector3d normal = vector_area / area;

    // Gradient of the values at the corners: Stokes' theorem with the mean value on each edge.
    Eigen::Matrix3Xd gradient(3, size);
    Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index before = (i + size - 1) % size;
      gradient.col(i) = (edge.row(before) + edge.row(i)).cross(normal).transpose() / (2 * area);
      difference(i, i) = -1;
      difference(i, next(i)) = 1;
    }
    const Eigen::MatrixXd residual = difference - edge * gradient;
    const Eigen::MatrixXd stiffness =
        area * gradient.transpose() * gradient + residual_weight * residual.transpose() * residual;
    for (Eigen::Index i = 0; i < size; ++i) {
      mass_[corners[static_cast<std::size_t>(i)]] += area / static_cast<double>(size);
      for (Eigen::Index j = 0; j < i; ++j)
        weights_.push_back({corners[static_cast<std::size_t>(i)], corners[static_cast<std::size_t>(j)],
                            -(stiffness(i, j) + stiffness(j, i)) / 2});
    }
  }

  const Points& points_;
  Vector mass_;
  std::vector<Weight> weights_;
};

}  // namespace

Laplacian polygon_laplacian(const PolygonMesh& mesh) {
  require_valid(mesh);
  PolygonAssembly assembly(mesh.points);
  for (std::size_t f = 0; f + 1 < mesh.offsets.size(); ++f)
    assembly.add_face(std::span(mesh.corners)
                          .subspan(static_cast<std::size_t>(mesh.offsets[f]),
                                   static_cast<std::size_t>(mesh.offsets[f + 1] - mesh.offsets[f])));
  return assembly.finish();
}

}  // namespace geodome::internal
