#include "geodome/matrix/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geodome/base/error.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

/// The slow, obvious twin: a whole row, sorted.
std::vector<Neighbour> sorted_row(const NearField& field, Index vertex) {
  const Vector row = field.row(vertex);
  std::vector<Neighbour> all;
  for (Index other = 0; other < row.size(); ++other)
    if (std::isfinite(row[other])) all.push_back({other, row[other]});
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  return all;
}

/// Distances are compared, since vertices may tie.
void expect_same(const std::vector<Neighbour>& found, const std::vector<Neighbour>& expected,
                 const std::string& name) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  double largest = 0;
  for (const Neighbour& other : expected) largest = std::max(largest, std::abs(other.distance));
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k].distance, expected[k].distance, 1e-6 * largest) << name;
}

TEST(SearchInRow, FindsTheNearestOfAnyMatrix) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix, one.mesh.points);
    for (Index i = 0; i < one.size(); i += 17) {
      const std::vector<Neighbour> all = sorted_row(field, i);
      std::vector<Neighbour> others = all;
      std::erase_if(others, [&](const Neighbour& other) { return other.vertex == i; });
      for (const std::size_t count : {0u, 1u, 10u, 100000u})
        expect_same(
            nearest_in_row(field, i, static_cast<Index>(count)),
            {others.begin(), others.begin() + static_cast<std::ptrdiff_t>(std::min(count, others.size()))},
            one.name);
      expect_same(within_in_row(field, i, infinity), all, one.name);
      const double radius = all[all.size() / 2].distance;
      for (const Neighbour& other : within_in_row(field, i, radius)) EXPECT_LE(other.distance, radius);
    }
    EXPECT_THROW(nearest_in_row(field, 0, -1), InputError);
    EXPECT_THROW(nearest_in_row(field, one.size(), 3), InputError);
    EXPECT_THROW(within_in_row(field, -1, 1), InputError);
  }
}

TEST(NeighbourSearch, FindsWhatAWholeRowFinds) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    for (const bool with_positions : {true, false})
      for (const QueryMode form : {QueryMode::near_field, QueryMode::raw}) {
        const NeighbourSearch search(NearField(
            matrix, with_positions ? RowMatrix<double>(one.mesh.points) : RowMatrix<double>(), form));
        for (Index i = 0; i < one.size(); i += 9) {
          const std::vector<Neighbour> all = sorted_row(search.field(), i);
          std::vector<Neighbour> others = all;
          std::erase_if(others, [&](const Neighbour& other) { return other.vertex == i; });
          for (const std::size_t count : {1, 10, 40})
            expect_same(search.nearest(i, static_cast<Index>(count)),
                        {others.begin(),
                         others.begin() + static_cast<std::ptrdiff_t>(std::min(count, others.size()))},
                        one.name);
          if (others.empty()) continue;
          for (const std::size_t count : {3u, 30u}) {
            const double radius = (all[count].distance + all[count + 1].distance) / 2;
            const auto end = std::find_if(all.begin(), all.end(),
                                          [&](const Neighbour& other) { return other.distance > radius; });
            if (all[count + 1].distance - all[count].distance < 1e-6 * radius) continue;
            expect_same(search.within(i, radius), {all.begin(), end}, one.name);
          }
        }
      }
  }
}

TEST(NeighbourSearch, StaysInTheComponent) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact();
  const NeighbourSearch search(NearField(matrix, one.mesh.points));
  const Index sphere = static_cast<Index>(make_sphere(5).points.rows());
  EXPECT_EQ(search.nearest(0, one.size()).size(), static_cast<std::size_t>(sphere - 1));
  EXPECT_EQ(search.within(0, infinity).size(), static_cast<std::size_t>(sphere));
  EXPECT_EQ(search.within(0, 1e6).front().vertex, 0);
  EXPECT_TRUE(search.nearest(sphere, 3).empty());
  ASSERT_EQ(search.within(sphere, 1).size(), 1u);
  EXPECT_EQ(search.within(sphere, 1)[0].vertex, sphere);
  EXPECT_TRUE(search.within(sphere, -1).empty());
}

TEST(NeighbourSearch, RefusesBadQuestions) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const NeighbourSearch search{NearField(matrix)};
  EXPECT_THROW(search.nearest(one.size(), 3), InputError);
  EXPECT_THROW(search.nearest(0, -1), InputError);
  EXPECT_THROW(search.within(-1, 3), InputError);
  EXPECT_TRUE(search.nearest(0, 0).empty());
}

}  // namespace
}  // namespace geodome::internal
