#include "geodome/pipeline/prepared.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/base/team.h"
#include "geodome/base/threads.h"
#include "geodome/geodesic/coarse_solver.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/geodesic/kept_rows.h"
#include "geodome/interpolation/operator.h"
#include "geodome/pipeline/operators.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/paths.h"
#include "geodome/shape/unit.h"

namespace geodome::internal {
namespace {

template <typename Work>
auto timed(Work work) {
  const Stopwatch clock;
  auto value = work();
  return Timed<decltype(value)>{std::move(value), clock.seconds()};
}

struct SetAtEnd {
  std::atomic<bool>& flag;
  ~SetAtEnd() { flag = true; }
};

/// Those of rank `root`, on a surface with so many points, to all.
void broadcast_rows(const Team& team, ExactRows& rows, Eigen::Index points, int root) {
  broadcast_vector(team, rows.sources, root);
  rows.distances.resize(static_cast<Eigen::Index>(rows.sources.size()), points);
  const std::span values(rows.distances.data(), static_cast<std::size_t>(rows.distances.size()));
  if (!values.empty()) team.broadcast(std::as_writable_bytes(values), root);
  team.broadcast(std::as_writable_bytes(std::span(&rows.windows, 1)), root);
}

void broadcast_landmarks(const Team& team, ChosenLandmarks& chosen, int root) {
  broadcast_vector(team, chosen.sequence, root);
  broadcast_vector(team, chosen.order.vertices, root);
  broadcast_vector(team, chosen.order.component_first, root);
  broadcast_vector(team, chosen.order.component, root);
  broadcast_vector(team, chosen.order.cell, root);
  broadcast_vector(team, chosen.order.reach, root);
  team.broadcast(std::as_writable_bytes(std::span(&chosen.cover_radius, 1)), root);
}

/// With the count that the options leave open.
LandmarkOptions resolved(LandmarkOptions options, std::span<const Index> component, Index components) {
  if (options.method == LandmarkMethod::user) {
    options.count = static_cast<Index>(options.vertices.size());
  } else if (options.count < 0) {
    throw InputError(
        text("the number of landmarks must be at least 1, or 0 for the default, got ", options.count));
  } else if (options.count == 0) {
    std::vector<Index> sizes(static_cast<std::size_t>(components), 0);
    for (const Index c : component)
      if (c >= 0) ++sizes[c];
    options.count = default_landmark_count(sizes);
    options.or_all = true;
  }
  return options;
}

/// Where row r of a component's packed triangle begins among those of all components.
std::vector<std::int64_t> triangle_begins(const OrderedLandmarks& order) {
  std::vector<std::int64_t> begins{0};
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    begins.push_back(begins.back() + packed_size(order.component_first[c + 1] - order.component_first[c]));
  return begins;
}

/// Makes the rows of C at landmarks equal to W, both directions averaged.
void put_landmark_distances(const MeasuredLandmarks& landmarks, RowMatrix<float>& C) {
  const OrderedLandmarks& order = landmarks.order;
  const auto begins = triangle_begins(order);
  std::visit(
      [&](const auto& values) {
        for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c) {
          const Index first = order.component_first[c], count = order.component_first[c + 1] - first;
          const double step = landmarks.W.step.empty() ? 1 : landmarks.W.step[c];
          for (Index r = 0; r < count; ++r)
            for (Index column = 0; column <= r; ++column) {
              const auto at = static_cast<std::size_t>(begins[c] + packed_size(r) + column);
              const auto distance = static_cast<float>(step * static_cast<double>(values[at]));
              C(order.vertices[first + r], column) = C(order.vertices[first + column], r) = distance;
            }
        }
      },
      landmarks.W.values);
}

}  // namespace

const ChosenSolver& SharedSolvers::choose(const PathDomain& domain, const GeodesicOptions& options,
                                          const std::string& true_method, const Execution& execution) {
  const std::pair key(options.method, resolve_method(domain, options));
  const auto known = chosen_.find(key);
  if (known != chosen_.end()) return known->second;
  ChosenSolver chosen = choose_solver(domain, options, execution);
  if (geodesic_method_name(chosen.method) == true_method)
    chosen.solver = true_solver(true_method, [&] { return std::move(chosen.solver); });
  return chosen_.emplace(key, std::move(chosen)).first->second;
}

