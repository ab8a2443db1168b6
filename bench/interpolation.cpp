/// Compares the rules by which the interpolation operator is made sparse, and reproduces the paper's errors:
/// bench_interpolation MESH [--landmarks L …] [--nonzeros P …] [--seeds S] [--rows R] [--pursuit]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <numeric>
#include <random>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/interpolation/operator.h"
#include "geodome/interpolation/sparsify.h"
#include "geodome/landmark/cells.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"

namespace {

using namespace geodome;
using namespace geodome::internal;

struct Options {
  std::string path;
  std::vector<Index> landmarks{100, 400, 1600};
  std::vector<Index> nonzeros{10, 20, 50, 100};
  int seeds = 5;
  Index rows = 300;
  bool pursuit = false;
};

TriangleMesh load(const std::string& path) {
  const Shape shape = clean_shape(read_shape(path)).shape;
  if (!std::holds_alternative<TriangleMesh>(shape))
    throw InputError(path + " is a " + kind_name(shape) + ", not a triangle mesh");
  return std::get<TriangleMesh>(shape);
}

/// Exact rows that every approximation is compared with.
struct Truth {
  std::vector<Index> vertices;
  RowMatrix<double> distances;
};

Truth random_rows(const GeodesicSolver& solver, Index count) {
  std::mt19937 random(1);
  Truth truth;
  for (Index k = 0; k < count; ++k)
    truth.vertices.push_back(static_cast<Index>(random() % static_cast<unsigned>(solver.size())));
  truth.distances.resize(count, solver.size());
  solver.distances(truth.vertices, truth.distances);
  return truth;
}

/// The largest entries of every column of a dense P, with ones at landmarks.
std::vector<std::vector<ColumnEntry>> largest_of_columns(const RowMatrix<float>& P,
                                                         const std::vector<Index>& landmarks,
                                                         std::size_t count) {
  std::vector<char> is_landmark(static_cast<std::size_t>(P.rows()), 0);
  for (const Index landmark : landmarks) is_landmark[landmark] = 1;
  std::vector<Index> others;
  for (Index v = 0; v < P.rows(); ++v)
    if (!is_landmark[v]) others.push_back(v);
  std::vector<std::vector<ColumnEntry>> columns;
  std::vector<float> values(others.size());
  for (std::size_t c = 0; c < landmarks.size(); ++c) {
    for (std::size_t i = 0; i < others.size(); ++i) values[i] = P(others[i], static_cast<Eigen::Index>(c));
    std::vector<ColumnEntry>& column = columns.emplace_back(largest_entries(values, others, count).entries);
    const auto after = std::find_if(column.begin(), column.end(),
                                    [&](const ColumnEntry& entry) { return entry.row > landmarks[c]; });
    column.insert(after, {landmarks[c], 1.0f});
  }
  return columns;
}

SparseRows sparsified(const RowMatrix<float>& P, const std::vector<Index>& landmarks, Sparsity rule,
                      Index nonzeros) {
  const auto others = static_cast<std::size_t>(P.rows() - P.cols());
  const bool by_rows = rule == Sparsity::rows;
  auto columns = largest_of_columns(
      P, landmarks, by_rows ? others : others * static_cast<std::size_t>(nonzeros) / landmarks.size());
  SparseRows result = assemble(columns, static_cast<Index>(P.rows()),
                               by_rows ? nonzeros : static_cast<Index>(landmarks.size()));
  if (rule != Sparsity::columns) normalise_rows(result);
  return result;
}

SparseRows everything(const RowMatrix<float>& P, const std::vector<Index>& landmarks) {
  return sparsified(P, landmarks, Sparsity::columns, static_cast<Index>(landmarks.size()));
}

/// ε = ‖K̃ − K‖² / ‖K‖² over the rows.
double epsilon(const SparseRows& P, const RowMatrix<double>& W, const Truth& truth) {
  const auto rows = static_cast<Eigen::Index>(truth.vertices.size());
  RowMatrix<double> Z = RowMatrix<double>::Zero(W.rows(), rows);
  for (Eigen::Index r = 0; r < rows; ++r)
    for (std::int64_t k = P.begin[truth.vertices[r]]; k < P.begin[truth.vertices[r] + 1]; ++k)
      Z.col(r) += static_cast<double>(P.value[k]) * W.row(P.column[k]).transpose();
  double missed = 0, whole = 0;
  Eigen::RowVectorXd estimate(rows);
  for (Index v = 0; v < P.rows(); ++v) {
    estimate.setZero();
    for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k)
      estimate += static_cast<double>(P.value[k]) * Z.row(P.column[k]);
    for (Eigen::Index r = 0; r < rows; ++r) {
      const double exact = truth.distances(r, v);
      if (!std::isfinite(exact)) continue;
      const double error = estimate[r] - exact;
      missed += error * error;
      whole += exact * exact;
    }
  }
  return missed / whole;
}

struct Rule {
  Index landmarks = 0;
  Index nonzeros = 0;  ///< 0: everything is kept
  std::string name;
  auto operator<=>(const Rule&) const = default;
};

