#pragma once
/// The few types every stage shares.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <limits>

namespace geodome {

/// A vertex, face or landmark number. 32 bits: two billion vertices are out of reach on one machine.
using Index = std::int32_t;

template <typename Scalar>
using RowMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// #V by 3 coordinates, one vertex per row.
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
/// #F by 3 vertex indices, one triangle per row.
using Triangles = Eigen::Matrix<Index, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace geodome
