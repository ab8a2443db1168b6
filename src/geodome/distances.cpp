#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "geodome/evaluation/certificate.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/precomputed.h"
#include "geodome/geodome.h"
#include "geodome/matrix/pair_bounds.h"
#include "geodome/matrix/query.h"
#include "geodome/matrix/search.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/paths.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/pipeline/target_search.h"
#include "geodome/shape/digest.h"

namespace geodome {

using namespace internal;

struct Distances::State {
  static Distances build(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                         const BuildOptions& options, const Execution& execution,
                         std::shared_ptr<SharedSolvers> shared);

  std::shared_ptr<const DistanceMatrix> matrix;
  std::shared_ptr<const DistanceMatrix> queries;
  LowerBound bound;
  std::shared_ptr<const LazyNearShape> near;  ///< nullptr where near distances cannot be computed
  QueryMode mode = QueryMode::near_field;
  std::string recipe_text;
  nlohmann::json recipe = nlohmann::json::object();  ///< parsed; an empty object if it cannot be
  std::optional<MatrixFile> file;
  std::vector<std::int64_t> own_labels;
  std::optional<BuildOptions> options;  ///< of the build
  BuildSummary summary;
  std::vector<std::string> notes;
  std::optional<Evaluation> measured_error;
  std::optional<LandmarkError> landmark_error;
  mutable std::once_flag shape_read, searched;
  mutable std::shared_ptr<const Shape> shape;
  mutable std::unique_ptr<const NeighbourSearch> search;

  State() = default;
  /// Another mode of the same distances.
  State(const State& other, QueryMode other_mode)
      : matrix(other.matrix),
        bound(other.bound),
        near(other.near),
        mode(other_mode),
        recipe_text(other.recipe_text),
        recipe(other.recipe),
        file(other.file),
        own_labels(other.own_labels),
        options(other.options),
        summary(other.summary),
        notes(other.notes),
        measured_error(other.measured_error),
        landmark_error(other.landmark_error),
        shape(other.file ? nullptr : other.shape) {
    finish();
  }

