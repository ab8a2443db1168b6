#include "geodome/pipeline/plan.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"
#include "geodome/base/threads.h"
#include "geodome/cell/training_rows.h"
#include "geodome/geodesic/coarse_marching.h"
#include "geodome/interpolation/thinned_samples.h"
#include "geodome/landmark/landmark_rows.h"
#include "geodome/landmark/precision.h"
#include "geodome/laplacian/neighbours.h"
#include "geodome/pipeline/method_table.h"
#include "geodome/pipeline/paths.h"

namespace geodome {

using namespace internal;

namespace {

std::int64_t precision_bytes(Precision precision) {
  return precision == Precision::float64 ? 8 : precision == Precision::uint16 ? 2 : 4;
}

std::int64_t shape_bytes(const Shape& shape) {
  const std::int64_t vertices = vertex_count(shape), faces = face_count(shape);
  if (const auto* samples = std::get_if<Samples>(&shape)) return 8 * samples->values.size();
  if (std::holds_alternative<Graph>(shape)) return 16 * faces;
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape))
    return 24 * vertices + 4 * static_cast<std::int64_t>(mesh->corners.size()) + 8 * faces;
  return 24 * vertices + 12 * faces;
}

/// Of an exact row, per vertex.
constexpr double exact_seconds = 1.6e-6;
/// The fewest rows of a certificate.
constexpr Index fewest_rows = 4;

/// Seconds per vertex and landmark of one row on one core. Many landmarks share their sweeps.
double seconds_per_entry(const std::string& method, Index landmarks) {
  if (method == "exact") return exact_seconds;
  if (method == "edges") return 1.5e-7;
  if (method == "heat") return 1e-7;
  if (method == "carried")
    return std::clamp(9e-8 * std::sqrt(1000.0 / std::max<Index>(1, landmarks)), 6e-8, 8e-7);
  if (method == "given") return 1e-9;
  return std::min(7e-8, 3.5e-8 * std::pow(1000.0 / std::max<Index>(1, landmarks), 0.35));
}

/// Of a row of the certificate.
double exact_seconds_per_entry(const std::string& geodesic) {
  return seconds_per_entry(geodesic == "given" || geodesic == "edges" ? geodesic : "exact", 1);
}

double landmark_seconds(const BuildPlan& plan) {
  return plan.vertices * (1e-5 + 5e-7 * (1 + std::log(plan.landmarks + 1.0)));
}

/// On a coarser mesh all but `whole` rows; it takes one thread to make.
double geodesic_seconds(const BuildPlan& plan, int threads, Index whole = 0) {
  constexpr double coarsening_seconds = 7e-6;  // per vertex
  const double rows = std::min(plan.landmarks, whole);
  const double marched = rows + (plan.landmarks - rows) / plan.coarsen;
  return marched * plan.vertices * seconds_per_entry(plan.geodesic, plan.landmarks) / threads +
         (plan.coarsen > 1 ? coarsening_seconds * plan.vertices : 0);
}

double laplacian_seconds(const BuildPlan& plan) {
  return plan.vertices * 1e-6;
}

void plan_sizes(BuildPlan& plan, const BuildOptions& options) {
  const auto n = static_cast<std::int64_t>(plan.vertices), l = static_cast<std::int64_t>(plan.landmarks);
  const bool dense = options.method == Method::bha;
  const std::int64_t per_row = std::min<std::int64_t>(options.interpolation.nonzeros, l);
  plan.nonzeros = dense ? n * l : l + std::max<std::int64_t>(0, n - l) * per_row;
  const std::int64_t entry = (l <= 65536 ? 2 : 4) + (options.precision == Precision::float64 ? 4 : 2);
  const std::int64_t P = dense ? 4 * plan.nonzeros : entry * plan.nonzeros + 4 * (n + 1);
  const std::int64_t W = precision_bytes(options.precision) * packed_size(l);
  plan.bytes = P + W + 4 * n + 4 * l;  // with a label per vertex, as for several components
  plan.scratch_bytes = !options.scratch.empty() && W > options.landmark_memory ? W : 0;
}

