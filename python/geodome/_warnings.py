"""Warnings: issued at the caller outside this package, or collected for a caller in another process."""

from __future__ import annotations

import contextlib
import contextvars
import os
import sys
import warnings
from collections.abc import Iterator

_collected: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("geodome_warnings", default=None)


def warn(message: str, category: type[Warning]) -> None:
    collected = _collected.get()
    if collected is None:
        warnings.warn(message, category, stacklevel=_depth())
    else:
        collected.append(message)


@contextlib.contextmanager
def collecting() -> Iterator[list[str]]:
    """The warnings of the block, in this thread only: `warnings.catch_warnings` replaces the filters of all threads."""
    messages: list[str] = []
    token = _collected.set(messages)
    try:
        yield messages
    finally:
        _collected.reset(token)


def _depth() -> int:
    """The stack level of the first caller outside this package, for warnings."""
    here, depth = os.path.dirname(__file__), 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame, depth = frame.f_back, depth + 1
    return depth
