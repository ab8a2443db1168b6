#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "geodome/base/threads.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/matrix/lanes.h"

namespace geodome::internal {

struct CellMatrix::Pairs {
  std::vector<Index> smaller, larger;

  Pairs(std::span<const Index> I, std::span<const Index> J) : smaller(I.size()), larger(I.size()) {
    for (std::size_t k = 0; k < I.size(); ++k) std::tie(smaller[k], larger[k]) = std::minmax(I[k], J[k]);
  }
};

namespace {

/// The numbers 0, 1, … in the order of their groups.
struct Groups {
  std::vector<std::size_t> first;  ///< #groups + 1: positions in `order`
  std::vector<std::uint32_t> order;

  Groups(const std::vector<std::uint32_t>& group, std::size_t count)
      : first(count + 1, 0), order(group.size()) {
    for (const std::uint32_t one : group) ++first[one + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t k = 0; k < group.size(); ++k) order[next[group[k]]++] = static_cast<std::uint32_t>(k);
  }
  std::span<const std::uint32_t> of(std::size_t group) const {
    return std::span(order).subspan(first[group], first[group + 1] - first[group]);
  }
};

std::span<const Index> support_of(const DecodedCells& cells, const DecodedCell& cell) {
  return std::span(cells.support).subspan(cell.support, static_cast<std::size_t>(cell.size));
}

/// The weights of a cell as columns, the mean first, then the directions, then zeros.
RowMatrix<double> columns_of(const DecodedCells& cells, const DecodedCell& cell, int lanes) {
  RowMatrix<double> result = RowMatrix<double>::Zero(cell.size, lanes);
  const double* weights = cells.weights.data() + cell.weights;
  for (Index j = 0; j <= cell.directions; ++j)
    for (Index s = 0; s < cell.size; ++s) result(s, j) = *weights++;
  return result;
}

/// Row of P times z, which holds a number for each landmark of the support.
double dot(const DecodedCells& cells, const DecodedCell& cell, std::span<const std::int16_t> code,
           const std::vector<double>& z) {
  const Eigen::Map<const Vector> right(z.data(), cell.size);
  const Eigen::Map<const RowMatrix<double>> weights(cells.weights.data() + cell.weights, 1 + cell.directions,
                                                    cell.size);
  double total = weights.row(0).dot(right);
  for (Index j = 0; j < cell.directions; ++j) total += code[j] * weights.row(j + 1).dot(right);
  return total;
}

}  // namespace

/// The pairs `at`, whose smaller vertices are in cell `number`: W times its weights is the same for all.
void CellMatrix::pairs_of_cell(std::uint32_t number, const Pairs& pairs, std::span<const std::uint32_t> at,
                               Vector& result) const {
  const DecodedCells& known = cells();
  const DecodedCell& cell = known.cells[number];
  with_lanes(lanes_for(1 + cell.directions), [&](auto count) {
    constexpr int lanes = count.value;
    const RowMatrix<double> table =
        W(cell.component).times(support_of(known, cell), columns_of(known, cell, lanes), power());
    std::vector<double> z;
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (k + 8 < at.size()) prefetch_weights(pairs.larger[at[k + 8]], false);
      const VertexCode mine = vertex_code(pairs.smaller[at[k]]), other = vertex_code(pairs.larger[at[k]]);
      std::array<double, lanes> factor{1};
      for (int lane = 1; lane < lanes && lane <= cell.directions; ++lane) factor[lane] = mine.code[lane - 1];
      const DecodedCell& there = known.cells[other.cell];
      z.clear();
      for (const Index s : support_of(known, there)) {
        const double* row = table.data() + static_cast<std::size_t>(s) * lanes;
        double sum = 0;
        for (int lane = 0; lane < lanes; ++lane) sum += factor[lane] * row[lane];
        z.push_back(sum);
      }
      result[at[k]] = dot(known, there, other.code, z);
    }
  });
}

Vector CellMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                           const Execution& execution) const {
  // A table costs about as much as this many pairs.
  const std::size_t worthwhile = std::max<std::size_t>(16, landmarks().size() / 8);
  if (I.size() < worthwhile || I.size() > std::numeric_limits<std::uint32_t>::max())
    return LandmarkMatrix::entries(I, J, execution);
  require_pairs(I, J);
  const Pairs pairs(I, J);
  const std::size_t count = cells().cells.size();
  std::vector<std::uint32_t> group(I.size());
  for (std::size_t k = 0; k < I.size(); ++k) {
    if (k + 16 < I.size()) prefetch_weights(pairs.smaller[k + 16], false);
    const Index c = component(I[k]);
    group[k] = c >= 0 && c == component(J[k]) ? vertex_code(pairs.smaller[k]).cell
                                              : static_cast<std::uint32_t>(count);
  }
  const Groups groups(group, count + 1);
  Vector result(static_cast<Eigen::Index>(I.size()));
  std::vector<std::uint32_t> others(groups.of(count).begin(), groups.of(count).end());
  for (std::size_t c = 0; c < count; ++c)
    if (groups.of(c).size() < worthwhile)
      others.insert(others.end(), groups.of(c).begin(), groups.of(c).end());
  parallel_for(count, execution, {}, [&](std::size_t c, int) {
    if (groups.of(c).size() >= worthwhile)
      pairs_of_cell(static_cast<std::uint32_t>(c), pairs, groups.of(c), result);
  });
  std::vector<Index> first, second;
  for (const std::uint32_t k : others) {
    first.push_back(pairs.smaller[k]);
    second.push_back(pairs.larger[k]);
  }
  const Vector rest = LandmarkMatrix::entries(first, second, execution);
  for (std::size_t k = 0; k < others.size(); ++k) result[others[k]] = rest[static_cast<Eigen::Index>(k)];
  return result;
}

}  // namespace geodome::internal
