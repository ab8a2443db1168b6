// All distances of a shape and their queries.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "arrays.h"
#include "geodome/base/threads.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodome.h"
#include "geodome/matrix/landmark_matrix.h"
#include "module.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

const LandmarkMatrix& require_factors(const Distances& distances) {
  const LandmarkMatrix* factors = distances.factors();
  if (factors == nullptr)
    throw InputError(
        text("'", distances.method(), "' has no factors P W Pᵀ: build the matrix with sbha, bha or cell"));
  return *factors;
}

std::vector<SurfacePoint> surface_points(const MatrixIn<Index>& corners, const MatrixIn<double>& weights) {
  if (corners.shape(1) != 3 || weights.shape(1) != 3 || corners.shape(0) != weights.shape(0))
    throw InputError(text("points on the shape need 3 corners and 3 weights each, got ", corners.shape(0),
                          " by ", corners.shape(1), " corners and ", weights.shape(0), " by ",
                          weights.shape(1), " weights"));
  std::vector<SurfacePoint> points;
  points.reserve(corners.shape(0));
  for (std::size_t k = 0; k < corners.shape(0); ++k) {
    const Index* corner = corners.data() + 3 * k;
    const double* weight = weights.data() + 3 * k;
    points.emplace_back(std::array{corner[0], corner[1], corner[2]},
                        std::array{weight[0], weight[1], weight[2]});
  }
  return points;
}

namespace {

Distances open_file(const std::string& path, bool verify) {
  Distances opened = geodome::open(path);
  if (verify) opened.file()->verify();
  return opened;
}

/// Distances and vertices, #I by `count`, infinite and -1 where a component has fewer vertices.
nb::tuple nearest(const Distances& self, const VectorIn<Index>& I, Index count, const Run& run) {
  if (count < 0) throw InputError(text("the number of neighbours must not be negative, got ", count));
  using Found = std::pair<RowMatrix<double>, RowMatrix<Index>>;
  Found found = run_watched(run, [self, I = copied(I), count](const Execution& execution) {
    const auto rows = static_cast<Eigen::Index>(I.size());
    Found all{RowMatrix<double>::Constant(rows, count, infinity),
              RowMatrix<Index>::Constant(rows, count, -1)};
    parallel_for(I.size(), execution, "neighbours", [&](std::size_t i, int) {
      Eigen::Index k = 0;
      for (const Neighbour& one : self.nearest(I[i], count)) {
        all.first(static_cast<Eigen::Index>(i), k) = one.distance;
        all.second(static_cast<Eigen::Index>(i), k++) = one.vertex;
      }
    });
    return all;
  });
  return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.second)));
}

/// Distances and vertices, one after the other for all of I, and where those of each begin.
nb::tuple within(const Distances& self, const VectorIn<Index>& I, const VectorIn<double>& radius,
                 const Run& run) {
  if (I.shape(0) != radius.shape(0))
    throw InputError(text(I.shape(0), " vertices and ", radius.shape(0), " radii"));
  const auto found =
      run_watched(run, [self, I = copied(I), radius = copied(radius)](const Execution& execution) {
        std::vector<std::vector<Neighbour>> all(I.size());
        parallel_for(I.size(), execution, "neighbours",
                     [&](std::size_t i, int) { all[i] = self.within(I[i], radius[i]); });
        return all;
      });
  std::vector<double> distances;
  std::vector<Index> vertices;
  std::vector<std::int64_t> begins{0};
  for (const std::vector<Neighbour>& row : found) {
    for (const Neighbour& one : row) {
      distances.push_back(one.distance);
      vertices.push_back(one.vertex);
    }
    begins.push_back(static_cast<std::int64_t>(vertices.size()));
  }
  return nb::make_tuple(to_numpy(std::move(distances)), to_numpy(std::move(vertices)),
                        to_numpy(std::move(begins)));
}

/// The product, in which vertices that belong to no component do not take part; of `vertices` only, which
/// increase, where there are any: X and the result have a row for each.
RowMatrix<double> apply(const Distances& self, const Eigen::Ref<const RowMatrix<double>>& X,
                        std::span<const Index> vertices, const Execution& execution) {
  const LandmarkMatrix* factors = self.factors();
  if (!vertices.empty()) return require_factors(self).apply_within(vertices, X, execution);
  if (factors != nullptr && factors->components() == 1) return factors->apply(X, 0, execution);
  return self.apply(X, execution);
}

