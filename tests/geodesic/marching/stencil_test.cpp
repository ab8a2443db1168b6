#include "geodome/geodesic/marching/star.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <random>
#include <set>

#include "geodesic/marching/marching_shapes.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

std::vector<TriangleMesh> family() {
  return {make_plane(7, 6),
          make_sphere(4),
          make_torus(12, 8),
          make_box(3),
          test::shaken_plane(8, 8, 1),
          test::moebius_strip(12, 4),
          test::fan_of_wings(3, 3),
          test::strip_with_flat_faces()};
}

TEST(Stencil, VirtualSourceDistanceIsExactInThePlane) {
  // Sources below the chord from (0, 0) to (1, 0), the target above it.
  for (const double sx : {-0.3, 0.2, 0.5, 1.4})
    for (const double sy : {-0.1, -1.0, -7.0})
      for (const double x : {-0.2, 0.4, 0.9})
        for (const double y : {0.1, 0.8}) {
          const double crossing = sx + (x - sx) * (-sy) / (y - sy);
          const float da = std::hypot(sx, sy), db = std::hypot(sx - 1, sy);
          const float found = virtual_source_distance(da, db, 1, 0.5f, x, y);
          const double truth = std::hypot(x - sx, y - sy);
          if (crossing > 1e-3 && crossing < 1 - 1e-3 && truth > std::max(da, db) + 1e-3) {
            EXPECT_NEAR(found, truth, 1e-5 * truth);
          }
          if (crossing < -1e-3 || crossing > 1 + 1e-3) {
            EXPECT_TRUE(std::isinf(found));
          }
        }
}

TEST(Stencil, NothingArrivesBeforeItLeft) {
  for (float da = 0; da < 2; da += 0.17f)
    for (float db = 0; db < 2; db += 0.13f) {
      const float found = virtual_source_distance(da, db, 0.8f, 0.625f, 0.3f, 0.05f);
      EXPECT_FALSE(found < std::max(da, db));
    }
}

