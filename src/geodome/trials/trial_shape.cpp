#include "geodome/trials/trial_shape.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "geodome/base/error.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/resample/decimate.h"

namespace geodome {

std::vector<TrialSubject> subjects_of(const std::vector<std::string>& paths) {
  std::map<std::string, int> seen;
  std::vector<TrialSubject> subjects;
  for (const std::string& path : paths) {
    const std::string file = std::filesystem::path(path).filename().string();
    const std::string stem =
        file.substr(0, std::max<std::size_t>(1, std::min(file.find('.', 1), file.size())));
    const int count = ++seen[stem];
    subjects.push_back({path, count == 1 ? stem : text(stem, "_", count)});
  }
  return subjects;
}

Shape load_subject(const TrialSubject& subject) {
  try {
    return clean_shape(read_shape(subject.path)).shape;
  } catch (const InputError& error) {
    throw InputError(text("'", subject.path, "': ", error.what()));
  }
}

TriangleMesh largest_component(const TriangleMesh& mesh) {
  const auto vertices = static_cast<Index>(mesh.points.rows());
  const Components components = find_components(make_adjacency(vertices, face_edges(mesh)));
  std::vector<Index> size(static_cast<std::size_t>(components.count));
  for (const Index of : components.of_vertex)
    if (of >= 0) ++size[static_cast<std::size_t>(of)];
  if (size.empty()) return mesh;
  const auto largest = static_cast<Index>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<Index> number(static_cast<std::size_t>(vertices), -1);
  TriangleMesh result;
  result.points.resize(size[static_cast<std::size_t>(largest)], 3);
  Index kept = 0;
  for (Index v = 0; v < vertices; ++v)
    if (components.of_vertex[static_cast<std::size_t>(v)] == largest) {
      result.points.row(kept) = mesh.points.row(v);
      number[static_cast<std::size_t>(v)] = kept++;
    }
  result.triangles.resize(mesh.triangles.rows(), 3);
  Eigen::Index faces = 0;
  for (const auto& face : mesh.triangles.rowwise())
    if (number[static_cast<std::size_t>(face[0])] >= 0) {
      for (int corner = 0; corner < 3; ++corner)
        result.triangles(faces, corner) = number[static_cast<std::size_t>(face[corner])];
      ++faces;
    }
  result.triangles.conservativeResize(faces, 3);
  return result;
}

Shape prepare_subject(Shape shape, const TrialSubject& subject, const Execution& execution) {
  if (!subject.largest_component && subject.decimate == 0) return shape;
  const auto* mesh = std::get_if<TriangleMesh>(&shape);
  if (mesh == nullptr)
    throw InputError(text("'", subject.path, "' is a ", kind_name(shape),
                          "; only a triangle mesh can be made coarser or be taken apart"));
  TriangleMesh part = subject.largest_component ? largest_component(*mesh) : *mesh;
  if (subject.decimate == 0 || subject.decimate >= part.points.rows()) return part;
  part = decimate(part, subject.decimate, {}, execution).mesh;
  // A little more is as good; far more would go by a wrong name.
  if (static_cast<double>(part.points.rows()) > 1.05 * subject.decimate)
    throw InputError(text("'", subject.path, "' cannot be made coarser than ", part.points.rows(),
                          " vertices without changing its topology, and ", subject.decimate,
                          " are asked for"));
  return part;
}

}  // namespace geodome
