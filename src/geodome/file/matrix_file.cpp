#include "geodome/file/matrix_file.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/file/matrix_sections.h"
#include "geodome/file/shape_sections.h"
#include "geodome/matrix/scaled.h"

namespace geodome {
namespace {

constexpr const char* kind_names[] = {"distance", "squared"};

std::string form_name(const FileCodec& form, DistanceKind kind) {
  return text(form.name, ' ', kind_names[static_cast<int>(kind)]);
}

std::vector<KnownSection> known_sections(std::span<const FileCodec> forms) {
  std::vector<KnownSection> known(sections::common.begin(), sections::common.end());
  for (const FileCodec& form : forms) known.insert(known.end(), form.sections.begin(), form.sections.end());
  return known;
}

std::shared_ptr<const DistanceMatrix> in_stored_unit(std::shared_ptr<const DistanceMatrix> matrix,
                                                     const Container& file) {
  const Section* stored = file.find(sections::unit);
  if (stored == nullptr) return matrix;
  const auto unit = stored->view<double>();
  if (unit.size() != 1) throw InputError(text(unit.size(), " units of distances, not one"));
  return std::make_shared<ScaledMatrix>(std::move(matrix), unit[0]);
}

std::shared_ptr<const DistanceMatrix> read_matrix(const std::shared_ptr<const Container>& file,
                                                  std::string_view name, std::span<const FileCodec> forms) {
  for (const FileCodec& form : forms)
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared})
      if (name == form_name(form, kind))
        return in_stored_unit(form.read(std::make_shared<const StoredArrays>(file), kind), *file);
  throw InputError(text("a matrix of the form '", name, "' is not known to this version"));
}

void write_matrix(ContainerWriter& writer, const DistanceMatrix& matrix, std::span<const FileCodec> forms) {
  if (const auto* scaled = dynamic_cast<const ScaledMatrix*>(&matrix)) {
    const double unit = scaled->unit();
    writer.add(sections::unit, std::span<const double>(&unit, 1));
    return write_matrix(writer, *scaled->matrix(), forms);
  }
  std::string names;
  for (const FileCodec& form : forms) {
    names += text(names.empty() ? "" : ", ", form.name);
    if (!form.holds(matrix)) continue;
    writer.add_text(sections::form, form_name(form, matrix.kind()));
    form.write(writer, matrix);
    return;
  }
  throw InputError(text("a file holds matrices of the forms ", names, ", and this one is of another"));
}

}  // namespace

MatrixFile MatrixFile::open(const std::string& path, std::span<const FileCodec> forms) {
  MatrixFile file;
  file.path_ = path;
  file.container_ = std::make_shared<Container>(Container::open(path, known_sections(forms)));
  file.recipe_ = file.container_->section(sections::recipe).as_text();
  file.form_ = file.container_->section(sections::form).as_text();
  try {
    file.matrix_ = read_matrix(file.container_, file.form_, forms);
  } catch (const InputError& error) {
    throw FileError(text("'", path, "' cannot be used: ", error.what()));
  }
  const Section* stored = file.container_->find(sections::labels);
  const auto labels = stored != nullptr ? stored->view<std::int64_t>() : std::span<const std::int64_t>();
  file.labels_.assign(labels.begin(), labels.end());
  if (!labels.empty() && labels.size() != static_cast<std::size_t>(file.matrix_->size()))
    throw FileError(text("'", path, "' is inconsistent: ", labels.size(), " vertex numbers for ",
                         file.matrix_->size(), " vertices"));
  return file;
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

std::shared_ptr<const LandmarkMatrix> MatrixFile::landmark_matrix() const {
  return std::dynamic_pointer_cast<const LandmarkMatrix>(matrix_);
}

const LandmarkMatrix& MatrixFile::require_landmark_matrix(const std::string& needs) const {
  if (const auto* form = dynamic_cast<const LandmarkMatrix*>(matrix_.get())) return *form;
  throw InputError(text(needs, " needs the factors P W Pᵀ, and '", path_, "' holds none: it is of the form '",
                        form_, "'; build one by the method sbha or bha"));
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
                 const Shape* shape, const std::vector<std::int64_t>& labels,
                 std::span<const FileCodec> forms) {
  if (shape != nullptr && vertex_count(*shape) != matrix.size())
    throw InputError(text("a shape of ", vertex_count(*shape), " vertices cannot be saved with a matrix of ",
                          matrix.size()));
  ContainerWriter writer(path);
  writer.add_text(sections::recipe, recipe);
  write_matrix(writer, matrix, forms);
  if (shape != nullptr) write_shape_sections(writer, *shape);
  const Graph* graph = shape != nullptr ? std::get_if<Graph>(shape) : nullptr;
  const std::vector<std::int64_t>& numbers = graph != nullptr ? graph->labels : labels;
  if (!numbers.empty())
    writer.add(sections::labels, std::span<const std::int64_t>(numbers), SectionNeed::optional);
  writer.commit();
}

}  // namespace geodome
