#pragma once
/// P in coded form: the weights of a vertex are those of its cell's mean and a few directions,
///
///   p_v = mean + Σ_j code_vj direction_j,
///
/// all of them integers times powers of two. The weight of the cell's centre makes the sum one. The codes of
/// a vertex are stored, or are polynomials of its position (cell_polynomial.h).

#include <cstdint>
#include <vector>

#include "geodome/cell/cell_polynomial.h"
#include "geodome/cell/training_rows.h"

namespace geodome::internal {

inline constexpr std::size_t most_directions = 12;
/// Of a power of two below one: where distances are nearly linear, codes are large and directions small.
inline constexpr int most_digits = 30;

struct CellModel {
  /// Weights of the support without the centre: value * 2^-digits each.
  struct Row {
    int digits = 0;
    std::vector<std::int32_t> value;
  };
  struct Cell {
    Index component = 0;
    std::vector<Index> support;  ///< positions of landmarks among those of the component, increasing
    Index centre = 0;            ///< which of the support
    Row mean;
    std::vector<Row> directions;
    /// The coefficients of each direction's codes, of one of the monomial_counts; empty where codes are
    /// stored.
    std::vector<Row> polynomials;
  };
  bool positional = false;  ///< whether codes are polynomials of positions
  std::vector<Cell> cells;
  std::vector<Index> cell;          ///< #V, -1 where unreferenced
  std::vector<std::int64_t> first;  ///< #V: where the codes of a vertex begin
  std::vector<std::int16_t> code;
};

struct LearningOptions {
  double ridge =
      1e-6;  ///< of the weights, relative to the mean square of the distances they are learned from
  double rounding = 1;  ///< factor of the step that coordinates are rounded with
  /// Coordinates are polynomials of these; nullptr: they are stored.
  const CellPositions* positions = nullptr;
};

struct LearnedCells {
  CellModel model;
  std::vector<double>
      residual;              ///< #components: root mean square error of the weights before they were coded
  std::vector<double> step;  ///< #components: of the coordinates, in units of distance
};

/// `size` is the number of vertices. Takes the sums apart to save memory.
LearnedCells learn_cells(const CellLayout& layout, const OrderedLandmarks& landmarks, TrainingSums& sums,
                         Index size, const LearningOptions& options, const Execution& execution = {});

}  // namespace geodome::internal
