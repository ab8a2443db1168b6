#include "geodome/pipeline/prepared.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/interpolation/operator.h"
#include "geodome/pipeline/operators.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/paths.h"
#include "geodome/shape/unit.h"

namespace geodome {
namespace {

template <typename Work>
auto timed(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  auto value = work();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return Timed<decltype(value)>{std::move(value), seconds};
}

bool same(const LandmarkOptions& a, const LandmarkOptions& b) {
  return a.method == b.method && a.count == b.count && a.seed == b.seed && a.vertices == b.vertices &&
         a.or_all == b.or_all;
}

/// Where row r of a component's packed triangle begins among those of all components.
std::vector<std::int64_t> triangle_begins(const OrderedLandmarks& order) {
  std::vector<std::int64_t> begins{0};
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    begins.push_back(begins.back() + packed_size(order.component_first[c + 1] - order.component_first[c]));
  return begins;
}

/// Makes the rows of C at landmarks equal to W, both directions averaged.
void put_landmark_distances(const MeasuredLandmarks& landmarks, RowMatrix<float>& C) {
  const OrderedLandmarks& order = landmarks.order;
  const auto begins = triangle_begins(order);
  std::visit(
      [&](const auto& values) {
        for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c) {
          const Index first = order.component_first[c], count = order.component_first[c + 1] - first;
          const double step = landmarks.W.step.empty() ? 1 : landmarks.W.step[c];
          for (Index r = 0; r < count; ++r)
            for (Index column = 0; column <= r; ++column) {
              const auto at = static_cast<std::size_t>(begins[c] + packed_size(r) + column);
              const auto distance = static_cast<float>(step * static_cast<double>(values[at]));
              C(order.vertices[first + r], column) = C(order.vertices[first + column], r) = distance;
            }
        }
      },
      landmarks.W.values);
}

}  // namespace

