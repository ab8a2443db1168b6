#pragma once
/// Containers to test with, and ways to damage them.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/file/container.h"
#include "geodome/file/container_writer.h"
#include "temporary_folder.h"

namespace geodome::testing {

using namespace internal;

inline constexpr SectionKind recipe_kind("rcpe");
inline constexpr SectionKind numbers_kind("numb");
inline constexpr SectionKind empty_kind("none");
inline constexpr SectionKind bytes_kind("byte");
inline constexpr std::array<KnownSection, 4> known_kinds = {recipe_kind, numbers_kind, empty_kind,
                                                            bytes_kind};

/// What the sections of a test file hold.
struct Sample {
  std::string recipe;
  std::vector<float> numbers;
  std::vector<std::byte> bytes;

  bool operator==(const Sample&) const = default;
};

inline Sample make_sample(std::size_t numbers, std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  Sample sample;
  sample.recipe = "{\"seed\": " + std::to_string(seed) + "}";
  sample.numbers.resize(numbers);
  for (float& number : sample.numbers) number = static_cast<float>(random());
  sample.bytes.resize(bytes);
  for (std::byte& byte : sample.bytes) byte = static_cast<std::byte>(random());
  return sample;
}

inline void write_sample(const std::string& path, const Sample& sample) {
  ContainerWriter writer(path);
  writer.add_text(recipe_kind, sample.recipe);
  writer.add<float>(numbers_kind, sample.numbers);
  writer.add<double>(empty_kind, {});
  writer.add<std::byte>(bytes_kind, sample.bytes, SectionNeed::optional);
  writer.commit();
}

inline Sample read_sample(const Container& container) {
  Sample sample;
  sample.recipe = container.section(recipe_kind).as_text();
  const auto numbers = container.section(numbers_kind).view<float>();
  sample.numbers.assign(numbers.begin(), numbers.end());
  const auto bytes = container.section(bytes_kind).view<std::byte>();
  sample.bytes.assign(bytes.begin(), bytes.end());
  EXPECT_TRUE(container.section(empty_kind).view<double>().empty());
  return sample;
}

/// The message of the FileError that `work` throws; empty if it throws none.
inline std::string file_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const FileError& error) {
    EXPECT_STRNE(error.what(), "");
    return error.what();
  }
  return {};
}

inline std::string open_error(const std::string& path) {
  return file_error([&path] { Container::open(path, known_kinds); });
}

/// The parts of a file in memory that a forger changes; `forge` gives them right checksums again.
struct ForgedFile {
  ContainerHeader header;
  ContainerFooter footer;
  std::vector<SectionEntry> entries;
};

inline std::string forge(std::string bytes, const std::function<void(ForgedFile&)>& change) {
  ForgedFile file;
  const std::size_t footer_offset = bytes.size() - sizeof(ContainerFooter);
  std::memcpy(&file.header, bytes.data(), sizeof file.header);
  std::memcpy(&file.footer, bytes.data() + footer_offset, sizeof file.footer);
  const std::size_t table_offset = file.footer.table_offset;
  file.entries.resize(file.footer.section_count);
  const std::size_t entry_bytes = file.entries.size() * sizeof(SectionEntry);
  std::memcpy(file.entries.data(), bytes.data() + table_offset, entry_bytes);
  change(file);
  std::memcpy(bytes.data() + table_offset, file.entries.data(), entry_bytes);
  // The checksum of the table as the forged footer places it, if that is possible at all.
  const std::size_t start =
      file.footer.table_offset <= footer_offset ? file.footer.table_offset : table_offset;
  file.footer.table_checksum = crc32c(std::as_bytes(std::span(bytes).subspan(start, footer_offset - start)));
  file.header.checksum = checksum_of(file.header);
  file.footer.checksum = checksum_of(file.footer);
  std::memcpy(bytes.data(), &file.header, sizeof file.header);
  std::memcpy(bytes.data() + footer_offset, &file.footer, sizeof file.footer);
  return bytes;
}

}  // namespace geodome::testing
