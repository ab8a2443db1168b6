#include "support/page_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/landmark/precision.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

Json add_positions(PageArrays& arrays, const std::vector<std::uint32_t>& numbers, std::size_t limit) {
  if (limit > 65536) return arrays.add(std::span(numbers), ArrayFilter::increments);
  const std::vector<std::uint16_t> narrow(numbers.begin(), numbers.end());
  return arrays.add(std::span(narrow), ArrayFilter::increments);
}

/// P by rows: where they begin, the landmark and the weight of every entry.
Json add_rows(PageArrays& arrays, const LandmarkMatrix& matrix, const Execution& execution) {
  std::vector<std::uint32_t> begin{0}, column;
  std::vector<float> weight;
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    if (v % 4096 == 0) execution.report("page", static_cast<double>(v) / matrix.size());
    matrix.read_weights(v, row);
    const Index first = matrix.component(v) >= 0 ? matrix.first_landmark(matrix.component(v)) : 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      column.push_back(static_cast<std::uint32_t>(first + row.column[k]));
      weight.push_back(static_cast<float>(row.value[k]));
    }
    if (column.size() > std::numeric_limits<std::uint32_t>::max())
      throw InputError(text("P has more than ", std::numeric_limits<std::uint32_t>::max(),
                            " entries, the most a page supports: use fewer landmarks or nonzeros"));
    begin.push_back(static_cast<std::uint32_t>(column.size()));
  }
  Json P;
  P["begin"] = arrays.add(std::span(std::as_const(begin)), ArrayFilter::increments);
  P["column"] = add_positions(arrays, column, matrix.landmarks().size());
  P["weight"] = arrays.add(std::span<const float>(weight));
  return P;
}

/// The fewest binary digits after the point that hold all numbers exactly.
int digits_of(std::span<const double> numbers) {
  constexpr int most = 30;
  int digits = 0;
  for (const double number : numbers)
    while (digits < most && std::ldexp(number, digits) != std::nearbyint(std::ldexp(number, digits)))
      ++digits;
  return digits;
}

/// The cells: component, landmarks, and rows of weights as whole numbers times powers of two.
Json add_cells(PageArrays& arrays, const DecodedCells& cells, std::size_t landmarks) {
  const std::vector<std::uint32_t> support(cells.support.begin(), cells.support.end());
  std::vector<std::uint32_t> component;
  std::vector<std::uint16_t> size;
  std::vector<std::uint8_t> directions, digits;
  std::vector<std::int32_t> weight;
  for (const DecodedCell& cell : cells.cells) {
    component.push_back(static_cast<std::uint32_t>(cell.component));
    size.push_back(static_cast<std::uint16_t>(cell.size));
    directions.push_back(static_cast<std::uint8_t>(cell.directions));
    for (Index row = 0; row <= cell.directions; ++row) {
      const auto length = static_cast<std::size_t>(cell.size);
      const std::span values(cells.weights.data() + cell.weights + static_cast<std::size_t>(row) * length,
                             length);
      digits.push_back(static_cast<std::uint8_t>(digits_of(values)));
      for (const double value : values)
        weight.push_back(static_cast<std::int32_t>(std::ldexp(value, digits.back())));
    }
  }
  Json facts;
  facts["component"] = arrays.add(std::span(std::as_const(component)), ArrayFilter::increments);
  facts["size"] = arrays.add(std::span(std::as_const(size)), ArrayFilter::increments);
  facts["directions"] = arrays.add(std::span(std::as_const(directions)));
  facts["support"] = add_positions(arrays, support, landmarks);
  facts["digits"] = arrays.add(std::span(std::as_const(digits)));
  facts["weight"] = arrays.add(std::span(std::as_const(weight)), ArrayFilter::signs);
  return facts;
}

/// The cell of every vertex, and its codes as differences from the vertex before it in the cell, first codes
/// first.
Json add_vertices(PageArrays& arrays, const CellMatrix& matrix, const Execution& execution) {
  const DecodedCells& cells = matrix.cells();
  const auto most = static_cast<std::size_t>(cells.most_directions);
  std::vector<std::uint32_t> number;
  std::vector<std::vector<std::int16_t>> code(most);
  std::vector<std::int16_t> before(cells.cells.size() * most, 0);
  for (Index v = 0; v < matrix.size(); ++v) {
    if (v % 4096 == 0) execution.report("page", static_cast<double>(v) / matrix.size());
    const CellMatrix::VertexCode vertex = matrix.vertex_code(v);
    number.push_back(vertex.cell);
    if (vertex.cell == cells.cells.size()) continue;
    std::int16_t* last = before.data() + vertex.cell * most;
    for (Index j = 0; j < cells.cells[vertex.cell].directions; ++j) {
      code[j].push_back(static_cast<std::int16_t>(vertex.code[j] - last[j]));
      last[j] = vertex.code[j];
    }
  }
  std::vector<std::int16_t> all;
  for (const std::vector<std::int16_t>& one : code) all.insert(all.end(), one.begin(), one.end());
  return {{"cell", add_positions(arrays, number, cells.cells.size())},
          {"code", arrays.add(std::span(std::as_const(all)), ArrayFilter::signs)}};
}

