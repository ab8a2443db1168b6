"""User-supplied distances."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import input_path, is_path, reals, unmasked
from ._shapes import Shape, edges_to_shape, weights_by_length

_NEIGHBOURS = 6  # as on a surface; more would smooth the interpolation


def given_distances(distances: Any) -> dict[str, Any]:
    """Options for the library: the path if the distances are a file, otherwise a size and a function that returns the
    row of a vertex."""
    if is_path(distances):
        return {"distances": input_path(distances)}
    mapped = getattr(distances, "filename", None)
    if mapped is not None and _is_whole_file(distances, os.fspath(mapped)):
        return {"distances": os.fspath(mapped)}
    if callable(distances):
        return {"rows": (len(_row(distances(0))), lambda vertex: _row(distances(vertex)))}
    matrix = np.asarray(unmasked(distances, "distances="))
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"distances= must be a square matrix, got shape {matrix.shape}")
    return {"rows": (len(matrix), lambda vertex: reals(matrix[vertex], "distances"))}


def _row(distances: Any) -> npt.NDArray[np.float64]:
    row = reals(distances, "distances")
    if row.ndim != 1:
        raise ValueError(f"the distances of a vertex must be a one-dimensional array, got {row.ndim} dimensions")
    return row


def _is_whole_file(mapped: Any, file: str) -> bool:
    try:
        whole = np.load(file, mmap_mode="r")
    except (OSError, ValueError):
        return False
    return (whole.shape == mapped.shape and whole.dtype == mapped.dtype and whole.offset == mapped.offset
            and whole.strides == mapped.strides and whole.flags.c_contiguous)


def neighbour_shape(options: dict[str, Any]) -> Shape:
    """The graph of the nearest neighbours of every vertex, with its parts connected by the shortest edges: connected
    wherever distances are finite. Reads every row once."""
    if "rows" in options:
        size, distances = options["rows"]
    else:
        whole = np.load(options["distances"], mmap_mode="r")
        size, distances = len(whole), lambda vertex: reals(whole[vertex], "distances")
    count = int(options.get("neighbours", _NEIGHBOURS))
    ends, lengths = [], []
    reach, parent = np.full(size, np.inf), np.zeros(size, dtype=np.int32)
    joined = np.zeros(size, dtype=bool)
    at = 0
    for _ in range(size):
        joined[at] = True
        row = distances(at)
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
