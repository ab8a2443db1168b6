#include "geodome/cell/distance_code.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <bit>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {
namespace {

constexpr std::size_t most_neighbours = 12;
constexpr std::size_t context_neighbours = 4;
constexpr int weight_digits = 6;
constexpr std::int32_t one = 1 << weight_digits;
constexpr std::int32_t largest_weight = 4 * one;

struct Contexts {
  std::size_t order, diagonal, neighbour, weight, residual;
  explicit Contexts(std::size_t first)
      : order(first), diagonal(first + 1), neighbour(first + 2), weight(first + 3), residual(first + 4) {}
};
constexpr std::size_t residual_contexts = distance_contexts - 4;

std::size_t neighbour_count(std::size_t row) {
  return std::min(most_neighbours, (row + 1) / 2);
}

/// What both directions share: the square of distances in coding order, row by row, and how rows are
/// predicted.
class Predictor {
 public:
  explicit Predictor(std::size_t size)
      : size_(size), values_(size * size), residual_(size), prediction_(size) {
    neighbours_.resize(size);
  }

  std::uint16_t* row(std::size_t a) { return values_.data() + a * size_; }

  struct Neighbour {
    std::size_t row;
    std::int32_t weight;
  };
  void set_neighbours(std::size_t a, std::vector<Neighbour> neighbours) {
    neighbours_[a] = std::move(neighbours);
  }

  /// The predictions of row a for all earlier ones.
  const std::vector<std::int32_t>& predict(std::size_t a) {
    std::fill_n(prediction_.begin(), a, one / 2);
    for (const Neighbour& neighbour : neighbours_[a]) {
      const std::uint16_t* from = row(neighbour.row);
      for (std::size_t b = 0; b < a; ++b) prediction_[b] += neighbour.weight * from[b];
    }
    for (std::size_t b = 0; b < a; ++b)
      prediction_[b] = std::clamp(prediction_[b] >> weight_digits, 0, 65535);
    return prediction_;
  }

  /// How large differences are near b in this row.
  std::size_t context(std::size_t b) const {
    const std::size_t count = std::min(context_neighbours, neighbours_[b].size());
    std::uint32_t total = 0;
    for (std::size_t k = 0; k < count; ++k) total += residual_[neighbours_[b][k].row];
    if (count > 0) total = total * 4 / static_cast<std::uint32_t>(count);
    return std::min<std::size_t>(residual_contexts - 1, static_cast<std::size_t>(std::bit_width(total)));
  }
  void set_residual(std::size_t b, std::int32_t residual) {
    residual_[b] = static_cast<std::uint32_t>(std::min(std::abs(residual), 1 << 16));
  }

  /// Makes the column equal to the row.
  void mirror(std::size_t a) {
    const std::uint16_t* from = row(a);
    for (std::size_t b = 0; b < a; ++b) values_[b * size_ + a] = from[b];
  }