std::vector<Chord> all_chords(const Stencil& stencil) {
  std::vector<Chord> all;
  for (Index v = 0; v < stencil.vertices; ++v) {
    const auto some = stencil.chords_of(v);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(Stencil, FlatCoordinatesAgreeWithTheStraightLines) {
  for (const TriangleMesh& mesh : family())
    for (const int ring : {1, 2}) {
      const Surface surface = prepare_surface(mesh);
      const Stencil stencil = make_stencil(surface, ring);
      for (Index v = 0; v < stencil.vertices; ++v)
        for (const Chord& chord : stencil.chords_of(v)) {
          if (chord.length == 0) continue;
          EXPECT_NEAR(std::hypot(chord.x, chord.y), chord.from_a, 1e-6);
          EXPECT_NEAR(std::hypot(chord.x - chord.length, chord.y), chord.from_b, 1e-6);
          EXPECT_GE(chord.from_a, (surface.points.row(v) - surface.points.row(chord.a)).norm() - 1e-6);
          EXPECT_GE(chord.from_b, (surface.points.row(v) - surface.points.row(chord.b)).norm() - 1e-6);
        }
    }
}

/// Takes one that is like `wanted` to 16 bits out of `found`; false if there is none.
bool take_alike(std::vector<Ray>& found, const Ray& wanted) {
  const float tolerance = 4e-5f * std::max(wanted.length, std::hypot(wanted.x, wanted.y));
  const auto alike = std::find_if(found.begin(), found.end(), [&](const Ray& ray) {
    return std::max({std::abs(ray.length - wanted.length), std::abs(ray.x - wanted.x),
                     std::abs(ray.y - wanted.y)}) <= tolerance;
  });
  if (alike == found.end()) return false;
  found.erase(alike);
  return true;
}

/// Of more than one block, and with vertices that need further pages in both.
TriangleMesh two_blocks() {
  TriangleMesh mesh = test::shaken_plane(132, 132, 5);
  const Eigen::Index points = mesh.points.rows();
  EXPECT_GT(points, vertices_per_stencil_block);
  for (const Index tip : {0, 131, 131 * 132, 132 * 132 - 1}) {
    const TriangleMesh cone = test::cone(60);
    const Eigen::Index first = mesh.points.rows(), faces = mesh.triangles.rows();
    mesh.points.conservativeResize(first + cone.points.rows(), 3);
    mesh.points.bottomRows(cone.points.rows()) =
        (0.01 * cone.points).rowwise() + Eigen::RowVector3d(mesh.points.row(tip));
    mesh.triangles.conservativeResize(faces + cone.triangles.rows(), 3);
    mesh.triangles.bottomRows(cone.triangles.rows()) = cone.triangles.array() + static_cast<Index>(first);
  }
  return mesh;
}

TEST(Stencil, FansHoldEveryChordFromBothEnds) {
  std::vector<TriangleMesh> meshes = family();
  meshes.push_back(test::cone(100));
  meshes.push_back(two_blocks());
  for (const TriangleMesh& mesh : meshes)
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      std::map<std::tuple<Index, Index, Index>, std::vector<Ray>> rays;  // by end, target and other end
      for (Index v = 0; v < stencil.vertices; ++v)
        for (Index f = v; f >= 0; f = stencil.fans[f].next) {
          const Fan& fan = stencil.fans[f];
          for (int layer = 0; layer < Fan::layers; ++layer)
            for (int slot = 0; slot < Fan::slots; ++slot)
              if (fan.has_ray(layer, slot)) {
                const Ray ray = fan.ray(layer, slot);
                ASSERT_LT(std::max(ray.target, ray.other), fan.used);
                rays[{v, fan.neighbour[slot], fan.neighbour[ray.other]}].push_back(ray);
              }
        }
      for (Index v = 0; v < stencil.vertices; ++v)
        for (const Chord& chord : stencil.chords_of(v)) {
          if (chord.length == 0) continue;
          const Ray from_a{.length = chord.length, .x = chord.x, .y = chord.y};
          const Ray from_b{.length = chord.length, .x = chord.length - chord.x, .y = chord.y};
          if (chord.a != v) {
            EXPECT_TRUE(take_alike(rays[{chord.a, v, chord.b}], from_a));
          }
          if (chord.b != v) {
            EXPECT_TRUE(take_alike(rays[{chord.b, v, chord.a}], from_b));
          }
        }
      for (const auto& [ends, left] : rays) EXPECT_TRUE(left.empty());
    }
}

TEST(Stencil, FansHoldEveryStraightConnection) {
  std::vector<TriangleMesh> meshes = family();
  meshes.push_back(test::cone(100));
  for (const TriangleMesh& mesh : meshes)
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      std::map<std::pair<Index, Index>, std::vector<float>> straight;
      for (Index v = 0; v < stencil.vertices; ++v)
        for (const Chord& chord : stencil.chords_of(v)) {
          for (const auto& [a, b, length] :
               {std::tuple(chord.a, v, chord.from_a), std::tuple(chord.b, v, chord.from_b),
                std::tuple(chord.a, chord.b, chord.length)})
            if (length > 0) {
              straight[{a, b}].push_back(length);
              straight[{b, a}].push_back(length);
            }
        }
      std::map<std::pair<Index, Index>, std::vector<float>> found;
      for (Index v = 0; v < stencil.vertices; ++v)
        for (Index f = v; f >= 0; f = stencil.fans[f].next) {
          const Fan& fan = stencil.fans[f];
          for (int slot = 0; slot < fan.used; ++slot)
            found[{v, fan.neighbour[slot]}].push_back(fan.edge[slot]);
          for (int slot = fan.used; slot < Fan::slots; ++slot) EXPECT_EQ(fan.neighbour[slot], v);
        }
      const auto all_in = [](const auto& some, const auto& others) {
        for (const auto& [ends, lengths] : some)
          for (const float length : lengths)
            if (ends.first != ends.second) {
              const auto& known = others.at(ends);
              EXPECT_TRUE(std::any_of(known.begin(), known.end(), [&](float other) {
                return std::abs(other - length) <= 1e-6f * length;
              }));
            }
      };
      all_in(straight, found);
      all_in(found, straight);
    }
}

TEST(Stencil, WhatArrivesNeverFallsWhenAnEndOfTheChordRises) {
  std::mt19937 random(5);
  const auto between = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  int clamped = 0, across = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const float x = between(-1.5f, 2.5f), y = between(0.01f, 2);
    const auto arrives = [&](float da, float db) {
      const float through = virtual_source_distance(da, db, 1, 0.5f, x, y);
      across += std::isfinite(through);
      clamped += through == std::max(da, db);
      return std::min({through, da + std::hypot(x, y), db + std::hypot(1 - x, y)});
    };
    const float da = between(0, 5), db = std::abs(da + between(-1.2f, 1.2f));
    if (da + db < 1) continue;
    const float before = arrives(da, db);
    EXPECT_GE(arrives(da + between(0, 0.4f), db), before - 1e-5f);
    EXPECT_GE(arrives(da, db + between(0, 0.4f)), before - 1e-5f);
  }
  EXPECT_GT(across, 50000);
  EXPECT_GT(clamped, 1000);
}

