/// Hostile meshes: cleaning, Laplacian, exact distances with their work counted, fast marching, paths by
/// descent.

#include <algorithm>
#include <cmath>

#include "geodome/geodesic/exact/windows.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/path.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"
#include "support/checks.h"
#include "support/expect.h"
#include "support/shapes.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

std::int64_t most_windows(const Surface& surface) {
  const HalfEdges edges(surface.points, surface.triangles);
  WindowPropagation windows(edges);
  std::int64_t most = 0;
  for (Index source = 0; source < surface.points.rows(); ++source) {
    windows.run(source);
    most = std::max(most, windows.counts().windows);
  }
  return most;
}

/// A hundred times the windows of a sphere with as many faces, which are in proportion to the power 1.5 of
/// them.
void check_work(const Surface& surface) {
  static const double factor = [] {
    const Surface sphere = prepare_surface(make_sphere(2));
    return static_cast<double>(most_windows(sphere)) /
           std::pow(static_cast<double>(sphere.triangles.rows()), 1.5);
  }();
  const auto windows = static_cast<double>(most_windows(surface));
  const auto faces = static_cast<double>(std::max<Eigen::Index>(surface.triangles.rows(), 20));
  const double bound = 100 * factor * std::pow(faces, 1.5);
  fuzz::expect(windows <= bound, windows, " windows on ", surface.triangles.rows(), " faces, at most ",
               bound);
}

/// Below this, rounding of a triangle's height may lose the straightest path: distances are then upper
/// bounds, which need not be symmetric.
constexpr double narrow = 1e-6;

/// The least height of a triangle as a part of its longest side.
double thinnest(const Surface& surface) {
  const HalfEdges edges(surface.points, surface.triangles);
  double least = infinity;
  for (Index h = 0; h < edges.size(); ++h) {
    const HalfEdge& edge = edges[h];
    const double longest = std::max({edge.length, edge.a_apex, edge.b_apex});
    least = std::min(least, edge.length * edge.y / (longest * longest));
  }
  return least;
}

RowMatrix<double> distances_by(const Shape& shape, GeodesicMethod method) {
  GeodesicOptions options;
  options.method = method;
  return fuzz::all_distances(*make_solver(shape, options, {1, {}}));
}

/// Those from the first vertex end there, wherever distances are finite, and are not shorter.
void check_descent(const Shape& shape, const RowMatrix<double>& exact, const fuzz::Tolerance& tolerance,
                   bool wide) {
  std::vector<SurfacePoint> to;
  for (Index v = 0; v < exact.cols(); ++v) to.emplace_back(v);
  GeodesicOptions options;
  options.method = GeodesicMethod::fast_marching;
  const std::vector<ShortestPath> paths = shortest_paths(shape, SurfacePoint(0), to, options, {1, {}});
  for (std::size_t v = 0; v < paths.size(); ++v) {
    const double distance = exact(0, static_cast<Eigen::Index>(v)), length = paths[v].length;
    fuzz::expect(paths[v].points.empty() == (distance == infinity), "a path to ", v, " at ", distance);
    if (distance == infinity) continue;
    fuzz::expect(paths[v].points.back() == to[v], "a path that does not end at ", v);
    fuzz::expect(std::isfinite(length), "the path to ", v, " is ", length, " long");
    if (wide)
      fuzz::expect(length >= distance * (1 - tolerance.relative) - tolerance.of_size * tolerance.size,
                   "the path to ", v, " is ", length, " long, less than ", distance);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::ByteSource bytes(data, size);
  fuzz::allow_refusal([&] {
    const Shape shape = clean_shape(fuzz::decode_surface(bytes)).shape;
    fuzz::check_indices(shape);
    const RowMatrix<double> chords = fuzz::chords_of(shape);
    const fuzz::Tolerance tolerance{.size = chords.maxCoeff()};
    if (fuzz::has_areas(tolerance.size)) {
      fuzz::check_laplacian(laplacian(shape, {}, {1, {}}));
      LaplacianOptions flipped;
      flipped.intrinsic_delaunay = true;
      fuzz::check_laplacian(laplacian(shape, flipped, {1, {}}));
    }
    const RowMatrix<double> along_edges = distances_by(shape, GeodesicMethod::graph);
    fuzz::check_rows(along_edges, "edges");

    const PathDomain domain = make_path_domain(shape, {}, {1, {}});
    check_work(std::get<MeshPaths>(domain.paths).surface);
    const RowMatrix<double> exact = distances_by(shape, GeodesicMethod::exact);
    fuzz::check_rows(exact, "exact");
    fuzz::check_same_components(exact, along_edges, "exact");
    // A polygon that meets itself is not covered by its triangles: they may lack a side.
    if (std::holds_alternative<TriangleMesh>(shape))
      fuzz::check_at_most(exact, along_edges, tolerance, "exact");
    fuzz::check_chords(exact, chords, tolerance, "exact");
    const bool wide = thinnest(std::get<MeshPaths>(domain.paths).surface) > narrow;
    check_descent(shape, exact, tolerance, wide);
    if (wide) {
      fuzz::check_symmetric(exact, tolerance, "exact");
      fuzz::check_triangle_inequality(exact, tolerance, "exact");
    }

    const fuzz::Tolerance single{1e-5, 1e-6, tolerance.size};
    const RowMatrix<double> marching = distances_by(shape, GeodesicMethod::fast_marching);
    fuzz::check_rows(marching, "marching");
    fuzz::check_same_components(marching, along_edges, "marching");
    fuzz::check_chords(marching, chords, single, "marching");
    const RowMatrix<double> carried = distances_by(shape, GeodesicMethod::carried);
    fuzz::check_rows(carried, "carried");
    fuzz::check_same_components(carried, along_edges, "carried");
  });
  return 0;
}
