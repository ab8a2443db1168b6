"""Neighbourhood graphs of samples, connected."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.graph import _fix_connected_components

from ._shapes import Shape, edges_to_shape

_FEW = 30  # components of which every two are connected


def graph_to_shape(graph: Any) -> Shape:
    """A graph of the stored entries of a sparse matrix, also those that are zero."""
    entries = graph.tocoo()
    return edges_to_shape(graph.shape[0], np.column_stack([entries.row, entries.col]).astype(np.int32),
                          np.asarray(entries.data, dtype=np.float64))


def connected_graph(graph: Any, nearest: NearestNeighbors, thorough: bool) -> tuple[Any, int]:
    """A graph of distances with its components connected, and how many there were: by the shortest edge between every
    two of them, as in scikit-learn, or of many components between every one and the nearest other until one is left.
    `thorough`: by scikit-learn's own function, which compares all pairs of samples at once."""
    parts, part = connected_components(graph, directed=False)
    before = parts
    if parts > 1 and thorough:
        graph = _fix_connected_components(X=nearest._fit_X, graph=graph.tolil(), n_connected_components=parts,
                                          component_labels=part, mode="distance", metric=nearest.effective_metric_,
                                          **nearest.effective_metric_params_)
        return graph.tocoo(), before
    entries = graph.tocoo()
    ends, lengths = np.column_stack([entries.row, entries.col]), entries.data
    while parts > 1:
        for own, others in _pairs(parts, part):
            a, b, length = _shortest_edge(nearest, own, others)
            ends = np.vstack([ends, [a, b]])
            lengths = np.append(lengths, length)
        joined = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=graph.shape)
        parts, part = connected_components(joined, directed=False)
    return coo_array((lengths, (ends[:, 0], ends[:, 1])), shape=graph.shape), before


def _pairs(parts: int, part: Any) -> list[tuple[Any, Any]]:
    """Every two components, or of many every one and all others, which at least halves their number."""
    members = np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])
    if parts <= _FEW:
        return list(itertools.combinations(members, 2))
    return [(own, np.flatnonzero(part != part[own[0]])) for own in members]


def _shortest_edge(nearest: NearestNeighbors, own: Any, others: Any) -> tuple[int, int, float]:
    X, precomputed = nearest._fit_X, nearest.effective_metric_ == "precomputed"
    if precomputed:
        block = X[np.ix_(own, others)]
        a, b = np.unravel_index(np.argmin(block), block.shape)
        return int(own[a]), int(others[b]), float(block[a, b])
    search = NearestNeighbors(n_neighbors=1, metric=nearest.effective_metric_,
                              metric_params=nearest.effective_metric_params_ or None).fit(X[others])
    length, at = search.kneighbors(X[own])
    best = int(np.argmin(length))
    return int(own[best]), int(others[at[best, 0]]), float(length[best, 0])