std::shared_ptr<const GeodesicSolver> SharedSolvers::true_solver(
    const std::string& name, const std::function<std::shared_ptr<const GeodesicSolver>()>& make) {
  std::shared_ptr<const GeodesicSolver>& known = true_[name];
  if (!known) known = std::make_shared<KeptRows>(make(), bound_);
  return known;
}

PreparedShape::PreparedShape(const Shape& shape, const PrepareOptions& options, const Execution& execution)
    : shape_(shape), options_(options) {
  const Stopwatch clock;
  unit_ = measures() ? unit_of(shape) : 1;
  if (unit_ != 1) scaled_ = in_units(shape, unit_);
  options_.geodesic.seed = options_.laplacian.seed = options_.seed;
  domain_.emplace(make_path_domain(this->shape(), options_.geodesic, execution));
  const auto* triangles = std::get_if<MeshPaths>(&domain_->paths);
  if (triangles != nullptr && std::holds_alternative<PointCloud>(this->shape()))
    triangulated_ = std::make_shared<const TriangleMesh>(triangles->mesh);
  edges_ = path_edges(*domain_, execution);
  Components found = find_components(edges_);
  component_ = std::move(found.of_vertex);
  components_ = found.count;
  if (!measures()) {
    geodesic_ = "given";
    solver_ = options_.solver ? require_size(options_.solver, size())
                              : open_precomputed_distances(options_.distances, size());
  } else {
    const Index landmarks =
        options_.landmarks ? resolved(*options_.landmarks, component_, components_).count : 0;
    if (options_.landmarks) options_.geodesic = landmark_geodesics(std::move(options_.geodesic), landmarks);
    waits_for_landmarks_ = might_coarsen(landmarks);
    if (waits_for_landmarks_ && options_.coarsen > 1)
      options_.geodesic.method = GeodesicMethod::fast_marching;
    geodesic_ = geodesic_method_name(resolve_method(*domain_, options_.geodesic));
  }
  domain_seconds_ = clock.seconds();
}

/// Whether landmarks may be measured on a coarser mesh. Throws InputError where that was asked for and is
/// not possible.
bool PreparedShape::might_coarsen(Index landmarks) const {
  if (options_.coarsen == 1 || !options_.once || options_.keep_rows) return false;
  const Index rows = landmarks - options_.whole_rows;
  // The triangles of a point cloud overlap.
  const bool mesh =
      std::holds_alternative<TriangleMesh>(shape()) || std::holds_alternative<PolygonMesh>(shape());
  const GeodesicMethod method = options_.geodesic.method;
  if (options_.coarsen == 0)
    return mesh && method == GeodesicMethod::automatic && coarsening_pays(size(), landmarks, rows) &&
           resolve_method(*domain_, options_.geodesic) == GeodesicMethod::fast_marching;
  if (!mesh)
    throw InputError(text("distances can be measured on a coarser mesh where the shape is a mesh, not on a ",
                          kind_name(shape())));
  if (method != GeodesicMethod::automatic && method != GeodesicMethod::fast_marching)
    throw InputError(
        text("distances on a coarser mesh are measured by the geodesic method 'marching', not by '",
             geodesic_method_name(method), "'"));
  if (rows < 1)
    throw InputError(text("whole rows of up to ", options_.whole_rows,
                          " landmarks are measured on the shape itself: a coarser mesh is of use with more "
                          "landmarks, or with sbha and bha, got ",
                          landmarks));
  return true;
}

void PreparedShape::make_solver_now(const Execution& execution) {
  const Stopwatch clock;
  if (!domain_) domain_.emplace(make_path_domain(shape(), options_.geodesic, execution));
  ChosenSolver chosen =
      options_.shared ? options_.shared->choose(*domain_, options_.geodesic, true_method(), execution)
                      : choose_solver(*domain_, options_.geodesic, execution, exact_ ? &*exact_ : nullptr);
  if (domain_released_) domain_.reset();
  solver_ = std::move(chosen.solver);
  if (options_.geodesic.method == GeodesicMethod::automatic) tried_ = std::move(chosen.tried);
  if (chosen.exact_windows > 0) exact_windows_ = chosen.exact_windows;
  options_.geodesic.method = chosen.method;
  geodesic_ = geodesic_method_name(chosen.method);
  solver_seconds_ = clock.seconds();
}

const GeodesicSolver& PreparedShape::solver(const Execution& execution) {
  if (!solver_) make_solver_now(execution);
  return *solver_;
}

