#include "geodome/pipeline/method_table.h"

#include <algorithm>
#include <array>

#include "geodome/base/error.h"

namespace geodome {

using namespace internal;

namespace {

constexpr MethodTraits stored_factors{.file = true, .factors = true};
constexpr MethodTraits columns{.columns = true};

/// In the order of `Method`.
constexpr std::array<MethodRow, 14> table = {{
    {{Method::exact, "exact", "all distances, for small shapes"},
     {.linear = false, .landmarks = false},
     build_exact,
     nullptr},
    {{Method::bha, "bha", "P W Pᵀ with dense P of vertices x landmarks numbers"},
     stored_factors,
     build_bha,
     plan_landmark_matrix},
    {{Method::sbha, "sbha", "P W Pᵀ with sparse P: small, about as accurate as bha, for shapes of any size"},
     {.file = true, .factors = true, .sparse = true},
     build_sbha,
     plan_landmark_matrix},
    {{Method::cell, "cell", "P W Pᵀ with weights learned from distances: smallest, more accurate than sbha"},
     stored_factors,
     build_cell,
     plan_cell},
    {{Method::nystrom, "nystrom", "C W⁺ Cᵀ with columns C of the distance matrix; unstable"},
     columns,
     build_nystrom,
     nullptr},
    {{Method::nystrom_truncated, "nystrom-truncated", "nystrom without the small eigenvalues of W"},
     columns,
     build_nystrom,
     nullptr},
    {{Method::fmds, "fmds",
      "½ (H Cᵀ + C Hᵀ) with smoothing interpolation H of columns C; depends on the unit of length"},
     columns,
     build_fmds,
     nullptr},
    {{Method::fmds_hard, "fmds-hard", "fmds with exact interpolation; does not depend on the unit"},
     columns,
     build_fmds,
     nullptr},
    {{Method::smds, "smds", "Φ H W Hᵀ Φᵀ with eigenvectors Φ of the Laplacian"},
     {.eigenvectors = true},
     build_smds,
     nullptr},
    {{Method::lmds, "lmds",
      "embedding: classical scaling of the landmarks, other vertices by their distances to landmarks"},
     {.linear = false, .columns = true, .points = true},
     build_landmark_mds,
     nullptr},
    {{Method::pivot, "pivot", "embedding: singular vectors of the distances to the landmarks"},
     {.linear = false, .columns = true, .points = true},
     build_landmark_mds,
     nullptr},
    {{Method::hybrid, "hybrid", "sbha and columns of its residual, one byte per vertex each"},
     {.columns = true, .sparse = true},
     build_hybrid,
     nullptr},
    {{Method::ctg, "ctg", "geodesic triangles unfolded into the plane; small, constant time per pair"},
     {.file = true, .linear = false, .columns = true},
     build_ctg,
     plan_ctg},
    {{Method::spectrometer, "spectrometer",
      "heat method in the span of eigenvectors of the Laplacian; supports graphs"},
     {.file = true, .linear = false, .eigenvectors = true, .measures = false},
     build_spectrometer,
     plan_spectrometer},
}};

constexpr auto names = [] {
  std::array<Named<Method>, table.size()> all{};
  for (std::size_t k = 0; k < table.size(); ++k) all[k] = table[k].name;
  return all;
}();

}  // namespace

const MethodRow& internal::row_of(Method method) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const MethodRow& one) { return one.name.choice == method; });
  if (row == table.end()) throw InputError(text("unknown method number ", static_cast<int>(method)));
  return *row;
}

std::span<const Named<Method>> methods() {
  return names;
}

const MethodTraits& traits(Method method) {
  return row_of(method).traits;
}

}  // namespace geodome
