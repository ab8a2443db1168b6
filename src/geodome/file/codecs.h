#pragma once
/// Every matrix that a file can hold.

#include <span>

#include "geodome/file/codec.h"

namespace geodome::internal {

extern const FileCodec sparse_landmark_codec;
extern const FileCodec dense_landmark_codec;
extern const FileCodec cell_codec;
extern const FileCodec ctg_codec;
extern const FileCodec spectrometer_codec;

std::span<const FileCodec* const> file_codecs();

}  // namespace geodome::internal
