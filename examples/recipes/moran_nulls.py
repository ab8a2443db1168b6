"""Moran spectral randomisation of a cortical map with brainspace, by inverse geodesic distances.

    python examples/recipes/moran_nulls.py [--vertices 1500]      (pip install brainspace)
"""

import argparse

import geodome
import numpy as np
from brainspace.null_models import MoranRandomization
from cortex import hemisphere, smooth_map


def main(vertices: int = 1500, output: str = "moran_nulls.png") -> None:
    V, F, mask = hemisphere(vertices)
    m = geodome.build(V, F, mask=mask)
    brain_map = smooth_map(m)
    D = m.restrict(mask).toarray()
    np.fill_diagonal(D, 1)
    nulls = MoranRandomization(n_rep=20, tol=1e-6, random_state=0).fit(1 / D).randomize(brain_map[mask])

    weights = 1 / D
    np.fill_diagonal(weights, 0)

    def moran(x: np.ndarray) -> float:
        x = x - x.mean()
        return float(len(x) / weights.sum() * (x @ weights @ x) / (x @ x))

    print(f"Moran's I: {moran(brain_map[mask]):.4f} of the map, {np.mean([moran(one) for one in nulls]):.4f} of the nulls")
    values = np.full((2, len(V)), np.nan)
    values[:, mask] = nulls[:2]
    shape = geodome.as_shape(V, F)
    geodome.save_picture(np.hstack([shape.picture(values=one) for one in (brain_map, *values)]), output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=1500)
    parser.add_argument("--output", default="moran_nulls.png")
    main(**vars(parser.parse_args()))
