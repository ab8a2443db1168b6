"""One function on many shapes, distributed by joblib."""

from __future__ import annotations

import contextlib
import errno
import os
import pickle
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

import numpy as np

from . import _core
from ._arguments import PathLike, is_path
from ._extras import needs
from ._progress import Progress, showing
from ._shapes import Shape, as_shape

Job = TypeVar("Job")
Result = TypeVar("Result")
Errors = Literal["return", "raise"]


def distributed(what: str, function: Callable[[Job], Result], jobs: Iterable[Job], count: int, n_jobs: int | None,
                progress: Progress) -> Generator[Result, None, None]:
    """The results of all jobs, in any order. What is not finished when the iterator is closed is stopped."""
    with needs(what, "joblib", "'geodome[many]'"):
        import joblib  # type: ignore[import-untyped,unused-ignore]
    tasks = (joblib.delayed(function)(job) for job in jobs)
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # a backend without results one by one, such as that of Ray
        parallel = joblib.Parallel(n_jobs=n_jobs)
    with showing(progress) as told:
        if told is not None and told("shapes", 0.0) is False:
            raise _core.Cancelled("cancelled")
        with _closing(parallel(tasks)) as results:
            for done, result in enumerate(results, 1):
                yield result
                if told is not None and told("shapes", done / count) is False:
                    raise _core.Cancelled("cancelled")


@contextlib.contextmanager
def _closing(results: Any) -> Iterator[Any]:
    """Closes a generator, which stops its tasks; a list has none left."""
    try:
        yield results
    finally:
        if hasattr(results, "close"):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*tasks", category=UserWarning)  # that some were stopped
                results.close()


@contextlib.contextmanager
def staging(folder: str) -> Iterator[str]:
    """A hidden folder for files that are being written. When it is gone, so is the caller: see `Watch`."""
    if not os.path.isdir(folder):
        os.stat(folder)  # raises where there is nothing
        raise NotADirectoryError(errno.ENOTDIR, "not a folder", folder)
    try:
        place = tempfile.mkdtemp(prefix=".geodome-", dir=folder)
    except OSError as error:
        raise type(error)(error.errno, f"cannot write into the folder: {error.strerror}", folder) from error
    try:
        yield place
    finally:
        # A worker that was not stopped yet may be writing into it.
        for _ in range(20):
            shutil.rmtree(place, ignore_errors=True)
            if not os.path.exists(place):
                break
            time.sleep(0.05)


def require_staging(place: str) -> None:
    """Raises FileNotFoundError where a worker does not see the folder."""
    if not os.path.isdir(place):
        raise FileNotFoundError(f"the folder '{os.path.dirname(place)}' is not visible to this worker: it must be on a file "
                                "system that all workers share")


class Watch:
    """Progress that cancels a build soon after its caller has gone. Also where the worker is of another machine or cannot
    be ended, such as a thread."""

    def __init__(self, place: str, clock: Callable[[], float] = time.monotonic):
        self._place, self._clock = place, clock
        self._asked, self._wanted = clock(), True

    def __call__(self, stage: str, fraction: float) -> bool:
        now = self._clock()
        if now - self._asked >= 1:  # seconds: folders of a network take time to look at
            self._asked, self._wanted = now, os.path.isdir(self._place)
        return self._wanted


def portable_error(error: Exception) -> Exception:
    """The error, or one that says the same, for another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def require_errors(errors: str) -> None:
    if errors not in ("return", "raise"):
        raise ValueError(f"errors must be 'return' or 'raise', got {errors!r}")


def raise_error(name: str, error: Exception) -> None:
    """The error of a shape, with its name in the message where the type has nothing but a message."""
    if type(error) is ValueError:
        raise ValueError(f"shape '{name}': {error}") from error
    raise error


# Names.

def stem(file: PathLike) -> str:
    """The name of a file without folder, .gz and ending."""
    name = os.path.basename(os.fspath(file))
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return os.path.splitext(name)[0]


def named_shapes(shapes: Any, *, own_kind: type | None = None) -> dict[str, Any]:
    """Shapes by name. Raises ValueError for names that cannot be names of files, or that are the same twice."""
    one = is_path(shapes) or isinstance(shapes, (Shape, np.ndarray)) or not isinstance(shapes, Iterable)
    if one or (own_kind is not None and isinstance(shapes, own_kind)) or _is_arrays(shapes):
        raise ValueError(f"expected several shapes, in a list or a dictionary, got one {type(shapes).__name__}")
    if isinstance(shapes, Mapping):
        pairs = list(shapes.items())
    else:
        pairs = [_pair(at, shape) for at, shape in enumerate(shapes)]
    named: dict[str, Any] = {}
    folded: dict[str, str] = {}  # some file systems do not tell cases apart
    for at, (name, shape) in enumerate(pairs):
        _require_name(name, at)
        before = folded.setdefault(name.casefold(), name)
        if before in named:
            raise ValueError(f"shapes '{before}' and '{name}' would have the same file: give them names by a dictionary "
                             "{name: shape}")
        named[name] = shape
    return named


def _is_arrays(shape: Any) -> bool:
    """Whether it is (V, F)."""
    return isinstance(shape, tuple) and len(shape) > 0 and all(isinstance(part, np.ndarray) for part in shape)


def _pair(at: int, shape: Any) -> tuple[str, Any]:
    if isinstance(shape, tuple) and len(shape) == 2 and isinstance(shape[0], str):
        return shape
    return (stem(shape) if is_path(shape) else f"shape_{at}"), shape


def _require_name(name: Any, at: int) -> None:
    if not isinstance(name, str):
        raise ValueError(f"the name of shape {at} must be a string, not {type(name).__name__}")
    if not name or name.startswith(".") or any(one in name for one in ("/", "\\", "\0")):
        raise ValueError(f"'{name}' cannot be the name of shape {at}: names are names of files, without folders, and do not "
                         "begin with a dot")


def portable_shape(shape: Any) -> Any:
    """What a worker can make the shape of: objects of other packages may not reach it. An error that occurs is the
    result, for the worker to report."""
    if is_path(shape):
        return os.path.abspath(shape)  # workers may be in another folder
    if isinstance(shape, Shape) or _is_arrays(shape):
        return shape
    try:
        return as_shape(shape)
    except Exception as error:
        return error
