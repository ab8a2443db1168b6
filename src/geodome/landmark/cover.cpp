#include "geodome/landmark/cover.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {
namespace {

std::vector<Index> identity(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Places graph_places(const Adjacency& adjacency) {
  Components components = find_components(adjacency);
  Places places{identity(adjacency.size()), std::move(components.of_vertex), components.count};
  for (Index v = 0; v < adjacency.size(); ++v)
    if (places.component[v] < 0) places.of_vertex[v] = -1;
  return places;
}

class GraphCover : public Cover {
 public:
  explicit GraphCover(Adjacency adjacency)
      : Cover(graph_places(adjacency)),
        adjacency_(std::move(adjacency)),
        distance_(static_cast<std::size_t>(adjacency_.size()), infinity),
        landmark_(static_cast<std::size_t>(adjacency_.size()), -1) {}

  double distance(Index place) const override { return distance_[place]; }
  Index landmark(Index place) const override { return landmark_[place]; }
  void add(Index place) override {
    lowered_.clear();
    lower_distances(adjacency_, place, infinity, distance_, heap_, &lowered_);
    for (const Index vertex : lowered_) landmark_[vertex] = landmarks_;
    ++landmarks_;
  }

 private:
  Adjacency adjacency_;
  std::vector<double> distance_;
  std::vector<Index> landmark_;
  std::vector<Index> lowered_;
  DistanceHeap heap_;
  Index landmarks_ = 0;
};

RowMatrix<double> row_of(const GeodesicSolver& solver, Index source) {
  RowMatrix<double> row(1, solver.size());
  solver.distances(std::span(&source, 1), row, Execution{1, {}});
  return row;
}

/// A component is all that is at a finite distance; who is alone is unreferenced.
Places row_places(const GeodesicSolver& solver) {
  const Index count = solver.size();
  Places places{identity(count), std::vector<Index>(static_cast<std::size_t>(count), -1), 0};
  for (Index v = 0; v < count; ++v) {
    if (places.component[v] >= 0) continue;
    const RowMatrix<double> row = row_of(solver, v);
    if ((row.array() < infinity).count() < 2) {
      places.of_vertex[v] = -1;
      continue;
    }
    for (Index other = v; other < count; ++other)
      if (row(0, other) < infinity) places.component[other] = places.components;
    ++places.components;
  }
  return places;
}

class RowCover : public Cover {
 public:
  explicit RowCover(const GeodesicSolver& solver)
      : Cover(row_places(solver)),
        solver_(solver),
        distance_(RowMatrix<double>::Constant(1, solver.size(), infinity)),
        landmark_(static_cast<std::size_t>(solver.size()), -1) {}

  double distance(Index place) const override { return distance_(0, place); }
  Index landmark(Index place) const override { return landmark_[place]; }
  void add(Index place) override {
    const RowMatrix<double> row = row_of(solver_, place);
    for (Index v = 0; v < solver_.size(); ++v)
      if (row(0, v) < distance_(0, v)) landmark_[v] = landmarks_;
    distance_ = distance_.cwiseMin(row).eval();
    ++landmarks_;
  }

 private:
  const GeodesicSolver& solver_;
  RowMatrix<double> distance_;
  std::vector<Index> landmark_;
  Index landmarks_ = 0;
};

}  // namespace

std::unique_ptr<Cover> make_graph_cover(Adjacency adjacency) {
  return std::make_unique<GraphCover>(std::move(adjacency));
}

std::unique_ptr<Cover> make_row_cover(const GeodesicSolver& solver) {
  return std::make_unique<RowCover>(solver);
}

}  // namespace geodome::internal
