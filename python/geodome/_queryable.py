"""What every matrix of distances answers, ours and its rivals: as a NumPy array would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ._arguments import integer, reals, vertices
from ._progress import Progress, working

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

Reals = npt.NDArray[np.float64]
Indices = Union[int, slice, npt.ArrayLike]


class Queryable:
    """`_core` has size, squared, nbytes, entries, rows, block and apply."""

    # NumPy leaves `X @ m` to us.
    __array_ufunc__ = None

    _core: Any

    @property
    def shape(self) -> tuple[int, int]:
        return self._core.size, self._core.size

    @property
    def ndim(self) -> int:
        return 2

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    @property
    def nbytes(self) -> int:
        """Bytes of everything stored: landmarks, P and W, counted array by array."""
        return self._core.nbytes

    @property
    def squared(self) -> bool:
        """Whether products give squared distances."""
        return self._core.squared

    def __len__(self) -> int:
        return self._core.size

    def __getitem__(self, key: Any) -> Any:
        """`m[i, j]` for integers and arrays of them, which broadcast; slices, masks and single indices as in NumPy,
        except that a negative vertex is an error."""
        if not isinstance(key, tuple):
            key = (key, slice(None))
        key = tuple(slice(None) if part is Ellipsis else part for part in key)
        if len(key) != 2:
            raise IndexError(f"a matrix has 2 dimensions, not {len(key)}")
        if not isinstance(key[0], slice) and not isinstance(key[1], slice):
            return self._entries(*(self._vertices(part) for part in key))
        I, J = (self._vertices(part) for part in key)
        whole = isinstance(key[1], slice) and key[1] == slice(None)
        values = self.rows(I.ravel()) if whole else self.block(I.ravel(), J.ravel())
        return values.reshape(I.shape + J.shape)

    def _vertices(self, part: Indices) -> npt.NDArray[np.int32]:
        if isinstance(part, slice):
            return np.arange(*part.indices(self._core.size), dtype=np.int32)
        return vertices(part, self._core.size)

    def _list(self, part: Indices) -> npt.NDArray[np.int32]:
        """One dimension of vertices."""
        listed = np.atleast_1d(vertices(part, self._core.size))
        if listed.ndim > 1:
            raise ValueError(f"vertices must be a list of one dimension, not {listed.ndim}")
        return listed

    def __iter__(self) -> Iterator[Reals]:
        """Row by row."""
        return (self.row(vertex) for vertex in range(self._core.size))

    def _entries(self, I: npt.NDArray[np.int32], J: npt.NDArray[np.int32]) -> Any:
        if I.ndim == J.ndim == 2 and I.shape[1] == 1 and J.shape[0] == 1:  # numpy.ix_
            return self.block(I.ravel(), J.ravel())
        I, J = np.broadcast_arrays(I, J)
        values = self._core.entries(np.ascontiguousarray(I).ravel(), np.ascontiguousarray(J).ravel(), False, 0)
        return values.reshape(I.shape) if I.ndim else float(values[0])

    def row(self, vertex: int, *, raw: bool = False) -> Reals:
        """Distances from one vertex to all.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).row(0).shape
        (400,)
        """
        return self.rows(integer(vertex, "vertex"), raw=raw)[0]

    def rows(self, vertices: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
             progress: Progress = None) -> Reals:
        """Distances from each of these vertices to all: one row for each.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).rows([0, 7]).shape
        (2, 400)
        """
        with working(threads, progress) as run:
            return self._core.rows(self._list(vertices), raw, run)

    def block(self, rows: npt.ArrayLike, columns: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
              progress: Progress = None) -> Reals:
        """Distances from each of some vertices to each of others.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).block([0, 7], range(100, 105)).shape
        (2, 5)
        """
        with working(threads, progress) as run:
            return self._core.block(self._list(rows), self._list(columns), raw, run)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("all distances as an array are always a copy")
        return self.rows(np.arange(self._core.size)).astype(dtype or np.float64, copy=False)

    def __matmul__(self, other: npt.ArrayLike) -> Reals:
        """The product of the linear form with a vector or matrix. Raises ValueError on several components, whose
        distances are infinite."""
        X = reals(other, "the other factor")
        if X.ndim not in (1, 2) or X.shape[0] != self._core.size:
            raise ValueError(f"{self.shape} times {X.shape}: the sizes do not fit")
        product = self._core.apply(X.reshape(len(X), -1), 0)
        return product.reshape(X.shape)

    def __rmatmul__(self, other: npt.ArrayLike) -> Reals:
        return (self @ np.transpose(np.asarray(other))).T

    @property
    def T(self) -> Queryable:
        return self

    def as_linear_operator(self) -> LinearOperator:
        """For SciPy's iterative solvers.

        >>> import geodome
        >>> from scipy.sparse.linalg import eigsh
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> eigsh(m.as_linear_operator(), k=1, return_eigenvectors=False).shape
        (1,)
        """
        from scipy.sparse.linalg import LinearOperator

        def product(X: Reals) -> Reals:
            return self @ X

        return LinearOperator(self.shape, matvec=product, rmatvec=product, matmat=product, rmatmat=product,
                              dtype=self.dtype)
