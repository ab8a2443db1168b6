#include "geodome/trials/trial_shape.h"

#include "geodome/base/error.h"
#include "geodome/base/stems.h"
#include "geodome/shape/component.h"
#include "geodome/shape/io/load.h"
#include "geodome/shape/resample/decimate.h"

namespace geodome::internal {

std::vector<TrialSubject> subjects_of(const std::vector<std::string>& paths) {
  const std::vector<std::string> names = distinct_stems(paths);
  std::vector<TrialSubject> subjects;
  for (std::size_t k = 0; k < paths.size(); ++k) subjects.push_back({paths[k], names[k]});
  return subjects;
}

Shape load_subject(const TrialSubject& subject) {
  return load_clean_shape(subject.path).shape;
}

Shape prepare_subject(Shape shape, const TrialSubject& subject, const Execution& execution) {
  if (!subject.largest_component && subject.decimate == 0) return shape;
  const auto* mesh = std::get_if<TriangleMesh>(&shape);
  if (mesh == nullptr)
    throw InputError(text("'", subject.path, "' is a ", kind_name(shape),
                          "; only triangle meshes can be decimated or split into components"));
  TriangleMesh part = subject.largest_component ? std::get<TriangleMesh>(largest_component(shape)) : *mesh;
  if (subject.decimate == 0 || subject.decimate >= part.points.rows()) return part;
  part = decimate(part, subject.decimate, {}, execution).mesh;
  // A little more is as good; far more would go by a wrong name.
  if (static_cast<double>(part.points.rows()) > 1.05 * subject.decimate)
    throw InputError(text("'", subject.path, "' cannot be decimated to fewer than ", part.points.rows(),
                          " vertices without changing its topology, and ", subject.decimate,
                          " were requested"));
  return part;
}

}  // namespace geodome::internal
