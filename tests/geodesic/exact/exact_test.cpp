/// Exact distances where they are known in closed form.
#include "geodome/geodesic/exact/exact.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>

#include "exact_shapes.h"

namespace geodome::testing {

using namespace internal;

namespace {

void expect_same(const RowMatrix<double>& distance, const std::function<double(Index, Index)>& expected,
                 double tolerance = 1e-12) {
  for (Index i = 0; i < distance.rows(); ++i)
    for (Index j = 0; j < distance.cols(); ++j) {
      const double truth = expected(i, j);
      ASSERT_NEAR(distance(i, j), truth, tolerance * truth) << i << " to " << j;
    }
}

std::function<double(Index, Index)> chords(const TriangleMesh& mesh) {
  return [&mesh](Index i, Index j) { return (mesh.points.row(i) - mesh.points.row(j)).norm(); };
}

TEST(Exact, IsEuclideanOnAPlane) {
  for (const auto& [columns, rows] : {std::pair{2, 2}, std::pair{4, 17}, std::pair{13, 13}}) {
    const TriangleMesh mesh = make_plane(columns, rows);
    expect_same(all_distances(ExactSolver(mesh)), chords(mesh));
  }
}

// A grid that is regular but for the last digits is harder than a regular one: nothing is a tie, yet all is
// close to one. Both in the plane only, so that the answer stays Euclidean.
TEST(Exact, IsEuclideanOnAGridThatIsSlightlyOff) {
  for (const double jitter : {1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14}) {
    TriangleMesh mesh = make_plane(11, 11);
    std::mt19937 generator(7);
    for (Index v = 0; v < mesh.points.rows(); ++v)
      // Of the boundary only the free direction moves: a dented boundary would bend paths.
      for (int k = 0; k < 2; ++k)
        if (const double x = mesh.points(v, k); x > 0 && x < 1)
          mesh.points(v, k) = x + jitter * noise(generator);
    expect_same(all_distances(ExactSolver(mesh)), chords(mesh));
  }
}

// Two halves of a square whose common side is cut differently, the gap between the two rows of vertices
// closed by triangles without area.
TEST(Exact, PassesThroughTrianglesWithoutArea) {
  const Index left = 4, right = 7, columns = 3;
  std::vector<Eigen::RowVector3d> points;
  std::vector<Face> faces;
  const auto half = [&](double begin, double end, Index rows) {
    const Index first = static_cast<Index>(points.size());
    for (Index r = 0; r <= rows; ++r)
      for (Index c = 0; c <= columns; ++c)
        points.emplace_back(begin + (end - begin) * c / columns, static_cast<double>(r) / rows, 0);
    const auto at = [=](Index c, Index r) { return first + r * (columns + 1) + c; };
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        faces.insert(faces.end(), {{at(c, r), at(c + 1, r), at(c + 1, r + 1)},
                                   {at(c, r), at(c + 1, r + 1), at(c, r + 1)}});
    return at;
  };
  const auto a = half(0, 0.5, left);
  const auto b = half(1, 0.5, right);
  const auto in_a = [&](Index r) { return a(columns, r); };
  const auto in_b = [&](Index r) { return r == 0 ? in_a(0) : r == right ? in_a(left) : b(columns, r); };
  for (Face& face : faces)
    for (Index& v : face) v = v == b(columns, 0) ? in_a(0) : v == b(columns, right) ? in_a(left) : v;
  for (Index i = 0, j = 0; i < left || j < right;)
    if (j == right || (i < left && (i + 1) * right <= (j + 1) * left)) {
      faces.push_back({in_a(i), in_b(j), in_a(i + 1)});
      ++i;
    } else {
      faces.push_back({in_a(i), in_b(j), in_b(j + 1)});
      ++j;
    }
  std::erase_if(faces, [](const Face& f) { return f[0] == f[1] || f[1] == f[2] || f[2] == f[0]; });
  const TriangleMesh mesh = make_mesh(points, faces);
  // The two corners of the right half that gave way to those of the left one are in no triangle.
  const auto unused = [&](Index v) { return v == b(columns, 0) || v == b(columns, right); };
  const RowMatrix<double> distance = all_distances(ExactSolver(mesh));
  for (Index i = 0; i < distance.rows(); ++i)
    for (Index j = 0; j < distance.cols(); ++j)
      if (!unused(i) && !unused(j)) {
        const double truth = chords(mesh)(i, j);
        ASSERT_NEAR(distance(i, j), truth, 1e-12 * truth) << i << " to " << j;
      }
}

/// The unit square without the open rectangle [x0, x1] by [y0, y1]: shortest paths bend at its corners only.
struct Obstacle {
  double x0, x1, y0, y1;

