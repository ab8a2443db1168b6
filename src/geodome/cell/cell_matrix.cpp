#include "geodome/cell/cell_matrix.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/lanes.h"

namespace geodome::internal {
namespace {

/// Memory that is zero, and is taken when it is first touched.
template <typename T>
class LazyArray {
 public:
  explicit LazyArray(std::size_t size)
      : data_(static_cast<T*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(T)))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~LazyArray() { std::free(data_); }
  LazyArray(const LazyArray&) = delete;
  LazyArray& operator=(const LazyArray&) = delete;
  T* data() const { return data_; }

 private:
  T* data_;
};

}  // namespace

/// Shared by all matrices on the same arrays. Thread-safe.
class CellMatrix::Decoded {
 public:
  explicit Decoded(const CellMatrixArrays& stored)
      : arrays(checked(stored)),
        tables(stored.code.tables),
        cells(decode_cells(tables, stored.code.cells, stored.component_first, stored.code.positional)),
        frames(find_frames(stored, cells)),
        W(stored.code.plain.empty() ? decode_distances(tables, stored.code.distances, stored.component_first)
                                    : std::vector<std::uint16_t>()),
        stride(static_cast<std::size_t>(cells.most_directions)),
        cell_(static_cast<std::size_t>(stored.code.size)),
        code_(static_cast<std::size_t>(stored.code.size) * stride),
        done_(block_count(stored)) {}

  /// Before vertices [first, last) are read.
  void need(Index first, Index last) const {
    if (first >= last) return;
    for (Index block = first / vertices_per_block; block <= (last - 1) / vertices_per_block; ++block)
      if (!done_[static_cast<std::size_t>(block)].load(std::memory_order_acquire)) decode(block);
  }
  std::uint32_t cell(Index vertex) const { return cell_.data()[vertex]; }
  const std::uint32_t* cell_at(Index vertex) const { return cell_.data() + vertex; }
  const std::int16_t* code(Index vertex) const {
    return code_.data() + static_cast<std::size_t>(vertex) * stride;
  }

  /// Labels of all vertices; empty where all are in one component.
  std::vector<Index> labels() const {
    need(0, arrays.code.size);
    std::vector<Index> result(static_cast<std::size_t>(arrays.code.size));
    bool whole = true;
    for (Index v = 0; v < arrays.code.size; ++v) {
      result[v] = cell(v) < cells.cells.size() ? cells.cells[cell(v)].component : -1;
      whole &= result[v] == 0;
    }
    if (whole) result.clear();
    return result;
  }

  CellMatrixArrays arrays;
  TokenTables tables;
  DecodedCells cells;
  std::vector<CellFrame> frames;  ///< of all cells, where codes are polynomials of positions
  std::vector<std::uint16_t> W;
  std::vector<Index> component;
  std::size_t stride;

 private:
  static std::size_t block_count(const CellMatrixArrays& stored) {
    return (static_cast<std::size_t>(stored.code.size) + vertices_per_block - 1) / vertices_per_block;
  }
  /// Before memory is taken for the vertices.
  static const CellMatrixArrays& checked(const CellMatrixArrays& stored) {
    const auto& begin = stored.code.block_begin;
    if (begin.size() != block_count(stored) + 1 || begin.front() != 0 ||
        begin.back() != stored.code.vertices.size() || !std::is_sorted(begin.begin(), begin.end()))
      throw InputError("the blocks of coded vertices do not fit the vertices");
    if (stored.code.positional && stored.code.positions.size() != stored.code.size)
      throw InputError(text("weights are polynomials of the positions of ", stored.code.size,
                            " vertices, but there are ", stored.code.positions.size(), " positions"));
    return stored;
  }

