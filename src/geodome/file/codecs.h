#pragma once
/// Every form in which a matrix can lie in a file: P W Pᵀ and those of rivals.

#include <span>

#include "geodome/file/codec.h"

namespace geodome {

/// Compact, dense, ctg and spectrometer.
std::span<const FileCodec> file_codecs();

}  // namespace geodome
