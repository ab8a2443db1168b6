"""Optional packages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needs(what: str, package: str, install: str | None = None) -> Iterator[None]:
    """Says which packages to install where an import in the block fails; `install` is the requirement for it, if it is
    not the package alone."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f"{what} needs {package}, which is not installed: pip install {install or package}, or all "
                          "optional packages by pip install 'geodome[all]'", name=error.name) from error
