#include "geodome/interpolation/thinned_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geodome/geodesic/factory.h"

namespace geodome::internal {
namespace {

/// Uniform on a square of `dimensions` - dimensional noise.
Samples noisy_square(Index count, Index dimensions, double noise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  Samples samples{RowMatrix<double>(count, dimensions)};
  for (Index v = 0; v < count; ++v)
    for (Index d = 0; d < dimensions; ++d) samples.values(v, d) = (d < 2 ? 1 : noise) * uniform(random);
  return samples;
}

/// Every `step`-th sample as landmark, and `chosen` ones.
struct Thinned {
  Samples samples;
  Adjacency edges;
  OrderedLandmarks landmarks;
  std::vector<Index> kept;

  Thinned(Samples some, Index step, std::vector<Index> chosen = {}, const GeodesicOptions& options = {})
      : samples(std::move(some)) {
    edges = std::get<Adjacency>(make_paths(samples, options));
    for (Index v = 0; v < edges.size(); v += step) chosen.push_back(v);
    landmarks = order_landmarks(edges, chosen);
    kept = thinned_samples(edges, landmarks);
  }

  /// A matrix of rows at the kept samples with the values of f in its columns.
  template <typename Function>
  SparseRows rows_of(Index columns, Function f) const {
    SparseRows rows;
    rows.columns = columns;
    for (const Index v : kept) {
      for (Index c = 0; c < columns; ++c) {
        rows.column.push_back(c);
        rows.value.push_back(static_cast<float>(f(v, c)));
      }
      rows.begin.push_back(static_cast<std::int64_t>(rows.column.size()));
    }
    return rows;
  }
};

/// Columns that are linear in the samples and sum to one: barycentric coordinates of the unit square's
/// corners (0, 0), (1, 0), (0, 1).
double barycentric(const Samples& samples, Index v, Index column) {
  const double x = samples.values(v, 0), y = samples.values(v, 1);
  return column == 0 ? 1 - x - y : column == 1 ? x : y;
}

SparseRows barycentric_rows(const Thinned& thinned) {
  return thinned.rows_of(3, [&](Index v, Index c) { return barycentric(thinned.samples, v, c); });
}

/// Over all entries, those that are not stored too.
double largest_miss(const SparseRows& P, const Samples& samples) {
  EXPECT_EQ(P.rows(), samples.values.rows());
  double miss = 0;
  for (Index v = 0; v < P.rows(); ++v) {
    Eigen::Vector3d row = Eigen::Vector3d::Zero();
    for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k)
      row[P.column[k]] = static_cast<double>(P.value[k]);
    for (Index c = 0; c < 3; ++c) miss = std::max(miss, std::abs(row[c] - barycentric(samples, v, c)));
  }
  return miss;
}

double largest_miss(const Thinned& thinned) {
  return largest_miss(extend_rows(barycentric_rows(thinned), thinned.kept, thinned.samples.values,
                                  thinned.edges, thinned.landmarks.cell, 3)
                          .P,
                      thinned.samples);
}

TEST(ThinnedSamples, AreIndependentAndCoverTheRest) {
  const Thinned thinned(noisy_square(3000, 5, 0.01), 100);
  std::vector<char> kept(3000, 0), landmark(3000, 0);
  for (const Index v : thinned.kept) kept[v] = 1;
  for (const Index v : thinned.landmarks.vertices) landmark[v] = 1;
  EXPECT_TRUE(std::is_sorted(thinned.kept.begin(), thinned.kept.end()));
  for (Index v = 0; v < 3000; ++v) {
    bool beside = false;
    for (std::int64_t k = thinned.edges.offsets[v]; k < thinned.edges.offsets[v + 1]; ++k)
      beside |= kept[thinned.edges.neighbours[k]] != 0;
    EXPECT_TRUE(kept[v] || beside) << v;
    EXPECT_TRUE(kept[v] || !landmark[v]) << v;
    EXPECT_FALSE(kept[v] && beside && !landmark[v]) << v;
  }
}

TEST(ThinnedSamples, LinearFunctionsAreReproducedWithinTheSpacingOfSamples) {
  const double spacing = 1 / std::sqrt(4000.0);
  EXPECT_LT(largest_miss(Thinned(noisy_square(4000, 2, 0), 100)), 1.5 * spacing);
  EXPECT_LT(largest_miss(Thinned(noisy_square(4000, 20, 0.01), 100)), 2 * spacing);
}

TEST(ThinnedSamples, ScaleDoesNotMatter) {
  const Thinned thinned(noisy_square(2000, 4, 0.01), 100);
  const double miss = largest_miss(thinned);
  for (const double scale : {1e-8, 1e8}) {
    const Samples scaled{scale * thinned.samples.values};
    const Adjacency edges = std::get<Adjacency>(make_paths(scaled, {}));
    const SparseRows P =
        extend_rows(barycentric_rows(thinned), thinned.kept, scaled.values, edges, thinned.landmarks.cell, 3)
            .P;
    EXPECT_NEAR(largest_miss(P, thinned.samples), miss, 1e-5);
  }
}

TEST(ThinnedSamples, RowsOfKeptSamplesStayAndAllSumToOneOnAnyNumberOfThreads) {
  const Thinned thinned(noisy_square(5000, 3, 0.02), 250);
  const auto columns = static_cast<Index>(thinned.landmarks.vertices.size());
  // Normalised bumps at the landmarks.
  const auto bump = [&](Index v, Index c) {
    const Index landmark = thinned.landmarks.vertices[c];
    return std::exp(-40 *
                    (thinned.samples.values.row(v) - thinned.samples.values.row(landmark)).squaredNorm());
  };
  const SparseRows before = thinned.rows_of(columns, [&](Index v, Index c) {
    double sum = 0;
    for (Index other = 0; other < columns; ++other) sum += bump(v, other);
    return bump(v, c) / sum;
  });
  const auto extended = [&](int threads) {
    return extend_rows(before, thinned.kept, thinned.samples.values, thinned.edges, thinned.landmarks.cell,
                       10, {threads, {}});
  };
  const ExtendedRows on_one = extended(1);
  const SparseRows &one = on_one.P, two = extended(2).P;
  EXPECT_GT(on_one.before_scaling.incomplete, 0) << "with ten entries of twenty";
  EXPECT_LE(on_one.before_scaling.incomplete, 5000 - static_cast<Index>(thinned.kept.size()));
  EXPECT_EQ(one.begin, two.begin);
  EXPECT_EQ(one.column, two.column);
  EXPECT_EQ(one.value, two.value);
  std::vector<char> kept(5000, 0);
  for (const Index v : thinned.kept) kept[v] = 1;
  for (Index v = 0; v < one.rows(); ++v) {
    double sum = 0;
    for (std::int64_t k = one.begin[v]; k < one.begin[v + 1]; ++k) sum += static_cast<double>(one.value[k]);
    EXPECT_NEAR(sum, 1, 1e-5) << v;
    EXPECT_EQ(one.begin[v + 1] - one.begin[v], kept[v] ? columns : 10) << v;
  }
}

TEST(ThinnedSamples, DuplicatesHaveRows) {
  Samples samples = noisy_square(2000, 3, 0);
  for (Index v = 0; v < 40; ++v) samples.values.row(1000 + v) = samples.values.row(1000);
  EXPECT_LT(largest_miss(Thinned(std::move(samples), 100)), 0.05);
}

/// A component so small that its landmark alone is kept, and samples that a mask leaves out.
TEST(ThinnedSamples, RowsStayWithinTheirComponent) {
  Samples samples = noisy_square(2000, 3, 0.01);
  samples.values.bottomRows(11).array() += 50;
  GeodesicOptions options;
  options.keep.assign(2000, 1);
  for (Index v = 1; v < 30; ++v) options.keep[v] = 0;
  const Thinned thinned(std::move(samples), 100, {1992}, options);
  const auto columns = static_cast<Index>(thinned.landmarks.vertices.size());
  const SparseRows before =
      thinned.rows_of(columns, [&](Index v, Index c) { return thinned.landmarks.cell[v] == c ? 1.0 : 0.0; });
  const SparseRows P = extend_rows(before, thinned.kept, thinned.samples.values, thinned.edges,
                                   thinned.landmarks.cell, columns)
                           .P;
  EXPECT_EQ(std::count_if(thinned.kept.begin(), thinned.kept.end(), [](Index v) { return v >= 1989; }), 1);
  for (Index v = 0; v < 2000; ++v) {
    double sum = 0;
    for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k) {
      sum += static_cast<double>(P.value[k]);
      EXPECT_TRUE(P.value[k] == 0 || (thinned.landmarks.vertices[P.column[k]] == 1992) == (v >= 1989)) << v;
    }
    EXPECT_NEAR(sum, options.keep[v] ? 1 : 0, 1e-5) << v;
  }
}

TEST(ThinnedSamples, OnlyWhereThereAreManyPerLandmarkAndNothingElseIsRequested) {
  EXPECT_FALSE(thins_samples(1000, 100, {}));
  EXPECT_FALSE(thins_samples(6000, 100, {}));
  EXPECT_TRUE(thins_samples(10000, 100, {}));
  EXPECT_FALSE(thins_samples(10000, 100, {.sparsity = Sparsity::columns}));
  EXPECT_FALSE(thins_samples(10000, 100, {.method = InterpolationMethod::plain}));
}

TEST(ThinnedSamples, PerplexityIsHalvedButStaysAbleToAverage) {
  EXPECT_EQ(thinned_perplexity(30), 15);
  EXPECT_EQ(thinned_perplexity(6), 5);
  EXPECT_EQ(thinned_perplexity(2), 2);
}

}  // namespace
}  // namespace geodome::internal
