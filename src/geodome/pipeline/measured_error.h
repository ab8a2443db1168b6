#pragma once
/// The measured error in the recipe of a matrix.

#include "geodome/evaluation/distance_error.h"
#include "geodome/pipeline/build.h"

namespace geodome::internal {

/// Measures `rows` random rows exactly where the shape allows it (along edges on graphs and samples; from the
/// user-supplied distances where the matrix was built from those), compares what queries return, and adds the
/// result to the recipe as `measured_error`. Cost: the rows. Throws InputError when `rows` is not positive.
ErrorReport measure_and_note_error(Build& built, const Shape& shape, const BuildOptions& options, Index rows,
                                   const Execution& execution = {});

}  // namespace geodome::internal
