"""Distances of baseline methods, for comparison."""

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
    """The matrix of a baseline: the result of `build(method=...)` for all methods except "sbha" and "bha", and of `load`
    for their files. It supports the same queries. `save` supports "ctg" and "spectrometer".

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
        """The k nearest other vertices of a vertex, nearest first, and their distances. Computes the whole row."""
        if integer(k, "k") < 0:
            raise ValueError(f"k must be non-negative, got {k}")
        return self._core.nearest(integer(vertex, "vertex"), integer(k, "k"))

    def within(self, vertex: int, radius: float) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """All vertices within `radius` of a vertex, including the vertex, nearest first, and their distances."""
        require_radius(radius)
        return self._core.within(integer(vertex, "vertex"), float(radius))

    def embed(self, n_components: int = 3, **options: Any) -> npt.NDArray[np.float64]:
        """Coordinates in n_components dimensions, computed by the method's own scaling."""
        return self.embedding(n_components, **options).Z

    def embedding(self, n_components: int = 3, *, seed: int = 0, memory: float = 4e9, threads: int = 0,
                  progress: Progress = None) -> Embedding:
        """Like `embed`, with eigenvalues and residuals. A matrix of distances is rebuilt with squared distances; those
        of "ctg" and "spectrometer" are squared entry by entry instead."""
        n_components = integer(n_components, "n_components")
        with working(threads, progress) as run:
            return Embedding(**self._core.embed(n_components, seed, memory, run))

    def evaluate(self, shape: Any = None, *, rows: int = 200, geodesic: str | None = None, seed: int = 0,
                 threads: int = 0, progress: Progress = None) -> dict[str, Any]:
        """Error of the entries (squared distances if `squared`) relative to `rows` newly measured rows (0: all), exact
        unless `geodesic` selects another method. `shape` is only needed if the file does not contain it."""
        geometry = self.geometry if shape is None else as_shape(shape)
        if geometry is None:
            raise ValueError("this matrix contains no shape: pass shape=")
        options = self.path_options()
        options["geodesic"] = geodesic or _core.exact_method(geometry._core)
        with working(threads, progress) as run:
            return self._core.measured_error(geometry._core, options, rows, seed, run)


def method_names() -> list[str]:
    """Names of the methods of `build`.

    >>> import geodome
    >>> "sbha" in geodome.method_names()
    True
    """
    return _core.method_names()
