"""Canonical forms of many shapes, kept in a folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, integer, is_path, seed_of
from ._build import build, build_options
from ._compare import Match, compare_forms
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
from ._many import warn_of_results
from ._matrix import DistanceMatrix, load
from ._progress import Progress, as_threads
from ._shapes import Shape, as_shape
from ._warnings import collecting

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import MatchOptions, Reals


@dataclass(frozen=True)
class FormFile:
    """One shape of `match_many`: its name, the file of its canonical form (NPY), the seconds that this call took for it,
    whether the form was `reused`, the error, an exception, if there is no form, and what was warned of."""

    name: str
    file: str = ""
    seconds: float = 0.0
    reused: bool = False
    error: Exception | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class ManyMatch(Match):
    """Result of `match_many`: a `Match` in the order of `names`, and a `FormFile` for every shape in `files`. Of shapes
    without a form distances are NaN, the nearest shape is -1, and the form is empty."""

    names: list[str]
    files: list[FormFile]


def match_many(shapes: Mapping[str, Any] | Iterable[Any], folder: PathLike, n_jobs: int | None = None, *,
               n_components: int = 3, ignore_size: bool = False, samples: int = 2000, seed: int | None = 0,
               errors: Errors = "raise", threads: int = 1, progress: Progress = None, **options: Unpack[MatchOptions]
               ) -> ManyMatch:
    """Compares many shapes as `match` does, with their canonical forms distributed by joblib and kept in `folder`: a form
    is made again only if the shape, an option of its build or the version of geodome is another. Shapes are given as to
    `build_many`, whose files may be among them, or matrices. `n_jobs`, `threads`, `progress` and `errors` are those of
    `build_many`; with errors="return" shapes that failed are left out. Forms are aligned in this process, with all cores.

    >>> import geodome, os
    >>> os.makedirs("forms")
    >>> shapes = {f"pose{k}": geodome.make_shape("creature", vertices=400, pose=k) for k in (0, 3)}
    >>> shapes["ring"] = geodome.make_shape("torus", vertices=400)
    >>> found = geodome.match_many(shapes, "forms", n_jobs=2)
    >>> found.names[found.nearest[0]], found.names[found.nearest[1]]
    ('pose3', 'pose0')
    >>> [one.reused for one in geodome.match_many(shapes, "forms").files]
    [True, True, True]
    """
    require_errors(errors)
    n_components = integer(n_components, "n_components")
    named = named_shapes(shapes, own_kind=DistanceMatrix)
    if len(named) < 2:
        raise ValueError(f"expected at least two shapes, got {len(named)}")
    seed = seed_of(seed)
    _check_options(options)
    place = os.path.abspath(folder)
    results: dict[str, FormFile] = {}
    with staging(place) as temporary:
        settings = _Settings(place, temporary, {**options, "squared": True, "seed": seed}, n_components, as_threads(threads))
        jobs = (_FormJob(name, _portable(shape), settings) for name, shape in named.items())
        work = distributed("geodome.match_many", form_one, jobs, len(named), n_jobs, progress)
        with contextlib.closing(work):
            for one in work:
                if one.error is not None and errors == "raise":
                    raise_error(one.name, one.error)
                results[one.name] = one
    files = [results[name] for name in named]
    warn_of_results(files)
    return _matched(list(named), files, ignore_size, samples, progress)


def _check_options(options: Any) -> None:
    """Before the first shape: what would be an error for every one."""
    _core.require_options(build_options(**{name: value for name, value in options.items() if name != "check_memory"}))


@dataclass(frozen=True)
class _Settings:
    """What is the same for all shapes of a call."""

    folder: str
    staging: str
    options: dict[str, Any]
    n_components: int
    threads: int


@dataclass(frozen=True)
class _FormJob:
    name: str
    shape: Any
    settings: _Settings


def _portable(shape: Any) -> Any:
    return shape if isinstance(shape, DistanceMatrix) else portable_shape(shape)


def form_one(job: _FormJob) -> FormFile:
    """The work of one worker on one shape."""
    begin = time.perf_counter()
    with collecting() as messages:
        try:
            found = _make_or_reuse(job)
        except Exception as error:
            found = FormFile(job.name, error=portable_error(error))
    return replace(found, seconds=time.perf_counter() - begin, warnings=tuple(messages))


def _make_or_reuse(job: _FormJob) -> FormFile:
    settings = job.settings
    if isinstance(job.shape, Exception):
        raise job.shape
    require_staging(settings.staging)
    shape, source = _opened(job.shape, settings.options)
    key = hashlib.sha256(f"{source} {settings.n_components} {settings.options['seed']} {_core.version}".encode()).hexdigest()
    file = os.path.join(settings.folder, f"{job.name}-{key[:16]}.npy")
    if _stored(file, len(shape), settings.n_components) is not None:
        return FormFile(job.name, file, reused=True)
    watch = Watch(settings.staging)
    matrix = shape if isinstance(shape, DistanceMatrix) else build(shape, threads=settings.threads, progress=watch,
                                                                   **settings.options)
    form = matrix.embed(settings.n_components, seed=settings.options["seed"], threads=settings.threads, progress=watch)
    temporary = os.path.join(settings.staging, job.name + ".npy")
    np.save(temporary, form)
    os.replace(temporary, file)
    return FormFile(job.name, file)


def _opened(given: Any, options: dict[str, Any]) -> tuple[Shape | DistanceMatrix, str]:
    """The shape or the matrix, and a text that is another for any other."""
    if isinstance(given, DistanceMatrix):
        return given, hashlib.sha256(given.__reduce__()[1][0]).hexdigest()
    if is_path(given) and os.fspath(given).endswith(".geodome"):
        digest = hashlib.sha256()
        with open(given, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
        return load(given), digest.hexdigest()
    shape = as_shape(given)
    library = build_options(**{name: value for name, value in options.items() if name != "check_memory"})
    own = {name: value for name, value in library.items() if name != "given_landmarks"}  # which are in the recipe
    return shape, _core.requested_recipe(shape._core, library) + json.dumps(own, sort_keys=True, default=str)


def _stored(file: str, vertices: int, n_components: int) -> Reals | None:
    """The form, if it is there, whole, and of this size."""
    try:
        form: npt.NDArray[Any] = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return form if form.shape == (vertices, n_components) and form.dtype == np.float64 else None


def _matched(names: list[str], files: list[FormFile], ignore_size: bool, samples: int, progress: Progress) -> ManyMatch:
    """The comparison of the forms that are there; of the others it has nothing."""
    forms = [np.load(one.file) if one.error is None else None for one in files]
    there = [at for at, form in enumerate(forms) if form is not None]
    if len(there) < 2:
        raise ValueError(f"expected at least two shapes, got {len(there)} without an error")
    found = compare_forms([form for form in forms if form is not None], ignore_size, samples, 0, progress)
    distances = np.full((len(names), len(names)), np.nan)
    distances[np.ix_(there, there)] = found.distances
    nearest = np.full(len(names), -1, dtype=np.int32)
    nearest[there] = np.asarray(there, dtype=np.int32)[found.nearest]
    embedding = np.full((len(names), found.embedding.shape[1]), np.nan)
    embedding[there] = found.embedding
    empty = np.zeros((0, found.forms[0].shape[1]))
    return ManyMatch(distances, found.unit, nearest, embedding, [empty if form is None else form for form in forms], names,
                     files)
