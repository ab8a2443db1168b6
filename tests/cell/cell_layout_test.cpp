#include "geodome/cell/cell_layout.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cell/cell_cases.h"
#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {
namespace {

/// Distances along edges, one vertex to all: relaxed until nothing changes.
std::vector<double> along_edges(const Adjacency& edges, Index source) {
  std::vector<double> distance(static_cast<std::size_t>(edges.size()), infinity);
  distance[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index v = 0; v < edges.size(); ++v)
      for (std::int64_t k = edges.offsets[v]; k < edges.offsets[v + 1]; ++k)
        if (distance[v] + edges.lengths[k] < distance[edges.neighbours[k]]) {
          distance[edges.neighbours[k]] = distance[v] + edges.lengths[k];
          changed = true;
        }
  }
  return distance;
}

/// Vertices of a component without an earlier vertex at distance zero.
Index distinct_vertices(const CellCase& one, Index component) {
  Index count = 0;
  for (Index v = 0; v < one.edges.size(); ++v) {
    if (one.landmarks.component[v] != component) continue;
    const std::vector<double> distance = along_edges(one.edges, v);
    if (std::find(distance.begin(), distance.begin() + v, 0.0) == distance.begin() + v) ++count;
  }
  return count;
}

TEST(CellLayout, EveryVertexIsInOneCellOfItsComponent) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const CellLayout& layout = one.layout;
    ASSERT_EQ(static_cast<Index>(layout.cell.size()), one.edges.size());
    ASSERT_EQ(layout.first.size(), layout.cells.size() + 1);
    EXPECT_EQ(layout.first.front(), 0);
    EXPECT_EQ(static_cast<std::size_t>(layout.first.back()), layout.members.size());
    std::vector<Index> times(layout.cell.size(), 0);
    for (std::size_t c = 0; c < layout.cells.size(); ++c) {
      ASSERT_LT(layout.first[c], layout.first[c + 1]) << "no cell is empty";
      for (Index k = layout.first[c]; k < layout.first[c + 1]; ++k) {
        const Index v = layout.members[k];
        EXPECT_EQ(layout.cell[v], static_cast<Index>(c));
        EXPECT_EQ(one.landmarks.component[v], layout.cells[c].component);
        if (k > layout.first[c]) {
          EXPECT_LT(layout.members[k - 1], v);
        }
        ++times[v];
      }
    }
    for (std::size_t v = 0; v < times.size(); ++v) {
      EXPECT_EQ(times[v], one.landmarks.component[v] < 0 ? 0 : 1);
      if (one.landmarks.component[v] < 0) {
        EXPECT_EQ(layout.cell[v], -1);
      }
    }
  }
}

TEST(CellLayout, ComponentsAreSideBySide) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const CellLayout& layout = one.layout;
    const auto& first = one.landmarks.component_first;
    ASSERT_EQ(layout.component_first.size(), first.size());
    EXPECT_EQ(layout.component_first.front(), 0);
    EXPECT_EQ(static_cast<std::size_t>(layout.component_first.back()), layout.cells.size());
    for (std::size_t c = 0; c + 1 < first.size(); ++c) {
      const CellSizes sizes =
          cell_sizes(distinct_vertices(one, static_cast<Index>(c)), first[c + 1] - first[c]);
      EXPECT_EQ(layout.component_first[c + 1] - layout.component_first[c], sizes.cells);
      for (Index k = layout.component_first[c]; k < layout.component_first[c + 1]; ++k) {
        EXPECT_EQ(layout.cells[k].component, static_cast<Index>(c));
        EXPECT_EQ(static_cast<Index>(layout.cells[k].support.size()), sizes.support);
      }
    }
  }
}

TEST(CellLayout, CentresAreTheLandmarksThatWereChosenFirst) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    std::vector<Index> left;
    for (std::size_t c = 0; c + 1 < one.layout.component_first.size(); ++c)
      left.push_back(one.layout.component_first[c + 1] - one.layout.component_first[c]);
    std::set<Index> expected, centres;
    for (const Index vertex : one.sequence)
      if (left[one.landmarks.component[vertex]]-- > 0) expected.insert(vertex);
    for (const CellLayout::Cell& cell : one.layout.cells) centres.insert(one.landmarks.vertices[cell.centre]);
    EXPECT_EQ(centres, expected);
  }
}

