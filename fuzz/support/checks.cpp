#include "support/checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/expect.h"

namespace geodome::fuzz {

using namespace internal;

namespace {

const Execution one_thread{1, {}};

struct IndexCheck {
  Index vertices;

  void in_range(Index corner) const {
    expect(corner >= 0 && corner < vertices, "corner ", corner, " of ", vertices, " vertices");
  }
  void operator()(const TriangleMesh& mesh) const {
    for (Eigen::Index k = 0; k < mesh.triangles.size(); ++k) in_range(mesh.triangles.data()[k]);
  }
  void operator()(const PolygonMesh& mesh) const {
    for (const Index corner : mesh.corners) in_range(corner);
    expect(!mesh.offsets.empty() && mesh.offsets.front() == 0, "offsets do not begin at zero");
    expect(mesh.offsets.back() == static_cast<std::int64_t>(mesh.corners.size()),
           "offsets do not end with the corners");
    for (std::size_t f = 1; f < mesh.offsets.size(); ++f)
      expect(mesh.offsets[f] >= mesh.offsets[f - 1] + 3, "face ", f - 1, " has fewer than three corners");
  }
  void operator()(const PointCloud& cloud) const {
    expect(cloud.normals.rows() == 0 || cloud.normals.rows() == vertices, cloud.normals.rows(), " normals");
  }
  void operator()(const Graph& graph) const {
    for (const Edge& edge : graph.edges) {
      in_range(edge.a);
      in_range(edge.b);
    }
    expect(graph.labels.empty() || graph.labels.size() == static_cast<std::size_t>(vertices),
           graph.labels.size(), " labels of ", vertices, " vertices");
  }
  void operator()(const Samples&) const {}
};

std::vector<Index> all_vertices(Index count) {
  std::vector<Index> vertices(static_cast<std::size_t>(count));
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

/// Equal, or as close as two orders of summation leave them.
bool same_number(double a, double b, double size) {
  return a == b || std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b) + size);
}

}  // namespace

void check_indices(const Shape& shape) {
  std::visit(IndexCheck{vertex_count(shape)}, shape);
}

void check_laplacian(const Laplacian& laplacian) {
  const SparseMatrix& L = laplacian.stiffness;
  double largest = 0;
  for (Eigen::Index k = 0; k < L.nonZeros(); ++k) {
    expect(std::isfinite(L.valuePtr()[k]), "a stiffness that is not finite");
    largest = std::max(largest, std::abs(L.valuePtr()[k]));
  }
  for (const double mass : laplacian.mass) expect(mass >= 0 && std::isfinite(mass), "a mass of ", mass);
  const SparseMatrix asymmetry = L - SparseMatrix(L.transpose());
  for (Eigen::Index k = 0; k < asymmetry.nonZeros(); ++k)
    expect(std::abs(asymmetry.valuePtr()[k]) <= 1e-12 * largest, "an asymmetric stiffness");
  const double size = static_cast<double>(L.rows());
  const Vector sums = L * Vector::Ones(L.cols());
  expect(sums.cwiseAbs().maxCoeff() <= 1e-12 * size * largest, "a row of the stiffness that sums to ",
         sums.cwiseAbs().maxCoeff());
  Vector x(L.cols());
  for (Eigen::Index v = 0; v < x.size(); ++v) x[v] = std::sin(1.0 + 2.3 * static_cast<double>(v));
  expect(x.dot(L * x) >= -1e-12 * size * largest, "a negative energy: ", x.dot(L * x));
}

RowMatrix<double> all_distances(const GeodesicSolver& solver) {
  const std::vector<Index> sources = all_vertices(solver.size());
  RowMatrix<double> rows(solver.size(), solver.size());
  solver.distances(sources, rows, one_thread);
  return rows;
}

RowMatrix<double> chords_of(const Shape& shape) {
  RowMatrix<double> positions;
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) positions = mesh->points;
  if (const auto* polygons = std::get_if<PolygonMesh>(&shape)) positions = polygons->points;
  if (const auto* cloud = std::get_if<PointCloud>(&shape)) positions = cloud->points;
  if (const auto* samples = std::get_if<Samples>(&shape)) positions = samples->values;
  RowMatrix<double> chords(positions.rows(), positions.rows());
  for (Eigen::Index i = 0; i < positions.rows(); ++i)
    for (Eigen::Index j = 0; j < positions.rows(); ++j)
      chords(i, j) = (positions.row(i) - positions.row(j)).stableNorm();
  return chords;
}

double largest_finite(const RowMatrix<double>& numbers) {
  double largest = 0;
  for (const double number : numbers.reshaped())
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest;
}

void check_rows(const RowMatrix<double>& distances, const char* name) {
  for (Eigen::Index i = 0; i < distances.rows(); ++i) {
    expect(distances(i, i) == 0, name, ": d(", i, ", ", i, ") = ", distances(i, i));
    for (Eigen::Index j = 0; j < distances.cols(); ++j) {
      expect(distances(i, j) >= 0, name, ": d(", i, ", ", j, ") = ", distances(i, j));
      expect((distances(i, j) < infinity) == (distances(j, i) < infinity), name, ": d(", i, ", ", j,
             ") = ", distances(i, j), ", backwards ", distances(j, i));
    }
  }
}

