#pragma once
/// Distances given by the user as a matrix or a function, so that everything that works on a solver works on
/// any symmetric distance.

#include <functional>
#include <span>
#include <string>

#include "geodome/geodesic/solver.h"
#include "geodome/shape/io/npy.h"

namespace geodome::internal {

struct PrecomputedOptions {
  /// How much entries (i, j) and (j, i) may differ, relative to the largest entry of row i: approximate
  /// solvers leave some tenths of a per cent.
  double symmetry_tolerance = 1e-2;
};

/// A square matrix in an NPY file of 32- or 64-bit floats (C order), memory-mapped: a row is read when it is
/// requested, the file need not fit into memory. Infinite entries mean another component. Opening checks a
/// sample of rows for symmetry; every row that is read is checked to be zero on the diagonal and nowhere
/// negative or not a number. Rows are returned as they are in the file. Throws FileError naming the file and
/// the entry.
class PrecomputedDistances : public GeodesicSolver {
 public:
  explicit PrecomputedDistances(const std::string& path, const PrecomputedOptions& options = {});

  Index size() const override { return static_cast<Index>(matrix_.rows()); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;

 private:
  void read_checked_row(Index row, std::span<double> out) const;
  void check_symmetry(double tolerance) const;

  std::string path_;
  MappedNpy matrix_;
};

/// Distances that the user computes a row at a time. Every row is checked to be zero on the diagonal and
/// nowhere negative or not a number; symmetry is not checked. Throws InputError naming the entry, and
/// whatever the function throws.
class CallbackDistances : public GeodesicSolver {
 public:
  /// Writes the distances from a vertex to all. Called from several threads, possibly at once.
  using Row = std::function<void(Index source, std::span<double> out)>;

  CallbackDistances(Index size, Row row) : size_(size), row_(std::move(row)) {}

  Index size() const override { return size_; }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;

 private:
  Index size_;
  Row row_;
};

}  // namespace geodome::internal
