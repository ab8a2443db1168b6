#include "geodome/maps/interpolate_values.h"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/cells.h"
#include "geodome/pipeline/operators.h"
#include "geodome/shape/unit.h"

namespace geodome {

using namespace internal;

namespace {

/// What both need: the Laplacian and which vertices hang together, in a unit in which nothing overflows.
struct Prepared {
  double unit = 1;
  Adjacency edges;
  Laplacian operators;
};

Prepared prepare(const Shape& given, const GeodesicOptions& options, const Execution& execution) {
  Prepared prepared;
  prepared.unit = unit_of(given);
  const Shape shape = prepared.unit == 1 ? given : in_units(given, prepared.unit);
  prepared.edges = path_edges(make_path_domain(shape, options, execution));
  prepared.operators = laplacian_within(shape, options.keep, find_components(prepared.edges).of_vertex,
                                        LaplacianOptions{}, execution);
  return prepared;
}

/// The columns that have values at the same vertices.
std::map<std::vector<Index>, std::vector<Eigen::Index>> columns_by_vertices(
    const Eigen::Ref<const RowMatrix<double>>& values, const Adjacency& edges) {
  std::map<std::vector<Index>, std::vector<Eigen::Index>> columns;
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    std::vector<Index> known;
    for (Index v = 0; v < values.rows(); ++v) {
      if (std::isinf(values(v, c)))
        throw InputError(text("the value of vertex ", v, " in column ", c, " is infinite"));
      const bool connected = edges.offsets[v] < edges.offsets[v + 1];
      if (!std::isnan(values(v, c)) && connected) known.push_back(v);
    }
    if (known.empty()) throw InputError(text("column ", c, " has no value at any vertex of the shape"));
    columns[known].push_back(c);
  }
  return columns;
}

}  // namespace

RowMatrix<double> interpolate_values(const Shape& shape, const Eigen::Ref<const RowMatrix<double>>& values,
                                     const GeodesicOptions& options, const Execution& execution) {
  if (values.rows() != vertex_count(shape))
    throw InputError(
        text("values for ", values.rows(), " vertices, but the shape has ", vertex_count(shape)));
  if (values.cols() == 0) throw InputError("no values: expected at least one column");
  const Prepared prepared = prepare(shape, options, execution);
  RowMatrix<double> result =
      RowMatrix<double>::Constant(values.rows(), values.cols(), std::numeric_limits<double>::quiet_NaN());
  const auto groups = columns_by_vertices(values, prepared.edges);
  std::size_t done = 0;
  for (const auto& [known, columns] : groups) {
    execution.report("interpolation", static_cast<double>(done++) / static_cast<double>(groups.size()));
    RowMatrix<double> at_known(static_cast<Eigen::Index>(known.size()),
                               static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < known.size(); ++k)
      for (std::size_t c = 0; c < columns.size(); ++c)
        at_known(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(c)) = values(known[k], columns[c]);
    const std::vector<Index> cell = landmark_cells(prepared.edges, known);
    const RowMatrix<double> full = interpolate(prepared.operators, known, cell, at_known);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      result.col(columns[c]) = full.col(static_cast<Eigen::Index>(c));
      for (const Index v : known) result(v, columns[c]) = values(v, columns[c]);
    }
  }
  return result;
}

Vector vertex_areas(const Shape& shape, const GeodesicOptions& options, const Execution& execution) {
  const Prepared prepared = prepare(shape, options, execution);
  const bool surface = !std::holds_alternative<Graph>(shape) && !std::holds_alternative<Samples>(shape);
  return surface ? Vector(prepared.operators.mass * prepared.unit * prepared.unit) : prepared.operators.mass;
}

}  // namespace geodome
