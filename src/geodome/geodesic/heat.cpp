#include "geodome/geodesic/heat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

/// Heat below this part of its value at the source is about to become denormal, which is slow, then zero.
constexpr double least_heat = 1e-280;
/// Ends of a component found by the flow itself can miss the diameter: ask for this many digits to spare.
constexpr double spare_factor = 1.2;
/// Part of the faces of the source's component whose gradient may vanish before a row is refused. A maximum
/// or a symmetric saddle touches a few faces; underflow takes whole regions.
constexpr double most_vanished = 0.01;
constexpr int most_enlargements = 12;

/// Gradients of the hat functions of a triangle with these edge lengths, laid out in the plane with corner 0
/// at the origin and corner 1 on the x axis.
Eigen::Matrix<double, 2, 3> hat_gradients(const std::array<double, 3>& length, double area) {
  const double base = length[2], height = 2 * area / base;
  const double foot = (base * base + (length[1] - length[0]) * (length[1] + length[0])) / (2 * base);
  Eigen::Matrix<double, 2, 3> gradient;
  gradient.col(1) << 1 / base, -foot / (base * height);
  gradient.col(2) << 0, 1 / height;
  gradient.col(0) = -gradient.col(1) - gradient.col(2);
  return gradient;
}

/// Adds its own diagonal to the first vertex of each component: the solution vanishes there, for any
/// right-hand side that sums to zero over the component, and nothing else changes.
SparseMatrix pinned(SparseMatrix stiffness, const Surface& surface) {
  std::vector<char> done(static_cast<std::size_t>(surface.components), 0);
  for (Index v = 0; v < stiffness.rows(); ++v) {
    char& seen = done[static_cast<std::size_t>(surface.component[static_cast<std::size_t>(v)])];
    double& diagonal = stiffness.coeffRef(v, v);
    if (!seen) diagonal += diagonal > 0 ? diagonal : 1;
    seen = 1;
  }
  return stiffness;
}

/// Digits by which `heat` decays from its source to the far end of the source's component, infinite where it
/// has vanished, and the vertex there. One vertex in 200 may be colder: a bad face can turn a few negative.
std::pair<double, Index> decay(const Vector& heat, const Surface& surface, Index source) {
  std::vector<std::pair<double, Index>> order;
  for (Index v = 0; v < heat.size(); ++v)
    if (surface.component[static_cast<std::size_t>(v)] == surface.component[static_cast<std::size_t>(source)])
      order.emplace_back(heat[v], v);
  const auto far = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 200);
  std::nth_element(order.begin(), far, order.end());
  const double ratio = far->first / heat[source];
  return {ratio > least_heat ? -std::log10(ratio) : infinity, far->second};
}

}  // namespace

HeatSolver::HeatSolver(const TriangleMesh& mesh, const HeatOptions& options)
    : HeatSolver(prepare_surface(mesh), options) {}

HeatSolver::HeatSolver(Surface prepared, const HeatOptions& options) : SurfaceSolver(std::move(prepared)) {
  // As one item of a loop: the last bits of a factor must not depend on how many threads BLAS would take.
  parallel_for(1, {1, {}}, "", [&](std::size_t, int) { prepare(options); });
}

void HeatSolver::prepare(const HeatOptions& options) {
  const Index count = static_cast<Index>(surface().points.rows());
  component_faces_.resize(static_cast<std::size_t>(surface().components), 0);
  if (count == 0) return;
  IntrinsicMesh intrinsic = intrinsic_mesh(surface().points, surface().triangles);
  const double mean = intrinsic.lengths.size() > 0 ? intrinsic.lengths.mean() : 1;
  if (options.intrinsic_delaunay) flip_to_delaunay(intrinsic);
  for (Index f = 0; f < intrinsic.triangles.rows(); ++f) {
    const std::array<double, 3> length{intrinsic.lengths(f, 0), intrinsic.lengths(f, 1),
                                       intrinsic.lengths(f, 2)};
    const double area = triangle_shape(length).area;
    if (area == 0) continue;
    const std::array<Index, 3> corner{intrinsic.triangles(f, 0), intrinsic.triangles(f, 1),
                                      intrinsic.triangles(f, 2)};
    faces_.push_back({corner, hat_gradients(length, area), area});
    ++component_faces_[static_cast<std::size_t>(surface().component[static_cast<std::size_t>(corner[0])])];
  }
  Laplacian operators = intrinsic_laplacian(intrinsic, count);
  // A vertex alone in its component (its faces collapsed) has neither mass nor neighbours.
  for (Index v = 0; v < count; ++v)
    if (operators.mass[v] == 0) operators.mass[v] = mean * mean;
  report_.mean_edge = mean * surface().scale;
  poisson_.emplace(pinned(operators.stiffness, surface()));
  operators.stiffness *= mean * mean;
  choose_time(operators.stiffness, operators.mass);
}

