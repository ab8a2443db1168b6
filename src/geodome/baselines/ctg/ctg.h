#pragma once
/// Geodesic distances in constant time from a coarse triangulation of geodesics [Xin, Ying, He 2012].
///
/// Samples are the corners of geodesic triangles (ctg_triangles.h); each vertex keeps its triangle and its
/// distances to the three corners, and all distances between samples are kept.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodome/baselines/ctg/ctg_triangles.h"
#include "geodome/baselines/ctg/unfolding.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// What is kept, in memory.
struct CtgParts {
  std::vector<Index> component_first;          ///< #components + 1, positions of samples
  std::vector<float> W;                        ///< a packed triangle per component, one after the other
  std::vector<std::array<Index, 3>> triangle;  ///< of samples of one component; some may be the same
  std::vector<Index> of_vertex;                ///< #V: its triangle, or -1 for a vertex of no component
  std::vector<std::array<float, 3>> distance;  ///< #V: to the corners of its triangle
  std::vector<Index> component;                ///< #triangles
  /// #V, or none where distances may be shorter than straight lines.
  std::vector<std::array<float, 3>> position;
};

/// The same in memory or in a mapped file: `owner` keeps it alive.
struct CtgArrays {
  std::span<const Index> component_first;
  std::span<const float> W;
  std::span<const std::array<Index, 3>> triangle;
  std::span<const Index> of_vertex;
  std::span<const std::array<float, 3>> distance;
  std::span<const Index> component;
  std::span<const std::array<float, 3>> position;
  std::shared_ptr<const void> owner;
};

/// d(p, q): the distances of p to the corners of q's triangle by unfolding its own triangle towards each of
/// them, then the distance to q by unfolding q's. Both directions are averaged, and never less than the
/// straight line. Samples have the distances of W. Symmetric, zero on the diagonal. No linear form: products
/// go through all entries.
class CtgMatrix final : public DistanceMatrix {
 public:
  /// Shares the arrays. Throws InputError when sizes do not fit or an index is out of range. Cost: O(#V).
  CtgMatrix(CtgArrays arrays, DistanceKind kind);
  CtgMatrix(CtgParts parts, DistanceKind kind);

  /// The same arrays, read as distances or as squared distances.
  CtgMatrix as(DistanceKind kind) const { return {arrays_, kind}; }

  const CtgArrays& arrays() const { return arrays_; }
  Index samples() const { return arrays_.component_first.back(); }

  Index size() const override { return static_cast<Index>(arrays_.of_vertex.size()); }
  DistanceKind kind() const override { return kind_; }
  /// Cost: O(1) per pair, 24 unfoldings.
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  std::vector<Index> component_labels(const Execution& execution = {}) const override;
  std::int64_t bytes() const override;
  MatrixFacts facts() const override;
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override {
    return std::make_shared<CtgMatrix>(as(kind));
  }
  std::string_view codec() const override { return "ctg"; }

 private:
  double between(Index a, Index b, std::int64_t begin) const;
  PlaneTriangle plane(Index triangle) const;
  CornerDistances corners(Index vertex) const;
  double distance(Index i, Index j) const;

  CtgArrays arrays_;
  DistanceKind kind_;
  std::vector<std::int64_t> begin_;  ///< #components: of W
};

/// `points` (#V by 3): where the vertices are, or nullptr if distances may be shorter than straight lines.
/// What is kept takes 28 bytes per vertex (16 without points), 2 for each ordered pair of samples and 16 per
/// triangle.
CtgParts ctg_parts(const LandmarkColumns& measured, const CtgTriangles& triangles, const Points* points);
CtgMatrix make_ctg(const LandmarkColumns& measured, const CtgTriangles& triangles, const Points* points,
                   DistanceKind kind);

}  // namespace geodome::internal