/// What a coarser mesh is chosen by, or else a solver.
void PreparedShape::measure_exact_rows() {
  const Surface& surface = std::get<MeshPaths>(domain_->paths).surface;
  exact_ = exact_rows(surface, rows_for_bias(static_cast<Index>(surface.points.rows())));
  exact_windows_ = exact_->windows;
}

CoarseMarching PreparedShape::find_coarse_mesh(const std::vector<Index>& landmarks,
                                               const Execution& execution) {
  if (!exact_) measure_exact_rows();
  return march_coarsely(std::get<MeshPaths>(domain_->paths).surface, *exact_, landmarks, options_.coarsen,
                        {execution.threads, execution.progress});
}

/// What the distances between these landmarks are measured with. Rank 0 of a team does not look for a coarser
/// mesh where it measures no distances: it learns from the last rank what was found.
const GeodesicSolver& PreparedShape::landmark_solver(const ChosenLandmarks& chosen, double first_share,
                                                     const Execution& execution) {
  if (waits_for_landmarks_) {
    const Team* team = first_share == 0 ? team_of(execution) : nullptr;
    const bool idle = team != nullptr && team->rank() == 0;
    CoarseMarching found;
    if (!idle) found = find_coarse_mesh(chosen.order.vertices, execution);
    bool is_found = found.solver != nullptr;
    if (team != nullptr) {
      BytesWriter writer;
      writer.put(is_found);
      writer.put(found.mesh);
      writer.put_vector(found.tried);
      const Bytes bytes = broadcast(*team, writer.take(), team->size() - 1);
      BytesReader reader(bytes);
      is_found = reader.get<bool>();
      found.mesh = reader.get<CoarseMesh>();
      found.tried = reader.get_vector<CoarseMesh>();
    }
    waits_for_landmarks_ = false;
    tried_meshes_ = std::move(found.tried);
    if (is_found) {
      coarse_mesh_ = found.mesh;
      options_.geodesic.method = GeodesicMethod::fast_marching;
      const auto full = [this](const Execution& own) {
        solver(own);
        return solver_;
      };
      const auto coarse = [this, landmarks = chosen.order.vertices](const Execution& own) {
        return find_coarse_mesh(landmarks, own).solver;
      };
      coarse_solver_ = idle ? std::make_shared<const CoarseSolver>(size(), coarse, full)
                            : std::make_shared<const CoarseSolver>(std::move(found.solver), full);
    }
    if (domain_released_ && coarse_solver_ && !idle) domain_.reset();
  }
  return coarse_solver_ ? *coarse_solver_ : solver(execution);
}

std::string PreparedShape::true_method() const {
  if (!measures()) return geodesic_;
  const bool edges = options_.geodesic.method == GeodesicMethod::graph;
  return std::string(geodesic_method_name(edges ? GeodesicMethod::graph : exact_method(shape())));
}

TrueSolver PreparedShape::true_solver(const Execution& execution) const {
  if (!measures()) return {solver_, geodesic_};
  const std::string name = true_method();
  GeodesicOptions geodesic = options_.geodesic;
  geodesic.method = geodesic_method(name);
  if (solver_ && name == geodesic_) return {solver_, name};
  const auto make = [&]() -> std::shared_ptr<const GeodesicSolver> {
    if (std::holds_alternative<Samples>(shape()))  // whose neighbours take long to find
      return std::make_shared<DijkstraSolver>(edges_);
    if (domain_) return make_solver(*domain_, geodesic, execution);
    if (triangulated_) return make_solver(*triangulated_, geodesic, execution);
    return make_solver(shape(), geodesic, execution);
  };
  return {options_.shared ? options_.shared->true_solver(name, make) : make(), name};
}

RememberedRows& PreparedShape::rows(const Execution& execution) {
  if (!rows_) rows_.emplace(solver(execution), options_.row_bound);
  return *rows_;
}

void PreparedShape::make_solver_beside(const Execution& execution,
                                       const std::function<void(const Execution&)>& work) {
  if (solver_ || exact_) return work(execution);
  side_by_side({execution.threads, execution.progress}, work, [&](const Execution& mine) {
    waits_for_landmarks_ ? measure_exact_rows() : make_solver_now(mine);
  });
}

void PreparedShape::choose_by_ranks(const Team& team, ChosenLandmarks& result,
                                    const std::function<void(const Execution&)>& choose,
                                    const Execution& execution) {
  const int last = team.size() - 1;
  if (team.rank() == 0) choose({execution.threads, execution.progress});
  if (team.rank() == last) measure_exact_rows();
  broadcast_landmarks(team, result, 0);
  if (!exact_) exact_.emplace();
  broadcast_rows(team, *exact_, std::get<MeshPaths>(domain_->paths).surface.points.rows(), last);
  exact_windows_ = exact_->windows;
}

