#include "geodome/landmark/landmark_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/landmark/cells.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(LandmarkOrder, KeepsTheLandmarksAndTheirCells) {
  const TriangleMesh mesh = apart(make_sphere(5), make_torus(20, 9));
  const Adjacency adjacency = make_adjacency(static_cast<Index>(mesh.points.rows()), face_edges(mesh));
  LandmarkOptions options;
  options.count = 50;
  std::vector<Index> chosen = choose_landmarks(mesh, options).vertices;
  const OrderedLandmarks ordered = order_landmarks(adjacency, chosen);
  EXPECT_EQ(ordered.component, find_components(adjacency).of_vertex);
  EXPECT_TRUE(
      std::is_permutation(chosen.begin(), chosen.end(), ordered.vertices.begin(), ordered.vertices.end()));
  const std::vector<Index> cell = landmark_cells(adjacency, chosen);
  for (std::size_t v = 0; v < cell.size(); ++v) {
    ASSERT_EQ(cell[v] < 0, ordered.cell[v] < 0);
    if (cell[v] < 0) continue;
    EXPECT_EQ(ordered.vertices[ordered.cell[v]], chosen[cell[v]]);
  }
  ASSERT_EQ(ordered.component_first.size(), 3u);
  EXPECT_EQ(ordered.component_first.front(), 0);
  EXPECT_EQ(ordered.component_first.back(), 50);
  for (std::size_t c = 0; c < 2; ++c)
    for (Index k = ordered.component_first[c]; k < ordered.component_first[c + 1]; ++k)
      EXPECT_EQ(ordered.component[ordered.vertices[k]], static_cast<Index>(c));
}

/// What the order is for: the landmarks in a row of P are next to each other in memory.
TEST(LandmarkOrder, PutsTheSupportOfAVertexIntoFewRuns) {
  for (const TriangleMesh& mesh : {make_sphere(14), make_torus(60, 25), make_plane(40, 35)}) {
    const MatrixCase one = make_case("order", mesh, 200, 20);
    const auto runs = [&](const std::vector<Index>& position) {
      double total = 0;
      for (Index v = 0; v < one.size(); ++v) {
        std::vector<Index> support;
        for (std::int64_t k = one.P.begin[v]; k < one.P.begin[v + 1]; ++k)
          support.push_back(position[one.P.column[k]]);
        std::sort(support.begin(), support.end());
        for (std::size_t k = 0; k < support.size(); ++k) total += k == 0 || support[k] != support[k - 1] + 1;
      }
      return total / one.size();
    };
    std::vector<Index> ordered = everything(200), as_chosen = ordered;
    LandmarkOptions options;
    options.count = 200;
    const std::vector<Index> chosen = choose_landmarks(one.mesh, options).vertices;
    for (Index k = 0; k < 200; ++k)
      as_chosen[k] = static_cast<Index>(std::find(chosen.begin(), chosen.end(), one.landmarks.vertices[k]) -
                                        chosen.begin());
    EXPECT_LT(runs(ordered), 0.65 * runs(as_chosen));
  }
}

TEST(LandmarkOrder, RefusesLandmarksThatCannotServe) {
  const TriangleMesh mesh = apart(make_sphere(3), make_sphere(3));
  const Index half = static_cast<Index>(make_sphere(3).points.rows());
  const Adjacency adjacency = make_adjacency(2 * half + 1, face_edges(mesh));
  EXPECT_NO_THROW(order_landmarks(adjacency, std::vector<Index>{0, half + 1}));
  EXPECT_THROW(order_landmarks(adjacency, std::vector<Index>{0, 1}), InputError);
  EXPECT_THROW(order_landmarks(adjacency, std::vector<Index>{0, 0, half + 1}), InputError);
  EXPECT_THROW(order_landmarks(adjacency, std::vector<Index>{0, half, half + 1}), InputError);
  EXPECT_THROW(order_landmarks(adjacency, std::vector<Index>{0, half + 1, 2 * half + 1}), InputError);
  EXPECT_THROW(order_landmarks(adjacency, std::vector<Index>{-1, 0, half + 1}), InputError);
}

}  // namespace
}  // namespace geodome::internal