  bool blocks(const Eigen::RowVector2d& p, const Eigen::RowVector2d& q) const {
    double begin = 0, end = 1;
    for (int k = 0; k < 2; ++k) {
      const double low = (k ? y0 : x0) + 1e-9, high = (k ? y1 : x1) - 1e-9, step = q[k] - p[k];
      if (step == 0 && (p[k] <= low || p[k] >= high)) return false;
      if (step == 0) continue;
      begin = std::max(begin, std::min((low - p[k]) / step, (high - p[k]) / step));
      end = std::min(end, std::max((low - p[k]) / step, (high - p[k]) / step));
    }
    return begin < end;
  }

  double distance(const Eigen::RowVector2d& p, const Eigen::RowVector2d& q) const {
    std::vector<Eigen::RowVector2d> stops{p, q};
    for (const double x : {x0, x1})
      for (const double y : {y0, y1})
        if (x > 0 && x < 1 && y > 0 && y < 1) stops.emplace_back(x, y);
    const std::size_t count = stops.size();
    Eigen::MatrixXd between(count, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        between(i, j) = blocks(stops[i], stops[j]) ? infinity : (stops[i] - stops[j]).norm();
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
          between(i, j) = std::min(between(i, j), between(i, k) + between(k, j));
    return between(0, 1);
  }
};

TEST(Exact, GoesAroundCornersAndHoles) {
  for (const Obstacle& hole :
       {Obstacle{0.5, 2, 0.5, 2}, Obstacle{0.3, 0.7, 0.4, 0.6}, Obstacle{0.4, 0.5, -1, 0.9}}) {
    TriangleMesh mesh = make_plane(11, 11);
    std::vector<Face> kept;
    std::vector<char> used(mesh.points.rows(), 0);
    for (Index f = 0; f < mesh.triangles.rows(); ++f) {
      const Face face{mesh.triangles(f, 0), mesh.triangles(f, 1), mesh.triangles(f, 2)};
      const Eigen::RowVector3d middle =
          (mesh.points.row(face[0]) + mesh.points.row(face[1]) + mesh.points.row(face[2])) / 3;
      if (middle[0] > hole.x0 && middle[0] < hole.x1 && middle[1] > hole.y0 && middle[1] < hole.y1) continue;
      kept.push_back(face);
      for (const Index v : face) used[v] = 1;
    }
    std::vector<Eigen::RowVector3d> points;
    for (Index v = 0; v < mesh.points.rows(); ++v) points.emplace_back(mesh.points.row(v));
    const RowMatrix<double> distance = all_distances(ExactSolver(make_mesh(points, kept)));
    for (Index i = 0; i < distance.rows(); ++i)
      for (Index j = 0; j < distance.cols(); ++j)
        if (used[i] && used[j]) {
          const double truth = hole.distance(points[i].head<2>(), points[j].head<2>());
          ASSERT_NEAR(distance(i, j), truth, 1e-12 * truth) << i << " to " << j;
        } else if (i != j) {
          ASSERT_EQ(distance(i, j), infinity);
        }
  }
}

/// Distance on the unit cube by rolling it over a plane tiled with unit cells: the faces that come to lie
/// under a straight line from the source are the unfolding along it.
class RollingCube {
 public:
  static double distance(const Eigen::RowVector3d& source, const Eigen::RowVector3d& target) {
    double best = infinity;
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-0.5, 0.5})
        if (source[axis] == side) {
          RollingCube cube(target);
          cube.n_ = Eigen::RowVector3d::Unit(axis) * -2 * side;
          cube.u_ = Eigen::RowVector3d::Unit((axis + 1) % 3);
          cube.v_ = Eigen::RowVector3d::Unit((axis + 2) % 3);
          cube.o_ = -(cube.u_ + cube.v_ + cube.n_) / 2;
          cube.start_ = {(source - cube.o_).dot(cube.u_), (source - cube.o_).dot(cube.v_)};
          cube.search(4, best);
        }
    return best;
  }

 private:
  explicit RollingCube(const Eigen::RowVector3d& target) : target_(target) {}

