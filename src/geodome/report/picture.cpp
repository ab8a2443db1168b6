#include "geodome/report/picture.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

using Eigen::Vector3f;

constexpr int samples_per_side = 2;  ///< each pixel is the mean of 2 × 2 samples
constexpr double margin = 1.06;      ///< of the fitted picture over the mesh

/// Light is added up in linear intensity; files hold its square root, close enough to sRGB.
float to_linear(std::uint8_t value) {
  return std::pow(static_cast<float>(value) / 255.0f, 2.0f);
}
std::uint8_t to_byte(float linear) {
  return static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(linear, 0.0f, 1.0f))));
}

/// Everything drawn so far at each sample; the nearest surface wins.
struct Canvas {
  int width, height;
  std::vector<float> depth;  ///< in samples, larger is nearer; -infinity where empty
  std::vector<Vector3f> normal, colour;

  Canvas(int w, int h)
      : width(w),
        height(h),
        depth(static_cast<std::size_t>(w) * h, -std::numeric_limits<float>::infinity()),
        normal(depth.size(), Vector3f::Zero()),
        colour(depth.size(), Vector3f::Zero()) {}
};

struct Corner {
  Vector3f place;  ///< sample column, sample row, depth in samples
  Vector3f normal, colour;
};

void draw_triangle(Canvas& canvas, const Corner& a, const Corner& b, const Corner& c) {
  const Vector3f &p = a.place, &q = b.place, &r = c.place;
  const float area = (q.x() - p.x()) * (r.y() - p.y()) - (r.x() - p.x()) * (q.y() - p.y());
  if (area == 0) return;
  const Vector3f low = p.cwiseMin(q).cwiseMin(r), high = p.cwiseMax(q).cwiseMax(r);
  const int left = std::max(0, static_cast<int>(std::ceil(low.x()))),
            right = std::min(canvas.width - 1, static_cast<int>(std::floor(high.x()))),
            top = std::max(0, static_cast<int>(std::ceil(low.y()))),
            bottom = std::min(canvas.height - 1, static_cast<int>(std::floor(high.y())));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const float fx = static_cast<float>(x), fy = static_cast<float>(y);
      const float u = ((q.x() - fx) * (r.y() - fy) - (r.x() - fx) * (q.y() - fy)) / area;
      const float v = ((r.x() - fx) * (p.y() - fy) - (p.x() - fx) * (r.y() - fy)) / area;
      const float w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0) continue;
      const float depth = u * p.z() + v * q.z() + w * r.z();
      const std::size_t at = static_cast<std::size_t>(y) * canvas.width + x;
      if (depth <= canvas.depth[at]) continue;
      canvas.depth[at] = depth;
      canvas.normal[at] = u * a.normal + v * b.normal + w * c.normal;
      canvas.colour[at] = u * a.colour + v * b.colour + w * c.colour;
    }
  }
}

/// Share of the sky a sample sees, guessed from the depths in rings around it.
float openness(const Canvas& canvas, int x, int y) {
  constexpr int rings = 4, spokes = 8;
  const float depth = canvas.depth[static_cast<std::size_t>(y) * canvas.width + x];
  const float reach = 0.045f * static_cast<float>(std::min(canvas.width, canvas.height));
  float hidden = 0;
  for (int ring = 1; ring <= rings; ++ring) {
    const float radius = reach * static_cast<float>(ring * ring) / (rings * rings);
    for (int spoke = 0; spoke < spokes; ++spoke) {
      const float angle =
          2 * std::numbers::pi_v<float> * (static_cast<float>(spoke) + 0.5f * (ring % 2)) / spokes;
      const int sx = x + static_cast<int>(std::lround(radius * std::cos(angle)));
      const int sy = y + static_cast<int>(std::lround(radius * std::sin(angle)));
      if (sx < 0 || sy < 0 || sx >= canvas.width || sy >= canvas.height) continue;
      const float rise =
          (canvas.depth[static_cast<std::size_t>(sy) * canvas.width + sx] - depth) / (radius + 1);
      // A steep rise close by hides the sky; one far in front belongs to something else.
      if (rise > 0) hidden += std::min(rise, 1.5f) / (1 + 0.3f * rise * rise);
    }
  }
  return 1 / (1 + 1.6f * hidden / (rings * spokes));
}