  LowerBound bound_of_mode() const { return mode == QueryMode::raw ? LowerBound() : bound; }
  void finish() { queries = query_matrix(matrix, bound_of_mode(), mode, near); }
  NearField field() const { return NearField(*matrix->landmark_matrix(), bound_of_mode(), mode, near); }
  /// How paths ran when the matrix was built, without the mask; the method only where it is along edges.
  GeodesicOptions noted_paths() const {
    GeodesicOptions paths;
    paths.neighbours = noted("/geodesic/neighbours", paths.neighbours);
    paths.seed = noted("/seed", paths.seed);
    if (geodesic() == geodesic_method_name(GeodesicMethod::graph)) paths.method = GeodesicMethod::graph;
    return paths;
  }
  void set_recipe(std::string text) {
    recipe_text = std::move(text);
    auto parsed = nlohmann::json::parse(recipe_text, nullptr, false);
    if (parsed.is_object()) recipe = std::move(parsed);
  }
  /// A value of the recipe, or `otherwise` where there is none of that type.
  template <typename T>
  T noted(const char* where, const T& otherwise) const {
    try {
      return recipe.value(nlohmann::json::json_pointer(where), otherwise);
    } catch (const nlohmann::json::exception&) {
      return otherwise;
    }
  }
  /// As the recipe states it.
  void read_landmark_error(std::span<const std::uint8_t> parts) {
    const auto number = [&](const char* name) { return noted(text("/landmark_error/", name).c_str(), -1.0); };
    LandmarkError error;
    error.near = number("near");
    error.far = number("far");
    error.solver = number("solver");
    for (const double one : {error.near, error.far, error.solver})
      if (!(one >= 0)) return;
    error.certain = noted("/landmark_error/certain", false);
    error.parts.assign(parts.begin(), parts.end());
    landmark_error = std::move(error);
  }
  std::string geodesic() const { return noted("/geodesic/method", std::string()); }
  /// Throws InputError where there are no bounds, and says why.
  const LandmarkError& require_landmark_error() const {
    if (matrix->landmark_matrix() == nullptr)
      throw InputError(
          text("bounds require factors P W Pᵀ; '", noted("/method", std::string()), "' has none"));
    if (geodesic() == "given")
      throw InputError("bounds require distances that were measured on a shape, not user-supplied ones");
    if (near == nullptr)
      throw InputError(
          "bounds require the shape, on which distances to landmarks are measured, and the file does not "
          "contain it");
    if (!landmark_error)
      throw InputError(
          "the error of the distances between landmarks is unknown: build the matrix again, from exact "
          "distances or with its error measured");
    return *landmark_error;
  }
  bool exact() const {
    return matrix->landmark_matrix() != nullptr && mode == QueryMode::near_field && near != nullptr;
  }
  const NeighbourSearch* neighbour_search() const {
    if (matrix->landmark_matrix() == nullptr) return nullptr;
    std::call_once(searched, [&] { search = std::make_unique<NeighbourSearch>(field()); });
    return search.get();
  }
};

namespace {

/// The mask of path options: nonzero for vertices that belong to a component, empty where all do.
std::vector<char> kept_vertices(const DistanceMatrix& matrix) {
  const std::vector<Index> component = matrix.component_labels();
  if (std::find(component.begin(), component.end(), -1) == component.end()) return {};
  std::vector<char> keep;
  for (const Index label : component) keep.push_back(label >= 0 ? 1 : 0);
  return keep;
}

/// On a shape in memory.
std::shared_ptr<const LazyNearShape> lazy_near_shape(std::shared_ptr<const Shape> shape,
                                                     std::shared_ptr<const DistanceMatrix> matrix,
                                                     GeodesicOptions options) {
  return std::make_shared<const LazyNearShape>([=]() mutable {
    options.keep = kept_vertices(*matrix);
    return near_shape(shape, options);
  });
}

/// On the shape in a file: triangles are read where they are.
std::shared_ptr<const LazyNearShape> lazy_near_shape(MatrixFile file, GeodesicOptions options) {
  return std::make_shared<const LazyNearShape>([=]() mutable {
    options.keep = kept_vertices(file.matrix());
    if (options.method != GeodesicMethod::graph)
      if (auto mesh = file.mesh()) return near_mesh(std::move(*mesh), options.keep);
    return near_shape(std::make_shared<const Shape>(*file.shape()), options);
  });
}

void require_vertex(const Distances& distances, Index vertex) {
  if (vertex < 0 || vertex >= distances.size())
    throw InputError(text("vertex ", vertex, " is out of range [0, ", distances.size(), ")"));
}

}  // namespace

Distances Distances::State::build(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                                  const BuildOptions& options, const Execution& execution,
                                  std::shared_ptr<SharedSolvers> shared) {
  auto state = std::make_shared<State>();
  Build built = build_matrix(*shape, options, execution, std::move(shared));
  state->matrix = std::move(built.matrix);
  state->set_recipe(std::move(built.recipe));
  state->summary = std::move(built.summary);
  state->measured_error = std::move(built.certificate);
  state->landmark_error = std::move(built.landmark_error);
  state->notes = std::move(notes);
  state->options = options;
  if (options.measures()) {
    state->bound = lower_bound(shape);
    state->near = lazy_near_shape(shape, state->matrix, state->noted_paths());
  }
  if (const auto* graph = std::get_if<Graph>(shape.get())) state->own_labels = graph->labels;
  state->shape = std::move(shape);
  state->finish();
  return Distances(std::move(state));
}

Distances build(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                const BuildOptions& options, const Execution& execution) {
  return Distances::State::build(std::move(shape), std::move(notes), options, execution, {});
}

TargetBuild build_to_target(std::shared_ptr<const Shape> shape, std::vector<std::string> notes,
                            const BuildOptions& options, const ErrorTarget& target,
                            const Execution& execution) {
  TargetSearch search(options, target, vertex_count(*shape));
  const auto shared = std::make_shared<SharedSolvers>(options.memory_bound / 4);
  std::optional<Distances> best;
  while (const auto next = search.next()) {
    const Distances built = Distances::State::build(shape, notes, *next, execution, shared);
    if (search.add(built.summary(), *built.measured_error())) best = built;
  }
  auto state = std::make_shared<Distances::State>(*best->state_, best->mode());
  state->set_recipe(with_target(state->recipe_text, target, search.report().met));
  return {Distances(std::move(state)), search.report()};
}

Distances build(CleanShape clean, const BuildOptions& options, const Execution& execution) {
  return build(std::make_shared<const Shape>(std::move(clean.shape)), std::move(clean.notes), options,
               execution);
}

Distances build(Shape shape, const BuildOptions& options, const Execution& execution) {
  return build(clean_shape(std::move(shape)), options, execution);
}

Distances internal::distances_in(MatrixFile file) {
  auto state = std::make_shared<Distances::State>();
  state->matrix = file.shared_matrix();
  state->set_recipe(file.recipe());
  const std::string geodesic = state->geodesic();
  if (!geodesic.empty() && geodesic != "given") {
    state->bound = file.lower_bound();
    if (file.has_shape()) state->near = lazy_near_shape(file, state->noted_paths());
    state->read_landmark_error(file.landmark_error_parts());
  }
  state->file = std::move(file);
  state->finish();
  return Distances(std::move(state));
}

Distances open(const std::string& path) {
  return distances_in(MatrixFile::open(path));
}

std::optional<Distances> open_if_matrix(const std::string& path) {
  auto file = MatrixFile::open_if_matrix(path);
  if (!file) return {};
  return distances_in(std::move(*file));
}

Index Distances::size() const {
  return state_->matrix->size();
}

DistanceKind Distances::kind() const {
  return state_->matrix->kind();
}

double Distances::distance(Index i, Index j) const {
  return queries().entries(std::span(&i, 1), std::span(&j, 1), Execution{1})[0];
}

double Distances::distance(const SurfacePoint& a, const SurfacePoint& b) const {
  const LandmarkMatrix* matrix = factors();
  if (matrix == nullptr)
    throw InputError(text("points between vertices require factors P W Pᵀ; '", method(), "' has none"));
  for (const SurfacePoint* point : {&a, &b})
    for (const Index vertex : point->vertex) require_vertex(*this, vertex);
  return state_->field().query(a, b);
}

Vector Distances::distances(std::span<const Index> I, std::span<const Index> J,
                            const Execution& execution) const {
  return queries().entries(I, J, execution);
}

Vector Distances::row(Index i) const {
  return rows(std::span(&i, 1)).row(0).transpose();
}

RowMatrix<double> Distances::rows(std::span<const Index> I, const Execution& execution) const {
  for (const Index vertex : I) require_vertex(*this, vertex);
  return queries().rows(I, execution);
}

RowMatrix<double> Distances::block(std::span<const Index> I, std::span<const Index> J,
                                   const Execution& execution) const {
  for (const std::span<const Index> vertices : {I, J})
    for (const Index vertex : vertices) require_vertex(*this, vertex);
  return queries().block(I, J, execution);
}

std::vector<Neighbour> Distances::nearest(Index vertex, Index count) const {
  require_vertex(*this, vertex);
  if (state_->exact() && count >= 0)
    if (auto found = state_->field().nearest(vertex, count)) return std::move(*found);
  if (const NeighbourSearch* search = state_->neighbour_search()) return search->nearest(vertex, count);
  return nearest_in_row(queries(), vertex, count);
}

std::vector<Neighbour> Distances::within(Index vertex, double radius) const {
  require_vertex(*this, vertex);
  if (state_->exact())
    if (auto found = state_->field().within(vertex, radius)) return std::move(*found);
  if (const NeighbourSearch* search = state_->neighbour_search()) return search->within(vertex, radius);
  return within_in_row(queries(), vertex, radius);
}

Intervals Distances::bounds(std::span<const Index> I, std::span<const Index> J,
                            const Execution& execution) const {
  if (I.size() != J.size()) throw InputError(text(I.size(), " vertices against ", J.size()));
  for (const std::span<const Index> vertices : {I, J})
    for (const Index vertex : vertices) require_vertex(*this, vertex);
  const LandmarkError& error = state_->require_landmark_error();
  Intervals found;
  PairBounds(*factors(), state_->bound, state_->near->get(), error)
      .find(I, J, found.low, found.high, execution);
  return found;
}

Interval Distances::bounds(Index i, Index j) const {
  const Intervals found = bounds(std::span(&i, 1), std::span(&j, 1), Execution{1, {}});
  return {found.low[0], found.high[0]};
}

bool Distances::certain_bounds() const {
  return state_->require_landmark_error().certain;
}

RowMatrix<double> Distances::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                   const Execution& execution) const {
  return matrix().apply(X, execution);
}

