// The matrix and its queries.

#include "matrix.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "arrays.h"
#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_file.h"
#include "geodome/pipeline/build.h"
#include "rival.h"
#include "run.h"

namespace geodome::python {

Matrix::Matrix(std::shared_ptr<const LandmarkMatrix> form, std::string recipe,
               std::shared_ptr<const Shape> shape, bool measured, std::vector<std::int64_t> labels)
    : form_(std::move(form)),
      recipe_(std::move(recipe)),
      shape_(std::move(shape)),
      labels_(std::move(labels)),
      corrected_(*form_, shape_ && measured ? lower_bound(*shape_) : LowerBound()),
      raw_(*form_, {}, QueryMode::raw) {}

void Matrix::require_vertices(std::span<const Index> vertices) const {
  for (const Index vertex : vertices)
    if (vertex < 0 || vertex >= form_->size())
      throw InputError(text("vertex ", vertex, " is out of range [0, ", form_->size(), ")"));
}

const NeighbourSearch& Matrix::search() const {
  std::call_once(searched_, [this] { search_ = std::make_unique<NeighbourSearch>(corrected_); });
  return *search_;
}

nb::tuple to_tuple(const std::vector<Neighbour>& found) {
  std::vector<Index> vertices;
  std::vector<double> distances;
  for (const Neighbour& one : found) {
    vertices.push_back(one.vertex);
    distances.push_back(one.distance);
  }
  return nb::make_tuple(to_numpy(std::move(vertices)), to_numpy(std::move(distances)));
}

namespace {

std::size_t columns_of(const Matrix& self) {
  return static_cast<std::size_t>(self.form().size());
}

/// Where more than this part of a row is wanted, the row is cheaper than its entries one by one.
constexpr std::size_t row_part = 50;

RowMatrix<double> block(const Matrix& self, std::span<const Index> I, std::span<const Index> J, bool raw,
                        const Execution& execution) {
  self.require_vertices(I);
  self.require_vertices(J);
  const NearField& field = self.field(raw);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  constexpr std::size_t at_once = 64;
  const bool whole = row_part * J.size() > columns_of(self);
  std::vector<Index> rows, columns;
  for (std::size_t begin = 0; begin < I.size(); begin += at_once) {
    const auto part = I.subspan(begin, std::min(at_once, I.size() - begin));
    const auto first = static_cast<Eigen::Index>(begin), count = static_cast<Eigen::Index>(part.size());
    if (whole) {
      const RowMatrix<double> all = field.rows(part, execution);
      for (std::size_t j = 0; j < J.size(); ++j)
        result.col(static_cast<Eigen::Index>(j)).segment(first, count) = all.col(J[j]);
      continue;
    }
    rows.clear();
    columns.clear();
    for (const Index i : part) {
      rows.insert(rows.end(), J.size(), i);
      columns.insert(columns.end(), J.begin(), J.end());
    }
    const Vector values = field.query(rows, columns, execution);
    std::copy(values.begin(), values.end(), result.row(first).data());
  }
  return result;
}

/// Points on the shape: corners and weights, #points by 3 each.
std::vector<SurfacePoint> surface_points(const MatrixIn<Index>& corners, const MatrixIn<double>& weights) {
  if (corners.shape(1) != 3 || weights.shape(1) != 3 || corners.shape(0) != weights.shape(0))
    throw InputError(text(
        "points on the shape need 3 corners and 3 weights each, as many of one as of the other: ",
        corners.shape(0), " by ", corners.shape(1), " and ", weights.shape(0), " by ", weights.shape(1)));
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

VectorOut<double> between_points(const Matrix& self, const MatrixIn<Index>& from,
                                 const MatrixIn<double>& from_weights, const MatrixIn<Index>& to,
                                 const MatrixIn<double>& to_weights, bool raw, int threads) {
  const auto a = surface_points(from, from_weights), b = surface_points(to, to_weights);
  if (a.size() != b.size()) throw InputError(text(a.size(), " points against ", b.size()));
  self.require_vertices({from.data(), from.size()});
  self.require_vertices({to.data(), to.size()});
  return to_numpy(run_quickly(threads, [&](const Execution& execution) {
    constexpr std::size_t at_once = 256;
    Vector result(static_cast<Eigen::Index>(a.size()));
    parallel_for((a.size() + at_once - 1) / at_once, execution, {}, [&](std::size_t item, int) {
      for (std::size_t k = item * at_once; k < std::min(a.size(), (item + 1) * at_once); ++k)
        result[static_cast<Eigen::Index>(k)] = self.field(raw).query(a[k], b[k]);
    });
    return result;
  }));
}

VectorOut<Index> component(const Matrix& self) {
  std::vector<Index> component(columns_of(self));
  for (std::size_t v = 0; v < component.size(); ++v)
    component[v] = self.form().component(static_cast<Index>(v));
  return to_numpy(std::move(component));
}

/// Rows of P as data, columns and row begins: positions among all landmarks.
nb::tuple weights(const Matrix& self) {
  std::vector<double> data;
  std::vector<Index> columns;
  std::vector<std::int64_t> begins{0};
  {
    const nb::gil_scoped_release released;
    Weights row;
    for (Index v = 0; v < self.form().size(); ++v) {
      const Index part = self.form().component(v);
      if (part >= 0) {
        self.form().read_weights(v, row);
        for (const Index column : row.column) columns.push_back(self.form().first_landmark(part) + column);
        data.insert(data.end(), row.value.begin(), row.value.end());
      }
      begins.push_back(static_cast<std::int64_t>(data.size()));
    }
  }
  return nb::make_tuple(to_numpy(std::move(data)), to_numpy(std::move(columns)), to_numpy(std::move(begins)));
}

/// Distances between landmarks, infinite between components.
MatrixOut<double> landmark_distances(const Matrix& self) {
  return to_numpy(run_quickly(1, [&](const Execution&) {
    const LandmarkMatrix& form = self.form();
    const auto count = static_cast<Eigen::Index>(form.landmarks().size());
    RowMatrix<double> W = RowMatrix<double>::Constant(count, count, infinity);
    for (Index part = 0; part < form.components(); ++part) {
      const PackedSymmetric& own = form.W(part);
      const Index first = form.first_landmark(part);
      for (Index r = 0; r < own.size(); ++r)
        for (Index c = 0; c <= r; ++c) W(first + r, first + c) = W(first + c, first + r) = own(r, c);
    }
    return W;
  }));
}

void save(const Matrix& self, const std::string& path, bool with_shape) {
  const nb::gil_scoped_release released;
  save_matrix(path, self.form(), self.recipe(), with_shape ? self.shape().get() : nullptr, self.labels());
}

std::shared_ptr<const Shape> shape_in(const MatrixFile& file) {
  std::optional<Shape> shape = file.shape();
  return shape ? std::make_shared<const Shape>(std::move(*shape)) : nullptr;
}

std::unique_ptr<Matrix> matrix_in(const MatrixFile& file, bool measured) {
  const nb::gil_scoped_release released;
  return std::make_unique<Matrix>(file.landmark_matrix(), file.recipe(), shape_in(file), measured,
                                  file.labels());
}

std::unique_ptr<Rival> rival_in(const MatrixFile& file) {
  const nb::gil_scoped_release released;
  MethodMatrix built;
  built.matrix = file.shared_matrix();
  return std::make_unique<Rival>(std::move(built), file.recipe(), shape_in(file), file.labels(),
                                 std::nullopt);
}

void add_queries(nb::class_<Matrix>& matrix) {
  matrix
      .def(
          "entries",
          [](const Matrix& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.field(raw).query(span_of(I), span_of(J), execution);
            }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("threads"))
      .def(
          "rows",
          [](const Matrix& self, const VectorIn<Index>& I, bool raw, const Run& run) {
            return to_numpy(
                run_watched(run, [self = held(self), I = copied(I), raw](const Execution& execution) {
                  self->require_vertices(I);
                  return self->field(raw).rows(I, execution);
                }));
          },
          nb::arg("I"), nb::arg("raw"), nb::arg("run"))
      .def(
          "block",
          [](const Matrix& self, const VectorIn<Index>& I, const VectorIn<Index>& J, bool raw,
             const Run& run) {
            return to_numpy(run_watched(
                run, [self = held(self), I = copied(I), J = copied(J), raw](const Execution& execution) {
                  return block(*self, I, J, raw, execution);
                }));
          },
          nb::arg("I"), nb::arg("J"), nb::arg("raw"), nb::arg("run"))
      .def("between_points", between_points, nb::arg("corners"), nb::arg("weights"), nb::arg("other_corners"),
           nb::arg("other_weights"), nb::arg("raw"), nb::arg("threads"))
      .def(
          "nearest",
          [](const Matrix& self, Index vertex, Index count) {
            return to_tuple(
                run_quickly(1, [&](const Execution&) { return self.search().nearest(vertex, count); }));
          },
          nb::arg("vertex"), nb::arg("count"))
      .def(
          "within",
          [](const Matrix& self, Index vertex, double radius) {
            return to_tuple(
                run_quickly(1, [&](const Execution&) { return self.search().within(vertex, radius); }));
          },
          nb::arg("vertex"), nb::arg("radius"))
      .def(
          "apply",
          [](const Matrix& self, const MatrixIn<double>& X, int threads) {
            return to_numpy(run_quickly(threads, [&](const Execution& execution) {
              return self.form().apply(matrix_of(X), execution);
            }));
          },
          nb::arg("X"), nb::arg("threads"));
}

}  // namespace

void add_matrix(nb::module_& module) {
  nb::class_<Matrix> matrix(module, "Matrix");
  matrix.def_prop_ro("size", [](const Matrix& self) { return self.form().size(); })
      .def_prop_ro("squared", [](const Matrix& self) { return self.form().kind() == DistanceKind::squared; })
      .def_prop_ro("components", [](const Matrix& self) { return self.form().components(); })
      .def_prop_ro("component", component, nb::rv_policy::automatic)
      .def_prop_ro("nbytes", [](const Matrix& self) { return self.form().bytes(); })
      .def_prop_ro("recipe", &Matrix::recipe)
      .def_prop_ro(
          "labels", [](const Matrix& self) { return to_numpy(self.labels()); }, nb::rv_policy::automatic)
      .def_prop_ro("shape",
                   [](const Matrix& self) -> nb::object {
                     if (!self.shape()) return nb::none();
                     return nb::cast(SharedShape{self.shape(), {}});
                   })
      .def_prop_ro(
          "landmarks",
          [](const Matrix& self) {
            const auto landmarks = self.form().landmarks();
            return to_numpy(std::vector<Index>(landmarks.begin(), landmarks.end()));
          },
          nb::rv_policy::automatic)
      .def("weights", weights)
      .def("landmark_distances", landmark_distances)
      .def("save", save, nb::arg("path"), nb::arg("with_shape"));
  add_queries(matrix);
  nb::class_<MatrixFile>(module, "File")
      .def_static(
          "open", [](const std::string& path) { return MatrixFile::open(path, file_codecs()); },
          nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("symmetric", [](const MatrixFile& self) { return self.landmark_matrix() != nullptr; })
      .def_static("is_one", &MatrixFile::is_one, nb::arg("path"))
      .def_prop_ro("recipe", &MatrixFile::recipe)
      .def_prop_ro("nbytes", &MatrixFile::file_bytes)
      .def(
          "verify", [](const MatrixFile& self) { self.verify(); }, nb::call_guard<nb::gil_scoped_release>())
      .def("matrix", matrix_in, nb::arg("measured"))
      .def("rival", rival_in);
}

}  // namespace geodome::python