/// A key light from the upper left, sky from above, and a little light from behind along the outline.
Vector3f shade(const Vector3f& normal, const Vector3f& colour, const Vector3f& sky, float open) {
  static const Vector3f key = Vector3f(-0.45f, 0.65f, 0.75f).normalized();
  static const Vector3f half = (key + Vector3f::UnitZ()).normalized();
  const float direct = std::pow(0.5f + 0.5f * normal.dot(key), 1.6f);
  const float overhead = 0.5f + 0.5f * normal.dot(sky);
  const float shine = std::pow(std::max(0.0f, normal.dot(half)), 40.0f);
  const float outline = std::pow(1 - std::clamp(normal.z(), 0.0f, 1.0f), 4.0f);
  const Vector3f warm(1.0f, 0.96f, 0.9f), cool(0.85f, 0.93f, 1.0f);
  const Vector3f light = 0.78f * direct * warm + 0.34f * overhead * open * cool;
  return (light.cwiseProduct(colour) * (0.45f + 0.55f * open)).array() + 0.07f * shine +
         0.10f * outline * open;
}

/// A direction as it is in a mesh whose z points up, in one whose other axis does.
Eigen::RowVector3d with_up(UpAxis up, const Eigen::RowVector3d& direction) {
  if (up == UpAxis::x) return {direction[2], direction[0], direction[1]};
  if (up == UpAxis::y) return {direction[0], direction[2], -direction[1]};
  return direction;
}

/// The mesh turned so that x points right, y up and z to the viewer.
Eigen::Matrix3d camera(const View& view) {
  const double azimuth = view.azimuth * std::numbers::pi / 180,
               elevation = view.elevation * std::numbers::pi / 180;
  const Eigen::RowVector3d toward(std::cos(elevation) * std::cos(azimuth),
                                  std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
  const Eigen::RowVector3d right(-std::sin(azimuth), std::cos(azimuth), 0);
  Eigen::Matrix3d turn;
  turn << with_up(view.up, right), with_up(view.up, toward.cross(right)), with_up(view.up, toward);
  return turn;
}

std::vector<Corner> project(const TriangleMesh& mesh, const Colours& colours, const View& view) {
  const Eigen::Matrix3d turn = camera(view);
  Points points = mesh.points * turn.transpose();
  const Eigen::RowVector3d low = points.colwise().minCoeff(), high = points.colwise().maxCoeff();
  double half = view.half_height;
  if (!(half > 0)) {
    half = margin / 2 * std::max(high.y() - low.y(), (high.x() - low.x()) * view.height / view.width);
    if (!(half > 0)) half = 1;
  }
  const double scale = samples_per_side * view.height / 2.0 / half;
  points.rowwise() -= (low + high) / 2;
  points *= scale;
  Points normals = Points::Zero(points.rows(), 3);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto t = mesh.triangles.row(f);
    const Eigen::RowVector3d normal =
        (points.row(t[1]) - points.row(t[0])).cross(points.row(t[2]) - points.row(t[0]));
    for (int k = 0; k < 3; ++k) normals.row(t[k]) += normal;
  }
  std::vector<Corner> corners(points.rows());
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    Corner& corner = corners[v];
    corner.place = Vector3f(static_cast<float>(points(v, 0) + samples_per_side * view.width / 2.0),
                            static_cast<float>(samples_per_side * view.height / 2.0 - points(v, 1)),
                            static_cast<float>(points(v, 2)));
    corner.normal = normals.row(v).normalized().cast<float>().transpose();
    for (int k = 0; k < 3; ++k)
      corner.colour[k] = to_linear(colours.rows() > 0 ? colours(v, k) : view.colour[k]);
  }
  return corners;
}

