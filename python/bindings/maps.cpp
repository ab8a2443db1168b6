// Paths, samples, and what follows from all distances: maps, partitions, interpolated functions.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "geodome/geodome.h"
#include "module.h"
#include "options.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

/// Corners and weights (#P by 3 each), positions, length, distance and whether it is exact, of each path.
nb::list to_list(std::vector<ShortestPath> paths) {
  nb::list result;
  for (ShortestPath& path : paths) {
    const auto count = static_cast<Eigen::Index>(path.points.size());
    RowMatrix<Index> corners(count, 3);
    RowMatrix<double> weights(count, 3);
    for (Eigen::Index p = 0; p < count; ++p)
      for (int k = 0; k < 3; ++k) {
        corners(p, k) = path.points[static_cast<std::size_t>(p)].vertex[static_cast<std::size_t>(k)];
        weights(p, k) = path.points[static_cast<std::size_t>(p)].weight[static_cast<std::size_t>(k)];
      }
    result.append(nb::make_tuple(to_numpy(std::move(corners)), to_numpy(std::move(weights)),
                                 to_numpy(std::move(path.positions)), path.length, path.distance,
                                 path.exact));
  }
  return result;
}

/// The first point is where all paths begin.
std::vector<ShortestPath> paths_between(const Shape& shape, const std::vector<SurfacePoint>& points,
                                        const GeodesicOptions& options, const Execution& execution) {
  return shortest_paths(shape, points.front(), std::span(points).subspan(1), options, execution);
}

nb::list paths(const SharedShape& shape, const MatrixIn<Index>& corners, const MatrixIn<double>& weights,
               const nb::dict& given, const Run& run) {
  return to_list(run_watched(run, [shape, options = geodesic_options(given),
                                   points = surface_points(corners, weights)](const Execution& execution) {
    return paths_between(*shape.shape, points, options, execution);
  }));
}

/// With the solver at hand if it is of the method that is wanted.
nb::list prepared_paths(const SharedShape& shape, const Prepared& prepared, const MatrixIn<Index>& corners,
                        const MatrixIn<double>& weights, const nb::dict& given, const Run& run) {
  return to_list(run_watched(run, [shape, prepared, options = geodesic_options(given),
                                   points = surface_points(corners, weights)](const Execution& execution) {
    if (geodesic_method_name(options.method) != prepared.method)
      return paths_between(*shape.shape, points, options, execution);
    return shortest_paths(*shape.shape, *prepared.solver, points.front(), std::span(points).subspan(1),
                          options, execution);
  }));
}

const Shape& require_shape(const std::shared_ptr<const Shape>& shape) {
  if (!shape) throw InputError("the file does not contain the shape, on which paths and areas are computed");
  return *shape;
}

nb::list matrix_paths(const Distances& self, const MatrixIn<Index>& corners, const MatrixIn<double>& weights,
                      const Run& run) {
  return to_list(
      run_watched(run, [self, points = surface_points(corners, weights)](const Execution& execution) {
        GeodesicOptions options = self.path_options();
        if (self.geodesic() == geodesic_method_name(GeodesicMethod::graph))
          options.method = GeodesicMethod::graph;
        return paths_between(require_shape(self.shape()), points, options, execution);
      }));
}

nb::tuple sample(const SharedShape& shape, Index count, bool random, std::uint64_t seed,
                 const VectorIn<Index>& start, const nb::dict& given, const Run& run) {
  VertexSample found = run_watched(
      run, [shape, options = geodesic_options(given),
            wanted = SampleOptions{count, random ? LandmarkMethod::random : LandmarkMethod::farthest, seed,
                                   copied(start)}](const Execution& execution) {
        return sample_vertices(*shape.shape, wanted, options, execution);
      });
  return nb::make_tuple(to_numpy(std::move(found.vertices)), to_numpy(std::move(found.cover_radius)),
                        to_numpy(std::move(found.cell)), to_numpy(std::move(found.distance)));
}

VectorOut<double> mean(const Distances& self, const VectorIn<double>& weights, const Run& run) {
  return to_numpy(run_watched(run, [self, weights = copied(weights)](const Execution& execution) {
    return mean_distance(self.matrix(), weights, execution);
  }));
}

