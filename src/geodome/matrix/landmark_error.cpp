#include "geodome/matrix/landmark_error.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>

#include "geodome/base/team.h"

namespace geodome::internal {
namespace {

/// Entry `at` of the packed triangles, in a component with this step.
double measured_entry(const LandmarkDistances& measured, std::size_t component, std::size_t at) {
  const double step = measured.step.empty() ? 1 : measured.step[component];
  return step *
         std::visit([&](const auto& values) { return static_cast<double>(values[at]); }, measured.values);
}

std::size_t place(Index r, Index c) {
  return static_cast<std::size_t>(packed_size(std::max(r, c)) + std::min(r, c));
}

/// The smallest part that is not below `error`.
std::uint8_t part_of(double error, double far) {
  constexpr double most = LandmarkError::parts_of_far;
  return static_cast<std::uint8_t>(far > 0 ? std::min(most, std::ceil(most * error / far)) : 0);
}

}  // namespace

double LandmarkError::of(Index a, Index b, double distance, double spacing) const {
  if (distance < near_end * spacing) return (near + solver) * spacing;
  const int part = parts.empty() ? parts_of_far : std::min(parts[a], parts[b]);
  return (far * part / parts_of_far + solver) * spacing;
}

LandmarkError rounding_error(const LandmarkDistances& measured) {
  LandmarkError error;
  for (std::size_t c = 0; c < measured.rounding.size(); ++c)
    if (measured.spacing[c] > 0)
      error.near = error.far = std::max(error.far, measured.rounding[c] / measured.spacing[c]);
  return error;
}

LandmarkError stored_error(const LandmarkMatrix& matrix, const LandmarkDistances& measured) {
  LandmarkError error;
  std::vector<double> far(matrix.landmarks().size(), 0);
  std::size_t begin = 0;
  for (Index c = 0; c < matrix.components(); ++c) {
    const PackedSymmetric& W = matrix.W(c);
    const double spacing = matrix.spacing(c);
    const Index first = matrix.first_landmark(c);
    for (Index a = 0; a < W.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        const double distance = W(a, b);
        const double off =
            std::abs(distance - measured_entry(measured, static_cast<std::size_t>(c), begin + place(a, b)));
        if (off == 0) continue;
        if (distance < LandmarkError::near_end * spacing) {
          error.near = std::max(error.near, off / spacing);
        } else {
          far[first + a] = std::max(far[first + a], off / spacing);
          far[first + b] = std::max(far[first + b], off / spacing);
        }
      }
    begin += static_cast<std::size_t>(packed_size(W.size()));
  }
  for (const double one : far) error.far = std::max(error.far, one);
  if (error.far > 0)
    for (const double one : far) error.parts.push_back(part_of(one, error.far));
  return error;
}

LandmarkRows some_landmark_rows(const OrderedLandmarks& landmarks, const LandmarkDistances& measured,
                                Index count, std::uint64_t seed) {
  struct Place {
    std::size_t component, begin;
    Index row;
  };
  std::vector<Place> places;
  std::size_t begin = 0;
  const auto& first = landmarks.component_first;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const Index size = first[c + 1] - first[c];
    for (Index row = 0; size > 1 && row < size; ++row) places.push_back({c, begin, row});
    begin += static_cast<std::size_t>(packed_size(size));
  }
  LandmarkRows rows;
  std::mt19937_64 random(seed);
  for (std::size_t k = 0; k < std::min(places.size(), static_cast<std::size_t>(count)); ++k) {
    std::swap(places[k], places[k + random() % (places.size() - k)]);
    const auto& [c, start, row] = places[k];
    const auto all =
        std::span(landmarks.vertices)
            .subspan(static_cast<std::size_t>(first[c]), static_cast<std::size_t>(first[c + 1] - first[c]));
    rows.sources.push_back(all[static_cast<std::size_t>(row)]);
    rows.targets.emplace_back(all.begin(), all.end());
    std::vector<double>& distances = rows.distances.emplace_back();
    for (Index b = 0; b < static_cast<Index>(all.size()); ++b)
      distances.push_back(b == row ? 0 : measured_entry(measured, c, start + place(row, b)));
    rows.spacing.push_back(measured.spacing[c]);
  }
  return rows;
}

double largest_error(const LandmarkRows& rows, const GeodesicSolver& truth, const Execution& execution) {
  std::vector<double> largest(rows.sources.size(), 0);
  const auto measure = [&](std::size_t k) {
    const RowMatrix<double> exact =
        truth.between(std::span(&rows.sources[k], 1), rows.targets[k], {execution.threads, {}});
    for (std::size_t b = 0; b < rows.targets[k].size(); ++b)
      largest[k] =
          std::max(largest[k],
                   std::abs(exact(0, static_cast<Eigen::Index>(b)) - rows.distances[k][b]) / rows.spacing[k]);
  };
  const Team* team = team_of(execution);
  for (std::size_t k = 0; k < largest.size(); ++k)
    if (team == nullptr ||
        k % static_cast<std::size_t>(team->size()) == static_cast<std::size_t>(team->rank()))
      measure(k);
  if (team != nullptr)
    reduce(*team, std::span<double>(largest), [](double a, double b) { return std::max(a, b); });
  return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
}

}  // namespace geodome::internal
