#include <cmath>
#include <numbers>

#include "geodome/base/random_unit.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/builtin_grid.h"

namespace geodome {

using namespace internal;

namespace {

constexpr double first_turn = 1.5 * std::numbers::pi, last_turn = 4.5 * std::numbers::pi, roll_height = 21;

/// Length of the spiral from its centre.
double arc_length(double turn) {
  return (turn * std::sqrt(1 + turn * turn) + std::asinh(turn)) / 2;
}

double turn_at(double length) {
  double turn = std::sqrt(2 * length);
  for (int step = 0; step < 20; ++step) turn -= (arc_length(turn) - length) / std::sqrt(1 + turn * turn);
  return turn;
}

Eigen::RowVector3d roll_point(double share_along, double share_up) {
  const double low = arc_length(first_turn), high = arc_length(last_turn);
  const double turn = turn_at(low + share_along * (high - low));
  return {turn * std::cos(turn), turn * std::sin(turn), roll_height * share_up};
}

}  // namespace

SwissRoll make_swiss_roll_grid(Index along, Index up) {
  require_at_least("swiss roll", "vertices along", along, 2);
  require_at_least("swiss roll", "vertices up", up, 2);
  require_indexable("swiss roll", static_cast<double>(along) * up);
  SwissRoll roll;
  roll.points.resize(Eigen::Index{along} * up, 3);
  roll.flat.resize(Eigen::Index{along} * up, 2);
  double length = 0;
  for (Index c = 0; c < along; ++c) {
    const Eigen::RowVector3d point = roll_point(static_cast<double>(c) / (along - 1), 0);
    if (c > 0) length += (point - roll.points.row(c - 1)).norm();
    for (Index r = 0; r < up; ++r) {
      const double height = roll_height * r / (up - 1);
      roll.points.row(r * along + c) << point.x(), point.y(), height;
      roll.flat.row(r * along + c) << length, height;
    }
  }
  return roll;
}

TriangleMesh make_swiss_roll(Index along, Index up) {
  return {make_swiss_roll_grid(along, up).points, grid_triangles(along, up, false, false)};
}

SwissRoll sample_swiss_roll(Index points, std::uint64_t seed) {
  require_at_least("swiss roll", "points", points, 1);
  std::mt19937_64 generator(seed);
  SwissRoll roll;
  roll.points.resize(points, 3);
  roll.flat.resize(points, 2);
  for (Index p = 0; p < points; ++p) {
    const double along = random_unit(generator), up = random_unit(generator);
    roll.points.row(p) = roll_point(along, up);
    roll.flat.row(p) << along * (arc_length(last_turn) - arc_length(first_turn)), up * roll_height;
  }
  return roll;
}

}  // namespace geodome
