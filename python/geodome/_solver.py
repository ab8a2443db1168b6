"""A geodesic solver that is prepared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import require_radius, vertices
from ._paths import Path, as_points, paths_of
from ._progress import Progress, working
from ._shapes import as_shape, path_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import Geodesic, PathOptions, Reals


class Solver:
    """Geodesic distances on one shape, for many calls: what does not depend on the sources is computed once. Arguments are
    those of `distances`; `rows` is the number of rows that will be asked for, which an automatic choice of the method
    depends on: exact distances take longer per row, and fast marching longer to prepare. `method` is the one chosen.

    >>> import geodome
    >>> V, F = geodome.make_shape("creature", vertices=600)
    >>> solver = geodome.Solver(V, F)
    >>> solver.distances(0).shape, solver.distances([0, 5, 9]).shape
    ((600,), (3, 600))
    >>> solver
    <geodome.Solver: 600 vertices, exact>
    """

    def __init__(self, shape: Any = None, faces: Any = None, *, points: Any = None, graph: Any = None, samples: Any = None,
                 mask: Any = None, method: Geodesic | None = None, rows: int = 1000, seed: int | None = 0, threads: int = 0,
                 progress: Progress = None, **expert: Unpack[PathOptions]):
        self.shape = as_shape(shape, faces, points=points, graph=graph, samples=samples)
        self._options = path_options(self.shape, mask, method, seed, expert)
        with working(threads, progress) as run:
            self._core = _core.prepare(self.shape._core, self._options, rows, run)
        self.method: str = self._core.method

    def __len__(self) -> int:
        return self._core.size

    def __repr__(self) -> str:
        return f"<geodome.Solver: {len(self):,} vertices, {self.method}>"

    def distances(self, sources: SupportsIndex | npt.ArrayLike, *, radius: float = np.inf, threads: int = 0,
                  progress: Progress = None) -> Reals:
        """Distances from the sources to all vertices: one row per source, or a one-dimensional array for a single one.
        Vertices farther than `radius`, or unreachable, are at infinite distance.

        >>> import geodome
        >>> solver = geodome.Solver(geodome.make_shape("sphere", vertices=500), method="marching")
        >>> bool(solver.distances(0).max() < 3.2)
        True
        """
        require_radius(radius)
        wanted = vertices(sources, len(self), "source")
        with working(threads, progress) as run:
            rows = self._core.distances(np.atleast_1d(wanted), float(radius), run)
        return rows if wanted.ndim else rows[0]

    def path(self, source: Any, target: Any, *, geodesic: Geodesic | None = None,
             progress: Progress = None) -> Path | list[Path]:
        """The shortest path from `source` to `target`, or a list of paths to several targets, as by `geodome.path`. If the
        solver was made with an approximate method, its paths descend the distances of this method (`Path.exact` is
        False); `geodesic` is another method for them. With an automatic choice of the method they are exact.

        >>> import geodome
        >>> solver = geodome.Solver(geodome.make_shape("sphere", vertices=500))
        >>> bool(abs(solver.path(0, 100).length - solver.distances(0)[100]) < 1e-9)
        True
        >>> heat = geodome.Solver(solver.shape, method="heat")
        >>> heat.path(0, 100)
        <geodome.Path: ... points, length ..., approximate>
        >>> heat.path(0, 100, geodesic="exact").exact
        True
        """
        options = self._options if geodesic is None else {**self._options, "geodesic": geodesic}
        corners, weights, several = as_points(source, target)
        with working(0, progress) as run:
            found = paths_of(_core.prepared_paths(self.shape._core, self._core, corners, weights, options, run))
        return found if several else found[0]
