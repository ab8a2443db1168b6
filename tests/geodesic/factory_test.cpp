#include "geodome/geodesic/factory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "laplacian/cloud_shapes.h"

namespace geodome::internal {
namespace {

constexpr Index columns = 15, rows = 12;

TriangleMesh plane() {
  return make_plane(columns, rows);
}

/// The plane's vertices with one quad per cell.
PolygonMesh quads() {
  PolygonMesh mesh;
  mesh.points = plane().points;
  for (Index r = 0; r + 1 < rows; ++r)
    for (Index c = 0; c + 1 < columns; ++c) {
      const Index v = r * columns + c;
      mesh.corners.insert(mesh.corners.end(), {v, v + 1, v + columns + 1, v + columns});
      mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
    }
  return mesh;
}

/// The plane's vertices, a little out of line so that no four of them are on one circle.
PointCloud cloud() {
  PointCloud cloud{plane().points, {}};
  std::mt19937 random(4);
  for (Index v = 0; v < cloud.points.rows(); ++v)
    for (int k = 0; k < 2; ++k)
      cloud.points(v, k) += 1e-2 * (static_cast<double>(random() % 1000) / 1000 - 0.5);
  return cloud;
}

Samples samples() {
  return {RowMatrix<double>(plane().points)};
}

GeodesicOptions with(GeodesicMethod method) {
  GeodesicOptions options;
  options.method = method;
  return options;
}

RowMatrix<double> row_from(const Shape& shape, Index source, const GeodesicOptions& options = {}) {
  const auto solver = make_solver(shape, options);
  EXPECT_EQ(solver->size(), vertex_count(shape));
  RowMatrix<double> row(1, solver->size());
  solver->distances(std::span(&source, 1), row);
  return row;
}

/// Largest and smallest ratio of a row to the straight line, over all vertices but the source.
std::pair<double, double> ratio_to_straight(const Points& points, const RowMatrix<double>& row,
                                            Index source) {
  double low = infinity, high = 0;
  for (Index v = 0; v < points.rows(); ++v) {
    if (v == source) continue;
    const double ratio = row(0, v) / (points.row(v) - points.row(source)).norm();
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  return {low, high};
}

std::string refusal(const Shape& shape, const GeodesicOptions& options) {
  try {
    make_solver(shape, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Factory, SurfacesOfAnyKindGiveStraightLinesOnAPlane) {
  for (const Index source : {0, 52, 179}) {
    for (const Shape& shape : {Shape(plane()), Shape(quads())}) {
      const auto [low, high] = ratio_to_straight(plane().points, row_from(shape, source), source);
      EXPECT_GT(low, 1 - 1e-9) << kind_name(shape);
      EXPECT_LT(high, 1 + 1e-9) << kind_name(shape);
    }
    const auto [low, high] = ratio_to_straight(cloud().points, row_from(cloud(), source), source);
    EXPECT_GT(low, 1 - 1e-9);
    EXPECT_LT(high, 1.02);
  }
}

TEST(Factory, EveryMethodSuitsASurface) {
  for (const GeodesicMethodName& entry : geodesic_methods())
    for (const Shape& shape : {Shape(plane()), Shape(quads()), Shape(cloud())}) {
      const auto [low, high] = ratio_to_straight(
          cloud().points, row_from(shape, 5 * columns + 7, with(entry.method)), 5 * columns + 7);
      // Heat smooths what is within a few edges of the source.
      EXPECT_GT(low, entry.method == GeodesicMethod::heat ? 0.7 : 0.9)
          << entry.name << ", " << kind_name(shape);
      // Along edges of a grid a diagonal is up to the square root of two too long.
      EXPECT_LT(high, entry.method == GeodesicMethod::graph ? 1.5 : 1.1)
          << entry.name << ", " << kind_name(shape);
    }
}

TEST(Factory, EdgesOfAPolygonAreItsOwn) {
  const RowMatrix<double> row = row_from(quads(), 0, with(GeodesicMethod::graph));
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c)
      EXPECT_NEAR(row(0, r * columns + c), c / (columns - 1.0) + r / (rows - 1.0), 1e-12);
}

TEST(Factory, GraphsAndSamplesGoAlongEdges) {
  const Graph graph = testing::grid_graph(columns, rows, 0.5);
  const RowMatrix<double> row = row_from(graph, 0);
  EXPECT_EQ(row(0, columns * rows - 1), 0.5 * (columns + rows - 2));
  const auto [low, high] = ratio_to_straight(plane().points, row_from(samples(), 80), 80);
  EXPECT_GE(low, 1 - 1e-12);
  EXPECT_LT(high, 1.15);
}

TEST(Factory, SamplesFollowTheBendAndDoNotJump) {
  // A half circle of samples in ten dimensions: from end to end the way is the arc, not the diameter.
  Samples arc{RowMatrix<double>::Zero(200, 10)};
  for (Index v = 0; v < 200; ++v) {
    arc.values(v, 3) = std::cos(M_PI * v / 199);
    arc.values(v, 8) = std::sin(M_PI * v / 199);
  }
  EXPECT_NEAR(row_from(arc, 0)(0, 199), M_PI, 0.01 * M_PI);
}

/// Mean relative error of a few rows against straight lines in the unrolled sheet, over points that are on
/// the surface. With noise one in a hundred may not be.
double flat_error(const FlatCloud& shape, GeodesicMethod method) {
  const std::vector<Index> sources{0, 1, 2, 3};
  const auto solver = make_solver(shape.cloud, with(method));
  RowMatrix<double> found(sources.size(), solver->size());
  solver->distances(sources, found);
  double sum = 0;
  Index reached = 0;
  for (const Index source : sources)
    for (Index v = 0; v < solver->size(); ++v) {
      const double truth = (shape.flat.row(v) - shape.flat.row(source)).norm();
      if (v == source || !std::isfinite(found(source, v))) continue;
      sum += std::abs(found(source, v) - truth) / truth;
      ++reached;
    }
  EXPECT_GE(reached, 0.99 * static_cast<double>(found.size()));
  return sum / static_cast<double>(reached);
}

TEST(Factory, CloudsOfASwissRollAreUnrolled) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const FlatCloud sparse = swiss_roll(1000, seed);
    EXPECT_LT(flat_error(sparse, GeodesicMethod::exact), flat_error(sparse, GeodesicMethod::graph)) << seed;
    EXPECT_LT(flat_error(swiss_roll(2500, seed), GeodesicMethod::exact), 5e-3) << seed;
  }
  EXPECT_LT(flat_error(swiss_roll(2000, 5, 0.25), GeodesicMethod::exact), 0.06);
}

/// Clusters whose spacings differ by six orders of magnitude, in a plane or in space.
Points mixed_scales(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Points centres(4, 3), points(60, 3);
  for (double& value : centres.reshaped()) value = normal(random);
  for (Index v = 0; v < points.rows(); ++v)
    for (int k = 0; k < 3; ++k)
      points(v, k) = centres(v % 4, k) + std::pow(10, -2 * (v % 4)) * normal(random);
  if (seed % 2 == 0) points.col(2).setZero();
  return points;
}

TEST(Factory, MixedScalesKeepChordAndSymmetry) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Points points = mixed_scales(seed);
    const auto count = static_cast<Index>(points.rows());
    std::vector<Index> all;
    for (Index v = 0; v < count; ++v) all.push_back(v);
    const PointCloud cloud{points, {}};
    const PathDomain domain = make_path_domain(cloud);
    const Surface& surface = std::get<MeshPaths>(domain.paths).surface;
    for (const Shape& shape : {Shape(cloud), Shape(Samples{RowMatrix<double>(points)})}) {
      const bool is_cloud = std::holds_alternative<PointCloud>(shape);
      RowMatrix<double> found(count, count);
      make_solver(shape)->distances(all, found);
      for (Index a = 0; a < count; ++a)
        for (Index b = 0; b < count; ++b) {
          const Index here = surface.of_input[a], there = surface.of_input[b];
          if (is_cloud && here >= 0 && there >= 0) {
            EXPECT_EQ(std::isfinite(found(a, b)), surface.component[here] == surface.component[there]);
          }
          if (!std::isfinite(found(a, b))) continue;
          EXPECT_GE(found(a, b), (points.row(a) - points.row(b)).norm() * (1 - 1e-9)) << seed;
          EXPECT_NEAR(found(a, b), found(b, a), 1e-9 * found(a, b)) << seed;
        }
    }
  }
}

