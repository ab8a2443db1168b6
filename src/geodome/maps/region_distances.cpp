#include "geodome/maps/region_distances.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/maps/components.h"
#include "geodome/maps/product.h"
#include "geodome/pipeline/operators.h"

namespace geodome {

using namespace internal;

namespace {

/// The vertices of each region.
std::vector<std::vector<Index>> region_members(std::span<const Index> label, Index size) {
  if (static_cast<Index>(label.size()) != size)
    throw InputError(text(label.size(), " labels for ", size, " vertices"));
  std::vector<std::vector<Index>> members;
  for (Index v = 0; v < size; ++v) {
    if (label[v] < -1)
      throw InputError(text("the label of vertex ", v, " is ", label[v], ": use -1 for none"));
    if (label[v] >= size)
      throw InputError(
          text("the label of vertex ", v, " is ", label[v], ", but there are only ", size, " vertices"));
    if (label[v] >= static_cast<Index>(members.size()))
      members.resize(static_cast<std::size_t>(label[v]) + 1);
    if (label[v] >= 0) members[label[v]].push_back(v);
  }
  if (members.empty()) throw InputError("no vertex has a label");
  for (std::size_t r = 0; r < members.size(); ++r)
    if (members[r].empty())
      throw InputError(text("region ", r, " has no vertices: number the regions from 0"));
  return members;
}

/// Sums over pairs of weights times distances, and of weights, as far as pairs are connected.
void add_component(const DistanceMatrix& matrix, std::span<const Index> members, std::span<const Index> label,
                   std::span<const double> weight, RowMatrix<double>& sums, RowMatrix<double>& pairs,
                   const Execution& execution) {
  const Eigen::Index regions = sums.rows();
  RowMatrix<double> indicator = RowMatrix<double>::Zero(static_cast<Eigen::Index>(members.size()), regions);
  for (std::size_t k = 0; k < members.size(); ++k)
    if (const Index r = label[members[k]]; r >= 0)
      indicator(static_cast<Eigen::Index>(k), r) = weight[members[k]];
  const Eigen::VectorXd total = indicator.colwise().sum().transpose();
  pairs += total * total.transpose();
  // A few columns at a time: all of them would take as much memory as #V by #R.
  constexpr Eigen::Index together = 64;
  for (Eigen::Index begin = 0; begin < regions; begin += together) {
    const Eigen::Index count = std::min(together, regions - begin);
    const RowMatrix<double> product =
        product_within(matrix, members, indicator.middleCols(begin, count), execution);
    for (std::size_t k = 0; k < members.size(); ++k)
      if (const Index r = label[members[k]]; r >= 0)
        sums.row(r).segment(begin, count) += weight[members[k]] * product.row(static_cast<Eigen::Index>(k));
    execution.report("mean distances", static_cast<double>(begin + count) / static_cast<double>(regions));
  }
}

RowMatrix<double> least_distances(const DistanceMatrix& queries,
                                  const std::vector<std::vector<Index>>& members,
                                  std::span<const char> border, const Execution& execution) {
  std::vector<Index> columns, region;
  for (std::size_t r = 0; r < members.size(); ++r)
    for (const Index v : members[r])
      if (border.empty() || border[v]) {
        columns.push_back(v);
        region.push_back(static_cast<Index>(r));
      }
  RowMatrix<double> least = RowMatrix<double>::Constant(static_cast<Eigen::Index>(members.size()),
                                                        static_cast<Eigen::Index>(members.size()), infinity);
  constexpr std::size_t together = 64;
  for (std::size_t begin = 0; begin < columns.size(); begin += together) {
    const std::span<const Index> some(columns.data() + begin, std::min(together, columns.size() - begin));
    const RowMatrix<double> block = queries.block(some, columns, execution);
    for (std::size_t i = 0; i < some.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        double& here = least(region[begin + i], region[j]);
        here = std::min(here, block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
      }
    execution.report("least distances",
                     static_cast<double>(begin + some.size()) / static_cast<double>(columns.size()));
  }
  least.diagonal().setZero();
  return least.cwiseMin(least.transpose().eval());
}

}  // namespace

RegionDistances region_distances(const DistanceMatrix& given, const DistanceMatrix& queries,
                                 std::span<const Index> label, std::span<const double> weights,
                                 std::span<const char> border, const Execution& execution) {
  const auto converted =
      given.kind() == DistanceKind::distance ? nullptr : given.converted(DistanceKind::distance);
  if (given.kind() != DistanceKind::distance && !converted)
    throw InputError(
        "mean distances require a matrix of distances, and this one stores squared distances only");
  const DistanceMatrix& products = converted ? *converted : given;
  const std::vector<double> weight = checked_weights(weights, products.size());
  const std::vector<std::vector<Index>> members = region_members(label, products.size());
  const auto regions = static_cast<Eigen::Index>(members.size());
  Eigen::VectorXd total(regions);
  for (Eigen::Index r = 0; r < regions; ++r) {
    total[r] = 0;
    for (const Index v : members[static_cast<std::size_t>(r)]) total[r] += weight[v];
    if (!(total[r] > 0)) throw InputError(text("the weights of region ", r, " sum to zero"));
  }
  RegionDistances result;
  result.mean = RowMatrix<double>::Zero(regions, regions);
  RowMatrix<double> pairs = RowMatrix<double>::Zero(regions, regions);
  for (const std::vector<Index>& component : component_members(products, execution))
    add_component(products, component, label, weight, result.mean, pairs, execution);
  for (Eigen::Index r = 0; r < regions; ++r)
    for (Eigen::Index s = 0; s < regions; ++s) {
      const bool connected = pairs(r, s) >= total[r] * total[s] * (1 - 1e-9);
      result.mean(r, s) = connected ? result.mean(r, s) / (total[r] * total[s]) : infinity;
    }
  result.minimum = least_distances(queries, members, border, execution);
  return result;
}

std::vector<char> region_borders(const Shape& shape, std::span<const Index> label,
                                 const GeodesicOptions& options, const Execution& execution) {
  if (static_cast<Index>(label.size()) != vertex_count(shape))
    throw InputError(text(label.size(), " labels for ", vertex_count(shape), " vertices"));
  const Adjacency edges = path_edges(make_path_domain(shape, options, execution));
  std::vector<char> border(label.size(), 0);
  for (Index v = 0; v < edges.size(); ++v)
    for (std::int64_t k = edges.offsets[v]; k < edges.offsets[v + 1] && label[v] >= 0; ++k)
      if (label[edges.neighbours[k]] != label[v]) border[v] = 1;
  return border;
}

}  // namespace geodome
