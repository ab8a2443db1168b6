#include "geodome/matrix/landmark_matrix.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/landmark_matrix_check.h"
#include "geodome/matrix/lanes.h"

namespace geodome::internal {
namespace {

/// Pairs or vertices handed to a thread at once.
constexpr std::size_t chunk = 4096;

std::size_t chunks(std::size_t count) {
  return (count + chunk - 1) / chunk;
}

/// Calls visit(begin, end, place) for every run of consecutive vertices among vertices[first .. last), the
/// first of them at that place.
template <typename Visit>
void visit_runs(std::span<const Index> vertices, std::size_t first, std::size_t last, const Visit& visit) {
  for (std::size_t at = first, end = first; at < last; at = end) {
    while (end < last && vertices[end] == vertices[at] + static_cast<Index>(end - at)) ++end;
    visit(vertices[at], vertices[at] + static_cast<Index>(end - at), at);
  }
}

}  // namespace

LandmarkMatrix::LandmarkMatrix(Index size, DistanceKind kind, const LandmarkArrays& arrays)
    : size_(size), kind_(kind), arrays_(arrays) {
  check_landmark_arrays(arrays, size);
  std::size_t begin = 0;
  for (std::size_t c = 0; c + 1 < arrays.component_first.size(); ++c) {
    const Index count = arrays.component_first[c + 1] - arrays.component_first[c];
    const auto numbers = static_cast<std::size_t>(packed_size(count));
    const PackedValues some =
        std::visit([&](const auto& all) -> PackedValues { return all.subspan(begin, numbers); }, arrays.W);
    W_.emplace_back(count, some, arrays.step.empty() ? 1.0 : arrays.step[c], arrays.check);
    begin += numbers;
  }
}

MatrixFacts LandmarkMatrix::facts() const {
  constexpr std::string_view precisions[] = {"float32", "uint16", "float64"};
  return {static_cast<Index>(arrays_.landmark.size()), nonzeros(), precisions[arrays_.W.index()]};
}

std::vector<Index> LandmarkMatrix::component_labels(const Execution&) const {
  if (arrays_.component.empty()) return std::vector<Index>(static_cast<std::size_t>(size_), 0);
  return {arrays_.component.begin(), arrays_.component.end()};
}

std::int64_t LandmarkMatrix::landmark_bytes() const {
  const std::size_t count = arrays_.landmark.size_bytes() + arrays_.component_first.size_bytes() +
                            arrays_.component.size_bytes() + arrays_.step.size_bytes() +
                            arrays_.spacing.size_bytes() +
                            std::visit([](const auto& all) { return all.size_bytes(); }, arrays_.W);
  return static_cast<std::int64_t>(count);
}

LandmarkMatrix::Power LandmarkMatrix::power() const {
  return kind_ == DistanceKind::squared ? Power::two : Power::one;
}

/// Of two vertices in no common component.
double LandmarkMatrix::entry_without_form(Index i, Index j) const {
  return i == j ? 0.0 : infinity;
}

Vector LandmarkMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                               const Execution& execution) const {
  require_pairs(I, J);
  Vector result(static_cast<Eigen::Index>(I.size()));
  parallel_for(chunks(I.size()), execution, {}, [&](std::size_t item, int) {
    Weights a, b;
    for (std::size_t k = item * chunk; k < std::min(I.size(), (item + 1) * chunk); ++k) {
      for (const auto& [ahead, near] : {std::pair{8, false}, {4, true}})
        if (k + ahead < I.size()) {
          prefetch_weights(I[k + ahead], near);
          prefetch_weights(J[k + ahead], near);
        }
      const Index c = component(I[k]);
      double& entry = result[static_cast<Eigen::Index>(k)];
      if (c < 0 || c != component(J[k])) {
        entry = entry_without_form(I[k], J[k]);
        continue;
      }
      // The smaller vertex first, so that (i, j) and (j, i) agree to the last bit.
      read_weights(std::min(I[k], J[k]), a);
      read_weights(std::max(I[k], J[k]), b);
      entry = W_[c].bilinear(a, b, power());
    }
  });
  return result;
}

RowMatrix<double> LandmarkMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                        const Execution& execution) const {
  require_vertices(I);
  require_vertices(J);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  parallel_for(I.size(), execution, {}, [&](std::size_t i, int) {
    const Index c = component(I[i]);
    const Weights mine = c >= 0 ? weights(I[i]) : Weights();
    const bool pairwise = c >= 0 && J.size() * mine.size() < static_cast<std::size_t>(W_[c].size());
    const std::vector<double> z = c >= 0 && !pairwise ? W_[c].times(mine, power()) : std::vector<double>();
    Weights other;
    for (std::size_t j = 0; j < J.size(); ++j) {
      double& entry = result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (c < 0 || c != component(J[j])) {
        entry = entry_without_form(I[i], J[j]);
        continue;
      }
      read_weights(J[j], other);
      entry = pairwise ? W_[c].bilinear(mine, other, power()) : dot(other, z);
    }
  });
  return result;
}