TEST(Stars, GainIsTheLeastThatAVertexAddsToWhatItOffers) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> unit(0, 1);
  int offers = 0;
  float total = 0, edges = 0;
  for (const TriangleMesh& mesh : family())
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      const Stars stars = make_stars(stencil);
      const auto gain = [&](Index from, Index target) {
        float least = std::numeric_limits<float>::infinity();
        for (Index s = from; s >= 0; s = stars[s].next)
          for (int slot = 0; slot < stars[s].used; ++slot)
            if (stars[s].neighbour[slot] == target) least = std::min(least, stars[s].gain[slot]);
        return least;
      };
      for (Index v = 0; v < stencil.vertices; ++v)
        for (const Chord& chord : stencil.chords_of(v)) {
          if (chord.a == v || chord.b == v) continue;
          const float from_a = gain(chord.a, v), from_b = gain(chord.b, v);
          EXPECT_LE(from_a, chord.from_a);
          EXPECT_LE(from_b, chord.from_b);
          total += from_a;
          edges += chord.from_a;
          if (chord.length == 0) continue;
          for (int trial = 0; trial < 20; ++trial) {
            const float da = stencil.typical_edge * (2 + 5 * unit(random));
            const float db = da + chord.length * (2 * unit(random) - 1);
            if (db < 2 * stencil.typical_edge) continue;
            const float found =
                virtual_source_distance(da, db, chord.length, 0.5f / chord.length, chord.x, chord.y);
            if (std::isinf(found)) continue;
            ++offers;
            EXPECT_GE(found, da + from_a - 1e-5f);
            EXPECT_GE(found, db + from_b - 1e-5f);
          }
        }
    }
  EXPECT_GT(offers, 1000);
  EXPECT_GT(total, edges / 4);  // it says something
}

TEST(Stars, HoldEveryChordOfTheirTarget) {
  std::vector<TriangleMesh> meshes = family();
  meshes.push_back(test::cone(100));
  for (const TriangleMesh& mesh : meshes)
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      const Stars stars = make_stars(stencil);
      for (Index v = 0; v < stencil.vertices; ++v) {
        std::map<std::pair<Index, Index>, std::vector<Ray>> found;
        for (Index s = v; s >= 0; s = stars[s].next)
          for (int c = 0; c < stars[s].chords; ++c) {
            const StarChord chord = stars[s].chord(c);
            ASSERT_LT(std::max(chord.a, chord.b), stars[s].used);
            found[{stars[s].neighbour[chord.a], stars[s].neighbour[chord.b]}].push_back(
                {.length = chord.length, .x = chord.x, .y = chord.y});
          }
        for (const Chord& chord : stencil.chords_of(v)) {
          if (chord.length == 0) continue;
          const Ray wanted{.length = chord.length, .x = chord.x, .y = chord.y};
          EXPECT_TRUE(take_alike(found[{chord.a, chord.b}], wanted));
        }
        for (const auto& [ends, left] : found) EXPECT_TRUE(left.empty());
      }
    }
}

/// All numbers that a fan or a star holds.
std::vector<double> numbers_of(const Fan& fan) {
  std::vector<double> all{double(fan.used), double(fan.next)};
  for (int slot = 0; slot < Fan::slots; ++slot) {
    all.insert(all.end(), {double(fan.neighbour[slot]), fan.edge[slot]});
    for (int layer = 0; layer < Fan::layers; ++layer)
      all.insert(all.end(),
                 {double(fan.other[layer][slot]), double(fan.x[layer][slot]), double(fan.y[layer][slot])});
  }
  return all;
}
std::vector<double> numbers_of(const Star& star) {
  std::vector<double> all{double(star.used), double(star.chords), double(star.next)};
  for (int slot = 0; slot < Star::slots; ++slot)
    all.insert(all.end(), {double(star.neighbour[slot]), star.edge[slot], star.gain[slot]});
  for (int c = 0; c < Star::most_chords; ++c)
    all.insert(all.end(), {double(star.a[c]), double(star.b[c]), star.length[c], double(star.cosine[c]),
                           double(star.sine[c])});
  return all;
}

TEST(Stencil, DoesNotDependOnThreads) {
  const Surface surface = prepare_surface(two_blocks());
  const auto same = [](const auto& some, const auto& others) {
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t p = 0; p < some.size(); ++p) ASSERT_EQ(numbers_of(some[p]), numbers_of(others[p])) << p;
  };
  for (const int ring : {1, 2}) {
    const Stencil wanted = make_stencil(surface, ring);
    const Stars stars = make_stars(wanted);
    EXPECT_GT(static_cast<Index>(wanted.fans.size()), wanted.vertices + 4);
    for (const int threads : {2, 3}) {
      const Execution execution{threads, {}};
      Stencil found = make_stencil(surface, ring, execution);
      EXPECT_EQ(found.typical_edge, wanted.typical_edge);
      EXPECT_EQ(found.longest, wanted.longest);
      same(found.fans, wanted.fans);
      same(replace_chords_by_stars(found, execution), stars);
      EXPECT_TRUE(found.chord_blocks.empty());
    }
  }
}

