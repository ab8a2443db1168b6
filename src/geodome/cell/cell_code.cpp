#include "geodome/cell/cell_code.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/cell/distance_code.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {
namespace {

// Contexts, one after the other.
constexpr std::size_t distance_context = 0;
enum CellContext : std::size_t {
  cell_count_context = distance_contexts,
  support_size_context,
  centre_context,
  first_landmark_context,
  gap_context,
  mean_digits_context,
  mean_context,
  direction_count_context,
  direction_digits_context,
  direction_context,                     // 4 of them
  rank_context = direction_context + 4,  // 2
  new_cell_context = rank_context + 2,
  code_context,  // 2 for each of 6
  stored_context_count = code_context + 12,
  // In place of the codes.
  degree_context = code_context,
  coefficient_digits_context,
  coefficient_context,  // 4, by degree
  positional_context_count = coefficient_context + 4
};
static_assert(stored_context_count <= most_token_contexts);

std::size_t context_count(bool positional) {
  return positional ? positional_context_count : stored_context_count;
}

constexpr std::size_t most_remembered = 32;
constexpr Index largest_stored_support = 4096;

std::size_t direction_context_of(std::size_t direction) {
  return direction_context + std::min<std::size_t>(direction, 3);
}
std::size_t coefficient_context_of(std::size_t monomial) {
  return coefficient_context + (monomial < 1 ? 0 : monomial < 4 ? 1 : monomial < 10 ? 2 : 3);
}
std::size_t code_context_of(std::size_t direction, bool seen) {
  return code_context + 2 * std::min<std::size_t>(direction, 5) + (seen ? 1 : 0);
}

/// The cells of a block that came last, latest first.
class Recent {
 public:
  /// The rank of a cell, or the number of remembered ones.
  std::size_t rank(std::uint32_t cell) const {
    return static_cast<std::size_t>(std::find(cells_.begin(), cells_.end(), cell) - cells_.begin());
  }
  std::size_t size() const { return cells_.size(); }
  std::uint32_t at(std::size_t rank) const { return cells_[rank]; }
  void move_to_front(std::size_t rank, std::uint32_t cell) {
    if (rank == cells_.size()) {
      if (cells_.size() < most_remembered) cells_.push_back(cell);
      rank = cells_.size() - 1;
    }
    std::rotate(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(rank),
                cells_.begin() + static_cast<std::ptrdiff_t>(rank) + 1);
    cells_.front() = cell;
  }

 private:
  std::vector<std::uint32_t> cells_;
};

/// What both directions of a block of vertices share.
class BlockState {
 public:
  BlockState(std::size_t cells, std::size_t directions) : directions_(directions), place_(cells, 0) {}

  Recent recent;
  std::size_t rank_context_now() const { return rank_context + (last_rank_ == 0 ? 0 : 1); }
  void set_rank(std::size_t rank) { last_rank_ = rank; }

  /// The codes of the last vertex of this cell in the block; nullptr where it is the first.
  const std::int16_t* before(std::uint32_t cell) const {
    return place_[cell] > 0 ? codes_.data() + (place_[cell] - 1) * directions_ : nullptr;
  }
  void remember(std::uint32_t cell, const std::int16_t* code) {
    if (place_[cell] == 0) {
      place_[cell] = ++known_;
      codes_.resize(known_ * directions_);
    }
    std::copy_n(code, directions_, codes_.data() + (place_[cell] - 1) * directions_);
  }

