#include "geodome/pipeline/methods.h"

#include <chrono>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/baselines/factored_scaling.h"
#include "geodome/baselines/fmds.h"
#include "geodome/baselines/hybrid.h"
#include "geodome/baselines/landmark_mds.h"
#include "geodome/baselines/nystrom.h"
#include "geodome/baselines/packed_full_matrix.h"
#include "geodome/baselines/points.h"
#include "geodome/baselines/root.h"
#include "geodome/baselines/smds.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/pipeline/paths.h"

namespace geodome {
namespace {

constexpr double gigabyte = 1e9;

/// W in double precision, of a shape of one component.
Eigen::MatrixXd landmark_matrix(const MeasuredLandmarks& landmarks) {
  const auto size = static_cast<Index>(landmarks.order.vertices.size());
  Eigen::MatrixXd W(size, size);
  std::visit(
      [&](const auto& values) {
        const double step = landmarks.W.step.empty() ? 1 : landmarks.W.step[0];
        for (Index r = 0; r < size; ++r)
          for (Index c = 0; c <= r; ++c)
            W(r, c) = W(c, r) =
                step * static_cast<double>(values[static_cast<std::size_t>(packed_size(r) + c)]);
      },
      landmarks.W.values);
  return W;
}

/// Of #V numbers each, for every landmark, that are held at once.
std::int64_t columns_per_landmark(Method method) {
  if (method == Method::fmds || method == Method::fmds_hard) return 2;
  return method == Method::bha || needs_columns(method) ? 1 : 0;
}

/// Builds one method: what is shared is charged, what is its own is timed.
class Builder {
 public:
  Builder(PreparedShape& prepared, const MethodOptions& options, const Execution& execution)
      : prepared_(prepared), options_(options), execution_(execution) {}

  MethodMatrix exact();
  MethodMatrix bha();
  MethodMatrix sbha();
  MethodMatrix nystrom();
  MethodMatrix fmds();
  MethodMatrix smds();
  MethodMatrix landmark_embedding();
  MethodMatrix hybrid();
  MethodMatrix ctg();
  MethodMatrix spectrometer();

 private:
  SparseLandmarkMatrix compact(const MeasuredLandmarks& found);

