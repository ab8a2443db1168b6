"""Exports distances on a cortical surface without its medial wall for BrainSMASH.

    python examples/cortex_brainsmash.py [SURFACE.gii MASK] -o folder [--vertices 10000]

SURFACE is a file in any format geodome reads, such as GIFTI or a FreeSurfer surface. MASK has one value per vertex, zero
on the medial wall (GIFTI, NPY, text), or is a FreeSurfer label of the cortex. Default: a wrinkled ball with a mask. Then,
in BrainSMASH:

    from brainsmash.mapgen.sampled import Sampled
    maps = Sampled(x=brain_map, D="folder/distmat.npy", index="folder/index.npy")(n=100)
"""

import argparse
import pathlib
from typing import Any

import geodome
import numpy as np


def wrinkled_ball(vertices: int) -> tuple[Any, Any, Any]:
    """A model of a hemisphere: a folded sphere, and a mask without a cap as the medial wall."""
    V, F = geodome.make_shape("sphere", vertices=vertices)
    folds = 1 + 0.08 * np.sin(9 * V[:, 0]) * np.sin(9 * V[:, 1]) * np.sin(9 * V[:, 2])
    wall = V[:, 0] > 0.85
    return V * folds[:, None] * 70, F, ~wall


def main(surface: Any = None, mask: Any = None, output: str = "brainsmash", vertices: int = 10000,
         neighbours: int = 1000) -> None:
    if surface is None:
        V, F, mask = wrinkled_ball(vertices)
        surface = (V, F)
    m = geodome.build(surface, mask=mask)
    cortex = m.component >= 0
    print(m, f"{(~cortex).sum():,} vertices left out", sep="\n")
    files = m.to_brainsmash(output, neighbours=min(neighbours, int(cortex.sum()) - 1))
    for name, file in files.items():
        print(f"{name}: {pathlib.Path(file).stat().st_size / 1e6:.1f} MB")
    distances = np.load(files["distmat.npy"], mmap_mode="r")
    print(f"{distances.shape[0]:,} rows of the {distances.shape[1]:,} nearest vertices; all pairs would take "
          f"{4e-6 * cortex.sum() ** 2:,.0f} MB, the matrix takes {m.nbytes / 1e6:.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surface", nargs="?")
    parser.add_argument("mask", nargs="?")
    parser.add_argument("-o", "--output", default="brainsmash")
    parser.add_argument("--vertices", type=int, default=10000)
    parser.add_argument("--neighbours", type=int, default=1000)
    main(**vars(parser.parse_args()))
