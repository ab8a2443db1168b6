"""Canonical forms: low-dimensional points whose Euclidean distances approximate those of a shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import integer
from ._progress import Progress, working


@dataclass(frozen=True, repr=False)
class Embedding:
    """Coordinates with eigenvalues, residuals and stress.

    `Z` is #vertices × n_components; each component of the shape is centred at the origin, axes are ordered by
    decreasing eigenvalue; vertices left out by a mask are NaN. `components` has one entry per component of the shape;
    `eigenvalues`, `residuals` and `negative_share` are those of the largest. `stress` and `model_stress` are
    dictionaries with `value`, `normalised`
    (0 is perfect, 1 is the stress of a single point), its `interval`, `rows` and `exact`. `model_stress` is relative to
    the distances of the matrix, `stress` to newly measured distances.
    """

    Z: npt.NDArray[np.float64]
    component: npt.NDArray[np.int32]
    components: list[dict[str, Any]]
    stress: dict[str, Any] | None = None
    model_stress: dict[str, Any] | None = None

    def __repr__(self) -> str:
        parts = f" in {len(self.components):,} components" if len(self.components) > 1 else ""
        told = [f"{name} {value['normalised']:.2g}" for name, value in (("stress", self.stress),
                                                                        ("model stress", self.model_stress)) if value]
        return (f"<geodome.Embedding: {self.Z.shape[0]:,} points{parts} in {self.Z.shape[1]} dimensions"
                f"{''.join(', ' + one for one in told)}>")

    @property
    def _largest(self) -> dict[str, Any]:
        return max(self.components, key=lambda one: one["vertices"])

    @property
    def eigenvalues(self) -> npt.NDArray[np.float64]:
        return self._largest["eigenvalues"]

    @property
    def residuals(self) -> npt.NDArray[np.float64]:
        """‖Bv − λv‖ divided by the largest eigenvalue, for every axis."""
        return self._largest["residuals"]

    @property
    def negative_share(self) -> float:
        """Zero for distances of points in a Euclidean space, larger the less they can be embedded in one.

        An estimate, often 10 to 20 % too low, unless `negative_share_exact` in `components` is true.
        """
        return self._largest["negative_share"]

    @property
    def colours(self) -> npt.NDArray[np.uint8]:
        """The first three axes as red, green and blue. A part of a shape has the same colour in every pose."""
        return _core.canonical_colours(self.Z, self.component)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.Z, dtype=dtype, copy=copy if copy is not None else False)


def embedding_of(matrix: _core.Distances, n_components: int, method: str | None, stress_rows: int, seed: int,
                 memory: float, threads: int, progress: Progress) -> Embedding:
    """Classical scaling of a matrix. With `stress_rows`, also the stress relative to the matrix and, if the shape is
    known and the distances were measured on it, relative to newly measured distances."""
    n_components = integer(n_components, "n_components")
    with working(threads, progress) as run:
        found = _core.embed_matrix(matrix, n_components, method, seed=seed, memory=memory, run=run)
        if stress_rows:
            measured = found["Z"], found["component"], stress_rows, seed, run
            found["model_stress"] = _core.model_stress(matrix, *measured)
            found["stress"] = _core.shape_stress(matrix, *measured)
    if (found["component"] < 0).any():
        found["Z"] = np.where((found["component"] < 0)[:, None], np.nan, found["Z"])
    return Embedding(**found)
