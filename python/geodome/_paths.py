"""Shortest paths, samples and interpolated functions of a shape, without building a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import integer, integers, reals
from ._progress import Progress, working
from ._shapes import as_shape, path_options

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Path:
    """A shortest path. `points` are the positions of its points (one per row), `corners` and `weights` where they are on
    the shape: point p is the sum over k of weights[p, k] times vertex corners[p, k]. Between consecutive points the path
    is straight. `length` is the length of the polyline; `distance` is the exact distance, which differs from it by
    rounding. If the ends are not connected there are no points and the length is infinite. Of a path found with an
    approximate method `exact` is False, and `distance` is the distance of that method.
    """

    points: Reals
    corners: npt.NDArray[np.int32]
    weights: Reals
    length: float
    distance: float
    exact: bool = True

    def __len__(self) -> int:
        return len(self.points)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.points, dtype=dtype)

    def __repr__(self) -> str:
        approximate = "" if self.exact else ", approximate"
        return f"<geodome.Path: {len(self.corners)} points, length {self.length:.6g}{approximate}>"


@dataclass(frozen=True, repr=False)
class VertexSample:
    """Vertices spread over a shape: `vertices` in the order of choice, `cover_radius` after each of them (the largest
    distance of any vertex to the nearest one), and for every vertex of the shape the nearest one (`cell`, a position in
    `vertices`) and the distance to it."""

    vertices: npt.NDArray[np.int32]
    cover_radius: Reals
    cell: npt.NDArray[np.int32]
    distance: Reals

    def __len__(self) -> int:
        return len(self.vertices)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.vertices, dtype=dtype)

    def __repr__(self) -> str:
        return f"<geodome.VertexSample: {len(self)} vertices, cover radius {self.cover_radius[-1]:.4g}>"


def as_points(source: Any, target: Any) -> tuple[npt.NDArray[np.int32], Reals, bool]:
    """Corners and weights of the source and all targets, one point per row, and whether several targets were given. A
    point is a vertex, or a pair of corners and weights."""
    corners, weights = [], []
    several = isinstance(target, list) or (isinstance(target, np.ndarray) and target.ndim > 0)
    for point in [source, *(target if several else [target])]:
        if isinstance(point, tuple):
            corner, weight = integers(point[0], "corners"), reals(point[1], "weights")
            if len(point) != 2 or corner.shape != (3,) or weight.shape != (3,):
                raise ValueError("a point is a vertex or a pair of three corners and three weights")
        else:
            corner, weight = np.repeat(np.int32(integer(point, "vertex")), 3), np.array([1.0, 0.0, 0.0])
        corners.append(corner)
        weights.append(weight)
    return np.array(corners, dtype=np.int32).reshape(-1, 3), np.array(weights).reshape(-1, 3), several


def paths_of(found: list[Any]) -> list[Path]:
    return [Path(points, corners, weights, *rest) for corners, weights, points, *rest in found]


def path(shape: Any, faces: Any = None, source: Any = None, target: Any = None, *, points: Any = None,
         graph: Any = None, samples: Any = None, mask: Any = None, geodesic: str | None = None, seed: int | None = 0,
         progress: Progress = None, **expert: Any) -> Any:
    """The shortest path from `source` to `target`, a `Path`; for a list of targets a list of paths, found together.

    On meshes and point clouds paths run over the triangles and are exact; on graphs and samples, and with
    geodesic="edges", along edges. With geodesic="marching", "carried" or "heat" they descend approximate distances and
    are then pulled straight: as long as the shortest path or a little longer. A point is a vertex, or a pair of three
    corners of a triangle and three weights that sum to one. `mask` leaves out vertices (value 0), which paths go around.

    >>> import geodome
    >>> V, F = geodome.make_shape("sphere", vertices=2000)
    >>> path = geodome.path(V, F, 0, 1000)
    >>> path.points.shape == (len(path), 3)
    True
    >>> bool(abs(path.length - geodome.distances(V, F, 0, geodesic="exact")[1000]) < 1e-9)
    True
    >>> middle = (F[0], [1/3, 1/3, 1/3])
    >>> geodome.path(V, F, middle, [0, 5])
    [<geodome.Path: ... points, length ...>, <geodome.Path: ... points, length ...>]
    >>> geodome.path(V, F, 0, 1000, geodesic="heat")
    <geodome.Path: ... points, length ..., approximate>
    """
    if source is None or target is None:
        raise ValueError("source and target are required: the points between which the path runs")
    body = as_shape(shape, faces, points=points, graph=graph, samples=samples)
    corners, weights, several = as_points(source, target)
    with working(0, progress) as run:
        found = paths_of(_core.paths(body._core, corners, weights, path_options(body, mask, geodesic, seed, expert),
                                     run))
    return found if several else found[0]


def farthest_points(shape: Any = None, faces: Any = None, n: int = 100, *, method: str = "farthest",
                    start: npt.ArrayLike | None = None, points: Any = None, graph: Any = None, samples: Any = None,
                    mask: Any = None, geodesic: str | None = None, seed: int | None = 0, threads: int = 0,
                    progress: Progress = None, **expert: Any) -> VertexSample:
    """Chooses `n` vertices spread evenly over the shape, each the one with the largest geodesic distance from all before;
    or at random (method="random"). The first m of them are the sample of m vertices. `start` are vertices to begin with.
    Distances are measured by fast marching (about 1 % off where a cell has hundreds of vertices), or along edges with
    geodesic="edges".

    >>> import geodome
    >>> V, F = geodome.make_shape("creature", vertices=2000)
    >>> sample = geodome.farthest_points(V, F, 50, start=17)
    >>> sample
    <geodome.VertexSample: 50 vertices, cover radius ...>
    >>> int(sample.vertices[0]), sample.cell.shape
    (17, (2000,))
    """
    if method not in ("farthest", "random"):
        raise ValueError(f"method must be 'farthest' or 'random', not '{method}'")
    body = as_shape(shape, faces, points=points, graph=graph, samples=samples)
    first = np.atleast_1d(integers([] if start is None else start, "start"))
    with working(threads, progress) as run:
        found = _core.sample(body._core, integer(n, "n"), method == "random", int(seed), first,
                             path_options(body, mask, geodesic, seed, expert), run)
    return VertexSample(*found)


def interpolate(shape: Any = None, faces: Any = None, values: npt.ArrayLike | None = None, *,
                vertices: npt.ArrayLike | None = None, points: Any = None, graph: Any = None, samples: Any = None,
                mask: Any = None, seed: int | None = 0, threads: int = 0, progress: Progress = None, **expert: Any) -> Reals:
    """Continues functions known at some vertices to all vertices: the smoothest functions through the given values (of
    least biharmonic energy), which may go beyond the smallest and the largest value.

    `values` has one row per vertex, NaN where a value is missing, or one row for each of `vertices`; a matrix has one
    function per column. Vertices left out by `mask`, and those not connected to any value, become NaN.

    >>> import geodome
    >>> V, F = geodome.make_shape("sphere", vertices=2000)
    >>> some = geodome.farthest_points(V, F, 60).vertices
    >>> height = geodome.interpolate(V, F, V[some, 2], vertices=some)
    >>> height.shape == (len(V),), bool(abs(height - V[:, 2]).max() < 0.05)
    (True, True)
    """
    if values is None:
        raise ValueError("values= is required")
    body = as_shape(shape, faces, points=points, graph=graph, samples=samples)
    given = reals(values, "values")
    table = given[:, None] if given.ndim == 1 else given
    if table.ndim != 2:
        raise ValueError(f"values must have one row per vertex and one column per function, got shape {given.shape}")
    if vertices is not None:
        chosen = integers(vertices, "vertices")
        if chosen.shape != (len(table),):
            raise ValueError(f"got {len(table)} rows of values for {chosen.size} vertices")
        if chosen.size and (chosen.min() < 0 or chosen.max() >= len(body)):
            raise ValueError(f"vertex {chosen.min() if chosen.min() < 0 else chosen.max()} is out of range "
                             f"[0, {len(body)})")
        full = np.full((len(body), table.shape[1]), np.nan)
        full[chosen] = table
        table = full
    with working(threads, progress) as run:
        result = _core.interpolate(body._core, np.ascontiguousarray(table),
                                   path_options(body, mask, None, seed, expert), run)
    return result[:, 0] if given.ndim == 1 else result
