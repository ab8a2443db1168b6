#include "geodome/interpolation/operator.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "geodome/base/error.h"
#include "geodome/landmark/cells.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"
#include "team_of_threads.h"

namespace geodome::internal {
namespace {

struct Case {
  std::string name;
  Shape shape;
  Adjacency adjacency;
};

Case mesh_case(std::string name, const TriangleMesh& mesh) {
  return {std::move(name), mesh, make_adjacency(static_cast<Index>(mesh.points.rows()), face_edges(mesh))};
}

TriangleMesh joined(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh both;
  both.points.resize(a.points.rows() + b.points.rows(), 3);
  both.points << a.points, (b.points.rowwise() + Eigen::RowVector3d(5, 0, 0));
  both.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  both.triangles << a.triangles, (b.triangles.array() + static_cast<Index>(a.points.rows())).matrix();
  return both;
}

Graph grid_graph(Index side) {
  Graph graph;
  graph.vertices = side * side;
  for (Index v = 0; v < graph.vertices; ++v) {
    if (v % side + 1 < side) graph.edges.push_back({v, v + 1});
    if (v + side < graph.vertices) graph.edges.push_back({v, v + side});
  }
  return graph;
}

std::vector<Case> cases() {
  const Graph graph = grid_graph(20);
  return {mesh_case("closed", make_sphere(9)),
          mesh_case("boundary", make_plane(25, 20)),
          mesh_case("uneven", make_torus(40, 17)),
          mesh_case("two components", joined(make_sphere(6), make_plane(12, 12))),
          {"graph", graph, make_adjacency(graph.vertices, graph.edges)}};
}

struct Problem {
  Laplacian operators;
  std::vector<Index> landmarks, cell;
};

Problem prepare(const Case& one, Index count) {
  LandmarkOptions options;
  options.count = count;
  const auto cover = make_graph_cover(one.adjacency);
  Problem problem;
  problem.operators = laplacian(one.shape);
  problem.landmarks = choose_landmarks(*cover, options).vertices;
  problem.cell = landmark_cells(one.adjacency, problem.landmarks);
  return problem;
}

/// The slow, obvious twin: dense algebra straight from the definition.
Eigen::MatrixXd reference_operator(const Problem& problem) {
  const Eigen::MatrixXd M = Eigen::MatrixXd(biharmonic(problem.operators));
  const Index vertices = static_cast<Index>(M.rows()), count = static_cast<Index>(problem.landmarks.size());
  std::vector<Index> others;
  for (Index v = 0; v < vertices; ++v)
    if (std::find(problem.landmarks.begin(), problem.landmarks.end(), v) == problem.landmarks.end())
      others.push_back(v);
  const Eigen::MatrixXd unknown = -M(others, others).ldlt().solve(M(others, problem.landmarks));
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(vertices, count);
  for (Index c = 0; c < count; ++c) P(problem.landmarks[c], c) = 1;
  for (std::size_t i = 0; i < others.size(); ++i)
    P.row(others[i]) = unknown.row(static_cast<Eigen::Index>(i));
  return P;
}

Eigen::MatrixXd dense(const SparseRows& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.rows(), matrix.columns);
  for (Index r = 0; r < matrix.rows(); ++r)
    for (std::int64_t k = matrix.begin[r]; k < matrix.begin[r + 1]; ++k)
      result(r, matrix.column[k]) = matrix.value[k];
  return result;
}

Interpolation solve(const Problem& problem, const InterpolationOptions& options, int threads = 0) {
  return interpolation_operator(problem.operators, problem.landmarks, problem.cell, options,
                                Execution{threads, {}});
}

TEST(InterpolationOperator, DenseEqualsTheDefinition) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 30);
    const Eigen::MatrixXd expected = reference_operator(problem);
    const RowMatrix<float> P =
        dense_interpolation_operator(problem.operators, problem.landmarks, problem.cell);
    EXPECT_LT((P.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-5) << one.name;
    EXPECT_LT((P.cast<double>().rowwise().sum().array() - 1).abs().maxCoeff(), 1e-5) << one.name;
  }
}

TEST(InterpolationOperator, SparseWithEverythingKeptIsDense) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 30);
    const RowMatrix<float> expected =
        dense_interpolation_operator(problem.operators, problem.landmarks, problem.cell);
    for (const Sparsity sparsity : {Sparsity::rows, Sparsity::columns, Sparsity::columns_normalised})
      EXPECT_LT((dense(solve(problem, {.sparsity = sparsity, .nonzeros = 30}).P) - expected.cast<double>())
                    .cwiseAbs()
                    .maxCoeff(),
                2e-6)
          << one.name;
  }
}

