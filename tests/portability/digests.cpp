// Prints a digest of what each inner loop computes: two builds that print the same text compute the same
// bits, whatever their processors and compilers are. Inputs are made with + - * / alone, which are rounded
// alike everywhere. scripts/check_aarch64 compares builds for x86-64 and for ARM.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "geodome/base/checksum.h"
#include "geodome/geodesic/exact/windows_kernel.h"
#include "geodome/geodesic/marching/carried_chord.h"
#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/matrix/packed_symmetric.h"

namespace geodome::internal {
namespace {

void print(const char* name, std::span<const double> numbers) {
  std::printf("%s %08x\n", name, crc32c(std::as_bytes(numbers)));
}

/// Numbers in [0, 1) with 24 bits each.
class Numbers {
 public:
  double next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(state_ >> 8) / 16777216.0;
  }

 private:
  std::uint32_t state_ = 12345;
};

/// A wavy sheet with triangles of all angles, some of them obtuse, and a hole.
TriangleMesh make_sheet(Index side) {
  Numbers numbers;
  TriangleMesh mesh;
  mesh.points.resize(side * side, 3);
  for (Index v = 0; v < side * side; ++v) {
    const double x = (v % side + 0.8 * numbers.next()) / side, y = (v / side + 0.8 * numbers.next()) / side;
    mesh.points.row(v) << x, y * 1.7, (x - y) * (x + y) * (0.5 - x) + 0.01 * numbers.next();
  }
  std::vector<Index> corners;
  for (Index r = 0; r + 1 < side; ++r)
    for (Index c = 0; c + 1 < side; ++c) {
      if (r > side / 3 && r < side / 2 && c > side / 3 && c < side / 2) continue;
      const Index v = r * side + c;
      for (const Index corner : {v, v + 1, v + side, v + 1, v + side + 1, v + side})
        corners.push_back(corner);
    }
  mesh.triangles = Eigen::Map<const decltype(mesh.triangles)>(
      corners.data(), static_cast<Eigen::Index>(corners.size() / 3), 3);
  return mesh;
}

void print_rows(const char* name, const GeodesicSolver& solver, Index count) {
  std::vector<Index> sources;
  for (Index k = 0; k < count; ++k) sources.push_back(k);  // close together
  RowMatrix<double> rows(count, solver.size());
  solver.distances(sources, rows, Execution{1, {}});
  print(name, {rows.data(), static_cast<std::size_t>(rows.size())});
}

void print_geodesics() {
  const TriangleMesh mesh = make_sheet(48);
  for (const int ring : {1, 2})
    for (const int lanes : {1, 16, 32, 64}) {
      char name[64];
      std::snprintf(name, sizeof name, "marching, ring %d, lanes %d", ring, lanes);
      print_rows(name, FastMarching(mesh, {.ring = ring, .lanes = lanes, .remove_bias = false}), 100);
    }
}

/// A chord from (0, 0) to (1, 0) and a target at (x, y); directions are arbitrary.
CarriedChord some_chord(Numbers& numbers, Index a, Index b) {
  CarriedChord chord{.target = 0, .a = a, .b = b};
  const double x = numbers.next(), y = 0.1 + numbers.next(), from_a = std::sqrt(x * x + y * y),
               from_b = std::sqrt((1 - x) * (1 - x) + y * y);
  const double cosine = (x * (x - 1) + y * y) / (from_a * from_b);
  chord.length = 1;
  chord.half_inverse = 0.5f;
  chord.x = static_cast<float>(x);
  chord.y = static_cast<float>(y);
  chord.from_a = static_cast<float>(from_a);
  chord.from_b = static_cast<float>(from_b);
  chord.cosine = static_cast<float>(cosine);
  chord.sine = static_cast<float>(std::sqrt(1 - cosine * cosine));
  chord.angle = static_cast<float>(0.3 + numbers.next());
  for (float* const direction : {&chord.target_at_a, &chord.target_at_b, &chord.a_at_target})
    *direction = static_cast<float>(6 * numbers.next());
  for (float* const turn : {&chord.turn_a, &chord.turn_b, &chord.turn_target})
    *turn = numbers.next() < 0.5 ? -1 : 1;
  return chord;
}

void print_carried() {
  constexpr Index vertices = 12;
  Numbers numbers;
  std::vector<double> results;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<CarriedChord> chords;
    for (Index a = 1; a + 1 < vertices; ++a) chords.push_back(some_chord(numbers, a, a + 1));
    std::vector<float> closed_angle(vertices);
    for (float& one : closed_angle)
      one = numbers.next() < 0.3 ? -1 : static_cast<float>(5 + 3 * numbers.next());
    const std::vector<Progress> progress(vertices, Progress{1, 0});
    const int lanes = 16 << trial % 3;
    std::vector<float> distance(static_cast<std::size_t>(vertices) * lanes), bend(distance.size()),
        direction(distance.size());
    for (std::size_t k = 0; k < distance.size(); ++k) {
      distance[k] = static_cast<float>(k < static_cast<std::size_t>(lanes) ? 1e6 : 3 + numbers.next());
      bend[k] = numbers.next() < 0.7 ? 0 : static_cast<float>(3 * numbers.next());
      direction[k] = static_cast<float>(6 * numbers.next());
    }
    const std::uint64_t fell =
        marching_kernel(VectorLevel::best)
            .carry(chords.data(), static_cast<int>(chords.size()), closed_angle.data(), progress.data(), 0,
                   lanes, 0, 1e-4f, {distance.data(), bend.data(), direction.data()});
    results.push_back(static_cast<double>(fell));
    for (const auto* labels : {&distance, &bend, &direction})
      results.insert(results.end(), labels->begin(), labels->begin() + lanes);
  }
  print("carried sources", results);
}

