#include <array>
#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_sections.h"

namespace geodome::internal {
namespace sections {
namespace {

constexpr SectionKind cell_header("CHDR");  ///< int64: #V, whether all are in one component, 1 if positional
constexpr SectionKind cell_tables("CTAB");  ///< uint8: frequencies of tokens
constexpr SectionKind cell_distances("CDST");  ///< uint32: coded W
constexpr SectionKind cell_weights("CCEL");    ///< uint32: coded cells
constexpr SectionKind cell_vertices("CVRT");   ///< uint32: coded vertices
constexpr SectionKind cell_blocks("CBLK");     ///< uint32: where each block of vertices begins

constexpr std::array<KnownSection, 11> of_cells = {not_negative(distances),
                                                   landmark,
                                                   component_first,
                                                   not_negative(step),
                                                   not_negative(spacing),
                                                   cell_header,
                                                   cell_tables,
                                                   cell_distances,
                                                   cell_weights,
                                                   cell_vertices,
                                                   cell_blocks};

}  // namespace
}  // namespace sections
namespace {

CellPositions stored_positions(const StoredArrays& stored) {
  CellPositions positions;
  if (stored.section(sections::points).element() == ElementType::float32)
    positions.single = stored.unchecked<float>(sections::points);
  else
    positions.exact = stored.unchecked<double>(sections::points);
  positions.check = &stored.check();
  return positions;
}

std::shared_ptr<const DistanceMatrix> read_cells(std::shared_ptr<const StoredArrays> stored,
                                                 DistanceKind kind) {
  CellMatrixArrays arrays;
  const auto header = stored->sound<std::int64_t>(sections::cell_header);
  if (header.size() < 2 || header.size() > 3 || header[0] < 0 ||
      header[0] > std::numeric_limits<Index>::max())
    throw InputError("the header of a cell-coded matrix is invalid");
  arrays.code.size = static_cast<Index>(header[0]);
  arrays.code.connected = header[1] != 0;
  arrays.code.positional = header.size() == 3 && header[2] != 0;
  if (arrays.code.positional) arrays.code.positions = stored_positions(*stored);
  arrays.code.tables = stored->sound<std::uint8_t>(sections::cell_tables);
  arrays.code.distances = stored->sound_if_any<std::uint32_t>(sections::cell_distances);
  if (arrays.code.distances.empty())
    arrays.code.plain = stored->unchecked<std::uint16_t>(sections::distances);
  arrays.code.cells = stored->sound<std::uint32_t>(sections::cell_weights);
  arrays.code.vertices = stored->unchecked<std::uint32_t>(sections::cell_vertices);
  arrays.code.block_begin = stored->sound<std::uint32_t>(sections::cell_blocks);
  arrays.landmark = stored->sound<Index>(sections::landmark);
  arrays.component_first = stored->sound<Index>(sections::component_first);
  arrays.step = stored->sound<double>(sections::step);
  arrays.spacing = stored->sound<double>(sections::spacing);
  arrays.check = &stored->check();
  arrays.owner = std::move(stored);
  return make_cell_matrix(std::move(arrays), kind);
}

void write_cells(ContainerWriter& writer, const DistanceMatrix& matrix) {
  const CellMatrixArrays& arrays = static_cast<const CellMatrix&>(matrix).arrays();
  std::vector<std::int64_t> header = {arrays.code.size, arrays.code.connected ? 1 : 0};
  if (arrays.code.positional) header.push_back(1);
  writer.add(sections::cell_header, std::span<const std::int64_t>(header));
  writer.add(sections::landmark, arrays.landmark);
  writer.add(sections::component_first, arrays.component_first);
  writer.add(sections::spacing, arrays.spacing);
  writer.add(sections::step, arrays.step);
  writer.add(sections::cell_tables, arrays.code.tables);
  if (arrays.code.plain.empty())
    writer.add(sections::cell_distances, arrays.code.distances);
  else
    writer.add(sections::distances, arrays.code.plain);
  writer.add(sections::cell_weights, arrays.code.cells);
  writer.add(sections::cell_blocks, arrays.code.block_begin);
  writer.add(sections::cell_vertices, arrays.code.vertices);
}

}  // namespace

const FileCodec cell_codec = {"cell", sections::of_cells, read_cells, write_cells};

}  // namespace geodome::internal
