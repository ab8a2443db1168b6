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


def reals(value: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Real numbers in C order, without a copy if possible."""
    if hasattr(value, "toarray"):
        raise ValueError(f"{name} must be an array, not a sparse matrix: call its toarray()")
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must contain real numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(value: npt.ArrayLike, name: str) -> npt.NDArray[np.int32]:
    """Integers of any type and shape as 32-bit integers in C order."""
    array = np.asarray(value)
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
    """Vertex indices of any shape; a boolean mask of all `count` vertices is converted to indices."""
    array = np.asarray(value)
    if array.dtype != np.bool_:
        return integers(array, name)
    if array.shape != (count,):
        raise ValueError(f"a mask must have one value for each of the {count} vertices, got shape {array.shape}")
    return np.flatnonzero(array).astype(np.int32)


def require_radius(radius: float) -> None:
    if not radius >= 0:
        raise ValueError(f"radius must be non-negative, got {radius}")


def seed(random_state: Any) -> int:
    """An integer seed from a scikit-learn random_state."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31))
    return int(random_state.randint(2**31 - 1))