 private:
  std::size_t directions_;
  std::size_t last_rank_ = 1;
  std::uint32_t known_ = 0;
  std::vector<std::uint32_t> place_;  ///< of each cell: 1, 2, … in the order of appearance, 0 before
  std::vector<std::int16_t> codes_;
};

void put_row(const CellModel::Row& row, std::size_t digits_context, int& digits_before, std::size_t context,
             TokenRecord& record) {
  record.put_signed(digits_context, row.digits - digits_before);
  digits_before = row.digits;
  for (const std::int32_t value : row.value) record.put_signed(context, value);
}

void put_polynomials(const CellModel::Cell& cell, int& digits, TokenRecord& record) {
  if (cell.polynomials.empty()) return;
  record.put(degree_context, cell.polynomials[0].value.size() == std::size_t{most_monomials} ? 1 : 0);
  for (const CellModel::Row& row : cell.polynomials) {
    record.put_signed(coefficient_digits_context, row.digits - digits);
    digits = row.digits;
    for (std::size_t k = 0; k < row.value.size(); ++k)
      record.put_signed(coefficient_context_of(k), row.value[k]);
  }
}

TokenRecord record_cells(const CellModel& model, std::span<const Index> component_first) {
  TokenRecord record;
  std::vector<std::uint32_t> count(component_first.size() - 1, 0);
  for (const CellModel::Cell& cell : model.cells) ++count[cell.component];
  for (const std::uint32_t one : count) record.put(cell_count_context, one);
  int mean_digits = 0, coefficient_digits = 0;
  std::array<int, most_directions> digits{};
  Index before = 0;
  for (const CellModel::Cell& cell : model.cells) {
    record.put(support_size_context, static_cast<std::uint32_t>(cell.support.size()));
    record.put(centre_context, static_cast<std::uint32_t>(cell.centre));
    record.put_signed(first_landmark_context, cell.support[0] - before);
    before = cell.support[0];
    for (std::size_t s = 1; s < cell.support.size(); ++s)
      record.put(gap_context, static_cast<std::uint32_t>(cell.support[s] - cell.support[s - 1] - 1));
    put_row(cell.mean, mean_digits_context, mean_digits, mean_context, record);
    record.put(direction_count_context, static_cast<std::uint32_t>(cell.directions.size()));
    for (std::size_t j = 0; j < cell.directions.size(); ++j)
      put_row(cell.directions[j], direction_digits_context, digits[j], direction_context_of(j), record);
    put_polynomials(cell, coefficient_digits, record);
  }
  return record;
}

TokenRecord record_vertices(const CellModel& model, Index first, Index last) {
  TokenRecord record;
  BlockState state(model.cells.size(), most_directions);
  const auto none = static_cast<std::uint32_t>(model.cells.size());
  std::uint32_t previous = 0;
  for (Index v = first; v < last; ++v) {
    const std::uint32_t cell = model.cell[v] >= 0 ? static_cast<std::uint32_t>(model.cell[v]) : none;
    const std::size_t rank = state.recent.rank(cell);
    const bool known = rank < state.recent.size();
    record.put(state.rank_context_now(), known ? static_cast<std::uint32_t>(rank + 1) : 0);
    if (!known)
      record.put_signed(new_cell_context,
                        static_cast<std::int32_t>(cell) - static_cast<std::int32_t>(previous));
    state.set_rank(known ? rank : 1);
    state.recent.move_to_front(rank, cell);
    previous = cell;
    if (cell == none || model.positional) continue;
    const std::int16_t* before = state.before(cell);
    std::array<std::int16_t, most_directions> code{};
    for (std::size_t j = 0; j < model.cells[cell].directions.size(); ++j) {
      code[j] = model.code[static_cast<std::size_t>(model.first[v]) + j];
      record.put_signed(code_context_of(j, before != nullptr), code[j] - (before != nullptr ? before[j] : 0));
    }
    state.remember(cell, code.data());
  }
  return record;
}

[[noreturn]] void bad_cells(const char* what) {
  throw InputError(text("the coded cells are invalid: ", what));
}

/// Weights without the centre, which makes the sum `total`.
void get_row(TokenReader& reader, std::size_t digits_context, int& digits, std::size_t context, Index centre,
             double total, std::span<double> out) {
  digits += reader.get_signed(digits_context);
  if (digits < 0 || digits > most_digits) bad_cells("a number of digits is out of range");
  const double step = std::ldexp(1.0, -digits);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (static_cast<Index>(s) == centre) continue;
    out[s] = reader.get_signed(context) * step;
    total -= out[s];
  }
  out[static_cast<std::size_t>(centre)] = total;
}

void get_polynomials(TokenReader& reader, int& digits, DecodedCell& cell, std::vector<double>& coefficients) {
  if (cell.directions == 0) return;
  const std::uint32_t degree = reader.get(degree_context);
  if (degree >= monomial_counts.size()) bad_cells("a degree is out of range");
  cell.monomials = monomial_counts[degree];
  cell.coefficients = coefficients.size();
  for (Index j = 0; j < cell.directions; ++j) {
    digits += reader.get_signed(coefficient_digits_context);
    if (digits < 0 || digits > most_digits) bad_cells("a number of digits is out of range");
    for (Index k = 0; k < cell.monomials; ++k)
      coefficients.push_back(
          std::ldexp(reader.get_signed(coefficient_context_of(static_cast<std::size_t>(k))), -digits));
  }
}

