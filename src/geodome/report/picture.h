#pragma once
/// Pictures of surfaces, drawn in software: enough for a demo, a README and a report.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 · width · height, row by row from the top
};

enum class UpAxis { x, y, z };

/// Where the viewer stands, and how large the picture is.
struct View {
  UpAxis up = UpAxis::z;  ///< what points up in the picture
  double azimuth = -60;   ///< degrees around it at which the viewer stands; from x where z points up
  double elevation = 20;  ///< degrees above the horizon
  int width = 640;
  int height = 480;
  /// Half the picture's height in the mesh's units; 0 fits the mesh, which gives each mesh its own scale.
  double half_height = 0;
  std::array<std::uint8_t, 3> background = {246, 244, 240};
  std::array<std::uint8_t, 3> colour = {205, 190, 160};  ///< of a mesh without its own colours
};

/// The mesh without perspective, softly lit, with darkened hollows and smooth edges. `colours` is #V by 3 or
/// empty. Cost: linear in faces and pixels. Throws InputError for an empty mesh, a picture of no size or
/// above 100 megapixels, or colours of the wrong number.
Image render(const TriangleMesh& mesh, const Colours& colours = {}, const View& view = {});

/// Pictures of equal size in rows of `columns`.
Image arrange(const std::vector<Image>& images, int columns);

/// Throws FileError where the file cannot be written.
void write_png(const Image& image, const std::string& path);

}  // namespace geodome::internal