const ChosenLandmarks& PreparedShape::choose(LandmarkOptions options, const Execution& execution) {
  options = resolved(std::move(options), component_, components_);
  for (const ChosenLandmarks& known : chosen_)
    if (known.options == options) return known;
  const Stopwatch clock;
  const bool had_solver = solver_ != nullptr;
  ChosenLandmarks result;
  const auto choose_some = [&](const Execution& mine) {
    Landmarks found =
        measures() ? choose_landmarks(*domain_, options, mine) : choose_landmarks(*solver_, options, mine);
    if (options.method != LandmarkMethod::user) leave_out_lone_points(edges_, found.vertices);
    result.order = order_landmarks(edges_, found.vertices);
    result.sequence = std::move(found.vertices);
    result.cover_radius = found.cover_radius.empty() ? 0 : found.cover_radius.back();
  };
  const Team* team = team_of(execution);
  if (team != nullptr && waits_for_landmarks_ && !solver_ && !exact_)
    choose_by_ranks(*team, result, choose_some, execution);
  else
    make_solver_beside(execution, choose_some);
  result.options = std::move(options);
  if (!measures()) result.order.reach.clear();  // edges say nothing about user-supplied distances
  result.seconds = clock.seconds();
  result.with_solver = !had_solver;
  chosen_.push_back(std::move(result));
  return chosen_.back();
}

std::vector<Index> PreparedShape::choose_vertices(const LandmarkOptions& options,
                                                  const Execution& execution) {
  Landmarks found = choose_landmarks(*domain_, resolved(options, component_, components_), execution);
  leave_out_lone_points(edges_, found.vertices);
  return std::move(found.vertices);
}

bool PreparedShape::keeps_rows(const std::vector<Index>& landmarks, bool with_rows) const {
  if (rows_ && rows_->has(landmarks)) return true;
  const double bytes = 4.0 * static_cast<double>(size()) * static_cast<double>(landmarks.size()) +
                       (rows_ ? static_cast<double>(rows_->bytes()) : 0);
  return (options_.keep_rows || with_rows) && bytes <= static_cast<double>(options_.row_bound);
}

const MeasuredLandmarks& PreparedShape::measure(const ChosenLandmarks& chosen, const MeasureRequest& request,
                                                const Execution& execution, const WorkBeside& beside) {
  for (const MeasuredLandmarks& known : landmarks_)
    if (known.options == chosen.options && known.precision == request.distances.precision) {
      if (beside) beside([] { return true; });
      return known;
    }
  MeasuredLandmarks result;
  result.options = chosen.options;
  result.precision = request.distances.precision;
  result.cover_radius = chosen.cover_radius;
  result.landmark_seconds = chosen.seconds;
  const bool keep = keeps_rows(chosen.order.vertices, request.with_rows);
  const double before = solver_seconds_;  // what is made from here on is counted with the distances
  double settle_seconds = 0;
  const auto work = [&](const Execution& mine) {
    const Stopwatch clock;
    const GeodesicSolver& own = keep ? static_cast<const GeodesicSolver&>(rows(mine))
                                     : landmark_solver(chosen, request.distances.first_share, mine);
    const GeodesicSolver& source = request.through ? request.through(own) : own;
    LandmarkDistanceOptions how = request.distances;
    if (coarse_mesh_.share > 1) how.log_key += text("\ncoarse ", coarse_mesh_.share);
    SettledLandmarks settled = settle_landmarks(source, edges_, chosen.order, how, mine);
    result.order = std::move(settled.landmarks);
    result.W = std::move(settled.distances);
    result.replaced = std::move(settled.replaced);
    if (request.spots > 0)
      result.spots = measure_spot_rows(spot_solver(how.first_share, mine), component_, request.spots,
                                       request.seed, mine, how.first_share);
    settle_seconds = clock.seconds();
    if (!request.with_rows && !request.keep_solver) release_solver();
  };
  if (beside && options_.once) {
    std::atomic<bool> ended = false;
    const auto measure = [&](const Execution& mine) {
      const SetAtEnd end{ended};  // also where it throws
      work(mine);
    };
    side_by_side(execution, measure, [&](const Execution&) { beside([&] { return ended.load(); }); });
  } else {
    work(execution);
    if (beside) beside([] { return true; });
  }
  if (!measures()) result.order.reach.clear();
  result.geodesic_seconds =
      (chosen.with_solver ? 0 : before) +
      (keep && rows_ ? rows_->seconds_per_row() * static_cast<double>(result.order.vertices.size())
                     : settle_seconds);
  landmarks_.push_back(std::move(result));
  return landmarks_.back();
}