std::int64_t packed_numbers(std::span<const Index> component_first) {
  std::int64_t total = 0;
  for (std::size_t c = 0; c + 1 < component_first.size(); ++c)
    total += packed_size(component_first[c + 1] - component_first[c]);
  return total;
}

}  // namespace

CellArrays view(const CellStreams& streams) {
  return {streams.size,     streams.connected,  streams.positional, {},
          streams.tables,   streams.distances,  streams.plain,      streams.cells,
          streams.vertices, streams.block_begin};
}

CellStreams encode_cells(const CellModel& model, std::span<const Index> component_first,
                         std::span<const std::uint16_t> distances,
                         const std::vector<std::vector<Index>>& order) {
  const bool plain = std::any_of(order.begin(), order.end(), [](const std::vector<Index>& one) {
    return one.size() > static_cast<std::size_t>(most_coded_landmarks);
  });
  TokenRecord W;
  std::size_t at = 0;
  for (const std::vector<Index>& one : order) {
    if (plain) break;
    const auto numbers = static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(one.size())));
    put_distances(distances.subspan(at, numbers), one, distance_context, W);
    at += numbers;
  }
  const TokenRecord cells = record_cells(model, component_first);
  const auto size = static_cast<Index>(model.cell.size());
  std::vector<TokenRecord> blocks;
  for (Index first = 0; first < size; first += vertices_per_block)
    blocks.push_back(record_vertices(model, first, std::min(size, first + vertices_per_block)));
  TokenCounts counts(context_count(model.positional));
  counts.add(W);
  counts.add(cells);
  for (const TokenRecord& block : blocks) counts.add(block);
  const TokenTables tables(counts);
  CellStreams streams;
  streams.size = size;
  streams.positional = model.positional;
  streams.connected = component_first.size() == 2 &&
                      std::none_of(model.cell.begin(), model.cell.end(), [](Index cell) { return cell < 0; });
  streams.tables = tables.bytes();
  if (plain)
    streams.plain.assign(distances.begin(), distances.end());
  else
    streams.distances = encode(W, tables);
  streams.cells = encode(cells, tables);
  streams.block_begin.push_back(0);
  for (const TokenRecord& block : blocks) {
    const std::vector<std::uint32_t> words = encode(block, tables);
    streams.vertices.insert(streams.vertices.end(), words.begin(), words.end());
    streams.block_begin.push_back(static_cast<std::uint32_t>(streams.vertices.size()));
  }
  return streams;
}

DecodedCells decode_cells(const TokenTables& tables, std::span<const std::uint32_t> words,
                          std::span<const Index> component_first, bool positional) {
  if (tables.contexts() != context_count(positional)) bad_cells("another number of contexts");
  TokenReader reader(tables, words);
  DecodedCells result;
  for (std::size_t c = 0; c + 1 < component_first.size(); ++c) {
    const std::uint32_t count = reader.get(cell_count_context);
    if (count == 0 || count > static_cast<std::uint32_t>(component_first[c + 1] - component_first[c]))
      bad_cells("a number of cells is out of range");
    for (std::uint32_t k = 0; k < count; ++k) result.cells.push_back({static_cast<Index>(c)});
  }
  int mean_digits = 0, coefficient_digits = 0;
  std::array<int, most_directions> digits{};
  std::int64_t before = 0;
  for (DecodedCell& cell : result.cells) {
    const Index landmarks = component_first[cell.component + 1] - component_first[cell.component];
    const std::uint32_t size = reader.get(support_size_context), centre = reader.get(centre_context);
    if (size == 0 || size > static_cast<std::uint32_t>(std::min(landmarks, largest_stored_support)) ||
        centre >= size)
      bad_cells("a support is out of range");
    cell.size = static_cast<Index>(size);
    cell.centre = static_cast<Index>(centre);
    cell.support = result.support.size();
    before += reader.get_signed(first_landmark_context);
    std::int64_t at = before;
    for (Index s = 0; s < cell.size; ++s) {
      if (s > 0) at += std::int64_t{1} + reader.get(gap_context);
      if (at < 0 || at >= landmarks) bad_cells("a landmark is out of range");
      result.support.push_back(static_cast<Index>(at));
    }
    cell.weights = result.weights.size();
    result.weights.resize(cell.weights + size);
    get_row(reader, mean_digits_context, mean_digits, mean_context, static_cast<Index>(centre), 1,
            std::span(result.weights).last(size));
    const std::uint32_t directions = reader.get(direction_count_context);
    if (directions > most_directions) bad_cells("a number of directions is out of range");
    cell.directions = static_cast<Index>(directions);
    result.most_directions = std::max(result.most_directions, cell.directions);
    for (std::uint32_t j = 0; j < directions; ++j) {
      result.weights.resize(result.weights.size() + size);
      get_row(reader, direction_digits_context, digits[j], direction_context_of(j),
              static_cast<Index>(centre), 0, std::span(result.weights).last(size));
    }
    if (positional) get_polynomials(reader, coefficient_digits, cell, result.coefficients);
  }
  reader.finish();
  return result;
}

