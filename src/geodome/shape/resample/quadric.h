#pragma once
/// The squared distance to a set of weighted planes, as a function of the point [Garland and Heckbert 1997].

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace geodome::internal {

/// x ↦ xᵀ A x - 2 bᵀ x + c with A symmetric, and the total weight of the planes it came from.
struct Quadric {
  double a00 = 0, a01 = 0, a02 = 0, a11 = 0, a12 = 0, a22 = 0;
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  double c = 0;
  double weight = 0;

  /// Adds `scale` times the squared distance to the plane through `point` with unit normal `normal`.
  void add_plane(const Eigen::Vector3d& normal, const Eigen::Vector3d& point, double scale) {
    const double offset = normal.dot(point);
    const Eigen::Vector3d scaled = scale * normal;
    a00 += scaled.x() * normal.x();
    a01 += scaled.x() * normal.y();
    a02 += scaled.x() * normal.z();
    a11 += scaled.y() * normal.y();
    a12 += scaled.y() * normal.z();
    a22 += scaled.z() * normal.z();
    b += offset * scaled;
    c += scale * offset * offset;
    weight += scale;
  }

  Quadric& operator+=(const Quadric& other) {
    a00 += other.a00;
    a01 += other.a01;
    a02 += other.a02;
    a11 += other.a11;
    a12 += other.a12;
    a22 += other.a22;
    b += other.b;
    c += other.c;
    weight += other.weight;
    return *this;
  }

  Eigen::Matrix3d matrix() const {
    Eigen::Matrix3d m;
    m << a00, a01, a02, a01, a11, a12, a02, a12, a22;
    return m;
  }

  /// Never negative, whatever the rounding.
  double operator()(const Eigen::Vector3d& x) const {
    return std::max(0.0, x.dot(matrix() * x) - 2 * b.dot(x) + c);
  }

  /// The minimiser, held to `near` in the directions the planes leave open; `hold` is the strength of that
  /// relative to the planes' weight.
  Eigen::Vector3d minimiser(const Eigen::Vector3d& near, double hold) const {
    const double pull = hold * weight;
    if (!(pull > 0)) return near;
    Eigen::Matrix3d m = matrix();
    m.diagonal().array() += pull;
    return m.llt().solve(b + pull * near);
  }
};

}  // namespace geodome::internal
