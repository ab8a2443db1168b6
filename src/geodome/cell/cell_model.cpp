#include "geodome/cell/cell_model.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/team.h"

namespace geodome::internal {
namespace {

/// The weights of a cell's vertices in the coordinates that matter for distances.
struct Coordinates {
  Eigen::VectorXd mean;         ///< #free
  Eigen::VectorXd variance;     ///< #directions, decreasing: mean square of each coordinate
  RowMatrix<double> direction;  ///< #directions by #free
  RowMatrix<float> value;       ///< #members by #directions
  double scale = 0;             ///< mean square of D_s: what an error of a weight costs
  double residual = 0;          ///< sum of squares over the members
  /// Coordinates as polynomials of positions, `value` being what they amount to; empty where they are stored.
  RowMatrix<double> monomials;     ///< #members by #monomials
  RowMatrix<double> coefficients;  ///< #directions by #monomials
};

/// The support without the centre.
std::vector<Eigen::Index> free_columns(const CellLayout::Cell& cell) {
  std::vector<Eigen::Index> columns;
  for (std::size_t s = 0; s < cell.support.size(); ++s)
    if (cell.support[s] != cell.centre) columns.push_back(static_cast<Eigen::Index>(s));
  return columns;
}

/// Weights #members by #free that reproduce the training rows best, the centre's being one minus their sum.
RowMatrix<double> solve_weights(const Eigen::MatrixXd& G, const RowMatrix<double>& moments, double ridge) {
  const Eigen::Index count = G.rows();
  Eigen::MatrixXd A = G;
  A.array() += ridge;
  A.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::MatrixXd> factor(A);
  Eigen::MatrixXd right = moments.transpose();
  right.array() += ridge;
  return factor.info() == Eigen::Success ? RowMatrix<double>(factor.solve(right).transpose())
                                         : RowMatrix<double>::Zero(moments.rows(), count);
}

double residual_of(const Eigen::MatrixXd& G, const RowMatrix<double>& X, const RowMatrix<double>& moments,
                   const Eigen::VectorXd& energy) {
  const double explained = (X * G).cwiseProduct(X).sum() - 2 * X.cwiseProduct(moments).sum();
  return std::max(0.0, energy.sum() + explained);
}

/// Principal components of the weights, with the error of distances as the metric.
void find_directions(const Eigen::MatrixXd& G, const RowMatrix<double>& centred, double ridge,
                     Coordinates& result) {
  Eigen::MatrixXd metric = G;
  metric.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::MatrixXd> factor(metric);
  const RowMatrix<double> scaled = centred * factor.matrixL().toDenseMatrix();
  const SymmetricEigen eigen = symmetric_eigen(
      scaled.transpose() * scaled / static_cast<double>(std::max<Eigen::Index>(1, centred.rows())));
  const Eigen::Index count =
      std::min<Eigen::Index>({static_cast<Eigen::Index>(most_directions), G.rows(), centred.rows()});
  const Eigen::MatrixXd V = eigen.vectors.rightCols(count).rowwise().reverse();
  result.variance = eigen.values.tail(count).reverse().cwiseMax(0);
  result.value = (scaled * V).cast<float>();
  result.direction = factor.matrixL().solve(Eigen::MatrixXd::Identity(G.rows(), G.rows()));
  result.direction = (V.transpose() * result.direction).eval();
}

Coordinates coordinates(const CellLayout::Cell& cell, const TrainingSums::Cell& sums, Index rows,
                        double ridge) {
  Coordinates result;
  const std::vector<Eigen::Index> columns = free_columns(cell);
  const double count = std::max<Index>(1, rows);
  const Eigen::MatrixXd G = sums.gram(columns, columns) / count;
  RowMatrix<double> moments = sums.moments.cast<double>()(Eigen::all, columns) / count;
  Eigen::VectorXd energy = sums.energy / count;
  for (Eigen::Index v = 0; v < moments.rows(); ++v)
    if (sums.broken[static_cast<std::size_t>(v)] || !moments.row(v).allFinite()) {
      moments.row(v).setZero();
      energy[v] = 0;
    }
  if (columns.empty()) {
    result.residual = energy.sum();
    result.value.resize(moments.rows(), 0);
    return result;
  }
  result.scale = G.trace() / static_cast<double>(columns.size());
  const double absolute = std::max(ridge * result.scale, std::numeric_limits<double>::min());
  RowMatrix<double> X = solve_weights(G, moments, absolute);
  for (Eigen::Index v = 0; v < X.rows(); ++v)
    if (sums.broken[static_cast<std::size_t>(v)]) X.row(v).setZero();
  result.residual = residual_of(G, X, moments, energy);
  result.mean = X.rows() > 0 ? Eigen::VectorXd(X.colwise().mean()) : Eigen::VectorXd::Zero(X.cols());
  X.rowwise() -= result.mean.transpose();
  find_directions(G, X, absolute, result);
  return result;
}

/// The monomials of all members, of degree 3.
RowMatrix<double> member_monomials(const CellLayout& layout, const OrderedLandmarks& landmarks, std::size_t c,
                                   const CellPositions& positions) {
  const CellLayout::Cell& cell = layout.cells[c];
  std::vector<Index> support;
  for (const Index position : cell.support) support.push_back(landmarks.vertices[position]);
  const CellFrame frame = cell_frame(positions, landmarks.vertices[cell.centre], support);
  RowMatrix<double> result(layout.first[c + 1] - layout.first[c], most_monomials);
  for (Eigen::Index k = 0; k < result.rows(); ++k)
    result.row(k) = monomials(frame, positions[layout.members[layout.first[c] + k]]).transpose();
  return result;
}

/// Coefficients, #directions by #monomials, that reproduce coordinates best. Members of a cell are nearly in
/// a plane, where some monomials depend on others: hence a ridge.
RowMatrix<double> fit_polynomials(const RowMatrix<double>& monomials, const RowMatrix<float>& coordinates) {
  constexpr double ridge = 1e-7;
  Eigen::MatrixXd A = monomials.transpose() * monomials;
  A.diagonal().array() += std::max(ridge * A.trace() / static_cast<double>(A.rows()), 1e-300);
  const Eigen::MatrixXd right = monomials.transpose() * coordinates.cast<double>();
  return A.ldlt().solve(right).transpose();
}

/// Replaces coordinates by polynomials of positions; what these miss is added to the residual. Degree 3 where
/// that lowers the error by a tenth at least.
void use_polynomials(const RowMatrix<double>& monomials, Coordinates& found) {
  if (found.value.cols() == 0) return;
  const auto missed = [&](const RowMatrix<double>& part, const RowMatrix<double>& coefficients) {
    return (part * coefficients.transpose() - found.value.cast<double>()).squaredNorm();
  };
  const double total = found.residual;
  double least = std::numeric_limits<double>::infinity();
  for (const Index count : monomial_counts) {
    const RowMatrix<double> part = monomials.leftCols(count);
    const RowMatrix<double> coefficients = fit_polynomials(part, found.value);
    const double error = missed(part, coefficients);
    const bool enough = part.rows() >= 3 * count || count == monomial_counts.front();
    if (!enough || !(total + error < 0.9 * (total + least))) continue;
    least = error;
    found.monomials = part;
    found.coefficients = coefficients;
  }
  found.value = (found.monomials * found.coefficients.transpose()).cast<float>();
  found.residual += least;
  for (Eigen::Index j = 0; j < found.value.cols(); ++j)
    found.variance[j] = found.value.col(j).cast<double>().squaredNorm() /
                        static_cast<double>(std::max<Eigen::Index>(1, found.value.rows()));
}

/// The largest step 2^-digits that is at most `step`.
int digits_of(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log2(step))), 0, most_digits);
}

