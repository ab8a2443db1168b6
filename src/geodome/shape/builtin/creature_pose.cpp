#include "geodome/shape/builtin/creature_pose.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace geodome::internal {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double degree = std::numbers::pi / 180;

/// Share of a bend done at t in [0, 1]: its slope, the curvature, rises over a quarter, stays, and falls
/// again.
double smooth_step(double t) {
  constexpr double ramp = 0.25;
  if (t <= 0) return 0;
  if (t > 0.5) return 1 - smooth_step(1 - t);
  const double rising = t / 2 - ramp / (2 * std::numbers::pi) * std::sin(std::numbers::pi * t / ramp);
  return (t < ramp ? rising : t - ramp / 2) / (1 - ramp);
}

/// Half the thickness of the body at a place on the x axis, from the tip of the tail to the head.
double girth(double x) {
  constexpr double places[] = {-2.2, -0.82, -0.4, 0.02, 0.34, 0.66, 1.52};
  constexpr double radii[] = {0.022, 0.095, 0.27, 0.37, 0.26, 0.088, 0.060};
  const auto next = std::clamp(std::upper_bound(std::begin(places), std::end(places), x) - places,
                               std::ptrdiff_t{1}, std::ssize(places) - 1);
  const double t = std::clamp((x - places[next - 1]) / (places[next] - places[next - 1]), 0.0, 1.0);
  return (1 - t) * radii[next - 1] + t * radii[next];
}

/// The bent spine: where each place on the x axis goes, and how the slice of the body there is turned.
class Spine {
 public:
  explicit Spine(const std::vector<Bend>& bends) : bends_(bends), places_(steps + 1), turns_(steps + 1) {
    // From the middle of the trunk outwards, so that the trunk stays and the ends move.
    const int middle = static_cast<int>(std::lround(-start / step));
    places_[middle].setZero();
    turns_[middle].setIdentity();
    for (int k = middle; k < steps; ++k) advance(k, k + 1);
    for (int k = middle; k > 0; --k) advance(k, k - 1);
  }

  Vector3d operator()(const Vector3d& point) const {
    const double at = std::clamp((point.x() - start) / step, 0.0, static_cast<double>(steps));
    const int k = std::min(static_cast<int>(at), steps - 1);
    const double t = at - k;
    const Quaterniond turn = turns_[k].slerp(t, turns_[k + 1]);
    const Vector3d place = (1 - t) * places_[k] + t * places_[k + 1];
    const double beyond = point.x() - (start + at * step);
    return place + turn * Vector3d(beyond, point.y(), point.z());
  }

 private:
  static constexpr double start = -2.4, end = 2.2;
  static constexpr int steps = 9200;  ///< fine enough that a million vertices see no corner
  static constexpr double step = (end - start) / steps;
  /// What keeps its length lies so far, in parts of the girth, from the middle towards the inner side of a
  /// bend: shortest paths along the body run there.
  static constexpr double unstretched = 0.7;

  /// Rotation from slice `from` to its neighbour `to`, about the slice's own axes.
  void advance(int from, int to) {
    const double x0 = start + from * step, x1 = start + to * step;
    double pitch = 0, yaw = 0;
    for (const Bend& bend : bends_) {
      const double width = bend.to - bend.from;
      const double share = smooth_step((x1 - bend.from) / width) - smooth_step((x0 - bend.from) / width);
      pitch += share * bend.pitch * degree;
      yaw += share * bend.yaw * degree;
    }
    const Vector3d turn(0, -pitch, yaw);
    const double angle = turn.norm();
    const Quaterniond half =
        angle > 0 ? Quaterniond(Eigen::AngleAxisd(angle / 2, turn / angle)) : Quaterniond::Identity();
    turns_[to] = (turns_[from] * half * half).normalized();
    const double longer = std::copysign(unstretched * girth((x0 + x1) / 2) * angle, x1 - x0);
    places_[to] = places_[from] + turns_[from] * half * Vector3d(x1 - x0 + longer, 0, 0);
  }

  const std::vector<Bend>& bends_;
  std::vector<Vector3d> places_;
  std::vector<Quaterniond> turns_;
};

/// One leg: hangs straight down from (x, y) and bends forwards and backwards.
class Leg {
 public:
  Leg(double x, double y, const LegSwing& swing) : x_(x), y_(y), still_(swing.hip == 0 && swing.knee == 0) {
    places_.resize(steps + 1);
    angles_.resize(steps + 1);
    double px = 0, pz = top;
    for (int k = 0; k <= steps; ++k) {
      const double depth = k * step;
      angles_[k] =
          degree * (swing.hip * smooth_step(depth / 0.42) + swing.knee * smooth_step((depth - 0.2) / 0.36));
      places_[k] = {px, pz};
      const double next = degree * (swing.hip * smooth_step((depth + step / 2) / 0.42) +
                                    swing.knee * smooth_step((depth + step / 2 - 0.2) / 0.36));
      px += step * std::sin(next);
      pz -= step * std::cos(next);
    }
  }

