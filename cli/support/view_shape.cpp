#include "support/view_shape.h"

#include <Eigen/SVD>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/comparison/alignment.h"
#include "geodome/embedding/embedding.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/resample/decimate.h"
#include "geodome/shape/triangulate.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Evenly spread over the numbers of the vertices.
std::vector<Index> some_vertices(Index vertices, Index limit) {
  std::vector<Index> some;
  for (std::int64_t k = 0; k < limit; ++k) some.push_back(static_cast<Index>(k * vertices / limit));
  return some;
}

Points rows_of(const Points& points, const std::vector<Index>& rows) {
  Points some(static_cast<Eigen::Index>(rows.size()), 3);
  for (std::size_t k = 0; k < rows.size(); ++k) some.row(static_cast<Eigen::Index>(k)) = points.row(rows[k]);
  return some;
}

Drawing draw_mesh(const TriangleMesh& mesh, Index limit, const Execution& execution) {
  if (mesh.points.rows() <= limit) return {mesh.points, mesh.triangles, {}, {}};
  Decimated coarse = decimate(mesh, limit, {}, execution);
  return {std::move(coarse.mesh.points), std::move(coarse.mesh.triangles), {}, std::move(coarse.origin)};
}

bool same_faces(const Shape& a, const Shape& b) {
  if (a.index() != b.index() || vertex_count(a) != vertex_count(b) || face_count(a) != face_count(b))
    return false;
  if (const auto* mesh = std::get_if<TriangleMesh>(&a))
    return mesh->triangles == std::get<TriangleMesh>(b).triangles;
  if (const auto* mesh = std::get_if<PolygonMesh>(&a)) {
    const auto& other = std::get<PolygonMesh>(b);
    return mesh->corners == other.corners && mesh->offsets == other.offsets;
  }
  return false;
}

/// The orthogonal matrix, a reflection where that fits better, that brings `from` nearest to `to`; both #V by
/// 3. [Schönemann 1966]
Eigen::Matrix3d best_turn(const RowMatrix<double>& from, const RowMatrix<double>& to) {
  const Eigen::RowVector3d from_centre = from.colwise().mean(), to_centre = to.colwise().mean();
  const Eigen::Matrix3d product = (from.rowwise() - from_centre).transpose() * (to.rowwise() - to_centre);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

void align_to(const ViewShape& first, ViewShape& other) {
  other.corresponds = first.input.distances.has_shape() && other.input.distances.has_shape() &&
                      same_faces(*first.input.distances.shape(), *other.input.distances.shape());
  const double radius = std::sqrt(first.form.rowwise().squaredNorm().mean());
  const double other_radius = std::sqrt(other.form.rowwise().squaredNorm().mean());
  if (other.corresponds) {
    other.form = (other.form * best_turn(other.form, first.form)).eval();
    other.apart =
        radius > 0 ? std::sqrt((other.form - first.form).rowwise().squaredNorm().mean()) / radius : 0;
  } else if (radius > 0 && other_radius > 0) {
    const FormSamples to(first.form / radius), from(other.form / other_radius);
    const Alignment alignment = align(from, to);
    other.form = (alignment.apply(other.form / other_radius) * other_radius).eval();
    other.apart = alignment.distance;
  } else {
    other.apart = infinity;
  }
  // In mean radii. Farther apart, a point of one is none of the other.
  constexpr double nearly = 0.2;
  other.alike = other.corresponds || other.apart < nearly;
}

}  // namespace

Drawing make_drawing(const Shape* shape, Index vertices, Index limit, const Execution& execution) {
  if (shape != nullptr) {
    if (const auto* mesh = std::get_if<TriangleMesh>(shape)) return draw_mesh(*mesh, limit, execution);
    if (const auto* mesh = std::get_if<PolygonMesh>(shape))
      return draw_mesh(triangulate(*mesh), limit, execution);
  }
  Drawing drawing;
  if (vertices > limit) drawing.origin = some_vertices(vertices, limit);
  if (shape == nullptr) return drawing;
  if (const auto* cloud = std::get_if<PointCloud>(shape))
    drawing.points = drawing.origin.empty() ? cloud->points : rows_of(cloud->points, drawing.origin);
  if (const auto* graph = std::get_if<Graph>(shape))
    if (drawing.origin.empty())
      for (const Edge& edge : graph->edges) drawing.edges.push_back({edge.a, edge.b});
  return drawing;
}

RowMatrix<double> canonical_form(const MatrixInput& input, std::uint64_t seed, const Execution& execution) {
  EmbeddingOptions options;
  options.seed = seed;
  return input.distances.embed(options, execution).Z;
}

void align_forms(std::vector<ViewShape>& shapes) {
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    ViewShape& shape = shapes[k];
    if (k == 0)
      shape.corresponds = shape.alike = true;
    else
      align_to(shapes.front(), shape);
    if (k > 0 && shape.alike) shape.turn = shapes.front().turn;
    if (shape.drawing.points.rows() == 0 || (k > 0 && shape.alike)) continue;
    RowMatrix<double> drawn = shape.form;
    for (std::size_t d = 0; d < shape.drawing.origin.size(); ++d)
      drawn.row(static_cast<Eigen::Index>(d)) = shape.form.row(shape.drawing.origin[d]);
    shape.turn = best_turn(drawn.topRows(shape.drawing.points.rows()), shape.drawing.points);
  }
}

Vector vertex_errors(const MatrixInput& input, Index rows, std::uint64_t seed, const Execution& execution) {
  const std::shared_ptr<const Shape> shape = input.distances.shape();
  GeodesicOptions geodesic = input.distances.path_options();
  geodesic.method = exact_method(*shape);
  geodesic.expected_sources = static_cast<std::size_t>(rows);
  const auto solver = make_solver(*shape, geodesic, execution);
  const std::vector<Index> sources = sample_rows(solver->size(), rows, seed);
  // The page estimates near distances.
  const Distances page_distances = input.distances.with(QueryMode::blend);
  Vector off = Vector::Zero(solver->size()), all = off;
  constexpr std::size_t together = 8;
  for (std::size_t begin = 0; begin < sources.size(); begin += together) {
    execution.report("error", static_cast<double>(begin) / static_cast<double>(sources.size()));
    const auto some = std::span(sources).subspan(begin, std::min(together, sources.size() - begin));
    RowMatrix<double> truth(static_cast<Eigen::Index>(some.size()), solver->size());
    solver->distances(some, truth, execution);
    const RowMatrix<double> ours = page_distances.rows(some, execution);
    for (Eigen::Index row = 0; row < truth.rows(); ++row)
      for (Eigen::Index v = 0; v < truth.cols(); ++v)
        if (std::isfinite(truth(row, v)) && std::isfinite(ours(row, v))) {
          off[v] += std::pow(ours(row, v) - truth(row, v), 2);
          all[v] += std::pow(truth(row, v), 2);
        }
  }
  for (Eigen::Index v = 0; v < off.size(); ++v) off[v] = all[v] > 0 ? std::sqrt(off[v] / all[v]) : 0;
  return off;
}

}  // namespace geodome::cli
