#include <array>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_sections.h"

namespace geodome::internal {
namespace {

namespace kinds {

constexpr SectionKind spectral_count("SPCN");         ///< int32, 1: eigenvectors
constexpr SectionKind spectral_vectors("SPCV");       ///< float32, #V by eigenvectors
constexpr SectionKind spectral_coefficients("SPCC");  ///< float32, #V by eigenvectors
constexpr SectionKind spectral_component("SPCP");     ///< int32, #V; absent where all are in one component
constexpr std::array<KnownSection, 4> spectrometer = {spectral_count, sections::finite(spectral_vectors),
                                                      sections::finite(spectral_coefficients),
                                                      spectral_component};

}  // namespace kinds

std::shared_ptr<const DistanceMatrix> read_spectrometer(std::shared_ptr<const StoredArrays> stored,
                                                        DistanceKind kind) {
  SpectrometerArrays arrays;
  const auto count = stored->sound<Index>(kinds::spectral_count);
  if (count.size() != 1) throw InputError(text("expected one number of eigenvectors, got ", count.size()));
  arrays.eigenvectors = count[0];
  arrays.vectors = stored->unchecked<float>(kinds::spectral_vectors);
  arrays.coefficients = stored->unchecked<float>(kinds::spectral_coefficients);
  arrays.component = stored->sound_if_any<Index>(kinds::spectral_component);
  arrays.check = &stored->check();
  arrays.owner = std::move(stored);
  return std::make_shared<SpectrometerMatrix>(std::move(arrays), kind);
}

void write_spectrometer(ContainerWriter& writer, const DistanceMatrix& matrix) {
  const SpectrometerArrays& arrays = static_cast<const SpectrometerMatrix&>(matrix).arrays();
  writer.add(kinds::spectral_count, std::span<const Index>(&arrays.eigenvectors, 1));
  writer.add(kinds::spectral_vectors, arrays.vectors);
  writer.add(kinds::spectral_coefficients, arrays.coefficients);
  if (!arrays.component.empty()) writer.add(kinds::spectral_component, arrays.component);
}

}  // namespace

const FileCodec spectrometer_codec = {"spectrometer", kinds::spectrometer, read_spectrometer,
                                      write_spectrometer};

}  // namespace geodome::internal
