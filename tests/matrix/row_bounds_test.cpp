#include "geodome/matrix/row_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "matrix_cases.h"

namespace geodome::internal {
namespace {

Adjacency edges_of(const MatrixCase& one) {
  return make_adjacency(one.size(), face_edges(one.mesh));
}

std::vector<MatrixCase> cases() {
  std::vector<MatrixCase> all = matrix_cases();
  std::erase_if(all, [](const MatrixCase& one) { return one.name == "loses weight"; });
  return all;
}

TEST(RowBounds, LeaveSoundRowsAlone) {
  for (MatrixCase& one : cases()) {
    SCOPED_TRACE(one.name);
    const SparseRows before = one.P;
    const RowBounds bounds =
        bound_rows(one.P, one.landmarks, landmark_distances(*one.solver, one.landmarks), edges_of(one));
    EXPECT_EQ(bounds.replaced, 0);
    EXPECT_LT(bounds.largest_norm, 3);
    EXPECT_EQ(one.P.value, before.value);
    EXPECT_TRUE(describe(bounds, one.size()).empty());
    RowMatrix<float> all =
        dense_interpolation_operator(one.operators, one.landmarks.vertices, one.landmarks.cell);
    EXPECT_EQ(bound_rows(all, one.landmarks, landmark_distances(*one.solver, one.landmarks), edges_of(one))
                  .replaced,
              0);
  }
}

/// Rows that extrapolate (a multiple of the difference of two columns added, which keeps the sum) and rows of
/// a vertex far away.
std::vector<Index> spoil(MatrixCase& one, const LandmarkDistances& W) {
  const auto values = std::get<std::span<const float>>(W.values);
  const auto distance = [&](Index a, Index b) {
    return values[static_cast<std::size_t>(packed_size(std::max(a, b)) + std::min(a, b))];
  };
  std::vector<Index> spoilt;
  for (Index v = 5; v < one.size(); v += 23) {
    const std::int64_t begin = one.P.begin[v], end = one.P.begin[v + 1];
    if (end - begin < 4 || one.landmarks.component[v] != 0) continue;
    if (spoilt.size() % 2 == 0) {
      one.P.value[begin] += 9;
      one.P.value[begin + 1] -= 9;
    } else {
      Index farthest = 0;
      const Index mine = one.landmarks.cell[v], count = one.landmarks.component_first[1];
      for (Index k = 0; k < count; ++k)
        if (distance(mine, k) > distance(mine, farthest)) farthest = k;
      one.P.column[begin] = farthest;
      one.P.value[begin] = 1;
      for (std::int64_t k = begin + 1; k < end; ++k) {
        one.P.column[k] = farthest + static_cast<Index>(k - begin) < count
                              ? farthest + static_cast<Index>(k - begin)
                              : one.P.column[k - 1];
        one.P.value[k] = 0;
      }
    }
    spoilt.push_back(v);
  }
  return spoilt;
}

TEST(RowBounds, ReplaceRowsThatExtrapolateOrBelongElsewhere) {
  for (MatrixCase& one : cases()) {
    SCOPED_TRACE(one.name);
    const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
    const std::vector<Index> spoilt = spoil(one, W);
    ASSERT_GE(spoilt.size(), 2u);
    const RowBounds bounds = bound_rows(one.P, one.landmarks, W, edges_of(one));
    EXPECT_EQ(bounds.replaced, static_cast<Index>(spoilt.size()));
    EXPECT_GT(bounds.largest_norm, 15);
    EXPECT_FALSE(describe(bounds, one.size()).empty());
    RowMatrix<double> truth(static_cast<Eigen::Index>(spoilt.size()), one.size());
    one.solver->distances(spoilt, truth);
    const SparseLandmarkMatrix matrix = make_sparse_landmark_matrix(one.landmarks, one.P, W);
    const RowMatrix<double> rows = matrix.rows(spoilt);
    for (std::size_t k = 0; k < spoilt.size(); ++k) {
      const Index v = spoilt[k];
      double sum = 0;
      for (std::int64_t e = one.P.begin[v]; e < one.P.begin[v + 1]; ++e) {
        EXPECT_GT(one.P.value[e], 0);
        if (e > one.P.begin[v]) {
          EXPECT_GT(one.P.column[e], one.P.column[e - 1]);
        }
        sum += one.P.value[e];
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      for (const Index landmark : one.landmarks.vertices)
        if (std::isfinite(truth(static_cast<Eigen::Index>(k), landmark))) {
          EXPECT_NEAR(rows(static_cast<Eigen::Index>(k), landmark),
                      truth(static_cast<Eigen::Index>(k), landmark), 1.5 * W.spacing[0]);
        }
    }
  }
}

TEST(RowBounds, WithoutEdgeDistancesTheNormDecides) {
  MatrixCase one = make_case("sphere", make_sphere(7), 40);
  const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
  const std::size_t spoilt = spoil(one, W).size();
  one.landmarks.reach.clear();
  EXPECT_EQ(bound_rows(one.P, one.landmarks, W, edges_of(one)).replaced,
            static_cast<Index>((spoilt + 1) / 2));
}

}  // namespace
}  // namespace geodome::internal