Bundle some_windows(Numbers& numbers, int count) {
  Bundle result;
  for (int k = 0; k < count; ++k) {
    const double a = numbers.next(), b = numbers.next();
    result.add(
        {std::min(a, b), std::max(a, b), 3 * numbers.next() - 1, 0.01 + numbers.next(), numbers.next()});
  }
  return result;
}

/// The steps of window propagation through one triangle (0, 0), (1, 0), (x, y) and out of its left side.
void print_windows() {
  Numbers numbers;
  std::vector<double> results;
  const auto keep = [&](const double* values, int count) {
    results.insert(results.end(), values, values + count);
  };
  for (int k = 0; k < 500; ++k) {
    HalfEdge edge;
    edge.length = 1;
    edge.x = 2 * numbers.next() - 0.5;
    edge.y = k % 7 == 0 ? 1e-9 : 0.05 + numbers.next();
    edge.a_apex = std::sqrt(edge.x * edge.x + edge.y * edge.y);
    edge.crossing = k % 3 == 0 ? 5 : -1;
    Bundle windows = some_windows(numbers, 1 + k % Bundle::most);
    Approach approach;
    approach_apex(edge, windows, approach);
    keep(approach.crossing, windows.count);
    keep(approach.length, windows.count);
    alignas(32) double to_left[Bundle::most], to_right[Bundle::most];
    const double best = numbers.next(), crossing = numbers.next();
    split_at_apex(edge, windows, approach, best, crossing, k % 2 == 0, to_left, to_right);
    keep(to_left, windows.count);
    keep(to_right, windows.count);
    const Exit exit{1,
                    edge.a_apex,
                    edge.x / edge.a_apex,
                    edge.y / edge.a_apex,
                    numbers.next(),
                    numbers.next(),
                    numbers.next(),
                    false};
    Bundle children;
    const std::uint64_t kept = leave_triangle(exit, windows, to_left, children);
    for (int i = 0; i < windows.count; ++i) {
      results.push_back(static_cast<double>((kept >> i) & 1));
      if ((kept >> i) & 1)
        for (const double value :
             {children.low[i], children.high[i], children.x[i], children.y[i], children.sigma[i]})
          results.push_back(value);
    }
  }
  print("windows", results);
}

Weights some_columns(Numbers& numbers, Index size) {
  Weights result;
  for (Index column = 0; column < size; ++column)
    if (numbers.next() < 0.1) {
      result.column.push_back(column);
      result.value.push_back(numbers.next() - 0.3);
    }
  return result;
}

template <typename T>
void print_products(const char* name, double largest) {
  constexpr Index size = 300;
  Numbers numbers;
  std::vector<T> values(static_cast<std::size_t>(packed_size(size)));
  for (T& value : values) value = static_cast<T>(largest * numbers.next());
  const PackedSymmetric matrix(size, std::span<const T>(values), 0.125);
  std::vector<double> results;
  for (int k = 0; k < 100; ++k) {
    const Weights a = some_columns(numbers, size), b = some_columns(numbers, size);
    for (const auto power : {PackedSymmetric::Power::one, PackedSymmetric::Power::two}) {
      results.push_back(matrix.bilinear(a, b, power));
      results.push_back(matrix.quadratic(a, power));
    }
  }
  print(name, results);
}

void print_checksum() {
  std::vector<std::byte> bytes;
  Numbers numbers;
  for (int k = 0; k < 100'001; ++k) bytes.push_back(static_cast<std::byte>(256 * numbers.next()));
  std::printf("checksum %08x\n", crc32c(bytes));
}

}  // namespace
}  // namespace geodome::internal

int main() {
  using namespace geodome::internal;
  print_checksum();
  print_products<float>("products, float", 1);
  print_products<double>("products, double", 0.7);
  print_products<std::uint16_t>("products, 16 bits", 65535);
  print_carried();
  print_windows();
  print_geodesics();
}
