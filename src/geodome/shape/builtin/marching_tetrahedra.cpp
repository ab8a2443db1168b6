#include "geodome/shape/builtin/marching_tetrahedra.h"

#include <array>
#include <cmath>
#include <utility>

namespace geodome::internal {
namespace {

using Eigen::Vector3d;
using Lattice = std::array<Index, 3>;

constexpr Index block = 8;

class Grid {
 public:
  Grid(const std::function<double(const Vector3d&)>& function, const Vector3d& low, const Vector3d& high,
       double cell)
      : low_(low), cell_(cell) {
    for (int k = 0; k < 3; ++k) size_[k] = static_cast<Index>(std::ceil((high[k] - low[k]) / cell)) + 1;
    values_.resize(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2]);
    const double radius = std::sqrt(3.0) / 2 * block * cell;
    for (Index z = 0; z < size_[2]; z += block) {
      for (Index y = 0; y < size_[1]; y += block) {
        for (Index x = 0; x < size_[0]; x += block) {
          const double middle = function(place({x, y, z}) + Vector3d::Constant(block * cell / 2));
          const bool far = std::abs(middle) > radius;
          for_block({x, y, z}, [&](const Lattice& at) {
            values_[index(at)] = static_cast<float>(far ? middle : function(place(at)));
          });
        }
      }
    }
  }

  const Lattice& size() const { return size_; }
  float value(const Lattice& at) const { return values_[index(at)]; }
  Vector3d place(const Lattice& at) const { return low_ + cell_ * Vector3d(at[0], at[1], at[2]); }
  std::size_t index(const Lattice& at) const {
    return (static_cast<std::size_t>(at[2]) * size_[1] + at[1]) * size_[0] + at[0];
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    Lattice at{};
    for (at[2] = 0; at[2] + 1 < size_[2]; ++at[2]) {
      for (at[1] = 0; at[1] + 1 < size_[1]; ++at[1]) {
        for (at[0] = 0; at[0] + 1 < size_[0]; ++at[0]) visit(at);
      }
    }
  }

 private:
  template <typename Visit>
  void for_block(const Lattice& from, Visit visit) const {
    Lattice at{};
    for (at[2] = from[2]; at[2] < std::min(from[2] + block, size_[2]); ++at[2]) {
      for (at[1] = from[1]; at[1] < std::min(from[1] + block, size_[1]); ++at[1]) {
        for (at[0] = from[0]; at[0] < std::min(from[0] + block, size_[0]); ++at[0]) visit(at);
      }
    }
  }

  Vector3d low_;
  double cell_;
  Lattice size_{};
  std::vector<float> values_;
};

Lattice corner_of(Lattice cube, int corner) {
  for (int k = 0; k < 3; ++k) cube[k] += corner >> k & 1;
  return cube;
}

/// The six tetrahedra of a cube, all around its main diagonal: corners as bit masks of x, y, z, each a step
/// further. Every other one is left-handed.
constexpr int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 4, 5, 7},
                                  {0, 4, 6, 7}, {0, 2, 6, 7}, {0, 2, 3, 7}};

class Marcher {
 public:
  explicit Marcher(const Grid& grid)
      : grid_(grid),
        vertex_of_edge_(7 * static_cast<std::size_t>(grid.size()[0]) * grid.size()[1] * grid.size()[2], -1) {
    grid.for_each([this](const Lattice& cube) {
      for (int t = 0; t < 6; ++t) cut(cube, tetrahedra[t], t % 2 == 1);
    });
  }

  TriangleMesh mesh() const {
    TriangleMesh mesh;
    mesh.points.resize(static_cast<Eigen::Index>(points_.size()), 3);
    for (std::size_t p = 0; p < points_.size(); ++p)
      mesh.points.row(static_cast<Eigen::Index>(p)) = points_[p].transpose();
    mesh.triangles =
        Eigen::Map<const Triangles>(corners_.data(), static_cast<Eigen::Index>(corners_.size() / 3), 3);
    return mesh;
  }

 private:
  /// The vertex between two corners of a cube, one of which contains the other as bits.
  Index vertex(const Lattice& cube, int a, int b) {
    if (a > b) std::swap(a, b);
    const Lattice from = corner_of(cube, a), to = corner_of(cube, b);
    Index& known = vertex_of_edge_[7 * grid_.index(from) + (b ^ a) - 1];
    if (known < 0) {
      known = static_cast<Index>(points_.size());
      const double low = grid_.value(from), high = grid_.value(to), t = low / (low - high);
      points_.push_back((1 - t) * grid_.place(from) + t * grid_.place(to));
    }
    return known;
  }

  void add(Index a, Index b, Index c, bool reversed) {
    corners_.insert(corners_.end(), {a, reversed ? c : b, reversed ? b : c});
  }

  /// The surface inside one tetrahedron: nothing, a triangle around its odd corner, or two triangles.
  void cut(const Lattice& cube, const int (&corners)[4], bool left_handed) {
    int order[4], front = 0, back = 4;
    bool reversed = left_handed;
    for (int k = 0; k < 4; ++k) {
      if (grid_.value(corner_of(cube, corners[k])) < 0) {
        // Moving a corner in front of the positive ones found so far: one exchange for each.
        if ((k - front) % 2 == 1) reversed = !reversed;
        order[front++] = corners[k];
      }
    }
    const int inside = front;
    if (inside == 0 || inside == 4) return;
    for (int k = 3; k >= 0; --k) {
      if (grid_.value(corner_of(cube, corners[k])) >= 0) order[--back] = corners[k];
    }
    const auto [a, b, c, d] = order;
    const auto at = [&](int p, int q) { return vertex(cube, p, q); };
    if (inside == 1) {
      add(at(a, b), at(a, c), at(a, d), reversed);
    } else if (inside == 3) {
      add(at(d, a), at(d, b), at(d, c), reversed);
    } else {
      const Index ac = at(a, c), ad = at(a, d), bd = at(b, d), bc = at(b, c);
      add(ac, ad, bd, reversed);
      add(ac, bd, bc, reversed);
    }
  }

  const Grid& grid_;
  std::vector<Index> vertex_of_edge_;
  std::vector<Vector3d> points_;
  std::vector<Index> corners_;
};

}  // namespace

TriangleMesh mesh_zero_set(const std::function<double(const Vector3d&)>& function, const Vector3d& low,
                           const Vector3d& high, double cell) {
  const Grid grid(function, low, high, cell);
  return Marcher(grid).mesh();
}

}  // namespace geodome::internal
