"""Evaluates a functional map between two poses: descriptors from geodesic distances, the least-squares map between the first
eigenfunctions of the Laplacian, and the geodesic error of the point-to-point map that it gives.

    python examples/recipes/functional_map.py [--vertices 2000]      (pip install scipy)
"""

import argparse

import geodome
import numpy as np
from scipy.sparse import diags_array
from scipy.sparse.linalg import eigsh
from scipy.spatial import cKDTree


def eigenfunctions(shape: geodome.Shape, count: int) -> tuple[np.ndarray, np.ndarray]:
    L, mass = geodome.laplacian(shape)
    _, functions = eigsh(L, k=count, M=diags_array(mass), sigma=-1e-8, v0=np.ones(len(mass)))
    return functions, mass


def main(vertices: int = 2000, output: str = "functional_map.png") -> None:
    poses = [geodome.make_shape("creature", vertices=vertices, pose=pose) for pose in (0, 3)]
    matrices = geodome.build(poses)
    bases = [eigenfunctions(pose, 40) for pose in poses]
    known = matrices[0].landmarks[:10]  # corresponding points; the two poses have the same vertices
    coefficients = [functions.T @ (mass[:, None] * np.exp(-((m.rows(known).T / scale) ** 2)))
                    for (functions, mass), m in zip(bases, matrices) for scale in (0.3, 0.6, 1.2)]
    a, b = np.hstack(coefficients[:3]), np.hstack(coefficients[3:])
    C = np.linalg.lstsq(a.T, b.T, rcond=1e-6)[0].T  # maps functions on the first pose to functions on the second
    sent = cKDTree(bases[0][0] @ C.T).query(bases[1][0])[1]  # the vertex of the first for every vertex of the second

    error = matrices[0][sent, np.arange(len(sent))] / np.sqrt(bases[0][1].sum())
    print(f"geodesic error / sqrt(area): mean {error.mean():.4f}, median {np.median(error):.4f}")
    geodome.save_picture(np.hstack([poses[1].picture(values=error), poses[0].picture(values=poses[0].points[:, 0]),
                                    poses[1].picture(values=poses[0].points[sent, 0])]), output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=2000)
    parser.add_argument("--output", default="functional_map.png")
    main(**vars(parser.parse_args()))
