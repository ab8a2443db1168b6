// Shapes from arrays, files and names, and back.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrays.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/laplacian/neighbours.h"
#include "geodome/report/canonical_shape.h"
#include "geodome/report/picture.h"
#include "geodome/shape/builtin/builtin_catalogue.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/io/load.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/mask.h"
#include "geodome/shape/resample/decimate.h"
#include "geodome/shape/resample/subdivide.h"
#include "geodome/shape/triangulate.h"
#include "module.h"
#include "options.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

SharedShape shared(CleanShape clean) {
  return {std::make_shared<const Shape>(std::move(clean.shape)), std::move(clean.notes)};
}

SharedShape cleaned(Shape shape) {
  return shared(clean_shape(std::move(shape)));
}

Points points_from(const MatrixIn<double>& array) {
  if (array.shape(1) != 3) throw InputError(text("points have 3 coordinates, not ", array.shape(1)));
  return matrix_of(array);
}

SharedShape triangle_mesh(const MatrixIn<double>& points, const MatrixIn<Index>& triangles) {
  return run_quickly(1, [&](const Execution&) {
    return cleaned(TriangleMesh{points_from(points), matrix_of(triangles)});
  });
}

SharedShape polygon_mesh(const MatrixIn<double>& points, const VectorIn<Index>& corners,
                         const VectorIn<std::int64_t>& offsets) {
  return run_quickly(1, [&](const Execution&) {
    PolygonMesh mesh;
    mesh.points = points_from(points);
    mesh.corners.assign(corners.data(), corners.data() + corners.shape(0));
    mesh.offsets.assign(offsets.data(), offsets.data() + offsets.shape(0));
    return cleaned(std::move(mesh));
  });
}

SharedShape point_cloud(const MatrixIn<double>& points, const std::optional<MatrixIn<double>>& normals) {
  return run_quickly(1, [&](const Execution&) {
    PointCloud cloud{points_from(points), {}};
    if (normals) cloud.normals = points_from(*normals);
    if (normals && cloud.normals.rows() != cloud.points.rows())
      throw InputError(text(cloud.normals.rows(), " normals for ", cloud.points.rows(), " points"));
    return cleaned(std::move(cloud));
  });
}

SharedShape graph(Index vertices, const MatrixIn<Index>& ends, const VectorIn<double>& lengths,
                  const std::optional<VectorIn<std::int64_t>>& labels) {
  return run_quickly(1, [&](const Execution&) {
    Graph graph;
    graph.vertices = vertices;
    if (labels) graph.labels.assign(labels->data(), labels->data() + labels->shape(0));
    graph.edges.reserve(ends.shape(0));
    for (std::size_t e = 0; e < ends.shape(0); ++e)
      graph.edges.push_back({ends.data()[2 * e], ends.data()[2 * e + 1], lengths.data()[e]});
    return cleaned(std::move(graph));
  });
}

SharedShape samples(const MatrixIn<double>& values) {
  return run_quickly(1, [&](const Execution&) { return cleaned(Samples{matrix_of(values)}); });
}

SharedShape read(const std::string& path, const std::string& format) {
  return run_quickly(1, [&](const Execution&) { return shared(load_clean_shape(path, {format})); });
}

/// A view of the shape's own numbers, which lives as long as they do.
template <typename Scalar>
nb::object view(const SharedShape& self, const Scalar* data, Eigen::Index rows, Eigen::Index columns) {
  const nb::capsule owner = owner_of(new std::shared_ptr<const Shape>(self.shape));
  return nb::cast(MatrixOut<const Scalar>(
      data, {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}, owner));
}

nb::object points(const SharedShape& self) {
  return std::visit(
      [&](const auto& shape) -> nb::object {
        using Kind = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Kind, Graph>)
          return nb::none();
        else if constexpr (std::is_same_v<Kind, Samples>)
          return view(self, shape.values.data(), shape.values.rows(), shape.values.cols());
        else
          return view(self, shape.points.data(), shape.points.rows(), 3);
      },
      *self.shape);
}

nb::object triangles(const SharedShape& self) {
  const auto* mesh = std::get_if<TriangleMesh>(self.shape.get());
  return mesh ? view(self, mesh->triangles.data(), mesh->triangles.rows(), 3) : nb::none();
}

/// Of points, where they have any; or None.
nb::object normals(const SharedShape& self) {
  const auto* cloud = std::get_if<PointCloud>(self.shape.get());
  if (cloud == nullptr || cloud->normals.rows() == 0) return nb::none();
  return view(self, cloud->normals.data(), cloud->normals.rows(), 3);
}