VectorOut<double> between_points(const Distances& self, const MatrixIn<Index>& from,
                                 const MatrixIn<double>& from_weights, const MatrixIn<Index>& to,
                                 const MatrixIn<double>& to_weights, int threads) {
  const auto a = surface_points(from, from_weights), b = surface_points(to, to_weights);
  if (a.size() != b.size()) throw InputError(text(a.size(), " points against ", b.size()));
  return to_numpy(run_quickly(threads, [&](const Execution& execution) {
    constexpr std::size_t at_once = 256;
    Vector result(static_cast<Eigen::Index>(a.size()));
    parallel_for((a.size() + at_once - 1) / at_once, execution, {}, [&](std::size_t item, int) {
      for (std::size_t k = item * at_once; k < std::min(a.size(), (item + 1) * at_once); ++k)
        result[static_cast<Eigen::Index>(k)] = self.distance(a[k], b[k]);
    });
    return result;
  }));
}

std::vector<Index> component_labels(const Distances& self) {
  return run_quickly(0,
                     [&](const Execution& execution) { return self.matrix().component_labels(execution); });
}

Index components(const Distances& self) {
  if (const LandmarkMatrix* factors = self.factors()) return factors->components();
  if (self.file() == nullptr) return self.summary().components;
  const std::vector<Index> labels = component_labels(self);
  return labels.empty() ? 0 : 1 + *std::max_element(labels.begin(), labels.end());
}

VectorOut<Index> landmarks(const Distances& self) {
  const auto landmarks = require_factors(self).landmarks();
  return to_numpy(std::vector<Index>(landmarks.begin(), landmarks.end()));
}

/// Rows of P as data, columns and row begins: positions among all landmarks.
nb::tuple weights(const Distances& self) {
  const LandmarkMatrix& factors = require_factors(self);
  std::vector<double> data;
  std::vector<Index> columns;
  std::vector<std::int64_t> begins{0};
  {
    const nb::gil_scoped_release released;
    Weights row;
    for (Index v = 0; v < factors.size(); ++v) {
      const Index part = factors.component(v);
      if (part >= 0) {
        factors.read_weights(v, row);
        for (const Index column : row.column) columns.push_back(factors.first_landmark(part) + column);
        data.insert(data.end(), row.value.begin(), row.value.end());
      }
      begins.push_back(static_cast<std::int64_t>(data.size()));
    }
  }
  return nb::make_tuple(to_numpy(std::move(data)), to_numpy(std::move(columns)), to_numpy(std::move(begins)));
}

/// Distances between landmarks, infinite between components.
MatrixOut<double> landmark_distances(const Distances& self) {
  const LandmarkMatrix& factors = require_factors(self);
  return to_numpy(run_quickly(1, [&](const Execution&) {
    const auto count = static_cast<Eigen::Index>(factors.landmarks().size());
    RowMatrix<double> W = RowMatrix<double>::Constant(count, count, infinity);
    for (Index part = 0; part < factors.components(); ++part) {
      const PackedSymmetric& own = factors.W(part);
      const Index first = factors.first_landmark(part);
      for (Index r = 0; r < own.size(); ++r)
        for (Index c = 0; c <= r; ++c) W(first + r, first + c) = W(first + c, first + r) = own(r, c);
    }
    return W;
  }));
}

