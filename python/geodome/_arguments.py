"""What users hand over, as the library wants it: types and order, nothing else. Values are the library's to judge."""

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
    """Real numbers in C order; shared with `value` where it is that already."""
    if hasattr(value, "toarray"):
        raise ValueError(f"{name} must be an array, not a sparse matrix: call its toarray()")
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must be real numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(value: npt.ArrayLike, name: str) -> npt.NDArray[np.int32]:
    """Integers of any type and shape as 32-bit ones in C order."""
    array = np.asarray(value)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int32)  # an empty list
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    if array.size and array.dtype.itemsize >= 4 and array.dtype != np.int32:
        low, high = array.min(), array.max()
        if low < _SMALLEST or high > _LARGEST:
            raise ValueError(f"{name} {low if low < _SMALLEST else high} is no number of a vertex")
    return np.asarray(array, dtype=np.int32, order="C")


def integer(value: Any, name: str) -> int:
    """One integer of any type."""
    array = integers(value, name)
    if array.ndim:
        raise ValueError(f"{name} must be one integer, not {array.size} in an array")
    return int(array)


def vertices(value: npt.ArrayLike, count: int, name: str = "vertex") -> npt.NDArray[np.int32]:
    """Integers of any shape, or a mask of all `count` vertices: those it marks."""
    array = np.asarray(value)
    if array.dtype != np.bool_:
        return integers(array, name)
    if array.shape != (count,):
        raise ValueError(f"a mask must have one value for each of the {count} vertices, not the shape {array.shape}")
    return np.flatnonzero(array).astype(np.int32)


def require_radius(radius: float) -> None:
    if not radius >= 0:
        raise ValueError(f"the radius {radius} is not zero or more")


def seed(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31))
    return int(random_state.randint(2**31 - 1))