void check_symmetric(const RowMatrix<double>& distances, const Tolerance& tolerance, const char* name) {
  for (Eigen::Index i = 0; i < distances.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double there = distances(i, j), back = distances(j, i);
      expect(there == back || std::abs(there - back) <= tolerance.at(std::max(there, back)), name, ": d(", i,
             ", ", j, ") = ", there, ", backwards ", back);
    }
}

void check_triangle_inequality(const RowMatrix<double>& distances, const Tolerance& tolerance,
                               const char* name) {
  // Cubic in the number of vertices: without Eigen's checks, and with one comparison inside.
  const Eigen::Index count = distances.rows();
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index k = 0; k < count; ++k) {
      const double* const from_i = distances.data() + i * count;
      const double* const from_k = distances.data() + k * count;
      const double there = from_i[k];
      if (there == infinity) continue;
      Eigen::Index violations = 0;
      for (Eigen::Index j = 0; j < count; ++j)
        violations += !(from_i[j] <= (there + from_k[j]) * (1 + tolerance.relative) + tolerance.at(0));
      for (Eigen::Index j = 0; violations > 0 && j < count; ++j)
        expect(from_i[j] <= (there + from_k[j]) * (1 + tolerance.relative) + tolerance.at(0), name, ": d(", i,
               ", ", j, ") = ", from_i[j], ", ", there + from_k[j], " through ", k);
    }
}

void check_chords(const RowMatrix<double>& distances, const RowMatrix<double>& chords,
                  const Tolerance& tolerance, const char* name) {
  for (Eigen::Index i = 0; i < chords.rows(); ++i)
    for (Eigen::Index j = 0; j < chords.cols(); ++j)
      expect(distances(i, j) >= chords(i, j) - tolerance.at(chords(i, j)), name, ": d(", i, ", ", j,
             ") = ", distances(i, j), ", straight ", chords(i, j));
}

void check_same_components(const RowMatrix<double>& distances, const RowMatrix<double>& reference,
                           const char* name) {
  for (Eigen::Index i = 0; i < distances.rows(); ++i)
    for (Eigen::Index j = 0; j < distances.cols(); ++j)
      expect((distances(i, j) < infinity) == (reference(i, j) < infinity), name, ": d(", i, ", ", j,
             ") = ", distances(i, j), ", ", reference(i, j), " along edges");
}

void check_at_most(const RowMatrix<double>& distances, const RowMatrix<double>& bound,
                   const Tolerance& tolerance, const char* name) {
  for (Eigen::Index i = 0; i < distances.rows(); ++i)
    for (Eigen::Index j = 0; j < distances.cols(); ++j)
      expect(distances(i, j) <= bound(i, j) + tolerance.at(bound(i, j)), name, ": d(", i, ", ", j,
             ") = ", distances(i, j), ", at most ", bound(i, j));
}

RowMatrix<double> check_consistent(const DistanceMatrix& matrix, const char* name, double magnitude) {
  const Index count = matrix.size();
  const std::vector<Index> all = all_vertices(count);
  const RowMatrix<double> rows = matrix.rows(all, one_thread);
  const double size = std::max(magnitude, largest_finite(rows));
  std::vector<Index> I, J;
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < count; ++j) {
      I.push_back(i);
      J.push_back(j);
    }
  const Vector entries = matrix.entries(I, J, one_thread);
  for (std::size_t k = 0; k < I.size(); ++k) {
    const double entry = entries[static_cast<Eigen::Index>(k)], in_row = rows(I[k], J[k]);
    expect(!std::isnan(entry), name, ": entry (", I[k], ", ", J[k], ") is not a number");
    expect(same_number(entry, in_row, size), name, ": entry (", I[k], ", ", J[k], ") is ", entry,
           ", in its row ", in_row);
  }
  std::vector<Index> some;
  for (Index v = 0; v < count; v += 3) some.push_back(v);
  const RowMatrix<double> block = matrix.block(some, all, one_thread);
  for (std::size_t i = 0; i < some.size(); ++i)
    for (Index j = 0; j < count; ++j)
      expect(same_number(block(static_cast<Eigen::Index>(i), j), rows(some[i], j), size), name, ": entry (",
             some[i], ", ", j, ") is ", rows(some[i], j), " in its row, ",
             block(static_cast<Eigen::Index>(i), j), " in a block");
  return rows;
}

void check_product(const DistanceMatrix& matrix, const RowMatrix<double>& entries, const char* name,
                   double magnitude) {
  if (!entries.allFinite()) return;  // refused, see DistanceMatrix::apply
  RowMatrix<double> x(matrix.size(), 1);
  for (Eigen::Index v = 0; v < x.rows(); ++v) x(v, 0) = std::cos(1.0 + 1.7 * static_cast<double>(v));
  const RowMatrix<double> product = matrix.apply(x, one_thread), expected = entries * x;
  const double size = std::max(magnitude, entries.cwiseAbs().maxCoeff()) * static_cast<double>(x.rows());
  for (Eigen::Index v = 0; v < x.rows(); ++v)
    expect(same_number(product(v, 0), expected(v, 0), size), name, ": row ", v, " of a product is ",
           product(v, 0), ", of the entries ", expected(v, 0));
}

}  // namespace geodome::fuzz
