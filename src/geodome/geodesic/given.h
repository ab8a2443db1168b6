#pragma once
/// Distances given by the user as a matrix, so that everything that works on a solver works on any symmetric
/// distance.

#include <string>

#include "geodome/geodesic/solver.h"
#include "geodome/shape/npy.h"

namespace geodome {

struct GivenOptions {
  /// How much entries (i, j) and (j, i) may differ, relative to the largest entry of row i: approximate
  /// solvers leave some tenths of a per cent.
  double symmetry_tolerance = 1e-2;
};

/// A square matrix in an NPY file of 32- or 64-bit floats (C order), memory-mapped: a row is read when it is
/// asked for, the file need not fit into memory. Infinite entries mean another component. Opening checks a
/// sample of rows for symmetry; every row that is read is checked to be zero on the diagonal and nowhere
/// negative or not a number. Rows are returned as they are in the file. Throws FileError naming the file and
/// the entry.
class GivenDistances : public GeodesicSolver {
 public:
  explicit GivenDistances(const std::string& path, const GivenOptions& options = {});

  Index size() const override { return static_cast<Index>(matrix_.rows()); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;

 private:
  void read_checked_row(Index row, std::span<double> out) const;
  void check_symmetry(double tolerance) const;

  std::string path_;
  MappedNpy matrix_;
};

}  // namespace geodome
