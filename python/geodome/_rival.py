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
from ._shapes import as_shape


class RivalMatrix(Queryable):
    """What `build(method=...)` gives for any method but ours, and `load` for a file of one: it answers the same
    questions. Of "ctg" and "spectrometer" `save` writes a file.

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
        """The k other vertices nearest to a vertex, nearest first, and their distances. Looks at the whole row."""
        if integer(k, "k") < 0:
            raise ValueError(f"{k} neighbours: ask for zero or more")
        return self._core.nearest(integer(vertex, "vertex"), integer(k, "k"))

    def within(self, vertex: int, radius: float) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """All vertices up to so far from a vertex, itself included, nearest first, and their distances."""
        require_radius(radius)
        return self._core.within(integer(vertex, "vertex"), float(radius))

    def embed(self, n_components: int = 3, **options: Any) -> npt.NDArray[np.float64]:
        """Points in few dimensions by the method's own scaling."""
        return self.embedding(n_components, **options).Z

    def embedding(self, n_components: int = 3, *, seed: int = 0, memory: float = 4e9, threads: int = 0,
                  progress: Progress = None) -> Embedding:
        """The same with what is known about it. A matrix of distances is built again as squared ones, except those of
        "ctg" and "spectrometer", which are squared one by one."""
        n_components = integer(n_components, "n_components")
        with working(threads, progress) as run:
            return Embedding(**self._core.embed(n_components, seed, memory, run))

    def evaluate(self, shape: Any = None, *, rows: int = 200, geodesic: str | None = None, seed: int = 0,
                 threads: int = 0, progress: Progress = None) -> dict[str, Any]:
        """How far off the entries are (squared distances where `squared`), against `rows` rows measured afresh (0:
        all), exactly unless `geodesic` names another method. `shape` is only needed where the file does not hold
        it."""
        geometry = self.geometry if shape is None else as_shape(shape)
        if geometry is None:
            raise ValueError("the shape was left out of this file: name it")
        options = self.path_options()
        options["geodesic"] = geodesic or _core.exact_method(geometry._core)
        with working(threads, progress) as run:
            return self._core.measured_error(geometry._core, options, rows, seed, run)


def method_names() -> list[str]:
    """The methods `build` knows.

    >>> import geodome
    >>> "sbha" in geodome.method_names()
    True
    """
    return _core.method_names()
