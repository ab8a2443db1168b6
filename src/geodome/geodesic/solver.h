#pragma once
/// The interface of everything that computes geodesic distances.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/geodesic/options.h"
#include "geodome/shape/shape.h"

namespace geodome {

struct Neighbour {
  Index vertex = 0;
  double distance = 0;
};

/// A part of a piece of work: [begin, end) of all of it, which is [0, 1).
struct Share {
  double begin = 0, end = 1;

  /// Whether item k of n equal ones is in it. Shares that follow each other have every item once.
  bool has(std::size_t k, std::size_t n) const {
    const double middle = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    return middle >= begin && middle < end;
  }
};

/// Rows of distances from some of the sources.
struct SomeRows {
  std::vector<std::size_t> sources;  ///< which, increasing
  RowMatrix<double> distances;       ///< #sources by #targets
};

/// Distances from many sources at once. Const and thread-safe after construction; results do not depend on
/// the number of threads. Distances are in the shape's own units, infinite between components; an
/// unreferenced vertex is infinitely far from everything and zero from itself.
class GeodesicSolver {
 public:
  virtual ~GeodesicSolver() = default;

  /// Number of vertices of the shape, in the input's numbering.
  virtual Index size() const = 0;

  /// out is #sources by size(): row s holds the distances from sources[s] to every vertex.
  /// Throws InputError when a source is out of range or out has another size.
  virtual void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                         const Execution& execution = {}) const = 0;

  /// #sources by #targets. Never holds #sources by size() numbers at once; the default goes through
  /// `distances` in blocks.
  virtual RowMatrix<double> between(std::span<const Index> sources, std::span<const Index> targets,
                                    const Execution& execution = {}) const;

  /// Those rows of `between` that belong to a share of the work; shares that follow each other from 0 to 1
  /// have every row once, with the numbers that `between` gives. The default treats all rows as one item.
  virtual SomeRows some_between(std::span<const Index> sources, std::span<const Index> targets,
                                const Share& share, const Execution& execution = {}) const;

  /// All vertices at most `radius` away from the source, itself included, nearest first. The default runs a
  /// whole row; solvers that can stop early do.
  virtual std::vector<Neighbour> within(Index source, double radius) const;
};

/// A solver for any kind of shape, by `options.method`:
///
///   const Shape shape = clean_shape(read_shape("bunny.obj")).shape;
///   const auto solver = make_solver(shape);
///   solver->distances(sources, rows);
///
/// The shape must be clean (clean.h). Throws InputError where the method does not suit the kind of shape or
/// the mask does not fit.
std::unique_ptr<GeodesicSolver> make_solver(const Shape& shape, const GeodesicOptions& options = {},
                                            const Execution& execution = {});

}  // namespace geodome
