#include "geodome/matrix/sparse_landmark_matrix.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "matrix/matrix_cases.h"
#include "matrix/revealing_check.h"

namespace geodome::internal {
namespace {

/// What the storage of W may cost, relative to the largest distance: half a step of 16 bits, a few roundings
/// of single precision; twice as much for squares; both times the sum of magnitudes in two rows of P.
double tolerance(Precision precision) {
  if (precision == Precision::float64) return 1e-12;
  return precision == Precision::float32 ? 1e-6 : 4e-5;
}

TEST(SparseLandmarkMatrix, EveryQueryEqualsTheExplicitProduct) {
  for (const MatrixCase& one : matrix_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const Eigen::MatrixXd expected = reference_matrix(one, dense_rows(one.P), kind);
      for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
        const SparseLandmarkMatrix matrix = one.compact(precision, kind);
        const double allowed = tolerance(precision);
        EXPECT_EQ(matrix.kind(), kind);
        EXPECT_LT(difference(matrix.rows(everything(one.size())), expected), allowed) << one.name;

        const Pairs pairs = random_pairs(one.size(), 500);
        const Vector entries = matrix.entries(pairs.I, pairs.J);
        Vector exact(entries.size());
        for (std::size_t k = 0; k < pairs.I.size(); ++k) exact[k] = expected(pairs.I[k], pairs.J[k]);
        EXPECT_LT(difference(entries, exact), allowed) << one.name;
        EXPECT_EQ(entries, matrix.entries(pairs.J, pairs.I)) << one.name;

        for (const std::size_t columns : {2, 60}) {  // few are computed pair by pair, many through a row
          const std::span<const Index> J = std::span(pairs.J).first(columns);
          EXPECT_LT(difference(matrix.block(pairs.I, J), expected(pairs.I, J)), allowed) << one.name;
        }
      }
    }
}

TEST(SparseLandmarkMatrix, RowsComeInAnyNumber) {
  const MatrixCase one = make_case("torus", make_torus(24, 11), 30);
  const SparseLandmarkMatrix matrix = one.compact();
  const Eigen::MatrixXd expected = reference_matrix(one, dense_rows(one.P), DistanceKind::distance);
  const Pairs pairs = random_pairs(one.size(), 40);
  EXPECT_EQ(matrix.rows({}).rows(), 0);
  for (std::size_t count = 1; count <= 40; ++count) {
    const std::span<const Index> I = std::span(pairs.I).first(count);
    const RowMatrix<double> rows = matrix.rows(I);
    ASSERT_EQ(rows.rows(), static_cast<Eigen::Index>(count));
    EXPECT_LT(difference(rows, expected(I, Eigen::all)), 1e-6) << count;
  }
}

TEST(SparseLandmarkMatrix, ApplyIsTheProductWithTheWholeMatrix) {
  for (const MatrixCase& one : matrix_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const SparseLandmarkMatrix matrix = one.compact(Precision::float64, kind);
      const Eigen::MatrixXd K = reference_matrix(one, dense_rows(one.P), kind);
      for (const Index columns : {1, 2, 5, 16, 21}) {
        const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), columns);
        if (matrix.components() == 1) {
          EXPECT_LT(difference(matrix.apply(X), K * X), 1e-12) << one.name;
        }
        for (Index c = 0; c < matrix.components(); ++c) {
          Eigen::MatrixXd inside = X, expected = Eigen::MatrixXd::Zero(X.rows(), X.cols());
          for (Index v = 0; v < one.size(); ++v)
            if (one.landmarks.component[v] != c) inside.row(v).setZero();
          for (Index v = 0; v < one.size(); ++v)
            if (one.landmarks.component[v] == c)
              expected.row(v) =
                  K.row(v).unaryExpr([](double k) { return std::isfinite(k) ? k : 0; }) * inside;
          EXPECT_LT(difference(matrix.apply(X, c), expected), 1e-12) << one.name;
        }
      }
    }
}

TEST(SparseLandmarkMatrix, ApplyRefusesInfiniteEntriesAndSaysWhy) {
  const RowMatrix<double> X = RowMatrix<double>::Ones(matrix_cases().back().size(), 1);
  const SparseLandmarkMatrix matrix = matrix_cases().back().compact();
  try {
    matrix.apply(X);
    FAIL() << "infinite entries were multiplied";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2 components"), std::string::npos) << error.what();
  }
  EXPECT_THROW(matrix.apply(X, 2), InputError);
  EXPECT_THROW(matrix.apply(X, -1), InputError);
  EXPECT_THROW(matrix.apply(RowMatrix<double>::Ones(3, 1), 0), InputError);
  EXPECT_THROW(matrix.DistanceMatrix::apply(X), InputError);
}

