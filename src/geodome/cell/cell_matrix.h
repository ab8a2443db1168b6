#pragma once
/// The cell-coded matrix: K ≈ P W Pᵀ with weights learned from distances, a few bytes per vertex and half a
/// byte per pair of landmarks (docs/methods/cells.md).

#include <memory>

#include "geodome/cell/cell_code.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// What a cell-coded matrix consists of, as it is stored. `owner` keeps the arrays alive.
struct CellMatrixArrays {
  CellArrays code;
  std::span<const Index> landmark;
  std::span<const Index> component_first;
  std::span<const double> step;     ///< #components, of W
  std::span<const double> spacing;  ///< #components
  const StorageCheck* check = nullptr;
  std::shared_ptr<const void> owner;
};

class CellMatrix final : public LandmarkMatrix {
 public:
  const CellMatrixArrays& arrays() const { return arrays_; }
  const DecodedCells& cells() const;
  /// The number of the cell of a vertex (that of all cells where unreferenced), and its
  /// cells().most_directions codes.
  struct VertexCode {
    std::uint32_t cell = 0;
    std::span<const std::int16_t> code;
  };
  VertexCode vertex_code(Index vertex) const;
  std::int64_t nonzeros() const override;
  bool dense() const override { return false; }
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override;
  std::shared_ptr<const LandmarkMatrix> in_unit(double unit) const override;
  MatrixFacts facts() const override;
  bool needs_shape() const override { return arrays_.code.positional; }
  std::string_view codec() const override { return "cell"; }
  std::int64_t bytes() const override;
  using LandmarkMatrix::entries;
  using LandmarkMatrix::weights;
  /// Many pairs are grouped by the cell of their smaller vertex: W times the weights of a cell is computed
  /// once for all of them.
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  void read_weights(Index vertex, Weights& row) const override;

 private:
  class Decoded;
  friend std::shared_ptr<const CellMatrix> make_cell_matrix(CellMatrixArrays arrays, DistanceKind kind);
  CellMatrix(CellMatrixArrays arrays, const LandmarkArrays& landmarks, std::shared_ptr<const Decoded> decoded,
             DistanceKind kind);

  struct Pairs;
  void pairs_of_cell(std::uint32_t number, const Pairs& pairs, std::span<const std::uint32_t> at,
                     Vector& result) const;
  void prefetch_weights(Index vertex, bool near) const override;
  void spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const override;
  void collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const override;

  CellMatrixArrays arrays_;
  std::shared_ptr<const Decoded> decoded_;
};

/// Decodes the landmarks and cells; vertices are decoded when they are first needed, in blocks. Throws
/// InputError when the arrays do not fit each other. Cost: about 30 ns per pair of landmarks.
std::shared_ptr<const CellMatrix> make_cell_matrix(CellMatrixArrays arrays,
                                                   DistanceKind kind = DistanceKind::distance);

}  // namespace geodome::internal
