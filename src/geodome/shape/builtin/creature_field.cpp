#include "geodome/shape/builtin/creature_field.h"

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

namespace geodome::internal {
namespace {

using Eigen::Vector3d;
using Sample = CreatureField::Sample;

/// The hull of two balls, joined to what came before over the width `blend`.
struct RoundCone {
  Vector3d a;
  double radius_a;
  Vector3d b;
  double radius_b;
  double blend;
};

Sample distance_to_ball(const Vector3d& offset, double radius) {
  const double length = offset.norm();
  return {length - radius, length > 0 ? Vector3d(offset / length) : Vector3d::UnitZ()};
}

Sample distance_to(const RoundCone& cone, const Vector3d& point) {
  const Vector3d axis = cone.b - cone.a;
  const double length = axis.norm();
  const Vector3d offset = point - cone.a;
  if (length <= std::abs(cone.radius_a - cone.radius_b)) return distance_to_ball(offset, cone.radius_a);
  const Vector3d along = axis / length;
  const double y = offset.dot(along);
  const Vector3d across = offset - y * along;
  const double x = across.norm();
  const double slope = (cone.radius_a - cone.radius_b) / length, upright = std::sqrt(1 - slope * slope);
  const double place = y * upright - x * slope;
  if (place < 0) return distance_to_ball(offset, cone.radius_a);
  if (place > upright * length) return distance_to_ball(point - cone.b, cone.radius_b);
  const Vector3d outward = x > 0 ? Vector3d(across / x) : along.unitOrthogonal();
  return {x * upright + y * slope - cone.radius_a, upright * outward + slope * along};
}

/// The smaller of the two, rounded where they are closer than `width`: twice continuously differentiable.
Sample smooth_minimum(const Sample& p, const Sample& q, double width) {
  const Sample &low = p.value < q.value ? p : q, &high = p.value < q.value ? q : p;
  const double gap = 1 - (high.value - low.value) / width;
  if (gap <= 0) return low;
  return {low.value - width * gap * gap * gap / 6,
          low.gradient + gap * gap / 2 * (high.gradient - low.gradient)};
}

void add_leg(std::vector<RoundCone>& parts, double side, const Vector3d& hip, const Vector3d& foot,
             double thigh, double shin) {
  const auto place = [&](const Vector3d& p) { return Vector3d(p.x(), side * p.y(), p.z()); };
  const Vector3d knee = 0.45 * hip + 0.55 * foot;
  parts.push_back({place(hip), thigh, place(knee), shin, 0.16});
  parts.push_back({place(knee), shin, place(foot), shin * 1.02, 0.05});
  for (double angle : {-0.75, 0.0, 0.75}) {
    const Vector3d toe = foot + Vector3d(0.085 * std::cos(angle), 0.085 * std::sin(angle), -0.05);
    parts.push_back({place(toe), 0.040, place(toe), 0.040, 0.03});
  }
}

std::vector<RoundCone> make_parts() {
  std::vector<RoundCone> parts = {
      {{-0.36, 0, -0.02}, 0.31, {0.02, 0, -0.05}, 0.37, 0.1},    // hips to belly
      {{0.02, 0, -0.05}, 0.37, {0.34, 0, -0.01}, 0.28, 0.1},     // belly to shoulders
      {{-0.40, 0, 0.01}, 0.26, {-0.82, 0, 0}, 0.095, 0.12},      // tail
      {{-0.82, 0, 0}, 0.095, {-2.20, 0, 0}, 0.022, 0.06},        //
      {{0.34, 0, 0.02}, 0.210, {0.66, 0, 0.0}, 0.088, 0.12},     // neck
      {{0.66, 0, 0}, 0.088, {1.52, 0, 0}, 0.060, 0.06},          //
      {{1.60, 0, 0.02}, 0.158, {1.67, 0, 0.015}, 0.155, 0.09},   // head
      {{1.68, 0, -0.02}, 0.130, {1.87, 0, -0.045}, 0.100, 0.08}  // snout
  };
  for (double side : {-1.0, 1.0}) {
    add_leg(parts, side, {0.30, 0.17, -0.12}, {0.30, 0.225, -0.68}, 0.125, 0.080);
    add_leg(parts, side, {-0.34, 0.18, -0.10}, {-0.34, 0.235, -0.68}, 0.155, 0.086);
    parts.push_back({{1.685, side * 0.118, 0.075}, 0.050, {1.69, side * 0.118, 0.075}, 0.050, 0.012});  // eye
    parts.push_back(
        {{1.935, side * 0.038, 0.022}, 0.018, {1.94, side * 0.038, 0.022}, 0.018, 0.02});  // nostril
  }
  return parts;
}

}  // namespace

CreatureField::Sample CreatureField::operator()(const Vector3d& point) const {
  static const std::vector<RoundCone> parts = make_parts();
  Sample body{1e9, Vector3d::UnitZ()};
  for (const RoundCone& part : parts) body = smooth_minimum(body, distance_to(part, point), part.blend);
  // The feet stand flat: the part below the ground is cut off, with a round edge.
  const Sample above{point.z() + 0.765, Vector3d::UnitZ()};
  const Sample cut = smooth_minimum({-body.value, -body.gradient}, above, 0.06);
  return {-cut.value, -cut.gradient};
}

Vector3d CreatureField::project(Vector3d point) const {
  for (int step = 0; step < 3; ++step) {
    const Sample here = (*this)(point);
    const double steepness = here.gradient.squaredNorm();
    if (!(steepness > 0.01)) break;
    point -= here.value / steepness * here.gradient;
    if (std::abs(here.value) < 1e-7) break;
  }
  return point;
}

}  // namespace geodome::internal
