#include "geodome/report/picture.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// Share of pixels that are not background.
double covered(const Image& image, const View& view) {
  int drawn = 0;
  for (std::size_t p = 0; p < image.rgb.size(); p += 3) {
    drawn += !std::equal(view.background.begin(), view.background.end(), image.rgb.begin() + p);
  }
  return drawn / (static_cast<double>(image.width) * image.height);
}

TEST(Picture, ASphereCoversADisc) {
  View view;
  view.width = 100;
  view.height = 80;
  view.half_height = 1.25;
  const Image image = render(make_sphere(20), {}, view);
  ASSERT_EQ(image.rgb.size(), 3u * 100 * 80);
  const double radius = 80 / (2 * 1.25);
  EXPECT_NEAR(covered(image, view) * 100 * 80, std::numbers::pi * radius * radius,
              0.06 * radius * radius * 3);
}

TEST(Picture, TheNearerSurfaceHidesTheFarther) {
  // Two squares across the view, the red one nearer: nothing green shows.
  TriangleMesh mesh;
  mesh.points.resize(8, 3);
  mesh.points << 1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1;
  mesh.triangles.resize(4, 3);
  mesh.triangles << 4, 5, 6, 4, 6, 7, 0, 1, 2, 0, 2, 3;
  Colours colours(8, 3);
  colours << 255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0;
  View view;
  view.azimuth = 0;
  view.elevation = 0;
  view.width = view.height = 40;
  const Image front = render(mesh, colours, view);
  view.azimuth = 180;
  const Image back = render(mesh, colours, view);
  const std::size_t middle = 3 * (20 * 40 + 20);
  EXPECT_GT(front.rgb[middle], 2 * front.rgb[middle + 1]);
  EXPECT_GT(back.rgb[middle + 1], 2 * back.rgb[middle]);
}

TEST(Picture, AnyAxisPointsUp) {
  const TriangleMesh z_up = make_box(2);  // made uneven, so that every turn of it looks different
  TriangleMesh mesh{z_up.points * Eigen::Vector3d(1, 2, 3).asDiagonal(), z_up.triangles};
  mesh.points.col(0) += 0.4 * mesh.points.col(2);
  View view;
  view.width = view.height = 40;
  const Image expected = render(mesh, {}, view);
  const auto difference = [&](const TriangleMesh& other) {
    const Image image = render(other, {}, view);
    double sum = 0;
    for (std::size_t k = 0; k < image.rgb.size(); ++k) sum += std::abs(image.rgb[k] - expected.rgb[k]);
    return sum / static_cast<double>(image.rgb.size());
  };
  TriangleMesh turned = mesh;
  turned.points << mesh.points.col(0), mesh.points.col(2), -mesh.points.col(1);
  EXPECT_GT(difference(turned), 5);
  view.up = UpAxis::y;
  EXPECT_LT(difference(turned), 0.5);
  turned.points << mesh.points.col(2), mesh.points.col(0), mesh.points.col(1);
  EXPECT_GT(difference(turned), 5);
  view.up = UpAxis::x;
  EXPECT_LT(difference(turned), 0.5);
}

TEST(Picture, ArrangesInRows) {
  const Image red{2, 1, {255, 0, 0, 255, 0, 0}}, blue{2, 1, {0, 0, 255, 0, 0, 255}};
  const Image sheet = arrange({red, blue, red}, 2);
  EXPECT_EQ(sheet.width, 4);
  EXPECT_EQ(sheet.height, 2);
  EXPECT_EQ(sheet.rgb[3 * 2 + 2], 255);
  EXPECT_EQ(sheet.rgb[3 * 4], 255);
  EXPECT_THROW(arrange({red, Image{1, 1, {0, 0, 0}}}, 2), InputError);
}

TEST(Picture, PngHoldsThePixels) {
  const auto path = std::filesystem::temp_directory_path() / "geodome_picture_test.png";
  const Image image{3, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 250, 251, 252}};
  write_png(image, path.string());
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::filesystem::remove(path);
  ASSERT_EQ(bytes.substr(1, 3), "PNG");
  const std::size_t data = bytes.find("IDAT");
  ASSERT_NE(data, std::string::npos);
  std::string lines(2 * 10, '\0');
  uLongf size = lines.size();
  const std::size_t length = static_cast<unsigned char>(bytes[data - 1]);
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data() + data + 4), length),
            Z_OK);
  ASSERT_EQ(size, 20u);
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(static_cast<std::uint8_t>(lines[1 + k]), image.rgb[k]);
    EXPECT_EQ(static_cast<std::uint8_t>(lines[11 + k] + lines[1 + k]), image.rgb[9 + k]);
  }
}

TEST(Picture, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(render(TriangleMesh{}), InputError);
  EXPECT_THROW(render(make_sphere(2), Colours(3, 3)), InputError);
  View view;
  view.width = 0;
  EXPECT_THROW(render(make_sphere(2), {}, view), InputError);
  EXPECT_THROW(write_png(Image{2, 2, {1, 2, 3}}, "nowhere.png"), InputError);
}

}  // namespace
}  // namespace geodome::internal
