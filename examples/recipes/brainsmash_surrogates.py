"""BrainSMASH surrogates of a map on a cortex whose medial wall is masked.

    python examples/recipes/brainsmash_surrogates.py [--vertices 4000]      (pip install brainsmash)
"""

import argparse

import geodome
import numpy as np
from brainsmash.mapgen.sampled import Sampled
from cortex import hemisphere, smooth_map


def main(vertices: int = 4000, output: str = "brainsmash_surrogates.png") -> None:
    V, F, mask = hemisphere(vertices)
    m = geodome.build(V, F, mask=mask)
    brain_map = smooth_map(m)
    kept = np.flatnonzero(mask)
    files = m.to_brainsmash("brainsmash", neighbours=300)  # rows of kept vertices only
    D, index = np.load(files["distmat.npy"], mmap_mode="r"), np.load(files["index.npy"], mmap_mode="r")
    surrogates = Sampled(brain_map[kept], D, index, ns=300, knn=300, seed=1)(n=20)

    a, b = F[mask[F].all(axis=1)][:, :2].T
    values = np.full((len(surrogates), len(V)), np.nan)
    values[:, kept] = surrogates
    like = [np.corrcoef(one[a], one[b])[0, 1] for one in (brain_map, *values)]
    print(f"correlation of neighbouring vertices: {like[0]:.3f} in the map, {np.mean(like[1:]):.3f} in surrogates")
    apart = [np.corrcoef(brain_map[kept], one)[0, 1] for one in surrogates]
    print(f"correlation of surrogates with the map: {np.mean(apart):.3f} ± {np.std(apart):.3f}")
    shape = geodome.as_shape(V, F)
    geodome.save_picture(np.hstack([shape.picture(values=one) for one in (brain_map, *values[:2])]), output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=4000)
    parser.add_argument("--output", default="brainsmash_surrogates.png")
    main(**vars(parser.parse_args()))
