#include "geodome/landmark/sample.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/landmark/landmarks.h"

namespace geodome {

using namespace internal;

VertexSample sample_vertices(const Shape& shape, const SampleOptions& options,
                             const GeodesicOptions& geodesic, const Execution& execution) {
  if (options.method == LandmarkMethod::user)
    throw InputError("vertices are sampled by farthest points or at random");
  const PathDomain domain = make_path_domain(shape, geodesic, execution);
  const auto* paths = std::get_if<MeshPaths>(&domain.paths);
  const auto cover = paths ? make_surface_cover(paths->surface, execution)
                           : make_graph_cover(std::get<Adjacency>(domain.paths));
  const LandmarkOptions wanted(options.method, options.count, options.seed, {});
  Landmarks chosen = choose_landmarks_from(*cover, wanted, options.start, execution);

  VertexSample sample{std::move(chosen.vertices), std::move(chosen.cover_radius), {}, {}};
  for (const Index place : cover->places().of_vertex) {
    sample.cell.push_back(place < 0 ? -1 : cover->landmark(place));
    sample.distance.push_back(place < 0 ? infinity : cover->distance(place));
  }
  return sample;
}

}  // namespace geodome
