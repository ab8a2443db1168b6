"""The interface of a NumPy array: indices, rows, blocks and products; and files of all distances."""

from __future__ import annotations

from collections.abc import Iterator
from types import EllipsisType
from typing import TYPE_CHECKING, Any, SupportsIndex, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, output_path, reals, unmasked
from ._arguments import vertex as one_vertex
from ._arguments import vertices as some_vertices
from ._extras import needs
from ._progress import Progress, working
from ._types import Indices, Reals

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

#: What selects several vertices: a slice, an array or list of integers, a boolean mask.
Several = Union[slice, EllipsisType, list[int], list[bool], range, npt.NDArray[np.integer[Any]], npt.NDArray[np.bool_]]
_ROWS_AT_ONCE = 256


class Queryable:
    """Base of `DistanceMatrix` and `Submatrix`: what depends on nothing but distances."""

    # Makes NumPy call `__rmatmul__` for `X @ m`.
    __array_ufunc__ = None

    # What derived classes answer; vertices are checked.

    @property
    def _size(self) -> int:
        raise NotImplementedError

    def _entries(self, I: Indices, J: Indices) -> Reals:
        raise NotImplementedError

    def _rows(self, I: Indices, raw: bool, run: _core.Run) -> Reals:
        raise NotImplementedError

    def _block(self, I: Indices, J: Indices, raw: bool, run: _core.Run) -> Reals:
        raise NotImplementedError

    def _product(self, X: Reals) -> Reals:
        raise NotImplementedError

    # Properties of an array.

    @property
    def shape(self) -> tuple[int, int]:
        return self._size, self._size

    @property
    def ndim(self) -> int:
        return 2

    @property
    def size(self) -> int:
        """Number of distances, n × n."""
        return self._size**2

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, key: tuple[SupportsIndex, SupportsIndex]) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, key: SupportsIndex | Several | tuple[SupportsIndex, Several] | tuple[Several, SupportsIndex]
                    | tuple[Several, Several] | tuple[npt.NDArray[Any], ...]) -> Reals: ...
    def __getitem__(self, key: Any) -> Any:
        """`m[i, j]` for integers and integer arrays, which broadcast; slices, masks, negative and single indices as in
        NumPy. Raises IndexError."""
        if not isinstance(key, tuple):
            key = (key, slice(None))
        key = tuple(slice(None) if part is Ellipsis else part for part in key)
        if len(key) != 2:
            raise IndexError(f"a matrix has 2 dimensions, not {len(key)}")
        if not isinstance(key[0], slice) and not isinstance(key[1], slice):
            return self._broadcast(*(self._vertices(part) for part in key))
        I, J = (self._vertices(part) for part in key)
        whole = isinstance(key[1], slice) and key[1] == slice(None)
        values = self.rows(I.ravel()) if whole else self.block(I.ravel(), J.ravel())
        return values.reshape(I.shape + J.shape)

    def _vertices(self, part: Any) -> Indices:
        if isinstance(part, slice):
            return np.arange(*part.indices(self._size), dtype=np.int32)
        return some_vertices(part, self._size)

    def _list(self, part: Any) -> Indices:
        """A one-dimensional array of vertices."""
        listed = np.atleast_1d(self._vertices(part))
        if listed.ndim > 1:
            raise IndexError(f"vertices must have one dimension, not {listed.ndim}")
        return listed

    def __iter__(self) -> Iterator[Reals]:
        """Iterates over the rows."""
        return (self.row(vertex) for vertex in range(self._size))

    def _broadcast(self, I: Indices, J: Indices) -> Any:
        if I.ndim == J.ndim == 2 and I.shape[1] == 1 and J.shape[0] == 1:  # numpy.ix_
            return self.block(I.ravel(), J.ravel())
        I, J = np.broadcast_arrays(I, J)
        values = self._entries(np.ascontiguousarray(I).ravel(), np.ascontiguousarray(J).ravel())
        return values.reshape(I.shape) if I.ndim else float(values[0])

    def row(self, vertex: SupportsIndex, *, raw: bool = False) -> Reals:
        """Distances from one vertex to all vertices.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).row(0).shape
        (400,)
        """
        return self.rows(one_vertex(vertex, self._size), raw=raw)[0]

    def rows(self, vertices: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
             progress: Progress = None) -> Reals:
        """Distances from each of the given vertices to all vertices, one row per vertex. `raw`: rows of the matrix that
        products use, which are squared distances if `squared`.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).rows([0, 7]).shape
        (2, 400)
        """
        with working(threads, progress) as run:
            return self._rows(self._list(vertices), raw, run)

    def block(self, rows: npt.ArrayLike, columns: npt.ArrayLike, *, raw: bool = False, threads: int = 0,
              progress: Progress = None) -> Reals:
        """Distances from each vertex in `rows` to each vertex in `columns`; `raw` as in `rows`.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).block([0, 7], range(100, 105)).shape
        (2, 5)
        """
        with working(threads, progress) as run:
            return self._block(self._list(rows), self._list(columns), raw, run)

    def toarray(self, dtype: npt.DTypeLike = np.float64, *, check_memory: bool = True, threads: int = 0,
                progress: Progress = None) -> npt.NDArray[Any]:
        """All n × n distances as an array. Raises MemoryError if it does not fit into the available memory, unless
        `check_memory` is false; `to_npy` writes an array of any size to a file.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).toarray("float32").shape
        (400, 400)
        """
        kind = np.dtype(dtype)
        if check_memory:
            _require_memory(self._size**2 * kind.itemsize)
        result = np.empty(self.shape, dtype=kind)
        with working(threads, progress) as run:
            for begin in range(0, self._size, _ROWS_AT_ONCE):
                some = np.arange(begin, min(begin + _ROWS_AT_ONCE, self._size), dtype=np.int32)
                result[some] = self._rows(some, False, run)
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("the array of all distances is always a copy: copy=False is not supported")
        return self.toarray(dtype or np.float64, progress=False)

    # Products.

    def __matmul__(self, other: npt.ArrayLike) -> Reals:
        """The product of the raw matrix with a vector or matrix; of squared distances if `squared`. Vertices left out by a
        mask do not take part: their rows of the product are zero. Raises ValueError for several components, since the
        distances between them are infinite: `restrict` selects one."""
        X = reals(other, "the other factor")
        if X.ndim not in (1, 2) or X.shape[0] != self._size:
            raise ValueError(f"cannot multiply {self.shape} by {X.shape}: the sizes do not match")
        return self._product(X.reshape(len(X), -1)).reshape(X.shape)

    def __rmatmul__(self, other: npt.ArrayLike) -> Reals:
        return (self @ np.transpose(np.asarray(unmasked(other, "the other factor")))).T

    def dot(self, other: npt.ArrayLike) -> Reals:
        """The same as `m @ other`.

        >>> import geodome, numpy
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> m.dot(numpy.ones(400)).shape
        (400,)
        """
        return self @ other

    def matvec(self, x: npt.ArrayLike) -> Reals:
        """The product with a vector. With this and the next, `scipy.sparse.linalg.eigsh(m)` and `aslinearoperator(m)` work.

        >>> import geodome
        >>> from scipy.sparse.linalg import eigsh
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> eigsh(m, k=1, return_eigenvectors=False).shape
        (1,)
        """
        return self @ x

    def matmat(self, X: npt.ArrayLike) -> Reals:
        """The product with a matrix.

        >>> import geodome, numpy
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> m.matmat(numpy.ones((400, 2))).shape
        (400, 2)
        """
        return self @ X

    rmatvec, rmatmat = matvec, matmat  # symmetric

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
        with needs("as_linear_operator", "scipy"):
            from scipy.sparse.linalg import aslinearoperator
        return aslinearoperator(self)

    # Files.

    def to_npy(self, file: PathLike, *, dtype: npt.DTypeLike = np.float32, raw: bool = False, threads: int = 0,
               progress: Progress = None) -> npt.NDArray[Any]:
        """Writes all n × n distances to an NPY file, in blocks of rows, and returns them as a memory map. `raw` as in
        `rows`.

        >>> import geodome
        >>> D = geodome.build(geodome.make_shape("creature", vertices=400)).to_npy("distances.npy")
        >>> type(D).__name__, D.shape, D.dtype.name
        ('memmap', (400, 400), 'float32')
        """
        kind, name = float_type(dtype), output_path(file)
        with working(threads, progress) as run:
            self._write_npy(name, kind, raw, run)
        return np.load(name, mmap_mode="r")

    def _write_npy(self, file: str, kind: np.dtype[Any], raw: bool, run: _core.Run) -> None:
        array = np.lib.format.open_memmap(file, mode="w+", dtype=kind, shape=self.shape)
        for begin in range(0, self._size, _ROWS_AT_ONCE):
            some = np.arange(begin, min(begin + _ROWS_AT_ONCE, self._size), dtype=np.int32)
            array[some] = self._rows(some, raw, run)
        array.flush()


def float_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    kind = np.dtype(dtype)
    if kind not in (np.float32, np.float64):
        raise ValueError(f"dtype must be float32 or float64, not {kind}")
    return kind


def _require_memory(needed: int) -> None:
    try:
        with open("/proc/meminfo") as stream:
            [available] = [1024 * int(line.split()[1]) for line in stream if line.startswith("MemAvailable")]
    except (OSError, ValueError):
        return  # the system does not tell
    if needed > available:
        raise MemoryError(f"all distances take {needed / 1e9:.1f} GB of memory, and {available / 1e9:.1f} GB are available: "
                          "use to_npy, blocks, or pass check_memory=False")
