"""Conversion of arguments to the types and memory order of the library, which checks their values."""

from __future__ import annotations

import os
from typing import Any, Union

import numpy as np
import numpy.typing as npt

PathLike = Union[str, "os.PathLike[str]"]

_SMALLEST, _LARGEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


def is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def path(value: PathLike) -> str:
    return os.fspath(value)


def input_path(value: PathLike) -> str:
    """The path of a file that exists. Raises FileNotFoundError and the like with errno, as `open` does."""
    file = os.fspath(value)
    if not os.access(file, os.R_OK):
        with open(file, "rb"):  # raises
            pass
    return file


def output_path(value: PathLike) -> str:
    """A path in a folder that exists. Raises FileNotFoundError with errno."""
    file = os.fspath(value)
    os.stat(os.path.dirname(os.path.abspath(file)))
    return file


def unmasked(value: Any, name: str) -> Any:
    """The value, which may be a NumPy masked array without masked entries."""
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.is_masked(value):
            raise ValueError(f"{name} has {np.ma.count_masked(value):,} masked entries: fill or remove them")
        return value.data
    return value


def reals(value: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Real numbers in C order, without a copy if possible."""
    if hasattr(value, "toarray"):
        raise ValueError(f"{name} must be an array, not a sparse matrix: call its toarray()")
    array = np.asarray(unmasked(value, name))
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must contain real numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(value: npt.ArrayLike, name: str) -> npt.NDArray[np.int32]:
    """Integers of any type and shape as 32-bit integers in C order."""
    array = np.asarray(unmasked(value, name))
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int32)  # an empty list
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    if array.size and array.dtype.itemsize >= 4 and array.dtype != np.int32:
        low, high = array.min(), array.max()
        if low < _SMALLEST or high > _LARGEST:
            raise ValueError(f"{name} {low if low < _SMALLEST else high} does not fit a 32-bit integer")
    return np.asarray(array, dtype=np.int32, order="C")


def integer(value: Any, name: str) -> int:
    """One integer of any type."""
    array = integers(value, name)
    if array.ndim:
        raise ValueError(f"{name} must be one integer, got an array of {array.size}")
    return int(array)


def vertices(value: npt.ArrayLike, count: int, name: str = "vertex") -> npt.NDArray[np.int32]:
    """Vertex indices of any shape, as in NumPy: negative ones count from the end, and a boolean mask of all `count`
    vertices stands for the indices where it is true. Raises IndexError."""
    try:
        array = np.asarray(unmasked(value, name))
        if array.dtype == np.bool_ and array.ndim:
            if array.shape != (count,):
                raise IndexError(f"a mask must have one value for each of the {count} vertices, got shape {array.shape}")
            return np.flatnonzero(array).astype(np.int32)
        array = integers(array, name)
    except ValueError as error:
        raise IndexError(str(error)) from None
    if array.size:
        low, high = int(array.min()), int(array.max())
        if low < -count or high >= count:
            raise IndexError(f"{name} {low if low < -count else high} is out of range for {count} vertices")
        if low < 0:
            array = np.where(array < 0, array + count, array).astype(np.int32)
    return array


def vertex(value: Any, count: int, name: str = "vertex") -> int:
    """One vertex."""
    array = vertices(value, count, name)
    if array.ndim:
        raise IndexError(f"{name} must be one integer, got an array of {array.size}")
    return int(array)


def require_radius(radius: float) -> None:
    if not radius >= 0:
        raise ValueError(f"radius must be non-negative, got {radius}")


def seed_of(seed: int | None) -> int:
    """The seed, or one from the system for None: results then differ between calls."""
    return int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