  static std::vector<CellFrame> find_frames(const CellMatrixArrays& stored, const DecodedCells& cells) {
    std::vector<CellFrame> frames;
    if (!stored.code.positional) return frames;
    std::vector<Index> support;
    for (const DecodedCell& cell : cells.cells) {
      support.clear();
      for (Index s = 0; s < cell.size; ++s)
        support.push_back(stored.landmark[stored.component_first[cell.component] +
                                          cells.support[cell.support + static_cast<std::size_t>(s)]]);
      for (const Index vertex : support)
        if (vertex < 0 || vertex >= stored.code.size) throw InputError("a landmark is not a vertex");
      frames.push_back(
          cell_frame(stored.code.positions, support[static_cast<std::size_t>(cell.centre)], support));
    }
    return frames;
  }

  /// The codes of some vertices whose cells are known.
  void evaluate(Index first, std::size_t count) const {
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t number = cell_.data()[static_cast<std::size_t>(first) + k];
      if (number == cells.cells.size()) continue;
      const DecodedCell& cell = cells.cells[number];
      const Monomials values =
          monomials(frames[number], arrays.code.positions[first + static_cast<Index>(k)]);
      std::int16_t* code = code_.data() + (static_cast<std::size_t>(first) + k) * stride;
      for (Index j = 0; j < cell.directions; ++j)
        code[j] =
            polynomial_code(std::span(cells.coefficients)
                                .subspan(cell.coefficients + static_cast<std::size_t>(j * cell.monomials),
                                         static_cast<std::size_t>(cell.monomials)),
                            values);
    }
  }

  void decode(Index block) const {
    const std::lock_guard guard(mutex_);
    if (done_[static_cast<std::size_t>(block)].load(std::memory_order_relaxed)) return;
    const Index first = block * vertices_per_block;
    const auto count = static_cast<std::size_t>(std::min(vertices_per_block, arrays.code.size - first));
    const auto& begin = arrays.code.block_begin;
    const auto words = arrays.code.vertices.subspan(begin[block], begin[block + 1] - begin[block]);
    verify(arrays.check, words);
    decode_vertices(tables, words, cells, arrays.code.positional, {cell_.data() + first, count},
                    {code_.data() + static_cast<std::size_t>(first) * stride, count * stride});
    if (arrays.code.positional) evaluate(first, count);
    done_[static_cast<std::size_t>(block)].store(true, std::memory_order_release);
  }

  LazyArray<std::uint32_t> cell_;
  LazyArray<std::int16_t> code_;
  mutable std::vector<std::atomic<bool>> done_;
  mutable std::mutex mutex_;
};

CellMatrix::CellMatrix(CellMatrixArrays arrays, const LandmarkArrays& landmarks,
                       std::shared_ptr<const Decoded> decoded, DistanceKind kind)
    : LandmarkMatrix(arrays.code.size, kind, landmarks),
      arrays_(std::move(arrays)),
      decoded_(std::move(decoded)) {}

const DecodedCells& CellMatrix::cells() const {
  return decoded_->cells;
}

CellMatrix::VertexCode CellMatrix::vertex_code(Index vertex) const {
  decoded_->need(vertex, vertex + 1);
  return {decoded_->cell(vertex), {decoded_->code(vertex), decoded_->stride}};
}

std::int64_t CellMatrix::nonzeros() const {
  decoded_->need(0, size());
  std::int64_t total = 0;
  for (Index v = 0; v < size(); ++v)
    if (decoded_->cell(v) < decoded_->cells.cells.size())
      total += decoded_->cells.cells[decoded_->cell(v)].size;
  return total;
}

std::shared_ptr<const DistanceMatrix> CellMatrix::converted(DistanceKind kind) const {
  return std::shared_ptr<const CellMatrix>(new CellMatrix(arrays_, landmark_arrays(), decoded_, kind));
}

std::shared_ptr<const LandmarkMatrix> CellMatrix::in_unit(double unit) const {
  struct Scaled {
    std::vector<double> step, spacing;
    std::shared_ptr<const void> owner;
  };
  const auto scaled = std::make_shared<Scaled>();
  for (const double one : arrays_.step) scaled->step.push_back(one * unit);
  for (const double one : arrays_.spacing) scaled->spacing.push_back(one * unit);
  scaled->owner = arrays_.owner;
  CellMatrixArrays arrays = arrays_;
  LandmarkArrays landmarks = landmark_arrays();
  arrays.step = landmarks.step = scaled->step;
  arrays.spacing = landmarks.spacing = scaled->spacing;
  arrays.owner = scaled;
  return std::shared_ptr<const CellMatrix>(new CellMatrix(std::move(arrays), landmarks, decoded_, kind()));
}

