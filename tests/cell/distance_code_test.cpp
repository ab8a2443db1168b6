#include "geodome/cell/distance_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {
namespace {

using Triangle = std::vector<std::uint16_t>;

std::vector<Index> any_order(Index size, unsigned seed) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

template <typename Distance>
Triangle triangle(Index size, const Distance& distance) {
  Triangle result;
  for (Index r = 0; r < size; ++r)
    for (Index c = 0; c <= r; ++c) result.push_back(static_cast<std::uint16_t>(distance(r, c)));
  return result;
}

/// Distances between random points of the plane or the sphere, in steps.
Triangle between_points(Index size, bool sphere) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Eigen::Vector3d> points;
  for (Index k = 0; k < size; ++k) {
    Eigen::Vector3d point(normal(random), normal(random), sphere ? normal(random) : 0);
    points.push_back(sphere ? Eigen::Vector3d(point.normalized()) : point);
  }
  double largest = 1e-9;
  const auto distance = [&](Index r, Index c) {
    const double chord = (points[r] - points[c]).norm();
    return sphere ? 2 * std::asin(std::min(1.0, chord / 2)) : chord;
  };
  for (Index r = 0; r < size; ++r)
    for (Index c = 0; c < r; ++c) largest = std::max(largest, distance(r, c));
  return triangle(size, [&](Index r, Index c) { return std::lround(distance(r, c) * 60000 / largest); });
}

struct Coded {
  TokenTables tables;
  std::vector<std::uint32_t> words;
};

constexpr std::size_t first_context = 3;

Coded code(const std::vector<Triangle>& triangles, const std::vector<std::vector<Index>>& orders) {
  TokenRecord record;
  for (std::size_t k = 0; k < triangles.size(); ++k)
    put_distances(triangles[k], orders[k], first_context, record);
  for (const TokenRecord::Number& number : record.numbers()) {
    EXPECT_GE(number.context, first_context);
    EXPECT_LT(number.context, first_context + distance_contexts);
  }
  TokenCounts counts(first_context + distance_contexts);
  counts.add(record);
  Coded coded{TokenTables(counts), {}};
  coded.words = encode(record, coded.tables);
  return coded;
}

void expect_exact(const std::vector<Triangle>& triangles, const std::vector<std::vector<Index>>& orders) {
  const Coded coded = code(triangles, orders);
  TokenReader reader(coded.tables, coded.words);
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    Triangle read(triangles[k].size());
    get_distances(reader, static_cast<Index>(orders[k].size()), first_context, read);
    EXPECT_EQ(read, triangles[k]);
  }
  EXPECT_NO_THROW(reader.finish());
}

TEST(DistanceCode, IsExactWhateverTheDistances) {
  for (const Index size : {1, 2, 3, 4, 50, 300})
    for (const unsigned seed : {1u, 2u}) {
      SCOPED_TRACE(size);
      std::mt19937 random(seed);
      const std::vector<std::vector<Index>> order{any_order(size, seed)};
      expect_exact({triangle(size, [](Index, Index) { return 0; })}, order);
      expect_exact({triangle(size, [](Index, Index) { return 65535; })}, order);
      expect_exact({triangle(size, [&](Index, Index) { return random() % 65536; })}, order);
      expect_exact({triangle(size, [&](Index, Index) { return random() % 2 ? 65535 : 0; })}, order);
      expect_exact({between_points(size, false)}, order);
      expect_exact({between_points(size, true)}, order);
    }
}

TEST(DistanceCode, ComponentsFollowEachOther) {
  std::vector<Triangle> triangles;
  std::vector<std::vector<Index>> orders;
  for (const Index size : {40, 1, 2, 120, 1, 7}) {
    triangles.push_back(between_points(size, size > 10));
    orders.push_back(any_order(size, 3));
  }
  expect_exact(triangles, orders);
}

/// Farthest points first, as landmarks are chosen.
std::vector<Index> coarse_to_fine(const Triangle& distances, Index size) {
  const auto at = [&](Index a, Index b) {
    return distances[static_cast<std::size_t>(packed_size(std::max(a, b)) + std::min(a, b))];
  };
  std::vector<Index> order{0};
  std::vector<int> nearest(static_cast<std::size_t>(size));
  for (Index v = 0; v < size; ++v) nearest[v] = at(0, v);
  while (static_cast<Index>(order.size()) < size) {
    nearest[order.back()] = -1;
    const auto next = static_cast<Index>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    order.push_back(next);
    for (Index v = 0; v < size; ++v) nearest[v] = std::min<int>(nearest[v], at(next, v));
  }
  return order;
}

TEST(DistanceCode, TakesFewBitsWhereDistancesAreSmooth) {
  const Index size = 400;
  const double pairs = static_cast<double>(packed_size(size));
  const Triangle sphere = between_points(size, true), plane = between_points(size, false);
  EXPECT_LT(32 * static_cast<double>(code({sphere}, {coarse_to_fine(sphere, size)}).words.size()) / pairs,
            11);
  EXPECT_LT(32 * static_cast<double>(code({plane}, {coarse_to_fine(plane, size)}).words.size()) / pairs, 11);
  // In coarser steps, as they are stored.
  Triangle coarse = sphere;
  for (std::uint16_t& one : coarse) one = static_cast<std::uint16_t>(one / 128);
  EXPECT_LT(32 * static_cast<double>(code({coarse}, {coarse_to_fine(coarse, size)}).words.size()) / pairs,
            4.5);
}

TEST(DistanceCode, DamageIsRefusedOrGivesOtherDistances) {
  const Index size = 12;
  const Triangle distances = between_points(size, true);
  const Coded coded = code({distances}, {any_order(size, 4)});
  const auto read = [&](std::span<const std::uint32_t> words) {
    Triangle result(distances.size());
    TokenReader reader(coded.tables, words);
    get_distances(reader, size, first_context, result);
    reader.finish();
  };
  EXPECT_NO_THROW(read(coded.words));
  for (std::size_t length = 0; length < coded.words.size(); ++length)
    EXPECT_THROW(read(std::span(coded.words).first(length)), InputError) << length;
  std::size_t found = 0, tried = 0;
  for (std::size_t k = 0; k < coded.words.size(); ++k)
    for (int bit = 0; bit < 32; ++bit) {
      std::vector<std::uint32_t> damaged = coded.words;
      damaged[k] ^= std::uint32_t{1} << bit;
      ++tried;
      try {
        read(damaged);
      } catch (const InputError&) {
        ++found;
      }
    }
  EXPECT_GT(found, tried / 2) << "bits that are stored as they are may change a distance and nothing else";
}

TEST(DistanceCode, RefusesAnotherNumberOfLandmarks) {
  const Triangle distances = between_points(20, true);
  const Coded coded = code({distances}, {any_order(20, 5)});
  for (const Index size : {1, 2, 19, 21, 40}) {
    Triangle result(static_cast<std::size_t>(packed_size(size)));
    const auto read = [&] {
      TokenReader reader(coded.tables, coded.words);
      get_distances(reader, size, first_context, result);
      reader.finish();
    };
    EXPECT_THROW(read(), InputError) << size;
  }
}

}  // namespace
}  // namespace geodome::internal
