#include "geodome/file/matrix_file.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_sections.h"
#include "geodome/file/shape_sections.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/scaled.h"

namespace geodome::internal {
namespace {

constexpr const char* kind_names[] = {"distance", "squared"};

std::string stored_name(const FileCodec& codec, DistanceKind kind) {
  return text(codec.name, ' ', kind_names[static_cast<int>(kind)]);
}

std::vector<KnownSection> known_sections() {
  std::vector<KnownSection> known(sections::common.begin(), sections::common.end());
  for (const FileCodec* codec : file_codecs())
    known.insert(known.end(), codec->sections.begin(), codec->sections.end());
  return known;
}

std::shared_ptr<const DistanceMatrix> in_stored_unit(std::shared_ptr<const DistanceMatrix> matrix,
                                                     const Container& file) {
  const Section* stored = file.find(sections::unit);
  if (stored == nullptr) return matrix;
  const auto unit = stored->view<double>();
  if (unit.size() != 1) throw InputError(text("expected one unit of distances, got ", unit.size()));
  return std::make_shared<ScaledMatrix>(std::move(matrix), unit[0]);
}

std::shared_ptr<const DistanceMatrix> read_matrix(const std::shared_ptr<const Container>& file,
                                                  std::string_view name) {
  for (const FileCodec* codec : file_codecs())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared})
      if (name == stored_name(*codec, kind))
        return in_stored_unit(codec->read(std::make_shared<const StoredArrays>(file), kind), *file);
  throw InputError(text("this version cannot read a matrix stored as '", name, "'"));
}

void write_matrix(ContainerWriter& writer, const DistanceMatrix& matrix) {
  std::string names;
  for (const FileCodec* codec : file_codecs()) {
    names += text(names.empty() ? "" : ", ", codec->name);
    if (codec->name != matrix.codec()) continue;
    const DistanceMatrix& stored = matrix.stored();
    if (&stored != &matrix) {
      const double unit = matrix.unit();
      writer.add(sections::unit, std::span<const double>(&unit, 1));
    }
    writer.add_text(sections::form, stored_name(*codec, matrix.kind()));
    return codec->write(writer, stored);
  }
  throw InputError(text("no file codec supports this matrix: supported are ", names));
}

}  // namespace

MatrixFile MatrixFile::read(std::shared_ptr<const Container> container) {
  MatrixFile file;
  file.container_ = std::move(container);
  const std::string& path = file.path();
  file.recipe_ = file.container_->section(sections::recipe).as_text();
  file.stored_as_ = file.container_->section(sections::form).as_text();
  try {
    file.matrix_ = read_matrix(file.container_, file.stored_as_);
  } catch (const InputError& error) {
    throw FileError(text("'", path, "' cannot be used: ", error.what()));
  }
  const Section* stored = file.container_->find(sections::labels);
  const auto labels = stored != nullptr ? stored->view<std::int64_t>() : std::span<const std::int64_t>();
  file.labels_ = labels;
  if (!labels.empty() && labels.size() != static_cast<std::size_t>(file.matrix_->size()))
    throw FileError(text("'", path, "' is inconsistent: ", labels.size(), " vertex numbers for ",
                         file.matrix_->size(), " vertices"));
  if (const Section* parts = file.container_->find(sections::landmark_error))
    file.error_parts_ = parts->view<std::uint8_t>();
  const LandmarkMatrix* factors = file.matrix_->landmark_matrix();
  if (const std::size_t landmarks = factors != nullptr ? factors->landmarks().size() : 0;
      !file.error_parts_.empty() && file.error_parts_.size() != landmarks)
    throw FileError(text("'", path, "' is inconsistent: errors of ", file.error_parts_.size(),
                         " landmarks for ", landmarks));
  return file;
}

MatrixFile MatrixFile::open(const std::string& path) {
  return read(std::make_shared<Container>(Container::open(path, known_sections())));
}

std::optional<MatrixFile> MatrixFile::open_if_matrix(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return {};
  if (std::filesystem::file_size(path, error) == 0) return {};  // which cannot be mapped
  std::optional<Container> container = Container::open_if_container(path, known_sections());
  if (!container) return {};
  return read(std::make_shared<Container>(std::move(*container)));
}

bool MatrixFile::is_one(const std::string& path) {
  // What is read from a pipe here would be missing later.
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(text("cannot open '", path, "': ", std::generic_category().message(errno)));
  std::array<char, container_magic.size()> start{};
  file.read(start.data(), start.size());
  return file.gcount() == static_cast<std::streamsize>(start.size()) && start == container_magic;
}

bool MatrixFile::has_shape() const {
  return container_->find(sections::shape_kind) != nullptr;
}

LowerBound MatrixFile::lower_bound() const {
  return stored_lower_bound(container_, matrix_->size());
}

std::optional<MeshArrays> MatrixFile::mesh() const {
  return stored_mesh(container_, matrix_->size());
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

void save_matrix(const std::string& path, const DistanceMatrix& matrix, const std::string& recipe,
                 const Shape* shape, std::span<const std::int64_t> labels,
                 std::span<const std::uint8_t> error_parts, const Execution& execution) {
  if (shape != nullptr && vertex_count(*shape) != matrix.size())
    throw InputError(text("a shape of ", vertex_count(*shape), " vertices cannot be saved with a matrix of ",
                          matrix.size()));
  if (shape == nullptr && matrix.stored().needs_shape())
    throw InputError(
        "the weights are polynomials of the positions of vertices, so the file must contain the shape: store "
        "the shape, or build without positional weights");
  ContainerWriter writer(path, team_of(execution));
  writer.add_text(sections::recipe, recipe);
  write_matrix(writer, matrix);
  if (shape != nullptr) write_shape_sections(writer, *shape);
  const Graph* graph = shape != nullptr ? std::get_if<Graph>(shape) : nullptr;
  const std::span<const std::int64_t> numbers = graph != nullptr ? graph->labels : labels;
  if (!numbers.empty()) writer.add(sections::labels, numbers, SectionNeed::optional);
  if (!error_parts.empty()) writer.add(sections::landmark_error, error_parts, SectionNeed::optional);
  writer.commit();
}

}  // namespace geodome::internal
