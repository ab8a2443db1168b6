#include "geodome/geodesic/exact.h"

#include <algorithm>

#include "geodome/base/error.h"

namespace geodome {

/// Borrows a workspace, or makes one: there are as many as threads that ever met.
class ExactSolver::Lease {
 public:
  explicit Lease(const ExactSolver& solver) : solver_(solver) {
    {
      const std::lock_guard lock(solver_.mutex_);
      if (!solver_.idle_.empty()) {
        windows_ = std::move(solver_.idle_.back());
        solver_.idle_.pop_back();
      }
    }
    if (!windows_) windows_ = std::make_unique<WindowPropagation>(solver_.edges_);
  }
  ~Lease() {
    const std::lock_guard lock(solver_.mutex_);
    solver_.idle_.push_back(std::move(windows_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  WindowPropagation* operator->() { return windows_.get(); }

 private:
  const ExactSolver& solver_;
  std::unique_ptr<WindowPropagation> windows_;
};

ExactSolver::ExactSolver(Surface given)
    : SurfaceSolver(std::move(given)), edges_(surface().points, surface().triangles) {
  first_input_.assign(surface().points.rows() + 1, 0);
  for (const Index v : surface().of_input)
    if (v >= 0) ++first_input_[v + 1];
  for (std::size_t v = 1; v < first_input_.size(); ++v) first_input_[v] += first_input_[v - 1];
  inputs_.resize(first_input_.back());
  std::vector<Index> place(first_input_.begin(), first_input_.end() - 1);
  for (Index input = 0; input < size(); ++input)
    if (surface().of_input[input] >= 0) inputs_[place[surface().of_input[input]]++] = input;
}

void ExactSolver::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  Lease windows(*this);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    windows->run(sources[s]);
    for (Index v = 0; v < out.cols(); ++v) out(static_cast<Eigen::Index>(s), v) = windows->distance(v);
  }
}

std::vector<Neighbour> ExactSolver::within(Index source, double radius) const {
  if (source < 0 || source >= size())
    throw InputError(text("source ", source, " is out of range [0, ", size(), ")"));
  if (!(radius >= 0)) return {};
  const Index home = surface().of_input[source];
  if (home < 0) return {{source, 0}};

  Lease windows(*this);
  windows->run(home, radius / surface().scale);
  std::vector<Neighbour> found;
  for (const Index v : windows->reached()) {
    const double distance = surface().scale * windows->distance(v);
    if (distance > radius) continue;
    for (Index i = first_input_[v]; i < first_input_[v + 1]; ++i) found.push_back({inputs_[i], distance});
  }
  std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  return found;
}

}  // namespace geodome
