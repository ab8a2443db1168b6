"""What follows from all distances of a shape: paths, mean distances, eccentricities and partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import integer, integers, reals
from ._paths import Path, as_points, paths_of
from ._progress import Progress, working

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Eccentricity:
    """The distance of every vertex to the vertex farthest from it.

    `values` and `farthest` have one entry per vertex (NaN and -1 for vertices left out by a mask); `diameter` is the
    largest value and `ends` are two vertices at that distance; `centre` is the vertex with the smallest value,
    `radius`, in the component with most vertices. No value is below the largest entry of its row by more than `bound`;
    `rows` rows were computed.
    """

    values: Reals
    farthest: npt.NDArray[np.int32]
    bound: float
    diameter: float
    ends: tuple[int, int]
    centre: int
    radius: float
    rows: int

    def __repr__(self) -> str:
        return (f"<geodome.Eccentricity: {len(self.values):,} vertices, diameter {self.diameter:.4g}, "
                f"centre {self.centre}, radius {self.radius:.4g}>")


@dataclass(frozen=True, repr=False)
class Partition:
    """Regions of a shape: `labels` has the region of every vertex (-1 for none), `centres` one vertex and `areas` the
    area of each region."""

    labels: npt.NDArray[np.int32]
    centres: npt.NDArray[np.int32]
    areas: Reals

    def __len__(self) -> int:
        return len(self.centres)

    def __repr__(self) -> str:
        return (f"<geodome.Partition: {len(self.labels):,} vertices in {len(self)} regions, largest by smallest area "
                f"{self.areas.max() / self.areas.min():.3g}>")


class Maps:
    """The part of `DistanceMatrix` that computes paths, maps and partitions."""

    _core: _core.Distances

    def path(self, source: Any, target: Any, *, progress: Progress = None) -> Any:
        """The shortest path between two vertices on the shape in the matrix, a `Path`; for several targets a list. Exact,
        like `geodome.path`, not from P and W. Points that are no vertices are pairs of corners and weights, as in `at`.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=500))
        >>> path = m.path(0, 250)
        >>> path
        <geodome.Path: ... points, length ...>
        >>> abs(path.length - m[0, 250]) < 0.05 * path.length
        True
        """
        corners, weights, several = as_points(source, target)
        with working(0, progress) as run:
            found = paths_of(_core.matrix_paths(self._core, corners, weights, run))
        return found if several else found[0]

    def vertex_areas(self, *, threads: int = 0, progress: Progress = None) -> Reals:
        """The area around every vertex; 1 for vertices of graphs and samples. The matrix must have its shape.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("sphere", vertices=500))
        >>> round(float(m.vertex_areas().sum()), 1)  # 4π
        12.5
        """
        with working(threads, progress) as run:
            return _core.areas(self._core, run)

    def mean_distance(self, weights: npt.ArrayLike | str | None = None, *, threads: int = 0,
                      progress: Progress = None) -> Reals:
        """The mean distance of every vertex to all vertices of its component, itself included, by one product with the
        matrix. `weights` has one number per vertex; "area" weights each vertex by its area. NaN for vertices without
        component.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=500))
        >>> mean = m.mean_distance()
        >>> mean.shape
        (500,)
        >>> bool(abs(mean[7] - m.row(7, raw=True).mean()) < 1e-6 * mean[7])
        True
        """
        if isinstance(weights, str):
            if weights != "area":
                raise ValueError(f"weights must be numbers or 'area', not '{weights}'")
            weights = self.vertex_areas(threads=threads)
        given = np.empty(0) if weights is None else reals(weights, "weights")
        if given.ndim != 1 or (weights is not None and not given.size):
            raise ValueError(f"weights must have one number per vertex, got shape {given.shape}")
        with working(threads, progress) as run:
            return _core.mean_distance(self._core, given, run)

    def eccentricity(self, *, tolerance: float = 0.01, most_rows: int = 500, threads: int = 0,
                     progress: Progress = None) -> Eccentricity:
        """The distance of every vertex to the farthest one, the diameter and the centre. Only rows that can still matter
        are computed, until values are at most `tolerance` times the diameter below the largest entry of their row (0:
        exact), or `most_rows` rows (0: no limit); `bound` of the result says how much they can be below it.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=500))
        >>> found = m.eccentricity()
        >>> found
        <geodome.Eccentricity: 500 vertices, diameter ..., centre ..., radius ...>
        >>> found.radius <= found.diameter <= 2.1 * found.radius
        True
        """
        with working(threads, progress) as run:
            found = _core.eccentricity(self._core, float(tolerance), integer(most_rows, "most_rows"), run)
        return Eccentricity(found.pop("eccentricity"), **found)

    def partition(self, k: int | None = None, *, seeds: npt.ArrayLike | None = None,
                  weights: npt.ArrayLike | None = None, seed: int = 0, threads: int = 0,
                  progress: Progress = None) -> Partition:
        """Divides the shape into `k` connected regions of nearly equal area, or into the geodesic Voronoi cells of the
        vertices `seeds`. `weights` (one per vertex) replace the areas; graphs, samples and matrices without shape count
        vertices.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=800))
        >>> regions = m.partition(12)
        >>> regions
        <geodome.Partition: 800 vertices in 12 regions, largest by smallest area ...>
        >>> m.partition(seeds=[3, 70, 400]).labels[[3, 70, 400]]
        array([0, 1, 2], dtype=int32)
        """
        if (k is None) == (seeds is None):
            raise ValueError("pass either k, the number of regions, or seeds, vertices whose cells are wanted")
        if k is not None and integer(k, "k") < 1:
            raise ValueError(f"k must be at least 1, got {k}")
        if weights is None and self._core.shape is not None:
            weights = self.vertex_areas(threads=threads)
        given = np.empty(0) if weights is None else reals(weights, "weights")
        chosen = np.atleast_1d(integers([] if seeds is None else seeds, "seeds"))
        with working(threads, progress) as run:
            found = _core.partition(self._core, 0 if k is None else integer(k, "k"), chosen, given, int(seed), run)
        return Partition(*found)

    def between_regions(self, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, threads: int = 0,
                        progress: Progress = None) -> tuple[Reals, Reals]:
        """Distances between regions: the mean and the minimum over all pairs of vertices, two matrices of #regions by
        #regions. `labels` has the region of every vertex, 0, 1, …, or -1 for none; `weights` are those of the vertices in
        the means. Minima are searched among vertices at the borders of regions.

        >>> import geodome
        >>> m = geodome.build(geodome.make_shape("creature", vertices=500))
        >>> mean, least = m.between_regions(m.partition(6).labels)
        >>> mean.shape, bool((least <= mean).all())
        ((6, 6), True)
        """
        given = np.empty(0) if weights is None else reals(weights, "weights")
        with working(threads, progress) as run:
            return _core.between_regions(self._core, np.atleast_1d(integers(labels, "labels")), given, run)