/// The landmark before each that is nearest to it, itself counted from the first of the component.
std::vector<std::uint32_t> nearest_before(std::span<const std::uint16_t> W, Index landmarks) {
  std::vector<std::uint32_t> near;
  for (Index r = 0; r < landmarks; ++r) {
    const auto row = W.subspan(static_cast<std::size_t>(packed_size(r)), static_cast<std::size_t>(r));
    near.push_back(static_cast<std::uint32_t>(std::min_element(row.begin(), row.end()) - row.begin()));
  }
  return near;
}

/// Differences, modulo 2^16, from a prediction by entries before: W(near r, c) + W(r, near c) - W(near r,
/// near c).
void add_residuals(std::span<const std::uint16_t> W, std::span<const std::uint32_t> near,
                   std::vector<std::uint16_t>& off) {
  const auto entry = [&](std::size_t r, std::size_t c) {
    return int{
        W[static_cast<std::size_t>(packed_size(static_cast<std::int64_t>(std::max(r, c)))) + std::min(r, c)]};
  };
  for (std::size_t r = 0; r < near.size(); ++r)
    for (std::size_t c = 0; c <= r; ++c) {
      int predicted = 0;
      if (c > 0) predicted = entry(near[r], c) + entry(r, near[c]) - entry(near[r], near[c]);
      off.push_back(static_cast<std::uint16_t>(entry(r, c) - predicted));
    }
}

Json add_coded_distances(PageArrays& arrays, std::span<const std::uint16_t> W, std::span<const Index> first) {
  std::vector<std::uint32_t> near;
  std::vector<std::uint16_t> off;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const auto own = W.subspan(off.size(), static_cast<std::size_t>(packed_size(first[c + 1] - first[c])));
    const std::vector<std::uint32_t> some = nearest_before(own, first[c + 1] - first[c]);
    near.insert(near.end(), some.begin(), some.end());
    add_residuals(own, some, off);
  }
  return {{"near", arrays.add(std::span(std::as_const(near)))},
          {"off", arrays.add(std::span(std::as_const(off)), ArrayFilter::signs)}};
}

}  // namespace

bool is_coded(const LandmarkMatrix& matrix) {
  return dynamic_cast<const CellMatrix*>(&matrix) != nullptr;
}

std::int64_t coded_page_bytes(const LandmarkMatrix& matrix) {
  const auto* coded = dynamic_cast<const CellMatrix*>(&matrix);
  if (coded == nullptr) return 0;
  std::int64_t bytes = (4 + 2 * std::int64_t{coded->cells().most_directions}) * matrix.size() +
                       4 * static_cast<std::int64_t>(coded->cells().weights.size());
  for (Index c = 0; c < matrix.components(); ++c) bytes += 2 * packed_size(matrix.W(c).size());
  return bytes;
}

Json add_matrix(PageArrays& arrays, const LandmarkMatrix& matrix, const Execution& execution) {
  const LandmarkArrays& landmarks = matrix.landmark_arrays();
  Json facts;
  if (const auto* coded = dynamic_cast<const CellMatrix*>(&matrix)) {
    facts["cells"] = add_cells(arrays, coded->cells(), landmarks.landmark.size());
    facts["vertices"] = add_vertices(arrays, *coded, execution);
    const auto W = std::get<std::span<const std::uint16_t>>(landmarks.W);
    verify(landmarks.check, W);
    facts["W"] = add_coded_distances(arrays, W, landmarks.component_first);
  } else {
    facts["P"] = add_rows(arrays, matrix, execution);
    facts["W"] = std::visit(
        [&](const auto& values) {
          verify(landmarks.check, values);
          return arrays.add(values);
        },
        landmarks.W);
  }
  facts["step"] = std::vector<double>(landmarks.step.begin(), landmarks.step.end());
  facts["spacing"] = std::vector<double>(landmarks.spacing.begin(), landmarks.spacing.end());
  facts["component_first"] =
      std::vector<Index>(landmarks.component_first.begin(), landmarks.component_first.end());
  facts["landmark"] = arrays.add(landmarks.landmark, ArrayFilter::increments);
  if (!is_coded(matrix) && !landmarks.component.empty())
    facts["component"] = arrays.add(landmarks.component, ArrayFilter::increments);
  return facts;
}

}  // namespace geodome::cli