void add_facts(nb::class_<Distances>& matrix) {
  matrix.def_prop_ro("size", &Distances::size)
      .def_prop_ro("squared", [](const Distances& self) { return self.kind() == DistanceKind::squared; })
      .def_prop_ro("nbytes", [](const Distances& self) { return self.matrix().bytes(); })
      .def_prop_ro("has_factors", [](const Distances& self) { return self.factors() != nullptr; })
      .def_prop_ro("landmark_count", &Distances::landmarks)
      .def_prop_ro("recipe", &Distances::recipe)
      .def_prop_ro("components", components)
      .def_prop_ro(
          "component", [](const Distances& self) { return to_numpy(component_labels(self)); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "labels",
          [](const Distances& self) {
            const auto labels = self.labels();
            return to_numpy(std::vector<std::int64_t>(labels.begin(), labels.end()));
          },
          nb::rv_policy::automatic)
      .def_prop_ro("has_shape", &Distances::has_shape)
      .def_prop_ro("shape",
                   [](const Distances& self) -> nb::object {
                     if (!self.has_shape()) return nb::none();
                     return nb::cast(SharedShape{self.shape(), {}});
                   })
      .def_prop_ro("landmarks", landmarks, nb::rv_policy::automatic)
      .def("require_factors", [](const Distances& self) { require_factors(self); })
      .def("weights", weights)
      .def("landmark_distances", landmark_distances);
}

void add_queries(nb::class_<Distances>& matrix) {
  matrix
      .def(
          "entries",
          [](const Distances& self, const VectorIn<Index>& I, const VectorIn<Index>& J, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.distances(span_of(I), span_of(J), execution);
            }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("threads"))
      .def(
          "bounds",
          [](const Distances& self, const VectorIn<Index>& I, const VectorIn<Index>& J, const Run& run) {
            Intervals found =
                run_watched(run, [self, I = copied(I), J = copied(J)](const Execution& execution) {
                  return self.bounds(I, J, execution);
                });
            return nb::make_tuple(to_numpy(std::move(found.low)), to_numpy(std::move(found.high)));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("run"))
      .def_prop_ro("certain_bounds", &Distances::certain_bounds)
      .def(
          "rows",
          [](const Distances& self, const VectorIn<Index>& I, const Run& run) {
            return to_numpy(run_watched(
                run, [self, I = copied(I)](const Execution& execution) { return self.rows(I, execution); }));
          },
          nb::arg("I"), nb::arg("run"))
      .def(
          "block",
          [](const Distances& self, const VectorIn<Index>& I, const VectorIn<Index>& J, const Run& run) {
            return to_numpy(
                run_watched(run, [self, I = copied(I), J = copied(J)](const Execution& execution) {
                  return self.block(I, J, execution);
                }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("run"))
      .def("between_points", between_points, nb::arg("corners"), nb::arg("weights"), nb::arg("other_corners"),
           nb::arg("other_weights"), nb::arg("threads"))
      .def(
          "stored_block",
          [](const Distances& self, const VectorIn<Index>& I, const VectorIn<Index>& J, const Run& run) {
            return to_numpy(
                run_watched(run, [self, I = copied(I), J = copied(J)](const Execution& execution) {
                  return self.matrix().block(I, J, execution);
                }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("run"),
          "Entries of the matrix that products use: squared distances where it is of that kind.")
      .def("nearest", nearest, nb::arg("vertices"), nb::arg("count"), nb::arg("run"))
      .def("within", within, nb::arg("vertices"), nb::arg("radius"), nb::arg("run"))
      .def(
          "apply",
          [](const Distances& self, const MatrixIn<double>& X, const VectorIn<Index>& vertices, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return apply(self, matrix_of(X), span_of(vertices), execution);
            }));
          },
          nb::arg("X"), nb::arg("vertices"), nb::arg("threads"));
}

}  // namespace

void add_matrix(nb::module_& module) {
  nb::class_<Distances> matrix(module, "Distances");
  add_facts(matrix);
  add_queries(matrix);
  matrix
      .def(
          "raw", [](const Distances& self) { return self.with(QueryMode::raw); },
          "The same distances without near-field correction.")
      .def(
          "blended", [](const Distances& self) { return self.with(QueryMode::blend); },
          "The same distances with near ones estimated from P and W.")
      .def_prop_ro("exact_near_field", &Distances::exact_near_field)
      .def(
          "save",
          [](const Distances& self, const std::string& path, bool with_shape) {
            self.save(path, {.shape = with_shape});
          },
          nb::arg("path"), nb::arg("with_shape"), nb::call_guard<nb::gil_scoped_release>());
  module.def("open", open_file, nb::arg("path"), nb::arg("verify"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace geodome::python
