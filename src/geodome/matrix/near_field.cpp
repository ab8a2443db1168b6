#include "geodome/matrix/near_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/landmark_matrix_check.h"

namespace geodome::internal {
namespace {

/// In landmark spacings: below the first only the squared form counts, above the second only the linear one.
constexpr double blend_begin = 0.7, blend_end = 1.3;

/// Where near distances are computed on the shape, in landmark spacings: they go over into the linear form
/// between `exact_up_to_` and `blend_width` more.
constexpr double blend_width = 0.2;
/// Where the linear form is so much more than the end of that, no search is made: it is never so wrong for a
/// near pair, and many pairs are close in space but far apart along the shape. From the first on, the form is
/// blended in.
constexpr double far_begin = 1.5, far_end = 2.5;

/// Up to where near distances are exact, in spacings: more where there are few vertices per landmark, so that
/// the neighbours of a vertex are exact also where the mesh is coarse. A disc of r spacings has about 3.6 r²
/// times the vertices per landmark: 200 vertices on average.
double near_reach(const LandmarkMatrix& matrix) {
  constexpr double least = 1.3, vertices = 60;
  const auto landmarks = static_cast<double>(matrix.landmarks().size());
  return std::max(least, std::sqrt(vertices * landmarks / std::max<double>(1, matrix.size())));
}

constexpr std::size_t near_chunk = 4096;

/// Rises from 0 to 1 between two values.
double ramp(double value, double begin, double end) {
  return std::clamp((value - begin) / (end - begin), 0.0, 1.0);
}

bool is_vertex(const SurfacePoint& point) {
  return std::count(point.weight.begin(), point.weight.end(), 0.0) == 2 &&
         std::count(point.weight.begin(), point.weight.end(), 1.0) == 1;
}

/// Rows of a thresholded P may miss sum one; where δ does not sum to zero, far distances leak into the near
/// field.
double unit_scale(const Weights& weights) {
  const double total = sum(weights);
  return total > 0.5 ? 1 / total : 1;
}

double near_distance(const PackedSymmetric& W, const Weights& a, const Weights& b) {
  const Weights difference = combine(unit_scale(a), a, -unit_scale(b), b);
  return std::sqrt(std::max(0.0, -W.quadratic(difference, PackedSymmetric::Power::two) / 2));
}

}  // namespace

bool nearer(const Neighbour& a, const Neighbour& b) {
  return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
}

NearField::NearField(const LandmarkMatrix& matrix, LowerBound bound, QueryMode mode,
                     std::shared_ptr<const LazyNearShape> shape)
    : matrix_(matrix), bound_(std::move(bound)), mode_(mode), exact_up_to_(near_reach(matrix)) {
  if (mode == QueryMode::near_field) shape_ = std::move(shape);
  if (!bound_.fits(matrix.size()))
    throw InputError(text("the lower bound is not for ", matrix.size(), " vertices"));
}

double NearField::correct(double raw, Index component, const Weights& a, const Weights& b,
                          double bound) const {
  if (mode_ == QueryMode::raw) return raw;
  const double spacing = matrix_.spacing(component);
  double distance = raw;
  if (raw < blend_end * spacing) {
    double near = near_distance(matrix_.W(component), a, b);
    // Two points that P does not tell apart: without a bound, the smooth form is all that is known.
    if (bound <= 0 && !bound_.has_positions() && a.column == b.column && a.value == b.value) near = raw;
    // Close by the chord is the better guess: the form is weak at boundaries and cannot see what is finer
    // than the landmarks. It says how far that holds: two sheets that touch are far apart in it.
    if (bound_.has_positions() && near > bound)
      near = bound + (near - bound) * std::min(1.0, near / (blend_begin * spacing));
    const double share = ramp(raw / spacing, blend_begin, blend_end);
    distance = share * raw + (1 - share) * near;
  }
  return std::max({distance, bound, 0.0});
}

double NearField::query(Index i, Index j) const {
  return query(std::span(&i, 1), std::span(&j, 1), Execution{1, {}})[0];
}

double NearField::query(const SurfacePoint& a, const SurfacePoint& b) const {
  const auto first = matrix_.weights(a), second = matrix_.weights(b);
  if (first.component < 0 && second.component < 0) return heaviest(a) == heaviest(b) ? 0 : infinity;
  if (first.component != second.component) return infinity;
  const double raw = matrix_.W(first.component).bilinear(first.weights, second.weights);
  if (mode_ != QueryMode::raw && a == b) return 0;
  if (exact() && is_vertex(a) && is_vertex(b)) return query(heaviest(a), heaviest(b));
  const double bound = bound_(a, b);
  if (exact()) {
    if (!may_be_near(raw, first.component, bound)) return beyond(raw, first.component, bound);
    if (const auto found = shape_->get().distance(a, b, radius(first.component)))
      return join(raw, first.component, bound, *found);
  }
  return correct(raw, first.component, first.weights, second.weights, bound);
}

Vector NearField::query(std::span<const Index> I, std::span<const Index> J,
                        const Execution& execution) const {
  require_pairs(I, J);
  Vector result(static_cast<Eigen::Index>(I.size()));
  const std::size_t chunks = (I.size() + near_chunk - 1) / near_chunk;
  std::vector<std::vector<NearPair>> near(exact() ? chunks : 0);
  parallel_for(chunks, execution, {}, [&](std::size_t item, int) {
    Weights a, b;
    for (std::size_t k = item * near_chunk; k < std::min(I.size(), (item + 1) * near_chunk); ++k) {
      const auto [i, j] = std::minmax(I[k], J[k]);
      const Index c = matrix_.component(i);
      double& distance = result[static_cast<Eigen::Index>(k)];
      if (c < 0 || c != matrix_.component(j) || (i == j && mode_ != QueryMode::raw)) {
        distance = i == j ? 0 : infinity;
        continue;
      }
      matrix_.read_weights(i, a);
      matrix_.read_weights(j, b);
      const double raw = matrix_.W(c).bilinear(a, b), least = bound(i, j);
      if (!exact()) {
        distance = correct(raw, c, a, b, least);
      } else if (may_be_near(raw, c, least)) {
        distance = raw;
        near[item].push_back({i, j, k, least});
      } else {
        distance = beyond(raw, c, least);
      }
    }
  });
  std::vector<NearPair> all;
  for (const auto& part : near) all.insert(all.end(), part.begin(), part.end());
  if (!all.empty()) search_pairs(std::move(all), result, execution);
  return result;
}

double NearField::radius(Index component) const {
  // One landmark tells no distances.
  return matrix_.W(component).size() < 2 ? infinity
                                         : (exact_up_to_ + blend_width) * matrix_.spacing(component);
}

bool NearField::may_be_near(double raw, Index component, double bound) const {
  if (radius(component) == infinity) return true;
  return bound < radius(component) && raw < radius(component) + far_end * matrix_.spacing(component);
}

double NearField::beyond(double raw, Index component, double bound) const {
  return std::max({raw, bound, exact_up_to_ * matrix_.spacing(component)});
}

double NearField::join(double raw, Index component, double bound, double exact) const {
  const double far = beyond(raw, component, bound);
  if (!(exact < radius(component))) return far;
  if (radius(component) == infinity) return exact;
  const double spacing = matrix_.spacing(component);
  const double share = std::max(ramp(exact / spacing, exact_up_to_, exact_up_to_ + blend_width),
                                ramp((raw - radius(component)) / spacing, far_begin, far_end));
  return std::max(share * far + (1 - share) * exact, bound);
}

void NearField::search_pairs(std::vector<NearPair> pairs, Vector& result, const Execution& execution) const {
  // The search starts from the vertex that more pairs have.
  std::vector<Index> ends;
  for (const NearPair& pair : pairs) ends.insert(ends.end(), {pair.source, pair.target});
  std::sort(ends.begin(), ends.end());
  const auto times = [&](Index v) {
    const auto range = std::equal_range(ends.begin(), ends.end(), v);
    return range.second - range.first;
  };
  for (NearPair& pair : pairs)
    if (times(pair.target) > times(pair.source)) std::swap(pair.source, pair.target);
  std::sort(pairs.begin(), pairs.end(), [](const NearPair& a, const NearPair& b) {
    return std::tuple(a.source, a.target, a.place) < std::tuple(b.source, b.target, b.place);
  });
  std::vector<std::size_t> begin;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (k == 0 || pairs[k].source != pairs[k - 1].source) begin.push_back(k);
  begin.push_back(pairs.size());
  const NearShape& shape = shape_->get();
  parallel_for(begin.size() - 1, execution, {}, [&](std::size_t group, int) {
    const auto own = std::span(pairs).subspan(begin[group], begin[group + 1] - begin[group]);
    const Index source = own.front().source, c = matrix_.component(source);
    std::vector<Index> targets;
    for (const NearPair& pair : own)
      if (targets.empty() || targets.back() != pair.target) targets.push_back(pair.target);
    std::vector<double> found(targets.size());
    shape.distances(source, targets, radius(c), found);
    std::size_t at = 0;
    for (const NearPair& pair : own) {
      if (targets[at] != pair.target) ++at;
      double& distance = result[static_cast<Eigen::Index>(pair.place)];
      distance = join(distance, c, pair.bound, found[at]);
    }
  });
}

std::vector<Neighbour> NearField::joined(Index vertex, std::vector<Neighbour> found) const {
  const Index c = matrix_.component(vertex);
  const Weights mine = matrix_.weights(vertex);
  const std::vector<double> z = matrix_.W(c).times(mine);
  Weights other;
  for (Neighbour& one : found) {
    if (one.vertex == vertex) continue;
    matrix_.read_weights(one.vertex, other);
    one.distance = join(dot(other, z), c, bound(vertex, one.vertex), one.distance);
  }
  return found;
}

std::vector<Neighbour> NearField::near_vertices(Index vertex) const {
  auto found = joined(vertex, shape_->get().within(vertex, radius(matrix_.component(vertex))));
  std::sort(found.begin(), found.end(),
            [](const Neighbour& a, const Neighbour& b) { return a.vertex < b.vertex; });
  return found;
}

std::optional<std::vector<Neighbour>> NearField::nearest(Index vertex, Index count) const {
  const Index c = matrix_.component(vertex);
  if (c < 0) return {};
  const double most = radius(c) == infinity ? infinity : exact_up_to_ * matrix_.spacing(c);
  // A little more, so that rounding does not leave out the last one.
  const double reach = shape_->get().radius_of(vertex, count, most) * (1 + 1e-9);
  if (!(reach <= most) || reach == infinity) return {};
  auto found = joined(vertex, shape_->get().within(vertex, reach));
  std::erase_if(found, [&](const Neighbour& one) { return one.vertex == vertex; });
  std::sort(found.begin(), found.end(), nearer);
  const auto wanted = static_cast<std::size_t>(count);
  if (found.size() > wanted) found.resize(wanted);
  // Where the linear form is far off, distances may have become larger than those of vertices not searched.
  if (!found.empty() && found.back().distance > reach) return {};
  return found;
}

std::optional<std::vector<Neighbour>> NearField::within(Index vertex, double reach) const {
  const Index c = matrix_.component(vertex);
  if (c < 0 || !(reach >= 0) || (radius(c) < infinity && reach >= exact_up_to_ * matrix_.spacing(c)))
    return {};
  auto found = joined(vertex, shape_->get().within(vertex, reach));
  std::erase_if(found, [&](const Neighbour& one) { return one.distance > reach; });
  std::sort(found.begin(), found.end(), nearer);
  return found;
}

Vector NearField::row(Index i, const Execution& execution) const {
  return rows(std::span(&i, 1), execution).row(0);
}

RowMatrix<double> NearField::rows(std::span<const Index> I, const Execution& execution) const {
  RowMatrix<double> result = matrix_.distance_rows(I, execution);
  if (mode_ == QueryMode::raw) return result;
  if (exact()) {
    correct_rows_exactly(I, result, execution);
    return result;
  }
  const std::size_t count = static_cast<std::size_t>(matrix_.size()),
                    parts = (count + near_chunk - 1) / near_chunk;
  parallel_for(I.size() * parts, execution, {}, [&](std::size_t item, int) {
    const std::size_t row = item / parts, first = (item % parts) * near_chunk;
    correct_row(I[row], static_cast<Index>(first), static_cast<Index>(std::min(count, first + near_chunk)),
                &result(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(first)));
  });
  return result;
}

RowMatrix<double> NearField::block(std::span<const Index> I, std::span<const Index> J,
                                   const Execution& execution) const {
  // A row costs less than its entries one by one where more than 1 / row_part of it is needed.
  constexpr std::size_t row_part = 50, at_once = 64;
  if (row_part * J.size() <= static_cast<std::size_t>(size())) return DistanceMatrix::block(I, J, execution);
  require_vertices(I);
  require_vertices(J);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  for (std::size_t begin = 0; begin < I.size(); begin += at_once) {
    const auto some = I.subspan(begin, std::min(at_once, I.size() - begin));
    const RowMatrix<double> all = rows(some, execution);
    for (std::size_t j = 0; j < J.size(); ++j)
      result.col(static_cast<Eigen::Index>(j))
          .segment(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size())) = all.col(J[j]);
  }
  return result;
}

