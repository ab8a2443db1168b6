#include "geodome/matrix/row_bounds.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/landmark/landmark_triangle.h"
#include "geodome/matrix/packed_symmetric.h"

namespace geodome::internal {
namespace {

/// On dense scans the largest 1-norm of a row is between 1.9 and 2.9.
constexpr double largest_norm = 4, doubtful_norm = 2.5;
/// Edge paths are up to a third too long and the interpolant is smooth where a distance has a cone: both are
/// within these.
constexpr double reach_factor = 1.5, spacing_part = 0.25;
constexpr std::size_t spread_landmarks = 8;
constexpr std::size_t replacement_weights = 6;
constexpr std::size_t bound_chunk = 4096;

/// A row of P as the checks read it.
struct Row {
  std::vector<Index> column;
  std::vector<float> value;
};

std::vector<PackedSymmetric> blocks_of(const OrderedLandmarks& landmarks, const LandmarkDistances& W) {
  std::vector<PackedSymmetric> blocks;
  std::size_t begin = 0;
  for (std::size_t c = 0; c + 1 < landmarks.component_first.size(); ++c) {
    const Index count = landmarks.component_first[c + 1] - landmarks.component_first[c];
    const auto size = static_cast<std::size_t>(packed_size(count));
    const PackedValues values =
        std::visit([&](const auto& all) -> PackedValues { return all.subspan(begin, size); }, W.values);
    blocks.emplace_back(count, values, W.step.empty() ? 1.0 : W.step[c]);
    begin += size;
  }
  return blocks;
}

/// A column of W. With a team each rank reads some of it, of the rows that it has folded itself: where a file
/// holds W, every number is on a page of its own.
std::vector<double> column_of(const PackedSymmetric& W, Index at, const Team* team) {
  std::vector<double> column(static_cast<std::size_t>(W.size()), 0.0);
  const FoldRange mine =
      team == nullptr ? FoldRange{0, column.size()}
                      : shared_rows(column.size(), team->size())[static_cast<std::size_t>(team->rank())];
  for (std::size_t k = mine.begin; k < mine.end; ++k) column[k] = W(static_cast<Index>(k), at);
  if (team != nullptr) team->sum(column);  // with zeros
  return column;
}

/// Columns of W at landmarks far from each other: one vector of #landmarks of the component for each.
std::vector<std::vector<double>> spread_columns(const PackedSymmetric& W, const Team* team) {
  std::vector<std::vector<double>> columns;
  std::vector<double> nearest(static_cast<std::size_t>(W.size()), infinity);
  Index at = 0;
  while (columns.size() < std::min<std::size_t>(spread_landmarks, static_cast<std::size_t>(W.size()))) {
    std::vector<double> column = column_of(W, at, team);
    for (std::size_t k = 0; k < nearest.size(); ++k) nearest[k] = std::min(nearest[k], column[k]);
    columns.push_back(std::move(column));
    at = static_cast<Index>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
  }
  return columns;
}

class RowCheck {
 public:
  RowCheck(const OrderedLandmarks& landmarks, const LandmarkDistances& W, const Execution& execution)
      : landmarks_(landmarks), W_(blocks_of(landmarks, W)), spacing_(W.spacing) {
    const Team* team = W.scratch_bytes > 0 ? team_of(execution) : nullptr;
    for (const PackedSymmetric& block : W_) spread_.push_back(spread_columns(block, team));
  }

  static double norm(const Row& row) {
    double total = 0;
    for (const float value : row.value) total += std::abs(static_cast<double>(value));
    return total;
  }

