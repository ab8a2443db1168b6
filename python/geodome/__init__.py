"""All geodesic distances of a shape in a sparse, queryable matrix.

>>> import geodome
>>> V, F = geodome.make_shape("creature", vertices=1000)   # or your own arrays, or a file
>>> m = geodome.build(V, F)                                # all 1000 × 1000 distances
>>> d = m[3, [10, 20, 30]]                                 # any of them
>>> form = m.embed(3)                                      # the canonical form
>>> form.shape
(1000, 3)
"""

from typing import TYPE_CHECKING, Any

from . import _core
from ._build import AccuracyWarning, build, distances, method_names, plan
from ._compare import Alignment, Match, align, correspondence, match
from ._core import Cancelled, NumericalError
from ._embedding import Embedding
from ._maps import Eccentricity, Partition
from ._matrix import DistanceMatrix, load
from ._paths import Path, VertexSample, farthest_points, interpolate, path
from ._shapes import (
    Shape,
    ShapeWarning,
    as_shape,
    decimate,
    laplacian,
    make_shape,
    read_shape,
    save_picture,
    shape_names,
    subdivide,
)
from ._solver import Solver
from ._submatrix import Submatrix

if TYPE_CHECKING:
    from ._estimators import ClassicalMDS, Isomap
    from ._many import BuiltFile, build_many
    from ._match_many import FormFile, ManyMatch, match_many

__version__: str = _core.version
#: Licence of this build, "MIT", or "GPL-2.0-or-later" if it is linked to CHOLMOD.
licence: str = _core.licence
#: Sparse Cholesky factorisation of this build, "CHOLMOD" or "Eigen".
cholesky: str = _core.cholesky

__all__ = [
    "AccuracyWarning", "Alignment", "BuiltFile", "Cancelled", "ClassicalMDS", "DistanceMatrix", "Eccentricity", "Embedding",
    "FormFile", "Isomap", "ManyMatch", "Match", "NumericalError", "Partition", "Path", "Shape", "ShapeWarning", "Solver",
    "Submatrix", "VertexSample", "align", "as_shape", "build", "build_many", "cholesky", "correspondence", "decimate",
    "distances", "farthest_points", "interpolate", "laplacian", "licence", "load", "make_shape", "match", "match_many",
    "method_names", "path", "plan", "read_shape", "save_picture", "shape_names", "subdivide",
]


# Imported on first use: scikit-learn takes a second, and what distributes shapes as long as all the rest.
_LATER = {"ClassicalMDS": "_estimators", "Isomap": "_estimators", "BuiltFile": "_many", "build_many": "_many",
          "FormFile": "_match_many", "ManyMatch": "_match_many", "match_many": "_match_many"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'geodome' has no attribute '{name}'")
    from contextlib import nullcontext
    from importlib import import_module

    from ._extras import needs
    with needs(f"geodome.{name}", "scikit-learn") if _LATER[name] == "_estimators" else nullcontext():
        found = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
