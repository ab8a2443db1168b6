#include "geodome/shape/io/formats.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "geodome/base/error.h"
#include "geodome/shape/io/parse/lines.h"

namespace geodome::internal {
namespace {

/// How the file begins, for a message: printable text as it is, anything else as hexadecimal bytes.
std::string beginning(std::string_view content) {
  if (content.empty()) return "it is empty";
  const std::string_view start = content.substr(0, 16);
  const bool printable = std::all_of(start.begin(), start.end(), [](char letter) {
    return (letter >= ' ' && letter < '\x7f') || letter == '\n' || letter == '\r' || letter == '\t';
  });
  if (printable) return text("it begins with '", start.substr(0, start.find_first_of("\r\n")), "'");
  std::string bytes;
  for (char letter : start.substr(0, 8)) {
    char hexadecimal[4];
    std::snprintf(hexadecimal, sizeof hexadecimal, " %02x",
                  static_cast<unsigned>(static_cast<unsigned char>(letter)));
    bytes += hexadecimal;
  }
  return text("it begins with the bytes", bytes);
}

std::string readable_formats() {
  std::string list;
  for (const Format& format : formats()) {
    list += text(list.empty() ? "" : ", ", format.name, " (");
    for (std::size_t i = 0; i < format.extensions.size(); ++i)
      list += text(i ? " ." : ".", format.extensions[i]);
    list += ")";
  }
  return list;
}

/// How files of distances begin (container_format.h): they often lie beside the shape they were built from.
constexpr std::string_view geodome_file = "\x89geodome";

bool has_extension_of(const InputFile& file, const Format& format) {
  return std::find(format.extensions.begin(), format.extensions.end(), file.extension) !=
         format.extensions.end();
}

/// Rows of three integers are edges with lengths, or points.
std::string ambiguity(const InputFile& file, const Format& format) {
  if (format.recognise != recognise_edge_list) return {};
  if (has_extension_of(file, format) && file.extension != "txt") return {};
  const TextLook look = look_at_text(file);
  if (look.columns != 3 || look.integers != 3) return {};
  return text("'", file.path,
              "' was read as an edge list with lengths; if its rows are points, read it in the format XYZ");
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
      {"PLY", {"ply"}, recognise_ply, read_ply},
      {"OBJ", {"obj"}, recognise_obj, read_obj},
      {"OFF", {"off"}, recognise_off, read_off},
      {"STL", {"stl"}, recognise_stl, read_stl},
      {"GIFTI", {"gii"}, recognise_gifti, read_gifti},
      {"FreeSurfer surface",
       {"pial", "white", "inflated", "sphere", "orig"},
       recognise_freesurfer,
       read_freesurfer},
      {"legacy VTK", {"vtk"}, recognise_vtk, read_vtk},
      {"Matrix Market", {"mtx"}, recognise_matrix_market, read_matrix_market},
      {"NPY", {"npy"}, recognise_npy, read_npy},
      {"IDX", {"idx", "idx1-ubyte", "idx3-ubyte"}, recognise_idx, read_idx},
      {"SRTM", {"hgt"}, recognise_hgt, read_hgt},
      {"edge list", {"edges", "el", "cedge", "graph", "txt"}, recognise_edge_list, read_edge_list},
      {"XYZ", {"xyz", "xyzn", "pts", "txt"}, recognise_xyz, read_xyz},
      {"CSV", {"csv", "tsv", "txt"}, recognise_csv, read_csv},
  };
  return table;
}

const Format& find_format(const InputFile& file) {
  if (file.content.starts_with(geodome_file))
    throw FileError(
        text("'", file.path,
             "' is a .geodome file, which contains distances: pass the shape that it was built from"));
  const Format* by_extension = nullptr;
  const Format* by_possibility = nullptr;
  bool extension_possible = false;
  for (const Format& format : formats()) {
    const Match match = format.recognise(file);
    if (match == Match::certain) return format;
    if (has_extension_of(file, format) &&
        (by_extension == nullptr || (!extension_possible && match == Match::possible))) {
      by_extension = &format;
      extension_possible = match == Match::possible;
    }
    if (match == Match::possible && by_possibility == nullptr) by_possibility = &format;
  }
  if (by_extension != nullptr) return *by_extension;
  if (by_possibility != nullptr) return *by_possibility;
  throw FileError(text("'", file.path, "' has an unknown format: ", beginning(file.content),
                       ". Supported formats, also gzipped: ", readable_formats()));
}

const Format& format_by_name(std::string_view name) {
  const auto same = [&](std::string_view candidate) {
    return std::equal(name.begin(), name.end(), candidate.begin(), candidate.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
  };
  for (const Format& format : formats()) {
    if (same(format.name) || std::any_of(format.extensions.begin(), format.extensions.end(), same))
      return format;
  }
  throw InputError(text("unknown format '", name, "'; supported formats: ", readable_formats()));
}

FormattedShape read_formatted(const InputFile& file, std::string_view name) {
  if (name.empty()) {
    const Format& found = find_format(file);
    return {found.read(file), found.name, ambiguity(file, found)};
  }
  const Format& wanted = format_by_name(name);
  try {
    return {wanted.read(file), wanted.name, {}};
  } catch (const FileError& error) {
    for (const Format& other : formats())
      if (&other != &wanted && other.recognise(file) == Match::certain)
        throw FileError(
            text(error.what(), "; it is a ", other.name, " file, read in the format ", wanted.name));
    throw;
  }
}

}  // namespace geodome::internal
