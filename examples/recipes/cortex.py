"""A model of a cortical hemisphere for the other recipes: a folded sphere with a medial wall, and a smooth map on it."""

import geodome
import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]


def hemisphere(vertices: int, side: int = 1) -> tuple[Reals, npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Vertices, faces, and a mask that is false on the medial wall."""
    V, F = geodome.make_shape("sphere", vertices=vertices)
    folds = 1 + 0.08 * np.sin(9 * V[:, 0]) * np.sin(9 * V[:, 1]) * np.sin(9 * V[:, 2])
    return V * folds[:, None] * [70.0 * side, 70, 70], F, V[:, 0] < 0.85


def smooth_map(m: geodome.DistanceMatrix, seed: int = 0) -> Reals:
    """Noise weighted by exp(-d/20 mm), NaN on the medial wall."""
    kept = np.flatnonzero(m.component >= 0)
    centres = np.random.default_rng(seed).choice(kept, 40, replace=False)
    signs = np.random.default_rng(seed + 1).normal(size=40)
    values = signs @ np.exp(-m.rows(centres) / 20)
    return np.where(m.component >= 0, values, np.nan)
