#pragma once
/// One Laplacian per kind of shape; `laplacian` in laplacian.h chooses among them and documents them.

#include "geodome/laplacian/intrinsic.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

Laplacian triangle_laplacian(const TriangleMesh& mesh, const LaplacianOptions& options);
/// Of `count` vertices.
Laplacian intrinsic_laplacian(const IntrinsicMesh& mesh, Index count);
Laplacian polygon_laplacian(const PolygonMesh& mesh);
Laplacian cloud_laplacian(const PointCloud& cloud, const LaplacianOptions& options,
                          const Execution& execution);
Laplacian graph_laplacian(const Graph& graph, const LaplacianOptions& options);
Laplacian samples_laplacian(const Samples& samples, const LaplacianOptions& options,
                            const Execution& execution);

}  // namespace geodome::internal
