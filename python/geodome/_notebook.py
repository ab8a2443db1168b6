"""What notebooks show."""

from __future__ import annotations

import base64
import html
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core

if TYPE_CHECKING:
    from ._arguments import PathLike
    from ._matrix import DistanceMatrix
    from ._shapes import Shape

# From dark violet to light yellow, as on the pages of `geodome view`.
_ANCHORS = np.array([[60, 15, 90], [58, 56, 139], [33, 97, 150], [18, 134, 144], [49, 167, 120], [120, 194, 84],
                     [196, 212, 80], [250, 232, 130]], dtype=np.float64)
_MISSING = (200, 200, 200)


def colours_of(values: npt.ArrayLike, cmap: Any = None) -> npt.NDArray[np.uint8]:
    """Red, green and blue of values, from the least to the largest; grey where they are not finite."""
    array = np.asarray(values, dtype=np.float64)
    sound = np.isfinite(array)
    low, high = (array[sound].min(), array[sound].max()) if sound.any() else (0.0, 1.0)
    share = np.where(sound, (array - low) / (high - low) if high > low else 0.0, 0.0)
    if cmap is None:
        at = share * (len(_ANCHORS) - 1)
        found = np.column_stack([np.interp(at, np.arange(len(_ANCHORS)), channel) for channel in _ANCHORS.T])
    else:
        if isinstance(cmap, str):
            from ._extras import needs
            with needs(f"cmap={cmap!r}", "matplotlib"):
                from matplotlib import colormaps
            cmap = colormaps[cmap]
        found = 255 * np.asarray(cmap(share))[:, :3]
    found = np.where(sound[:, None], found, _MISSING)
    return np.ascontiguousarray(np.rint(found), dtype=np.uint8)


def html_of(lines: str, shape: Shape | None, values: npt.ArrayLike | None = None) -> str:
    """A thumbnail of a mesh, if there is one, and a text beside it."""
    text = f"<div>{html.escape(lines)}</div>"
    if shape is None or shape.kind not in ("triangle mesh", "polygon mesh"):
        return text
    picture = shape.picture(values=values, width=200, height=150)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "thumbnail.png")
        _core.save_png(picture, file)
        with open(file, "rb") as stream:
            data = base64.b64encode(stream.read()).decode()
    return ('<div style="display: flex; align-items: center; gap: 1em">'
            f'<img width="200" height="150" alt="" src="data:image/png;base64,{data}">{text}</div>')


class Page:
    """An interactive page, which a notebook shows. `html` is its source; `save` writes it to a file."""

    def __init__(self, source: str, height: int):
        self.html, self.height = source, height

    def save(self, file: PathLike) -> None:
        """Writes the page."""
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(self.html)

    def __repr__(self) -> str:
        return f"<geodome.Page: {len(self.html) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        return (f'<iframe width="100%" height="{self.height}" style="border: none" '
                f'srcdoc="{html.escape(self.html, quote=True)}"></iframe>')


def page_of(matrix: DistanceMatrix, height: int, program: PathLike | None) -> Page:
    """The page of `geodome view`, made by the program."""
    found = os.fspath(program) if program is not None else shutil.which("geodome")
    if found is None:
        raise FileNotFoundError("the program geodome, which makes the page, is not on the PATH: install it (make program), or "
                                "pass program= with its path")
    with tempfile.TemporaryDirectory() as folder:
        file, page = os.path.join(folder, "matrix.geodome"), os.path.join(folder, "page.html")
        matrix.save(file)
        done = subprocess.run([found, "view", file, "--output", page, "--quiet"], stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise ValueError(f"the page could not be made: {done.stderr.strip()}")
        with open(page, encoding="utf-8") as stream:
            return Page(stream.read(), height)
