#include "geodome/file/codecs.h"

namespace geodome::internal {

std::span<const FileCodec* const> file_codecs() {
  static constexpr const FileCodec* all[] = {&sparse_landmark_codec, &dense_landmark_codec, &cell_codec,
                                             &ctg_codec, &spectrometer_codec};
  return all;
}

}  // namespace geodome::internal
