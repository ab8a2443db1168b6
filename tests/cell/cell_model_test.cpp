#include "geodome/cell/cell_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cell/cell_cases.h"
#include "geodome/cell/cell_code.h"
#include "geodome/cell/fit_distances.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {
namespace {

LearnedCells learn(const CellCase& one, const GeodesicSolver& solver, double rounding = 1, int threads = 2) {
  TrainingRows rows(solver, one.landmarks, one.layout, one.sequence, {});
  rows.measure_all({}, {threads, {}});
  TrainingSums sums = rows.take();
  return learn_cells(one.layout, one.landmarks, sums, solver.size(), {1e-6, rounding}, {threads, {}});
}

std::vector<Index> members_of(const CellCase& one, Index component) {
  std::vector<Index> result;
  for (Index v = 0; v < one.solver->size(); ++v)
    if (one.landmarks.component[v] == component) result.push_back(v);
  return result;
}

std::span<const Index> landmarks_of(const CellCase& one, Index component) {
  const auto first = static_cast<std::size_t>(one.landmarks.component_first[component]);
  const auto last = static_cast<std::size_t>(one.landmarks.component_first[component + 1]);
  return std::span(one.landmarks.vertices).subspan(first, last - first);
}

SparseMatrix weights(const CellCase& one, const CellModel& model, Index component) {
  return weights_of(model, members_of(one, component),
                    static_cast<Index>(landmarks_of(one, component).size()));
}

TEST(CellModel, WeightsOfAVertexSumToOne) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const LearnedCells learned = learn(one, *one.solver);
    ASSERT_EQ(learned.residual.size(), one.landmarks.component_first.size() - 1);
    for (Index c = 0; c < static_cast<Index>(learned.residual.size()); ++c) {
      const SparseMatrix P = weights(one, learned.model, c);
      const Eigen::VectorXd sums = P * Eigen::VectorXd::Ones(P.cols());
      EXPECT_LE((sums.array() - 1).abs().maxCoeff(), 1e-9);
      EXPECT_GT(learned.step[c], 0);
    }
    for (Index v = 0; v < one.solver->size(); ++v) EXPECT_EQ(learned.model.cell[v], one.layout.cell[v]);
  }
}

TEST(CellModel, DoesNotDependOnThreads) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const LearnedCells a = learn(one, *one.solver, 1, 1), b = learn(one, *one.solver, 1, 3);
    EXPECT_EQ(a.model.code, b.model.code);
    EXPECT_EQ(a.model.first, b.model.first);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.residual, b.residual);
    for (std::size_t c = 0; c < a.model.cells.size(); ++c)
      EXPECT_EQ(a.model.cells[c].mean.value, b.model.cells[c].mean.value);
  }
}

/// On a chain with a landmark at both ends, two landmarks say how far everything beyond them is.
TEST(CellModel, DistancesThatAreLinearInTheSupportAreExact) {
  const Index size = 3006;
  std::vector<Index> landmarks;
  for (Index step = 1280; step >= 10; step /= 2)
    for (Index v = step == 1280 ? 0 : step; v < size; v += step == 1280 ? step : 2 * step)
      landmarks.push_back(v);
  landmarks.push_back(size - 1);  // coarse to fine, both ends among them
  const CellCase one = make_cell_case("path", make_path_graph(size), landmarks);
  const LearnedCells learned = learn(one, *one.solver);
  const SparseMatrix P = weights(one, learned.model, 0);
  const auto l = static_cast<Eigen::Index>(landmarks.size());
  Eigen::MatrixXd W(l, l);
  for (Eigen::Index a = 0; a < l; ++a)
    for (Eigen::Index b = 0; b < l; ++b)
      W(a, b) = std::abs(one.landmarks.vertices[a] - one.landmarks.vertices[b]);
  const Eigen::MatrixXd K = P * W * P.transpose();
  double worst = 0, far = 0;
  for (const CellLayout::Cell& cell : one.layout.cells)
    for (const Index position : cell.support)
      far = std::max(far, 2 * W(position, cell.centre));  // twice the radius of a support
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      if (std::abs(i - j) > far) worst = std::max(worst, std::abs(K(i, j) - std::abs(i - j)));
  EXPECT_LT(worst, 0.05) << "of " << size;
}