TEST(SparseLandmarkMatrix, AnIgnoredRowMayHoldAnything) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact();
  RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 3), poisoned = X;
  for (Index v = 0; v < one.size(); ++v)
    if (one.landmarks.component[v] != 1) poisoned.row(v).setConstant(std::nan(""));
  EXPECT_EQ(matrix.apply(X, 1), matrix.apply(poisoned, 1));
}

TEST(SparseLandmarkMatrix, MultipliesAComponentsVerticesAlone) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact();
  const RowMatrix<double> X = RowMatrix<double>::Random(matrix.size(), 5);
  for (Index c = 0; c < matrix.components(); ++c) {
    std::vector<Index> members;
    for (Index v = 0; v < matrix.size(); ++v)
      if (matrix.component(v) == c) members.push_back(v);
    RowMatrix<double> part(static_cast<Eigen::Index>(members.size()), X.cols());
    for (std::size_t k = 0; k < members.size(); ++k)
      part.row(static_cast<Eigen::Index>(k)) = X.row(members[k]);
    const RowMatrix<double> all = matrix.apply(X, c), found = matrix.apply_within(members, part);
    for (std::size_t k = 0; k < members.size(); ++k)
      EXPECT_EQ(all.row(members[k]), found.row(static_cast<Eigen::Index>(k)));
    // A part of them: the others count as zero.
    const std::vector<Index> few{members[1], members[2], members[9]};
    RowMatrix<double> sparse = RowMatrix<double>::Zero(matrix.size(), X.cols());
    RowMatrix<double> some(3, X.cols());
    for (int k = 0; k < 3; ++k) some.row(k) = sparse.row(few[k]) = X.row(few[k]);
    const RowMatrix<double> expected = matrix.apply(sparse, c), got = matrix.apply_within(few, some);
    for (int k = 0; k < 3; ++k) EXPECT_LT((expected.row(few[k]) - got.row(k)).norm(), 1e-9);
    EXPECT_THROW(matrix.apply_within(members, X.topRows(1)), InputError);
  }
  EXPECT_THROW(matrix.apply_within(std::vector<Index>{0, matrix.size() - 1}, X.topRows(2)), InputError);
  EXPECT_THROW(matrix.apply_within(std::vector<Index>{2, 1}, X.topRows(2)), InputError);
  EXPECT_THROW(matrix.apply_within(std::vector<Index>{matrix.size()}, X.topRows(1)), InputError);
}

TEST(SparseLandmarkMatrix, DefaultsOfTheInterfaceAgree) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const auto all = everything(one.size());
  const RowMatrix<double> rows = matrix.rows(all), X = RowMatrix<double>::Random(one.size(), 3);
  EXPECT_LT(difference(matrix.DistanceMatrix::rows(all), rows), 1e-12);
  EXPECT_LT(difference(matrix.DistanceMatrix::apply(X), matrix.apply(X)), 1e-12);
}

TEST(SparseLandmarkMatrix, CountsItsBytes) {
  for (const MatrixCase& one : matrix_cases())
    for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
      const SparseLandmarkMatrix matrix = one.compact(precision);
      const std::size_t vertices = static_cast<std::size_t>(one.size()),
                        landmarks = one.landmarks.vertices.size(),
                        components = one.landmarks.component_first.size() - 1;
      std::size_t packed = 0;
      for (std::size_t c = 0; c < components; ++c) {
        const std::size_t l =
            static_cast<std::size_t>(one.landmarks.component_first[c + 1] - one.landmarks.component_first[c]);
        packed += l * (l + 1) / 2;
      }
      const std::size_t width = precision == Precision::float32 ? 4 : precision == Precision::uint16 ? 2 : 8;
      std::size_t expected = static_cast<std::size_t>(one.P.nonzeros()) * 6 + 4 * (vertices + 1) +
                             width * packed + 4 * landmarks + 4 * (components + 1) + 8 * components;
      if (precision == Precision::uint16) expected += 8 * components;
      if (components > 1) expected += 4 * vertices;
      EXPECT_EQ(matrix.bytes(), static_cast<std::int64_t>(expected)) << one.name;
    }
}

