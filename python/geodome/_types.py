"""Names of choices, and the options of a build, for type checkers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing import Protocol

    from typing_extensions import TypedDict

    from ._arguments import PathLike
    from ._progress import Progress

Reals = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int32]

Method = Literal["cell", "sbha", "bha", "exact", "nystrom", "nystrom-truncated", "fmds", "fmds-hard", "smds", "lmds",
                 "pivot", "hybrid", "ctg", "spectrometer"]
Geodesic = Literal["auto", "marching", "marching-1ring", "carried", "exact", "heat", "edges"]
Precision = Literal["float32", "uint16", "float64"]
Sparsity = Literal["rows", "columns", "columns-normalised", "pursuit"]
Interpolation = Literal["auto", "patches", "partial", "plain"]
LandmarkMethod = Literal["farthest", "random"]
GraphWeights = Literal["unit", "inverse-length", "gaussian"]
Scaling = Literal["sbmds", "bmds", "dense"]

if TYPE_CHECKING:
    #: An array, a list of lists of corners, or an object that NumPy converts.
    Faces = Union[npt.ArrayLike, list[list[int]], list[npt.NDArray[Any]]]

    class _Points(Protocol):
        @property
        def points(self) -> Any: ...

    class _Vertices(Protocol):
        @property
        def vertices(self) -> Any: ...

    class _Arrays(Protocol):
        @property
        def darrays(self) -> Any: ...

    class _Surface(Protocol):
        def GetPolys(self) -> Any: ...

    #: One shape, or its vertices: anything but a list, which is several shapes.
    ShapeLike = Union[PathLike, npt.NDArray[Any], tuple[Any, Any], _Points, _Vertices, _Arrays, _Surface, None]
    #: User-supplied distances: a matrix, a memory map or path of an NPY file, or a function of a vertex.
    Given = Union[npt.ArrayLike, PathLike, Callable[[int], npt.ArrayLike]]

    class PathOptions(TypedDict, total=False):
        """How paths run."""

        neighbours: int

    class ExpertOptions(TypedDict, total=False):
        """Options of single methods."""

        neighbours: int
        perplexity: float
        graph_weights: GraphWeights
        intrinsic_delaunay: bool
        sparsity: Sparsity
        solver: Interpolation
        landmark_method: LandmarkMethod
        save_every: int
        coarsen: int | str
        rounding: float
        positional: bool
        truncation: float
        softening: float
        square_root: bool
        eigenvectors: int
        smds_weight: float
        dimensions: int
        columns: int
        repair: float
        places: int

    class MatchOptions(ExpertOptions, total=False):
        """Options of the builds in `match`."""

        landmarks: int | npt.ArrayLike | None
        nonzeros: int | None
        method: Method | None
        geodesic: Geodesic | None
        precision: Precision | None
        evaluate: int | None
        certificate: bool
        check_memory: bool

    class ManyOptions(MatchOptions, total=False):
        """Options of the builds in `build_many`."""

        squared: bool
        error: float | None
        mean_error: float | None
        seed: int | None

    class EmbeddingOptions(TypedDict, total=False):
        """Options of `embedding`."""

        method: Scaling | None
        stress_rows: int
        seed: int | None
        memory: float
        threads: int
        progress: Progress

    class PlanOptions(ExpertOptions, total=False):
        """Options of a build that its cost depends on."""

        nonzeros: int
        method: Method
        geodesic: Geodesic
        precision: Precision
        squared: bool
        seed: int

    class Options(ManyOptions, total=False):
        """All options of a build, which do not affect the type of its result."""

        points: Any
        normals: Any
        graph: Any
        samples: Any
        distances: Given | None
        mask: Any
        threads: int
        progress: Progress
        resume: Any
