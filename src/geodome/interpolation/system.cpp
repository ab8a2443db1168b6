#include "geodome/interpolation/system.h"

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

void require_valid(const Laplacian& laplacian, std::span<const Index> landmarks,
                   std::span<const Index> cell) {
  const Index vertices = static_cast<Index>(laplacian.mass.size());
  if (landmarks.empty()) throw InputError("no landmarks: at least one is required");
  if (static_cast<Index>(cell.size()) != vertices)
    throw InputError(text("cells for ", cell.size(), " vertices, but the shape has ", vertices));
  for (const Index landmark : landmarks)
    if (landmark < 0 || landmark >= vertices)
      throw InputError(text("landmark ", landmark, " is out of range [0, ", vertices, ")"));
  for (const Index position : cell)
    if (position < -1 || position >= static_cast<Index>(landmarks.size()))
      throw InputError(text("cell ", position, " is out of range [-1, ", landmarks.size(), ")"));
}

/// The vertices with a Laplacian of their own that are coupled to a landmark through others like them.
std::vector<char> reached_from(const Laplacian& laplacian, std::span<const Index> landmarks) {
  std::vector<char> reached(laplacian.mass.size(), 0);
  std::vector<Index> front;
  const auto visit = [&](Index vertex) {
    if (reached[vertex] || !(laplacian.mass[vertex] > 0)) return;
    reached[vertex] = 1;
    front.push_back(vertex);
  };
  for (const Index landmark : landmarks) visit(landmark);
  while (!front.empty()) {
    const Index vertex = front.back();
    front.pop_back();
    for (SparseMatrix::InnerIterator entry(laplacian.stiffness, vertex); entry; ++entry)
      if (entry.value() != 0) visit(static_cast<Index>(entry.row()));
  }
  return reached;
}

}  // namespace

SparseMatrix InterpolationSystem::unknown_matrix() const {
  return principal_submatrix(M, vertex_of, unknown_of);
}

SparseMatrix principal_submatrix(const SparseMatrix& matrix, std::span<const Index> kept,
                                 std::span<const Index> position) {
  const auto size = static_cast<Eigen::Index>(kept.size());
  SparseMatrix result(size, size);
  Eigen::Index nonzeros = 0;
  for (const Index column : kept) nonzeros += matrix.col(column).nonZeros();
  result.reserve(nonzeros);
  for (Eigen::Index column = 0; column < size; ++column) {
    result.startVec(column);
    for (SparseMatrix::InnerIterator entry(matrix, kept[column]); entry; ++entry)
      if (const Index row = position[entry.row()]; row >= 0) result.insertBack(row, column) = entry.value();
  }
  result.finalize();
  return result;
}

InterpolationSystem make_interpolation_system(const Laplacian& laplacian, std::span<const Index> landmarks,
                                              std::span<const Index> cell) {
  require_valid(laplacian, landmarks, cell);
  const Index vertices = static_cast<Index>(laplacian.mass.size());
  InterpolationSystem system;
  system.M = biharmonic(laplacian);
  system.landmark_at.assign(vertices, -1);
  for (std::size_t position = 0; position < landmarks.size(); ++position) {
    Index& at = system.landmark_at[landmarks[position]];
    if (at >= 0) throw InputError(text("vertex ", landmarks[position], " occurs twice in the landmarks"));
    at = static_cast<Index>(position);
  }
  const std::vector<char> reached = reached_from(laplacian, landmarks);
  system.unknown_of.assign(vertices, -1);
  for (Index v = 0; v < vertices; ++v) {
    if (system.landmark_at[v] >= 0) continue;
    if (reached[v] && cell[v] >= 0) {
      system.unknown_of[v] = static_cast<Index>(system.vertex_of.size());
      system.vertex_of.push_back(v);
    } else if (cell[v] >= 0) {
      system.copied.push_back(v);
    }
  }
  return system;
}

}  // namespace geodome::internal