TEST(SparseLandmarkMatrix, DoesNotDependOnThreads) {
  const MatrixCase one =
      make_case("sphere", make_sphere(22), 60);  // more vertices than a thread takes at once
  const SparseLandmarkMatrix matrix = one.compact();
  const Pairs pairs = random_pairs(one.size(), 5000);
  const std::span<const Index> some = std::span(pairs.I).first(19);
  const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 5);
  const Execution single{1, {}}, several{3, {}};
  EXPECT_EQ(matrix.entries(pairs.I, pairs.J, single), matrix.entries(pairs.I, pairs.J, several));
  EXPECT_EQ(matrix.rows(some, single), matrix.rows(some, several));
  EXPECT_EQ(matrix.block(some, pairs.J, single), matrix.block(some, pairs.J, several));
  EXPECT_EQ(matrix.apply(X, single), matrix.apply(X, several));
}

TEST(SparseLandmarkMatrix, BothKindsShareTheirArrays) {
  const MatrixCase one = make_case("sphere", make_sphere(5), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const SparseLandmarkMatrix squared = matrix.as(DistanceKind::squared);
  EXPECT_EQ(squared.kind(), DistanceKind::squared);
  EXPECT_EQ(squared.arrays().owner, matrix.arrays().owner);
  const Index a = one.landmarks.vertices[3], b = one.landmarks.vertices[7];
  const double d = matrix.block(std::span(&a, 1), std::span(&b, 1))(0, 0);
  EXPECT_NEAR(squared.block(std::span(&a, 1), std::span(&b, 1))(0, 0), d * d, 1e-12);
}

TEST(SparseLandmarkMatrix, OutlivesWhatItWasMadeFrom) {
  const auto make = [] {
    const SparseLandmarkMatrix first = make_case("sphere", make_sphere(4), 12).compact();
    return first.as(DistanceKind::squared);
  };
  const SparseLandmarkMatrix matrix = make();
  const auto all = everything(matrix.size());
  EXPECT_TRUE(matrix.rows(all).allFinite());
}

TEST(SparseLandmarkMatrix, WideColumnsAndRowBeginsGiveTheSame) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const std::vector<std::uint32_t> column(one.P.column.begin(), one.P.column.end());
  const std::vector<std::uint64_t> begin(one.P.begin.begin(), one.P.begin.end());
  SparseLandmarkArrays arrays = matrix.arrays();
  arrays.column = std::span(column);
  arrays.row_begin = std::span(begin);
  const SparseLandmarkMatrix wide(arrays, DistanceKind::distance);
  const auto all = everything(one.size());
  EXPECT_EQ(wide.rows(all), matrix.rows(all));
  EXPECT_EQ(wide.entries(all, all), matrix.entries(all, all));
  const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 2);
  EXPECT_EQ(wide.apply(X), matrix.apply(X));
  EXPECT_GT(wide.bytes(), matrix.bytes());
}

TEST(SparseLandmarkMatrix, ChecksWhatItReads) {
  const MatrixCase one = make_case("plane", make_plane(30, 28), 60);
  const SparseLandmarkMatrix sound = one.compact();
  const auto all = everything(one.size());
  const auto on_hidden = [&](const auto& query) {
    RevealingCheck check;
    SparseLandmarkArrays arrays = sound.arrays();
    const auto hide = [&](auto& numbers) {
      std::visit([&](auto& some) { some = check.hide(some); }, numbers);
    };
    hide(arrays.row_begin);
    hide(arrays.column);
    hide(arrays.weight);
    hide(arrays.landmarks.W);
    arrays.landmarks.check = &check;
    const SparseLandmarkMatrix hidden(arrays, DistanceKind::distance);
    EXPECT_LT(check.asked(), 64U) << "opening reads nothing that grows with the vertices";
    EXPECT_EQ(query(hidden), query(sound));
  };
  on_hidden(
      [&](const SparseLandmarkMatrix& matrix) { return matrix.entries(std::array{7}, std::array{500}); });
  on_hidden([&](const SparseLandmarkMatrix& matrix) { return matrix.entries(all, all); });
  on_hidden([&](const SparseLandmarkMatrix& matrix) { return matrix.rows(std::array{3, 4, 700}); });
  on_hidden([&](const SparseLandmarkMatrix& matrix) {
    return matrix.apply(RowMatrix<double>::Ones(one.size(), 3));
  });
}