/// What folding W takes besides all of W: rows on their way, and where a file holds W, the part of it that
/// each of several ranks folds.
double folding_bytes(const BuildPlan& plan, const BuildOptions& options, const Team* team) {
  const bool in_file = plan.scratch_bytes > 0;
  LandmarkDistanceOptions distances;
  distances.together = options.log_every;
  const double l = plan.landmarks, ranks = team != nullptr ? team->size() : 1;
  const double together =
      std::min(l, static_cast<double>(sources_together(static_cast<std::size_t>(plan.landmarks), distances)));
  // Measured in double precision, and copied as they are stored; in memory, fits include them.
  if (team == nullptr) return in_file ? 12 * together * l : 0;
  const double round = std::min(l, ranks * together);  // rows that are exchanged at once
  const double whole = std::min(round * l, std::max(together * l, static_cast<double>(most_whole_numbers)));
  // Packed and unpacked; the first rank may need whole rows.
  const double exchanged = 16 * together * l + 8 * whole;
  if (options.precision == Precision::uint16) return exchanged;
  const double part = static_cast<double>(precision_bytes(options.precision)) * l * l / 2 / ranks;
  return exchanged + part * (4 * round / l + (in_file ? 1 : 0));
}

// Of samples: fitted on a sphere, a rolled sheet in 10-D and a surface in 30-D of 20,000 and 100,000 samples.

/// P: a factor for all, which grows like that of a surface whose samples have as many neighbours, and the
/// solutions; or the same for some samples, and the rows of the others.
void plan_rows_of_samples(BuildPlan& plan, const NeighbourCost& cost, const BuildOptions& options,
                          int threads, double& laplacian, double& interpolation) {
  constexpr double thinned_share = 1.0 / 6, factor = 1e-6, solution = 8e-8, extension = 2e-5;
  const bool thinned = thins_samples(plan.vertices, plan.landmarks, options.interpolation);
  const double n = plan.vertices * (thinned ? thinned_share : 1), l = plan.landmarks;
  const double perplexity =
      thinned ? thinned_perplexity(options.laplacian.perplexity) : options.laplacian.perplexity;
  laplacian = cost.seconds(static_cast<Index>(3 * perplexity), threads) * n / plan.vertices;
  interpolation = factor * std::pow(n, 1.5) * perplexity / 30 + solution * n * l / threads +
                  (thinned ? extension * plan.vertices / threads : 0);
  // 5,500 numbers per sample at 20,000 and 7,500 at 100,000; it grows like the front of the factor.
  const double numbers = n * (3000 + 15 * std::sqrt(n)) * std::sqrt(perplexity / 30);
  plan.peak_bytes = static_cast<std::int64_t>(8 * numbers) + 30 * plan.nonzeros +
                    (plan.scratch_bytes > 0 ? 0 : 4 * packed_size(plan.landmarks)) +
                    std::int64_t{2500} * plan.vertices;
}

/// Replaces what the plan says of surfaces.
void plan_samples(BuildPlan& plan, const Samples& samples, const BuildOptions& options, int threads) {
  constexpr double row_seconds = 9e-9;  // per sample and neighbour
  const NeighbourCost cost(samples.values);
  double laplacian = 0, interpolation = 0;
  const bool solves = options.method == Method::sbha;
  if (solves)
    plan_rows_of_samples(plan, cost, options, threads, laplacian, interpolation);
  else if (options.method != Method::cell)
    laplacian = cost.seconds(static_cast<Index>(3 * options.laplacian.perplexity), threads);
  for (auto& [stage, seconds] : plan.stages) {
    if (stage == "landmark") seconds += cost.seconds(options.geodesic.neighbours, threads);
    if (stage == "geodesic" && plan.geodesic == "edges")
      seconds = row_seconds * options.geodesic.neighbours * plan.vertices * plan.landmarks / threads;
    if (stage == "laplacian") seconds = laplacian;
    if (stage == "interpolation" && solves) seconds = interpolation;
  }
}

/// Of the mesh that landmarks will be measured on: a quarter of the vertices where it depends on the error.
Index likely_share(const Shape& shape, const BuildOptions& options, const BuildPlan& plan) {
  if (!row_of(options.method).traits.factors || !options.measures()) return 1;
  if (options.coarsen > 0) return options.coarsen;
  const bool mesh = std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<PolygonMesh>(shape);
  const bool open = mesh && options.geodesic.method == GeodesicMethod::automatic &&
                    plan.geodesic == geodesic_method_name(GeodesicMethod::fast_marching);
  constexpr Index quarter = 4;
  return open && coarsening_pays(plan.vertices, plan.landmarks, plan.landmarks - whole_rows(options.method))
             ? quarter
             : 1;
}

}  // namespace

double BuildPlan::seconds() const {
  double total = 0;
  for (const auto& [stage, seconds] : stages) total += seconds;
  return total;
}

