#include "geodome/pipeline/paths.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/geodesic/precomputed.h"

namespace geodome::internal {

std::unique_ptr<GeodesicSolver> open_precomputed_distances(const std::string& path, Index vertices) {
  auto solver = std::make_unique<PrecomputedDistances>(path);
  if (solver->size() != vertices)
    throw InputError(text("'", path, "' contains distances of ", solver->size(),
                          " vertices, but the shape has ", vertices));
  return solver;
}

std::shared_ptr<const GeodesicSolver> require_size(std::shared_ptr<const GeodesicSolver> solver,
                                                   Index vertices) {
  if (solver->size() != vertices)
    throw InputError(
        text("the user-supplied distances have ", solver->size(), " vertices, but the shape has ", vertices));
  return solver;
}

std::shared_ptr<const GeodesicSolver> precomputed_distances(const BuildOptions& options, Index vertices) {
  if (options.solver == nullptr) return open_precomputed_distances(options.distances, vertices);
  return require_size(options.solver, vertices);
}

GeodesicOptions landmark_geodesics(GeodesicOptions options, Index landmarks) {
  constexpr Index most_exact_entries = 2500000;  // some 2 microseconds each
  options.expected_sources = static_cast<std::size_t>(std::max<Index>(landmarks, 0));
  options.exact_up_to = std::min(options.exact_up_to, most_exact_entries / std::max<Index>(landmarks, 1));
  return options;
}

void leave_out_lone_points(const Adjacency& edges, std::vector<Index>& landmarks) {
  std::erase_if(landmarks, [&](Index vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    return edges.offsets[v] == edges.offsets[v + 1];
  });
  if (landmarks.empty())
    throw InputError("no two vertices of the shape are connected by a path: there are no distances to store");
}

}  // namespace geodome::internal