TEST(InterpolationOperator, EveryMethodKeepsTheSameEntries) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 60);
    for (const Index nonzeros : {5, 12}) {
      const auto with = [&](InterpolationMethod method) {
        return dense(
            solve(problem, {.sparsity = Sparsity::columns, .nonzeros = nonzeros, .method = method}).P);
      };
      const Eigen::MatrixXd plain = with(InterpolationMethod::plain);
      EXPECT_LT((with(InterpolationMethod::partial) - plain).cwiseAbs().maxCoeff(), 1e-6) << one.name;
      // A near tie at the threshold may fall either way, so patches are compared where both keep an entry.
      const Eigen::MatrixXd patches = with(InterpolationMethod::patches);
      const auto both = ((plain.array() != 0) && (patches.array() != 0)).eval();
      EXPECT_LT(both.select((patches - plain).array(), 0.0).abs().maxCoeff(), 1e-4) << one.name;
      EXPECT_GT(static_cast<double>(both.count()), 0.99 * static_cast<double>((plain.array() != 0).count()))
          << one.name;
    }
  }
}

TEST(InterpolationOperator, TheColumnRuleKeepsTheLargestOfEveryColumn) {
  const Problem problem = prepare(mesh_case("sphere", make_sphere(9)), 50);
  const Eigen::MatrixXd full = reference_operator(problem);
  const Index vertices = static_cast<Index>(full.rows());
  const Interpolation result = solve(problem, {.sparsity = Sparsity::columns, .nonzeros = 10});
  const Eigen::MatrixXd kept = dense(result.P);
  const Index per_column = (vertices - 50) * 10 / 50;
  for (Index c = 0; c < 50; ++c) {
    EXPECT_EQ((kept.col(c).array() != 0).count(), per_column + 1);
    double smallest_kept = 1, largest_lost = 0;
    for (Index v = 0; v < vertices; ++v) {
      if (kept(v, c) != 0)
        smallest_kept = std::min(smallest_kept, std::abs(full(v, c)));
      else
        largest_lost = std::max(largest_lost, std::abs(full(v, c)));
    }
    EXPECT_GE(smallest_kept, largest_lost - 1e-6);
  }
  EXPECT_GT(result.summary.incomplete_rows, 0);
}

TEST(InterpolationOperator, TheRowRuleKeepsTheLargestOfEveryRowAndSumsToOne) {
  const Problem problem = prepare(mesh_case("torus", make_torus(40, 17)), 50);
  const Eigen::MatrixXd full = reference_operator(problem);
  const Eigen::MatrixXd kept = dense(solve(problem, {.sparsity = Sparsity::rows, .nonzeros = 12}).P);
  for (Index v = 0; v < kept.rows(); ++v) {
    EXPECT_LE((kept.row(v).array() != 0).count(), 12);
    EXPECT_NEAR(kept.row(v).sum(), 1, 1e-6);
    Eigen::Index largest_full, largest_kept;
    full.row(v).cwiseAbs().maxCoeff(&largest_full);
    kept.row(v).cwiseAbs().maxCoeff(&largest_kept);
    EXPECT_NEAR(std::abs(full(v, largest_full)), std::abs(full(v, largest_kept)), 1e-6);
  }
  for (Index c = 0; c < 50; ++c) EXPECT_EQ(kept(problem.landmarks[c], c), 1);
}

TEST(InterpolationOperator, PursuitOfEverythingIsDense) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 30);
    const RowMatrix<float> expected =
        dense_interpolation_operator(problem.operators, problem.landmarks, problem.cell);
    const Interpolation all = solve(problem, {.sparsity = Sparsity::pursuit, .nonzeros = 30});
    EXPECT_LT((dense(all.P) - expected.cast<double>()).cwiseAbs().maxCoeff(), 1e-4) << one.name;
  }
}

