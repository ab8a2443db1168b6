"""Estimators with the scikit-learn interface."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state, check_symmetric
from sklearn.utils.extmath import svd_flip
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from ._build import AccuracyWarning, build, distances
from ._matrix import DistanceMatrix
from ._neighbours import connected_graph, graph_to_shape
from ._shapes import Shape, edges_to_shape
from ._types import Reals
from ._warnings import warn

_AT_ONCE = 256  # new samples embedded together, which bounds the memory used
_ALL = 4000  # up to this number of samples all of them are landmarks: scaling is exact and takes seconds
_FIRST, _MOST = 1000, 8000  # landmarks of more samples, chosen by the measured error
_HELD_OUT = 32  # samples that the error is measured on
_SHORTEST = 1e-9  # of the largest distance: what equal samples are apart, so that each can be a landmark


class _Scaling(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Common base of the estimators: classical scaling of a matrix P W Pᵀ of squared distances, its error, and the
    embedding of new samples."""

    embedding_: npt.NDArray[Any]
    eigenvalues_: Reals
    error_: float
    matrix_: DistanceMatrix

    def fit_transform(self, X: npt.ArrayLike, y: Any = None) -> npt.NDArray[Any]:
        """Fits the samples and returns their coordinates. `y` is ignored."""
        return self.fit(X, y).embedding_

    def transform(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Coordinates of new samples in the fitted embedding, from their distances to the landmarks."""
        check_is_fitted(self)
        samples = self._validated(X, reset=False)
        parts = [self._place(samples[begin : begin + _AT_ONCE]) for begin in range(0, samples.shape[0], _AT_ONCE)]
        return np.concatenate(parts).astype(self.embedding_.dtype, copy=False)

    def reconstruction_error(self) -> float:
        """The Frobenius norm of the centred matrix -JEJ/2 of squared distances without the part that the embedding
        reproduces, divided by the number of samples, as in scikit-learn."""
        check_is_fitted(self)
        P, W = self.matrix_.P, self.matrix_.W ** 2
        total = np.asarray(P.sum(axis=0)).ravel()
        inner = W @ ((P.T @ P).toarray() - np.outer(total, total) / P.shape[0])
        left = (inner * inner.T).sum() / 4 - (self.eigenvalues_**2).sum()
        return float(np.sqrt(max(left, 0)) / P.shape[0])

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        tags.input_tags.positive_only = self._precomputed()
        tags.input_tags.sparse = not self._precomputed()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _validated(self, X: Any, reset: bool) -> Any:
        samples = validate_data(self, X, dtype=[np.float64, np.float32], order="C", reset=reset,
                                accept_sparse=False if self._precomputed() else "csr", accept_large_sparse=False,
                                ensure_min_samples=2 if reset else 1)
        if reset and self._precomputed():
            if samples.shape[0] != samples.shape[1]:
                raise ValueError(f"precomputed distances must be a square matrix, got shape {samples.shape}")
            check_non_negative(samples, "precomputed distances")
            if samples.shape[0] <= _ALL:
                samples = check_symmetric(samples, tol=1e-6 * float(np.abs(samples).max()), raise_exception=True)
        return samples

    def _fit(self, size: int, dtype: Any, exact: Callable[[npt.NDArray[Any]], Reals],
             make: Callable[..., DistanceMatrix]) -> None:
        """Sets all fitted attributes: builds the matrix by `make`, with more landmarks until the error is at most
        `tol`, and warns if it is not. `exact` gives rows of distances."""
        generator = self.random_state if isinstance(self.random_state, np.random.Generator) else None
        seed = int(generator.integers(2**31 - 1) if generator is not None
                   else check_random_state(self.random_state).randint(2**31 - 1))
        options = {"seed": seed, "threads": effective_n_jobs(self.n_jobs), "squared": True, "progress": bool(self.verbose)}
        wanted = self.landmarks
        count = min(wanted or (size if size <= _ALL else _FIRST), size)
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AccuracyWarning)  # of distances: the embedding is measured below
                if count == size:
                    options.update(method="sbha", precision="float64")
                self.matrix_ = make(landmarks=count, certificate=False, **options)
            self._scale(seed, options["threads"])
            self.error_ = self._measured_error(exact, seed)
            if self.error_ <= self.tol or wanted is not None or count >= min(size, _MOST):
                break
            count = min(2 * count, size, _MOST)
        self.embedding_ = self.embedding_.astype(dtype, copy=False)
        if not self.error_ <= self.tol:
            warn(f"the coordinates differ by {100 * self.error_:.2g} % from those that exact distances would "
                 f"give, measured on {min(_HELD_OUT, size)} samples; tol={self.tol} was wanted. " + _advice(count, size),
                 AccuracyWarning)

    def _scale(self, seed: int, threads: int) -> None:
        found = self.matrix_.embedding(self.n_components, seed=seed, threads=threads, progress=False)
        self.embedding_, _ = svd_flip(found.Z, None)
        self.eigenvalues_ = found.eigenvalues
        sound = self.eigenvalues_ > 1e-9 * max(self.eigenvalues_.max(), 0)
        half = np.where(sound, 0.5 / np.where(sound, self.eigenvalues_, 1), 0)
        self._halves = half
        self._axes = self.matrix_.P.T @ self.embedding_ * half
        self._origin = (self.matrix_ @ np.ones(len(self.matrix_))) / len(self.matrix_) @ self.embedding_ * half

    def _measured_error(self, exact: Callable[[npt.NDArray[Any]], Reals], seed: int) -> float:
        """The error of the coordinates of samples that are not landmarks, in root mean square and relative to all
        coordinates. With B = -JEJ/2, BZ = ZΛ and exact squared distances e of a sample, its coordinates are those of
        the matrix plus (ẽ - e)ZΛ⁻¹/2, up to a shift, where ẽ is its row of the matrix."""
        size = len(self.matrix_)
        held_out = np.setdiff1d(np.arange(size), self.matrix_.landmarks)
        held_out = held_out if len(held_out) >= 2 else np.arange(size)
        chosen = np.sort(np.random.default_rng(seed).choice(held_out, min(_HELD_OUT, len(held_out)), replace=False))
        unit = np.zeros((size, len(chosen)))
        unit[chosen, np.arange(len(chosen))] = 1
        moved = ((self.matrix_ @ unit).T - exact(chosen) ** 2) @ self.embedding_ * self._halves
        spread = np.square(self.embedding_ - self.embedding_.mean(axis=0)).sum() / size
        return float(np.sqrt(np.square(moved - moved.mean(axis=0)).sum() / len(chosen) / spread)) if spread > 0 else 0.0

    def _from_landmarks(self, squares: Reals) -> Reals:
        """Coordinates of samples by their squared distances to the landmarks. With B = -JEJ/2 and BZ = ZΛ, a sample with
        squared distances e to all samples has the coordinates (m - e)ZΛ⁻¹/2, where m is the mean of all rows of E, and
        e = δPᵀ with the squared distances δ to the landmarks."""
        return self._origin - squares @ self._axes


def _advice(count: int, size: int) -> str:
    if count < size:
        return f"Use more landmarks: {count:,} of {size:,} samples were used."
    return "All samples are landmarks: the eigenvalues beyond the last axis are too close to its own."


class Isomap(_Scaling):
    """Isomap of any number of samples: classical scaling of the distances along a neighbourhood graph. Up to 4,000 samples
    the result is that of scikit-learn's `Isomap`. More are stored as a sparse matrix P W Pᵀ with as many landmarks as the
    error of the coordinates requires, where scikit-learn stores all n × n distances.

    Parameters
    ----------
    n_components : int, default=2
    n_neighbors : int or None, default=5
        Number of nearest neighbours each sample is connected to.
    radius : float or None, default=None
        Connect all samples up to this distance instead; requires `n_neighbors=None`.
    metric : str or callable, default="minkowski"
        Any metric of `sklearn.neighbors.NearestNeighbors`; with "precomputed", X is the matrix of distances.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict or None, default=None
    landmarks : int or None, default=None
        Number of landmarks; None: all samples up to 4,000, otherwise from 1,000 to 8,000 until `error_` is at most `tol`.
    tol : float, default=0.01
        Wanted relative error of the coordinates.
    n_jobs : int, default=None
        Number of threads, as in scikit-learn. The result does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        Affects the result only where not all samples are landmarks.
    verbose : bool, default=False
        Shows the progress of every build, with the time left.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
    eigenvalues_ : array of shape (n_components,)
    error_ : float
        Error of the coordinates, relative to all coordinates in root mean square, measured with exact distances of 32
        samples that are not landmarks. `AccuracyWarning` is issued if it is above `tol`.
    matrix_ : DistanceMatrix
        The distances along the graph.
    nbrs_ : NearestNeighbors
    n_features_in_ : int

    Examples
    --------
    >>> import geodome
    >>> roll = geodome.make_shape("swiss-roll", vertices=600).points
    >>> isomap = geodome.Isomap(n_neighbors=8).fit(roll)
    >>> isomap.embedding_.shape[1], isomap.error_ < 0.01
    (2, True)
    """

    def __init__(self, n_components: int = 2, *, n_neighbors: int | None = 5, radius: float | None = None,
                 metric: Any = "minkowski", p: float = 2, metric_params: Mapping[str, Any] | None = None,
                 landmarks: int | None = None, tol: float = 0.01, n_jobs: int | None = None, random_state: Any = None,
                 verbose: bool = False):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.landmarks = landmarks
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: npt.ArrayLike, y: Any = None) -> Isomap:
        """Embeds the samples. `y` is ignored."""
        samples = self._validated(X, reset=True)
        graph = self._graph(samples)
        self._fit(len(graph), samples.dtype, lambda rows: distances(graph, sources=rows, progress=False),
                  lambda **options: build(graph, **options))
        return self

    def _graph(self, samples: Any) -> Shape:
        if (self.n_neighbors is None) == (self.radius is None):
            raise ValueError(f"exactly one of n_neighbors={self.n_neighbors} and radius={self.radius} must be None")
        count = 5 if self.n_neighbors is None else min(self.n_neighbors, samples.shape[0] - 1)
        self.nbrs_ = NearestNeighbors(n_neighbors=count, radius=self.radius, metric=self.metric, p=self.p,
                                      metric_params=self.metric_params, n_jobs=self.n_jobs).fit(samples)
        near = (self.nbrs_.kneighbors_graph(mode="distance") if self.radius is None
                else self.nbrs_.radius_neighbors_graph(mode="distance", sort_results=False))
        joined, parts = connected_graph(near, self.nbrs_, thorough=samples.shape[0] <= _ALL)
        if parts > 1:
            warn(f"the neighbourhood graph has {parts:,} connected components, which were connected by the shortest edges "
                 "between them", UserWarning)
        joined.data = np.maximum(joined.data, _SHORTEST * (joined.data.max() or 1))
        return graph_to_shape(joined)

    def _place(self, samples: Any) -> Reals:
        """By distances along the graph to all landmarks, through the nearest fitted samples."""
        if self.radius is None:
            lengths, near = self.nbrs_.kneighbors(samples)
        else:
            lengths, near = self.nbrs_.radius_neighbors(samples)
            if any(len(one) == 0 for one in near):
                raise ValueError(f"sample {next(at for at, one in enumerate(near) if len(one) == 0)} has no fitted "
                                 f"sample within radius={self.radius}")
        P, W = self.matrix_.P, self.matrix_.W ** 2
        rows = []
        for length, vertices in zip(lengths, near):
            through = np.sqrt(np.maximum(P[vertices] @ W, 0)) + np.asarray(length)[:, None]
            rows.append(through.min(axis=0) ** 2)
        return self._from_landmarks(np.array(rows))


class ClassicalMDS(_Scaling):
    """Classical scaling of any number of samples, in any metric. Up to 4,000 samples the result is that of scikit-learn's
    `ClassicalMDS`. More are stored as a sparse matrix P W Pᵀ with as many landmarks as the error of the coordinates
    requires: about two rows of distances are computed per landmark, and never all n × n.

    Parameters
    ----------
    n_components : int, default=2
    metric : str or callable, default="euclidean"
        Any metric of `sklearn.metrics.pairwise_distances`, or a function of two samples. With "precomputed", X is the
        matrix of distances, or a memory map of it; in `transform`, the distances of new samples to all fitted samples.
    metric_params : dict or None, default=None
        Arguments of the metric.
    n_neighbors : int, default=10
        Number of nearest neighbours in the graph used for interpolation, for more than 4,000 samples.
    landmarks, tol, n_jobs, random_state, verbose
        As in `Isomap`.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components)
    eigenvalues_ : array of shape (n_components,)
    error_ : float
        As in `Isomap`.
    matrix_ : DistanceMatrix
    n_features_in_ : int

    Examples
    --------
    >>> import geodome, numpy
    >>> X = numpy.random.default_rng(0).uniform(size=(300, 3))
    >>> geodome.ClassicalMDS(n_components=3, metric="cityblock").fit_transform(X).shape
    (300, 3)
    """

    def __init__(self, n_components: int = 2, *, metric: Any = "euclidean",
                 metric_params: Mapping[str, Any] | None = None, n_neighbors: int = 10, landmarks: int | None = None,
                 tol: float = 0.01, n_jobs: int | None = None, random_state: Any = None, verbose: bool = False):
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: npt.ArrayLike, y: Any = None) -> ClassicalMDS:
        """Embeds the samples. `y` is ignored."""
        samples = self._validated(X, reset=True)
        size = samples.shape[0]
        self._parameters = {} if self._precomputed() else self._metric_parameters(samples)
        if self._precomputed() or (self.landmarks is None and size <= _ALL):
            given = samples if self._precomputed() else self._between(samples, None)
        else:
            given = None

        def rows(chosen: npt.NDArray[Any]) -> Reals:
            found = given[chosen] if given is not None else self._between(samples[chosen], samples)
            found = np.array(found, dtype=np.float64)
            found[np.arange(len(chosen)), chosen] = 0
            return found

        shortest = _SHORTEST * (float(rows(np.array([0])).max()) or 1)

        def row(vertex: int) -> Reals:
            found = np.maximum(rows(np.array([vertex]))[0], shortest)
            found[vertex] = 0
            return found

        def make(landmarks: int, **options: Any) -> DistanceMatrix:
            graph = self._graph(samples, landmarks == size)
            return build(graph, distances=X if graph is None and hasattr(X, "filename") else row, landmarks=landmarks,
                         **options)

        self._fit(size, samples.dtype, rows, make)
        if not self._precomputed():
            self._landmarks = samples[self.matrix_.landmarks]
        return self

    def _graph(self, samples: Any, every: bool) -> Shape | None:
        """What weights are interpolated on: nothing if every sample is a landmark."""
        size = samples.shape[0]
        if every:
            chain = np.column_stack([np.arange(size - 1), np.arange(1, size)]).astype(np.int32)
            return edges_to_shape(size, chain, np.ones(size - 1))
        if self._precomputed():
            return None
        # Functions are too slow to search neighbours with: these only shape the weights.
        own = {} if callable(self.metric) else {"metric": self.metric, "metric_params": self._parameters or None}
        near = NearestNeighbors(n_neighbors=min(self.n_neighbors, size - 1), n_jobs=self.n_jobs, **own).fit(samples)
        return graph_to_shape(connected_graph(near.kneighbors_graph(mode="distance"), near, thorough=False)[0])

    def _metric_parameters(self, samples: Any) -> dict[str, Any]:
        """Those given, and those that the metric would compute from the samples of each call."""
        parameters = dict(self.metric_params or {})
        if self.metric == "seuclidean" and "V" not in parameters:
            parameters["V"] = np.var(samples, axis=0, ddof=1)
        if self.metric == "mahalanobis" and not parameters.keys() & {"V", "VI"}:
            parameters["VI"] = np.linalg.inv(np.cov(samples.T)).T
        return parameters

    def _between(self, samples: Any, others: Any) -> Reals:
        return pairwise_distances(samples, others, metric=self.metric, n_jobs=self.n_jobs, **self._parameters)

    def _place(self, samples: Any) -> Reals:
        found = (samples[:, self.matrix_.landmarks] if self._precomputed()
                 else self._between(samples, self._landmarks))
        return self._from_landmarks(np.asarray(found, dtype=np.float64) ** 2)