TEST(Stars, HaveTheConnectionsOfTheFans) {
  std::vector<TriangleMesh> meshes = family();
  meshes.push_back(test::cone(100));
  meshes.push_back(two_blocks());
  for (const TriangleMesh& mesh : meshes)
    for (const int ring : {1, 2}) {
      const Stencil stencil = make_stencil(prepare_surface(mesh), ring);
      const Stars stars = make_stars(stencil);
      const auto connections = [&](const auto& pages, Index v) {
        std::set<std::pair<Index, float>> all;
        for (Index p = v; p >= 0; p = pages[p].next) {
          for (int slot = 0; slot < pages[p].used; ++slot)
            if (pages[p].neighbour[slot] != v) all.insert({pages[p].neighbour[slot], pages[p].edge[slot]});
          for (int slot = pages[p].used; slot < 16; ++slot) EXPECT_EQ(pages[p].neighbour[slot], v);
        }
        return all;
      };
      const auto all_in = [](const auto& some, const auto& others) {
        for (const auto& [vertex, edge] : some) {
          const auto near = others.lower_bound({vertex, edge * (1 - 2e-6f)});
          EXPECT_TRUE(near != others.end() && near->first == vertex && near->second <= edge * (1 + 2e-6f));
        }
      };
      for (Index v = 0; v < stencil.vertices; ++v) {
        all_in(connections(stars, v), connections(stencil.fans, v));
        all_in(connections(stencil.fans, v), connections(stars, v));
      }
    }
}

TEST(Stencil, ObtuseCornersAreSplitAwayFromTheBoundary) {
  const Surface surface = prepare_surface(test::shaken_plane(12, 12, 3));
  const Stencil one = make_stencil(surface, 1);
  std::size_t obtuse = 0;
  for (Index v = 0; v < one.vertices; ++v) {
    const auto at = surface.points.row(v) * surface.scale;
    if (at.head(2).minCoeff() < 0.3 || at.head(2).maxCoeff() > 0.7) continue;
    for (const Chord& chord : one.chords_of(v)) {
      const double squares =
          chord.from_a * chord.from_a + chord.from_b * chord.from_b - chord.length * chord.length;
      if (squares < -1e-6) ++obtuse;
    }
  }
  // A split may leave one half of a very wide corner obtuse; whole obtuse corners are many more than that.
  EXPECT_LT(obtuse, 5u);
  // Of the others, most are split by two rings only: those with the vertex across in view.
  EXPECT_GT(all_chords(make_stencil(surface, 2)).size(), 5 * all_chords(one).size() / 4);
}

TEST(Stencil, DegenerateFacesGiveFiniteNumbers) {
  TriangleMesh needle = make_plane(4, 4);
  needle.points.row(5) = needle.points.row(6) + Eigen::RowVector3d(1e-12, 0, 0);
  for (const TriangleMesh& mesh : {test::strip_with_flat_faces(), needle})
    for (const int ring : {1, 2})
      for (const Chord& chord : all_chords(make_stencil(prepare_surface(mesh), ring)))
        for (const float value : {chord.length, chord.x, chord.y, chord.from_a, chord.from_b})
          EXPECT_TRUE(std::isfinite(value));
}

TEST(Stencil, DirectionsFitSixteenBitsWhateverTheLength) {
  // In single precision the squares of lengths below 1e-19 are zero, and below 1e-15 hardly more.
  for (const double length : {1e-38, 1e-30, 1e-20, 1e-19, 1e-16, 1e-15, 2e-15, 1e-10, 1.0, 1e10})
    for (int k = 0; k < 64; ++k) {
      const double angle = 2 * std::numbers::pi * k / 64;
      const auto x = static_cast<float>(length * std::cos(angle));
      const auto y = static_cast<float>(length * std::sin(angle));
      const PackedDirection code = direction_of(x, y);
      for (const int number : {int{code.cosine}, int{code.sine}}) {
        EXPECT_LE(number, 32767) << length;
        EXPECT_GE(number, -32767) << length;
      }
      EXPECT_NEAR(code.cosine / 32767.0, std::cos(angle), 1e-4) << length << ' ' << k;
      EXPECT_NEAR(code.sine / 32767.0, std::sin(angle), 1e-4) << length << ' ' << k;
    }
  EXPECT_EQ(direction_of(0, 0).cosine, 0);
  EXPECT_EQ(direction_of(0, 0).sine, 0);
}

TEST(Stencil, RefusesOtherRings) {
  EXPECT_THROW(make_stencil(prepare_surface(make_box(1)), 3), InputError);
}

}  // namespace
}  // namespace geodome::internal
