#pragma once
/// Rivals as the main build is asked for: by the same options, with a recipe, ready for a file.
///
///   MethodOptions own;
///   own.method = Method::ctg;
///   const RivalBuild built = build_rival(shape, options, own);
///   save_matrix("bunny.geodome", *built.made.matrix, built.recipe, &shape, {}, file_codecs());

#include <string>
#include <vector>

#include "geodome/evaluation/spot_check.h"
#include "geodome/pipeline/methods.h"
#include "geodome/pipeline/options.h"

namespace geodome {

/// What both ask for is taken from `options`; of a method's own there are defaults. Throws InputError where
/// `options` ask for what only sbha and bha have: distances by a function, or a log.
PrepareOptions prepare_options(const BuildOptions& options, Method method);
MethodOptions method_options(const BuildOptions& options, MethodOptions own);

struct RivalBuild {
  MethodMatrix made;
  /// JSON, as that of a Build.
  std::string recipe;
  Index components = 0;
  std::string geodesic;               ///< the method that measured, "spectral heat" where none did
  SpotCheck check;                    ///< against a few rows of the solver
  std::vector<std::string> warnings;  ///< as those of a BuildSummary
};

/// Throws InputError where the shape is computed in another unit: matrices in memory do not keep one.
void require_ordinary_size(const PreparedShape& prepared);

/// Cost and exceptions: build_method, and the one above.
RivalBuild build_rival(const Shape& shape, const BuildOptions& options, const MethodOptions& own,
                       const Execution& execution = {});

}  // namespace geodome