TEST(Factory, RefusesSurfaceMethodsWhereThereIsNoSurface) {
  const Graph graph = testing::grid_graph(3, 3);
  for (const GeodesicMethodName& entry : geodesic_methods()) {
    const bool fits = entry.method == GeodesicMethod::automatic || entry.method == GeodesicMethod::graph;
    for (const Shape& shape : {Shape(graph), Shape(samples())}) {
      const std::string message = refusal(shape, with(entry.method));
      EXPECT_EQ(message.empty(), fits) << entry.name << ": " << message;
      if (!fits) {
        EXPECT_NE(message.find(std::string("'") + entry.name + "'"), std::string::npos) << message;
        EXPECT_NE(message.find("use 'edges'"), std::string::npos) << message;
      }
    }
  }
}

TEST(Factory, AutomaticIsExactOnSmallSurfacesAndForFewSources) {
  GeodesicOptions options;
  EXPECT_EQ(resolve_method(make_path_domain(plane(), options), options), GeodesicMethod::exact);
  EXPECT_EQ(resolve_method(make_path_domain(samples(), options), options), GeodesicMethod::graph);
  options.exact_up_to = columns * rows - 1;
  EXPECT_EQ(resolve_method(make_path_domain(plane(), options), options), GeodesicMethod::fast_marching);
  options.expected_sources = 1;
  EXPECT_EQ(resolve_method(make_path_domain(plane(), options), options), GeodesicMethod::exact);
  options.expected_sources = 100;
  EXPECT_EQ(resolve_method(make_path_domain(plane(), options), options), GeodesicMethod::fast_marching);
  options.method = GeodesicMethod::exact;
  EXPECT_EQ(resolve_method(make_path_domain(plane(), options), options), GeodesicMethod::exact);
}

