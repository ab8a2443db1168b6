"""Progress of long calls: a progress bar in a terminal or notebook (by tqdm if it is installed), or a callback."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Union

from . import _core
from ._arguments import integer

#: None: a progress bar if stderr is a terminal, or in a notebook; True or False; or a function of a stage and a
#: fraction in [0, 1], which cancels the call by returning False.
Progress = Union[None, bool, Callable[[str, float], Any]]

_PATIENCE = 2.0  # seconds before a bar appears: short calls show none
_INTERVAL = 0.2  # seconds between updates
_WIDTH = 30


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return type(shell).__name__ == "ZMQInteractiveShell"


class Bar:
    """Shows the progress of a stage and the remaining time. `put` replaces the previous line by a new one."""

    def __init__(self, put: Callable[[str], None], clock: Callable[[], float] = time.monotonic):
        self._put, self._clock = put, clock
        self._start = self._drawn = clock()
        self._stage, self._begin, self.visible = "", self._start, False

    def __call__(self, stage: str, fraction: float) -> None:
        now = self._clock()
        if stage != self._stage:
            self._stage, self._begin = stage, now
        if now - self._start < _PATIENCE or (self.visible and now - self._drawn < _INTERVAL):
            return
        self.visible, self._drawn = True, now
        filled = int(fraction * _WIDTH)
        left = (now - self._begin) * (1 - fraction) / fraction if fraction > 0 else 0
        rest = f", {_duration(left)} left" if fraction > 0.01 else ""
        self._put(f"{stage} [{'#' * filled}{'.' * (_WIDTH - filled)}] {100 * fraction:3.0f} %{rest}")

    def close(self) -> None:
        if self.visible:
            self._put("")


class TqdmBar:
    """The same by tqdm, one bar for every stage; `tqdm` is its class."""

    def __init__(self, tqdm: Callable[..., Any], clock: Callable[[], float] = time.monotonic):
        self._tqdm, self._clock = tqdm, clock
        self._start = clock()
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, fraction: float) -> None:
        if self._bar is None or stage != self._stage:
            self.close()
            patience = max(0.0, _PATIENCE - (self._clock() - self._start))
            self._stage = stage
            self._bar = self._tqdm(total=1.0, desc=stage, delay=patience, mininterval=_INTERVAL, miniters=0,
                                   leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}")
        self._bar.update(fraction - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _terminal_line(line: str) -> None:
    sys.stderr.write(f"\r{line}\x1b[K")
    sys.stderr.flush()


class _Line:
    """A line of text in a notebook, which leaves nothing behind when it is empty."""

    def __init__(self, line: str):
        self._line = line

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self._line} if self._line else {"text/html": ""}


def _notebook_line() -> Callable[[str], None]:
    from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

    handle: Any = None

    def put(line: str) -> None:
        nonlocal handle
        if handle is None:
            handle = display(_Line(line), display_id=True)  # type: ignore[no-untyped-call,unused-ignore]
        else:
            handle.update(_Line(line))

    return put


class NotebookBar:
    """tqdm's bar of a notebook, one for all stages, whose output is empty when it is closed. `tqdm` is its class, `display`
    IPython's function."""

    def __init__(self, tqdm: Callable[..., Any], display: Callable[..., Any], clock: Callable[[], float] = time.monotonic):
        self._tqdm, self._display, self._clock = tqdm, display, clock
        self._start = clock()
        self._stage = ""
        self._bar: Any = None
        self._handle: Any = None

    def __call__(self, stage: str, fraction: float) -> None:
        if self._clock() - self._start < _PATIENCE:
            return
        if self._bar is None:
            self._bar = self._tqdm(total=1.0, desc=stage, mininterval=_INTERVAL, miniters=0, leave=False, display=False,
                                   bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}")
            self._handle = self._display(self._bar.container, display_id=True)
        elif stage != self._stage:
            self._bar.set_description(stage, refresh=False)
            self._bar.reset()
        self._stage = stage
        self._bar.update(fraction - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._handle.update(_Line(""))
            self._bar = None


def _make_bar(notebook: bool) -> Bar | TqdmBar | NotebookBar:
    try:
        if notebook:
            import ipywidgets  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401
            from IPython.display import display  # type: ignore[import-not-found,unused-ignore]
            from tqdm.notebook import tqdm as notebook_tqdm  # type: ignore[import-untyped,unused-ignore]
            return NotebookBar(notebook_tqdm, display)
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return Bar(_notebook_line() if notebook else _terminal_line)
    return TqdmBar(tqdm)


@contextlib.contextmanager
def showing(progress: Progress) -> Iterator[Callable[[str, float], Any] | None]:
    """What to tell progress to, if anyone; a progress bar is removed when the block ends."""
    if callable(progress):
        yield progress
        return
    notebook = _in_notebook()
    if progress is None:
        progress = notebook or (sys.stderr is not None and sys.stderr.isatty())
    if not progress:
        yield None
        return
    bar = _make_bar(notebook)
    try:
        yield bar
    finally:
        bar.close()


@contextlib.contextmanager
def working(threads: int, progress: Progress) -> Iterator[_core.Run]:
    """Threads and progress of a call of the library."""
    threads = as_threads(threads)
    with showing(progress) as told:
        yield _core.Run(threads, told)


def as_threads(threads: int) -> int:
    threads = integer(threads, "threads")
    if threads < 0:
        raise ValueError(f"threads must be positive, or 0 for all cores, got {threads}")
    return threads