/// `stiffness` is in units of the mean edge squared.
void HeatSolver::choose_time(const SparseMatrix& stiffness, const Vector& mass) {
  // The largest component decides: heat decays per edge, and the most faces have the most edges across.
  const auto largest = static_cast<Index>(std::max_element(component_faces_.begin(), component_faces_.end()) -
                                          component_faces_.begin());
  const auto start =
      static_cast<Index>(std::find(surface().component.begin(), surface().component.end(), largest) -
                         surface().component.begin());
  report_.time = 1;
  for (report_.enlargements = 0; report_.enlargements <= most_enlargements; ++report_.enlargements) {
    SparseMatrix matrix = report_.time * stiffness;
    matrix.diagonal() += mass;
    heat_.emplace(matrix);
    // Twice: from any vertex to the far end, and from there to the other.
    Index source = start;
    for (int sweep = 0; sweep < 2; ++sweep) {
      const Vector heat = flow(std::span(&source, 1)).col(0);
      std::tie(report_.decay, source) = decay(heat, surface(), source);
      if (!std::isfinite(report_.decay)) break;
    }
    if (report_.decay * spare_factor <= -std::log10(least_heat)) return;
    report_.time *= 4;  // twice the reach
  }
  throw NumericalError(
      text("the heat method fails: heat does not reach the farthest vertices even with a time step of ",
           report_.time, " times the default: use fast marching"));
}

RowMatrix<double> HeatSolver::flow(std::span<const Index> sources) const {
  RowMatrix<double> right = RowMatrix<double>::Zero(heat_->size(), static_cast<Eigen::Index>(sources.size()));
  for (std::size_t s = 0; s < sources.size(); ++s) right(sources[s], static_cast<Eigen::Index>(s)) = 1;
  return heat_->solve(std::move(right));
}

/// Integrated divergence of the unit field against the gradient of the heat: #S by #sources.
RowMatrix<double> HeatSolver::unit_divergence(const RowMatrix<double>& heat,
                                              std::span<const Index> sources) const {
  RowMatrix<double> result = RowMatrix<double>::Zero(heat.rows(), heat.cols());
  std::vector<std::int64_t> vanished(sources.size(), 0);
  for (const Face& face : faces_) {
    const auto [a, b, c] = face.corner;
    const Index home = surface().component[static_cast<std::size_t>(a)];
    for (Eigen::Index s = 0; s < heat.cols(); ++s) {
      // Differences first: they lose nothing, and the gradient of a constant is zero.
      Eigen::Vector2d field =
          face.gradient.col(1) * (heat(a, s) - heat(b, s)) + face.gradient.col(2) * (heat(a, s) - heat(c, s));
      const double size = field.cwiseAbs().maxCoeff();
      const bool usable = size >= std::numeric_limits<double>::min() && std::isfinite(size);
      const Index source = sources[static_cast<std::size_t>(s)];
      if (!usable || std::min({heat(a, s), heat(b, s), heat(c, s)}) <= 0)
        vanished[static_cast<std::size_t>(s)] +=
            home == surface().component[static_cast<std::size_t>(source)];
      if (!usable) continue;
      field /= size;  // squares of the far field would underflow
      field *= face.area / field.norm();
      const Eigen::RowVector3d part = field.transpose() * face.gradient;
      result(a, s) += part[0];
      result(b, s) += part[1];
      result(c, s) += part[2];
    }
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto home = static_cast<std::size_t>(surface().component[static_cast<std::size_t>(sources[s])]);
    const double all = static_cast<double>(std::max<std::int64_t>(1, component_faces_[home]));
    if (static_cast<double>(vanished[s]) > most_vanished * all && vanished[s] > 2)
      throw NumericalError(text("the heat method fails: heat vanishes on ", vanished[s], " of ",
                                component_faces_[home], " faces around a source: use fast marching"));
  }
  return result;
}

void HeatSolver::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  const RowMatrix<double> heat = flow(sources);
  stop_if_cancelled();
  RowMatrix<double> divergence = unit_divergence(heat, sources);
  stop_if_cancelled();
  const RowMatrix<double> distance = poisson_->solve(std::move(divergence));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto column = distance.col(static_cast<Eigen::Index>(s));
    out.row(static_cast<Eigen::Index>(s)) =
        (column.array() - column[sources[s]]).cwiseMax(0.0).matrix().transpose();
  }
}

}  // namespace geodome::internal
