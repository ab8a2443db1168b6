#include "geodome/baselines/spectrometer_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/landmark/cells.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/matrix/each_pair.h"

namespace geodome::internal {
namespace {

constexpr Index least_eigenvectors = 8;

/// The rows and columns of a part alone.
Laplacian part_of(const Laplacian& whole, const std::vector<Index>& vertices, const std::vector<Index>& row) {
  Laplacian part;
  const auto size = static_cast<Eigen::Index>(vertices.size());
  part.mass.resize(size);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index r = 0; r < size; ++r) {
    const Index v = vertices[static_cast<std::size_t>(r)];
    part.mass[r] = whole.mass[v];
    for (SparseMatrix::InnerIterator entry(whole.stiffness, v); entry; ++entry)
      entries.emplace_back(row[static_cast<std::size_t>(entry.row())], static_cast<Index>(r), entry.value());
  }
  part.stiffness.resize(size, size);
  part.stiffness.setFromTriplets(entries.begin(), entries.end());
  return part;
}

/// All faces or edges: what they stand for, and the cells they lie in.
struct Places {
  std::vector<double> weight;
  std::vector<Index> cell;
  std::vector<Index> component;
};

Places face_places(const TriangleMesh& mesh, const std::vector<Index>& cell,
                   const std::vector<Index>& component) {
  Places places;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto corner = mesh.triangles.row(f);
    const bool joined =
        component[corner[0]] == component[corner[1]] && component[corner[0]] == component[corner[2]];
    const TriangleShape shape =
        triangle_shape(mesh.points.row(corner[0]), mesh.points.row(corner[1]), mesh.points.row(corner[2]));
    places.weight.push_back(joined ? shape.area : 0);
    places.cell.push_back(cell[corner[0]]);
    places.component.push_back(component[corner[0]]);
  }
  return places;
}

/// Each edge from its smaller end.
Places edge_places(const Adjacency& edges, const Laplacian& laplacian, const std::vector<Index>& cell,
                   const std::vector<Index>& component) {
  Places places;
  for (Index v = 0; v < edges.size(); ++v)
    for (std::int64_t e = edges.offsets[v]; e < edges.offsets[v + 1]; ++e) {
      const Index other = edges.neighbours[e];
      const double weight = v < other ? -laplacian.stiffness.coeff(v, other) : 0;
      places.weight.push_back(std::max(0.0, weight));
      places.cell.push_back(cell[v]);
      places.component.push_back(component[v]);
    }
  return places;
}

/// Those of each component: the requested number per cell, or as many as give one per eigenvector.
std::vector<SampledPlaces> sample_parts(const Places& places, const std::vector<SpectralPart>& parts,
                                        const SpectralSampling& sampling,
                                        const std::vector<Index>& component) {
  std::vector<std::vector<Index>> of_part(parts.size());
  for (std::size_t p = 0; p < places.component.size(); ++p)
    if (places.component[p] >= 0) of_part[places.component[p]].push_back(static_cast<Index>(p));
  std::vector<Index> landmarks(parts.size(), 0);
  for (const Index landmark : sampling.landmarks)
    if (component[landmark] >= 0) ++landmarks[component[landmark]];
  std::vector<SampledPlaces> result;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    std::vector<double> weight;
    std::vector<Index> cell;
    for (const Index p : of_part[c]) {
      weight.push_back(places.weight[p]);
      cell.push_back(places.cell[p]);
    }
    const auto k = static_cast<Index>(parts[c].pairs.values.size());
    const Index enough = k / std::max<Index>(1, landmarks[c]) + 1;
    const Index each =
        sampling.places == 0 ? std::numeric_limits<Index>::max() : std::max(sampling.places, enough);
    SampledPlaces sampled = sample_places(weight, cell, each);
    for (Index& place : sampled.place) place = of_part[c][place];
    result.push_back(std::move(sampled));
  }
  return result;
}

