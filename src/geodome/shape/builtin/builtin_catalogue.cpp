#include "geodome/shape/builtin/builtin_catalogue.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/creature.h"

namespace geodome::internal {
namespace {

struct Entry {
  const char* name;
  const char* summary;
  int poses;
  std::function<BuiltinShape(const BuiltinOptions&, const Execution&)> make;
};

/// The whole number k >= least for which factor k² + offset comes nearest to the wanted count.
Index nearest_square(Index wanted, double factor, double offset, Index least) {
  const double exact = std::sqrt(std::max(0.0, (wanted - offset) / factor));
  const double below = std::floor(exact), above = below + 1;
  const auto miss = [&](double k) { return std::abs(factor * k * k + offset - wanted); };
  return std::max(least, static_cast<Index>(miss(below) <= miss(above) ? below : above));
}

struct Sides {
  Index columns, rows;
};

/// A grid of about the wanted number of vertices, `aspect` times as many columns as rows.
Sides nearest_grid(Index wanted, double aspect, Index least_columns, Index least_rows) {
  const auto columns = std::max(least_columns, static_cast<Index>(std::lround(std::sqrt(wanted * aspect))));
  return {columns,
          std::max(least_rows, static_cast<Index>(std::lround(static_cast<double>(wanted) / columns)))};
}

constexpr double roll_aspect = 4.3;  ///< the swiss roll's length over its height

BuiltinShape posed_creature(const BuiltinOptions& options, const Execution& execution) {
  const Creature creature = make_creature(std::max(options.vertices, fewest_creature_vertices), execution);
  return {pose_creature(creature, options.pose), creature_colours(creature)};
}

/// An entry whose shape is made from the two sides of a grid.
template <typename Make>
Entry grid_entry(const char* name, const char* summary, double aspect, Index columns, Index rows, Make make) {
  return {name, summary, 1, [=](const BuiltinOptions& options, const Execution&) {
            const Sides sides = nearest_grid(options.vertices, aspect, columns, rows);
            return BuiltinShape{make(sides.columns, sides.rows), {}};
          }};
}

/// An entry whose number of vertices is factor k² + offset for a whole number k.
template <typename Make>
Entry square_entry(const char* name, const char* summary, double factor, double offset, Make make) {
  return {name, summary, 1, [=](const BuiltinOptions& options, const Execution&) {
            return BuiltinShape{make(nearest_square(options.vertices, factor, offset, 1), options.seed), {}};
          }};
}

Samples roll_samples(const BuiltinOptions& options) {
  return {sample_swiss_roll(options.vertices, options.seed).points};
}

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> entries = {
      {"creature", "a small sauropod in several poses, which are nearly isometric", creature_pose_count(),
       posed_creature},
      grid_entry("plane", "unit square; distances are Euclidean", 1, 2, 2, make_plane),
      square_entry("sphere", "unit sphere from an icosahedron; geodesics are great circles", 10, 2,
                   [](Index f, std::uint64_t) { return make_sphere(f); }),
      grid_entry("torus", "torus with radii 1 and 0.4 around the z axis", 2.5, 3, 3,
                 [](Index major, Index minor) { return make_torus(major, minor); }),
      grid_entry("cylinder", "open cylinder of radius 1 and height 2; unrolls into a rectangle",
                 std::numbers::pi, 3, 2,
                 [](Index around, Index along) { return make_cylinder(around, along); }),
      square_entry("box", "unit cube with flat faces and sharp edges", 6, 2,
                   [](Index segments, std::uint64_t) { return make_box(segments); }),
      grid_entry("swiss-roll", "rolled-up rectangle; distances are those of the flat rectangle", roll_aspect,
                 2, 2, make_swiss_roll),
      {"swiss-roll-cloud", "random points on the swiss roll, as a point cloud", 1,
       [](const BuiltinOptions& options, const Execution&) {
         return BuiltinShape{PointCloud{sample_swiss_roll(options.vertices, options.seed).points, {}}, {}};
       }},
      {"swiss-roll-samples", "the same points as samples without connectivity", 1,
       [](const BuiltinOptions& options, const Execution&) {
         return BuiltinShape{roll_samples(options), {}};
       }},
      grid_entry("grid-graph", "square grid with unit edges; distances are Manhattan distances", 1, 1, 1,
                 make_grid_graph),
      {"path-graph", "chain of unit edges; distances are differences of indices", 1,
       [](const BuiltinOptions& options, const Execution&) {
         return BuiltinShape{make_path_graph(options.vertices), {}};
       }},
      square_entry("jittered-sphere", "unit sphere with irregular triangles (depends on the seed)", 10, 2,
                   make_jittered_sphere),
      square_entry("two-spheres", "two separate unit spheres (two connected components)", 20, 4,
                   [](Index f, std::uint64_t) { return make_two_spheres(f); }),
      grid_entry("moebius", "Moebius strip: one-sided, with one boundary", 6, 3, 2, make_moebius),
      {"fan", "three squares that share an edge (not a manifold)", 1,
       [](const BuiltinOptions& options, const Execution&) {
         const Index side = nearest_square(options.vertices, 3, 0, 2);
         return BuiltinShape{make_fan(side, side), {}};
       }},
      {"drilled-plate", "plate with many holes and long thin triangles, as in CAD models", 1,
       [](const BuiltinOptions& options, const Execution&) {
         constexpr Index around = 40;
         const Index side = nearest_square(options.vertices, 2 * around + 2, 0, 1);
         return BuiltinShape{make_drilled_plate(side, side, around), {}};
       }},
      grid_entry("plane-quads", "unit square of quads", 1, 2, 2, make_plane_quads),
      square_entry("sphere-quads", "unit sphere of quads", 6, 2,
                   [](Index segments, std::uint64_t) { return make_sphere_quads(segments); }),
  };
  return entries;
}

const Entry& find_entry(const std::string& name) {
  for (const Entry& entry : catalogue()) {
    if (name == entry.name) return entry;
  }
  std::string names;
  for (const Entry& entry : catalogue()) names += text(names.empty() ? "" : ", ", entry.name);
  throw InputError(text("unknown built-in shape '", name, "': use one of ", names));
}

}  // namespace

std::vector<BuiltinName> builtin_names() {
  std::vector<BuiltinName> names;
  for (const Entry& entry : catalogue()) names.push_back({entry.name, entry.summary, entry.poses});
  return names;
}

BuiltinShape make_builtin(const std::string& name, const BuiltinOptions& options,
                          const Execution& execution) {
  const Entry& entry = find_entry(name);
  if (options.vertices < 1)
    throw InputError(text("the number of vertices must be at least 1, got ", options.vertices));
  if (options.pose < 0 || options.pose >= entry.poses) {
    throw InputError(entry.poses == 1
                         ? text("'", name, "' has no poses: the pose must be 0, got ", options.pose)
                         : text("'", name, "' has no pose ", options.pose, ": use 0 to ", entry.poses - 1));
  }
  return entry.make(options, execution);
}

}  // namespace geodome::internal
