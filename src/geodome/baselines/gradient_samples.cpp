#include "geodome/baselines/gradient_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geodome/base/error.h"

namespace geodome::internal {

SampledPlaces sample_places(std::span<const double> weight, std::span<const Index> group, Index each) {
  if (weight.size() != group.size())
    throw InputError(text(weight.size(), " weights, but groups of ", group.size(), " places"));
  if (each < 1) throw InputError(text("the number of places per group must be at least 1, got ", each));
  struct Group {
    double total = 0, passed = 0;
    Index count = 0, left = 0, taken = 0, wanted = 0;
  };
  std::vector<Group> groups;
  const auto counts = [&](std::size_t p) { return group[p] >= 0 && weight[p] > 0; };
  for (std::size_t p = 0; p < weight.size(); ++p) {
    if (!counts(p)) continue;
    if (static_cast<std::size_t>(group[p]) >= groups.size())
      groups.resize(static_cast<std::size_t>(group[p]) + 1);
    Group& own = groups[group[p]];
    own.total += weight[p];
    own.left = ++own.count;
    own.wanted = std::min(each, own.count);
  }
  SampledPlaces result;
  for (std::size_t p = 0; p < weight.size(); ++p) {
    if (!counts(p)) continue;
    Group& own = groups[group[p]];
    own.passed += weight[p];
    // Until the middle of the next share is reached, unless all that are left are needed.
    const Index missing = own.wanted - own.taken;
    const bool due = own.passed * own.wanted >= own.total * (own.taken + 0.5);
    if (missing > 0 && (due || own.left <= missing)) {
      ++own.taken;
      result.place.push_back(static_cast<Index>(p));
      result.weight.push_back(own.wanted == own.count ? weight[p] : own.total / own.wanted);
    }
    --own.left;
  }
  return result;
}

FaceGradients::FaceGradients(const TriangleMesh& mesh, const SampledPlaces& faces,
                             const Eigen::MatrixXd& vectors, std::span<const Index> row)
    : gradients_(2 * static_cast<Eigen::Index>(faces.place.size()), vectors.cols()),
      root_(Eigen::Map<const Vector>(faces.weight.data(), static_cast<Eigen::Index>(faces.weight.size()))
                .cwiseSqrt()) {
  for (Eigen::Index s = 0; s < root_.size(); ++s) {
    const Index face = faces.place[static_cast<std::size_t>(s)];
    const Index a = mesh.triangles(face, 0), b = mesh.triangles(face, 1), c = mesh.triangles(face, 2);
    const Eigen::RowVector3d side = mesh.points.row(b) - mesh.points.row(a);
    const Eigen::RowVector3d other = mesh.points.row(c) - mesh.points.row(a);
    // Laid into the plane, a at the origin and b on the x axis.
    const double base = side.norm(), foot = side.dot(other) / base;
    const double height = (other - foot / base * side).norm();
    const Eigen::RowVectorXd along = (vectors.row(row[b]) - vectors.row(row[a])) / base;
    const Eigen::RowVectorXd across = (vectors.row(row[c]) - vectors.row(row[a]) - foot * along) / height;
    gradients_.row(2 * s) = root_[s] * along;
    gradients_.row(2 * s + 1) = root_[s] * across;
  }
}

Eigen::MatrixXd FaceGradients::unit_divergence(const Eigen::MatrixXd& a) const {
  Eigen::MatrixXd field = gradients_ * a;
  for (Eigen::Index f = 0; f < field.cols(); ++f)
    for (Eigen::Index s = 0; s < root_.size(); ++s) {
      auto here = field.col(f).segment<2>(2 * s);
      const double size = here.cwiseAbs().maxCoeff();
      if (!(size >= std::numeric_limits<double>::min())) {
        here.setZero();
        continue;
      }
      here /= -size;  // first: squares could underflow
      here *= root_[s] / here.norm();
    }
  return gradients_.transpose() * field;
}

EdgeGradients::EdgeGradients(const Adjacency& edges, const SampledPlaces& sampled,
                             const Eigen::MatrixXd& vectors, std::span<const Index> row) {
  std::vector<Index> place(static_cast<std::size_t>(edges.size()), -1), vertex;
  const auto place_of = [&](Index v) {
    if (place[v] < 0) {
      place[v] = static_cast<Index>(vertex.size());
      vertex.push_back(v);
    }
    return place[v];
  };
  std::vector<Index> ends;
  for (std::size_t s = 0; s < sampled.place.size(); ++s) {
    const std::int64_t at = sampled.place[s];
    const auto next = std::upper_bound(edges.offsets.begin(), edges.offsets.end(), at);
    const auto a = static_cast<Index>(next - edges.offsets.begin() - 1), b = edges.neighbours[at];
    samples_.push_back({place_of(a), place_of(b), sampled.weight[s]});
    ends.insert(ends.end(), {a, b});
  }
  around_.resize(vertex.size());
  for (const Index v : ends) {
    std::vector<Neighbour>& around = around_[place[v]];
    if (!around.empty()) continue;
    for (std::int64_t e = edges.offsets[v]; e < edges.offsets[v + 1]; ++e)
      around.push_back({place_of(edges.neighbours[e]), edges.lengths[e]});
  }
  values_.resize(static_cast<Eigen::Index>(vertex.size()), vectors.cols());
  for (std::size_t r = 0; r < vertex.size(); ++r)
    values_.row(static_cast<Eigen::Index>(r)) = vectors.row(row[vertex[r]]);
}

/// How much farther b is than a; negative the other way round.
double EdgeGradients::fall(const Eigen::MatrixXd& u, Eigen::Index function, const Sample& edge) const {
  const double difference = u(edge.a, function) - u(edge.b, function);
  const Index low = difference < 0 ? edge.a : edge.b;
  double steepest = 0;
  for (const Neighbour& other : around_[low])
    if (other.length > 0)
      steepest = std::max(steepest, (u(other.row, function) - u(low, function)) / other.length);
  return steepest > 0 ? difference / steepest : 0;
}

Eigen::MatrixXd EdgeGradients::unit_divergence(const Eigen::MatrixXd& a) const {
  const Eigen::MatrixXd u = values_ * a;
  Eigen::MatrixXd flux = Eigen::MatrixXd::Zero(u.rows(), u.cols());
  for (Eigen::Index f = 0; f < u.cols(); ++f)
    for (const Sample& edge : samples_) {
      const double flow = edge.weight * fall(u, f, edge);
      flux(edge.b, f) += flow;
      flux(edge.a, f) -= flow;
    }
  return values_.transpose() * flux;
}

Eigen::MatrixXd EdgeGradients::stiffness() const {
  Eigen::MatrixXd differences(static_cast<Eigen::Index>(samples_.size()), values_.cols());
  for (std::size_t s = 0; s < samples_.size(); ++s)
    differences.row(static_cast<Eigen::Index>(s)) =
        std::sqrt(samples_[s].weight) * (values_.row(samples_[s].b) - values_.row(samples_[s].a));
  return differences.transpose() * differences;
}

}  // namespace geodome::internal
