"""Distances that users bring along."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import is_path, path, reals
from ._shapes import Shape, edges_to_shape, weights_by_length

_NEIGHBOURS = 6  # of distances on a surface; more blur what is interpolated


def given_file(distances: Any, folder: str) -> str:
    """An NPY file with these distances: their own where they are one, else a new one in the folder."""
    if is_path(distances):
        return path(distances)
    mapped = getattr(distances, "filename", None)
    if mapped is not None and _is_whole_file(distances, os.fspath(mapped)):
        return os.fspath(mapped)
    matrix = np.asarray(distances)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"distances= must be a square matrix, not of the shape {matrix.shape}")
    if matrix.dtype != np.float32:
        matrix = reals(matrix, "distances")
    file = os.path.join(folder, "distances.npy")
    np.save(file, np.ascontiguousarray(matrix))
    return file


def _is_whole_file(mapped: Any, file: str) -> bool:
    try:
        whole = np.load(file, mmap_mode="r")
    except (OSError, ValueError):
        return False
    return (whole.shape == mapped.shape and whole.dtype == mapped.dtype and whole.offset == mapped.offset
            and whole.strides == mapped.strides and whole.flags.c_contiguous)


def neighbour_shape(rows: npt.NDArray[Any], options: dict[str, Any]) -> Shape:
    """The graph that joins every vertex to its nearest neighbours, and what they leave apart by the shortest edges:
    connected wherever distances are finite. Reads every row once."""
    size, count = len(rows), int(options.get("neighbours", _NEIGHBOURS))
    ends, lengths = [], []
    reach, parent = np.full(size, np.inf), np.zeros(size, dtype=np.int32)
    joined = np.zeros(size, dtype=bool)
    at = 0
    for _ in range(size):
        joined[at] = True
        row = np.asarray(rows[at], dtype=np.float64)
        near = np.argpartition(row, min(count, size - 1))[: count + 1]
        near = near[(near != at) & (row[near] < np.inf)]
        ends.append(np.column_stack([np.full(len(near), at), near]))
        lengths.append(row[near])
        closer = (row < reach) & ~joined
        reach[closer], parent[closer] = row[closer], at
        reach[at] = np.inf
        nearest = int(np.argmin(reach))
        if reach[nearest] < np.inf:
            ends.append(np.array([[parent[nearest], nearest]]))
            lengths.append(reach[[nearest]])
            at = nearest
        else:
            at = int(np.argmin(joined))
    shape = edges_to_shape(size, np.concatenate(ends).astype(np.int32), np.concatenate(lengths))
    options.setdefault("graph_weights", weights_by_length(shape))
    return shape
