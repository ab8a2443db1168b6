"""Isomap of a swiss roll of 200,000 points, for which all pairs would take 320 GB. Draws the embedding and embeds new
points that were not fitted.

    python examples/isomap_swiss_roll.py [--points 200000] [--output swiss_roll.png]
"""

import argparse
import time

import geodome
import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]


def swiss_roll(points: int) -> tuple[Reals, Reals]:
    """Points on the roll, and their coordinates on the unrolled sheet."""
    generator = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * generator.uniform(size=points)), 21 * generator.uniform(size=points)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    return (np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), np.column_stack([length, height]))


def misfit(Z: Reals, flat: Reals, count: int = 2000) -> float:
    """Relative error (root mean square) of the distances of random pairs, compared with those on the flat sheet."""
    generator = np.random.default_rng(1)
    I, J = generator.integers(len(Z), size=(2, count))
    found, true = (np.linalg.norm(X[I] - X[J], axis=1) for X in (Z, flat))
    return float(np.linalg.norm(found - true) / np.linalg.norm(true))


def dots(X: Reals, colours: Reals, width: int, height: int = 480) -> npt.NDArray[np.uint8]:
    """A picture of points in the plane, to scale."""
    corner, extent = X.min(axis=0), np.ptp(X, axis=0)
    scale = 0.9 * min(width / extent[0], height / extent[1])
    at = ((X - corner - extent / 2) * scale + (width / 2, height / 2)).astype(int)
    picture = np.full((height, width, 3), 255, dtype=np.uint8)
    for right in (0, 1):
        for down in (0, 1):
            picture[height - 2 - at[:, 1] + down, at[:, 0] + right] = colours
    return picture


def main(points: int = 200000, output: str = "swiss_roll.png") -> None:
    X, flat = swiss_roll(points + points // 100)
    begin = time.perf_counter()
    isomap = geodome.Isomap(n_components=2, n_neighbors=10).fit(X[:points])
    print(isomap.matrix_)
    print(f"{time.perf_counter() - begin:.1f} s; eigenvalues {isomap.eigenvalues_.round(-1)}")
    print(f"error of distances in the embedding: {misfit(isomap.embedding_, flat[:points]):.2%}")
    new = isomap.transform(X[points:])
    print(f"error for {len(new):,} new points: {misfit(new, flat[points:]):.2%}")

    # Both coloured in stripes by position on the flat sheet: points close there must be close in the embedding.
    share = (flat[:points] - flat.min(axis=0)) / np.ptp(flat, axis=0)
    stripes = 0.75 + 0.25 * (np.floor(8 * share[:, 1]) % 2)
    colours = np.column_stack([share[:, 0], 1 - np.abs(2 * share[:, 0] - 1), 1 - share[:, 0]]) * stripes[:, None] * 255
    rolled = dots(X[:points] @ [[1.0, 0.0], [0.3, 0.3], [0.0, 1.0]], colours, 480)
    geodome.save_picture(np.hstack([rolled, dots(isomap.embedding_, colours, 960)]), output)
    print(f"wrote {output}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=200000)
    parser.add_argument("--output", default="swiss_roll.png")
    main(**vars(parser.parse_args()))
