"""Estimators with the scikit-learn interface."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._arguments import seed
from ._build import build
from ._matrix import DistanceMatrix
from ._progress import working
from ._shapes import edges_to_shape, weights_by_length


_AT_ONCE = 256  # new samples embedded together, which bounds the memory used


class _Scaling(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Common base of the estimators: classical scaling of a sparse matrix P W Pᵀ, and the embedding of new samples."""

    embedding_: npt.NDArray[np.float64]
    eigenvalues_: npt.NDArray[np.float64]
    matrix_: DistanceMatrix

    def fit_transform(self, X: npt.ArrayLike, y: Any = None) -> npt.NDArray[np.float64]:
        """Fits the samples and returns their coordinates. `y` is ignored."""
        return self.fit(X, y).embedding_

    def transform(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Coordinates of new samples in the fitted embedding."""
        check_is_fitted(self)
        samples = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return np.concatenate([self._place(samples[begin : begin + _AT_ONCE])
                               for begin in range(0, len(samples), _AT_ONCE)])

    def _place(self, samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        raise NotImplementedError

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    def _samples(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)

    def _options(self) -> dict[str, Any]:
        return {"landmarks": self.landmarks, "seed": seed(self.random_state), "threads": self._threads(),
                "squared": True, "progress": False}

    def _threads(self) -> int:
        return 0 if self.n_jobs is None or self.n_jobs < 0 else int(self.n_jobs)

    def _scale(self, matrix: DistanceMatrix) -> None:
        found = matrix.embedding(self.n_components, seed=seed(self.random_state), threads=self._threads(),
                                 progress=False)
        self.matrix_, self.embedding_, self.eigenvalues_ = matrix, found.Z, found.eigenvalues


class Isomap(_Scaling):
    """Isomap of any number of samples: classical scaling of the distances along a neighbourhood graph, stored as a
    sparse matrix P W Pᵀ (method "cell"; "sbha" where components of the graph had to be connected). scikit-learn's Isomap
    stores all n × n distances.

    Parameters
    ----------
    n_components : int, default=2
    n_neighbors : int, default=10
        Number of nearest neighbours each sample is connected to.
    landmarks : int, default=None
        Number of landmarks; None: a fifth of the samples, from 50 to 1,000.
    n_jobs : int, default=None
        Number of threads; None or -1: all cores. The result does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        None means 0: the same data always give the same result.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
    eigenvalues_ : array of shape (n_components,)
    matrix_ : DistanceMatrix
        The distances along the graph.
    n_features_in_ : int

    Examples
    --------
    >>> import geodome
    >>> roll = geodome.make_shape("swiss-roll", vertices=600).points
    >>> geodome.Isomap(n_neighbors=8).fit_transform(roll).shape[1]
    2
    """

    def __init__(self, n_components: int = 2, *, n_neighbors: int = 10, landmarks: int | None = None,
                 n_jobs: int | None = None, random_state: Any = None):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: Any = None) -> Isomap:
        """Embeds the samples. `y` is ignored."""
        samples = self._samples(X)
        options = self._options()
        matrix = build(samples=samples, neighbours=self.n_neighbors, **options)
        if matrix._core.components > 1 or (matrix.component < 0).any():
            warnings.warn(f"the graph of {self.n_neighbors} nearest neighbours has several connected components, which "
                          "were connected by the shortest edges between them", stacklevel=2)
            graph = _connected_graph(samples, self.n_neighbors, options["seed"], self._threads())
            matrix = build(graph, graph_weights=weights_by_length(graph), **options)
        self._scale(matrix)
        self._fitted = samples
        self._near = NearestNeighbors(n_neighbors=min(self.n_neighbors, len(samples))).fit(samples)
        return self

    def _place(self, samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Combines the coordinates of the nearest fitted samples, with the weights that reconstruct each new sample from
        them (locally linear embedding, Roweis and Saul 2000)."""
        lengths, near = self._near.kneighbors(samples)
        offsets = self._fitted[near] - samples[:, None]
        gram = offsets @ offsets.transpose(0, 2, 1)
        ridge = 1e-3 * np.trace(gram, axis1=1, axis2=2)
        gram[:, range(near.shape[1]), range(near.shape[1])] += np.where(ridge > 0, ridge, 1)[:, None]
        weights = np.linalg.solve(gram, np.ones((*near.shape, 1)))[..., 0]
        known = lengths[:, 0] == 0  # equal to a fitted sample
        weights[known] = np.eye(1, near.shape[1])
        return np.einsum("sk,skd->sd", weights / weights.sum(axis=1, keepdims=True), self.embedding_[near])


class ClassicalMDS(_Scaling):
    """Classical scaling of any number of samples, in any metric, by a sparse matrix P W Pᵀ (method "sbha"; "cell"
    with precomputed distances): it evaluates two rows of distances per landmark and never stores all n × n.

    Parameters
    ----------
    n_components : int, default=2
    metric : "euclidean", "precomputed" or callable, default="euclidean"
        A callable takes one sample and an array of samples, and returns the distances from the one to the others. With
        "precomputed", X is the matrix of distances, or a memory map of it; in `transform`, the distances of new samples
        to all fitted samples.
    n_neighbors : int, default=10
        Number of nearest neighbours in the graph used for interpolation.
    landmarks, n_jobs, random_state
        As in `Isomap`.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
    eigenvalues_ : array of shape (n_components,)
    matrix_ : DistanceMatrix
    n_features_in_ : int

    Examples
    --------
    >>> import geodome, numpy
    >>> X = numpy.random.default_rng(0).uniform(size=(300, 3))
    >>> city = lambda one, all: numpy.abs(all - one).sum(axis=1)
    >>> geodome.ClassicalMDS(n_components=3, metric=city).fit_transform(X).shape
    (300, 3)
    """

    def __init__(self, n_components: int = 2, *, metric: Any = "euclidean", n_neighbors: int = 10,
                 landmarks: int | None = None, n_jobs: int | None = None, random_state: Any = None):
        self.n_components = n_components
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags

    def fit(self, X: npt.ArrayLike, y: Any = None) -> ClassicalMDS:
        """Embeds the samples. `y` is ignored."""
        samples = self._samples(X)
        if self._precomputed():
            self._scale(build(distances=X if hasattr(X, "filename") else samples, **self._options()))
            return self
        if not callable(self.metric) and self.metric != "euclidean":
            raise ValueError(f'metric must be "euclidean", "precomputed" or a function, not {self.metric!r}')
        metric = self._metric()
        graph = _connected_graph(samples, self.n_neighbors, seed(self.random_state), self._threads())
        self._scale(build(graph, distances=lambda vertex: metric(samples[vertex], samples),
                          graph_weights=weights_by_length(graph), **self._options()))
        self._landmarks = samples[self.matrix_.landmarks]
        return self

    def _scale(self, matrix: DistanceMatrix) -> None:
        super()._scale(matrix)
        sound = self.eigenvalues_ > 1e-9 * max(self.eigenvalues_.max(), 0)
        half = np.where(sound, 0.5 / np.where(sound, self.eigenvalues_, 1), 0)
        self._axes = matrix.P.T @ self.embedding_ * half
        self._origin = (matrix @ np.ones(len(matrix))) / len(matrix) @ self.embedding_ * half

    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _metric(self) -> Callable[..., Any]:
        return self.metric if callable(self.metric) else _euclidean

    def _place(self, samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Embeds samples by their distances to the landmarks. With B = -JEJ/2 and BZ = ZΛ, a sample with squared
        distances e to all samples has the coordinates (m - e)ZΛ⁻¹/2, where m is the mean of all rows of E, and e = δPᵀ
        with the squared distances δ to the landmarks."""
        if self._precomputed():
            distances = samples[:, self.matrix_.landmarks]
        else:
            distances = np.array([self._metric()(one, self._landmarks) for one in samples], dtype=np.float64)
        return self._origin - distances**2 @ self._axes


def _euclidean(one: npt.NDArray[np.float64], all: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.sqrt(((all - one) ** 2).sum(axis=1))


def _connected_graph(samples: npt.NDArray[np.float64], count: int, seed: int, threads: int) -> Any:
    """The graph of nearest neighbours, its components connected by the shortest edges, nearest components first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    size = len(samples)
    with working(threads, False) as run:
        near, far = _core.neighbours(samples, min(count, size - 1), seed, run)
    ends = np.column_stack([np.repeat(np.arange(size), near.shape[1]), near.ravel()])
    lengths = far.ravel()
    while True:
        graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
        parts, part = connected_components(graph, directed=False)
        if parts == 1:
            return edges_to_shape(size, ends.astype(np.int32), lengths)
        # Every component is connected to the nearest one, which at least halves their number.
        order = np.argsort(part, kind="stable")
        for own in np.split(order, np.cumsum(np.bincount(part))[:-1]):
            others = np.flatnonzero(part != part[own[0]])
            distance, at = cKDTree(samples[others]).query(samples[own])
            best = int(np.argmin(distance))
            ends = np.vstack([ends, [own[best], others[at[best]]]])
            lengths = np.append(lengths, distance[best])
