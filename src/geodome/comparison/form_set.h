#pragma once
/// The canonical forms of many shapes: several at a time within a memory budget, finished ones reused.

#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/embedding/embedding.h"
#include "geodome/pipeline/options.h"

namespace geodome::internal {

struct FormSetOptions {
  BuildOptions build;  ///< of every shape's matrix; its kind is always squared
  EmbeddingOptions embedding;
  /// Shapes are built side by side only as far as their estimated peaks together stay below this. Four
  /// gigabytes: half of a small machine.
  std::int64_t memory_budget = std::int64_t{4} << 30;
  std::string store;  ///< a folder in which forms are kept and looked for; empty: none
};

struct ShapeForm {
  std::string path;
  std::string name;  ///< the file's name without endings; a number is added where two are alike
  Index vertices = 0;
  Index components = 0;
  RowMatrix<double> Z;  ///< #V by #dimensions
  Vector eigenvalues;   ///< of the largest component; empty where the form was reused
  bool reused = false;
  double seconds = 0;  ///< on the clock, from reading to the form; of reading alone where it was reused
};

/// In the order of the paths. The result does not depend on the number of threads, the budget or what was
/// reused. Cost: that of building every matrix. Throws FileError and InputError naming the file.
std::vector<ShapeForm> canonical_forms(const std::vector<std::string>& paths,
                                       const FormSetOptions& options = {}, const Execution& execution = {});

}  // namespace geodome::internal
