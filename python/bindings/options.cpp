#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <typeinfo>

#include "arrays.h"
#include "geodome/geodesic/precomputed.h"

namespace geodome::python {

using namespace internal;

namespace {

std::vector<char> mask_from(nb::handle value) {
  const auto array = nb::cast<VectorIn<std::uint8_t>>(value);
  return {array.data(), array.data() + array.shape(0)};
}

/// The last copy may go in a thread that does not hold the GIL.
std::shared_ptr<const nb::object> shared_object(nb::object value) {
  return {new nb::object(std::move(value)), [](const nb::object* held) {
            const nb::gil_scoped_acquire acquired;
            delete held;
          }};
}

/// `row`, while it lives, gives the distances of a vertex; `kept`, if any, keeps it alive.
std::shared_ptr<const GeodesicSolver> called_distances(Index size, std::weak_ptr<const nb::object> row,
                                                       std::shared_ptr<const nb::object> kept) {
  return std::make_shared<CallbackDistances>(
      size, [row = std::move(row), kept = std::move(kept)](Index source, std::span<double> out) {
        const auto function = row.lock();
        if (function == nullptr) throw InputError("the given distances are available during the build only");
        const nb::gil_scoped_acquire acquired;
        const auto values = nb::cast<VectorIn<double>>((*function)(source));
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
    options.method = choice_of(landmark_methods(), nb::cast<std::string>(value), "landmark method");
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
        choice_of(graph_weights(), nb::cast<std::string>(value), "graph weights");
  else if (key == "intrinsic_delaunay")
    options.laplacian.intrinsic_delaunay = nb::cast<bool>(value);
  else
    return false;
  return true;
}

bool set_build(BuildOptions& options, const std::string& key, nb::handle value) {
  if (key == "rounding")
    options.rounding = nb::cast<double>(value);
  else if (key == "positional")
    options.positional = nb::cast<bool>(value);
  else if (key == "precision")
    options.precision = choice_of(precisions(), nb::cast<std::string>(value), "precision");
  else if (key == "squared")
    options.kind = nb::cast<bool>(value) ? DistanceKind::squared : DistanceKind::distance;
  else if (key == "coarsen")
    options.coarsen = coarsening(nb::str(value).c_str());
  else if (key == "distances")
    options.distances = nb::cast<std::string>(value);
  else if (key == "resume")
    options.log = nb::cast<std::string>(value);
  else if (key == "save_every")
    options.log_every = nb::cast<Index>(value);
  else if (key == "certificate_rows")
    options.certificate_rows = nb::cast<Index>(value);
  else if (key == "seed")
    options.seed = nb::cast<std::uint64_t>(value);
  else
    return false;
  return true;
}

bool set_baseline(BaselineOptions& options, const std::string& key, nb::handle value) {
  if (key == "truncation")
    options.truncation = nb::cast<double>(value);
  else if (key == "softening")
    options.softening = nb::cast<double>(value);
  else if (key == "square_root")
    options.square_root = nb::cast<bool>(value);
  else if (key == "eigenvectors")
    options.eigenvectors = nb::cast<Index>(value);
  else if (key == "smds_weight")
    options.smds_weight = nb::cast<double>(value);
  else if (key == "dimensions")
    options.dimensions = nb::cast<Index>(value);
  else if (key == "columns")
    options.columns = nb::cast<Index>(value);
  else if (key == "repair")
    options.repair = nb::cast<double>(value);
  else if (key == "places")
    options.places = nb::cast<Index>(value);
  else
    return false;
  return true;
}

/// False where it is neither the method nor the function of given distances.
bool set_request(BuildRequest& request, const std::string& key, nb::handle value) {
  if (key == "method") {
    request.options.method = choice_of(methods(), nb::cast<std::string>(value), "method");
  } else if (key == "rows") {
    const auto given = nb::cast<nb::tuple>(value);
    request.callback = shared_object(given[1]);
    request.size = nb::cast<Index>(given[0]);
  } else {
    return false;
  }
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

BuildRequest build_request(const nb::dict& given) {
  BuildRequest request;
  BuildOptions& options = request.options;
  std::string baseline_key;
  set_each(given, [&](const std::string& key, nb::handle value) {
    if (set_baseline(options.baseline, key, value)) {
      baseline_key = key;
      return true;
    }
    return set_request(request, key, value) || set_geodesic(options.geodesic, key, value) ||
           set_landmarks(options.landmarks, key, value) || set_operators(options, key, value) ||
           set_build(options, key, value);
  });
  // Other methods scale squared distances by a build of their own, later.
  const bool keeps = !traits(options.method).factors;
  if (request.callback != nullptr)
    options.solver = called_distances(request.size, request.callback, keeps ? request.callback : nullptr);
  if (!baseline_key.empty() && traits(options.method).factors)
    throw InputError(
        text("the method ", name_of(methods(), options.method), " has no option '", baseline_key, "'"));
  return request;
}

}  // namespace geodome::python