/// Fills in the rows of one part.
void measure_part(const SpectralPart& part, const Spectrometer& meter, RowMatrix<float>& vectors,
                  RowMatrix<float>& coefficients, const Execution& execution) {
  const Eigen::Index k = part.pairs.values.size();
  constexpr std::size_t chunk = 64;
  const std::size_t count = part.vertices.size();
  parallel_for((count + chunk - 1) / chunk, execution, "coefficients", [&](std::size_t item, int) {
    std::vector<Index> sources;
    for (std::size_t r = item * chunk; r < std::min(count, (item + 1) * chunk); ++r)
      sources.push_back(static_cast<Index>(r));
    const Eigen::MatrixXd found = meter.coefficients(sources);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Index v = part.vertices[static_cast<std::size_t>(sources[s])];
      vectors.row(v).head(k) = part.pairs.vectors.row(sources[s]).cast<float>();
      coefficients.row(v).head(k) = found.col(static_cast<Eigen::Index>(s)).transpose().cast<float>();
    }
  });
}

struct Storage {
  RowMatrix<float> vectors, coefficients;
  std::vector<Index> component;
};

SpectrometerArrays store(Storage numbers) {
  if (numbers.vectors.rows() != numbers.coefficients.rows() ||
      numbers.vectors.cols() != numbers.coefficients.cols())
    throw InputError(text(numbers.coefficients.rows(), " by ", numbers.coefficients.cols(),
                          " coefficients for ", numbers.vectors.rows(), " by ", numbers.vectors.cols(),
                          " eigenvectors"));
  const auto kept = std::make_shared<const Storage>(std::move(numbers));
  const auto all = [](const RowMatrix<float>& M) {
    return std::span<const float>(M.data(), static_cast<std::size_t>(M.size()));
  };
  const auto k = static_cast<Index>(kept->vectors.cols());
  return {k, all(kept->vectors), all(kept->coefficients), kept->component, nullptr, kept};
}

Index vertices_of(const SpectrometerArrays& arrays) {
  if (arrays.eigenvectors < 1)
    throw InputError(text("the number of eigenvectors must be at least 1, got ", arrays.eigenvectors));
  const std::size_t vertices = arrays.vectors.size() / static_cast<std::size_t>(arrays.eigenvectors);
  if (vertices > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(
        text(vertices, " vertices; at most ", std::numeric_limits<Index>::max(), " are supported"));
  return static_cast<Index>(vertices);
}

}  // namespace

SpectrometerMatrix::SpectrometerMatrix(SpectrometerArrays arrays, DistanceKind kind)
    : arrays_(std::move(arrays)), size_(vertices_of(arrays_)), kind_(kind) {
  const auto k = static_cast<std::size_t>(arrays_.eigenvectors), n = static_cast<std::size_t>(size_);
  if (arrays_.vectors.size() != n * k || arrays_.coefficients.size() != n * k)
    throw InputError(text(arrays_.vectors.size(), " numbers of ", k, " eigenvectors and ",
                          arrays_.coefficients.size(), " coefficients for ", n, " vertices"));
  if (!arrays_.component.empty() && arrays_.component.size() != n)
    throw InputError(text(arrays_.component.size(), " component labels for ", n, " vertices"));
}

SpectrometerMatrix::SpectrometerMatrix(RowMatrix<float> vectors, RowMatrix<float> coefficients,
                                       std::vector<Index> component, DistanceKind kind)
    : SpectrometerMatrix(store({std::move(vectors), std::move(coefficients), std::move(component)}), kind) {}

SpectrometerMatrix::Row SpectrometerMatrix::row(std::span<const float> numbers, Index vertex) const {
  const auto k = static_cast<std::size_t>(arrays_.eigenvectors);
  const auto own = numbers.subspan(static_cast<std::size_t>(vertex) * k, k);
  verify(arrays_.check, own);
  return {own.data(), static_cast<Eigen::Index>(k)};
}

Vector SpectrometerMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                                   const Execution& execution) const {
  require_pairs(I, J);
  return each_pair(I, J, execution, [&](Index i, Index j) {
    if (component(i) < 0 || component(i) != component(j)) return i == j ? 0 : infinity;
    const float twice = (row(arrays_.vectors, j) - row(arrays_.vectors, i))
                            .dot(row(arrays_.coefficients, i) - row(arrays_.coefficients, j));
    const double distance = std::max(0.0, static_cast<double>(twice) / 2);
    return kind_ == DistanceKind::squared ? distance * distance : distance;
  });
}

std::vector<Index> SpectrometerMatrix::component_labels(const Execution&) const {
  if (arrays_.component.empty()) return std::vector<Index>(static_cast<std::size_t>(size_), 0);
  return {arrays_.component.begin(), arrays_.component.end()};
}