  void search(int rolls, double& best) const {
    const Eigen::RowVector3d inside = target_ - o_;
    const Eigen::RowVector2d end = cell_ + Eigen::RowVector2d(inside.dot(u_), inside.dot(v_));
    if (std::abs(inside.dot(n_)) < 1e-12 && passes_gates(end)) best = std::min(best, (end - start_).norm());
    if (rolls == 0) return;
    for (const int step : {1, -1}) {
      // A straight line never turns back, neither along x nor along y.
      if (step * cell_[0] >= 0) {
        RollingCube next = *this;
        next.gates_.push_back(
            {cell_ + Eigen::RowVector2d(step > 0, 0), cell_ + Eigen::RowVector2d(step > 0, 1)});
        next.roll(next.u_, step);
        next.cell_[0] += step;
        next.search(rolls - 1, best);
      }
      if (step * cell_[1] >= 0) {
        RollingCube next = *this;
        next.gates_.push_back(
            {cell_ + Eigen::RowVector2d(0, step > 0), cell_ + Eigen::RowVector2d(1, step > 0)});
        next.roll(next.v_, step);
        next.cell_[1] += step;
        next.search(rolls - 1, best);
      }
    }
  }

  void roll(Eigen::RowVector3d& axis, int step) {
    const Eigen::RowVector3d old = axis;
    o_ += step > 0 ? old : n_;
    axis = step * n_;
    n_ = -step * old;
  }

  bool passes_gates(const Eigen::RowVector2d& end) const {
    const auto side = [&](const Eigen::RowVector2d& p) {
      const Eigen::RowVector2d d = end - start_, e = p - start_;
      return d[0] * e[1] - d[1] * e[0];
    };
    return std::all_of(gates_.begin(), gates_.end(),
                       [&](const auto& gate) { return side(gate[0]) * side(gate[1]) <= 1e-12; });
  }

