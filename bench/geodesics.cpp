/// Milliseconds per source and error relative to exact distances, of the solvers of geodome and CGAL, in one
/// run on one thread. Prints one JSON object; bench/geodesics.py adds the Python packages and prints the
/// table.

#include <CGAL/Heat_method_3/Surface_mesh_geodesic_distances_3.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Surface_mesh_shortest_path.h>
#include <CGAL/boost/graph/helpers.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/surface.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/resample/subdivide.h"

namespace {

using geodome::Index;
using geodome::RowMatrix;
using geodome::TriangleMesh;
using Kernel = CGAL::Simple_cartesian<double>;
using CgalMesh = CGAL::Surface_mesh<Kernel::Point_3>;
using Json = nlohmann::ordered_json;

/// Seconds of processor time of this process: the machine's other work does not count.
double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const geodome::Execution one_thread{1, {}};

/// Milliseconds of the calls of solve(s), one for each source: the median, because other work on the machine
/// disturbs some of them.
template <typename Solve>
double median_milliseconds(std::size_t sources, const Solve& solve) {
  std::vector<double> times;
  for (std::size_t s = 0; s < sources; ++s) {
    const double begin = cpu_seconds();
    solve(s);
    times.push_back(1e3 * (cpu_seconds() - begin));
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// The largest component, free of collapsed edges and duplicate faces, so that every peer can take it.
TriangleMesh largest_component(const TriangleMesh& mesh) {
  const geodome::internal::Surface surface = geodome::internal::prepare_surface(mesh);
  std::vector<Index> sizes(surface.components, 0);
  for (const Index component : surface.component) ++sizes[component];
  const auto largest = static_cast<Index>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<Index> number(surface.points.rows(), -1);
  Index count = 0;
  for (Index v = 0; v < surface.points.rows(); ++v)
    if (surface.component[v] == largest) number[v] = count++;
  TriangleMesh result;
  result.points.resize(count, 3);
  for (Index v = 0; v < surface.points.rows(); ++v)
    if (number[v] >= 0) result.points.row(number[v]) = surface.points.row(v) * surface.scale;
  result.triangles.resize(surface.triangles.rows(), 3);
  Index faces = 0;
  for (Index f = 0; f < surface.triangles.rows(); ++f)
    if (number[surface.triangles(f, 0)] >= 0) {
      for (int k = 0; k < 3; ++k) result.triangles(faces, k) = number[surface.triangles(f, k)];
      ++faces;
    }
  result.triangles.conservativeResize(faces, 3);
  return result;
}

struct Measured {
  double milliseconds = 0;        ///< per source
  double setup_milliseconds = 0;  ///< once
  RowMatrix<double> rows;
};

/// Relative errors over all vertices of all rows; ε is the sum of squared errors over that of squared
/// distances.
Json error_against(const RowMatrix<double>& exact, const RowMatrix<double>& rows) {
  std::vector<double> relative;
  double squared_error = 0, squared = 0;
  for (Eigen::Index s = 0; s < rows.rows(); ++s)
    for (Eigen::Index v = 0; v < rows.cols(); ++v) {
      const double truth = exact(s, v);
      if (!(truth > 0) || !std::isfinite(truth)) continue;
      const double error = std::abs(rows(s, v) - truth);
      relative.push_back(error / truth);
      squared_error += error * error;
      squared += truth * truth;
    }
  double sum = 0;
  for (const double value : relative) sum += value;
  const auto at = relative.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(relative.size()));
  std::nth_element(relative.begin(), at, relative.end());
  return {{"mean_relative_error", sum / static_cast<double>(relative.size())},
          {"p99_relative_error", *at},
          {"max_relative_error", *std::max_element(at, relative.end())},
          {"epsilon", squared_error / squared}};
}

Measured run_ours(const TriangleMesh& mesh, const std::string& method, const std::vector<Index>& sources) {
  Measured result;
  const double begin = cpu_seconds();
  const auto solver = geodome::make_solver(mesh, {.method = geodome::geodesic_method(method)}, one_thread);
  const double ready = cpu_seconds();
  result.rows.resize(static_cast<Eigen::Index>(sources.size()), mesh.points.rows());
  // One source a call: what a user who needs a single row pays.
  result.milliseconds = median_milliseconds(sources.size(), [&](std::size_t s) {
    solver->distances({&sources[s], 1}, result.rows.middleRows(static_cast<Eigen::Index>(s), 1), one_thread);
  });
  result.setup_milliseconds = 1e3 * (ready - begin);
  return result;
}

CgalMesh to_cgal(const TriangleMesh& mesh) {
  CgalMesh result;
  for (Index v = 0; v < mesh.points.rows(); ++v)
    result.add_vertex({mesh.points(v, 0), mesh.points(v, 1), mesh.points(v, 2)});
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    if (result.add_face(CgalMesh::Vertex_index(mesh.triangles(f, 0)),
                        CgalMesh::Vertex_index(mesh.triangles(f, 1)),
                        CgalMesh::Vertex_index(mesh.triangles(f, 2))) == CgalMesh::null_face())
      throw std::runtime_error("CGAL does not support this mesh: it is not an oriented manifold");
  return result;
}

template <typename Mode>
Measured run_cgal_heat(const CgalMesh& mesh, const std::vector<Index>& sources) {
  Measured result;
  result.rows.resize(static_cast<Eigen::Index>(sources.size()), mesh.number_of_vertices());
  const double begin = cpu_seconds();
  CGAL::Heat_method_3::Surface_mesh_geodesic_distances_3<CgalMesh, Mode> heat(mesh);
  CgalMesh copy = mesh;
  auto distance = copy.add_property_map<CgalMesh::Vertex_index, double>("distance", 0).first;
  const double ready = cpu_seconds();
  result.milliseconds = median_milliseconds(sources.size(), [&](std::size_t s) {
    heat.clear_sources();
    heat.add_source(CgalMesh::Vertex_index(sources[s]));
    heat.estimate_geodesic_distances(distance);
    for (const auto vertex : copy.vertices())
      result.rows(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(vertex.idx())) = distance[vertex];
  });
  result.setup_milliseconds = 1e3 * (ready - begin);
  return result;
}

Measured run_cgal_exact(const CgalMesh& mesh, const std::vector<Index>& sources) {
  using Traits = CGAL::Surface_mesh_shortest_path_traits<Kernel, CgalMesh>;
  Measured result;
  result.rows.resize(static_cast<Eigen::Index>(sources.size()), mesh.number_of_vertices());
  result.milliseconds = median_milliseconds(sources.size(), [&](std::size_t s) {
    CGAL::Surface_mesh_shortest_path<Traits> paths(mesh);
    paths.add_source_point(CgalMesh::Vertex_index(sources[s]));
    for (const auto vertex : mesh.vertices())
      result.rows(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(vertex.idx())) =
          paths.shortest_distance_to_source_points(vertex).first;
  });
  return result;
}

/// Landmark-to-landmark distances, as building the compact matrix needs them: the batched solver at work.
/// Errors are those of ten rows.
Json run_batched(const TriangleMesh& mesh, const std::string& method, Index landmarks,
                 std::size_t most_sources) {
  const auto solver = geodome::make_solver(mesh, {.method = geodome::geodesic_method(method)}, one_thread);
  geodome::LandmarkOptions options;
  options.count = landmarks;
  const auto chosen =
      geodome::internal::choose_landmarks(geodome::Shape(mesh), options, {}, one_thread).vertices;
  // A seeded landmark's neighbourhood of landmarks stands for the whole when all would take too long.
  std::vector<Index> sources(chosen.begin(), chosen.end());
  if (sources.size() > most_sources) {
    const Eigen::RowVector3d centre = mesh.points.row(sources[0]);
    std::sort(sources.begin(), sources.end(), [&](Index a, Index b) {
      return (mesh.points.row(a) - centre).squaredNorm() < (mesh.points.row(b) - centre).squaredNorm();
    });
    sources.resize(most_sources);
  }
  const double begin = cpu_seconds();
  const RowMatrix<double> W = solver->between(sources, chosen, one_thread);
  const double milliseconds = 1e3 * (cpu_seconds() - begin) / static_cast<double>(sources.size());
  const auto checked = static_cast<Eigen::Index>(std::min<std::size_t>(10, sources.size()));
  std::vector<Index> some;
  RowMatrix<double> found(checked, W.cols());
  for (Eigen::Index k = 0; k < checked; ++k) {
    const Eigen::Index at = k * W.rows() / checked;
    some.push_back(sources[static_cast<std::size_t>(at)]);
    found.row(k) = W.row(at);
  }
  const RowMatrix<double> exact = geodome::make_solver(mesh, {.method = geodome::GeodesicMethod::exact})
                                      ->between(some, chosen, one_thread);
  Json result = {{"method", method},
                 {"landmarks", landmarks},
                 {"sources_timed", sources.size()},
                 {"milliseconds_per_source", milliseconds}};
  result.update(error_against(exact, found));
  return result;
}

Json row(const std::string& name, const Measured& measured, const RowMatrix<double>& exact) {
  Json result = {{"method", name},
                 {"milliseconds_per_source", measured.milliseconds},
                 {"setup_milliseconds", measured.setup_milliseconds},
                 {"sources", measured.rows.rows()}};
  result.update(error_against(exact.topRows(measured.rows.rows()), measured.rows));
  return result;
}

void write_for_peers(const TriangleMesh& mesh, const std::vector<Index>& sources,
                     const RowMatrix<double>& exact, const std::string& folder) {
  geodome::internal::write_npy(mesh.points, folder + "/points.npy");
  geodome::internal::write_npy(mesh.triangles, folder + "/triangles.npy");
  geodome::internal::write_npy(RowMatrix<Index>(Eigen::Map<const Eigen::VectorX<Index>>(
                                   sources.data(), static_cast<Eigen::Index>(sources.size()))),
                               folder + "/sources.npy");
  geodome::internal::write_npy(exact, folder + "/exact.npy");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares geodesic solvers: milliseconds per source and error relative to exact distances.");
  std::string path, dump;
  Index source_count = 25, subdivide = 0;
  int exact_peer_sources = 2;
  std::size_t most_batched = 2000;
  std::vector<Index> landmarks = {1000, 10000};
  std::vector<std::string> methods = {"auto", "marching", "marching-1ring", "carried", "heat"};
  app.add_option("mesh", path, "A triangle mesh; default: a bumpy sphere of 40,962 vertices");
  app.add_option("--sources", source_count, "Number of random sources")->capture_default_str();
  app.add_option("--subdivide", subdivide, "Number of midpoint subdivisions before measuring")
      ->capture_default_str();
  app.add_option("--exact-peer-sources", exact_peer_sources, "Number of sources for CGAL's slow exact solver")
      ->capture_default_str();
  app.add_option("--landmarks", landmarks, "Numbers of landmarks for the batched solver")
      ->capture_default_str();
  app.add_option("--most-batched-sources", most_batched, "Largest number of landmarks to use as sources")
      ->capture_default_str();
  app.add_option("--methods", methods, "Solvers of geodome to run")->capture_default_str();
  app.add_option("--dump", dump, "Write the mesh, sources and exact rows to this folder");
  CLI11_PARSE(app, argc, argv);

  geodome::Shape shape = path.empty() ? geodome::Shape(geodome::make_sphere(64)) : geodome::read_shape(path);
  if (!std::holds_alternative<TriangleMesh>(shape)) {
    std::cerr << path << " is not a triangle mesh\n";
    return 2;
  }
  TriangleMesh mesh = largest_component(std::get<TriangleMesh>(shape));
  if (path.empty())
    for (Index v = 0; v < mesh.points.rows(); ++v)
      mesh.points.row(v) *= 1 + 0.15 * std::sin(5 * mesh.points(v, 0)) * std::cos(4 * mesh.points(v, 1));
  for (Index k = 0; k < subdivide; ++k) mesh = geodome::internal::subdivide_midpoint(mesh);

  std::mt19937 random(1);
  std::vector<Index> sources;
  while (static_cast<Index>(sources.size()) < source_count)
    sources.push_back(static_cast<Index>(random() % static_cast<unsigned>(mesh.points.rows())));

  const Measured exact = run_ours(mesh, "exact", sources);
  Json results = Json::array();
  results.push_back(row("geodome exact", exact, exact.rows));
  for (const auto& method : methods)
    results.push_back(row("geodome " + method, run_ours(mesh, method, sources), exact.rows));

  try {
    const CgalMesh cgal = to_cgal(mesh);
    results.push_back(
        row("CGAL heat", run_cgal_heat<CGAL::Heat_method_3::Direct>(cgal, sources), exact.rows));
    results.push_back(row("CGAL heat, intrinsic Delaunay",
                          run_cgal_heat<CGAL::Heat_method_3::Intrinsic_Delaunay>(cgal, sources), exact.rows));
    if (exact_peer_sources > 0) {
      const std::vector<Index> few(sources.begin(),
                                   sources.begin() + std::min<int>(exact_peer_sources, source_count));
      results.push_back(row("CGAL exact", run_cgal_exact(cgal, few), exact.rows));
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }

  Json batched = Json::array();
  for (const char* method : {"marching", "carried"})
    for (const Index count : landmarks)
      if (count < mesh.points.rows() / 4) batched.push_back(run_batched(mesh, method, count, most_batched));

  if (!dump.empty()) write_for_peers(mesh, sources, exact.rows, dump);
  std::cout << Json{{"mesh", path.empty() ? "bumpy sphere" : path},
                    {"vertices", mesh.points.rows()},
                    {"results", results},
                    {"batched", batched}}
                   .dump(2)
            << '\n';
}