TEST(InterpolationOperator, PursuitSolvesTheSparseProblemBetterThanThresholding) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 40);
    const SparseMatrix M = biharmonic(problem.operators);
    std::vector<char> known(static_cast<std::size_t>(M.rows()), 0);
    for (const Index landmark : problem.landmarks) known[landmark] = 1;
    // ‖M_uu p + M_ub‖² over all columns: the rows of M P that belong to unknowns.
    const auto residual = [&](const SparseRows& P) {
      const Eigen::MatrixXd product = M * dense(P);
      double total = 0;
      for (Index v = 0; v < product.rows(); ++v)
        if (!known[v]) total += product.row(v).squaredNorm();
      return total;
    };
    for (const Index nonzeros : {5, 15}) {
      const Interpolation pursued = solve(problem, {.sparsity = Sparsity::pursuit, .nonzeros = nonzeros});
      const Interpolation thresholded = solve(problem, {.sparsity = Sparsity::columns, .nonzeros = nonzeros});
      EXPECT_LT(residual(pursued.P), residual(thresholded.P)) << one.name;
      EXPECT_LE(pursued.P.nonzeros(), thresholded.P.nonzeros()) << one.name;
    }
  }
}

TEST(InterpolationOperator, DoesNotDependOnThreadsOrScale) {
  const TriangleMesh mesh = make_sphere(12);
  Problem problem = prepare(mesh_case("sphere", mesh), 80);
  const InterpolationOptions options{.nonzeros = 10, .method = InterpolationMethod::partial};
  const Interpolation one = solve(problem, options, 1), two = solve(problem, options, 2);
  EXPECT_EQ(one.P.column, two.P.column);
  EXPECT_EQ(one.P.value, two.P.value);
  for (const double scale : {1e-8, 1e8}) {
    problem.operators = laplacian(TriangleMesh{mesh.points * scale, mesh.triangles});
    EXPECT_LT((dense(solve(problem, options).P) - dense(one.P)).cwiseAbs().maxCoeff(), 1e-4) << scale;
  }
}

TEST(InterpolationSolver, RanksShareTheFactorOfTheFirst) {
  const Problem problem = prepare(mesh_case("torus", make_torus(60, 30)), 150);
  InterpolationOptions options;
  options.method = InterpolationMethod::partial;
  const Interpolation alone =
      interpolation_operator(problem.operators, problem.landmarks, problem.cell, options, {1, {}});
  ASSERT_GE(alone.summary.clusters, 5);
  for (const int solved_before : {0, 2, 100})
    as_ranks(3, [&](const Team& team) {
      using Factor = InterpolationSolver::Factor;
      InterpolationSolver solver(problem.operators, problem.landmarks, problem.cell, options,
                                 team.rank() == 0 ? Factor::own : Factor::of_rank_0);
      int calls = 0;
      if (team.rank() == 0) solver.solve_until([&] { return ++calls > solved_before; }, {1, {}});
      solver.share(team);
      const Interpolation found = solver.solve({1, {}, &team});
      EXPECT_EQ(found.P.begin, alone.P.begin);
      EXPECT_EQ(found.P.column, alone.P.column);
      EXPECT_EQ(found.P.value, alone.P.value);
      EXPECT_EQ(found.summary.enlarged, alone.summary.enlarged);
    });
}

TEST(Interpolate, GivesTheSmoothestFunctionThroughTheValues) {
  for (const Case& one : cases()) {
    const Problem problem = prepare(one, 25);
    const RowMatrix<double> values = RowMatrix<double>::Random(25, 2);
    const RowMatrix<double> function =
        interpolate(problem.operators, problem.landmarks, problem.cell, values);
    EXPECT_LT((function - reference_operator(problem) * values).cwiseAbs().maxCoeff(), 1e-8) << one.name;
    const SparseMatrix M = biharmonic(problem.operators);
    const double energy = function.col(0).dot(M * function.col(0));
    std::mt19937 random(5);
    for (int trial = 0; trial < 5; ++trial) {
      Vector other = function.col(0);
      for (Index v = 0; v < other.size(); ++v)
        other[v] += 1e-3 * (static_cast<double>(random() % 1000) / 500 - 1);
      for (std::size_t c = 0; c < problem.landmarks.size(); ++c) other[problem.landmarks[c]] = values(c, 0);
      EXPECT_GT(other.dot(M * other), energy) << one.name;
    }
  }
}

TEST(InterpolationOperator, RefusesWhatMakesNoSense) {
  const Problem problem = prepare(mesh_case("sphere", make_sphere(4)), 10);
  EXPECT_THROW(interpolation_operator(problem.operators, {}, problem.cell), InputError);
  EXPECT_THROW(solve(problem, {.nonzeros = 0}), InputError);
  Problem wrong = problem;
  wrong.landmarks[3] = wrong.landmarks[0];
  EXPECT_THROW(solve(wrong, {}), InputError);
  wrong.landmarks[3] = 100000;
  EXPECT_THROW(solve(wrong, {}), InputError);
}

}  // namespace
}  // namespace geodome::internal
