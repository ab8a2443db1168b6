#pragma once
/// Checks of numbers on the command line. Each names the value and the bounds, and is shown in the help.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

#include "geodome/base/types.h"

namespace geodome::cli {

/// Decimal digits, with a sign or without: a whole number in [least, most].
CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<Index>::max());

/// Any whole number, such as one by which a file knows a vertex.
CLI::Validator vertex_number();

/// A whole number in [0, 2^64).
CLI::Validator seed_number();

/// A number in [least, most]. `inf` counts where `most` is infinite.
CLI::Validator number_from(double least, double most = std::numeric_limits<double>::infinity());

/// A number in (0, most].
CLI::Validator positive_number(double most);

/// A share in (0, 1), also in per cent: 0.005 or 0.5%.
CLI::Validator share_number();

/// What may be said about memory: more than 0 and at most 10^9 gigabytes.
CLI::Validator gigabytes();

}  // namespace geodome::cli