RowMatrix<double> LandmarkMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  return rows(I, power(), execution);
}

RowMatrix<double> LandmarkMatrix::distance_rows(std::span<const Index> I, const Execution& execution) const {
  return rows(I, Power::one, execution);
}

RowMatrix<double> LandmarkMatrix::rows(std::span<const Index> I, Power wanted,
                                       const Execution& execution) const {
  require_vertices(I);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), size_);
  for (std::size_t begin = 0; begin < I.size();) {
    const Eigen::Index lanes = lanes_for(static_cast<Eigen::Index>(I.size() - begin));
    const auto some =
        I.subspan(begin, std::min<std::size_t>(static_cast<std::size_t>(lanes), I.size() - begin));
    RowMatrix<double> Z = RowMatrix<double>::Zero(static_cast<Eigen::Index>(landmarks().size()), lanes);
    parallel_for(some.size(), execution, {}, [&](std::size_t lane, int) {
      const Index c = component(some[lane]);
      if (c < 0) return;
      const std::vector<double> z = W_[c].times(weights(some[lane]), wanted);
      for (std::size_t k = 0; k < z.size(); ++k)
        Z(first_landmark(c) + static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(lane)) = z[k];
    });
    parallel_for(chunks(static_cast<std::size_t>(size_)), execution, {}, [&](std::size_t item, int) {
      const auto first = static_cast<Index>(item * chunk);
      const Index last = std::min(size_, first + static_cast<Index>(chunk));
      std::vector<double> values(static_cast<std::size_t>((last - first) * lanes));
      spread(first, last, Z, values.data());
      for (std::size_t lane = 0; lane < some.size(); ++lane) {
        const Index c = component(some[lane]);
        double* out = &result(static_cast<Eigen::Index>(begin + lane), first);
        for (Index v = first; v < last; ++v)
          out[v - first] = c >= 0 && c == component(v)
                               ? values[static_cast<std::size_t>((v - first) * lanes) + lane]
                               : entry_without_form(some[lane], v);
      }
    });
    begin += some.size();
  }
  return result;
}

Weights LandmarkMatrix::weights(Index vertex) const {
  Weights row;
  read_weights(vertex, row);
  return row;
}

LandmarkMatrix::WeightedPoint LandmarkMatrix::weights(const SurfacePoint& point) const {
  check_surface_point(point, size_);
  WeightedPoint result;
  Index anchor = -1;  // the first corner that counts
  for (int k = 0; k < 3; ++k) {
    if (point.weight[k] == 0) continue;
    const Index c = component(point.vertex[k]);
    if (anchor >= 0 && (c != result.component || (c < 0 && point.vertex[k] != anchor)))
      throw InputError(text("a point between vertices ", point.vertex[0], ", ", point.vertex[1], " and ",
                            point.vertex[2], " is invalid: its corners are in different components"));
    result.component = c;
    anchor = point.vertex[k];
    if (c >= 0) result.weights = combine(1, result.weights, point.weight[k], weights(point.vertex[k]));
  }
  return result;
}

Vector LandmarkMatrix::entries(std::span<const SurfacePoint> I, std::span<const SurfacePoint> J,
                               const Execution& execution) const {
  if (I.size() != J.size())
    throw InputError(text(I.size(), " first points of pairs, but ", J.size(), " second ones"));
  Vector result(static_cast<Eigen::Index>(I.size()));
  parallel_for(chunks(I.size()), execution, {}, [&](std::size_t item, int) {
    for (std::size_t k = item * chunk; k < std::min(I.size(), (item + 1) * chunk); ++k) {
      const WeightedPoint a = weights(I[k]), b = weights(J[k]);
      double& entry = result[static_cast<Eigen::Index>(k)];
      entry = a.component >= 0 && a.component == b.component
                  ? W_[a.component].bilinear(a.weights, b.weights, power())
                  : (a.component < 0 && b.component < 0 ? entry_without_form(heaviest(I[k]), heaviest(J[k]))
                                                        : infinity);
    }
  });
  return result;
}

RowMatrix<double> LandmarkMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                        const Execution& execution) const {
  const auto& labels = arrays_.component;
  const bool unreferenced = std::find(labels.begin(), labels.end(), -1) != labels.end();
  if (components() != 1 || unreferenced)
    throw InputError(text("the shape has ", components(), " components",
                          unreferenced ? " and unreferenced vertices" : "",
                          ", and the distances between them are infinite, so the whole matrix cannot be "
                          "multiplied: select one component"));
  return apply(X, 0, execution);
}

RowMatrix<double> LandmarkMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X, Index chosen,
                                        const Execution& execution) const {
  require_rows(X.rows());
  if (chosen < 0 || chosen >= components())
    throw InputError(text("component ", chosen, " is out of range [0, ", components(), ")"));
  std::vector<Index> members;
  for (Index v = 0; v < size_; ++v)
    if (component(v) == chosen) members.push_back(v);
  RowMatrix<double> part(static_cast<Eigen::Index>(members.size()), X.cols());
  for (std::size_t k = 0; k < members.size(); ++k) part.row(static_cast<Eigen::Index>(k)) = X.row(members[k]);
  part = apply_within(members, part, execution);
  RowMatrix<double> result = RowMatrix<double>::Zero(X.rows(), X.cols());
  for (std::size_t k = 0; k < members.size(); ++k)
    result.row(members[k]) = part.row(static_cast<Eigen::Index>(k));
  return result;
}

