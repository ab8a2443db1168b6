#pragma once
/// Gradients of functions in the span of eigenvectors, at a few places of a shape.

#include <span>
#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// A few faces or edges, each with the share of the whole that it stands for.
struct SampledPlaces {
  std::vector<Index> place;
  std::vector<double> weight;
};

/// Up to `each` places of every group (-1: of none), evenly by weight in the order they come in, so that each
/// stands for as much of its group; where a group has no more than that all of them, with their own weights.
/// Places without weight are left out. Cost: O(places). Throws InputError when sizes differ or `each` is
/// below 1.
SampledPlaces sample_places(std::span<const double> weight, std::span<const Index> group, Index each);

/// Turns functions u = Φ a into the right-hand side of the Poisson equation for the function that falls
/// everywhere along their gradient at unit speed, all in the span of the k columns of Φ: Σ w Gᵀ X with
/// X = -G a / |G a| at each place. Const and thread-safe.
class GradientSamples {
 public:
  virtual ~GradientSamples() = default;

  /// `a` is k by #functions; so is the result. Cost: O(places k) for each.
  virtual Eigen::MatrixXd unit_divergence(const Eigen::MatrixXd& a) const = 0;

  /// Σ w Gᵀ G, k by k: the stiffness in this basis, where every place is sampled.
  virtual Eigen::MatrixXd stiffness() const = 0;
};

/// On faces, G the gradient in the plane of the face and w its area.
class FaceGradients final : public GradientSamples {
 public:
  /// `vectors` has k columns and a row for every vertex that `row` (#V) names one for, as it must for corners
  /// of sampled faces. These are of positive area.
  FaceGradients(const TriangleMesh& mesh, const SampledPlaces& faces, const Eigen::MatrixXd& vectors,
                std::span<const Index> row);

  Eigen::MatrixXd unit_divergence(const Eigen::MatrixXd& a) const override;
  Eigen::MatrixXd stiffness() const override { return gradients_.transpose() * gradients_; }

 private:
  Eigen::MatrixXd gradients_;  ///< two rows for each face, times the root of its weight
  Vector root_;                ///< of the weights
};

/// On edges, G the difference of the ends and w the weight in the graph's Laplacian. Where u falls from a to
/// b, X is the length of the edge where no other neighbour of b is steeper above it, so that a shortest path
/// may come along it, and less in proportion otherwise: exact on trees, if u falls along every path.
class EdgeGradients final : public GradientSamples {
 public:
  /// Places are those in `edges.neighbours`; each edge should be named from one end only. `vectors` and `row`
  /// as above, for ends of sampled edges and their neighbours.
  EdgeGradients(const Adjacency& edges, const SampledPlaces& sampled, const Eigen::MatrixXd& vectors,
                std::span<const Index> row);

  Eigen::MatrixXd unit_divergence(const Eigen::MatrixXd& a) const override;
  Eigen::MatrixXd stiffness() const override;

 private:
  struct Sample {
    Index a, b;  ///< rows of values_
    double weight;
  };
  struct Neighbour {
    Index row;
    double length;
  };
  double fall(const Eigen::MatrixXd& u, Eigen::Index function, const Sample& edge) const;

  std::vector<Sample> samples_;
  std::vector<std::vector<Neighbour>> around_;  ///< by row, for ends of sampled edges
  Eigen::MatrixXd values_;                      ///< Φ at ends of sampled edges and at their neighbours
};

}  // namespace geodome::internal
