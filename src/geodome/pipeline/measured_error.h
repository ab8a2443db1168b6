#pragma once
/// Lets a file say how large its error is.

#include "geodome/evaluation/distance_error.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/rival_build.h"

namespace geodome {

/// Measures `rows` random rows exactly where the shape allows it (along edges on graphs and samples; from the
/// user's own distances where the matrix stands on those), compares what queries give, and puts the result
/// into the recipe as `measured_error`. Cost: the rows. Throws InputError when `rows` is not positive.
ErrorReport measure_and_note_error(Build& built, const Shape& shape, const BuildOptions& options, Index rows,
                                   const Execution& execution = {});

/// The same of a rival.
ErrorReport measure_and_note_error(RivalBuild& built, const Shape& shape, const BuildOptions& options,
                                   Index rows, const Execution& execution = {});

}  // namespace geodome
