#pragma once
/// Writes a `.geodome` file section by section, in one pass and in little memory.
///
///   ContainerWriter writer("dragon.geodome");
///   writer.add_text(recipe_kind, json);
///   writer.begin(weights_kind, ElementType::float32);
///   for (...) writer.append<float>(row);
///   writer.end();
///   writer.commit();

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/base/atomic_file.h"
#include "geodome/base/team.h"
#include "geodome/file/container_format.h"

namespace geodome::internal {

/// Whether a reader that does not know a section must refuse the file.
enum class SectionNeed { mandatory, optional };

/// The file appears under its name, or replaces the old one, with `commit`; without it, nothing happens.
/// Equal sections give equal files. Throws FileError where writing fails, InputError where calls do not fit
/// together. Memory: 1 MiB, and 4 bytes for each MiB written.
class ContainerWriter {
 public:
  /// With a team all ranks write the same sections, and each of them some of the blocks.
  explicit ContainerWriter(const std::string& path, const Team* team = nullptr);

  /// Starts a section. Its kind is four printable characters, none used twice.
  void begin(SectionKind kind, ElementType element, SectionNeed need = SectionNeed::mandatory);
  /// Adds to the section begun; its length need not be known before.
  template <typename T>
  void append(std::span<const T> elements) {
    append_bytes(std::as_bytes(elements), element_type_of<T>());
  }
  void end();

  /// A whole section at once.
  template <typename T>
  void add(SectionKind kind, std::span<const T> elements, SectionNeed need = SectionNeed::mandatory) {
    begin(kind, element_type_of<T>(), need);
    append(elements);
    end();
  }
  void add_text(SectionKind kind, std::string_view text, SectionNeed need = SectionNeed::mandatory);

  /// Completes the file, syncs it and gives it its name. Nothing can be added afterwards.
  void commit();

 private:
  void append_bytes(std::span<const std::byte> bytes, ElementType element);
  bool is_mine(std::size_t block) const;
  void write(std::span<const std::byte> bytes, bool mine);
  void write_pending();
  void pad();
  void require_closed() const;
  bool is_first_rank() const { return team_ == nullptr || team_->rank() == 0; }

  const Team* team_;
  std::optional<AtomicFile> file_;      // of the first rank
  std::unique_ptr<SharedFile> shared_;  // with a team
  std::vector<std::byte> pending_;      // bytes of this rank, which end at pending_end_
  std::uint64_t pending_end_ = 0;
  std::string path_;
  std::uint64_t written_ = 0;
  std::vector<SectionEntry> entries_;
  std::vector<std::uint32_t> checksums_;  // of the blocks of all sections, the last one still growing
  bool open_ = false;                     // a section has begun and not ended
  bool committed_ = false;
};

}  // namespace geodome::internal
