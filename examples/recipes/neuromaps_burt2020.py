"""neuromaps' null model burt2020 with geodesic distances of both hemispheres, medial walls masked.

    python examples/recipes/neuromaps_burt2020.py [--vertices 1500]      (pip install neuromaps brainsmash)
"""

import argparse

import geodome
import numpy as np
from cortex import hemisphere, smooth_map
from neuromaps.nulls import burt2020


def main(vertices: int = 1500, output: str = "neuromaps_burt2020.png") -> None:
    sides = [hemisphere(vertices, side) for side in (-1, 1)]
    left, right = geodome.build([(V, F) for V, F, _ in sides], mask=[mask for _, _, mask in sides])
    brain_map = np.concatenate([smooth_map(left, 0), smooth_map(right, 1)])
    # Infinite on the medial wall, as neuromaps expects it.
    nulls = burt2020(brain_map, distmat=(left.toarray(), right.toarray()), n_perm=10, seed=1, ns=300, knn=300)

    kept = np.isfinite(brain_map)
    print(f"{nulls.shape[1]} nulls of {kept.sum():,} vertices; missing only on the medial wall: "
          f"{(np.isfinite(nulls) == kept[:, None]).all()}")
    print(f"correlation with the map: {np.mean([np.corrcoef(brain_map[kept], one[kept])[0, 1] for one in nulls.T]):.3f}")
    shape = geodome.as_shape(*sides[0][:2])
    half = len(brain_map) // 2
    geodome.save_picture(np.hstack([shape.picture(values=one[:half]) for one in (brain_map, *nulls.T[:2])]), output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=1500)
    parser.add_argument("--output", default="neuromaps_burt2020.png")
    main(**vars(parser.parse_args()))