CellModel::Row rounded(const Eigen::VectorXd& values, double step) {
  CellModel::Row row;
  constexpr double largest = 1 << 22;
  const double most = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
  row.digits = digits_of(step);
  while (row.digits > 0 && std::ldexp(most, row.digits) > largest) --row.digits;
  row.value.reserve(static_cast<std::size_t>(values.size()));
  for (const double value : values)
    row.value.push_back(static_cast<std::int32_t>(
        std::clamp(std::nearbyint(std::ldexp(value, row.digits)), -largest, largest)));
  return row;
}

std::vector<double> values_of(const CellModel::Row& row) {
  std::vector<double> result;
  for (const std::int32_t value : row.value) result.push_back(std::ldexp(value, -row.digits));
  return result;
}

/// Whether a direction is worth its bits: what it lowers the error by, against what the same bits would lower
/// it by as a finer step elsewhere. `monomials`: of a polynomial; 0 where coordinates are stored.
bool worthwhile(double variance, double members, double free, double monomials, double step) {
  const double noise = step * step / 12;
  if (!(variance > noise)) return false;
  const double deviations = std::sqrt(variance) / step;
  const double bits_per_member = std::log2(deviations * std::sqrt(12.0)) + 0.25;
  const double bits = (monomials > 0 ? monomials * 8 : members * bits_per_member) + free * 6;
  return members * (variance - noise) > 2 * std::log(2.0) * noise * bits;
}