std::vector<std::uint16_t> decode_distances(const TokenTables& tables, std::span<const std::uint32_t> words,
                                            std::span<const Index> component_first) {
  if (tables.contexts() < distance_contexts) bad_cells("another number of contexts");
  // Every landmark takes some bits: absurd sizes are refused before memory is taken.
  constexpr std::size_t most_pairs_per_word = 16 * 1024;
  for (std::size_t c = 0; c + 1 < component_first.size(); ++c)
    if (component_first[c + 1] - component_first[c] > most_coded_landmarks) bad_cells("too many landmarks");
  const std::int64_t numbers = packed_numbers(component_first);
  if (static_cast<std::uint64_t>(numbers) / most_pairs_per_word > words.size())
    bad_cells("too many landmarks");
  TokenReader reader(tables, words);
  std::vector<std::uint16_t> result(static_cast<std::size_t>(numbers));
  std::size_t at = 0;
  for (std::size_t c = 0; c + 1 < component_first.size(); ++c) {
    const Index landmarks = component_first[c + 1] - component_first[c];
    const auto own = static_cast<std::size_t>(packed_size(landmarks));
    get_distances(reader, landmarks, distance_context, std::span(result).subspan(at, own));
    at += own;
  }
  reader.finish();
  return result;
}

void decode_vertices(const TokenTables& tables, std::span<const std::uint32_t> words,
                     const DecodedCells& cells, bool positional, std::span<std::uint32_t> cell,
                     std::span<std::int16_t> code) {
  TokenReader reader(tables, words);
  const auto stride = static_cast<std::size_t>(cells.most_directions);
  BlockState state(cells.cells.size(), stride);
  std::int64_t previous = 0;
  for (std::size_t v = 0; v < cell.size(); ++v) {
    const std::uint32_t token = reader.get(state.rank_context_now());
    std::size_t rank = state.recent.size();
    if (token == 0) {
      previous += reader.get_signed(new_cell_context);
    } else {
      rank = token - 1;
      if (rank >= state.recent.size()) bad_cells("a vertex is in no cell");
      previous = state.recent.at(rank);
    }
    if (previous < 0 || previous > static_cast<std::int64_t>(cells.cells.size()))
      bad_cells("a cell is out of range");
    state.set_rank(token == 0 ? 1 : rank);
    cell[v] = static_cast<std::uint32_t>(previous);
    state.recent.move_to_front(rank, cell[v]);
    if (cell[v] == cells.cells.size() || positional) continue;
    const std::int16_t* before = state.before(cell[v]);
    std::int16_t* own = code.data() + v * stride;
    for (Index j = 0; j < cells.cells[cell[v]].directions; ++j) {
      const std::int32_t value =
          reader.get_signed(code_context_of(static_cast<std::size_t>(j), before != nullptr)) +
          (before != nullptr ? before[j] : 0);
      if (value < -32768 || value > 32767) bad_cells("a coordinate is out of range");
      own[j] = static_cast<std::int16_t>(value);
    }
    state.remember(cell[v], own);
  }
  reader.finish();
}

}  // namespace geodome::internal