void NearField::correct_row(Index i, Index first, Index last, double* raw) const {
  const Index c = matrix_.component(i);
  if (c < 0) return;
  const Weights mine = matrix_.weights(i);
  Weights other;
  std::array<double, near_chunk> bounds;
  bound_.row(i, first, last, bounds.data());
  for (Index j = first; j < last; ++j) {
    if (matrix_.component(j) != c) continue;
    double& distance = raw[j - first];
    if (i == j) {
      distance = 0;
    } else if (distance < blend_end * matrix_.spacing(c)) {
      matrix_.read_weights(j, other);
      distance = correct(distance, c, mine, other, bounds[static_cast<std::size_t>(j - first)]);
    } else {
      distance = std::max(distance, bounds[static_cast<std::size_t>(j - first)]);
    }
  }
}

void NearField::correct_rows_exactly(std::span<const Index> I, RowMatrix<double>& rows,
                                     const Execution& execution) const {
  const auto row_of = [&](std::size_t row) { return rows.row(static_cast<Eigen::Index>(row)); };
  // What lies within the radius is taken out of the rows, before the rest of them is bounded.
  std::vector<std::vector<Neighbour>> near(I.size());
  parallel_for(I.size(), execution, {}, [&](std::size_t row, int) {
    const Index i = I[row], c = matrix_.component(i);
    if (c < 0) return;
    near[row] = shape_->get().within(i, radius(c));
    for (Neighbour& one : near[row])
      one.distance =
          one.vertex == i ? 0 : join(row_of(row)[one.vertex], c, bound(i, one.vertex), one.distance);
  });
  const std::size_t count = static_cast<std::size_t>(matrix_.size()),
                    parts = (count + near_chunk - 1) / near_chunk;
  parallel_for(I.size() * parts, execution, {}, [&](std::size_t item, int) {
    const std::size_t row = item / parts, begin = (item % parts) * near_chunk;
    const Index i = I[row], c = matrix_.component(i);
    if (c < 0) return;
    const Index first = static_cast<Index>(begin),
                last = static_cast<Index>(std::min(count, begin + near_chunk));
    std::array<double, near_chunk> bounds;
    bound_.row(i, first, last, bounds.data());
    for (Index j = first; j < last; ++j)
      if (matrix_.component(j) == c) {
        double& distance = row_of(row)[j];
        distance = beyond(distance, c, bounds[static_cast<std::size_t>(j - first)]);
      }
  });
  parallel_for(I.size(), execution, {}, [&](std::size_t row, int) {
    for (const Neighbour& one : near[row]) row_of(row)[one.vertex] = one.distance;
  });
}

}  // namespace geodome::internal
