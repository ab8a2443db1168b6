#pragma once
/// All distances by the heat method in the span of a few eigenvectors, kept as coefficients.

#include <memory>
#include <span>
#include <vector>

#include "geodome/baselines/spectrometer.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/storage_check.h"

namespace geodome::internal {

/// What is kept, in memory or in a mapped file: `owner` keeps it alive.
struct SpectrometerArrays {
  Index eigenvectors = 0;
  std::span<const float> vectors;       ///< #V by eigenvectors, row by row
  std::span<const float> coefficients;  ///< #V by eigenvectors
  std::span<const Index> component;     ///< #V, -1 where unreferenced; empty: all vertices in one component
  const StorageCheck* check = nullptr;  ///< called before vectors and coefficients are read
  std::shared_ptr<const void> owner;
};

/// d(i, j) = max(0, ½ (φ_j - φ_i) · (c_i - c_j)), φ_i the eigenvectors at i and c_i the coefficients of the
/// distances from i: zero at the source, and the average of both directions. Not linear, for the sake of
/// what would be negative: products go through all entries.
class SpectrometerMatrix final : public DistanceMatrix {
 public:
  /// Shares the arrays. Throws InputError when they do not fit each other. Cost: O(1) — numbers in a file are
  /// checked when they are read.
  SpectrometerMatrix(SpectrometerArrays arrays, DistanceKind kind);
  /// `vectors` and `coefficients` are #V by k.
  SpectrometerMatrix(RowMatrix<float> vectors, RowMatrix<float> coefficients, std::vector<Index> component,
                     DistanceKind kind);

  /// The same arrays, read as distances or as squared distances.
  SpectrometerMatrix as(DistanceKind kind) const { return {arrays_, kind}; }

  const SpectrometerArrays& arrays() const { return arrays_; }
  Index size() const override { return size_; }
  Index eigenvectors() const { return arrays_.eigenvectors; }
  DistanceKind kind() const override { return kind_; }
  /// Cost: O(k) per pair.
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  std::vector<Index> component_labels(const Execution& execution = {}) const override;
  std::int64_t bytes() const override;
  MatrixFacts facts() const override;
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override {
    return std::make_shared<SpectrometerMatrix>(as(kind));
  }
  std::string_view codec() const override { return "spectrometer"; }

 private:
  using Row = Eigen::Map<const Eigen::VectorXf>;
  Index component(Index vertex) const { return arrays_.component.empty() ? 0 : arrays_.component[vertex]; }
  Row row(std::span<const float> numbers, Index vertex) const;

  SpectrometerArrays arrays_;
  Index size_;
  DistanceKind kind_;
};

/// A component: its vertices, and the eigenpairs of its own Laplacian, vectors beside vertices.
struct SpectralPart {
  std::vector<Index> vertices;
  Eigenpairs pairs;
};

/// About `count` eigenpairs shared among the components by their vertices, at least 8 each where there are as
/// many vertices with mass. `component` is #V, -1 for vertices of none. Throws as low_eigenpairs, and
/// InputError on a component without mass.
std::vector<SpectralPart> spectral_parts(const Laplacian& laplacian, const std::vector<Index>& component,
                                         Index components, Index count, const Execution& execution = {});

/// The same of a shape of one component, from eigenpairs of all its vertices.
SpectralPart spectral_part(const Eigenpairs& pairs, const std::vector<Index>& component, Index count);

/// Where gradients are evaluated: at two faces (edges, where there are no faces) of each landmark's cell, or
/// more where there would be fewer than eigenvectors; `places` is that number, 0 for all.
struct SpectralSampling {
  std::span<const Index> landmarks;
  Index places = 2;
};

/// Cost: O(k (places + k)) for each vertex, 8 #V k bytes. `laplacian` gives the weights of edges.
SpectrometerMatrix make_spectrometer(const std::vector<SpectralPart>& parts,
                                     const std::vector<Index>& component, const PathDomain& domain,
                                     const Adjacency& edges, const Laplacian& laplacian,
                                     const SpectralSampling& sampling, const SpectrometerOptions& options,
                                     DistanceKind kind, const Execution& execution = {});

}  // namespace geodome::internal