  template <typename Work>
  auto run(const char* stage, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    auto value = work();
    charge(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return value;
  }
  void charge(const char* stage, double seconds) {
    for (auto& [known, so_far] : result_.seconds)
      if (known == stage) {
        so_far += seconds;
        return;
      }
    result_.seconds.emplace_back(stage, seconds);
  }

  const MeasuredLandmarks& landmarks() { return landmarks(options_.landmarks); }
  /// Before they are measured, what they will take is held against the bound, where their number is known.
  const MeasuredLandmarks& landmarks(const LandmarkOptions& options) {
    const std::int64_t each = columns_per_landmark(options_.method);
    require_memory(each * options.count);
    const MeasuredLandmarks& found =
        prepared_.landmarks(options, options_.precision, execution_, needs_columns(options_.method));
    result_.landmarks = static_cast<Index>(found.order.vertices.size());
    require_memory(each * result_.landmarks);
    charge("landmark", found.landmark_seconds);
    charge("geodesic", found.geodesic_seconds);
    return found;
  }
  /// C. Its rows were charged with the landmarks.
  RowMatrix<float> columns(const MeasuredLandmarks& found) {
    return std::move(prepared_.columns(found, execution_).value);
  }
  const Laplacian& laplacian() {
    const Timed<Laplacian>& found = prepared_.laplacian(execution_);
    charge("laplacian", found.seconds);
    return found.value;
  }
  /// Throws InputError when #V by `columns` numbers in single precision do not fit.
  void require_memory(std::int64_t columns) const {
    const double needed = 4.0 * static_cast<double>(prepared_.size()) * static_cast<double>(columns);
    if (needed > static_cast<double>(options_.memory_bound))
      throw InputError(text(name_of(methods(), options_.method), " of ", prepared_.size(), " vertices and ",
                            columns, " columns takes ", needed / gigabyte, " GB, above the bound of ",
                            static_cast<double>(options_.memory_bound) / gigabyte,
                            " GB: use fewer landmarks, or sbha, which keeps no such columns"));
  }
  MethodMatrix finish(std::shared_ptr<const DistanceMatrix> matrix, std::int64_t reference_numbers,
                      std::int64_t reference_indices, std::int64_t workspace_numbers) {
    result_.bytes = matrix->bytes();
    result_.matrix = std::move(matrix);
    result_.reference_bytes = 8 * reference_numbers + 4 * reference_indices;
    result_.workspace_bytes = 8 * workspace_numbers;
    return std::move(result_);
  }
  void note(const RowBounds& bounds) {
    if (bounds.replaced > 0) result_.note = describe(bounds, prepared_.size());
  }
  std::int64_t vertices() const { return prepared_.size(); }
  std::int64_t count() const { return result_.landmarks; }
  /// Lanczos iteration keeps twice as many vectors as it looks for, and some.
  std::int64_t lanczos_numbers() const { return vertices() * (2 * options_.dimensions + 6); }

  PreparedShape& prepared_;
  const MethodOptions& options_;
  const Execution& execution_;
  MethodMatrix result_;
};

MethodMatrix Builder::exact() {
  charge("solver", prepared_.solver_seconds());
  std::vector<float> values = run(
      "geodesic", [&] { return packed_distances(prepared_.solver(), options_.memory_bound, execution_); });
  return finish(std::make_shared<PackedFullMatrix>(prepared_.size(), std::move(values), options_.kind),
                vertices() * vertices(), 0, lanczos_numbers());
}

MethodMatrix Builder::bha() {
  const MeasuredLandmarks& found = landmarks();
  laplacian();
  const Timed<RowMatrix<float>>& P = prepared_.interpolation(found, execution_);
  charge("interpolation", P.seconds);
  note(prepared_.row_bounds());
  auto matrix = std::make_shared<DenseLandmarkMatrix>(
      make_dense_landmark_matrix(found.order, P.value, found.W, options_.kind));
  return finish(std::move(matrix), vertices() * count() + count() * count(), 0, vertices() * count());
}

SparseLandmarkMatrix Builder::compact(const MeasuredLandmarks& found) {
  const Laplacian& operators = laplacian();
  const Interpolation interpolation = run("interpolation", [&] {
    Interpolation made = interpolation_operator(operators, found.order.vertices, found.order.cell,
                                                options_.interpolation, execution_);
    note(bound_rows(made.P, found.order, found.W, prepared_.edges(), execution_));
    return made;
  });
  SparseLandmarkMatrix matrix = run("pack", [&] {
    return make_sparse_landmark_matrix(found.order, interpolation.P, found.W, options_.kind,
                                       weight_precision(found.precision));
  });
  result_.nonzeros = matrix.nonzeros();
  return matrix;
}

MethodMatrix Builder::sbha() {
  const MeasuredLandmarks& found = landmarks();
  auto matrix = std::make_shared<SparseLandmarkMatrix>(compact(found));
  const std::int64_t nonzeros = result_.nonzeros;
  return finish(std::move(matrix), nonzeros + count() * count(), nonzeros, lanczos_numbers());
}

MethodMatrix Builder::hybrid() {
  const MeasuredLandmarks& found = landmarks();
  const Index wanted = options_.columns < 0 ? result_.landmarks : options_.columns;
  const RowMatrix<float> C = columns(found);
  SparseLandmarkMatrix base = compact(found);
  auto matrix = run("residues", [&] {
    return std::make_shared<HybridMatrix>(
        make_hybrid_matrix(std::move(base), {found.order, C}, wanted, execution_));
  });
  const std::int64_t nonzeros = result_.nonzeros;
  const auto kept = static_cast<std::int64_t>(matrix->columns().landmark.size());
  return finish(std::move(matrix), nonzeros + count() * count() + vertices() * kept, nonzeros + kept,
                lanczos_numbers());
}

MethodMatrix Builder::nystrom() {
  const MeasuredLandmarks& found = landmarks();
  const RowMatrix<float> C = columns(found);
  const bool truncated = options_.method == Method::nystrom_truncated;
  auto matrix = run("factors", [&] {
    return std::make_shared<FactoredMatrix>(geodome::nystrom(
        {found.order, C}, options_.kind, truncated ? options_.truncation : plain_nystrom_cut, execution_));
  });
  const std::int64_t workspace = factored_scaling_bytes(*matrix) / 8;
  return finish(std::move(matrix), vertices() * count() + count() * count(), 0, workspace);
}

MethodMatrix Builder::fmds() {
  const MeasuredLandmarks& found = landmarks();
  const RowMatrix<float> C = columns(found);
  const Laplacian& operators = laplacian();
  RowMatrix<float> H;
  if (options_.method == Method::fmds_hard) {
    const Timed<RowMatrix<float>>& P = prepared_.interpolation(found, execution_);
    charge("interpolation", P.seconds);
    note(prepared_.row_bounds());
    H = P.value;
  } else {
    H = run("interpolation", [&] {
      return soft_interpolation_operator(operators, found.order.vertices, found.order.cell,
                                         options_.softening, execution_);
    });
  }
  const bool root = options_.square_root && options_.kind == DistanceKind::distance;
  std::shared_ptr<const DistanceMatrix> matrix = std::make_shared<FactoredMatrix>(
      geodome::fmds({found.order, C}, std::move(H), root ? DistanceKind::squared : options_.kind));
  if (root) matrix = std::make_shared<RootMatrix>(std::move(matrix));
  return finish(std::move(matrix), 2 * vertices() * count(), 0, 2 * vertices() * count());
}

MethodMatrix Builder::smds() {
  if (prepared_.components() != 1)
    throw InputError(text("the shape has ", prepared_.components(),
                          " components; smds works on one: its eigenvectors do not tell them apart"));
  const MeasuredLandmarks& found = landmarks();
  const Timed<Laplacian>& operators = prepared_.laplacian(execution_);
  charge("laplacian", operators.seconds);
  const auto massive = static_cast<Index>((operators.value.mass.array() > 0).count());
  const Index m = std::min(options_.eigenvectors, massive);
  // Lanczos iteration holds three vectors for each that it looks for, and the result, in double precision.
  require_memory(8 * static_cast<std::int64_t>(m));
  const Timed<Eigenpairs>& pairs = prepared_.eigenpairs(m, execution_);
  charge("eigenvectors", pairs.seconds);
  auto matrix = run("factors", [&] {
    return std::make_shared<FactoredMatrix>(geodome::smds(pairs.value, found.order.vertices,
                                                          landmark_matrix(found), found.order.component,
                                                          options_.kind, {m, options_.smds_weight}));
  });
  const std::int64_t workspace = factored_scaling_bytes(*matrix) / 8;
  return finish(std::move(matrix), vertices() * m + static_cast<std::int64_t>(m) * m, 0, workspace);
}

MethodMatrix Builder::landmark_embedding() {
  const MeasuredLandmarks& found = landmarks();
  const RowMatrix<float> C = columns(found);
  const LandmarkColumns measured{found.order, C};
  const bool pivot = options_.method == Method::pivot;
  const Embedding form = run("points", [&] {
    return pivot ? pivot_mds(measured, options_.dimensions, execution_)
                 : landmark_mds(measured, options_.dimensions, execution_);
  });
  auto matrix = std::make_shared<PointMatrix>(form.Z.cast<float>(), measured.labels(), options_.kind);
  // Landmark MDS can place one point at a time: it needs the landmarks alone.
  return finish(std::move(matrix), vertices() * options_.dimensions, 0,
                count() * count() + (pivot ? vertices() * count() : 0));
}

/// The landmarks, and some more.
LandmarkOptions with_more(const MeasuredLandmarks& found, std::vector<Index> more, std::size_t most) {
  if (more.size() > most) more.resize(most);
  LandmarkOptions options = found.options;
  options.method = LandmarkMethod::user;
  options.vertices = found.order.vertices;
  options.vertices.insert(options.vertices.end(), more.begin(), more.end());
  return options;
}

MethodMatrix Builder::ctg() {
  const auto* surface = std::get_if<MeshPaths>(&prepared_.domain().paths);
  if (surface == nullptr)
    throw InputError(text("ctg triangulates a surface, and a ", kind_name(prepared_.shape()),
                          " measured along edges has none: use spectrometer or sbha"));
  if (!(options_.repair >= 0 && std::isfinite(options_.repair)))
    throw InputError(text("mending by ", options_.repair, " of the samples: it must not be negative"));
  const MeasuredLandmarks* found = &landmarks();
  const Index asked = result_.landmarks;
  const auto most = static_cast<Index>(asked + std::max(8.0, options_.repair * asked));
  require_memory(most);
  RowMatrix<float> C = columns(*found);
  const auto triangulate = [&] {
    return run("triangulation", [&] {
      return ctg_triangles(surface->mesh.triangles, prepared_.edges(), {found->order, C}, execution_);
    });
  };
  CtgTriangles triangles = triangulate();
  while (!triangles.broken.empty() && result_.landmarks < most) {
    const std::vector<Index> more = samples_to_add(triangles, {found->order, C});
    if (more.empty()) break;
    // Measuring is told as a whole each time.
    std::erase_if(result_.seconds, [](const auto& stage) { return stage.first == "geodesic"; });
    found = &landmarks(with_more(*found, more, static_cast<std::size_t>(most - result_.landmarks)));
    C = columns(*found);
    triangles = triangulate();
  }
  const Points* points = prepared_.geodesic() == "given" ? nullptr : &surface->mesh.points;
  auto matrix = std::make_shared<CtgMatrix>(make_ctg({found->order, C}, triangles, points, options_.kind));
  result_.added_landmarks = result_.landmarks - asked;
  if (result_.added_landmarks > 0)
    result_.note = text(result_.added_landmarks, " samples were added to mend the triangulation");
  if (!triangles.broken.empty())
    result_.note += text(result_.note.empty() ? "" : "; ", "it is broken at ", triangles.broken.size(),
                         " samples: more landmarks would help");
  const auto faces = static_cast<std::int64_t>(triangles.triangle.size());
  return finish(std::move(matrix), count() * count() + 6 * vertices(), vertices() + 3 * faces,
                lanczos_numbers());
}

MethodMatrix Builder::spectrometer() {
  const Laplacian& operators = laplacian();
  const std::vector<Index> component = find_components(prepared_.edges()).of_vertex;
  const Landmarks chosen = run("landmark", [&] {
    LandmarkOptions landmarks = options_.landmarks;
    if (landmarks.method != LandmarkMethod::user && landmarks.count == 0) {
      landmarks.count = default_landmark_count(joined_vertices(prepared_.edges()), prepared_.components());
      landmarks.or_all = true;
    }
    Landmarks found = choose_landmarks(prepared_.domain(), landmarks, execution_);
    leave_out_lone_points(prepared_.edges(), found.vertices);
    return found;
  });
  result_.landmarks = static_cast<Index>(chosen.vertices.size());
  const auto massive = static_cast<Index>((operators.mass.array() > 0).count());
  const Index m = std::min({options_.eigenvectors, massive, result_.landmarks});
  if (m < 1) throw InputError(text(options_.eigenvectors, " eigenvectors: ask for at least one"));
  require_memory(8 * static_cast<std::int64_t>(m));
  std::vector<SpectralPart> parts;
  if (prepared_.components() == 1) {
    const Timed<Eigenpairs>& pairs = prepared_.eigenpairs(m, execution_);
    charge("eigenvectors", pairs.seconds);
    parts.push_back(spectral_part(pairs.value, component, m));
  } else {
    parts = run("eigenvectors",
                [&] { return spectral_parts(operators, component, prepared_.components(), m, execution_); });
  }
  auto matrix = run("coefficients", [&] {
    return std::make_shared<SpectrometerMatrix>(
        make_spectrometer(parts, component, prepared_.domain(), prepared_.edges(), operators,
                          {chosen.vertices, options_.places}, options_.heat, options_.kind, execution_));
  });
  return finish(std::move(matrix), 2 * vertices() * m, 0, lanczos_numbers());
}

}  // namespace

std::span<const Named<Method>> methods() {
  static constexpr Named<Method> all[] = {
      {Method::exact, "exact", "every distance, one by one: for small shapes"},
      {Method::bha, "bha", "P W Pᵀ with all of P: vertices x landmarks numbers"},
      {Method::sbha, "sbha", "P W Pᵀ with sparse P: small, and as accurate at any size"},
      {Method::nystrom, "nystrom", "C W⁺ Cᵀ: columns of the matrix; unstable"},
      {Method::nystrom_truncated, "nystrom-truncated", "the same without the small eigenvalues of W"},
      {Method::fmds, "fmds", "½ (H Cᵀ + C Hᵀ): columns, softly interpolated; depends on units"},
      {Method::fmds_hard, "fmds-hard", "the same with exact interpolation: no units"},
      {Method::smds, "smds", "Φ H W Hᵀ Φᵀ: in the span of eigenvectors of the Laplacian"},
      {Method::lmds, "lmds", "points: the landmarks scaled, the others placed by their distances to them"},
      {Method::pivot, "pivot", "points: singular vectors of the distances to the landmarks"},
      {Method::hybrid, "hybrid", "sbha, and some columns of what it misses, a byte per vertex each"},
      {Method::ctg, "ctg",
       "triangles of geodesics unfolded into the plane: smallest, constant time per pair"},
      {Method::spectrometer, "spectrometer", "the heat method in the span of eigenvectors; also on graphs"},
  };
  return all;
}

bool needs_columns(Method method) {
  return method != Method::exact && method != Method::bha && method != Method::sbha &&
         method != Method::smds && method != Method::spectrometer;
}

bool has_landmarks(Method method) {
  return method != Method::exact;
}

bool has_nonzeros(Method method) {
  return method == Method::sbha || method == Method::hybrid;
}

bool has_eigenvectors(Method method) {
  return method == Method::smds || method == Method::spectrometer;
}

bool has_file(Method method) {
  return method == Method::sbha || method == Method::bha || method == Method::ctg ||
         method == Method::spectrometer;
}

bool is_embedding(Method method) {
  return method == Method::lmds || method == Method::pivot;
}

double MethodMatrix::total_seconds() const {
  double total = 0;
  for (const auto& [stage, own] : seconds) total += own;
  return total;
}

MethodMatrix build_method(PreparedShape& prepared, const MethodOptions& options, const Execution& execution) {
  if (options.interpolation.nonzeros < 1)
    throw InputError(text(options.interpolation.nonzeros, " nonzeros per row of P: ask for at least 1"));
  Builder builder(prepared, options, execution);
  switch (options.method) {
    case Method::exact:
      return builder.exact();
    case Method::bha:
      return builder.bha();
    case Method::sbha:
      return builder.sbha();
    case Method::nystrom:
    case Method::nystrom_truncated:
      return builder.nystrom();
    case Method::fmds:
    case Method::fmds_hard:
      return builder.fmds();
    case Method::smds:
      return builder.smds();
    case Method::lmds:
    case Method::pivot:
      return builder.landmark_embedding();
    case Method::hybrid:
      return builder.hybrid();
    case Method::ctg:
      return builder.ctg();
    case Method::spectrometer:
      return builder.spectrometer();
  }
  throw InputError(text("there is no method number ", static_cast<int>(options.method)));
}

}  // namespace geodome