TEST(SparseLandmarkMatrix, WeightsInStepsKeepTheSumOfEveryRow) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix plain = one.compact();
    const SparseLandmarkMatrix stepped =
        one.compact(Precision::float32, DistanceKind::distance, WeightPrecision::int16);
    const double step = stepped.arrays().weight_step;
    EXPECT_EQ(step, std::ldexp(1.0, -14)) << one.name;
    EXPECT_EQ(plain.bytes() - stepped.bytes(), 2 * plain.nonzeros()) << one.name;
    for (Index v = 0; v < one.size(); ++v) {
      const Weights wanted = plain.weights(v), got = stepped.weights(v);
      ASSERT_EQ(got.column, wanted.column);
      for (std::size_t k = 0; k < got.size(); ++k) EXPECT_LT(std::abs(got.value[k] - wanted.value[k]), step);
      EXPECT_LE(std::abs(sum(got) - sum(wanted)), 0.5 * step + 1e-9);
      if (std::abs(sum(wanted) - 1) < 1e-6) {
        EXPECT_EQ(sum(got), 1);
      }
    }
    for (const Index landmark : one.landmarks.vertices)
      EXPECT_EQ(stepped.weights(landmark).value, plain.weights(landmark).value);
  }
}

TEST(SparseLandmarkMatrix, WeightsInStepsChangeDistancesByLittleOfASpacing) {
  for (const MatrixCase& one : matrix_cases()) {
    if (one.name == "loses weight") continue;  // there a step of the sum counts with the whole distance
    const SparseLandmarkMatrix plain = one.compact();
    const SparseLandmarkMatrix stepped =
        one.compact(Precision::float32, DistanceKind::distance, WeightPrecision::int16);
    const auto all = everything(one.size());
    const RowMatrix<double> expected = plain.rows(all), rows = stepped.rows(all);
    for (Index i = 0; i < one.size(); ++i)
      for (Index j = 0; j < one.size(); ++j)
        if (std::isfinite(expected(i, j)))
          EXPECT_NEAR(rows(i, j), expected(i, j), 2e-3 * plain.spacing(plain.component(i))) << one.name;
        else
          EXPECT_EQ(rows(i, j), expected(i, j));
    const Vector entries = stepped.entries(all, std::vector<Index>(all.rbegin(), all.rend()));
    for (Index i = 0; i < one.size(); ++i)
      if (const double row = rows(i, one.size() - 1 - i); std::isfinite(row)) {
        EXPECT_NEAR(entries[i], row,
                    1e-9 * rows.row(0).array().isFinite().select(rows.row(0).array(), 0).maxCoeff());
      }
    if (plain.components() == 1) {
      const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 3);
      EXPECT_LT((stepped.apply(X) - rows * X).norm(), 1e-9 * rows.norm() * X.norm()) << one.name;
    }
  }
}

TEST(SparseLandmarkMatrix, LargeWeightsTakeLargerStepsOrNone) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
  for (const auto& [largest, digits] :
       {std::pair{1.9f, 14}, {2.1f, 13}, {-3.9f, 13}, {7.9f, 12}, {8.1f, 0}}) {
    SparseRows P = one.P;
    P.value[5] = largest;
    const SparseLandmarkMatrix matrix =
        make_sparse_landmark_matrix(one.landmarks, P, W, DistanceKind::distance, WeightPrecision::int16);
    EXPECT_EQ(matrix.arrays().weight_step, std::ldexp(1.0, -digits)) << largest;
    EXPECT_EQ(matrix.arrays().weight.index(), digits > 0 ? 1u : 0u) << largest;
  }
}