void code_cell(const Coordinates& found, double step, CellModel::Cell& cell, RowMatrix<std::int16_t>& codes) {
  const auto members = static_cast<double>(found.value.rows());
  const auto free = static_cast<double>(found.mean.size());
  // Every number is rounded so that it adds as much to the error as a coordinate does.
  const double weight_step = found.scale > 0 ? step / std::sqrt(std::max(1.0, members) * found.scale) : 1;
  cell.mean = rounded(found.mean, weight_step);
  Eigen::Index count = 0;
  const auto monomials = static_cast<double>(found.monomials.cols());
  while (count < found.variance.size() && worthwhile(found.variance[count], members, free, monomials, step))
    ++count;
  codes.resize(found.value.rows(), count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const double deviation = std::sqrt(found.variance[j]) / step;  // of the codes
    cell.directions.push_back(rounded(step * found.direction.row(j).transpose(), weight_step / deviation));
    if (monomials > 0) {
      // An error of a coefficient changes the codes of all members, by the mean size of its monomial.
      const double size = std::sqrt(found.monomials.squaredNorm() / monomials);
      cell.polynomials.push_back(
          rounded(found.coefficients.row(j).transpose() / step, 1 / std::max(size, 1.0)));
      const std::vector<double> coefficients = values_of(cell.polynomials.back());
      for (Eigen::Index v = 0; v < codes.rows(); ++v) {
        Monomials values = Monomials::Zero();
        values.head(found.monomials.cols()) = found.monomials.row(v).transpose();
        codes(v, j) = polynomial_code(coefficients, values);
      }
      continue;
    }
    for (Eigen::Index v = 0; v < codes.rows(); ++v)
      codes(v, j) = static_cast<std::int16_t>(
          std::clamp(std::nearbyint(found.value(v, j) / static_cast<float>(step)), -32000.0f, 32000.0f));
  }
}

void pack_row(const CellModel::Row& row, BytesWriter& to) {
  to.put(row.digits);
  to.put_vector(row.value);
}

CellModel::Row unpack_row(BytesReader& from) {
  CellModel::Row row;
  row.digits = from.get<int>();
  row.value = from.get_vector<std::int32_t>();
  return row;
}

/// What `code_cell` makes.
void pack_cell(const CellModel::Cell& cell, const RowMatrix<std::int16_t>& codes, BytesWriter& to) {
  pack_row(cell.mean, to);
  for (const std::vector<CellModel::Row>* rows : {&cell.directions, &cell.polynomials}) {
    to.put(rows->size());
    for (const CellModel::Row& row : *rows) pack_row(row, to);
  }
  to.put(codes.rows());
  to.put(codes.cols());
  to.put_all(std::span(codes.data(), static_cast<std::size_t>(codes.size())));
}

void unpack_cell(BytesReader& from, CellModel::Cell& cell, RowMatrix<std::int16_t>& codes) {
  cell.mean = unpack_row(from);
  for (std::vector<CellModel::Row>* rows : {&cell.directions, &cell.polynomials})
    for (std::size_t left = from.get<std::size_t>(); left > 0; --left) rows->push_back(unpack_row(from));
  const auto rows = from.get<Eigen::Index>(), columns = from.get<Eigen::Index>();
  codes.resize(rows, columns);
  from.get_all(std::span(codes.data(), static_cast<std::size_t>(codes.size())));
}

