#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <typeinfo>

#include "arrays.h"
#include "geodome/geodesic/precomputed.h"

namespace geodome::python {
namespace {

std::vector<char> mask_from(nb::handle value) {
  const auto array = nb::cast<VectorIn<std::uint8_t>>(value);
  return {array.data(), array.data() + array.shape(0)};
}

/// From a size and a function that gives the row of a vertex.
std::shared_ptr<const GeodesicSolver> called_distances(const nb::tuple& given) {
  // The last copy may go in a thread that does not hold the GIL.
  const std::shared_ptr<nb::object> row(new nb::object(given[1]), [](nb::object* held) {
    const nb::gil_scoped_acquire acquired;
    delete held;
  });
  return std::make_shared<CallbackDistances>(
      nb::cast<Index>(given[0]), [row](Index source, std::span<double> out) {
        const nb::gil_scoped_acquire acquired;
        const auto values = nb::cast<VectorIn<double>>((*row)(source));
        if (values.shape(0) != out.size())
          throw InputError(
              text("the row of vertex ", source, " has ", values.shape(0), " distances, not ", out.size()));
        std::memcpy(out.data(), values.data(), out.size_bytes());
      });
}

/// False where it is no option of paths.
bool set_geodesic(GeodesicOptions& options, const std::string& key, nb::handle value) {
  if (key == "geodesic")
    options.method = geodesic_method(nb::cast<std::string>(value));
  else if (key == "neighbours")
    options.neighbours = nb::cast<Index>(value);
  else if (key == "mask")
    options.keep = mask_from(value);
  else
    return false;
  return true;
}

bool set_landmarks(LandmarkOptions& options, const std::string& key, nb::handle value) {
  if (key == "landmarks") {
    options.count = nb::cast<Index>(value);
  } else if (key == "landmark_method") {
    options.method = choice_of(landmark_methods(), nb::cast<std::string>(value), "way to choose landmarks");
  } else if (key == "given_landmarks") {
    const auto given = nb::cast<VectorIn<Index>>(value);
    options.method = LandmarkMethod::user;
    options.vertices.assign(given.data(), given.data() + given.shape(0));
  } else {
    return false;
  }
  return true;
}

bool set_operators(BuildOptions& options, const std::string& key, nb::handle value) {
  if (key == "nonzeros")
    options.interpolation.nonzeros = nb::cast<Index>(value);
  else if (key == "sparsity")
    options.interpolation.sparsity = choice_of(sparsities(), nb::cast<std::string>(value), "sparsity");
  else if (key == "solver")
    options.interpolation.method = choice_of(interpolation_methods(), nb::cast<std::string>(value), "solver");
  else if (key == "perplexity")
    options.laplacian.perplexity = nb::cast<double>(value);
  else if (key == "graph_weights")
    options.laplacian.graph_weights =
        choice_of(graph_weights(), nb::cast<std::string>(value), "kind of graph weights");
  else if (key == "intrinsic_delaunay")
    options.laplacian.intrinsic_delaunay = nb::cast<bool>(value);
  else
    return false;
  return true;
}

bool set_build(BuildOptions& options, const std::string& key, nb::handle value) {
  if (key == "method")
    options.method = choice_of(build_methods(), nb::cast<std::string>(value), "method");
  else if (key == "precision")
    options.precision = choice_of(precisions(), nb::cast<std::string>(value), "precision");
  else if (key == "squared")
    options.kind = nb::cast<bool>(value) ? DistanceKind::squared : DistanceKind::distance;
  else if (key == "distances")
    options.distances = nb::cast<std::string>(value);
  else if (key == "rows")
    options.solver = called_distances(nb::cast<nb::tuple>(value));
  else if (key == "resume")
    options.log = nb::cast<std::string>(value);
  else if (key == "save_every")
    options.log_every = nb::cast<Index>(value);
  else if (key == "seed")
    options.seed = nb::cast<std::uint64_t>(value);
  else
    return false;
  return true;
}

}  // namespace

void set_each(const nb::dict& given, const std::function<bool(const std::string&, nb::handle)>& set) {
  for (const auto [name, value] : given) {
    const auto key = nb::cast<std::string>(name);
    try {
      if (!set(key, value)) throw InputError(text("there is no option '", key, "'"));
    } catch (const std::bad_cast&) {
      throw InputError(text("the option '", key, "' cannot be ", nb::repr(value).c_str()));
    }
  }
}

GeodesicOptions geodesic_options(const nb::dict& given) {
  GeodesicOptions options;
  set_each(given, [&](const std::string& key, nb::handle value) {
    if (key != "seed") return set_geodesic(options, key, value);
    options.seed = nb::cast<std::uint64_t>(value);
    return true;
  });
  return options;
}

BuildOptions build_options(const nb::dict& given) {
  BuildOptions options;
  set_each(given, [&](const std::string& key, nb::handle value) {
    return set_geodesic(options.geodesic, key, value) || set_landmarks(options.landmarks, key, value) ||
           set_operators(options, key, value) || set_build(options, key, value);
  });
  return options;
}

}  // namespace geodome::python
