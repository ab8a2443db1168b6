#include "geodome/baselines/ctg/ctg.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {
namespace {

/// The landmarks and some more.
LandmarkOptions with_more(const MeasuredLandmarks& found, std::vector<Index> more, std::size_t most) {
  if (more.size() > most) more.resize(most);
  LandmarkOptions options = found.options;
  options.method = LandmarkMethod::user;
  options.vertices = found.order.vertices;
  options.vertices.insert(options.vertices.end(), more.begin(), more.end());
  return options;
}

const MeshPaths& surface_of(const PreparedShape& prepared) {
  if (const auto* surface = std::get_if<MeshPaths>(&prepared.domain().paths)) return *surface;
  throw InputError(text("ctg requires a surface, and a ", kind_name(prepared.shape()),
                        " with paths along edges has none: use spectrometer or sbha"));
}

void note(BuildSummary& summary, Index requested, std::size_t broken) {
  summary.added_landmarks = summary.landmarks - requested;
  if (summary.added_landmarks > 0)
    summary.note = text(summary.added_landmarks, " samples were added to repair the triangulation");
  if (broken > 0)
    summary.note += text(summary.note.empty() ? "" : "; ", "the triangulation is broken at ", broken,
                         " samples: use more landmarks");
}

}  // namespace

std::shared_ptr<const DistanceMatrix> build_ctg(MethodRun& run) {
  const MeshPaths& surface = surface_of(run.prepared);
  const double repair = run.options.baseline.repair;
  if (!(repair >= 0 && std::isfinite(repair)))
    throw InputError(text("the fraction of samples added for repair must not be negative, got ", repair));
  const MeasuredLandmarks* found = &run.landmarks(1);
  const Index requested = run.summary.landmarks;
  const auto most = static_cast<Index>(requested + std::max(8.0, repair * requested));
  run.require_memory(most);
  RowMatrix<float> C = run.columns(*found);
  const auto triangulate = [&] {
    return run.run("triangulation", [&] {
      return ctg_triangles(surface.mesh.triangles, run.prepared.edges(), {found->order, C}, run.execution);
    });
  };
  CtgTriangles triangles = triangulate();
  while (!triangles.broken.empty() && run.summary.landmarks < most) {
    const std::vector<Index> more = samples_to_add(triangles, {found->order, C});
    if (more.empty()) break;
    // The time to measure is counted as a whole each time.
    run.forget("geodesic");
    found = &run.measure(
        run.choose(with_more(*found, more, static_cast<std::size_t>(most - run.summary.landmarks))));
    C = run.columns(*found);
    triangles = triangulate();
  }
  note(run.summary, requested, triangles.broken.size());
  const auto faces = static_cast<std::int64_t>(triangles.triangle.size());
  run.count(run.landmark_count() * run.landmark_count() + 6 * run.vertices(), run.vertices() + 3 * faces,
            run.lanczos_numbers());
  const Points* points = run.prepared.measures() ? &surface.mesh.points : nullptr;
  return std::make_shared<CtgMatrix>(make_ctg({found->order, C}, triangles, points, run.options.kind));
}

}  // namespace geodome::internal
