#include <limits>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_sections.h"
#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/matrix/sparse_landmark_matrix.h"

namespace geodome::internal {
namespace {

PackedValues packed_values(const StoredArrays& arrays) {
  const ElementType element = arrays.section(sections::distances).element();
  if (element == ElementType::uint16) return arrays.unchecked<std::uint16_t>(sections::distances);
  if (element == ElementType::float64) return arrays.unchecked<double>(sections::distances);
  return arrays.unchecked<float>(sections::distances);
}

LandmarkArrays landmark_arrays(const StoredArrays& stored) {
  LandmarkArrays arrays;
  arrays.landmark = stored.sound<Index>(sections::landmark);
  arrays.component_first = stored.sound<Index>(sections::component_first);
  arrays.component = stored.sound_if_any<Index>(sections::component);
  arrays.W = packed_values(stored);
  arrays.step = stored.sound_if_any<double>(sections::step);
  arrays.spacing = stored.sound<double>(sections::spacing);
  arrays.check = &stored.check();
  return arrays;
}

std::shared_ptr<const DistanceMatrix> read_sparse(std::shared_ptr<const StoredArrays> stored,
                                                  DistanceKind kind) {
  SparseLandmarkArrays arrays;
  arrays.landmarks = landmark_arrays(*stored);
  if (stored->section(sections::row_begin).element() == ElementType::uint64)
    arrays.row_begin = stored->unchecked<std::uint64_t>(sections::row_begin);
  else
    arrays.row_begin = stored->unchecked<std::uint32_t>(sections::row_begin);
  if (stored->section(sections::column).element() == ElementType::uint16)
    arrays.column = stored->unchecked<std::uint16_t>(sections::column);
  else
    arrays.column = stored->unchecked<std::uint32_t>(sections::column);
  if (stored->section(sections::weight).element() == ElementType::int16) {
    arrays.weight = stored->unchecked<std::int16_t>(sections::weight);
    const auto step = stored->sound<double>(sections::weight_step);
    if (step.size() != 1) throw InputError(text("expected one step of the weights of P, got ", step.size()));
    arrays.weight_step = step[0];
  } else {
    arrays.weight = stored->unchecked<float>(sections::weight);
  }
  arrays.owner = std::move(stored);
  return std::make_shared<SparseLandmarkMatrix>(std::move(arrays), kind);
}

std::shared_ptr<const DistanceMatrix> read_dense(std::shared_ptr<const StoredArrays> stored,
                                                 DistanceKind kind) {
  DenseLandmarkArrays arrays;
  arrays.landmarks = landmark_arrays(*stored);
  arrays.P = stored->unchecked<float>(sections::all_weights);
  arrays.owner = std::move(stored);
  const std::size_t landmarks = arrays.landmarks.landmark.size();
  const std::size_t size = landmarks > 0 ? arrays.P.size() / landmarks : 0;
  if (size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(text(size, " vertices; at most ", std::numeric_limits<Index>::max(), " are supported"));
  return std::make_shared<DenseLandmarkMatrix>(static_cast<Index>(size), std::move(arrays), kind);
}

void write_landmarks(ContainerWriter& writer, const LandmarkArrays& arrays) {
  writer.add(sections::landmark, arrays.landmark);
  writer.add(sections::component_first, arrays.component_first);
  if (!arrays.component.empty()) writer.add(sections::component, arrays.component);
  writer.add(sections::spacing, arrays.spacing);
  if (!arrays.step.empty()) writer.add(sections::step, arrays.step);
  std::visit([&](const auto& values) { writer.add(sections::distances, values); }, arrays.W);
}

void write_sparse(ContainerWriter& writer, const DistanceMatrix& matrix) {
  const SparseLandmarkArrays& arrays = static_cast<const SparseLandmarkMatrix&>(matrix).arrays();
  write_landmarks(writer, arrays.landmarks);
  std::visit([&](const auto& begin) { writer.add(sections::row_begin, begin); }, arrays.row_begin);
  std::visit([&](const auto& column) { writer.add(sections::column, column); }, arrays.column);
  std::visit([&](const auto& weight) { writer.add(sections::weight, weight); }, arrays.weight);
  if (std::holds_alternative<std::span<const std::int16_t>>(arrays.weight))
    writer.add(sections::weight_step, std::span(&arrays.weight_step, 1));
}

void write_dense(ContainerWriter& writer, const DistanceMatrix& matrix) {
  const DenseLandmarkArrays& arrays = static_cast<const DenseLandmarkMatrix&>(matrix).arrays();
  write_landmarks(writer, arrays.landmarks);
  writer.add(sections::all_weights, arrays.P);
}

}  // namespace

const FileCodec sparse_landmark_codec = {"compact", sections::symmetric, read_sparse, write_sparse};
const FileCodec dense_landmark_codec = {"dense", sections::symmetric, read_dense, write_dense};

}  // namespace geodome::internal