  Vector3d operator()(const Vector3d& point) const {
    if (still_ || point.z() >= top || point.y() * y_ <= 0) return point;
    const double dx = point.x() - x_, dy = point.y() - y_;
    // The trunk around the leg follows it less and less, and not at all on the other side; below the belly
    // there is nothing but the leg.
    const double away = std::hypot(dx, dy * y_ > 0 ? 0.0 : 1.95 * dy);
    const double near = 1 - smooth_step((away - 0.13) / 0.27);
    const double alone = std::abs(dx) < 0.32 ? smooth_step((-0.44 - point.z()) / 0.14) : 0;
    const double weight = near + (1 - near) * alone;
    if (weight <= 0) return point;
    const double at = std::min((top - point.z()) / step, static_cast<double>(steps) - 1e-9);
    const int k = static_cast<int>(at);
    const double t = at - k;
    const double angle = (1 - t) * angles_[k] + t * angles_[k + 1];
    const Eigen::Vector2d place = (1 - t) * places_[k] + t * places_[k + 1];
    const Vector3d bent(x_ + place.x() + dx * std::cos(angle), point.y(), place.y() + dx * std::sin(angle));
    return point + weight * (bent - point);
  }

 private:
  static constexpr double top = 0.02, bottom = -0.90;
  static constexpr int steps = 2000;
  static constexpr double step = (top - bottom) / steps;

  double x_, y_;
  bool still_;
  std::vector<Eigen::Vector2d> places_;
  std::vector<double> angles_;
};

}  // namespace

const std::vector<CreaturePose>& creature_poses() {
  // Where along the body: tail tip, middle and root, neck root, middle and top.
  constexpr double tip0 = -2.15, tip1 = -1.45, mid0 = -1.7, mid1 = -0.95, root0 = -1.35, root1 = -0.78;
  constexpr double neck0 = 0.64, neck1 = 1.38, throat0 = 0.80, throat1 = 1.45;
  constexpr double nape0 = 1.10, nape1 = 1.54;
  static const std::vector<CreaturePose> poses = {
      {"standing",
       {{root0, root1, -10, 0}, {tip0, mid1, 26, 0}, {neck0, neck1, 44, 0}, {nape0, nape1, -36, 0}},
       {{0, 0}, {0, 0}, {0, 0}, {0, 0}},
       0},
      {"walking",
       {{root0, root1, -4, 12}, {tip0, mid1, 22, -34}, {neck0, neck1, 36, -6}, {nape0, nape1, -32, 8}},
       {{14, -8}, {-12, 4}, {-12, 2}, {14, -8}},
       0},
      {"grazing",
       {{root0, root1, 6, 0}, {tip0, mid1, -12, 20}, {neck0, neck1, -36, 12}, {nape0, nape1, 16, 4}},
       {{4, 0}, {9, -6}, {0, 0}, {-7, 2}},
       0},
      {"looking back",
       {{root0, root1, -6, 16},
        {tip0, mid1, 18, 46},
        {neck0, neck1, 30, -44},
        {throat0, throat1, 0, -34},
        {nape0, nape1, -30, -18}},
       {{4, 0}, {-4, 0}, {0, 0}, {4, 0}},
       0},
      {"reaching up",
       {{root0, root1, 16, 0}, {tip0, mid1, 10, 26}, {neck0, neck1, 38, 0}, {nape0, nape1, -26, 0}},
       {{10, -20}, {6, -16}, {-12, 0}, {-11, 0}},
       24},
      {"trotting",
       {{root0, root1, 20, 0}, {tip0, mid1, 32, 0}, {neck0, neck1, 34, 0}, {nape0, nape1, -36, 0}},
       {{-12, -4}, {14, -18}, {12, -8}, {-12, -10}},
       0},
      {"curled up",
       {{tip0, mid1, 0, -70},
        {mid0, root1, -2, -34},
        {neck0, neck1, 4, -42},
        {throat0, throat1, 0, -34},
        {nape0, nape1, 4, -16}},
       {{8, -12}, {6, -10}, {7, -12}, {6, -9}},
       0},
      {"waving its tail",
       {{tip0, tip1, 24, 56},
        {mid0, mid1, 14, -54},
        {root0, root1, 10, 30},
        {neck0, neck1, 40, -28},
        {throat0, throat1, 0, -16},
        {nape0, nape1, -36, 18}},
       {{6, 0}, {-6, 0}, {-6, 0}, {6, 0}},
       0},
  };
  return poses;
}

Points bend_creature(const Points& stretched, const CreaturePose& pose) {
  const Spine spine(pose.bends);
  const Leg legs[4] = {{0.30, 0.21, pose.legs[0]},
                       {0.30, -0.21, pose.legs[1]},
                       {-0.34, 0.22, pose.legs[2]},
                       {-0.34, -0.22, pose.legs[3]}};
  const Eigen::Matrix3d rise = Eigen::AngleAxisd(-pose.rise * degree, Vector3d::UnitY()).toRotationMatrix();
  Points bent(stretched.rows(), 3);
  for (Eigen::Index v = 0; v < stretched.rows(); ++v) {
    Vector3d point = stretched.row(v).transpose();
    for (const Leg& leg : legs) point = leg(point);
    bent.row(v) = (rise * spine(point)).transpose();
  }
  return bent;
}

}  // namespace geodome::internal
