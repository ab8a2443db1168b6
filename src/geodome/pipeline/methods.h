#pragma once
/// The methods that represent all distances of a shape, ours and the baselines: one row each.

#include <span>
#include <string_view>

#include "geodome/base/names.h"

namespace geodome {

/// docs/methods/baselines.md has the formulas.
enum class Method {
  exact,
  bha,
  sbha,
  cell,
  nystrom,
  nystrom_truncated,
  fmds,
  fmds_hard,
  smds,
  lmds,
  pivot,
  hybrid,
  ctg,
  spectrometer,
};

/// What a method can do and what it needs.
struct MethodTraits {
  bool file = false;          ///< a .geodome file can hold it
  bool factors = false;       ///< P W Pᵀ: resumable, and on distances from a callback
  bool linear = true;         ///< products cost less than all entries
  bool landmarks = true;      ///< has landmarks
  bool columns = false;       ///< needs all distances of its landmarks, #V by #landmarks
  bool sparse = false;        ///< its size depends on the nonzeros per row of P
  bool eigenvectors = false;  ///< works in the span of eigenvectors of the Laplacian
  bool points = false;        ///< consists of points, whose distances it returns
  bool measures = true;       ///< uses the geodesic solver, and accepts user-supplied distances
};

/// All methods with their descriptions.
std::span<const Named<Method>> methods();

const MethodTraits& traits(Method method);

}  // namespace geodome