MatrixFacts CellMatrix::facts() const {
  return {static_cast<Index>(arrays_.landmark.size()),
          {},
          "coded",
          {{"cells", static_cast<std::int64_t>(decoded_->cells.cells.size())}}};
}

std::int64_t CellMatrix::bytes() const {
  const CellArrays& code = arrays_.code;
  return static_cast<std::int64_t>(code.tables.size_bytes() + code.distances.size_bytes() +
                                   code.plain.size_bytes() + code.cells.size_bytes() +
                                   code.vertices.size_bytes() + code.block_begin.size_bytes() +
                                   arrays_.landmark.size_bytes() + arrays_.component_first.size_bytes() +
                                   arrays_.step.size_bytes() + arrays_.spacing.size_bytes());
}

void CellMatrix::read_weights(Index vertex, Weights& row) const {
  const Decoded& decoded = *decoded_;
  decoded.need(vertex, vertex + 1);
  row.clear();
  const std::uint32_t number = decoded.cell(vertex);
  if (number == decoded.cells.cells.size()) return;
  const DecodedCell& cell = decoded.cells.cells[number];
  const Index* support = decoded.cells.support.data() + cell.support;
  const double* weights = decoded.cells.weights.data() + cell.weights;
  row.column.assign(support, support + cell.size);
  row.value.assign(weights, weights + cell.size);
  const std::int16_t* code = decoded.code(vertex);
  for (Index j = 0; j < cell.directions; ++j) {
    weights += cell.size;
    const double factor = code[j];
    for (Index s = 0; s < cell.size; ++s) row.value[static_cast<std::size_t>(s)] += factor * weights[s];
  }
}

void CellMatrix::prefetch_weights(Index vertex, bool near) const {
  if (!near) {
    __builtin_prefetch(decoded_->cell_at(vertex));
    __builtin_prefetch(decoded_->code(vertex));
    return;
  }
  decoded_->need(vertex, vertex + 1);
  if (decoded_->cell(vertex) == decoded_->cells.cells.size()) return;
  const DecodedCell& cell = decoded_->cells.cells[decoded_->cell(vertex)];
  const double* weights = decoded_->cells.weights.data() + cell.weights;
  for (Index s = 0; s < cell.size * (1 + cell.directions); s += 8) __builtin_prefetch(weights + s);
}

namespace {

/// A table of (1 + directions) by lanes numbers for each cell that some vertices lie in.
class CellTables {
 public:
  CellTables(std::size_t cells, std::size_t rows, int lanes)
      : width_(rows * static_cast<std::size_t>(lanes)), at_(cells, -1) {}

  /// The table of a cell; `fresh` tells whether it was made now, all zero.
  double* table(std::uint32_t cell, bool& fresh) {
    fresh = at_[cell] < 0;
    if (fresh) {
      at_[cell] = static_cast<std::int64_t>(numbers_.size());
      order_.push_back(cell);
      numbers_.resize(numbers_.size() + width_, 0.0);
    }
    return numbers_.data() + at_[cell];
  }
  const std::vector<std::uint32_t>& used() const { return order_; }

 private:
  std::size_t width_;
  std::vector<std::int64_t> at_;
  std::vector<std::uint32_t> order_;
  std::vector<double> numbers_;
};

}  // namespace