  bool holds(Index vertex, const Row& row, double norm) const {
    if (!(norm <= largest_norm)) return false;
    const Index c = landmarks_.component[vertex], cell = landmarks_.cell[vertex];
    if (landmarks_.reach.empty() || cell < 0) return true;
    const Index first = landmarks_.component_first[c];
    const double allowed =
        reach_factor * static_cast<double>(landmarks_.reach[vertex]) + spacing_part * spacing_[c];
    for (const std::vector<double>& column : spread_[c]) {
      double found = 0;
      for (std::size_t k = 0; k < row.column.size(); ++k)
        found += static_cast<double>(row.value[k]) * column[row.column[k] - first];
      if (!(std::abs(found - column[cell - first]) <= allowed)) return false;
    }
    if (norm <= doubtful_norm) return true;
    for (const Index b : row.column) {
      double found = 0;
      for (std::size_t k = 0; k < row.column.size(); ++k)
        found += static_cast<double>(row.value[k]) * W_[c](row.column[k] - first, b - first);
      if (!(std::abs(found - W_[c](cell - first, b - first)) <= allowed)) return false;
    }
    return true;
  }

 private:
  const OrderedLandmarks& landmarks_;
  std::vector<PackedSymmetric> W_;
  const std::vector<double>& spacing_;
  std::vector<std::vector<std::vector<double>>> spread_;  ///< by component
};

/// Weights of inverse squared distance at the landmarks nearest along edges.
class Replacement {
 public:
  Replacement(const OrderedLandmarks& landmarks, const Adjacency& edges) : edges_(edges) {
    for (std::size_t k = 0; k < landmarks.vertices.size(); ++k)
      position_.emplace(landmarks.vertices[k], static_cast<Index>(k));
  }

  Row row(Index vertex, std::size_t most) const {
    const std::vector<Neighbour> nearest = nearest_landmarks(vertex, std::min(most, replacement_weights));
    std::vector<std::pair<Index, double>> weights;
    double total = 0;
    for (const Neighbour& one : nearest) {
      // At a landmark, the landmark alone.
      const double ratio = one.distance > 0 ? nearest.front().distance / one.distance : 1;
      weights.emplace_back(position_.at(one.vertex), ratio * ratio);
      total += weights.back().second;
    }
    std::sort(weights.begin(), weights.end());
    Row row;
    for (const auto& [column, weight] : weights) {
      if (!(weight > 0)) continue;
      row.column.push_back(column);
      row.value.push_back(static_cast<float>(weight / total));
    }
    return row;
  }

 private:
  std::vector<Neighbour> nearest_landmarks(Index vertex, std::size_t count) const {
    std::vector<Neighbour> found;
    std::unordered_map<Index, double> settled;
    DistanceHeap heap;
    heap.push(vertex, 0);
    while (!heap.empty() && found.size() < count) {
      const Neighbour next = heap.pop();
      if (!settled.emplace(next.vertex, next.distance).second) continue;
      if (position_.contains(next.vertex)) found.push_back(next);
      for (std::int64_t k = edges_.offsets[next.vertex]; k < edges_.offsets[next.vertex + 1]; ++k)
        if (!settled.contains(edges_.neighbours[k]))
          heap.push(edges_.neighbours[k], next.distance + edges_.lengths[k]);
    }
    return found;
  }