VectorOut<double> areas(const Distances& self, const Run& run) {
  return to_numpy(run_watched(run, [self](const Execution& execution) {
    return vertex_areas(require_shape(self.shape()), self.path_options(), execution);
  }));
}

nb::dict eccentricities(const Distances& self, double tolerance, std::int64_t most_rows, const Run& run) {
  Eccentricity found = run_watched(run, [self, tolerance, most_rows](const Execution& execution) {
    return eccentricity(self.matrix(), {.tolerance = tolerance, .most_rows = most_rows}, execution);
  });
  nb::dict result;
  result["eccentricity"] = to_numpy(std::move(found.eccentricity));
  result["farthest"] = to_numpy(std::move(found.farthest));
  result["bound"] = found.bound;
  result["diameter"] = found.diameter;
  result["ends"] = nb::make_tuple(found.from, found.to);
  result["centre"] = found.centre;
  result["radius"] = found.radius;
  result["rows"] = found.rows;
  return result;
}

nb::tuple regions(const Distances& self, Index parts, const VectorIn<Index>& seeds,
                  const VectorIn<double>& weights, std::uint64_t seed, const Run& run) {
  Partition found = run_watched(
      run, [self, parts, seed, seeds = copied(seeds), weights = copied(weights)](const Execution& execution) {
        return parts > 0 ? partition(self.matrix(), {.parts = parts, .seed = seed}, weights, execution)
                         : voronoi_cells(self.queries(), seeds, weights, execution);
      });
  return nb::make_tuple(to_numpy(std::move(found.label)), to_numpy(std::move(found.centre)),
                        to_numpy(std::move(found.area)));
}

nb::tuple between_regions(const Distances& self, const VectorIn<Index>& labels,
                          const VectorIn<double>& weights, const Run& run) {
  RegionDistances found = run_watched(
      run, [self, labels = copied(labels), weights = copied(weights)](const Execution& execution) {
        std::vector<char> border;
        if (const auto shape = self.shape())
          border = region_borders(*shape, labels, self.path_options(), execution);
        return region_distances(self.matrix(), self.queries(), labels, weights, border, execution);
      });
  return nb::make_tuple(to_numpy(std::move(found.mean)), to_numpy(std::move(found.minimum)));
}

MatrixOut<double> interpolated(const SharedShape& shape, const MatrixIn<double>& values,
                               const nb::dict& given, const Run& run) {
  return to_numpy(run_watched(run, [shape, options = geodesic_options(given),
                                    some = RowMatrix<double>(matrix_of(values))](const Execution& execution) {
    return interpolate_values(*shape.shape, some, options, execution);
  }));
}

}  // namespace

void add_maps(nb::module_& module) {
  module.def("paths", paths, nb::arg("shape"), nb::arg("corners"), nb::arg("weights"), nb::arg("options"),
             nb::arg("run"));
  module.def("prepared_paths", prepared_paths, nb::arg("shape"), nb::arg("prepared"), nb::arg("corners"),
             nb::arg("weights"), nb::arg("options"), nb::arg("run"));
  module.def("matrix_paths", matrix_paths, nb::arg("matrix"), nb::arg("corners"), nb::arg("weights"),
             nb::arg("run"));
  module.def("sample", sample, nb::arg("shape"), nb::arg("count"), nb::arg("random"), nb::arg("seed"),
             nb::arg("start"), nb::arg("options"), nb::arg("run"));
  module.def("mean_distance", mean, nb::arg("matrix"), nb::arg("weights"), nb::arg("run"));
  module.def("areas", areas, nb::arg("matrix"), nb::arg("run"));
  module.def("eccentricity", eccentricities, nb::arg("matrix"), nb::arg("tolerance"), nb::arg("most_rows"),
             nb::arg("run"));
  module.def("partition", regions, nb::arg("matrix"), nb::arg("parts"), nb::arg("seeds"), nb::arg("weights"),
             nb::arg("seed"), nb::arg("run"));
  module.def("between_regions", between_regions, nb::arg("matrix"), nb::arg("labels"), nb::arg("weights"),
             nb::arg("run"));
  module.def("interpolate", interpolated, nb::arg("shape"), nb::arg("values"), nb::arg("options"),
             nb::arg("run"));
}

}  // namespace geodome::python