Embedding Distances::embed(Index dimensions) const {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.method = ScalingMethod::automatic;
  return embed(options);
}

Embedding Distances::embed(const EmbeddingOptions& options, const Execution& execution) const {
  if (const auto squared = squared_matrix(state_->matrix))
    return geodome::embed(*squared, options, execution);
  // The squared distances of this method are another approximation.
  if (!state_->options) throw InputError("the squared distances of this method are not in the file");
  BuildOptions squared = *state_->options;
  squared.kind = DistanceKind::squared;
  squared.certificate_rows = squared.check_rows = 0;
  return geodome::embed(*build_matrix(*state_->shape, squared, execution).matrix, options, execution);
}

Evaluation Distances::evaluate(Index rows) const {
  EvaluationOptions options;
  options.rows = rows;
  return evaluate(options);
}

Evaluation Distances::evaluate(const EvaluationOptions& options, const Execution& execution) const {
  Evaluation result;
  std::shared_ptr<const GeodesicSolver> truth;
  if (!options.distances.empty()) {
    truth = std::make_shared<PrecomputedDistances>(options.distances);
    result.geodesic = "given";
  } else if (state_->options && !state_->options->distances.empty()) {
    truth = open_precomputed_distances(state_->options->distances, size());
    result.geodesic = "given";
  } else if (state_->options && state_->options->solver != nullptr && factors() == nullptr) {
    truth = state_->options->solver;
    result.geodesic = "given";
  } else {
    const auto own = options.shape == nullptr ? shape() : nullptr;
    const Shape* measured = options.shape != nullptr ? options.shape : own.get();
    if (geodesic() == "given")
      throw InputError("the matrix was built from user-supplied distances: evaluate it against those");
    if (measured == nullptr)
      throw InputError("the file does not contain the shape: supply the shape it was built from");
    GeodesicOptions geodesic = path_options();
    geodesic.method = options.geodesic.value_or(exact_method(*measured));
    geodesic.expected_sources = static_cast<std::size_t>(options.rows > 0 ? options.rows : size());
    PathDomain domain = make_path_domain(*measured, geodesic, execution);
    geodesic.method = resolve_method(domain, geodesic);
    result.geodesic = geodesic_method_name(geodesic.method);
    truth = make_solver(std::move(domain), geodesic, execution);
  }
  if (const LandmarkMatrix* matrix = factors()) result.bands = spacing_bands(*matrix);
  result.seed = options.seed;
  result.fresh = options.fresh;
  const DistanceMatrix& compared = options.raw ? matrix() : queries();
  ErrorOptions how{options.rows, options.seed, result.bands};
  if (options.fresh) how.leave_out = rows_to_leave_out(matrix());
  result.error = measure_error(compared, *truth, how, execution);
  return result;
}