std::int64_t internal::full_matrix_bytes(Index vertices) {
  return 4 * static_cast<std::int64_t>(vertices) * vertices;
}

Index internal::certificate_rows(const BuildOptions& options, Index vertices, Index landmarks,
                                 const std::string& geodesic, Index coarsen) {
  constexpr double share = 0.1, fewest = fewest_rows, most = 200;
  if (options.certificate_rows >= 0) return std::min(options.certificate_rows, vertices);
  const MethodRow& method = row_of(options.method);
  if (!method.traits.file || method.plan == nullptr) return 0;
  BuildPlan plan;
  plan.vertices = vertices;
  plan.landmarks = landmarks;
  plan.geodesic = geodesic;
  plan.coarsen = coarsen;
  method.plan(plan, options, 1);
  // User-supplied distances may cost anything: a tenth of the rows that landmarks take.
  const double rows = geodesic == "given" ? share * landmarks
                                          : share * plan.seconds() /
                                                (exact_seconds_per_entry(geodesic) * std::max(1, vertices));
  return std::min(static_cast<Index>(std::clamp(rows, fewest, most)), vertices);
}

Index internal::affordable_rows(const BuildOptions& options, Index planned, double windows) {
  constexpr double window_seconds = 5e-8, tolerated = 3;
  const double longer = windows * window_seconds / exact_seconds;
  if (options.certificate_rows >= 0 || longer <= tolerated) return planned;
  return std::min(planned, std::max(fewest_rows, static_cast<Index>(planned / longer)));
}

Index internal::whole_rows(Method method) {
  return method == Method::cell ? TrainingOptions{}.most_rows : 0;
}

void internal::plan_landmark_matrix(BuildPlan& plan, const BuildOptions& options, int threads) {
  plan_sizes(plan, options);
  const double n = plan.vertices, l = plan.landmarks;
  const double P_seconds = std::min(n * std::log2(n + 2) * 1.6e-6 + l * 5e-4, l * n * 2e-7 + 0.1);
  // Fitted on Igea (134,345 vertices) and the dragon (437,645) with 1,000 landmarks, and on the dragon split
  // once with 50,000.
  plan.stages = {{"landmark", landmark_seconds(plan)},
                 {"geodesic", geodesic_seconds(plan, threads)},
                 {"laplacian", laplacian_seconds(plan)},
                 {"interpolation", P_seconds},
                 {"pack", static_cast<double>(plan.nonzeros) * 2e-8}};
  // On the bunny (14,290 vertices), Igea and the dragon with 1,000 landmarks; for the dense P on Igea; where
  // P has one factor for all, which is held beside W, on Igea with two threads.
  const bool one_factor = n > 80 * l;
  const auto nonzeros = static_cast<double>(plan.nonzeros);
  const double working = options.method == Method::bha ? n * 5000 + 4 * nonzeros
                                                       : n * (one_factor ? 5400 : 2500) + 30 * nonzeros;
  const double W =
      plan.scratch_bytes > 0 ? 0 : static_cast<double>(precision_bytes(options.precision)) * l * l / 2;
  plan.peak_bytes = static_cast<std::int64_t>(working + W);
}

void internal::plan_cell(BuildPlan& plan, const BuildOptions&, int threads) {
  const double n = plan.vertices, l = plan.landmarks,
               rows = std::min(plan.landmarks, whole_rows(Method::cell));
  plan.nonzeros = 0;
  plan.bytes = static_cast<std::int64_t>(n * 6 + l * 200 + l * l / 4);
  plan.stages = {
      {"landmark", landmark_seconds(plan)},
      {"geodesic", geodesic_seconds(plan, threads, whole_rows(Method::cell)) + n * rows * 4e-9 / threads},
      {"interpolation", n * 1e-5 / threads},
      {"pack", n * 1e-6 + l * l * 1e-7}};
  // Fitted on a cortex (32,492 vertices), Igea and the dragon with 1,000 to 3,000 landmarks.
  plan.peak_bytes = static_cast<std::int64_t>(3e7 + n * 3000 + 10 * l * l + 90 * l * (l <= rows ? rows : 0));
}

// The two below on one core, fitted on the brain (7,502 vertices) and the bunny (14,290) with 400 landmarks
// and 200 eigenvectors.