  Eigen::RowVector3d target_, o_, u_, v_, n_;
  Eigen::RowVector2d start_, cell_{0, 0};
  std::vector<std::array<Eigen::RowVector2d, 2>> gates_;
};

TEST(Exact, UnfoldsTheCube) {
  for (const Index segments : {1, 2, 3, 5}) {
    const TriangleMesh mesh = make_box(segments);
    const ExactSolver solver(mesh);
    for (const Index source : {Index{0}, solver.size() / 2, solver.size() - 1}) {
      const Vector distance = distances_from(solver, source);
      for (Index v = 0; v < solver.size(); ++v) {
        const double truth = RollingCube::distance(mesh.points.row(source), mesh.points.row(v));
        EXPECT_NEAR(distance[v], truth, 1e-12 * truth) << source << " to " << v;
      }
    }
  }
}

/// Rays from the origin with equal angles between neighbours, and flat faces between them: all at the same
/// latitude make a cone, at alternating ones a saddle.
TEST(Exact, UnfoldsConesAndSaddles) {
  for (const auto& [rays, latitude, saddle] :
       {std::tuple{3, 1.5, false}, std::tuple{7, 1.2, false}, std::tuple{8, 0.3, false},
        std::tuple{6, 0.0, false}, std::tuple{6, 0.05, true}, std::tuple{8, 0.6, true},
        std::tuple{10, 1.2, true}}) {
    const Index rings = 4;
    std::vector<Eigen::RowVector3d> points{{0, 0, 0}};
    std::vector<Face> faces;
    const auto at = [&, count = rays](Index ring, Index ray) {
      return ring == 0 ? 0 : 1 + (ring - 1) * count + ray % count;
    };
    for (Index ring = 1; ring <= rings; ++ring)
      for (Index ray = 0; ray < rays; ++ray) {
        const double longitude = 2 * std::numbers::pi * ray / rays,
                     up = saddle && ray % 2 ? -latitude : latitude;
        points.emplace_back(ring * Eigen::RowVector3d(std::cos(up) * std::cos(longitude),
                                                      std::cos(up) * std::sin(longitude), std::sin(up)));
        faces.push_back({at(ring - 1, ray), at(ring, ray), at(ring, ray + 1)});
        if (ring > 1) faces.push_back({at(ring - 1, ray), at(ring, ray + 1), at(ring - 1, ray + 1)});
      }
    const double step = std::acos(points[at(1, 0)].dot(points[at(1, 1)]));
    const auto truth = [&, count = rays](Index i, Index j) {
      if (i == 0 || j == 0) return points[i + j].norm();
      const Index apart = std::abs((i - 1) % count - (j - 1) % count);
      const double angle = step * std::min<Index>(apart, count - apart), p = points[i].norm(),
                   q = points[j].norm();
      if (angle >= std::numbers::pi) return p + q;
      return std::hypot(p - q, 2 * std::sqrt(p * q) * std::sin(angle / 2));
    };
    expect_same(all_distances(ExactSolver(make_mesh(points, faces))), truth, 1e-11);
  }
}

/// A band of `segments` twisted quadrilaterals that goes `turns` half turns around; it closes into a Möbius
/// strip, or, unclosed and with more turns, covers one several times without orientation trouble.
TriangleMesh make_band(Index segments, int turns, bool closed) {
  std::vector<Eigen::RowVector3d> points;
  std::vector<Face> faces;
  const Index across = 3, length = segments * turns;
  for (Index s = 0; s < length + (closed ? 0 : 1); ++s)
    for (Index c = 0; c < across; ++c) {
      const double turn = 2 * std::numbers::pi * s / segments, out = 1 + 0.4 * (c - 1) * std::cos(turn / 2);
      points.emplace_back(out * std::cos(turn), out * std::sin(turn), 0.4 * (c - 1) * std::sin(turn / 2));
    }
  const auto at = [&](Index s, Index c) { return closed && s == length ? across - 1 - c : s * across + c; };
  // The diagonals of every second lap are mirrored, as the strip's own are when seen from its other side.
  for (Index s = 0; s < length; ++s)
    for (Index c = 0; c + 1 < across; ++c) {
      const Index a = at(s, c), b = at(s + 1, c), d = at(s, c + 1), e = at(s + 1, c + 1);
      if (s / segments % 2)
        faces.insert(faces.end(), {{a, b, d}, {b, e, d}});
      else
        faces.insert(faces.end(), {{a, b, e}, {a, e, d}});
    }
  return make_mesh(points, faces);
}

TEST(Exact, KnowsTheMoebiusStripByItsCover) {
  const Index segments = 14, across = 3;
  const TriangleMesh strip = make_band(segments, 1, true);
  const ExactSolver solver(strip), cover(make_band(segments, 3, false));
  for (const Index source : {0, 1, 2, 20, 40}) {
    const Vector on_strip = distances_from(solver, source);
    const Vector on_cover = distances_from(cover, [&] {
      const Index s = source / across, c = source % across;
      return (segments + s) * across + across - 1 - c;
    }());
    for (Index v = 0; v < solver.size(); ++v) {
      const Index s = v / across, c = v % across;
      double truth = on_cover[(segments + s) * across + across - 1 - c];
      for (const Index lap : {0, 2}) truth = std::min(truth, on_cover[(lap * segments + s) * across + c]);
      EXPECT_NEAR(on_strip[v], truth, 1e-12 * truth);
    }
  }
}

TEST(Exact, CrossesTheSpineOfABookIntoEveryPage) {
  for (const int pages : {2, 3, 5}) {
    const Book book = make_book(pages, 5, 6);
    expect_same(all_distances(ExactSolver(book.mesh)), [&](Index i, Index j) {
      const bool same = book.page[i] == book.page[j];
      return std::hypot(same ? book.out[i] - book.out[j] : book.out[i] + book.out[j],
                        book.up[i] - book.up[j]);
    });
  }
}

TEST(Exact, ApproachesGreatCirclesOnASphere) {
  double last = 1;
  for (const Index frequency : {2, 4, 8, 16}) {
    const TriangleMesh mesh = make_sphere(frequency);
    const ExactSolver solver(mesh);
    const Index source = solver.size() / 3;
    const Vector distance = distances_from(solver, source);
    double worst = 0;
    for (Index v = 0; v < solver.size(); ++v) {
      const Eigen::RowVector3d p = mesh.points.row(source), q = mesh.points.row(v);
      const double circle = std::atan2(p.cross(q).norm(), p.dot(q));
      EXPECT_LE(distance[v], circle * (1 + 1e-12));
      worst = std::max(worst, circle - distance[v]);
    }
    EXPECT_LT(worst, 0.4 * last);
    last = worst;
  }
}

}  // namespace
}  // namespace geodome::testing