Distances Distances::with_certificate(EvaluationOptions options, const Execution& execution) const {
  if (options.raw) throw InputError("the error in a file is that of its queries, not that of P W Pᵀ");
  const GeodesicMethod truth = geodesic() == geodesic_method_name(GeodesicMethod::graph)
                                   ? GeodesicMethod::graph
                                   : GeodesicMethod::exact;
  if (options.geodesic.value_or(truth) != truth)
    throw InputError(text("the error in a file must be measured on ",
                          truth == GeodesicMethod::graph ? "shortest paths along edges" : "exact distances",
                          ", not by '", geodesic_method_name(*options.geodesic), "'"));
  if (options.distances.empty() && measured()) options.geodesic = truth;
  options.fresh = true;
  auto state = std::make_shared<State>(*state_, mode());
  state->measured_error = with(QueryMode::near_field).evaluate(options, execution);
  state->set_recipe(internal::with_certificate(recipe(), *state->measured_error));
  return Distances(std::move(state));
}

const std::optional<Evaluation>& Distances::measured_error() const {
  return state_->measured_error;
}

std::string Distances::certificate() const {
  const auto found = nlohmann::ordered_json::parse(recipe(), nullptr, false);
  return found.is_object() && found.contains("measured_error") ? certificate_sentence(found["measured_error"])
                                                               : std::string();
}

