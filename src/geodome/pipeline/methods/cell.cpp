#include <algorithm>
#include <bit>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/cell/fit_distances.h"
#include "geodome/cell/training_rows.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {
namespace {

/// What a matrix made in memory consists of.
struct Storage {
  CellStreams streams;
  std::vector<Index> landmark, component_first;
  std::vector<double> step, spacing;
  Points points;  ///< where weights are polynomials of positions
};

CellPositions view(const Points& points) {
  return {.exact = {points.data(), static_cast<std::size_t>(points.size())}};
}

CellMatrixArrays arrays_of(std::shared_ptr<const Storage> storage) {
  CellMatrixArrays arrays;
  arrays.code = view(storage->streams);
  arrays.code.positions = view(storage->points);
  arrays.landmark = storage->landmark;
  arrays.component_first = storage->component_first;
  arrays.step = storage->step;
  arrays.spacing = storage->spacing;
  arrays.owner = std::move(storage);
  return arrays;
}

/// The landmarks, from coarse to fine. Farthest points were chosen so; others come in any order, but the
/// order in which they are stored leads along the shape, and every second, fourth, … of it is spread over the
/// shape again.
std::vector<Index> coarse_to_fine(const ChosenLandmarks& chosen) {
  if (chosen.options.method == LandmarkMethod::farthest) return chosen.sequence;
  const auto& first = chosen.order.component_first;
  std::vector<Index> sequence;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const auto count = static_cast<std::uint32_t>(first[c + 1] - first[c]);
    const std::uint32_t most = std::bit_ceil(count);
    for (std::uint32_t step = most; step > 0; step /= 2)
      for (std::uint32_t k = step == most ? 0 : step; k < count; k += step == most ? most : 2 * step)
        sequence.push_back(chosen.order.vertices[first[c] + static_cast<Index>(k)]);
  }
  return sequence;
}

/// The landmarks of each component, as positions in it, in the order of choice.
std::vector<std::vector<Index>> coding_order(const OrderedLandmarks& landmarks,
                                             std::span<const Index> sequence) {
  std::vector<Index> position(landmarks.component.size(), -1);
  for (std::size_t k = 0; k < landmarks.vertices.size(); ++k)
    position[landmarks.vertices[k]] = static_cast<Index>(k);
  std::vector<std::vector<Index>> order(landmarks.component_first.size() - 1);
  const auto take = [&](Index vertex) {
    const Index component = landmarks.component[vertex];
    if (component < 0 || position[vertex] < 0) return;
    order[component].push_back(position[vertex] - landmarks.component_first[component]);
    position[vertex] = -1;
  };
  for (const Index vertex : sequence) take(vertex);
  for (const Index vertex : landmarks.vertices) take(vertex);
  return order;
}

/// W of a component, fitted to the sample.
void fit_packed(const MethodRun& run, const CellModel& model, const TrainingSums::Sample& sample,
                std::span<const Index> landmarks, Index first, std::span<float> packed) {
  const auto count = static_cast<Index>(landmarks.size());
  Eigen::MatrixXd W(count, count);
  for (Index r = 0; r < count; ++r)
    for (Index c = 0; c <= r; ++c) W(r, c) = W(c, r) = packed[static_cast<std::size_t>(packed_size(r) + c)];
  fit_distances(model, sample, landmarks, first, W, run.execution);
  for (Index r = 0; r < count; ++r)
    for (Index c = 0; c <= r; ++c)
      packed[static_cast<std::size_t>(packed_size(r) + c)] = static_cast<float>(W(r, c));
}

/// The mean of Σ p² over some vertices of a component.
double mean_square_weight(const CellModel& model, const CellLayout& layout, Index component,
                          Index landmarks) {
  const Index begin = layout.first[layout.component_first[component]];
  const Index end = layout.first[layout.component_first[component + 1]];
  std::vector<Index> some;
  const Index step = std::max<Index>(1, (end - begin) / 1000);
  for (Index at = begin; at < end; at += step) some.push_back(layout.members[at]);
  return weights_of(model, some, landmarks).squaredNorm() /
         static_cast<double>(std::max<std::size_t>(1, some.size()));
}

struct Rounded {
  std::vector<std::uint16_t> values;
  std::vector<double> step;
};

/// The step of W at which a bit there lowers the error by as much as a bit of the coordinates.
double distance_step(double coordinate_step, double vertices, double landmarks, double square_weight,
                     double largest) {
  if (!(largest > 0)) return 1;
  const double balanced =
      coordinate_step * landmarks / (std::max(square_weight, 0.05) * std::sqrt(std::max(1.0, vertices)));
  return std::clamp(balanced, largest / 60000, largest / 64);
}