TEST(CellLayout, MembersAreNearestToTheirCentre) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    std::vector<std::vector<double>> from;
    for (const CellLayout::Cell& cell : one.layout.cells)
      from.push_back(along_edges(one.edges, one.landmarks.vertices[cell.centre]));
    for (Index v = 0; v < one.edges.size(); ++v) {
      if (one.layout.cell[v] < 0) continue;
      double nearest = infinity;
      for (const auto& row : from) nearest = std::min(nearest, row[v]);
      EXPECT_NEAR(from[one.layout.cell[v]][v], nearest, 1e-12 * (1 + nearest));
    }
  }
}

TEST(CellLayout, SupportsAreTheNearestLandmarks) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    for (const CellLayout::Cell& cell : one.layout.cells) {
      EXPECT_TRUE(std::is_sorted(cell.support.begin(), cell.support.end(), std::less_equal<>()));
      EXPECT_TRUE(std::binary_search(cell.support.begin(), cell.support.end(), cell.centre));
      const std::vector<double> from = along_edges(one.edges, one.landmarks.vertices[cell.centre]);
      double inside = 0, outside = infinity;
      std::vector<double> distances;
      for (Index k = 0; k < static_cast<Index>(one.landmarks.vertices.size()); ++k) {
        const double distance = from[one.landmarks.vertices[k]];
        if (std::binary_search(cell.support.begin(), cell.support.end(), k)) {
          EXPECT_EQ(one.landmarks.component[one.landmarks.vertices[k]], cell.component);
          inside = std::max(inside, distance);
          distances.push_back(distance);
        } else {
          outside = std::min(outside, distance);
        }
      }
      EXPECT_LE(inside, outside * (1 + 1e-12));
      std::sort(distances.begin(), distances.end());
      const double sixth = distances[std::min<std::size_t>(6, distances.size() - 1)];
      EXPECT_NEAR(cell.near, sixth, 1e-12 * (1 + sixth));
    }
  }
}

TEST(CellLayout, DoesNotDependOnThreads) {
  for (const CellCase& one : cell_cases())
    for (const int threads : {1, 2, 5}) {
      const CellLayout other = lay_out_cells(one.edges, one.landmarks, one.sequence, {threads, {}});
      EXPECT_EQ(other.cell, one.layout.cell) << one.name;
      EXPECT_EQ(other.members, one.layout.members) << one.name;
      ASSERT_EQ(other.cells.size(), one.layout.cells.size());
      for (std::size_t c = 0; c < other.cells.size(); ++c) {
        EXPECT_EQ(other.cells[c].support, one.layout.cells[c].support) << one.name;
        EXPECT_EQ(other.cells[c].near, one.layout.cells[c].near) << one.name;
      }
    }
}

TEST(CellLayout, TakesLandmarksThatAreNotInTheSequence) {
  const CellCase one = make_cell_case("sphere", make_sphere(6), 30);
  const CellLayout none = lay_out_cells(one.edges, one.landmarks, {});
  EXPECT_EQ(none.cells.size(), one.layout.cells.size());
  // The first one chosen was replaced by another vertex.
  std::vector<Index> replaced = one.sequence;
  while (std::find(one.sequence.begin(), one.sequence.end(), replaced[0]) != one.sequence.end())
    ++replaced[0];
  const OrderedLandmarks landmarks = order_landmarks(one.edges, replaced);
  const CellLayout layout = lay_out_cells(one.edges, landmarks, one.sequence);
  EXPECT_EQ(layout.cells.size(), one.layout.cells.size());
  for (const CellLayout::Cell& cell : layout.cells)
    EXPECT_TRUE(std::binary_search(cell.support.begin(), cell.support.end(), cell.centre));
  for (const Index cell : layout.cell) EXPECT_GE(cell, 0);
}

TEST(CellSizes, AreWithinTheLandmarks) {
  for (const Index vertices : {1, 2, 10, 100, 1000, 100000, 2000000000})
    for (const Index landmarks : {1, 2, 3, 4, 5, 24, 100, 1000, 40000}) {
      if (landmarks > vertices) continue;
      const CellSizes sizes = cell_sizes(vertices, landmarks);
      EXPECT_GE(sizes.cells, 1);
      EXPECT_GE(4 * sizes.cells, landmarks);
      EXPECT_LE(sizes.cells, landmarks);
      EXPECT_GE(sizes.support, landmarks == vertices ? 1 : std::min<Index>(landmarks, 24));
      EXPECT_LE(sizes.support, std::min<Index>(landmarks, 40));
    }
}

}  // namespace
}  // namespace geodome::internal