/// ε of every seed.
using Scores = std::map<Rule, std::vector<double>>;

void measure(const TriangleMesh& mesh, const ExactSolver& solver, const Truth& truth, const Options& options,
             std::uint64_t seed, Scores& scores) {
  LandmarkOptions chosen;
  chosen.count = *std::max_element(options.landmarks.begin(), options.landmarks.end());
  chosen.seed = seed;
  const std::vector<Index> nested = choose_landmarks(mesh, chosen).vertices;
  const RowMatrix<double> W = solver.between(nested, nested);
  const Adjacency adjacency = make_adjacency(solver.size(), face_edges(mesh));
  const Laplacian operators = laplacian(mesh);
  for (const Index count : options.landmarks) {
    const std::vector<Index> some(nested.begin(), nested.begin() + count);
    const RowMatrix<double> part = W.topLeftCorner(count, count);
    const std::vector<Index> cell = landmark_cells(adjacency, some);
    const RowMatrix<float> P = dense_interpolation_operator(operators, some, cell);
    scores[{count, 0, "everything"}].push_back(epsilon(everything(P, some), part, truth));
    for (const Index nonzeros : options.nonzeros) {
      if (nonzeros >= count) continue;
      const auto add = [&](const char* name, Sparsity rule) {
        scores[{count, nonzeros, name}].push_back(epsilon(sparsified(P, some, rule, nonzeros), part, truth));
      };
      add("rows", Sparsity::rows);
      add("columns", Sparsity::columns);
      add("columns_normalised", Sparsity::columns_normalised);
      if (!options.pursuit) continue;
      const InterpolationOptions by_pursuit{.sparsity = Sparsity::pursuit, .nonzeros = nonzeros};
      const SparseRows pursued = interpolation_operator(operators, some, cell, by_pursuit).P;
      scores[{count, nonzeros, "pursuit"}].push_back(epsilon(pursued, part, truth));
    }
  }
}

double mean_of(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

/// The largest deviation of a seed from the mean of all.
double deviation(const std::vector<double>& all) {
  const double mean = mean_of(all);
  double most = 0;
  for (const double one : all) most = std::max(most, std::abs(one / mean - 1));
  return most;
}

/// ε as a Markdown table: a row for each number of landmarks and rule, a column for each number of nonzeros.
void print(const Scores& scores, const Options& options) {
  std::printf("| landmarks | all | rule |");
  for (const Index nonzeros : options.nonzeros) std::printf(" p_row = %d |", nonzeros);
  std::printf("\n|---|---|---|");
  for (std::size_t k = 0; k < options.nonzeros.size(); ++k) std::printf("---|");
  std::printf("\n");
  std::map<std::string, double> most;
  for (const Index landmarks : options.landmarks) {
    const double whole = mean_of(scores.at({landmarks, 0, "everything"}));
    for (const char* rule : {"columns", "columns_normalised", "rows", "pursuit"}) {
      std::string cells;
      for (const Index nonzeros : options.nonzeros) {
        const auto found = scores.find({landmarks, nonzeros, rule});
        char cell[32] = " |";
        if (found != scores.end()) {
          std::snprintf(cell, sizeof cell, " %.3g |", mean_of(found->second));
          most[rule] = std::max(most[rule], deviation(found->second));
        }
        cells += cell;
      }
      if (cells.find_first_of("0123456789") != std::string::npos)
        std::printf("| %s | %.3g | %s |%s\n", grouped(landmarks).c_str(), whole, rule, cells.c_str());
    }
  }
  std::printf("\nLargest deviation of a seed from the mean:");
  const char* separator = " ";
  for (const auto& [rule, share] : most) {
    std::printf("%s`%s` %.0f %%", separator, rule.c_str(), 100 * share);
    separator = ", ";
  }
  std::printf(".\n");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Errors of P W Pᵀ against exact distances, by the rule that makes P sparse, averaged over seeds of the "
      "landmarks. W is exact.");
  Options options;
  app.add_option("mesh", options.path, "A triangle mesh in any format")->required();
  app.add_option("--landmarks", options.landmarks, "Numbers of landmarks")->capture_default_str();
  app.add_option("--nonzeros", options.nonzeros, "Nonzeros per row of P (p_row): one or several numbers")
      ->capture_default_str();
  app.add_option("--seeds", options.seeds, "Number of landmark sets to average over")->capture_default_str();
  app.add_option("--rows", options.rows, "Number of random rows compared with exact distances")
      ->capture_default_str();
  app.add_flag("--pursuit", options.pursuit, "Also use orthogonal matching pursuit (slow)");
  CLI11_PARSE(app, argc, argv);
  try {
    const TriangleMesh mesh = load(options.path);
    const ExactSolver solver(mesh);
    const Truth truth = random_rows(solver, options.rows);
    Scores scores;
    for (int seed = 0; seed < options.seeds; ++seed)
      measure(mesh, solver, truth, options, static_cast<std::uint64_t>(seed), scores);
    print(scores, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_interpolation: %s\n", error.what());
    return 2;
  }
}
