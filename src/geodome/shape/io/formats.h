#pragma once
/// The file formats that can be read, one source file each, and the choice among them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

enum class Match {
  no,        ///< the content is not in this format
  possible,  ///< it could be: taken if the extension says so, or if nothing else fits
  certain,   ///< the content says so, whatever the extension
};

struct Format {
  std::string_view name;                     ///< "OBJ"
  std::vector<std::string_view> extensions;  ///< "obj": lower case, without the dot
  Match (*recognise)(const InputFile&);
  Shape (*read)(const InputFile&);
};

/// All formats; where several fit equally well, the first is taken.
std::span<const Format> formats();

/// The format whose content test is certain; if none is, one with the file's extension (rather one whose test
/// says possible); if there is none, one whose test says possible. Throws FileError that says how the file
/// begins and what can be read.
const Format& find_format(const InputFile& file);

/// The format of this name or extension, in upper or lower case. Throws InputError that lists what there is.
const Format& format_by_name(std::string_view name);

struct FormattedShape {
  Shape shape;
  std::string_view format;  ///< name of the format it was read in
  std::string note;         ///< where the content has another meaning in another format; otherwise empty
};

/// Reads the file in the format of this name, or in the one found where the name is empty. Throws as these
/// do; for a format that was named, the error says which one the content is in.
FormattedShape read_formatted(const InputFile& file, std::string_view format);

// Each recogniser looks at the beginning of the file only and costs next to nothing. Each reader returns what
// the file says and throws FileError, naming file, place and cause, for anything it cannot trust.

Match recognise_obj(const InputFile& file);
Shape read_obj(const InputFile& file);

Match recognise_ply(const InputFile& file);
Shape read_ply(const InputFile& file);

Match recognise_off(const InputFile& file);
Shape read_off(const InputFile& file);

Match recognise_stl(const InputFile& file);
Shape read_stl(const InputFile& file);

Match recognise_gifti(const InputFile& file);
Shape read_gifti(const InputFile& file);

Match recognise_freesurfer(const InputFile& file);
Shape read_freesurfer(const InputFile& file);

Match recognise_vtk(const InputFile& file);
Shape read_vtk(const InputFile& file);

Match recognise_xyz(const InputFile& file);
Shape read_xyz(const InputFile& file);

Match recognise_edge_list(const InputFile& file);
Shape read_edge_list(const InputFile& file);

Match recognise_matrix_market(const InputFile& file);
Shape read_matrix_market(const InputFile& file);

Match recognise_npy(const InputFile& file);
Shape read_npy(const InputFile& file);

Match recognise_csv(const InputFile& file);
Shape read_csv(const InputFile& file);

Match recognise_idx(const InputFile& file);
Shape read_idx(const InputFile& file);

Match recognise_hgt(const InputFile& file);
Shape read_hgt(const InputFile& file);

}  // namespace geodome::internal
