"""Files of many shapes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, is_path, seed_of
from ._build import build, build_options, wanted_errors
from ._distribute import (
    Errors,
    Watch,
    distributed,
    named_shapes,
    portable_error,
    portable_shape,
    raise_error,
    require_errors,
    require_staging,
    staging,
)
from ._matrix import DistanceMatrix, load
from ._progress import Progress, as_threads
from ._shapes import Shape, ShapeWarning, as_mask, as_shape
from ._warnings import collecting, warn

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import ManyOptions


@dataclass(frozen=True)
class BuiltFile:
    """One shape of `build_many`: its name and file, the numbers of vertices and landmarks, bytes of the matrix (`nbytes`)
    and of the file, the mean relative error that the file states (None: not measured), and the seconds that this call
    took for it. `skipped`: whether the file was there already. `error`: why there is no file, an exception; the numbers are
    then zero. `warnings`: what `build` warned of."""

    name: str
    file: str
    vertices: int = 0
    landmarks: int = 0
    nbytes: int = 0
    file_bytes: int = 0
    mean_error: float | None = None
    seconds: float = 0.0
    skipped: bool = False
    error: Exception | None = None
    warnings: tuple[str, ...] = ()


def build_many(shapes: Mapping[str, Any] | Iterable[Any], folder: PathLike, n_jobs: int | None = None, *, mask: Any = None,
               with_shape: bool = True, rebuild: bool = False, errors: Errors = "return", threads: int = 1,
               progress: Progress = None, **options: Unpack[ManyOptions]) -> list[BuiltFile]:
    """Builds the matrices of many shapes and writes each to `folder`/name.geodome: the same file as
    `build(shape, ...).save(file)`. Returns one `BuiltFile` per shape, in their order. joblib, which the extra `many`
    installs, distributes the shapes: over `n_jobs` processes, or as `joblib.parallel_config` says, for instance over a
    Dask cluster (docs/howto/many_shapes.md).

    >>> import geodome, os
    >>> os.makedirs("matrices")
    >>> poses = {f"pose{k}": geodome.make_shape("creature", vertices=400, pose=k) for k in range(3)}
    >>> built = geodome.build_many(poses, "matrices", n_jobs=2)
    >>> [(one.name, one.landmarks, one.error) for one in built]
    [('pose0', 80, None), ('pose1', 80, None), ('pose2', 80, None)]
    >>> geodome.load(built[1].file).shape
    (400, 400)
    >>> [one.skipped for one in geodome.build_many(poses, "matrices")]
    [True, True, True]

    Parameters
    ----------
    shapes : dict, or list
        Shapes by name; or a list of shapes, which are named after their files or else shape_0, shape_1, …, or of pairs
        (name, shape). A shape is a path, a pair of arrays (V, F), or anything else that `as_shape` accepts; for points,
        graphs and samples pass `as_shape(points=X)` and so on.
    folder : path
        An existing folder, which all workers must see.
    n_jobs : int
        Number of shapes at a time; -1: as many as there are cores. Default: one, or what `joblib.parallel_config` says.
    mask : array, path, list or dict
        As in `build`, for all shapes; or a list with one for each shape; or a dictionary with one for each name.
    with_shape : bool
        Whether files contain the shape.
    rebuild : bool
        Build also what is there already. Otherwise a file is kept if it is intact and its recipe states that a build would
        write the same: the same shape, mask, options and version of geodome. Any other file is replaced.
    errors : str
        "return": an error of a shape is in its result, the other shapes are built, and a warning says how many failed.
        "raise": the first error is raised, and the other shapes are left.
    threads : int
        Number of threads for each shape; 0: all cores. Files do not depend on it.
    progress : None, bool or callable
        As in `build`, with the fraction of shapes that are finished.
    **options
        Those of `build`, the same for all shapes, but `distances` and `resume`.

    Files appear whole or not at all, also after Ctrl-C; calling it again continues with what is missing. Memory: about
    `n_jobs` times that of one build (`plan`). Raises ValueError and OSError for arguments that suit no shape, and for two
    shapes of one name.
    """
    require_errors(errors)
    _require_options(options)
    named = named_shapes(shapes)
    masks = _masks(mask, list(named))
    place = os.path.abspath(folder)
    shared = {**options, "seed": seed_of(options.get("seed", 0))}
    results: dict[str, BuiltFile] = {}
    with staging(place) as temporary:
        settings = _Settings(place, temporary, shared, as_threads(threads), with_shape, rebuild)
        work = distributed("geodome.build_many", build_one, _jobs(named, masks, settings), len(named), n_jobs, progress)
        with contextlib.closing(work):
            for one in work:
                if one.error is not None and errors == "raise":
                    raise_error(one.name, one.error)
                results[one.name] = one
    found = [results[name] for name in named]
    warn_of_results(found)
    return found


@dataclass(frozen=True)
class _Settings:
    """What is the same for all shapes of a call."""

    folder: str
    staging: str
    options: dict[str, Any]
    threads: int
    with_shape: bool
    rebuild: bool


@dataclass(frozen=True)
class _BuildJob:
    name: str
    shape: Any
    mask: npt.NDArray[np.uint8] | str | None
    settings: _Settings


def _jobs(named: dict[str, Any], masks: list[Any], settings: _Settings) -> Iterator[_BuildJob]:
    for (name, shape), mask in zip(named.items(), masks):
        yield _BuildJob(name, portable_shape(shape), mask, settings)


def _require_options(options: Any) -> None:
    """Before the first shape: what would be an error for every one."""
    for name, instead in (("distances", "call build for each shape"), ("resume", "finished files are kept anyway"),
                          *((name, f"pass as_shape({name}=...)") for name in ("points", "graph", "samples")),
                          ("normals", "pass as_shape(points=..., normals=...)"), ("faces", "pass pairs (V, F)")):
        if name in options:
            raise ValueError(f"{name}= is not an option of build_many: {instead}")
    library = {name: value for name, value in options.items() if name not in ("error", "mean_error", "check_memory")}
    wanted_errors(options.get("error"), options.get("mean_error"))
    _core.require_storable(build_options(**library))


def _masks(mask: Any, names: list[str]) -> list[Any]:
    """One for each shape, in a form that reaches any worker."""
    if isinstance(mask, Mapping):
        wrong = [name for name in mask if name not in names] or [name for name in names if name not in mask]
        if wrong:
            raise ValueError(f"mask= must have an entry for every shape and no other: see '{wrong[0]}'")
        given = [mask[name] for name in names]
    elif isinstance(mask, (list, tuple)):
        if len(mask) != len(names):
            raise ValueError(f"mask= has {len(mask)} entries for {len(names)} shapes")
        given = list(mask)
    else:
        return [_portable_mask(mask)] * len(names)
    return [_portable_mask(one) for one in given]


def _portable_mask(mask: Any) -> Any:
    if is_path(mask):
        return os.path.abspath(mask)
    if hasattr(mask, "darrays") and len(mask.darrays) == 1:
        return mask.darrays[0].data  # an image of nibabel
    return mask


def build_one(job: _BuildJob) -> BuiltFile:
    """The work of one worker on one shape."""
    begin = time.perf_counter()
    file = os.path.join(job.settings.folder, job.name + ".geodome")
    with collecting() as messages:
        try:
            found = _build_or_keep(job, file)
        except Exception as error:
            found = BuiltFile(job.name, file, error=portable_error(error))
    return replace(found, seconds=time.perf_counter() - begin, warnings=tuple(messages))


def _build_or_keep(job: _BuildJob, file: str) -> BuiltFile:
    settings = job.settings
    if isinstance(job.shape, Exception):
        raise job.shape
    require_staging(settings.staging)
    if os.path.isdir(file):
        raise IsADirectoryError(f"'{file}' is a folder")
    shape = as_shape(job.shape)
    mask = None if job.mask is None else as_mask(job.mask, len(shape))
    if not settings.rebuild:
        kept = _finished(file, shape, mask, settings)
        if kept is not None:
            return _result(job.name, file, kept, skipped=True)
    matrix = build(shape, mask=mask, threads=settings.threads, progress=Watch(settings.staging), **settings.options)
    temporary = os.path.join(settings.staging, job.name + ".geodome")
    matrix.save(temporary, shape=settings.with_shape)
    os.replace(temporary, file)
    return _result(job.name, file, matrix, skipped=False)


def _finished(file: str, shape: Shape, mask: npt.NDArray[np.uint8] | None, settings: _Settings) -> DistanceMatrix | None:
    """The matrix in the file, if a build would write the same file."""
    if not os.path.exists(file):
        return None
    try:
        matrix = load(file, verify=True)
    except (OSError, ValueError):
        return None  # damaged, or a file of something else
    library = dict(settings.options)
    library.pop("check_memory", None)
    wanted = wanted_errors(library.pop("error", None), library.pop("mean_error", None))
    options = build_options(**library)
    if mask is not None:
        options["mask"] = mask
    if _core.recipe_difference(matrix._core, shape._core, options, *wanted):
        return None
    return matrix if matrix._core.has_shape == settings.with_shape else None


def _result(name: str, file: str, matrix: DistanceMatrix, skipped: bool) -> BuiltFile:
    measured = matrix.recipe.get("measured_error", {})
    return BuiltFile(name, file, vertices=len(matrix), landmarks=matrix._core.landmark_count or 0, nbytes=matrix.nbytes,
                     file_bytes=os.path.getsize(file), mean_error=measured.get("mean_relative_error"), skipped=skipped)


def warn_of_results(results: list[Any]) -> None:
    """One warning for all failures, and one for all other warnings."""
    failed = [one for one in results if one.error is not None]
    if failed:
        warn(f"{len(failed):,} of {len(results):,} shapes failed (see error); the first, '{failed[0].name}': "
             f"{failed[0].error}", ShapeWarning)
    warned = [one for one in results if one.warnings]
    if warned:
        warn(f"{len(warned):,} of {len(results):,} shapes have warnings (see warnings); the first, '{warned[0].name}': "
             f"{warned[0].warnings[0]}", ShapeWarning)