PreparedShape::PreparedShape(const Shape& shape, const PrepareOptions& options, const Execution& execution)
    : shape_(shape), unit_(options.distances.empty() ? unit_of(shape) : 1), options_(options) {
  if (unit_ != 1) scaled_ = in_units(shape, unit_);
  options_.geodesic.seed = options_.laplacian.seed = options_.seed;
  const auto begin = std::chrono::steady_clock::now();
  domain_.emplace(make_path_domain(this->shape(), options_.geodesic, execution));
  edges_ = path_edges(*domain_);
  components_ = find_components(edges_).count;
  if (!options_.distances.empty()) {
    geodesic_ = "given";
    solver_ = open_precomputed_distances(options_.distances, vertex_count(shape_));
  } else {
    options_.geodesic.method = resolve_method(*domain_, options_.geodesic);
    geodesic_ = geodesic_method_name(options_.geodesic.method);
    solver_ = make_solver(*domain_, options_.geodesic, execution);
  }
  rows_.emplace(*solver_, options_.row_bound);
  solver_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

MeasuredLandmarks PreparedShape::measure(const LandmarkOptions& options, Precision precision, bool with_rows,
                                         const Execution& execution) {
  MeasuredLandmarks result;
  result.options = options;
  result.precision = precision;
  auto chosen = timed([&] {
    return geodesic_ == "given" ? choose_landmarks(*solver_, options, execution)
                                : choose_landmarks(*domain_, options, execution);
  });
  if (options.method != LandmarkMethod::user) leave_out_lone_points(edges_, chosen.value.vertices);
  result.landmark_seconds = chosen.seconds;
  result.cover_radius = chosen.value.cover_radius.empty() ? 0 : chosen.value.cover_radius.back();
  const double row_bytes =
      4.0 * static_cast<double>(size()) * static_cast<double>(chosen.value.vertices.size());
  const bool fits =
      row_bytes + static_cast<double>(rows_->bytes()) <= static_cast<double>(options_.row_bound);
  const bool keep = rows_->has(chosen.value.vertices) || ((options_.keep_rows || with_rows) && fits);
  auto settled = timed([&] {
    const GeodesicSolver& source = keep ? static_cast<const GeodesicSolver&>(*rows_) : *solver_;
    return settle_landmarks(source, edges_, order_landmarks(edges_, chosen.value.vertices),
                            {.precision = precision}, execution);
  });
  result.order = std::move(settled.value.landmarks);
  if (geodesic_ == "given") result.order.reach.clear();  // edges say nothing about given distances
  result.W = std::move(settled.value.distances);
  result.replaced = std::move(settled.value.replaced);
  result.geodesic_seconds =
      solver_seconds_ +
      (keep ? rows_->seconds_per_row() * static_cast<double>(result.order.vertices.size()) : settled.seconds);
  return result;
}

const MeasuredLandmarks& PreparedShape::landmarks(LandmarkOptions options, Precision precision,
                                                  const Execution& execution, bool with_rows) {
  if (options.method == LandmarkMethod::user) {
    options.count = static_cast<Index>(options.vertices.size());
  } else if (options.count < 0) {
    throw InputError(text(options.count, " landmarks: ask for at least one, or 0 for the default"));
  } else if (options.count == 0) {
    options.count = default_landmark_count(joined_vertices(edges_), components_);
    options.or_all = true;
  }
  for (const MeasuredLandmarks& known : landmarks_)
    if (same(known.options, options) && known.precision == precision) return known;
  landmarks_.push_back(measure(options, precision, with_rows, execution));
  return landmarks_.back();
}

Timed<RowMatrix<float>> PreparedShape::columns(const MeasuredLandmarks& landmarks,
                                               const Execution& execution) {
  const OrderedLandmarks& order = landmarks.order;
  rows_->measure(order.vertices, execution);
  Index most = 0;
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    most = std::max(most, order.component_first[c + 1] - order.component_first[c]);
  RowMatrix<float> C = RowMatrix<float>::Zero(size(), most);
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    for (Index k = order.component_first[c]; k < order.component_first[c + 1]; ++k) {
      const std::vector<float>& row = rows_->row(order.vertices[k], execution);
      for (Index v = 0; v < size(); ++v)
        if (order.component[v] == static_cast<Index>(c)) C(v, k - order.component_first[c]) = row[v];
    }
  put_landmark_distances(landmarks, C);
  return {std::move(C),
          solver_seconds_ + rows_->seconds_per_row() * static_cast<double>(order.vertices.size())};
}

const Timed<Laplacian>& PreparedShape::laplacian(const Execution& execution) {
  if (!laplacian_)
    laplacian_ = timed([&] {
      return laplacian_within(shape(), options_.geodesic.keep, find_components(edges_).of_vertex,
                              options_.laplacian, execution);
    });
  return *laplacian_;
}

const Timed<Eigenpairs>& PreparedShape::eigenpairs(Index count, const Execution& execution) {
  if (!eigenpairs_ || eigenpairs_->value.values.size() < count)
    eigenpairs_ = timed([&] { return low_eigenpairs(laplacian(execution).value, count, execution); });
  return *eigenpairs_;
}

const Timed<RowMatrix<float>>& PreparedShape::interpolation(const MeasuredLandmarks& landmarks,
                                                            const Execution& execution) {
  if (!interpolation_ || interpolated_ != landmarks.order.vertices) {
    interpolation_.reset();
    const Laplacian& operators = laplacian(execution).value;
    interpolation_ = timed([&] {
      RowMatrix<float> P =
          dense_interpolation_operator(operators, landmarks.order.vertices, landmarks.order.cell, execution);
      bounds_ = bound_rows(P, landmarks.order, landmarks.W, edges_, execution);
      return P;
    });
    interpolated_ = landmarks.order.vertices;
  }
  return *interpolation_;
}

void PreparedShape::forget() {
  rows_->forget();
  landmarks_.clear();
  interpolation_.reset();
  interpolated_.clear();
}

void PreparedShape::forget_operators() {
  laplacian_.reset();
  eigenpairs_.reset();
}

}  // namespace geodome
