#include <array>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_sections.h"

namespace geodome::internal {
namespace {

namespace kinds {

constexpr SectionKind ctg_first("CTGC");     ///< int32, #components + 1: positions of samples
constexpr SectionKind ctg_W("CTGW");         ///< float32, packed triangles
constexpr SectionKind ctg_corners("CTGT");   ///< int32, #triangles by 3: samples
constexpr SectionKind ctg_part("CTGP");      ///< int32, #triangles: components
constexpr SectionKind ctg_triangle("CTGV");  ///< int32, #V: the triangle of each vertex, or -1
constexpr SectionKind ctg_distance("CTGD");  ///< float32, #V by 3: to its corners
constexpr SectionKind ctg_place("CTGX");     ///< float32, #V by 3: positions; absent where they do not count
constexpr std::array<KnownSection, 7> ctg = {ctg_first,
                                             sections::not_negative(ctg_W),
                                             ctg_corners,
                                             ctg_part,
                                             ctg_triangle,
                                             sections::not_negative(ctg_distance),
                                             sections::finite(ctg_place)};

}  // namespace kinds

template <typename T>
std::span<const std::array<T, 3>> in_threes(std::span<const T> numbers) {
  if (numbers.size() % 3 != 0)
    throw InputError(text(numbers.size(), " numbers; expected a multiple of three"));
  static_assert(sizeof(std::array<T, 3>) == 3 * sizeof(T));
  return {reinterpret_cast<const std::array<T, 3>*>(numbers.data()), numbers.size() / 3};
}

template <typename T>
std::span<const T> one_by_one(std::span<const std::array<T, 3>> threes) {
  return {reinterpret_cast<const T*>(threes.data()), 3 * threes.size()};
}

/// Checked as a whole: it is small, and every question reads all over it.
std::shared_ptr<const DistanceMatrix> read_ctg(std::shared_ptr<const StoredArrays> stored,
                                               DistanceKind kind) {
  CtgArrays arrays;
  arrays.component_first = stored->sound<Index>(kinds::ctg_first);
  arrays.W = stored->sound<float>(kinds::ctg_W);
  arrays.triangle = in_threes(stored->sound<Index>(kinds::ctg_corners));
  arrays.of_vertex = stored->sound<Index>(kinds::ctg_triangle);
  arrays.distance = in_threes(stored->sound<float>(kinds::ctg_distance));
  arrays.component = stored->sound<Index>(kinds::ctg_part);
  arrays.position = in_threes(stored->sound_if_any<float>(kinds::ctg_place));
  arrays.owner = std::move(stored);
  return std::make_shared<CtgMatrix>(std::move(arrays), kind);
}

void write_ctg(ContainerWriter& writer, const DistanceMatrix& matrix) {
  const CtgArrays& arrays = static_cast<const CtgMatrix&>(matrix).arrays();
  writer.add(kinds::ctg_first, arrays.component_first);
  writer.add(kinds::ctg_W, arrays.W);
  writer.add(kinds::ctg_corners, one_by_one(arrays.triangle));
  writer.add(kinds::ctg_part, arrays.component);
  writer.add(kinds::ctg_triangle, arrays.of_vertex);
  writer.add(kinds::ctg_distance, one_by_one(arrays.distance));
  if (!arrays.position.empty()) writer.add(kinds::ctg_place, one_by_one(arrays.position));
}

}  // namespace

const FileCodec ctg_codec = {"ctg", kinds::ctg, read_ctg, write_ctg};

}  // namespace geodome::internal