/// Corners and offsets of polygons, or None.
nb::object polygons(const SharedShape& self) {
  const auto* mesh = std::get_if<PolygonMesh>(self.shape.get());
  if (mesh == nullptr) return nb::none();
  return nb::make_tuple(to_numpy(mesh->corners), to_numpy(mesh->offsets));
}

/// Ends, lengths and the file's own numbers of a graph, or None.
nb::object edges(const SharedShape& self) {
  const auto* graph = std::get_if<Graph>(self.shape.get());
  if (graph == nullptr) return nb::none();
  RowMatrix<Index> ends(static_cast<Eigen::Index>(graph->edges.size()), 2);
  std::vector<double> lengths;
  for (const Edge& edge : graph->edges) {
    ends.row(static_cast<Eigen::Index>(lengths.size())) << edge.a, edge.b;
    lengths.push_back(edge.length);
  }
  return nb::make_tuple(to_numpy(std::move(ends)), to_numpy(std::move(lengths)), to_numpy(graph->labels));
}

Colours colours_from(const std::optional<MatrixIn<std::uint8_t>>& colours) {
  if (!colours) return {};
  if (colours->shape(1) != 3) throw InputError(text("colours have 3 numbers, not ", colours->shape(1)));
  return matrix_of(*colours);
}

void write(const SharedShape& self, const std::string& path,
           const std::optional<MatrixIn<std::uint8_t>>& colours) {
  const nb::gil_scoped_release released;
  write_shape(*self.shape, path, colours_from(colours));
}

/// Red, green and blue, height by width by 3.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>> picture(
    const SharedShape& self, const std::optional<MatrixIn<std::uint8_t>>& colours, int width, int height,
    double azimuth, double elevation) {
  auto image = std::make_unique<Image>(run_quickly(1, [&](const Execution&) {
    View view;
    view.width = width;
    view.height = height;
    view.azimuth = azimuth;
    view.elevation = elevation;
    if (const auto* mesh = std::get_if<TriangleMesh>(self.shape.get()))
      return render(*mesh, colours_from(colours), view);
    if (const auto* polygons = std::get_if<PolygonMesh>(self.shape.get()))
      return render(triangulate(*polygons), colours_from(colours), view);
    throw InputError(text("a ", kind_name(*self.shape), " has no faces to draw"));
  }));
  const Image& drawn = *image;
  const nb::capsule owner = owner_of(image.release());
  return {const_cast<std::uint8_t*>(drawn.rgb.data()),
          {static_cast<std::size_t>(drawn.height), static_cast<std::size_t>(drawn.width), 3},
          owner};
}

void save_png(const nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>& picture,
              const std::string& path) {
  if (picture.shape(2) != 3) throw InputError(text("a picture has 3 colours, not ", picture.shape(2)));
  const nb::gil_scoped_release released;
  write_png({static_cast<int>(picture.shape(1)), static_cast<int>(picture.shape(0)),
             std::vector<std::uint8_t>(picture.data(), picture.data() + picture.size())},
            path);
}

nb::tuple neighbours(const MatrixIn<double>& points, Index count, std::uint64_t seed, const Run& run) {
  Neighbours found = run_watched(run, [=](const Execution& execution) {
    return nearest_neighbours(matrix_of(points), count, seed, execution);
  });
  return nb::make_tuple(to_numpy(std::move(found.vertex)), to_numpy(std::move(found.distance)));
}

/// Rows of the stiffness matrix as data, columns and row begins; and the lumped mass.
nb::tuple laplacian_of(const SharedShape& self, const nb::dict& given, const Run& run) {
  const BuildOptions build = build_request(given).options;
  LaplacianOptions options = build.laplacian;
  options.seed = build.seed;
  Laplacian found = run_watched(run, [self, options](const Execution& execution) {
    return laplacian(*self.shape, options, execution);
  });
  // Symmetric: its columns are its rows.
  found.stiffness.makeCompressed();
  const auto entries = static_cast<std::size_t>(found.stiffness.nonZeros());
  const auto* values = found.stiffness.valuePtr();
  const auto* inner = found.stiffness.innerIndexPtr();
  const auto* outer = found.stiffness.outerIndexPtr();
  return nb::make_tuple(to_numpy(std::vector<double>(values, values + entries)),
                        to_numpy(std::vector<std::int64_t>(inner, inner + entries)),
                        to_numpy(std::vector<std::int64_t>(outer, outer + found.stiffness.outerSize() + 1)),
                        to_numpy(std::move(found.mass)));
}