/// Root mean square error of the distances from all landmarks, over the vertices that count.
double error_of(const CellCase& one, const CellModel& model, Index without = -1) {
  double wrong = 0, count = 0;
  for (Index c = 0; c + 1 < static_cast<Index>(one.landmarks.component_first.size()); ++c) {
    const std::vector<Index> vertices = members_of(one, c);
    const auto landmarks = landmarks_of(one, c);
    const RowMatrix<double> W = one.solver->between(landmarks, landmarks);
    const RowMatrix<double> K = one.solver->between(landmarks, vertices);
    const RowMatrix<double> ours = weights(one, model, c) * W.transpose();
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      if (vertices[v] == without) continue;
      wrong += (ours.row(static_cast<Eigen::Index>(v)).transpose() - K.col(static_cast<Eigen::Index>(v)))
                   .squaredNorm();
      count += static_cast<double>(landmarks.size());
    }
  }
  return std::sqrt(wrong / count);
}

class WithoutAVertex final : public GeodesicSolver {
 public:
  WithoutAVertex(const GeodesicSolver& good, Index vertex, double wrong)
      : good_(good), vertex_(vertex), wrong_(wrong) {}
  Index size() const override { return good_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    good_.distances(sources, out, execution);
    out.col(vertex_).setConstant(wrong_);
  }

 private:
  const GeodesicSolver& good_;
  Index vertex_;
  double wrong_;
};

TEST(CellModel, AVertexWithoutDistancesDoesNotSpoilOthers) {
  const CellCase one = make_cell_case("sphere", make_sphere(8), 60);
  Index vertex = 0;
  while (std::find(one.sequence.begin(), one.sequence.end(), vertex) != one.sequence.end()) ++vertex;
  const double good = error_of(one, learn(one, *one.solver).model, vertex);
  for (const double wrong : {std::nan(""), infinity}) {
    const LearnedCells learned = learn(one, WithoutAVertex(*one.solver, vertex, wrong));
    EXPECT_LT(error_of(one, learned.model, vertex), 1.5 * good);
    const SparseMatrix P = weights(one, learned.model, 0);
    for (Eigen::Index k = 0; k < P.nonZeros(); ++k) ASSERT_TRUE(std::isfinite(P.valuePtr()[k]));
    EXPECT_TRUE(std::isfinite(learned.residual[0]));
  }
}

TEST(CellModel, ErrorsAreThoseItSays) {
  for (const CellCase& one : cell_cases()) {
    if (one.landmarks.component_first.size() != 2 || one.landmarks.vertices.size() < 20) continue;
    const LearnedCells learned = learn(one, *one.solver);
    // Near rows count less in what it says, and rounding comes on top.
    EXPECT_LT(learned.residual[0], 1.01 * error_of(one, learned.model) + 1e-6) << one.name;
  }
}

TEST(CellModel, CoarserStepsTakeFewerDirectionsAndCostAccuracy) {
  const CellCase one = make_cell_case("sphere", make_sphere(9), 60);
  std::size_t before = 0;
  double error = infinity;
  for (const double rounding : {16.0, 4.0, 1.0, 0.25}) {
    const LearnedCells learned = learn(one, *one.solver, rounding);
    EXPECT_GT(learned.model.code.size(), before) << rounding;
    EXPECT_LT(error_of(one, learned.model), error) << rounding;
    before = learned.model.code.size();
    error = error_of(one, learned.model);
  }
}

