"""Comparison of shapes by their canonical forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import reals, seed_of
from ._build import build_one_of
from ._matrix import DistanceMatrix
from ._progress import Progress, working

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import MatchOptions

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Alignment:
    """The motion `points @ turn + shift` that aligns one canonical form with another, and the remaining distance: the
    root mean square distance from a sample to the nearest point of the other form."""

    turn: Reals
    shift: Reals
    distance: float

    def __repr__(self) -> str:
        return f"<geodome.Alignment: a motion in {len(self.shift)} dimensions, {self.distance:.3g} apart>"

    def apply(self, points: npt.ArrayLike) -> Reals:
        return reals(points, "points") @ self.turn + self.shift


def align(source: npt.ArrayLike, target: npt.ArrayLike, *, samples: int = 2000,
          reflections: bool = True) -> Alignment:
    """Rigid alignment of two sets of points, such as the canonical forms of two poses, starting from every assignment
    of the principal axes of one to those of the other. The numbers of points may differ; the numbers of coordinates
    must be equal, at most 4.

    >>> import geodome, numpy
    >>> A = geodome.build(geodome.make_shape("creature", vertices=400)).embed()
    >>> B = A[:, [1, 0, 2]] * [1, -1, 1] + 5
    >>> found = geodome.align(A, B)
    >>> bool(numpy.allclose(found.apply(A), B))
    True
    """
    source, target = _form(source), _form(target)
    to_axes, from_axes = _principal_axes(source), _principal_axes(target).T
    with working(0, False) as run:
        turn, shift, distance = _core.align(np.ascontiguousarray(source @ to_axes),
                                            np.ascontiguousarray(target @ from_axes.T), samples, reflections, run)
    return Alignment(to_axes @ turn @ from_axes, shift @ from_axes, distance)


def _principal_axes(points: Reals) -> Reals:
    """A rotation of the points to their principal axes."""
    sound = points[np.isfinite(points).all(axis=1)]
    if len(sound) == 0:
        return np.eye(points.shape[1])
    axes = np.linalg.svd(np.atleast_2d(np.cov(sound, rowvar=False, bias=True)))[0]
    axes[:, -1] *= np.sign(np.linalg.det(axes))
    return axes


def correspondence(source: npt.ArrayLike, target: npt.ArrayLike, alignment: Alignment | None = None
                   ) -> npt.NDArray[np.int32]:
    """For every point of one canonical form, the index of the nearest point of the other after alignment.

    >>> import geodome, numpy
    >>> A = geodome.build(geodome.make_shape("creature", vertices=400)).embed()
    >>> mirrored = A[::-1] * [-1, 1, 1]
    >>> bool((geodome.correspondence(A, mirrored) == numpy.arange(400)[::-1]).all())
    True
    """
    moved = (alignment or align(source, target)).apply(source)
    with working(0, False) as run:
        return _core.correspondence(np.ascontiguousarray(moved), _form(target), run)


@dataclass(frozen=True, repr=False)
class Match:
    """Result of `match`. `distances` (n × n) are the distances between aligned canonical forms, in units of their mean
    radius (`unit`); `nearest` is the nearest other shape of every shape; `embedding` is a map of the shapes in the
    plane; `forms` are the canonical forms."""

    distances: Reals
    unit: float
    nearest: npt.NDArray[np.int32]
    embedding: Reals
    forms: list[Reals]

    def __repr__(self) -> str:
        others = self.distances[~np.eye(len(self.forms), dtype=bool)]
        return (f"<geodome.{type(self).__name__}: {len(self.forms)} shapes, {np.nanmin(others):.3g} to {np.nanmax(others):.3g} "
                "radii apart>")


def match(shapes: Sequence[Any], *, n_components: int = 3, ignore_size: bool = False, samples: int = 2000,
          seed: int | None = 0, threads: int = 0, progress: Progress = None, **options: Unpack[MatchOptions]
          ) -> Match:
    """Compares shapes, or matrices built before, by their canonical forms: poses of the same creature are close to each
    other, different creatures are far apart. `options` are those of `build`. `match_many` distributes the shapes over
    processes or machines and keeps their canonical forms.

    >>> import geodome
    >>> poses = [geodome.make_shape("creature", vertices=400, pose=pose) for pose in (0, 3)]
    >>> other = geodome.make_shape("torus", vertices=400)
    >>> geodome.match([poses[0], other, poses[1]]).nearest[[0, 2]].tolist()
    [2, 0]
    """
    if len(shapes) < 2:
        raise ValueError(f"expected at least two shapes, got {len(shapes)}")
    forms = []
    seed = seed_of(seed)
    for at, shape in enumerate(shapes):
        matrix = shape if isinstance(shape, DistanceMatrix) else build_one_of(
            shapes, at, squared=True, seed=seed, threads=threads, progress=progress, **options)
        forms.append(matrix.embed(n_components, seed=seed, threads=threads, progress=progress))
    return compare_forms(forms, ignore_size, samples, threads, progress)


def compare_forms(forms: list[Reals], ignore_size: bool, samples: int, threads: int, progress: Progress) -> Match:
    with working(threads, progress) as run:
        distances, unit, nearest, plane = _core.compare_forms(forms, samples, ignore_size, run)
    return Match(distances, unit, nearest, plane, forms)


def _form(points: npt.ArrayLike) -> Reals:
    array = reals(points, "points")
    if array.ndim != 2:
        raise ValueError(f"points must be a matrix with one point per row, got an array of {array.ndim} dimensions")
    return array