void Distances::save(const std::string& path, const SaveOptions& options, const Execution& execution) const {
  // What was never read would be given new checksums, damaged or not.
  if (state_->file) state_->file->verify(execution);
  const auto own = options.shape ? shape() : nullptr;
  const auto& error = state_->landmark_error;
  save_matrix(path, matrix(), recipe(), own.get(), labels(),
              error ? std::span<const std::uint8_t>(error->parts) : std::span<const std::uint8_t>(),
              execution);
}

Distances Distances::with(QueryMode mode) const {
  return Distances(std::make_shared<State>(*state_, mode));
}

QueryMode Distances::mode() const {
  return state_->mode;
}

bool Distances::exact_near_field() const {
  return state_->exact();
}

const DistanceMatrix& Distances::matrix() const {
  return *state_->matrix;
}

std::shared_ptr<const DistanceMatrix> Distances::shared_matrix() const {
  return state_->matrix;
}

const DistanceMatrix& Distances::queries() const {
  return *state_->queries;
}

bool Distances::has_shape() const {
  return state_->file ? state_->file->has_shape() : state_->shape != nullptr;
}

std::shared_ptr<const Shape> Distances::shape() const {
  if (state_->file)
    std::call_once(state_->shape_read, [&] {
      if (auto read = state_->file->shape()) state_->shape = std::make_shared<const Shape>(std::move(*read));
    });
  return state_->shape;
}

void Distances::require_same_shape(const Shape& shape) const {
  const std::string expected = state_->noted("/shape/digest", std::string());
  const std::string found = shape_digest(shape);
  if (expected != found)
    throw InputError(text("the matrix was built from another shape: its digest is ",
                          expected.empty() ? "missing" : expected, ", this shape's is ", found));
}

const std::string& Distances::recipe() const {
  return state_->recipe_text;
}

std::string Distances::method() const {
  return state_->noted("/method", std::string());
}

std::string Distances::geodesic() const {
  return state_->geodesic();
}

bool Distances::measured() const {
  return !geodesic().empty() && geodesic() != "given";
}

GeodesicOptions Distances::path_options() const {
  GeodesicOptions options = state_->noted_paths();
  options.method = GeodesicOptions{}.method;
  options.keep = kept_vertices(matrix());
  return options;
}

Index Distances::landmarks() const {
  const MatrixFacts facts = matrix().facts();
  return facts.landmarks ? *facts.landmarks : state_->noted("/landmarks/count", Index{0});
}

std::span<const std::int64_t> Distances::labels() const {
  return state_->file ? state_->file->labels() : state_->own_labels;
}

const BuildSummary& Distances::summary() const {
  return state_->summary;
}

const std::vector<std::string>& Distances::notes() const {
  return state_->notes;
}

const MatrixFile* Distances::file() const {
  return state_->file ? &*state_->file : nullptr;
}

}  // namespace geodome