TEST(FitDistances, LowersTheErrorOfTheSample) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    TrainingRows rows(*one.solver, one.landmarks, one.layout, one.sequence, {});
    rows.measure_all({}, {1, {}});
    TrainingSums sums = rows.take();
    const LearnedCells learned =
        learn_cells(one.layout, one.landmarks, sums, one.solver->size(), {1e-6, 1}, {1, {}});
    for (Index c = 0; c + 1 < static_cast<Index>(one.landmarks.component_first.size()); ++c) {
      const auto landmarks = landmarks_of(one, c);
      const auto count = static_cast<Index>(landmarks.size());
      const TrainingSums::Sample& sample = sums.samples[c];
      const SparseMatrix P = weights_of(learned.model, sample.vertices, count);
      std::vector<Index> sources;
      for (const Index position : sample.sources) sources.push_back(one.landmarks.vertices[position]);
      const SparseMatrix Q = weights_of(learned.model, sources, count);
      const auto error = [&](const Eigen::MatrixXd& W) {
        return (Eigen::MatrixXd(P * W * Q.transpose()) - sample.distances.cast<double>().transpose()).norm();
      };
      const Eigen::MatrixXd measured = one.solver->between(landmarks, landmarks);
      Eigen::MatrixXd W = (measured + measured.transpose()) / 2;
      const double before = error(W);
      Eigen::MatrixXd two = W;
      fit_distances(learned.model, sample, landmarks, one.landmarks.component_first[c], W, {1, {}});
      fit_distances(learned.model, sample, landmarks, one.landmarks.component_first[c], two, {2, {}});
      EXPECT_EQ(W, two) << "on two threads";
      EXPECT_LE((W - W.transpose()).norm(), 1e-12 * (1 + W.norm()));
      EXPECT_LE(error(W), before * 1.001 + 1e-9);
    }
  }
}

/// W in steps of a thousandth, in the order of the sequence.
struct Encoded {
  std::vector<std::uint16_t> W;
  CellStreams streams;
};

Encoded encode(const CellCase& one, const CellModel& model) {
  Encoded result;
  std::vector<std::vector<Index>> order;
  for (Index c = 0; c + 1 < static_cast<Index>(one.landmarks.component_first.size()); ++c) {
    const auto landmarks = landmarks_of(one, c);
    const RowMatrix<double> D = one.solver->between(landmarks, landmarks);
    const double step = std::max(D.maxCoeff(), 1.0) / 1000;
    for (Eigen::Index r = 0; r < D.rows(); ++r)
      for (Eigen::Index k = 0; k <= r; ++k)
        result.W.push_back(static_cast<std::uint16_t>(std::lround(D(r, k) / step)));
    order.push_back(everything(static_cast<Index>(landmarks.size())));
  }
  result.streams = encode_cells(model, one.landmarks.component_first, result.W, order);
  return result;
}

TEST(CellCode, GivesBackTheModel) {
  for (const CellCase& one : cell_cases()) {
    SCOPED_TRACE(one.name);
    const CellModel model = learn(one, *one.solver).model;
    const Encoded encoded = encode(one, model);
    const CellStreams& streams = encoded.streams;
    EXPECT_EQ(streams.size, one.solver->size());
    EXPECT_EQ(streams.connected,
              one.landmarks.component_first.size() == 2 &&
                  std::count(one.landmarks.component.begin(), one.landmarks.component.end(), -1) == 0);
    const TokenTables tables{streams.tables};
    EXPECT_EQ(decode_distances(tables, streams.distances, one.landmarks.component_first), encoded.W);
    const DecodedCells cells = decode_cells(tables, streams.cells, one.landmarks.component_first, false);
    ASSERT_EQ(cells.cells.size(), model.cells.size());
    std::vector<std::uint32_t> cell(static_cast<std::size_t>(streams.size));
    std::vector<std::int16_t> code(cell.size() * static_cast<std::size_t>(cells.most_directions));
    ASSERT_LE(streams.size, vertices_per_block) << "one block";
    decode_vertices(tables, streams.vertices, cells, false, cell, code);
    for (Index v = 0; v < streams.size; ++v) {
      if (model.cell[v] < 0) {
        EXPECT_EQ(cell[v], cells.cells.size());
        continue;
      }
      ASSERT_EQ(static_cast<Index>(cell[v]), model.cell[v]);
      const DecodedCell& own = cells.cells[cell[v]];
      const CellModel::Cell& expected = model.cells[cell[v]];
      EXPECT_EQ(own.component, expected.component);
      ASSERT_EQ(static_cast<std::size_t>(own.size), expected.support.size());
      EXPECT_TRUE(std::equal(expected.support.begin(), expected.support.end(),
                             cells.support.begin() + static_cast<std::ptrdiff_t>(own.support)));
      Eigen::VectorXd row = Eigen::Map<const Eigen::VectorXd>(cells.weights.data() + own.weights, own.size);
      for (Index j = 0; j < own.directions; ++j)
        row += code[static_cast<std::size_t>(v * cells.most_directions + j)] *
               Eigen::Map<const Eigen::VectorXd>(cells.weights.data() + own.weights + (1 + j) * own.size,
                                                 own.size);
      const Index all =
          one.landmarks.component_first[own.component + 1] - one.landmarks.component_first[own.component];
      const Eigen::MatrixXd wanted = weights_of(model, std::span(&v, 1), all);
      for (Index s = 0; s < own.size; ++s)
        EXPECT_EQ(row[s], wanted(0, expected.support[static_cast<std::size_t>(s)]));
    }
  }
}