void check(const TriangleMesh& mesh, const Colours& colours, const View& view) {
  if (mesh.triangles.rows() == 0 || !mesh.points.allFinite()) {
    throw InputError("cannot draw a mesh without faces or with coordinates that are not finite");
  }
  if (mesh.triangles.minCoeff() < 0 || mesh.triangles.maxCoeff() >= mesh.points.rows()) {
    throw InputError(text("cannot draw: a face refers to a vertex outside [0, ", mesh.points.rows(), ")"));
  }
  if (colours.rows() != 0 && colours.rows() != mesh.points.rows()) {
    throw InputError(text(colours.rows(), " colours for ", mesh.points.rows(),
                          " vertices: expected one per vertex, or none"));
  }
  if (view.width < 1 || view.height < 1 || static_cast<double>(view.width) * view.height > 1e8) {
    throw InputError(
        text("the size of a picture must be 1 to 100 million pixels, got ", view.width, " by ", view.height));
  }
}

}  // namespace

Image render(const TriangleMesh& mesh, const Colours& colours, const View& view) {
  check(mesh, colours, view);
  const std::vector<Corner> corners = project(mesh, colours, view);
  Canvas canvas(view.width * samples_per_side, view.height * samples_per_side);
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto t = mesh.triangles.row(f);
    draw_triangle(canvas, corners[t[0]], corners[t[1]], corners[t[2]]);
  }
  Vector3f background;
  for (int k = 0; k < 3; ++k) background[k] = to_linear(view.background[k]);
  const Vector3f sky =
      (camera(view) * with_up(view.up, Eigen::RowVector3d::UnitZ()).transpose()).cast<float>();
  Image image{view.width, view.height, {}};
  image.rgb.reserve(3 * static_cast<std::size_t>(view.width) * view.height);
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      Vector3f sum = Vector3f::Zero();
      for (int s = 0; s < samples_per_side * samples_per_side; ++s) {
        const int sx = x * samples_per_side + s % samples_per_side,
                  sy = y * samples_per_side + s / samples_per_side;
        const std::size_t at = static_cast<std::size_t>(sy) * canvas.width + sx;
        if (canvas.depth[at] == -std::numeric_limits<float>::infinity()) {
          sum += background;
          continue;
        }
        Vector3f normal = canvas.normal[at].normalized();
        if (normal.z() < 0) normal = -normal;  // the back of an open surface
        sum += shade(normal, canvas.colour[at], sky, openness(canvas, sx, sy)).cwiseMin(1).cwiseMax(0);
      }
      sum /= samples_per_side * samples_per_side;
      for (int k = 0; k < 3; ++k) image.rgb.push_back(to_byte(sum[k]));
    }
  }
  return image;
}

Image arrange(const std::vector<Image>& images, int columns) {
  if (images.empty() || columns < 1)
    throw InputError("arranging pictures requires at least one picture and one column");
  const Image& first = images.front();
  columns = std::min<int>(columns, static_cast<int>(images.size()));
  const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
  Image sheet{first.width * columns, first.height * rows, {}};
  sheet.rgb.assign(3 * static_cast<std::size_t>(sheet.width) * sheet.height, 255);
  for (std::size_t k = 0; k < images.size(); ++k) {
    if (images[k].width != first.width || images[k].height != first.height) {
      throw InputError(text("picture ", k, " differs in size from the first: sizes must be equal"));
    }
    const std::size_t row = k / columns, column = k % columns;
    for (int y = 0; y < first.height; ++y) {
      const auto* from = images[k].rgb.data() + 3 * static_cast<std::size_t>(y) * first.width;
      const std::size_t line = row * first.height + y;
      std::copy(from, from + 3 * first.width,
                sheet.rgb.data() + 3 * (line * sheet.width + column * first.width));
    }
  }
  return sheet;
}

}  // namespace geodome::internal
