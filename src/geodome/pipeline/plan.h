#pragma once
/// What a build will take, before it is begun.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/pipeline/options.h"

namespace geodome {

/// Sizes are upper bounds. Memory is fitted on a few runs; time is a rough guess for a processor of the
/// 2020s.
struct BuildPlan {
  Index vertices = 0;
  Index landmarks = 0;
  std::int64_t nonzeros = 0;  ///< of P
  std::string geodesic;       ///< the method that will measure
  /// Of a coarser mesh to measure landmarks on, one in so many vertices; an error too large may prevent it.
  Index coarsen = 1;
  std::int64_t bytes = 0;  ///< of the matrix
  std::int64_t file_bytes = 0;
  std::int64_t full_matrix_bytes = 0;  ///< all pairs in 32-bit floats
  std::int64_t peak_bytes = 0;         ///< of memory; with a team that of a rank
  std::int64_t scratch_bytes = 0;  ///< on disk during the build: landmark distances (BuildOptions::scratch)
  std::int64_t memory_available = 0;                   ///< 0 where the system does not tell
  std::vector<std::pair<std::string, double>> stages;  ///< seconds of each

  double seconds() const;
};

/// Assumes one component; time is that of this process alone. Cost: O(1), of samples in many dimensions a
/// fraction of a second. Throws InputError for methods whose cost cannot be estimated.
BuildPlan plan_build(const Shape& shape, const BuildOptions& options, const Execution& execution = {});

/// Throws MemoryError with both numbers when the build needs more memory than is available.
void require_memory(const BuildPlan& plan);

namespace internal {

/// Of all distances in 32-bit floats.
std::int64_t full_matrix_bytes(Index vertices);

/// The number of rows that BuildOptions::certificate_rows stands for: for -1 about a tenth of the time of
/// the build on one core, at least 4 and at most 200; none for methods that no file can hold. `geodesic` is
/// the method that measures, `coarsen` the share of the vertices that it has of a coarser mesh. Of these
/// alone, so that files do not depend on the machine.
Index certificate_rows(const BuildOptions& options, Index vertices, Index landmarks,
                       const std::string& geodesic, Index coarsen);

/// Fewer rows where exact ones take several times as long as `certificate_rows` assumes: as many as take the
/// same time, but at least 4, or `planned` if that is less. `windows` per row and vertex, as measured on this
/// shape; 0 where that is not known. Rows that were requested are not reduced.
Index affordable_rows(const BuildOptions& options, Index planned, double windows);

/// Landmarks of a component whose rows over all vertices the method needs.
Index whole_rows(Method method);

}  // namespace internal

}  // namespace geodome