template <typename Work>
bool refused(const Work& work) {
  try {
    work();
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(CellCode, DamageIsRefusedOrGivesOtherNumbers) {
  const CellCase one = make_cell_case("apart", apart(make_sphere(3), make_plane(5, 4)), 20);
  const CellStreams streams = encode(one, learn(one, *one.solver).model).streams;
  const TokenTables tables{streams.tables};
  const auto& first = one.landmarks.component_first;
  const DecodedCells cells = decode_cells(tables, streams.cells, first, false);
  const auto read_vertices = [&](std::span<const std::uint32_t> words) {
    std::vector<std::uint32_t> cell(static_cast<std::size_t>(streams.size));
    std::vector<std::int16_t> code(cell.size() * static_cast<std::size_t>(cells.most_directions));
    decode_vertices(tables, words, cells, false, cell, code);
    for (const std::uint32_t number : cell) EXPECT_LE(number, cells.cells.size());
  };
  const auto read_cells = [&](std::span<const std::uint32_t> words) {
    const DecodedCells read = decode_cells(tables, words, first, false);
    for (const DecodedCell& cell : read.cells)
      for (Index s = 0; s < cell.size; ++s)
        EXPECT_LT(read.support[cell.support + static_cast<std::size_t>(s)],
                  first[cell.component + 1] - first[cell.component]);
  };
  const auto read_distances = [&](std::span<const std::uint32_t> words) {
    decode_distances(tables, words, first);
  };
  const auto damage = [](const std::vector<std::uint32_t>& words, const auto& read) {
    for (std::size_t length = 0; length < words.size(); ++length)
      EXPECT_TRUE(refused([&] { read(std::span(words).first(length)); })) << length;
    std::size_t tried = 0, found = 0;
    for (std::size_t k = 0; k < words.size(); ++k)
      for (int bit = 0; bit < 32; bit += 3) {
        std::vector<std::uint32_t> damaged = words;
        damaged[k] ^= std::uint32_t{1} << bit;
        ++tried;
        found += refused([&] { read(damaged); });
      }
    EXPECT_GT(found, tried / 3);
  };
  damage(streams.vertices, read_vertices);
  damage(streams.cells, read_cells);
  damage(streams.distances, read_distances);
  const std::vector<Index> absurd{0, 2147483647};
  EXPECT_TRUE(refused([&] { decode_distances(tables, streams.distances, absurd); }));
  const TokenTables few{TokenCounts(3)};
  EXPECT_TRUE(refused([&] { decode_distances(few, streams.distances, first); }));
  EXPECT_TRUE(refused([&] { decode_cells(few, streams.cells, first, false); }));
}

}  // namespace
}  // namespace geodome::internal
