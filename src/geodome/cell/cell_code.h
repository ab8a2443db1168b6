#pragma once
/// How a cell-coded matrix is stored: the streams of token_coder.h, and how they are read.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodome/base/token_coder.h"
#include "geodome/cell/cell_model.h"

namespace geodome::internal {

/// W of more landmarks in a component is stored as it is: it would take seconds to decode.
inline constexpr Index most_coded_landmarks = 8192;

/// Vertices whose cells and codes are stored, and decoded, together.
inline constexpr Index vertices_per_block = 1024;

/// Everything stored besides the landmarks, in arrays that something else owns.
struct CellArrays {
  Index size = 0;                              ///< #V
  bool connected = false;                      ///< whether all vertices are in one component
  bool positional = false;                     ///< whether codes are polynomials of `positions`
  CellPositions positions;                     ///< of the shape; empty where codes are stored
  std::span<const std::uint8_t> tables;        ///< TokenTables
  std::span<const std::uint32_t> distances;    ///< W, one component after the other; empty where it is plain
  std::span<const std::uint16_t> plain;        ///< W in packed triangles, where it is not coded
  std::span<const std::uint32_t> cells;        ///< the cells with mean and directions
  std::span<const std::uint32_t> vertices;     ///< blocks of vertices, each a stream
  std::span<const std::uint32_t> block_begin;  ///< #blocks + 1: positions in `vertices`
};

/// The same in memory.
struct CellStreams {
  Index size = 0;
  bool connected = false;
  bool positional = false;
  std::vector<std::uint8_t> tables;
  std::vector<std::uint16_t> plain;
  std::vector<std::uint32_t> distances, cells, vertices, block_begin;
};
CellArrays view(const CellStreams& streams);

/// `distances`: the packed triangles of all components, in steps; `order`: of each component
/// (distance_code.h).
CellStreams encode_cells(const CellModel& model, std::span<const Index> component_first,
                         std::span<const std::uint16_t> distances,
                         const std::vector<std::vector<Index>>& order);

/// A cell ready for use: row 0 of `weights` is the mean, the others are the directions; all with the centre.
struct DecodedCell {
  Index component = 0;
  Index size = 0;  ///< of the support
  Index directions = 0;
  std::size_t support = 0;  ///< where its landmarks begin in DecodedCells::support
  std::size_t weights = 0;  ///< where its (1 + directions) by size weights begin in DecodedCells::weights
  Index centre = 0;         ///< which of the support
  Index monomials = 0;      ///< of its polynomials; 0 where codes are stored
  std::size_t coefficients = 0;  ///< where its directions by monomials begin in DecodedCells::coefficients
};
struct DecodedCells {
  std::vector<DecodedCell> cells;
  std::vector<Index> support;  ///< counted from the first landmark of the component
  std::vector<double> weights;
  std::vector<double> coefficients;
  Index most_directions = 0;
};

/// Throw InputError when what is stored makes no sense. `component_first` is that of the landmarks.
DecodedCells decode_cells(const TokenTables& tables, std::span<const std::uint32_t> words,
                          std::span<const Index> component_first, bool positional);
std::vector<std::uint16_t> decode_distances(const TokenTables& tables, std::span<const std::uint32_t> words,
                                            std::span<const Index> component_first);
/// The vertices of one block: `cell` (#vertices; the number of cells where unreferenced) and `code`
/// (#vertices by cells.most_directions), which stays as it is where codes are polynomials.
void decode_vertices(const TokenTables& tables, std::span<const std::uint32_t> words,
                     const DecodedCells& cells, bool positional, std::span<std::uint32_t> cell,
                     std::span<std::int16_t> code);

}  // namespace geodome::internal
