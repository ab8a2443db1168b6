"""Isomap of a swiss roll of 200,000 points, for which all pairs would take 320 GB.

    python examples/isomap_swiss_roll.py [--points 200000] [--output roll.npy]
"""

import argparse
import time

import geodome
import numpy as np


def swiss_roll(points):
    """Points on the roll, and where they lie when it is laid flat."""
    generator = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * generator.uniform(size=points)), 21 * generator.uniform(size=points)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    return (np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), np.column_stack([length, height]))


def misfit(Z, flat, count=2000):
    """How far the distances of some pairs are from those on the flat sheet, relative to all."""
    generator = np.random.default_rng(1)
    I, J = generator.integers(len(Z), size=(2, count))
    found, true = (np.linalg.norm(X[I] - X[J], axis=1) for X in (Z, flat))
    return np.linalg.norm(found - true) / np.linalg.norm(true)


def main(points: int = 200000, output: str | None = None) -> None:
    X, flat = swiss_roll(points)
    begin = time.perf_counter()
    isomap = geodome.Isomap(n_components=2, n_neighbors=10).fit(X)
    print(isomap.matrix_)
    print(f"{time.perf_counter() - begin:.1f} s; eigenvalues {isomap.eigenvalues_.round(-1)}")
    print(f"distances in the plane are off by {misfit(isomap.embedding_, flat):.2%}")
    if output:
        np.save(output, isomap.embedding_)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=200000)
    parser.add_argument("--output")
    main(**vars(parser.parse_args()))