/// Where more landmarks would lower the error by as much, for the bits that they take, as a finer step does.
double balanced_step(double residual, Index vertices, Index landmarks, double rounding) {
  constexpr double bits_per_pair = 3.5, bits_per_cell = 1000, coarsest = 2;
  const double l = landmarks;
  // Errors fall with the square of the number of landmarks; the balance is flat, and half of it costs a few
  // per cent of the bytes for a third of the error.
  const double balance = std::sqrt(12 / std::log(2.0) * vertices / (l * (bits_per_pair * l + bits_per_cell)));
  // Files of small shapes are small however fine the step.
  const double small = std::clamp(std::sqrt(vertices / 8000.0), 0.5, 1.0);
  return rounding * residual * std::min(coarsest, balance) * small / 2;
}

}  // namespace

LearnedCells learn_cells(const CellLayout& layout, const OrderedLandmarks& landmarks, TrainingSums& sums,
                         Index size, const LearningOptions& options, const Execution& execution) {
  const std::size_t cells = layout.cells.size(), components = landmarks.component_first.size() - 1;
  std::vector<Coordinates> found(cells);
  SharedItems weights;  // of which the other ranks need to know no more than the error
  if (!sums.rank.empty()) weights.owner = [&](std::size_t c) { return sums.rank[c]; };
  weights.work = [&](std::size_t c, int) {
    found[c] =
        coordinates(layout.cells[c], sums.cells[c], sums.rows[layout.cells[c].component], options.ridge);
    sums.cells[c] = {};
    if (options.positions != nullptr)
      use_polynomials(member_monomials(layout, landmarks, c, *options.positions), found[c]);
  };
  weights.pack = [&](std::size_t c, BytesWriter& to) {
    to.put(found[c].residual);
    to.put(found[c].scale);
  };
  weights.unpack = [&](std::size_t c, BytesReader& from) {
    found[c].residual = from.get<double>();
    found[c].scale = from.get<double>();
  };
  share_items(cells, execution, "weights", weights);
  LearnedCells result;
  for (std::size_t k = 0; k < components; ++k) {
    const Index first = layout.component_first[k], last = layout.component_first[k + 1];
    const Index members = layout.first[last] - layout.first[first];
    double total = 0, scale = 0;
    for (Index c = first; c < last; ++c) {
      total += found[c].residual;
      scale = std::max(scale, found[c].scale);
    }
    result.residual.push_back(std::sqrt(total / std::max<Index>(1, members)));
    const double step =
        balanced_step(result.residual.back(), members,
                      landmarks.component_first[k + 1] - landmarks.component_first[k], options.rounding);
    result.step.push_back(std::max({step, 1e-5 * std::sqrt(scale), std::numeric_limits<double>::min()}));
  }
  CellModel& model = result.model;
  model.positional = options.positions != nullptr;
  model.cells.resize(cells);
  std::vector<RowMatrix<std::int16_t>> codes(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const CellLayout::Cell& from = layout.cells[c];
    CellModel::Cell& cell = model.cells[c];
    cell.component = from.component;
    for (const Index position : from.support) {
      if (position == from.centre) cell.centre = static_cast<Index>(cell.support.size());
      cell.support.push_back(position - landmarks.component_first[from.component]);
    }
  }
  SharedItems coding;
  coding.owner = weights.owner;
  coding.work = [&](std::size_t c, int) {
    code_cell(found[c], result.step[layout.cells[c].component], model.cells[c], codes[c]);
    found[c] = {};
  };
  coding.pack = [&](std::size_t c, BytesWriter& to) { pack_cell(model.cells[c], codes[c], to); };
  coding.unpack = [&](std::size_t c, BytesReader& from) { unpack_cell(from, model.cells[c], codes[c]); };
  share_items(cells, execution, {}, coding);
  model.cell = layout.cell;
  model.first.assign(static_cast<std::size_t>(size), 0);
  std::vector<Index> row(cells, 0);
  for (Index v = 0; v < size; ++v) {
    model.first[v] = static_cast<std::int64_t>(model.code.size());
    const Index c = layout.cell[v];
    if (c < 0) continue;
    const auto own = codes[c].row(row[c]++);
    model.code.insert(model.code.end(), own.data(), own.data() + own.size());
  }
  return result;
}

}  // namespace geodome::internal
