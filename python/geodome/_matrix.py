"""All distances of a shape, indexed like a NumPy array and thousands of times smaller."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, input_path, integer, output_path, path, reals, require_radius, seed_of, vertices
from ._embedding import Embedding, embedding_of
from ._extras import needs
from ._maps import Maps
from ._progress import Progress, working
from ._queryable import Queryable, float_type
from ._shapes import Shape, as_shape
from ._types import Geodesic, Indices, Reals, Scaling

if TYPE_CHECKING:
    import scipy.sparse
    from typing_extensions import Unpack

    from ._notebook import Page
    from ._submatrix import Submatrix
    from ._types import EmbeddingOptions

_ALL = np.zeros(0, dtype=np.int32)  # vertices of a product


def load(file: PathLike, *, verify: bool = False) -> DistanceMatrix:
    """Opens a `.geodome` file by memory map. `verify` checks all checksums first; otherwise blocks are checked when first
    read. W of a file of "cell" is decoded here, which takes a second with 8,000 landmarks; files of "sbha" and "bha" open
    immediately at any size. Raises OSError.

    >>> import geodome
    >>> geodome.build(geodome.make_shape("creature", vertices=400)).save("creature.geodome")
    >>> geodome.load("creature.geodome", verify=True)
    <geodome.DistanceMatrix: 400 × 400 distances, 80 landmarks, 19.1 kB, 34 times less than all pairs; mean error ...>
    """
    return DistanceMatrix(_core.open(input_path(file), verify))


def _from_bytes(content: bytes, summary: dict[str, Any]) -> DistanceMatrix:
    from tempfile import TemporaryDirectory
    with TemporaryDirectory() as folder:
        file = os.path.join(folder, "pickled.geodome")
        with open(file, "wb") as stream:
            stream.write(content)
        matrix = load(file)  # stays mapped after the file is deleted
    return DistanceMatrix(matrix._core, summary)


class DistanceMatrix(Maps, Queryable):
    """All n × n distances of a shape, as a sparse matrix K ≈ P W Pᵀ or in the form of a baseline method. Returned by
    `build` and `load`; immutable.

    >>> import geodome
    >>> m = geodome.build(geodome.make_shape("creature", vertices=800), landmarks=150)
    >>> m.shape
    (800, 800)
    >>> m[3, 3], m[3, 7] == m[7, 3]
    (0.0, True)
    >>> m[[0, 1, 2], 5].shape, m[0].shape, m[:2, [4, 5, 6]].shape
    ((3,), (800,), (2, 3))

    `m[i, j]`, `row`, `rows`, `block`, `nearest`, `within` and `at` return distances with near-field correction: zero on
    the diagonal and never less than the straight-line distance. Distances up to one landmark spacing are exact: they
    are computed on the shape (`near_field`); `blended` estimates them instead. Products (`m @ X`) and `raw=True` use P W Pᵀ without
    correction, which is smooth at the diagonal where a distance has a cone. Vertices are numbered from 0; distances
    between components are infinite.

    Baselines support the same queries, without correction. `landmarks`, `P`, `W`, `factors`, `to_mtx` and `at` need the
    factors P W Pᵀ of "cell", "sbha" and "bha", and raise ValueError for other methods. `save` supports these, "ctg" and
    "spectrometer".
    """

    def __init__(self, core: _core.Distances, summary: dict[str, Any] | None = None):
        self._core = core
        self._summary = _core.summary(core) if summary is None else summary

    # What `Queryable` asks.

    @property
    def _size(self) -> int:
        return self._core.size

    def _entries(self, I: Indices, J: Indices) -> Reals:
        return self._core.entries(I, J, 0)

    def _mode(self, raw: bool) -> _core.Distances:
        return self._core.raw() if raw else self._core

    def _stored(self, raw: bool) -> bool:
        return raw and self.squared

    def _rows(self, I: Indices, raw: bool, run: _core.Run) -> Reals:
        if self._stored(raw):
            return self._core.stored_block(I, np.arange(self._size, dtype=np.int32), run)
        return self._mode(raw).rows(I, run)

    def _block(self, I: Indices, J: Indices, raw: bool, run: _core.Run) -> Reals:
        if self._stored(raw):
            return self._core.stored_block(I, J, run)
        return self._mode(raw).block(I, J, run)

    def _product(self, X: Reals) -> Reals:
        return self._core.apply(X, _ALL, 0)

    def _write_npy(self, file: str, kind: np.dtype[Any], raw: bool, run: _core.Run) -> None:
        _core.export_npy(self._mode(raw), file, kind.itemsize, self._stored(raw), run)

    # Properties.

    @property
    def nbytes(self) -> int:
        """Bytes of all stored arrays, such as landmarks, P and W, counted array by array."""
        return self._core.nbytes

    @property
    def squared(self) -> bool:
        """Whether products use squared distances."""
        return self._core.squared

    @property
    def component(self) -> npt.NDArray[np.int32]:
        """The component of every vertex; -1 for vertices without a component, such as those left out by a mask."""
        return self._core.component

    @property
    def geometry(self) -> Shape | None:
        """The shape; None if the file does not contain it."""
        core: Any = self._core.shape
        return None if core is None else Shape(core)

    @property
    def labels(self) -> npt.NDArray[np.int64] | None:
        """The vertex numbers in the file of a graph; None if they are 0, 1, 2, …"""
        labels = self._core.labels
        return labels if len(labels) else None

    @property
    def recipe(self) -> dict[str, Any]:
        """All options that determine the result; the same in every run."""
        try:
            recipe = json.loads(self._core.recipe)
        except ValueError:
            return {}
        return recipe if isinstance(recipe, dict) else {}

    @property
    def landmarks(self) -> npt.NDArray[np.int32]:
        """The landmarks, in the order of the columns of P and W."""
        return self._core.landmarks

    @property
    def summary(self) -> dict[str, Any]:
        """Method, sizes and bytes; if built in this session, also seconds of every stage, the check of a few rows and,
        for "sbha", "bha" and "cell", peak memory and the cover radius (the largest distance from a vertex to its
        nearest landmark)."""
        recipe, size = self.recipe, self._core.size
        facts: dict[str, Any] = {"method": recipe.get("method")}
        if self._core.has_factors:
            facts.update(vertices=size, landmarks=self._core.landmark_count, components=self._core.components,
                         nbytes=self.nbytes, full_nbytes=4 * size * size,
                         geodesic=recipe.get("geodesic", {}).get("method"))
        if "measured_error" in recipe:
            error = recipe["measured_error"]
            facts["measured_error"] = {**error, "rms_error": error["relative_error"] ** 0.5}
        return {**facts, **self._summary}

    @property
    def certificate(self) -> str:
        """The measured error in one sentence; empty if it was not measured. `recipe["measured_error"]` has all figures:
        ε, its 95 % confidence interval, relative errors of pairs, and the same by distance.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400), evaluate=20).certificate.split(", ")[-1]
        'measured on 20 rows of exact distances'
        """
        return _core.certificate(self._core)

    def __repr__(self) -> str:
        size, parts, landmarks = self._core.size, self._core.components, self._core.landmark_count
        method, full, error = self.recipe.get("method"), 4 * size * size, self.certificate
        return (f"<geodome.DistanceMatrix: {size:,} × {size:,} distances"
                + (f" in {parts:,} components" if parts != 1 else "")
                + ("" if self._core.has_factors else f" by {method}")
                + (f", {landmarks:,} landmarks" if landmarks else "") + f", {_bytes(self.nbytes)}"
                + (f", {full / self.nbytes:,.0f} times less than all pairs" if full >= 2 * self.nbytes else "")
                + (f"; {error}" if error else "") + ">")

    def _repr_html_(self) -> str:
        """The distances from the first landmark on the shape, and what `repr` says."""
        from ._notebook import html_of
        shape = self.geometry
        drawn = shape is not None and shape.kind in ("triangle mesh", "polygon mesh")
        start = self.landmarks[0] if drawn and self._core.has_factors else 0
        return html_of(repr(self), shape, self.row(start) if drawn else None)

    def view(self, *, height: int = 600, program: PathLike | None = None) -> Page:
        """The interactive page of `geodome view`, which a notebook shows: distances from any point, pairs, the canonical form.
        Needs the program geodome on the PATH, or its path as `program`, and a matrix with factors P W Pᵀ.

        >>> import geodome
        >>> page = geodome.build(geodome.make_shape("creature", vertices=400)).view()    # doctest: +SKIP
        >>> page.save("page.html")                                                       # doctest: +SKIP
        """
        from ._notebook import page_of
        return page_of(self, height, program)

    # Further queries.

    @property
    def near_field(self) -> str | None:
        """How distances below about one landmark spacing are obtained. "exact" if they are computed on the shape,
        "blend" if they are estimated from P and W, as without the shape; None for methods without factors P W Pᵀ."""
        if not self._core.has_factors:
            return None
        return "exact" if self._core.exact_near_field else "blend"

    def blended(self) -> DistanceMatrix:
        """The same matrix with near distances estimated from P and W instead of computed on the shape.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=800), landmarks=150)
        >>> m.near_field, m.blended().near_field
        ('exact', 'blend')
        >>> bool((m[0] == m.blended()[0]).all())
        False
        """
        return DistanceMatrix(self._core.blended(), self._summary)

    def nearest(self, vertices: npt.ArrayLike, k: SupportsIndex, *, threads: int = 0, progress: Progress = None
                ) -> tuple[Reals, Indices]:
        """Distances to the k nearest other vertices of each vertex, nearest first, and their indices: arrays of k values,
        or of one row for each vertex of an array. Where a component has fewer other vertices, the rest is infinite with
        index -1. Without factors P W Pᵀ, whole rows are computed.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> distances, indices = m.nearest(0, 5)
        >>> (distances == m[0, indices]).all().item(), (distances[1:] >= distances[:-1]).all().item()
        (True, True)
        >>> m.nearest([0, 7, 9], 5)[1].shape
        (3, 5)
        """
        I, count = self._vertices(vertices), integer(k, "k")
        with working(threads, progress) as run:
            distances, indices = self._core.nearest(I.ravel(), count, run)
        return distances.reshape((*I.shape, count)), indices.reshape((*I.shape, count))

    @overload
    def within(self, vertices: SupportsIndex, radius: float, *, threads: int = 0, progress: Progress = None
               ) -> tuple[Reals, Indices]: ...
    @overload
    def within(self, vertices: list[int] | npt.NDArray[Any], radius: npt.ArrayLike, *, threads: int = 0,
               progress: Progress = None) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.object_]]: ...
    def within(self, vertices: Any, radius: Any, *, threads: int = 0, progress: Progress = None) -> tuple[Any, Any]:
        """Distances to all vertices within `radius` of a vertex, the vertex included, nearest first, and their indices. For
        an array of vertices, with one radius or one for each, both results are arrays of arrays.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> distances, indices = m.within(7, 0.3)
        >>> int(indices[0]), bool(distances.max() <= 0.3)
        (7, True)
        """
        I = self._vertices(vertices)
        radii = np.broadcast_to(reals(radius, "radius").reshape(np.shape(radius)), I.shape).ravel()
        require_radius(radii.min() if radii.size else 0)
        with working(threads, progress) as run:
            distances, indices, begins = self._core.within(I.ravel(), np.ascontiguousarray(radii), run)
        if I.ndim == 0:
            return distances, indices
        parts = np.empty((2, I.size), dtype=object)
        for at in range(I.size):
            parts[:, at] = distances[begins[at] : begins[at + 1]], indices[begins[at] : begins[at + 1]]
        return parts[0].reshape(I.shape), parts[1].reshape(I.shape)

    def restrict(self, keep: npt.ArrayLike | None = None) -> Submatrix:
        """The distances between some vertices as a matrix of its own, whose vertices are numbered from 0 in the given
        order: rows, products, factors, embeddings and files are of these vertices alone. `keep` is a mask or a list of
        vertices; default: all vertices that belong to a component, which are those that a mask kept.

        >>> import geodome
        >>> V, F = geodome.make_shape("creature", vertices=400)
        >>> m = geodome.build(V, F, mask=V[:, 0] < 0.5)
        >>> m.restrict()
        <geodome.Submatrix: 326 × 326 of 400 × 400 distances>
        """
        from ._submatrix import Submatrix
        chosen = np.flatnonzero(self.component >= 0).astype(np.int32) if keep is None else self._list(keep)
        return Submatrix(self, chosen)

    def bounds(self, i: npt.ArrayLike, j: npt.ArrayLike, *, threads: int = 0, progress: Progress = None) -> Any:
        """Lower and upper bounds of the distances of the shape between the vertices `i` and `j`, which broadcast: two
        floats, or two arrays. They are equal where the distance is at most three landmark spacings. They are certain, up
        to 1e-6 of the distance, if `certain_bounds`; otherwise the measured error of the distances between landmarks is
        taken into account. Milliseconds per vertex. Raises ValueError without the shape.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400), landmarks=60)
        >>> low, high = m.bounds(0, [7, 99, 300])
        >>> bool((low <= high).all()), m.bounds(0, 0), m.certain_bounds
        (True, (0.0, 0.0), True)
        """
        I, J = np.broadcast_arrays(self._vertices(i), self._vertices(j))
        with working(threads, progress) as run:
            pair = self._core.bounds(np.ascontiguousarray(I).ravel(), np.ascontiguousarray(J).ravel(), run)
        low, high = (values.reshape(I.shape) if I.ndim else float(values[0]) for values in pair)
        return low, high

    @property
    def certain_bounds(self) -> bool:
        """Whether `bounds` are certain, because the distances between landmarks are exact. Raises ValueError where there are
        no bounds."""
        return self._core.certain_bounds

    def at(self, points: Any, others: Any, *, raw: bool = False) -> Any:
        """Distances between points on the shape that need not be vertices. Each argument is a pair of corners and
        barycentric weights (three vertices and three weights per row), a pair of face indices (one per row) and
        weights, or vertices. The arguments broadcast.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=500))
        >>> middle_of_face_7 = (7, [1/3, 1/3, 1/3])
        >>> m.at(middle_of_face_7, 0) > 0
        True
        """
        a, b = self._points(points), self._points(others)
        shape = np.broadcast_shapes(a[0].shape, b[0].shape)
        flat = [np.ascontiguousarray(np.broadcast_to(part, shape)).reshape(-1, 3) for part in (*a, *b)]
        values = self._mode(raw).between_points(*flat, threads=0)
        return values.reshape(shape[:-1]) if len(shape) > 1 else float(values[0])

    def _points(self, points: Any) -> tuple[npt.NDArray[np.int32], Reals]:
        if not isinstance(points, tuple):
            corners = np.repeat(self._vertices(points)[..., None], 3, axis=-1)
            return corners, np.broadcast_to([1.0, 0.0, 0.0], corners.shape)
        weights = reals(points[1], "weights")
        if weights.ndim == 0 or weights.shape[-1] != 3:
            raise ValueError(f"expected three weights per point, got weights of shape {weights.shape}")
        if np.ndim(points[0]) < weights.ndim:
            faces = None if self.geometry is None else self.geometry._core.triangles
            if faces is None:
                raise ValueError("face indices require a triangle mesh: pass three corners per point instead")
            corners = faces[vertices(points[0], len(faces), "face")]
        else:
            corners = vertices(points[0], self._size, "corner")
        corners, weights = np.broadcast_arrays(corners, weights)
        return corners, weights

    @property
    def P(self) -> scipy.sparse.csr_array:
        """Sparse matrix of weights that interpolate from the landmarks to all vertices (#vertices × #landmarks)."""
        with needs("m.P", "scipy"):
            from scipy.sparse import csr_array
        return csr_array(self._core.weights(), shape=(self._core.size, len(self.landmarks)))

    @property
    def W(self) -> Reals:
        """Distances between the landmarks (not squared); infinite between components."""
        return self._core.landmark_distances()

    # Canonical forms.

    def embed(self, n_components: int = 3, **options: Unpack[EmbeddingOptions]) -> Reals:
        """Classical scaling: coordinates whose Euclidean distances approximate these distances, #vertices ×
        n_components. In three dimensions this is the canonical form of a shape, which is nearly invariant to bending.
        `options` are those of `embedding`.

        >>> import geodome
        >>> geodome.build(geodome.make_shape("creature", vertices=400)).embed(2).shape
        (400, 2)
        """
        return self.embedding(n_components, **options).Z

    def embedding(self, n_components: int = 3, *, method: Scaling | None = None, stress_rows: int = 0,
                  seed: int | None = 0, memory: float = 4e9, threads: int = 0, progress: Progress = None) -> Embedding:
        """Like `embed`, with eigenvalues, residuals and stress. `method`: "sbmds" (products only, any size; the default
        for P W Pᵀ, also of "cell"), "bmds" (a QR decomposition of P W Pᵀ) or "dense" (all pairs); baselines use their
        own scaling by default, on squared distances, for which some are built again. `stress_rows`: number of rows of
        distances to measure the stress with; up to 2,000 vertices all rows are used.

        >>> import geodome
        >>> found = geodome.build(geodome.make_shape("creature", vertices=400)).embedding(3, stress_rows=200)
        >>> found.Z.shape, found.eigenvalues.shape, bool(found.residuals.max() < 1e-5), found.stress["exact"]
        ((400, 3), (3,), True, True)
        """
        return embedding_of(self._core, n_components, method, stress_rows, seed_of(seed), memory, threads, progress)

    def evaluate(self, shape: Any = None, *, rows: int = 200, geodesic: Geodesic | None = None,
                 distances: PathLike | None = None, raw: bool = False, seed: int | None = 0, threads: int = 0,
                 progress: Progress = None) -> dict[str, Any]:
        """Error of the distances (of squared distances for baselines that are `squared`) relative to `rows` newly
        measured rows (0: all), exact unless `geodesic` selects another method. `shape` is only needed if the file does
        not contain it. `distances` is an NPY file of distances to compare with instead; required if the matrix was
        built from user-supplied distances.

        `relative_error` is the ε of the paper, ‖K̃ - K‖² / ‖K‖², a ratio of squares; `rms_error` is its square root,
        the error in root mean square relative to that of the distances. `mean_relative_error`, `median_…`, `p99_…` and
        `max_…` are of `|K̃ - K| / K` over pairs.

        >>> import geodome
        >>> error = geodome.build(geodome.make_shape("creature", vertices=400)).evaluate(rows=50)
        >>> error["rows"], error["mean_relative_error"] < 0.03
        (50, True)
        """
        geometry = None if shape is None else as_shape(shape)._core
        given = "" if distances is None else input_path(distances)
        with working(threads, progress) as run:
            return _core.evaluate(self._mode(raw), geometry, rows, geodesic, given, seed_of(seed), run)

    def certify(self, shape: Any = None, *, rows: int = 200, distances: PathLike | None = None, seed: int | None = 0,
                threads: int = 0, progress: Progress = None) -> DistanceMatrix:
        """The same distances with an error measured on `rows` exact rows of vertices that are not landmarks (0: on all
        of them) in place of the one in the recipe. Arguments as in `evaluate`; `save` then writes a file that states it.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> m.certify(rows=100).recipe["measured_error"]["rows"]
        100
        """
        geometry = None if shape is None else as_shape(shape)._core
        given = "" if distances is None else input_path(distances)
        with working(threads, progress) as run:
            return DistanceMatrix(_core.certify(self._core, geometry, rows, given, seed_of(seed), run), self._summary)

    # Files.

    def save(self, file: PathLike, *, shape: bool = True) -> None:
        """Writes a `.geodome` file for `load` and the command line. `shape=False` omits the shape."""
        self._core.save(output_path(file), shape)

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
            _core.export_mat(self._mode(raw), output_path(file), float_type(dtype).itemsize, run)

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

    def to_mtx(self, folder: PathLike, *, progress: Progress = None) -> dict[str, str]:
        """Writes P, W and the landmarks as Matrix Market files. Returns a dictionary of their paths.

        >>> import geodome
        >>> sorted(geodome.build(geodome.make_shape("creature", vertices=400)).to_mtx("factors"))
        ['P.mtx', 'W.mtx', 'landmarks.mtx']
        """
        with working(0, progress) as run:
            files = _core.export_factors(self._core, path(folder), run)
        return {os.path.basename(file): file for file in files}

    def factors(self, rank: int | None = None) -> tuple[Reals, Reals]:
        """A and B with m ≈ A Bᵀ (raw P W Pᵀ; squared distances if `squared`), as used for the costs of low-rank
        Gromov–Wasserstein solvers. Without a rank, A = P W and B = P, with #landmarks columns; with a rank, the best
        approximation of that rank. Rows of vertices that a mask left out are zero.

        >>> import geodome, numpy
        >>> m = geodome.build(geodome.make_shape("creature", vertices=400))
        >>> A, B = m.factors()
        >>> bool(numpy.allclose(A @ B.T, m.rows(numpy.arange(400), raw=True)))
        True
        """
        self._core.require_factors()
        if rank is None:
            return factors_of(self.P, self.W, self.squared)
        return factors_of_rank(self, rank)

    # Immutable, so copies are the same object.

    def __copy__(self) -> DistanceMatrix:
        return self

    def __deepcopy__(self, memo: Any) -> DistanceMatrix:
        return self

    def __reduce__(self) -> Any:
        from tempfile import TemporaryDirectory
        with TemporaryDirectory() as folder:
            file = os.path.join(folder, "pickled.geodome")
            self.save(file)
            with open(file, "rb") as stream:
                return _from_bytes, (stream.read(), self._summary)


def factors_of(P: scipy.sparse.csr_array, W: Reals, squared: bool) -> tuple[Reals, Reals]:
    if np.isinf(W).any():
        raise ValueError("distances between components are infinite: the factors of one component are those of "
                         "m.restrict(m.component == 0)")
    dense = P.toarray()
    return dense @ (W**2 if squared else W), dense


def factors_of_rank(matrix: Queryable, rank: int) -> tuple[Reals, Reals]:
    """The best approximation of a rank."""
    with needs("factors of a rank", "scipy"):
        from scipy.sparse.linalg import eigsh
    if not 1 <= integer(rank, "rank") < len(matrix):
        raise ValueError(f"rank {rank} is out of range [1, {len(matrix)})")
    values, vectors = eigsh(matrix.as_linear_operator(), k=rank, which="LM", v0=np.ones(len(matrix)))
    return vectors * values, vectors


def _bytes(count: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"