Rounded fit_and_round(const MethodRun& run, const MeasuredLandmarks& found, const CellLayout& layout,
                      const LearnedCells& learned, const TrainingSums& sums) {
  const OrderedLandmarks& order = found.order;
  const auto measured = std::get<std::span<const float>>(found.W.values);
  std::vector<float> packed(measured.begin(), measured.end());
  Rounded result;
  result.values.resize(packed.size());
  std::size_t at = 0;
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c) {
    const Index first = order.component_first[c], count = order.component_first[c + 1] - first;
    const auto landmarks =
        std::span(order.vertices).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    const auto own = std::span(packed).subspan(at, static_cast<std::size_t>(packed_size(count)));
    if (!sums.samples[c].vertices.empty() && count > 1)
      fit_packed(run, learned.model, sums.samples[c], landmarks, first, own);
    const Index members =
        layout.first[layout.component_first[c + 1]] - layout.first[layout.component_first[c]];
    const double weight = mean_square_weight(learned.model, layout, static_cast<Index>(c), count);
    const double step =
        distance_step(learned.step[c], members, count, weight, *std::max_element(own.begin(), own.end()));
    for (std::size_t k = 0; k < own.size(); ++k)
      result.values[at + k] =
          static_cast<std::uint16_t>(std::clamp(std::nearbyint(own[k] / step), 0.0, 65535.0));
    result.step.push_back(step);
    at += own.size();
  }
  return result;
}

}  // namespace

std::shared_ptr<const DistanceMatrix> build_cell(MethodRun& run) {
  PreparedShape& prepared = run.prepared;
  if (run.options.precision != Precision::float32)
    throw InputError(
        "cell codes the distances between landmarks itself: a precision applies to sbha and bha only");
  const auto storage = std::make_shared<Storage>();
  if (run.options.positional) {
    const Shape& shape = prepared.original();
    if (std::holds_alternative<Graph>(shape) || std::holds_alternative<Samples>(shape))
      throw InputError(text("positional weights need 3-D coordinates, which a ", kind_name(shape),
                            " does not have: build without them"));
    storage->points = positions_of(shape);
  }
  const ChosenLandmarks& chosen = run.choose();
  const std::vector<Index> sequence = coarse_to_fine(chosen);
  CellLayout layout = run.run(
      "landmark", [&] { return lay_out_cells(prepared.edges(), chosen.order, sequence, run.execution); });
  const OrderedLandmarks before = chosen.order;
  std::optional<TrainingRows> rows;
  const MeasuredLandmarks& found =
      run.measure(chosen, [&](const GeodesicSolver& solver) -> const GeodesicSolver& {
        return rows.emplace(solver, before, layout, sequence, TrainingOptions{}, team_of(run.execution));
      });
  if (found.order.vertices != before.vertices) {
    layout = lay_out_cells(prepared.edges(), found.order, sequence, run.execution);
    rows.reset();
  }
  if (!rows)
    rows.emplace(prepared.solver(run.execution), found.order, layout, sequence, TrainingOptions{},
                 team_of(run.execution));
  if (!rows->complete())
    run.run("geodesic", [&] {
      rows->measure_all(run.request().distances, run.execution);
      return 0;
    });
  run.run("geodesic", [&] {
    rows->measure_more(run.execution);
    return 0;
  });
  run.fitted_rows = rows->more();
  TrainingSums sums = rows->take();
  rows.reset();
  prepared.release_solver();
  const LearnedCells learned = run.run("interpolation", [&] {
    const CellPositions positions = view(storage->points);
    return learn_cells(
        layout, found.order, sums, prepared.size(),
        {.rounding = run.options.rounding, .positions = run.options.positional ? &positions : nullptr},
        run.execution);
  });
  run.run("pack", [&] {
    Rounded W = fit_and_round(run, found, layout, learned, sums);
    storage->streams = encode_cells(learned.model, found.order.component_first, W.values,
                                    coding_order(found.order, sequence));
    storage->step = std::move(W.step);
    return 0;
  });
  storage->landmark = found.order.vertices;
  storage->component_first = found.order.component_first;
  storage->spacing = found.W.spacing;
  auto matrix = make_cell_matrix(arrays_of(storage), run.options.kind);
  if (run.landmark_error) run.landmark_error = stored_error(*matrix, found.W);
  const std::int64_t nonzeros = matrix->nonzeros();
  run.count(nonzeros + run.landmark_count() * run.landmark_count(), nonzeros, run.lanczos_numbers());
  return matrix;
}

}  // namespace geodome::internal