TEST(Factory, PathsGoAroundWhatTheMaskLeavesOut) {
  // A wall across the plane with a gap at one end: from one side to the other the way is through the gap. It
  // is three vertices thick, since edges between nearest neighbours reach across one.
  GeodesicOptions options;
  options.keep.assign(columns * rows, 1);
  const Index left = 6, right = 8, gap = 3;
  for (Index r = gap; r < rows; ++r)
    for (Index c = left; c <= right; ++c) options.keep[r * columns + c] = 0;
  const Points points = plane().points;
  const auto between = [&](Index a, Index b) { return (points.row(a) - points.row(b)).norm(); };
  const Index source = (rows - 1) * columns + 1, target = (rows - 1) * columns + columns - 2;
  // Faces that touch the wall are left out with it, so paths turn around the row above its end.
  const Index first = (gap - 1) * columns + left, second = (gap - 1) * columns + right;
  const double around = between(source, first) + between(first, second) + between(second, target);
  for (const GeodesicMethodName& entry : geodesic_methods())
    for (const Shape& shape : {Shape(plane()), Shape(quads()), Shape(cloud()), Shape(samples())}) {
      if (std::holds_alternative<Samples>(shape) && entry.method != GeodesicMethod::graph) continue;
      options.method = entry.method;
      const RowMatrix<double> row = row_from(shape, source, options);
      EXPECT_GT(row(0, target), 0.95 * around) << entry.name << ", " << kind_name(shape);
      EXPECT_LT(row(0, target), 1.4 * around) << entry.name << ", " << kind_name(shape);
      const Index inside = (rows - 1) * columns + left;
      EXPECT_EQ(row(0, inside), infinity);
      EXPECT_EQ(row_from(shape, inside, options)(0, inside), 0);
    }
  options.keep.pop_back();
  EXPECT_THROW(make_solver(plane(), options), InputError);
}

TEST(Factory, NamesGoBothWays) {
  std::set<std::string> names;
  for (const GeodesicMethodName& entry : geodesic_methods()) {
    EXPECT_EQ(geodesic_method(entry.name), entry.method);
    EXPECT_EQ(geodesic_method_name(entry.method), entry.name);
    names.insert(entry.name);
  }
  EXPECT_EQ(names.size(), geodesic_methods().size());
  EXPECT_EQ(geodesic_methods().front().method, GeodesicOptions().method);
  try {
    geodesic_method("teleport");
    FAIL();
  } catch (const InputError& error) {
    for (const std::string& name : names) EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace geodome::internal
