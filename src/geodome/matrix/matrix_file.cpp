#include "geodome/matrix/matrix_file.h"

#include <array>
#include <fstream>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/compact.h"
#include "geodome/matrix/container.h"
#include "geodome/matrix/container_writer.h"
#include "geodome/matrix/dense.h"
#include "geodome/matrix/matrix_sections.h"
#include "geodome/matrix/shape_sections.h"

namespace geodome {
namespace {

/// Lets the container check what lies in its sections.
class SectionCheck : public StorageCheck {
 public:
  explicit SectionCheck(std::shared_ptr<const Container> file) : file_(std::move(file)) {
    for (const Section& section : file_->sections())
      ranges_.push_back({section.verified(0, 0).data(), &section});
  }

  void touch(const void* begin, std::size_t bytes) const override {
    const auto* at = static_cast<const std::byte*>(begin);
    for (const Range& range : ranges_)
      if (at >= range.begin && at < range.begin + range.section->bytes()) {
        range.section->verified(static_cast<std::uint64_t>(at - range.begin), bytes);
        return;
      }
  }

 private:
  struct Range {
    const std::byte* begin;
    const Section* section;
  };
  std::shared_ptr<const Container> file_;
  std::vector<Range> ranges_;
};

/// What keeps a mapped matrix alive.
struct Mapping {
  std::shared_ptr<const Container> file;
  std::unique_ptr<const SectionCheck> check;
};

template <typename T>
std::span<const T> sound(const Container& file, SectionKind kind) {
  return file.section(kind).view<T>();
}

template <typename T>
std::span<const T> sound_if_any(const Container& file, SectionKind kind) {
  const Section* section = file.find(kind);
  return section != nullptr ? section->view<T>() : std::span<const T>();
}

/// The numbers of a section that are checked only when they are read.
template <typename T>
std::span<const T> unchecked(const Section& section) {
  section.view<T>(0, 0);  // the type is right
  return {reinterpret_cast<const T*>(section.verified(0, 0).data()), section.bytes() / sizeof(T)};
}

PackedValues packed_values(const Section& section) {
  if (section.element() == ElementType::uint16) return unchecked<std::uint16_t>(section);
  if (section.element() == ElementType::float64) return unchecked<double>(section);
  return unchecked<float>(section);
}

LandmarkArrays landmark_arrays(const Container& file, const StorageCheck& check) {
  LandmarkArrays arrays;
  arrays.landmark = sound<Index>(file, sections::landmark);
  arrays.component_first = sound<Index>(file, sections::component_first);
  arrays.component = sound_if_any<Index>(file, sections::component);
  arrays.W = packed_values(file.section(sections::distances));
  arrays.step = sound_if_any<double>(file, sections::step);
  arrays.spacing = sound<double>(file, sections::spacing);
  arrays.check = &check;
  return arrays;
}

std::shared_ptr<const SymmetricForm> map_compact(const std::shared_ptr<const Mapping>& mapping,
                                                 DistanceKind kind) {
  const Container& file = *mapping->file;
  CompactArrays arrays;
  arrays.landmarks = landmark_arrays(file, *mapping->check);
  if (file.section(sections::row_begin).element() == ElementType::uint64)
    arrays.row_begin = sound<std::uint64_t>(file, sections::row_begin);
  else
    arrays.row_begin = sound<std::uint32_t>(file, sections::row_begin);
  const Section& column = file.section(sections::column);
  if (column.element() == ElementType::uint16)
    arrays.column = unchecked<std::uint16_t>(column);
  else
    arrays.column = unchecked<std::uint32_t>(column);
  arrays.weight = unchecked<float>(file.section(sections::weight));
  arrays.owner = mapping;
  return std::make_shared<CompactMatrix>(std::move(arrays), kind);
}

std::shared_ptr<const SymmetricForm> map_dense(const std::shared_ptr<const Mapping>& mapping,
                                               DistanceKind kind) {
  const Container& file = *mapping->file;
  DenseArrays arrays;
  arrays.landmarks = landmark_arrays(file, *mapping->check);
  arrays.P = unchecked<float>(file.section(sections::all_weights));
  arrays.owner = mapping;
  const std::size_t landmarks = arrays.landmarks.landmark.size();
  const std::size_t size = landmarks > 0 ? arrays.P.size() / landmarks : 0;
  if (size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(text(size, " vertices are more than ", std::numeric_limits<Index>::max()));
  return std::make_shared<DenseMatrix>(static_cast<Index>(size), std::move(arrays), kind);
}

constexpr const char* form_names[2][2] = {{"compact distance", "compact squared"},
                                          {"dense distance", "dense squared"}};

std::shared_ptr<const SymmetricForm> map_matrix(const std::shared_ptr<const Container>& file) {
  const auto mapping = std::make_shared<Mapping>(Mapping{file, std::make_unique<SectionCheck>(file)});
  const std::string_view form = file->section(sections::form).as_text();
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    if (form == form_names[0][static_cast<int>(kind)]) return map_compact(mapping, kind);
    if (form == form_names[1][static_cast<int>(kind)]) return map_dense(mapping, kind);
  }
  throw InputError(text("a matrix of the form '", form, "' is not known to this version"));
}

template <typename T>
void add(ContainerWriter& writer, SectionKind kind, std::span<const T> numbers) {
  writer.add(kind, numbers);
}

void write_landmarks(ContainerWriter& writer, const LandmarkArrays& arrays) {
  writer.add(sections::landmark, arrays.landmark);
  writer.add(sections::component_first, arrays.component_first);
  if (!arrays.component.empty()) writer.add(sections::component, arrays.component);
  writer.add(sections::spacing, arrays.spacing);
  if (!arrays.step.empty()) writer.add(sections::step, arrays.step);
  std::visit([&](const auto& values) { add(writer, sections::distances, values); }, arrays.W);
}

void write_form(ContainerWriter& writer, const SymmetricForm& matrix) {
  const int kind = static_cast<int>(matrix.kind());
  if (const auto* compact = dynamic_cast<const CompactMatrix*>(&matrix)) {
    writer.add_text(sections::form, form_names[0][kind]);
    write_landmarks(writer, compact->landmark_arrays());
    const CompactArrays& arrays = compact->arrays();
    std::visit([&](const auto& begin) { add(writer, sections::row_begin, begin); }, arrays.row_begin);
    std::visit([&](const auto& column) { add(writer, sections::column, column); }, arrays.column);
    writer.add(sections::weight, arrays.weight);
  } else if (const auto* dense = dynamic_cast<const DenseMatrix*>(&matrix)) {
    writer.add_text(sections::form, form_names[1][kind]);
    write_landmarks(writer, dense->landmark_arrays());
    writer.add(sections::all_weights, dense->arrays().P);
  } else {
    throw InputError("only compact and dense matrices can be saved");
  }
}

}  // namespace

MatrixFile MatrixFile::open(const std::string& path) {
  MatrixFile file;
  file.path_ = path;
  file.container_ = std::make_shared<Container>(Container::open(path, sections::all));
  file.recipe_ = file.container_->section(sections::recipe).as_text();
  try {
    file.matrix_ = map_matrix(file.container_);
  } catch (const InputError& error) {
    throw FileError(text("'", path, "' cannot be used: ", error.what()));
  }
  const auto labels = sound_if_any<std::int64_t>(*file.container_, sections::labels);
  file.labels_.assign(labels.begin(), labels.end());
  if (!labels.empty() && labels.size() != static_cast<std::size_t>(file.matrix_->size()))
    throw FileError(text("'", path, "' is inconsistent: ", labels.size(), " vertex numbers for ",
                         file.matrix_->size(), " vertices"));
  return file;
}

bool MatrixFile::is_one(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(text("cannot open '", path, "'"));
  std::array<char, container_magic.size()> start{};
  file.read(start.data(), start.size());
  return file.gcount() == static_cast<std::streamsize>(start.size()) && start == container_magic;
}

std::optional<Shape> MatrixFile::shape() const {
  return read_shape_sections(*container_, matrix_->size());
}

std::uint64_t MatrixFile::file_bytes() const {
  return container_->file_bytes();
}

void MatrixFile::verify(const Execution& execution) const {
  container_->verify(execution);
}

void save_matrix(const std::string& path, const SymmetricForm& matrix, const std::string& recipe,
                 const Shape* shape, const std::vector<std::int64_t>& labels) {
  if (shape != nullptr && vertex_count(*shape) != matrix.size())
    throw InputError(text("a shape of ", vertex_count(*shape), " vertices cannot be saved with a matrix of ",
                          matrix.size()));
  ContainerWriter writer(path);
  writer.add_text(sections::recipe, recipe);
  write_form(writer, matrix);
  if (shape != nullptr) write_shape_sections(writer, *shape);
  const Graph* graph = shape != nullptr ? std::get_if<Graph>(shape) : nullptr;
  const std::vector<std::int64_t>& numbers = graph != nullptr ? graph->labels : labels;
  if (!numbers.empty())
    writer.add(sections::labels, std::span<const std::int64_t>(numbers), SectionNeed::optional);
  writer.commit();
}

}  // namespace geodome
