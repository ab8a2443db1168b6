"""Distances as other methods hold them, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import integer, require_radius
from ._embedding import Embedding
from ._progress import Progress, working
from ._queryable import Queryable


class RivalMatrix(Queryable):
    """What `build(method=...)` gives for any method but ours: it answers the same questions, and cannot be saved.

    >>> import geodome
    >>> m = geodome.build(geodome.make_shape("creature", vertices=300), method="exact")
    >>> m.shape, m[0, 0]
    ((300, 300), 0.0)
    """

    def __init__(self, core: _core.Rival, summary: dict[str, Any]):
        self._core = core
        self.summary = summary

    def __repr__(self) -> str:
        return (f"<geodome.RivalMatrix: {len(self):,} × {len(self):,} distances by {self.summary['method']}, "
                f"{self.nbytes:,} bytes>")

    def nearest(self, vertex: int, k: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """The k other vertices nearest to a vertex, nearest first, and their distances."""
        if integer(k, "k") < 0:
            raise ValueError(f"{k} neighbours: ask for zero or more")
        row = self.row(vertex)
        row[vertex] = np.inf
        vertices, distances = _sorted(row, row < np.inf)
        return vertices[:k], distances[:k]

    def within(self, vertex: int, radius: float) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """All vertices up to so far from a vertex, nearest first, and their distances."""
        require_radius(radius)
        row = self.row(vertex)
        return _sorted(row, row <= radius)

    def embed(self, n_components: int = 3, **options: Any) -> npt.NDArray[np.float64]:
        """Points in few dimensions by the method's own scaling."""
        return self.embedding(n_components, **options).Z

    def embedding(self, n_components: int = 3, *, seed: int = 0, memory: float = 4e9, threads: int = 0,
                  progress: Progress = None) -> Embedding:
        """The same with what is known about it. A matrix of distances is built again as squared ones."""
        n_components = integer(n_components, "n_components")
        with working(threads, progress) as run:
            return Embedding(**self._core.embed(n_components, seed, memory, run))

    def evaluate(self, *, rows: int = 200, geodesic: str | None = None, seed: int = 0, threads: int = 0,
                 progress: Progress = None) -> dict[str, Any]:
        """How far off the entries are (squared distances where `squared`), against `rows` rows measured afresh (0:
        all), exactly unless `geodesic` names another method."""
        with working(threads, progress) as run:
            return self._core.measured_error(geodesic or "", rows, seed, run)


def _sorted(row: npt.NDArray[np.float64], wanted: npt.NDArray[np.bool_]
            ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    vertices = np.flatnonzero(wanted).astype(np.int32)
    vertices = vertices[np.argsort(row[vertices], kind="stable")]
    return vertices, row[vertices]


def method_names() -> list[str]:
    """The methods `build` knows.

    >>> import geodome
    >>> "sbha" in geodome.method_names()
    True
    """
    return _core.method_names()