/// The mesh, the input vertex of each of its own, and a note.
nb::tuple decimated(const SharedShape& self, Index vertices, const Run& run) {
  const auto* mesh = std::get_if<TriangleMesh>(self.shape.get());
  if (mesh == nullptr)
    throw InputError(text("a ", kind_name(*self.shape), " cannot be decimated: a triangle mesh is required"));
  auto result = run_watched(run, [self, vertices](const Execution& execution) {
    Decimated found = decimate(std::get<TriangleMesh>(*self.shape), vertices, {}, execution);
    SharedShape shape = cleaned(std::move(found.mesh));
    return std::make_tuple(std::move(shape), std::move(found.origin), std::move(found.note));
  });
  return nb::make_tuple(nb::cast(std::move(std::get<0>(result))), to_numpy(std::move(std::get<1>(result))),
                        std::get<2>(result));
}

SharedShape subdivided(const SharedShape& self, int times, bool smooth) {
  return run_quickly(1, [&](const Execution&) { return cleaned(subdivide(*self.shape, times, smooth)); });
}

SharedShape builtin(const std::string& name, Index vertices, int pose, std::uint64_t seed) {
  return run_quickly(0, [&](const Execution& execution) {
    return cleaned(make_builtin(name, {vertices, pose, seed}, execution).shape);
  });
}

std::vector<std::string> names_of_builtins() {
  std::vector<std::string> names;
  for (const BuiltinName& one : builtin_names()) names.push_back(one.name);
  return names;
}

}  // namespace

void add_shapes(nb::module_& module) {
  nb::class_<SharedShape>(module, "Shape")
      .def_prop_ro("kind", [](const SharedShape& self) { return kind_name(*self.shape); })
      .def_prop_ro("vertices", [](const SharedShape& self) { return vertex_count(*self.shape); })
      .def_prop_ro("faces", [](const SharedShape& self) { return face_count(*self.shape); })
      .def_ro("notes", &SharedShape::notes)
      .def_prop_ro("points", points)
      .def_prop_ro("triangles", triangles)
      .def_prop_ro("normals", normals)
      .def_prop_ro("polygons", polygons)
      .def_prop_ro("edges", edges)
      .def("write", write, nb::arg("path"), nb::arg("colours").none() = nb::none())
      .def("picture", picture, nb::arg("colours").none(), nb::arg("width"), nb::arg("height"),
           nb::arg("azimuth"), nb::arg("elevation"));
  module.def("triangle_mesh", triangle_mesh, nb::arg("points"), nb::arg("triangles"));
  module.def("polygon_mesh", polygon_mesh, nb::arg("points"), nb::arg("corners"), nb::arg("offsets"));
  module.def("point_cloud", point_cloud, nb::arg("points"), nb::arg("normals").none() = nb::none());
  module.def("graph", graph, nb::arg("vertices"), nb::arg("ends"), nb::arg("lengths"),
             nb::arg("labels").none() = nb::none());
  module.def("samples", samples, nb::arg("values"));
  module.def("read", read, nb::arg("path"), nb::arg("format") = "");
  module.def("builtin", builtin, nb::arg("name"), nb::arg("vertices"), nb::arg("pose"), nb::arg("seed"));
  module.def("builtin_names", names_of_builtins);
  module.def("neighbours", neighbours, nb::arg("points"), nb::arg("count"), nb::arg("seed"), nb::arg("run"));
  module.def("laplacian", laplacian_of, nb::arg("shape"), nb::arg("options"), nb::arg("run"));
  module.def("decimate", decimated, nb::arg("shape"), nb::arg("vertices"), nb::arg("run"));
  module.def("subdivide", subdivided, nb::arg("shape"), nb::arg("times"), nb::arg("smooth"));
  module.def("save_png", save_png, nb::arg("picture"), nb::arg("path"));
  module.def(
      "read_mask",
      [](const std::string& path, Index vertices) {
        const std::vector<char> keep = read_mask(path, vertices);
        return to_numpy(std::vector<std::uint8_t>(keep.begin(), keep.end()));
      },
      nb::arg("path"), nb::arg("vertices"));
  module.def(
      "canonical_colours",
      [](const MatrixIn<double>& Z, const VectorIn<Index>& component) {
        return to_numpy(RowMatrix<std::uint8_t>(canonical_colours(matrix_of(Z), span_of(component))));
      },
      nb::arg("Z"), nb::arg("component"));
}

}  // namespace geodome::python
