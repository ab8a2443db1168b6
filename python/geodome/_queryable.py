"""The interface of a NumPy array: indices, rows, blocks and products; and files of all distances."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, integer, path, reals, vertices
from ._progress import Progress, working

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

Reals = npt.NDArray[np.float64]
Indices = Union[int, slice, npt.ArrayLike]


class Queryable:
    """Base of `DistanceMatrix`: what depends on nothing but distances."""

    # Makes NumPy call `__rmatmul__` for `X @ m`.
    __array_ufunc__ = None

    def __init__(self, core: _core.Distances):
        self._core = core
        self._raw = core.raw()

    def _mode(self, raw: bool) -> _core.Distances:
        return self._raw if raw else self._core

    @property
    def shape(self) -> tuple[int, int]:
        return self._core.size, self._core.size

    @property
    def ndim(self) -> int:
        return 2

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    def __len__(self) -> int:
        return self._core.size

    def __getitem__(self, key: Any) -> Any:
        """`m[i, j]` for integers and integer arrays, which broadcast; slices, masks and single indices as in NumPy.
        Negative vertices are an error."""
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
        """A one-dimensional array of vertices."""
        listed = np.atleast_1d(vertices(part, self._core.size))
        if listed.ndim > 1:
            raise ValueError(f"vertices must have one dimension, not {listed.ndim}")
        return listed

    def __iter__(self) -> Iterator[Reals]:
        """Iterates over the rows."""
        return (self.row(vertex) for vertex in range(self._core.size))

    def _entries(self, I: npt.NDArray[np.int32], J: npt.NDArray[np.int32]) -> Any:
        if I.ndim == J.ndim == 2 and I.shape[1] == 1 and J.shape[0] == 1:  # numpy.ix_
            return self.block(I.ravel(), J.ravel())
        I, J = np.broadcast_arrays(I, J)
        values = self._core.entries(np.ascontiguousarray(I).ravel(), np.ascontiguousarray(J).ravel(), 0)
        return values.reshape(I.shape) if I.ndim else float(values[0])

    def row(self, vertex: int, *, raw: bool = False) -> Reals:
        """Distances from one vertex to all vertices.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).row(0).shape
        (400,)
        """
        return self.rows(integer(vertex, "vertex"), raw=raw)[0]

    def rows(self, vertices: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
             progress: Progress = None) -> Reals:
        """Distances from each of the given vertices to all vertices, one row per vertex.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).rows([0, 7]).shape
        (2, 400)
        """
        with working(threads, progress) as run:
            return self._mode(raw).rows(self._list(vertices), run)

    def block(self, rows: npt.ArrayLike, columns: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
              progress: Progress = None) -> Reals:
        """Distances from each vertex in `rows` to each vertex in `columns`.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).block([0, 7], range(100, 105)).shape
        (2, 5)
        """
        with working(threads, progress) as run:
            return self._mode(raw).block(self._list(rows), self._list(columns), run)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("the array of all distances is always a copy: copy=False is not supported")
        return self.rows(np.arange(self._core.size)).astype(dtype or np.float64, copy=False)

    def __matmul__(self, other: npt.ArrayLike) -> Reals:
        """The product of the raw matrix with a vector or matrix. Raises ValueError for several components, since the
        distances between them are infinite."""
        X = reals(other, "the other factor")
        if X.ndim not in (1, 2) or X.shape[0] != self._core.size:
            raise ValueError(f"cannot multiply {self.shape} by {X.shape}: the sizes do not match")
        product = self._core.apply(X.reshape(len(X), -1), 0)
        return product.reshape(X.shape)

    def __rmatmul__(self, other: npt.ArrayLike) -> Reals:
        return (self @ np.transpose(np.asarray(other))).T

    @property
    def T(self) -> Queryable:
        return self

    def as_linear_operator(self) -> LinearOperator:
        """A SciPy LinearOperator, for iterative solvers.

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

    # Files.

    def to_npy(self, file: PathLike, *, dtype: npt.DTypeLike = np.float32, raw: bool = False, threads: int = 0,
               progress: Progress = None) -> npt.NDArray[Any]:
        """Writes all n × n distances to an NPY file, in blocks of rows, and returns them as a memory map.

        >>> import geodome
        >>> D = geodome.build(geodome.make_shape("creature", vertices=400)).to_npy("distances.npy")
        >>> type(D).__name__, D.shape, D.dtype.name
        ('memmap', (400, 400), 'float32')
        """
        kind = _float_type(dtype)
        with working(threads, progress) as run:
            _core.export_npy(self._mode(raw), path(file), kind.itemsize, run)
        return np.load(path(file), mmap_mode="r")

    def to_mat(self, file: PathLike, *, dtype: npt.DTypeLike = np.float32, raw: bool = False, threads: int = 0,
               progress: Progress = None) -> None:
        """Writes `geodist` and `sqrt_area` to a MAT file (level 5, up to 2 GiB), as read by shape matching codes.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).to_mat("distances.mat")
        >>> from scipy.io import loadmat
        >>> loadmat("distances.mat")["geodist"].shape
        (400, 400)
        """
        with working(threads, progress) as run:
            _core.export_mat(self._mode(raw), path(file), _float_type(dtype).itemsize, run)

    def to_brainsmash(self, folder: PathLike, *, neighbours: int = 1000, raw: bool = False, threads: int = 0,
                      progress: Progress = None) -> dict[str, str]:
        """Writes distmat.npy and index.npy for BrainSMASH's `Sampled`, and mask.txt if vertices were left out. Returns
        a dictionary of their paths.

        >>> import geodome, numpy
        >>> files = geodome.build(geodome.make_shape("creature", vertices=400)).to_brainsmash("smash", neighbours=99)
        >>> sorted(files), numpy.load(files["distmat.npy"]).shape
        (['distmat.npy', 'index.npy'], (400, 100))
        """
        with working(threads, progress) as run:
            files = _core.export_brainsmash(self._mode(raw), path(folder), neighbours, run)
        return {os.path.basename(file): file for file in files}


def _float_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    kind = np.dtype(dtype)
    if kind not in (np.float32, np.float64):
        raise ValueError(f"dtype must be float32 or float64, not {kind}")
    return kind
