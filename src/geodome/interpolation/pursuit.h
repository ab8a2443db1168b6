#pragma once
/// The sparse-coding problem behind sBHA [Turek and Huth 2018], solved by orthogonal matching pursuit instead
/// of thresholding: the entries of a column are chosen for what they explain, and fitted together.

#include <vector>

#include "geodome/interpolation/sparse_rows.h"
#include "geodome/interpolation/system.h"

namespace geodome::internal {

/// Columns of P with few entries: min ‖M_uu p + M_ub‖ over all p with at most `count` of them. Entries are
/// chosen a tenth of `count` at a time by how much of the residual they could explain alone, and all chosen
/// so far are fitted anew after every choice [Pati, Rezaiifar, Krishnaprasad 1993; Wang, Kwon, Shim 2012].
/// Const and thread-safe after construction. The fit works on M_uu², so it suits shapes of up to some hundred
/// vertices per landmark.
class ColumnPursuit {
 public:
  /// Cost: O(nonzeros of M²). The system must outlive it.
  explicit ColumnPursuit(const InterpolationSystem& system);

  /// The column of a landmark vertex, its own row left out. Cost: ten or more sparse factorisations of up to
  /// `count` rows. Throws NumericalError where they fail.
  std::vector<ColumnEntry> column(Index landmark, std::size_t count) const;

 private:
  const InterpolationSystem& system_;
  SparseMatrix A_;       ///< M_uu
  SparseMatrix square_;  ///< M_uu²
  Vector norm_;          ///< of the columns of A
};

}  // namespace geodome::internal