MatrixFacts SpectrometerMatrix::facts() const {
  MatrixFacts facts;
  facts.counts = {{"eigenvectors", eigenvectors()}};
  return facts;
}

std::int64_t SpectrometerMatrix::bytes() const {
  return static_cast<std::int64_t>(arrays_.vectors.size_bytes() + arrays_.coefficients.size_bytes() +
                                   arrays_.component.size_bytes());
}

std::vector<SpectralPart> spectral_parts(const Laplacian& laplacian, const std::vector<Index>& component,
                                         Index components, Index count, const Execution& execution) {
  std::vector<SpectralPart> parts(static_cast<std::size_t>(components));
  std::vector<Index> row(component.size(), -1);
  std::size_t all = 0;
  for (std::size_t v = 0; v < component.size(); ++v) {
    if (component[v] < 0) continue;
    std::vector<Index>& vertices = parts[component[v]].vertices;
    row[v] = static_cast<Index>(vertices.size());
    vertices.push_back(static_cast<Index>(v));
    ++all;
  }
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const Laplacian own = part_of(laplacian, parts[c].vertices, row);
    const auto massive = static_cast<Index>((own.mass.array() > 0).count());
    if (massive == 0)
      throw InputError(text("component ", c, " of ", parts[c].vertices.size(),
                            " vertices has no area: exclude it with a mask"));
    const double share = static_cast<double>(parts[c].vertices.size()) / static_cast<double>(all);
    const auto wanted = static_cast<Index>(std::lround(share * count));
    parts[c].pairs = low_eigenpairs(own, std::min(massive, std::max(least_eigenvectors, wanted)), execution);
  }
  return parts;
}

SpectralPart spectral_part(const Eigenpairs& pairs, const std::vector<Index>& component, Index count) {
  SpectralPart part;
  for (std::size_t v = 0; v < component.size(); ++v)
    if (component[v] >= 0) part.vertices.push_back(static_cast<Index>(v));
  const Eigen::Index k = std::min<Eigen::Index>(count, pairs.values.size());
  part.pairs.values = pairs.values.head(k);
  part.pairs.residuals = pairs.residuals.head(k);
  part.pairs.vectors.resize(static_cast<Eigen::Index>(part.vertices.size()), k);
  for (std::size_t r = 0; r < part.vertices.size(); ++r)
    part.pairs.vectors.row(static_cast<Eigen::Index>(r)) = pairs.vectors.row(part.vertices[r]).head(k);
  return part;
}

SpectrometerMatrix make_spectrometer(const std::vector<SpectralPart>& parts,
                                     const std::vector<Index>& component, const PathDomain& domain,
                                     const Adjacency& edges, const Laplacian& laplacian,
                                     const SpectralSampling& sampling, const SpectrometerOptions& options,
                                     DistanceKind kind, const Execution& execution) {
  const auto* surface = std::get_if<MeshPaths>(&domain.paths);
  const std::vector<Index> cell = landmark_cells(edges, sampling.landmarks);
  const Places places = surface != nullptr ? face_places(surface->mesh, cell, component)
                                           : edge_places(edges, laplacian, cell, component);
  const std::vector<SampledPlaces> sampled = sample_parts(places, parts, sampling, component);
  std::vector<Index> row(component.size(), -1);
  Eigen::Index most = 0;
  for (const SpectralPart& part : parts) {
    most = std::max(most, part.pairs.values.size());
    for (std::size_t r = 0; r < part.vertices.size(); ++r) row[part.vertices[r]] = static_cast<Index>(r);
  }
  const auto size = static_cast<Eigen::Index>(component.size());
  RowMatrix<float> vectors = RowMatrix<float>::Zero(size, most), coefficients = vectors;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const Eigenpairs& pairs = parts[c].pairs;
    std::unique_ptr<GradientSamples> gradients;
    if (surface != nullptr)
      gradients = std::make_unique<FaceGradients>(surface->mesh, sampled[c], pairs.vectors, row);
    else
      gradients = std::make_unique<EdgeGradients>(edges, sampled[c], pairs.vectors, row);
    measure_part(parts[c], Spectrometer(pairs, *gradients, options), vectors, coefficients, execution);
  }
  const bool whole = std::all_of(component.begin(), component.end(), [](Index c) { return c == 0; });
  return {std::move(vectors), std::move(coefficients), whole ? std::vector<Index>() : component, kind};
}

}  // namespace geodome::internal
