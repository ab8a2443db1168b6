#pragma once
/// Distances as a symmetric product of dense factors: what Nyström, FMDS and SMDS come to.

#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// The entry (i, j) within a component is ½ (a_i · b_j + b_i · a_j), a and b being rows of A and B; where B
/// is empty, a_i S a_jᵀ with the component's signs S on the diagonal.
struct Factors {
  RowMatrix<float> A;            ///< #V by r
  RowMatrix<float> B;            ///< #V by r, or empty
  RowMatrix<float> sign;         ///< #components by r, of +1, -1 or 0; empty where B is not
  std::vector<Index> component;  ///< #V, -1 where unreferenced; empty: all vertices in one component
};

class FactoredMatrix final : public DistanceMatrix {
 public:
  /// Throws InputError when the factors do not fit each other or are not finite.
  FactoredMatrix(Factors factors, DistanceKind kind);

  const Factors& factors() const { return factors_; }
  /// r.
  Index columns() const { return static_cast<Index>(factors_.A.cols()); }
  Index components() const { return components_; }
  Index component(Index vertex) const { return factors_.component.empty() ? 0 : factors_.component[vertex]; }

  Index size() const override { return static_cast<Index>(factors_.A.rows()); }
  DistanceKind kind() const override { return kind_; }
  /// Cost: r per entry, twice that with B.
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;
  /// Two passes over the factors. Throws InputError on a shape of several components or with unreferenced
  /// vertices: the entries between them are infinite.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  bool quadratic_product() const override { return false; }
  std::int64_t bytes() const override;
  /// The scaling of FMDS and SMDS: Q R = J [A B] (J A, without B), then the eigenvectors of the largest
  /// eigenvalues of -½ R T Rᵀ, T the bilinear form between the columns, multiplied by Q [Shamai, Aflalo,
  /// Zibulevsky, Kimmel 2015]. Cost: O(n r²) time.
  std::optional<OwnScaling> own_scaling() const override;

 private:
  /// What a row of A is multiplied with for the entries of row i; with B, what [a b] is.
  Eigen::RowVectorXd partner(Index i) const;

  Factors factors_;
  DistanceKind kind_;
  Index components_ = 1;
  bool whole_ = true;  ///< one component, no unreferenced vertex
};

}  // namespace geodome::internal
