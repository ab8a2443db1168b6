#pragma once
/// Lists of vertices in files.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace geodome::cli {

using NumberPair = std::array<std::int64_t, 2>;

/// Whether this is an integer that a double holds exactly: beyond 2^53 not every integer has a double.
bool is_exact_integer(double number);

/// The integers in an NPY file (row by row), or in a text, separated by spaces, commas or line ends; lines
/// that begin with # are skipped. Either may be gzipped. Throws FileError naming the file and what is no
/// integer.
std::vector<std::int64_t> read_numbers(const std::string& path);

/// The two integers of every line of a text, separated by spaces or commas, or of every row of an NPY file of
/// two columns; lines that begin with # are skipped. Throws FileError naming the line.
std::vector<NumberPair> read_pairs(const std::string& path);

}  // namespace geodome::cli
