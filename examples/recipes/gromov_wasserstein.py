"""Low-rank Gromov–Wasserstein between two poses with POT, whose cost matrices are the factors of geodome: no n × n matrix is
formed.

    python examples/recipes/gromov_wasserstein.py [--vertices 1500]      (pip install POT)
"""

import argparse

import geodome
import numpy as np
import ot


def main(vertices: int = 1500, rank: int = 10, output: str = "gromov_wasserstein.png") -> None:
    poses = [geodome.make_shape("creature", vertices=vertices, pose=pose) for pose in (0, 3)]
    first, second = geodome.build(poses, squared=True)
    scale = first.W.max() ** 2
    costs = [(A / scale, B) for A, B in (m.factors() for m in (first, second))]
    points = [m.embed(3) for m in (first, second)]
    Q, R, g = ot.gromov.lowrank_gromov_wasserstein_samples(
        *points, rank=rank, cost_factorized_Xs=costs[0], cost_factorized_Xt=costs[1], alpha=1e-10, seed_init=0)

    # The coupling is Q diag(1 / g) Rᵀ. Its cost by factors equals the cost with all distances.
    T = Q / g @ R.T
    p, q = T.sum(axis=1), T.sum(axis=0)
    (A, B), (C, D) = costs
    by_factors = (((A.T * p @ A) * (B.T * p @ B)).sum() + ((C.T * q @ C) * (D.T * q @ D)).sum()
                  - 2 * ((B.T @ Q / g @ (R.T @ D)) * (A.T @ Q / g @ (R.T @ C))).sum())
    E1, E2 = (m.rows(range(len(m)), raw=True) / scale for m in (first, second))
    densely = p @ E1**2 @ p + q @ E2**2 @ q - 2 * ((E1 @ T @ E2) * T).sum()
    independent = p @ E1**2 @ p + q @ E2**2 @ q - 2 * (p @ E1 @ p) * (q @ E2 @ q)
    print(f"cost {by_factors:.6f} by factors, {densely:.6f} with all distances, {independent:.6f} of the independent coupling")
    parts = [np.argmax(one, axis=1).astype(float) for one in (Q, R)]
    geodome.save_picture(np.hstack([pose.picture(values=part) for pose, part in zip(poses, parts)]), output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=1500)
    parser.add_argument("--output", default="gromov_wasserstein.png")
    main(**vars(parser.parse_args()))