 private:
  std::size_t size_;
  std::vector<std::uint16_t> values_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::uint32_t> residual_;
  std::vector<std::int32_t> prediction_;
};

/// Weights, in units of 1 / one with sum `one`, that predict a row from others best.
std::vector<std::int32_t> fit(const std::vector<const std::uint16_t*>& others, const std::uint16_t* row,
                              std::size_t columns) {
  const auto count = static_cast<Eigen::Index>(others.size()), length = static_cast<Eigen::Index>(columns);
  std::vector<std::int32_t> result(others.size(), 0);
  Eigen::MatrixXd D(length, count - 1);
  Eigen::VectorXd d(length);
  for (Eigen::Index b = 0; b < length; ++b) {
    const double last = others.back()[b];
    d[b] = row[b] - last;
    for (Eigen::Index k = 0; k + 1 < count; ++k) D(b, k) = others[static_cast<std::size_t>(k)][b] - last;
  }
  Eigen::MatrixXd A = D.transpose() * D;
  if (count > 1) A.diagonal().array() += 1e-4 * A.trace() / static_cast<double>(count - 1) + 1;
  const Eigen::VectorXd x = count > 1 ? Eigen::VectorXd(A.llt().solve(D.transpose() * d)) : Eigen::VectorXd();
  result.back() = one;
  for (Eigen::Index k = 0; k + 1 < count; ++k) {
    const double weight =
        std::isfinite(x[k]) ? std::clamp(x[k] * one, -double{largest_weight}, double{largest_weight}) : 0;
    result[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(std::nearbyint(weight));
    result.back() -= result[static_cast<std::size_t>(k)];
  }
  return result;
}

/// The earlier rows nearest to row a, by position.
std::vector<std::size_t> nearest_rows(const std::uint16_t* distances, std::size_t a,
                                      std::span<const Index> order) {
  std::vector<std::size_t> rows(a);
  for (std::size_t b = 0; b < a; ++b) rows[b] = b;
  const std::size_t count = neighbour_count(a);
  std::partial_sort(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
      [&](std::size_t x, std::size_t y) { return std::pair(distances[x], x) < std::pair(distances[y], y); });
  rows.resize(count);
  std::sort(rows.begin(), rows.end(), [&](std::size_t x, std::size_t y) { return order[x] < order[y]; });
  return rows;
}

std::size_t packed_at(Index a, Index b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::size_t>(packed_size(high) + low);
}

[[noreturn]] void bad_distances(const char* what) {
  throw InputError(text("the coded distances between landmarks are invalid: ", what));
}

}  // namespace

void put_distances(std::span<const std::uint16_t> distances, std::span<const Index> order,
                   std::size_t first_context, TokenRecord& record) {
  const Contexts contexts(first_context);
  const std::size_t size = order.size();
  Predictor predictor(size);
  for (std::size_t a = 0; a < size; ++a) {
    std::uint16_t* row = predictor.row(a);
    for (std::size_t b = 0; b < size; ++b) row[b] = distances[packed_at(order[a], order[b])];
  }
  for (std::size_t a = 0; a < size; ++a) {
    const std::uint16_t* row = predictor.row(a);
    record.put(contexts.order, static_cast<std::uint32_t>(order[a]));
    record.put(contexts.diagonal, row[a]);
    const std::vector<std::size_t> near = nearest_rows(row, a, order);
    std::vector<const std::uint16_t*> others;
    Index before = order[a];
    for (std::size_t k = 0; k < near.size(); ++k) {
      others.push_back(predictor.row(near[k]));
      const Index gap = order[near[k]] - before;
      record.put(contexts.neighbour, k == 0 ? zigzag(gap) : static_cast<std::uint32_t>(gap - 1));
      before = order[near[k]];
    }
    std::vector<Predictor::Neighbour> neighbours;
    if (!near.empty()) {
      const std::vector<std::int32_t> weights = fit(others, row, a);
      for (std::size_t k = 0; k < near.size(); ++k) {
        if (k + 1 < near.size()) record.put_signed(contexts.weight, weights[k]);
        neighbours.push_back({near[k], weights[k]});
      }
    }
    predictor.set_neighbours(a, std::move(neighbours));
    const std::vector<std::int32_t>& prediction = predictor.predict(a);
    for (std::size_t b = 0; b < a; ++b) {
      const std::int32_t residual = row[b] - prediction[b];
      record.put_signed(contexts.residual + predictor.context(b), residual);
      predictor.set_residual(b, residual);
    }
  }
}

void get_distances(TokenReader& reader, Index landmarks, std::size_t first_context,
                   std::span<std::uint16_t> distances) {
  const Contexts contexts(first_context);
  const auto size = static_cast<std::size_t>(landmarks);
  Predictor predictor(size);
  std::vector<Index> order(size);
  std::vector<Index> rank(size, -1);  // position -> row, of rows that are known
  for (std::size_t a = 0; a < size; ++a) {
    const std::uint32_t position = reader.get(contexts.order);
    if (position >= size || rank[position] >= 0) bad_distances("a landmark is out of range or repeated");
    order[a] = static_cast<Index>(position);
    std::uint16_t* row = predictor.row(a);
    const std::uint32_t diagonal = reader.get(contexts.diagonal);
    if (diagonal > 65535) bad_distances("a distance is out of range");
    row[a] = static_cast<std::uint16_t>(diagonal);
    const std::size_t count = neighbour_count(a);
    std::vector<Predictor::Neighbour> neighbours(count);
    std::int64_t before = order[a];
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t gap = reader.get(contexts.neighbour);
      before += k == 0 ? from_zigzag(gap) : static_cast<std::int64_t>(gap) + 1;
      if (before < 0 || before >= landmarks || rank[before] < 0) bad_distances("a neighbour is out of range");
      neighbours[k].row = static_cast<std::size_t>(rank[before]);
    }
    std::int32_t left = one;
    for (std::size_t k = 0; k < count; ++k) {
      neighbours[k].weight = k + 1 < count ? reader.get_signed(contexts.weight) : left;
      if (k + 1 < count && std::abs(neighbours[k].weight) > largest_weight)
        bad_distances("a weight is out of range");
      left -= neighbours[k].weight;
    }
    predictor.set_neighbours(a, std::move(neighbours));
    const std::vector<std::int32_t>& prediction = predictor.predict(a);
    for (std::size_t b = 0; b < a; ++b) {
      const std::int32_t residual = reader.get_signed(contexts.residual + predictor.context(b));
      const std::int32_t value = prediction[b] + residual;
      if (value < 0 || value > 65535) bad_distances("a distance is out of range");
      row[b] = static_cast<std::uint16_t>(value);
      predictor.set_residual(b, residual);
    }
    predictor.mirror(a);
    rank[position] = static_cast<Index>(a);
  }
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b <= a; ++b) distances[packed_at(order[a], order[b])] = predictor.row(a)[b];
}

}  // namespace geodome::internal
