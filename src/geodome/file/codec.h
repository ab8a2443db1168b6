#pragma once
/// How a matrix is stored in a file: each codec has a name, sections of its own, and functions that read and
/// write them (codecs.h lists all).

#include <memory>
#include <span>
#include <string_view>

#include "geodome/file/container.h"
#include "geodome/file/container_writer.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/storage_check.h"

namespace geodome::internal {

/// The sections of an open file as arrays. What is handed out points into the file, and is valid as long as
/// this object.
class StoredArrays {
 public:
  explicit StoredArrays(std::shared_ptr<const Container> file);
  StoredArrays(const StoredArrays&) = delete;
  StoredArrays& operator=(const StoredArrays&) = delete;

  const Section& section(SectionKind kind) const { return file_->section(kind); }

  /// All numbers of a section, checked now.
  template <typename T>
  std::span<const T> sound(SectionKind kind) const {
    return file_->section(kind).view<T>();
  }
  /// The same, or nothing where there is no such section.
  template <typename T>
  std::span<const T> sound_if_any(SectionKind kind) const {
    const Section* section = file_->find(kind);
    return section != nullptr ? section->view<T>() : std::span<const T>();
  }
  /// All numbers of a section, for which check() must be called before they are read.
  template <typename T>
  std::span<const T> unchecked(SectionKind kind) const {
    const Section& section = file_->section(kind);
    section.view<T>(0, 0);  // the type is right
    return {reinterpret_cast<const T*>(section.verified(0, 0).data()), section.bytes() / sizeof(T)};
  }
  const StorageCheck& check() const { return *check_; }

 private:
  std::shared_ptr<const Container> file_;
  std::unique_ptr<const StorageCheck> check_;
};

struct FileCodec {
  /// What the section FORM begins with, and DistanceMatrix::codec returns; "distance" or "squared" follows.
  std::string_view name;
  /// Sections of its own, besides those that every file may have.
  std::span<const KnownSection> sections;
  /// Keeps `arrays` for as long as it needs. Throws InputError where they do not fit each other, FileError on
  /// damage. Allocates nothing but what the arrays' sizes bear out.
  std::shared_ptr<const DistanceMatrix> (*read)(std::shared_ptr<const StoredArrays> arrays,
                                                DistanceKind kind);
  /// Adds the sections of a matrix whose codec() is this one.
  void (*write)(ContainerWriter& writer, const DistanceMatrix& matrix);
};

}  // namespace geodome::internal
