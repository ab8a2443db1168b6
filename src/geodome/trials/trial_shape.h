#pragma once
/// Shapes on which methods are tried, decimated where requested.

#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct TrialSubject {
  std::string path;
  std::string name;  ///< what tables and plots call it
  /// The part with most vertices alone: scans come with specks.
  bool largest_component = false;
  Index decimate = 0;  ///< to this many vertices, where it has more; 0: not at all
};

/// Subjects for files, named after them, each name once.
std::vector<TrialSubject> subjects_of(const std::vector<std::string>& paths);

/// Read and cleaned. Throws FileError, or InputError naming the file.
Shape load_subject(const TrialSubject& subject);

/// What `largest_component` and `decimate` ask for. Throws InputError where the shape is no triangle mesh, or
/// where its topology forbids so few vertices.
Shape prepare_subject(Shape shape, const TrialSubject& subject, const Execution& execution = {});

}  // namespace geodome::internal
