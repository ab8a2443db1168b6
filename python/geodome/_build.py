"""Building distance matrices of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import integer, integers, output_path, seed_of, vertices
from ._given import given_distances, neighbour_shape
from ._matrix import DistanceMatrix
from ._progress import Progress, working
from ._shapes import as_mask, as_shape, is_several, path_options, warn_of_gaps
from ._warnings import warn

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import (
        ExpertOptions,
        Faces,
        Geodesic,
        Given,
        Method,
        Options,
        PathOptions,
        PlanOptions,
        Precision,
        ShapeLike,
    )


@overload
def build(shape: list[Any], faces: None = None, **options: Unpack[Options]) -> list[DistanceMatrix]: ...
@overload
def build(shape: list[Any], faces: Faces, **options: Unpack[Options]) -> DistanceMatrix: ...
@overload
def build(shape: ShapeLike = None, faces: Faces | None = None, **options: Unpack[Options]) -> DistanceMatrix: ...
def build(shape: Any = None, faces: Any = None, *, points: Any = None, normals: Any = None, graph: Any = None,
          samples: Any = None, distances: Given | None = None, mask: Any = None,
          landmarks: int | npt.ArrayLike | None = None, nonzeros: int | None = None, method: Method | None = None,
          geodesic: Geodesic | None = None, precision: Precision | None = None, squared: bool = False, error: float | None = None,
          mean_error: float | None = None, evaluate: int | None = None,
          certificate: bool = True, seed: int | None = 0, threads: int = 0, progress: Progress = None,
          resume: Any = None, check_memory: bool = True, **expert: Unpack[ExpertOptions]) -> Any:
    """Builds the matrix of all distances of a shape, a `DistanceMatrix`.

    >>> import geodome
    >>> V, F = geodome.make_shape("creature", vertices=900)
    >>> m = geodome.build(V, F, landmarks=200)
    >>> m
    <geodome.DistanceMatrix: 900 × 900 distances, 200 landmarks, 55.3 kB, 59 times less than all pairs; mean error ...>
    >>> d = m[0, 450]

    The shape is one of:

    - vertices and faces: `build(V, F)`, with triangles, or polygons as a matrix or a list of lists;
    - a file of any format: `build("bunny.obj")`;
    - an object with vertices and faces, such as those of trimesh, pyvista, meshio and nibabel (GIFTI);
    - points on a surface, with or without normals: `build(points=X)`;
    - a graph: `build(graph=A)`, a sparse or dense matrix of edge lengths, a networkx graph (vertices in the order of its
      nodes, lengths in `weight`), or a pair of edges and lengths;
    - samples in any dimension: `build(samples=X)`, connected to their nearest neighbours;
    - `distances=` alone: cells or interpolation then use the graph of nearest neighbours, which requires reading every
      row once;
    - a list of shapes: the result is a list of matrices. `mask` may then be a list too, and `resume` must be one.

    Parameters
    ----------
    distances : matrix, memory map or path of an NPY file (#vertices × #vertices), or callable
        User-supplied distances, used instead of measuring on the shape. A callable takes a vertex and returns its
        distances to all vertices; with a shape it is called about two times per landmark.
    mask : array, GIFTI image of nibabel or path
        One value per vertex; vertices with zero are left out, and paths go around them.
    landmarks : int or array of vertices
        The number of landmarks, or the landmarks. More landmarks give a smaller error and a larger matrix. Default: a
        fifth of the vertices, from 50 to 1,000, and up to 10,000 for shapes of several components.
    nonzeros : int
        Number of weights per row of P (50) of "sbha", which this selects if `method` is not given.
    method : str
        "cell" (the default), which learns P from distances and codes all numbers (docs/methods/cells.md); "sbha", the method of
        Turek and Huth with sparse P; "bha", which stores all of P; or a baseline (`method_names`). Of the baselines,
        "ctg" and "spectrometer" can be saved.
    geodesic : str
        How distances are measured: "auto", "exact", "marching", "heat", "edges" and others (docs/methods/geodesics.md).
    precision : str
        How distances between landmarks are stored: "float32", "uint16" or "float64". For "sbha", which this selects if
        `method` is not given, and "bha".
    squared : bool
        Products (`m @ X`, `factors`, `raw=True`) use squared distances; queries return distances in any case.
    error, mean_error : float
        Choose the smallest number of landmarks for which the relative error ε, or the mean relative error of pairs, is
        below this with its confidence interval, by several builds; `landmarks` is where the search starts. Raises
        NumericalError if it cannot be reached. For "cell", "sbha" and "bha".
    evaluate : int
        Number of rows to measure exactly for the error in `summary` and in the file. Default: as many as take about a
        tenth of the time of the build, at least 4; for methods that cannot be saved, none.
    certificate : bool
        Whether the error is measured at all.
    threads : int
        Number of threads; 0: all cores. The result does not depend on it.
    progress : None, bool or callable
        None: a progress bar if stderr is a terminal, or in a notebook. A callable takes a stage and a fraction, and
        cancels by returning False.
    resume : path
        A file that stores distances as they are measured. If a build is interrupted (Ctrl-C, power, memory), calling it
        again with the same arguments resumes from this file, with the same result. The file is removed when the build
        finishes. For builds that take hours: fewer than 4,000 landmarks are stored in one step, unless `save_every`
        sets the number of landmarks per step. For "sbha", "bha" and "cell" only.
    check_memory : bool
        Refuse builds that will not fit into memory, and baselines that need more than 8 GiB.
    **expert
        `neighbours`, `landmark_method`, `save_every`; `coarsen` ("auto", "off" or a number: landmarks are measured on a
        mesh of one in so many vertices); of "cell" `rounding` and `positional` (weights from vertex positions, for
        shapes with 3-D coordinates; the file must contain the shape); of "sbha", which these select if `method` is not
        given, `sparsity`, `solver`, `perplexity`, `graph_weights` and `intrinsic_delaunay`: as on the command line. Baselines have further options: `truncation`, `softening`, `square_root`, `eigenvectors`,
        `smds_weight`, `dimensions`, `columns`, `repair` and `places` (docs/methods/baselines.md).

    Raises ValueError on bad input, OSError on bad files, NumericalError on numerical failure.
    """
    if faces is None and is_several(shape):
        masks = _one_each(mask, shape, "mask")
        files = _one_each(resume, shape, "resume")
        if resume is not None and files[0] is resume and len(shape) > 1:
            raise ValueError(f"resume= must be a list with one file for each of the {len(shape)} shapes")
        shared = {"landmarks": landmarks, "nonzeros": nonzeros, "method": method, "geodesic": geodesic,
                  "precision": precision, "squared": squared, "error": error, "mean_error": mean_error,
                  "evaluate": evaluate, "certificate": certificate, "seed": seed, "threads": threads,
                  "progress": progress, "check_memory": check_memory, **expert}
        return [build_one_of(shape, at, mask=masks[at], resume=files[at], **shared) for at in range(len(shape))]
    options = build_options(landmarks=landmarks, nonzeros=nonzeros, method=method, geodesic=geodesic, precision=precision,
                            squared=squared, evaluate=evaluate, certificate=certificate, seed=seed, **expert)
    wanted = wanted_errors(error, mean_error)
    if resume is not None:
        options["resume"] = output_path(resume)
    if distances is not None:
        options.update(given_distances(distances))
    if distances is not None and all(one is None for one in (shape, points, graph, samples)):
        target = neighbour_shape(options)
    else:
        target = as_shape(shape, faces, points=points, normals=normals, graph=graph, samples=samples)
    if mask is not None:
        options["mask"] = as_mask(mask, len(target))
    with working(threads, progress) as run:
        matrix = DistanceMatrix(_core.build(target._core, options, *wanted, check_memory, run))
    warn_of_error(matrix.summary)
    if matrix._core.components > 1:
        warn_of_gaps(target, matrix.component)
    return matrix


def build_options(*, landmarks: Any = None, nonzeros: int | None = None, method: Method | None = None,
                  geodesic: Geodesic | None = None, precision: Precision | None = None, squared: bool = False,
                  evaluate: int | None = None, certificate: bool = True, seed: int | None = 0,
                  **expert: Unpack[ExpertOptions]) -> dict[str, Any]:
    """Options of `build` as the library takes them."""
    options: dict[str, Any] = {"squared": bool(squared), "seed": seed_of(seed), **expert}
    for name, value in (("nonzeros", nonzeros), ("method", method), ("geodesic", geodesic),
                        ("precision", precision)):
        if value is not None:
            options[name] = value
    _select_method(options)
    if landmarks is not None:
        chosen = integers(landmarks, "landmarks")
        options["landmarks" if chosen.ndim == 0 else "given_landmarks"] = int(chosen) if chosen.ndim == 0 else chosen
    if evaluate is not None and (evaluate < 1 or not certificate):
        raise ValueError(f"evaluate={evaluate}: the error must be measured on at least 1 row; certificate=False "
                         "leaves it out")
    if evaluate is not None or not certificate:
        options["certificate_rows"] = integer(evaluate or 0, "evaluate")
    return options


def wanted_errors(error: float | None, mean_error: float | None) -> tuple[float, float]:
    """The errors to build to; zero: not asked for."""
    if any(one is not None and not 0 < one < 1 for one in (error, mean_error)):
        raise ValueError(f"error={error}, mean_error={mean_error}: wanted errors must be between 0 and 1")
    return float(error or 0), float(mean_error or 0)


class AccuracyWarning(UserWarning):
    """A check of a few rows found distances of a built matrix that differ strongly from those of the solver."""


_SBHA_OPTIONS = ("nonzeros", "precision", "sparsity", "solver", "perplexity", "graph_weights", "intrinsic_delaunay")


def _select_method(options: dict[str, Any]) -> None:
    """Options of "sbha" select it where no method is given; "cell" does not have them."""
    given = [name for name in _SBHA_OPTIONS if name in options]
    if given and "method" not in options:
        options["method"] = "sbha"
    if given and options.get("method") == "cell":
        raise ValueError(f"{given[0]}= applies to the method 'sbha', not to 'cell'")


def warn_of_error(summary: dict[str, Any]) -> None:
    for warning in summary["warnings"]:
        warn(warning, AccuracyWarning)


def build_one_of(shapes: Sequence[Any], at: int, **options: Any) -> Any:
    """Builds one of several shapes; errors contain its index."""
    try:
        return build(shapes[at], **options)
    except ValueError as error:
        raise ValueError(f"shape {at} of {len(shapes)}: {error}") from error


def _one_each(value: Any, shapes: list[Any], name: str) -> list[Any]:
    """One value for each shape, from a list or from a single value for all."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(shapes)
    if len(value) != len(shapes):
        raise ValueError(f"{name}= has {len(value)} entries for {len(shapes)} shapes")
    return list(value)


def method_names() -> list[str]:
    """Names of the methods of `build`.

    >>> import geodome
    >>> "sbha" in geodome.method_names()
    True
    """
    return _core.method_names()


def plan(shape: Any = None, faces: Any = None, *, points: Any = None, graph: Any = None, samples: Any = None,
         landmarks: int | None = None, threads: int = 0, **options: Unpack[PlanOptions]) -> dict[str, Any]:
    """Estimates the cost of a build: seconds, memory, bytes. Options are those of `build`.

    >>> import geodome
    >>> geodome.plan(geodome.make_shape("creature", vertices=900))["landmarks"]
    180
    """
    chosen: dict[str, Any] = dict(options)
    if landmarks is not None:
        chosen["landmarks"] = int(landmarks)
    _select_method(chosen)
    target = as_shape(shape, faces, points=points, graph=graph, samples=samples)
    return _core.plan(target._core, chosen, threads)


def distances(shape: Any = None, faces: Any = None, sources: Any = None, *, points: Any = None, graph: Any = None,
              samples: Any = None, mask: Any = None, geodesic: Geodesic | None = None, radius: float = np.inf,
              seed: int | None = 0, threads: int = 0, progress: Progress = None, **expert: Unpack[PathOptions]
              ) -> npt.NDArray[np.float64]:
    """Geodesic distances from the sources to all vertices, without building a matrix: one row per source, or a
    one-dimensional array for a single source. Sources are vertices or a boolean mask. Vertices farther than `radius`, or
    unreachable, are at infinite distance. For many calls on one shape, `Solver` is faster.

    >>> import geodome
    >>> V, F = geodome.make_shape("creature", vertices=600)
    >>> geodome.distances(V, F, 0).shape, geodome.distances(V, F, [0, 5, 9]).shape
    ((600,), (3, 600))
    """
    if sources is None:
        raise ValueError("sources= is required: the vertices to measure from")
    target = as_shape(shape, faces, points=points, graph=graph, samples=samples)
    options = path_options(target, mask, geodesic, seed, expert)
    wanted = vertices(sources, len(target), "source")
    with working(threads, progress) as run:
        rows = _core.distances(target._core, np.atleast_1d(wanted), options, float(radius), run)
    return rows if wanted.ndim else rows[0]