RowMatrix<double> LandmarkMatrix::apply_within(std::span<const Index> vertices,
                                               const Eigen::Ref<const RowMatrix<double>>& X,
                                               const Execution& execution) const {
  const Index chosen = common_component(vertices);
  if (X.rows() != static_cast<Eigen::Index>(vertices.size()))
    throw InputError(text("a matrix of ", X.rows(), " rows for ", vertices.size(), " vertices"));
  RowMatrix<double> result(X.rows(), X.cols());
  if (vertices.empty()) return result;
  for (Eigen::Index column = 0; column < X.cols();) {
    const Eigen::Index lanes = lanes_for(X.cols() - column);
    const Eigen::Index width = std::min(lanes, X.cols() - column);
    RowMatrix<double> panel = RowMatrix<double>::Zero(X.rows(), lanes);
    panel.leftCols(width) = X.middleCols(column, width);
    const RowMatrix<double> at_landmarks =
        collect_from(vertices, panel, execution).middleRows(first_landmark(chosen), W_[chosen].size());
    RowMatrix<double> Z = RowMatrix<double>::Zero(static_cast<Eigen::Index>(landmarks().size()), lanes);
    Z.middleRows(first_landmark(chosen), W_[chosen].size()) =
        W_[chosen].times(at_landmarks, power(), execution);
    const auto rows_of = [&](std::size_t item) {
      const std::size_t first = item * chunk, last = std::min(vertices.size(), first + chunk);
      return std::span(panel.data() + first * static_cast<std::size_t>(lanes),
                       (last - first) * static_cast<std::size_t>(lanes));
    };
    SharedItems shared;
    shared.work = [&](std::size_t item, int) {
      const std::size_t first = item * chunk, last = std::min(vertices.size(), first + chunk);
      visit_runs(vertices, first, last, [&](Index begin, Index end, std::size_t at) {
        spread(begin, end, Z, panel.data() + at * static_cast<std::size_t>(lanes));
      });
    };
    shared.pack = [&](std::size_t item, BytesWriter& to) {
      to.put_all(std::span<const double>(rows_of(item)));
    };
    shared.unpack = [&](std::size_t item, BytesReader& from) { from.get_all(rows_of(item)); };
    share_items(chunks(vertices.size()), execution, {}, shared);
    result.middleCols(column, width) = panel.leftCols(width);
    column += width;
  }
  return result;
}

/// The one all of them lie in.
Index LandmarkMatrix::common_component(std::span<const Index> vertices) const {
  Index before = -1;
  for (const Index vertex : vertices) {
    if (vertex <= before || vertex >= size_)
      throw InputError(
          text("vertex ", vertex, " after ", before, ": vertices must increase and be below ", size_));
    before = vertex;
    if (component(vertex) < 0 || component(vertex) != component(vertices.front()))
      throw InputError(text("vertices ", vertices.front(), " and ", vertex,
                            " are in different components: the distance between them is infinite"));
  }
  return vertices.empty() ? 0 : component(vertices.front());
}

RowMatrix<double> LandmarkMatrix::collect_from(std::span<const Index> vertices, const RowMatrix<double>& X,
                                               const Execution& execution) const {
  // As many parts as the vertices alone decide, summed in order: the same result on any number of threads.
  const std::size_t parts = std::clamp<std::size_t>(chunks(vertices.size()), 1, 16);
  std::vector<RowMatrix<double>> sums(parts);
  const auto numbers = [](RowMatrix<double>& sum) {
    return std::span(sum.data(), static_cast<std::size_t>(sum.size()));
  };
  SharedItems shared;
  shared.work = [&](std::size_t part, int) {
    sums[part] = RowMatrix<double>::Zero(static_cast<Eigen::Index>(landmarks().size()), X.cols());
    visit_runs(vertices, vertices.size() * part / parts, vertices.size() * (part + 1) / parts,
               [&](Index begin, Index end, std::size_t at) {
                 collect(begin, end, X.data() + at * static_cast<std::size_t>(X.cols()), sums[part]);
               });
  };
  shared.pack = [&](std::size_t part, BytesWriter& to) {
    to.put_all(std::span<const double>(numbers(sums[part])));
  };
  shared.unpack = [&](std::size_t part, BytesReader& from) {
    sums[part].resize(static_cast<Eigen::Index>(landmarks().size()), X.cols());
    from.get_all(numbers(sums[part]));
  };
  share_items(parts, execution, {}, shared);
  for (std::size_t part = 1; part < parts; ++part) sums[0] += sums[part];
  return sums[0];
}

}  // namespace geodome::internal