void internal::plan_ctg(BuildPlan& plan, const BuildOptions& options, int threads) {
  constexpr double triangulation_seconds = 2e-6;  // per vertex
  const auto rows = static_cast<std::int64_t>(plan.vertices);
  const double added = std::max(8.0, options.baseline.repair * plan.landmarks);
  const auto samples = static_cast<std::int64_t>(plan.landmarks + added);
  plan.bytes = 28 * rows + 4 * packed_size(samples) + 16 * 2 * samples;  // of a complete triangulation
  plan.peak_bytes = 4000 * rows + 8 * rows * samples;  // all distances of the samples, twice
  plan.stages = {{"landmark", landmark_seconds(plan)},
                 {"geodesic", geodesic_seconds(plan, threads)},
                 {"triangulation", triangulation_seconds * plan.vertices}};
}

void internal::plan_spectrometer(BuildPlan& plan, const BuildOptions& options, int threads) {
  // Per vertex and eigenvector squared; per vertex, eigenvector and landmark.
  constexpr double eigenvector_seconds = 2e-8, coefficient_seconds = 1.5e-9;
  const auto rows = static_cast<std::int64_t>(plan.vertices);
  const auto k = static_cast<std::int64_t>(std::min(options.baseline.eigenvectors, plan.landmarks));
  const double n = plan.vertices, vectors = static_cast<double>(k);
  plan.geodesic = "spectral heat";
  plan.bytes = 8 * rows * k + 4 * rows;
  plan.peak_bytes = 2500 * rows + 70 * rows * k;  // as the search for eigenvectors holds them
  plan.stages = {{"landmark", landmark_seconds(plan)},
                 {"laplacian", laplacian_seconds(plan)},
                 {"eigenvectors", n * eigenvector_seconds * vectors * vectors},
                 {"coefficients", n * coefficient_seconds * vectors * plan.landmarks / threads}};
}

BuildPlan plan_build(const Shape& shape, const BuildOptions& options, const Execution& execution) {
  const MethodRow& method = row_of(options.method);
  if (method.plan == nullptr) throw InputError(text("no cost estimate is available for ", method.name.name));
  BuildPlan plan;
  plan.vertices = vertex_count(shape);
  plan.landmarks = options.landmarks.count;
  if (options.landmarks.method == LandmarkMethod::user)
    plan.landmarks = static_cast<Index>(options.landmarks.vertices.size());
  else if (plan.landmarks == 0)
    plan.landmarks = default_landmark_count(std::span(&plan.vertices, 1));
  if (plan.landmarks > plan.vertices)
    throw InputError(text(plan.landmarks, " landmarks are more than the ", plan.vertices,
                          " vertices: use at most this number"));
  GeodesicOptions geodesic = landmark_geodesics(options.geodesic, plan.landmarks);
  if (options.coarsen > 1 && geodesic.method == GeodesicMethod::automatic)
    geodesic.method = GeodesicMethod::fast_marching;
  plan.geodesic = options.measures() ? geodesic_method_name(resolve_method(shape, geodesic)) : "given";
  plan.coarsen = likely_share(shape, options, plan);
  plan.memory_available = available_memory();
  const Index rows = certificate_rows(options, plan.vertices, plan.landmarks, plan.geodesic, plan.coarsen);
  method.plan(plan, options, thread_count(execution));
  if (const auto* samples = std::get_if<Samples>(&shape))
    plan_samples(plan, *samples, options, thread_count(execution));
  if (options.method == Method::sbha || options.method == Method::bha)
    plan.peak_bytes += static_cast<std::int64_t>(folding_bytes(plan, options, team_of(execution)));
  if (rows > 0)
    plan.stages.emplace_back("certificate", exact_seconds_per_entry(plan.geodesic) * plan.vertices * rows /
                                                std::min(rows, thread_count(execution)));
  plan.file_bytes = plan.bytes + shape_bytes(shape) + 4096;
  plan.full_matrix_bytes = full_matrix_bytes(plan.vertices);
  return plan;
}

void require_memory(const BuildPlan& plan) {
  if (plan.memory_available == 0 || plan.peak_bytes <= plan.memory_available) return;
  constexpr double gigabyte = 1e9;
  throw MemoryError(
      text("this build needs about ", static_cast<double>(plan.peak_bytes) / gigabyte, " GB of memory, and ",
           static_cast<double>(plan.memory_available) / gigabyte,
           " GB are available: use fewer landmarks or nonzeros, a smaller precision, or method sbha"),
      plan.peak_bytes, plan.memory_available);
}

}  // namespace geodome