TEST(SparseLandmarkMatrix, RefusesArraysThatDoNotFit) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact(Precision::uint16);
  const auto refused = [&](auto change) {
    SparseLandmarkArrays arrays = matrix.arrays();
    change(arrays);
    EXPECT_THROW(SparseLandmarkMatrix(arrays, DistanceKind::distance), InputError);
  };
  std::vector<Index> numbers;
  const std::vector<float> weights(static_cast<std::size_t>(matrix.nonzeros()) - 1, 0.1f);
  refused([&](SparseLandmarkArrays& a) { a.weight = std::span(weights); });
  for (const double step : {0.0, -1.0, 2.0, infinity})
    refused([&](SparseLandmarkArrays& a) { a.weight_step = step; });
  refused([](SparseLandmarkArrays& a) { a.row_begin = std::span<const std::uint32_t>(); });
  refused([](SparseLandmarkArrays& a) { a.landmarks.step = {}; });
  refused([](SparseLandmarkArrays& a) { a.landmarks.spacing = {}; });
  refused([](SparseLandmarkArrays& a) { a.landmarks.component = {}; });
  refused([](SparseLandmarkArrays& a) { a.landmarks.component_first = {}; });
  refused([](SparseLandmarkArrays& a) { a.landmarks.landmark = a.landmarks.landmark.first(5); });
  refused([](SparseLandmarkArrays& a) { a.landmarks.W = std::span<const std::uint16_t>(); });
  for (const Index label : {-2, 2})
    refused([&](SparseLandmarkArrays& a) {
      numbers.assign(a.landmarks.component.begin(), a.landmarks.component.end());
      numbers[3] = label;
      a.landmarks.component = numbers;
    });
  refused([&](SparseLandmarkArrays& a) {
    numbers.assign(a.landmarks.landmark.begin(), a.landmarks.landmark.end());
    numbers[3] = one.size();
    a.landmarks.landmark = numbers;
  });
}

/// A file may hold anything: what is read must be checked even where nothing was checked before.
TEST(SparseLandmarkMatrix, RefusesBadEntriesOfPWhenTheyAreRead) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  Index row = 50;  // not one of a landmark
  while (row < one.size() && one.P.begin[row + 1] - one.P.begin[row] < 2) ++row;
  ASSERT_LT(row, one.size());
  const auto refused = [&](const SparseLandmarkArrays& arrays) {
    const SparseLandmarkMatrix bad(arrays, DistanceKind::distance);
    EXPECT_THROW(bad.entries(std::span(&row, 1), std::span(&row, 1)), InputError);
    return bad;
  };
  SparseLandmarkArrays arrays = matrix.arrays();
  std::vector<std::uint16_t> column(one.P.column.begin(), one.P.column.end());
  arrays.column = std::span<const std::uint16_t>(column);
  std::swap(column[one.P.begin[row]], column[one.P.begin[row] + 1]);
  refused(arrays);
  column[one.P.begin[row] + 1] = 20;
  const SparseLandmarkMatrix outside = refused(arrays);
  const Index zero = 0;
  EXPECT_THROW(outside.rows(std::span(&zero, 1)), InputError);
  EXPECT_THROW(outside.apply(RowMatrix<double>::Ones(one.size(), 1)), InputError);

  arrays = matrix.arrays();
  std::vector<std::uint32_t> begin(one.P.begin.begin(), one.P.begin.end());
  arrays.row_begin = std::span<const std::uint32_t>(begin);
  begin[row + 1] = begin[row] - 1;
  EXPECT_THROW(refused(arrays).rows(std::span(&zero, 1)), InputError);
  begin[row + 1] = 4000000000u;
  refused(arrays);
}

TEST(SparseLandmarkMatrix, RefusesBadQuestions) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const std::vector<Index> good{0, 1}, one_only{0}, below{-1, 0}, above{0, one.size()};
  EXPECT_THROW(matrix.entries(good, one_only), InputError);
  for (const auto& bad : {below, above}) {
    EXPECT_THROW(matrix.entries(good, bad), InputError);
    EXPECT_THROW(matrix.entries(bad, good), InputError);
    EXPECT_THROW(matrix.rows(bad), InputError);
    EXPECT_THROW(matrix.block(good, bad), InputError);
  }
  EXPECT_THROW(matrix.apply(RowMatrix<double>::Ones(3, 1)), InputError);
}

TEST(SparseLandmarkMatrix, RefusesFactorsThatDoNotFit) {
  const MatrixCase one = std::move(matrix_cases().back());
  const LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
  SparseRows bad = one.P;
  bad.columns -= 1;
  EXPECT_THROW(make_sparse_landmark_matrix(one.landmarks, bad, W), InputError);
  bad = one.P;
  bad.begin.pop_back();
  EXPECT_THROW(make_sparse_landmark_matrix(one.landmarks, bad, W), InputError);
  bad = one.P;  // the first vertex takes a landmark of the other component
  bad.column[bad.begin[1] - 1] = bad.columns - 1;
  EXPECT_THROW(make_sparse_landmark_matrix(one.landmarks, bad, W), InputError);
}

}  // namespace
}  // namespace geodome::internal