/// Rank 0 makes no solver where it measures nothing.
const GeodesicSolver& PreparedShape::spot_solver(double first_share, const Execution& execution) {
  const Team* team = team_of(execution);
  const bool idle = team != nullptr && team->rank() == 0 && first_share == 0;
  return idle && coarse_solver_ ? *coarse_solver_ : solver(execution);
}

SpotRows PreparedShape::spot_rows(Index count, std::uint64_t seed, const Execution& execution) {
  return measure_spot_rows(solver(execution), component_, count, seed, execution);
}

Timed<RowMatrix<float>> PreparedShape::columns(const MeasuredLandmarks& landmarks,
                                               const Execution& execution) {
  const OrderedLandmarks& order = landmarks.order;
  RememberedRows& kept = rows(execution);
  kept.measure(order.vertices, execution);
  Index most = 0;
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    most = std::max(most, order.component_first[c + 1] - order.component_first[c]);
  RowMatrix<float> C = RowMatrix<float>::Zero(size(), most);
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    for (Index k = order.component_first[c]; k < order.component_first[c + 1]; ++k) {
      const std::vector<float>& row = kept.row(order.vertices[k], execution);
      for (Index v = 0; v < size(); ++v)
        if (order.component[v] == static_cast<Index>(c)) C(v, k - order.component_first[c]) = row[v];
    }
  put_landmark_distances(landmarks, C);
  return {std::move(C),
          solver_seconds_ + kept.seconds_per_row() * static_cast<double>(order.vertices.size())};
}

const Timed<Laplacian>& PreparedShape::laplacian(const Execution& execution) {
  if (!laplacian_)
    laplacian_ = timed([&] {
      return laplacian_within(shape(), options_.geodesic.keep, component_, options_.laplacian, execution);
    });
  return *laplacian_;
}

const Timed<Eigenpairs>& PreparedShape::eigenpairs(Index count, const Execution& execution) {
  if (!eigenpairs_ || eigenpairs_->value.values.size() < count)
    eigenpairs_ = timed([&] { return low_eigenpairs(laplacian(execution).value, count, execution); });
  return *eigenpairs_;
}

const Timed<RowMatrix<float>>& PreparedShape::interpolation(const MeasuredLandmarks& landmarks,
                                                            const Execution& execution) {
  if (!interpolation_ || interpolated_ != landmarks.order.vertices) {
    interpolation_.reset();
    const Laplacian& operators = laplacian(execution).value;
    interpolation_ = timed([&] {
      RowMatrix<float> P =
          dense_interpolation_operator(operators, landmarks.order.vertices, landmarks.order.cell, execution);
      bounds_ = bound_rows(P, landmarks.order, landmarks.W, edges_, execution);
      return P;
    });
    interpolated_ = landmarks.order.vertices;
  }
  return *interpolation_;
}

MeasuredLandmarks PreparedShape::take(const MeasuredLandmarks& found) {
  if (!options_.once) return found;
  const auto mine = std::find_if(landmarks_.begin(), landmarks_.end(),
                                 [&](const MeasuredLandmarks& one) { return &one == &found; });
  MeasuredLandmarks taken = std::move(*mine);
  landmarks_.erase(mine);
  return taken;
}

SpotRows PreparedShape::take_spots(const MeasuredLandmarks& found) {
  if (!options_.once) return found.spots;
  const auto mine = std::find_if(landmarks_.begin(), landmarks_.end(),
                                 [&](const MeasuredLandmarks& one) { return &one == &found; });
  return std::move(mine->spots);
}

RowMatrix<float> PreparedShape::take_interpolation() {
  if (!options_.once) return interpolation_->value;
  RowMatrix<float> taken = std::move(interpolation_->value);
  interpolation_.reset();
  return taken;
}

void PreparedShape::forget() {
  if (rows_) rows_->forget();
  landmarks_.clear();
  chosen_.clear();
  interpolation_.reset();
  interpolated_.clear();
}

void PreparedShape::forget_operators() {
  laplacian_.reset();
  eigenpairs_.reset();
}

}  // namespace geodome::internal