void CellMatrix::spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const {
  const Decoded& decoded = *decoded_;
  decoded.need(begin, end);
  const auto& cells = decoded.cells;
  with_lanes(Z.cols(), [&](auto count) {
    constexpr int lanes = count.value;
    CellTables tables(cells.cells.size(), decoded.stride + 1, lanes);
    for (Index v = begin; v < end; ++v, out += lanes) {
      const std::uint32_t number = decoded.cell(v);
      if (number == cells.cells.size()) {
        std::fill_n(out, lanes, 0.0);
        continue;
      }
      const DecodedCell& cell = cells.cells[number];
      bool fresh = false;
      double* table = tables.table(number, fresh);
      if (fresh) {
        const Index* support = cells.support.data() + cell.support;
        const double* weights = cells.weights.data() + cell.weights;
        const double* z = Z.data() + static_cast<std::size_t>(first_landmark(cell.component)) * lanes;
        for (Index j = 0; j <= cell.directions; ++j)
          for (Index s = 0; s < cell.size; ++s, ++weights)
            for (int lane = 0; lane < lanes; ++lane)
              table[j * lanes + lane] += *weights * z[static_cast<std::size_t>(support[s]) * lanes + lane];
      }
      const std::int16_t* code = decoded.code(v);
      double sum[lanes];
      for (int lane = 0; lane < lanes; ++lane) sum[lane] = table[lane];
      for (Index j = 0; j < cell.directions; ++j) {
        const double factor = code[j];
        table += lanes;
        for (int lane = 0; lane < lanes; ++lane) sum[lane] += factor * table[lane];
      }
      for (int lane = 0; lane < lanes; ++lane) out[lane] = sum[lane];
    }
  });
}

void CellMatrix::collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const {
  const Decoded& decoded = *decoded_;
  decoded.need(begin, end);
  const auto& cells = decoded.cells;
  with_lanes(sums.cols(), [&](auto count) {
    constexpr int lanes = count.value;
    CellTables tables(cells.cells.size(), decoded.stride + 1, lanes);
    bool fresh = false;
    const double* x = X;
    for (Index v = begin; v < end; ++v, x += lanes) {
      const std::uint32_t number = decoded.cell(v);
      if (number == cells.cells.size()) continue;
      double* table = tables.table(number, fresh);
      const std::int16_t* code = decoded.code(v);
      for (int lane = 0; lane < lanes; ++lane) table[lane] += x[lane];
      for (Index j = 0; j < cells.cells[number].directions; ++j) {
        const double factor = code[j];
        table += lanes;
        for (int lane = 0; lane < lanes; ++lane) table[lane] += factor * x[lane];
      }
    }
    for (const std::uint32_t number : tables.used()) {
      const DecodedCell& cell = cells.cells[number];
      const double* table = tables.table(number, fresh);
      const Index* support = cells.support.data() + cell.support;
      const double* weights = cells.weights.data() + cell.weights;
      for (Index j = 0; j <= cell.directions; ++j, table += lanes)
        for (Index s = 0; s < cell.size; ++s, ++weights) {
          double* sum =
              sums.data() + static_cast<std::size_t>(first_landmark(cell.component) + support[s]) * lanes;
          for (int lane = 0; lane < lanes; ++lane) sum[lane] += *weights * table[lane];
        }
    }
  });
}

std::shared_ptr<const CellMatrix> make_cell_matrix(CellMatrixArrays arrays, DistanceKind kind) {
  const auto& first = arrays.component_first;
  if (first.size() < 2 || first.front() != 0 ||
      static_cast<std::size_t>(first.back()) != arrays.landmark.size() ||
      std::adjacent_find(first.begin(), first.end(), std::greater_equal<>()) != first.end())
    throw InputError(text("the components do not partition the ", arrays.landmark.size(), " landmarks"));
  const auto decoded = std::make_shared<CellMatrix::Decoded>(arrays);
  if (!arrays.code.connected) decoded->component = decoded->labels();
  LandmarkArrays landmarks;
  landmarks.landmark = arrays.landmark;
  landmarks.component_first = arrays.component_first;
  landmarks.component = decoded->component;
  landmarks.W = arrays.code.plain.empty() ? std::span<const std::uint16_t>(decoded->W) : arrays.code.plain;
  landmarks.check = arrays.code.plain.empty() ? nullptr : arrays.check;
  landmarks.step = arrays.step;
  landmarks.spacing = arrays.spacing;
  return std::shared_ptr<const CellMatrix>(new CellMatrix(std::move(arrays), landmarks, decoded, kind));
}

}  // namespace geodome::internal
