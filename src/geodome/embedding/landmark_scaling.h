#pragma once
/// Classical scaling of P (W∘W) Pᵀ through a matrix of the size of the landmarks [Turek and Huth 2018].

#include "geodome/embedding/gram.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// All nonzero eigenvalues of B and the vectors of the largest.
struct LandmarkScaling {
  Vector spectrum;          ///< decreasing; #landmarks of the part, at most
  Eigen::MatrixXd vectors;  ///< #vertices of the part by count, of the largest eigenvalues
};

/// BMDS: Q R = J P, then the eigenvectors of -½ R (W∘W) Rᵀ, carried back by Q. `form` is of kind squared.
/// Cost: O(n l²) time, 8 n l bytes. Throws InputError naming the bytes needed above `memory_bound`.
LandmarkScaling scale_by_qr(const LandmarkMatrix& form, const std::vector<Index>& vertices, Index count,
                            std::int64_t memory_bound);

/// The same through the l by l matrix PᵀJP, whose root takes the place of R: no n by l matrix, at the price
/// of half the digits for vectors that P nearly loses. Cost: O(nonzeros p_row + l³) time, 32 l² bytes.
LandmarkScaling scale_by_gram(const LandmarkMatrix& form, const std::vector<Index>& vertices, Index count);

/// The bytes that scale_by_gram takes for a part with that many landmarks.
std::int64_t gram_bytes(Index landmarks);

}  // namespace geodome::internal
