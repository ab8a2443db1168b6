"""The distances between some vertices of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._matrix import DistanceMatrix, factors_of, factors_of_rank
from ._progress import Progress
from ._queryable import Queryable
from ._types import Indices, Reals

if TYPE_CHECKING:
    import scipy.sparse


class Submatrix(Queryable):
    """The distances between some vertices of a `DistanceMatrix`, returned by its `restrict`. Vertices are numbered from 0,
    in the order of `vertices`, which are their numbers in `whole`. Nothing is copied.

    >>> import geodome, numpy
    >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
    >>> part = m.restrict([7, 3, 99])
    >>> part.shape, part[0, 1] == m[7, 3], part.vertices.tolist()
    ((3, 3), True, [7, 3, 99])
    >>> (part @ numpy.ones(3)).shape
    (3,)
    """

    whole: DistanceMatrix
    vertices: Indices

    def __init__(self, whole: DistanceMatrix, vertices: Indices):
        if len(np.unique(vertices)) < len(vertices):
            raise ValueError("vertices of a restriction must be distinct")
        self.whole, self.vertices = whole, vertices
        self._order = np.argsort(vertices)
        self._sorted = np.ascontiguousarray(vertices[self._order])

    def __repr__(self) -> str:
        return f"<geodome.Submatrix: {len(self):,} × {len(self):,} of {len(self.whole):,} × {len(self.whole):,} distances>"

    @property
    def squared(self) -> bool:
        """Whether products use squared distances."""
        return self.whole.squared

    @property
    def component(self) -> npt.NDArray[np.int32]:
        """The component of every vertex in `whole`."""
        return self.whole.component[self.vertices]

    @property
    def P(self) -> scipy.sparse.csr_array:
        """Rows of P for these vertices."""
        return self.whole.P[self.vertices]

    @property
    def W(self) -> Reals:
        """Distances between the landmarks of `whole`, which need not be among these vertices."""
        return self.whole.W

    def factors(self, rank: int | None = None) -> tuple[Reals, Reals]:
        """As `DistanceMatrix.factors`, with a row for each of these vertices and, without a rank, a column for each landmark
        of their component.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> m.restrict(range(100)).factors(rank=9)[0].shape
        (100, 9)
        """
        if rank is not None:
            return factors_of_rank(self, rank)
        own = np.unique(self.component)
        landmarks = np.isin(self.whole.component[self.whole.landmarks], own)
        return factors_of(self.P[:, landmarks], self.W[np.ix_(landmarks, landmarks)], self.squared)

    def embed(self, n_components: int = 3, *, threads: int = 0, progress: Progress = None) -> Reals:
        """Coordinates of these vertices in the embedding of `whole`.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).restrict([4, 5]).embed(2).shape
        (2, 2)
        """
        return self.whole.embed(n_components, threads=threads, progress=progress)[self.vertices]

    # What `Queryable` asks.

    @property
    def _size(self) -> int:
        return len(self.vertices)

    def _entries(self, I: Indices, J: Indices) -> Reals:
        return self.whole._entries(self.vertices[I], self.vertices[J])

    def _rows(self, I: Indices, raw: bool, run: _core.Run) -> Reals:
        return self.whole._block(self.vertices[I], self.vertices, raw, run)

    def _block(self, I: Indices, J: Indices, raw: bool, run: _core.Run) -> Reals:
        return self.whole._block(self.vertices[I], self.vertices[J], raw, run)

    def _product(self, X: Reals) -> Reals:
        result = np.zeros_like(X)
        if len(X):
            result[self._order] = self.whole._core.apply(np.ascontiguousarray(X[self._order]), self._sorted, 0)
        return result