  const Adjacency& edges_;
  std::unordered_map<Index, Index> position_;
};

/// Calls read(v, row) for every vertex, and write(v, row) with the new row where the old one fails; the calls
/// for one vertex are made by one thread.
template <typename Read, typename Write>
RowBounds check_rows(const OrderedLandmarks& landmarks, const LandmarkDistances& W, const Adjacency& edges,
                     const Execution& execution, const Read& read, const Write& write) {
  const RowCheck check(landmarks, W, execution);
  const Replacement replacement(landmarks, edges);
  const std::size_t vertices = landmarks.component.size(), items = (vertices + bound_chunk - 1) / bound_chunk;
  std::vector<RowBounds> parts(items);
  parallel_for(items, execution, {}, [&](std::size_t item, int) {
    Row row;
    RowBounds& part = parts[item];
    for (std::size_t v = item * bound_chunk; v < std::min(vertices, (item + 1) * bound_chunk); ++v) {
      const auto vertex = static_cast<Index>(v);
      if (landmarks.component[v] < 0) continue;
      read(vertex, row);
      if (row.column.empty() || (row.column.size() == 1 && row.value[0] == 1)) continue;
      const double norm = RowCheck::norm(row);
      part.largest_norm = std::max(part.largest_norm, norm);
      if (check.holds(vertex, row, norm)) continue;
      write(vertex, replacement.row(vertex, row.column.size()));
      ++part.replaced;
    }
  });
  RowBounds total;
  for (const RowBounds& part : parts) {
    total.replaced += part.replaced;
    total.largest_norm = std::max(total.largest_norm, part.largest_norm);
  }
  return total;
}

/// Closes the gaps that shorter rows leave.
void close_gaps(SparseRows& P, const std::vector<std::int32_t>& size) {
  std::int64_t to = 0;
  for (Index v = 0; v < P.rows(); ++v) {
    const std::int64_t from = P.begin[v];
    const std::int64_t count = size[static_cast<std::size_t>(v)];
    std::move(P.column.begin() + from, P.column.begin() + from + count, P.column.begin() + to);
    std::move(P.value.begin() + from, P.value.begin() + from + count, P.value.begin() + to);
    P.begin[v] = to;
    to += count;
  }
  P.begin.back() = to;
  P.column.resize(static_cast<std::size_t>(to));
  P.value.resize(static_cast<std::size_t>(to));
}

}  // namespace

std::string describe(const RowBounds& bounds, Index vertices) {
  if (bounds.replaced == 0) return {};
  return text("replaced the interpolation weights of ", bounds.replaced, " of ", vertices,
              " vertices, which extrapolated (1-norm up to ", bounds.largest_norm,
              "): errors of their distances are up to one landmark spacing; use more landmarks");
}

RowBounds bound_rows(SparseRows& P, const OrderedLandmarks& landmarks, const LandmarkDistances& W,
                     const Adjacency& edges, const Execution& execution) {
  std::vector<std::int32_t> size(static_cast<std::size_t>(P.rows()));
  for (Index v = 0; v < P.rows(); ++v) size[v] = static_cast<std::int32_t>(P.begin[v + 1] - P.begin[v]);
  const auto read = [&](Index vertex, Row& row) {
    const std::int64_t begin = P.begin[vertex], end = P.begin[vertex + 1];
    row.column.assign(P.column.begin() + begin, P.column.begin() + end);
    row.value.assign(P.value.begin() + begin, P.value.begin() + end);
  };
  const auto write = [&](Index vertex, const Row& row) {
    std::copy(row.column.begin(), row.column.end(), P.column.begin() + P.begin[vertex]);
    std::copy(row.value.begin(), row.value.end(), P.value.begin() + P.begin[vertex]);
    size[vertex] = static_cast<std::int32_t>(row.column.size());
  };
  const RowBounds bounds = check_rows(landmarks, W, edges, execution, read, write);
  if (bounds.replaced > 0) close_gaps(P, size);
  return bounds;
}

RowBounds bound_rows(RowMatrix<float>& P, const OrderedLandmarks& landmarks, const LandmarkDistances& W,
                     const Adjacency& edges, const Execution& execution) {
  const auto read = [&](Index vertex, Row& row) {
    row = {};
    const Index c = landmarks.component[vertex];
    for (Index k = landmarks.component_first[c]; k < landmarks.component_first[c + 1]; ++k)
      if (P(vertex, k) != 0) {
        row.column.push_back(k);
        row.value.push_back(P(vertex, k));
      }
  };
  const auto write = [&](Index vertex, const Row& row) {
    P.row(vertex).setZero();
    for (std::size_t k = 0; k < row.column.size(); ++k) P(vertex, row.column[k]) = row.value[k];
  };
  return check_rows(landmarks, W, edges, execution, read, write);
}

}  // namespace geodome::internal
