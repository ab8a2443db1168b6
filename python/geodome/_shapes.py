"""Shapes from arrays, files, names, and objects of other packages, none of which is imported here."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, integers, is_path, path, reals

_GIFTI_POINTS, _GIFTI_TRIANGLES = 1008, 1009  # intent codes of NIfTI
_VTK_FACES = {5, 7, 9}  # types of cells: triangle, polygon, quad


class ShapeWarning(UserWarning):
    """Parts of a shape were dropped or set aside."""


class Shape:
    """A shape, returned by `read_shape` and `make_shape` and accepted by every function with a shape argument. A mesh
    unpacks into its arrays:

    >>> import geodome
    >>> V, F = geodome.make_shape("torus", vertices=300)
    >>> V.shape[1], F.shape[1]
    (3, 3)
    """

    def __init__(self, core: _core.Shape):
        self._core = core

    @property
    def kind(self) -> str:
        """"triangle mesh", "polygon mesh", "point cloud", "graph" or "samples"."""
        return self._core.kind

    @property
    def points(self) -> npt.NDArray[np.float64] | None:
        """Coordinates, one vertex per row; None for a graph. A read-only view."""
        return self._core.points

    @property
    def faces(self) -> Any:
        """Triangles as an array of three columns, polygons as a list of arrays, None for other shapes."""
        if self._core.polygons is None:
            return self._core.triangles
        corners, offsets = self._core.polygons
        return np.split(corners, offsets[1:-1])

    @property
    def edges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]] | None:
        """Ends (two columns) and lengths of the edges of a graph."""
        return None if self._core.edges is None else self._core.edges[:2]

    def __len__(self) -> int:
        return self._core.vertices

    def __iter__(self) -> Iterator[Any]:
        if self.faces is None:
            raise TypeError(f"a shape of kind '{self.kind}' has no faces to unpack")
        return iter((self.points, self.faces))

    def __repr__(self) -> str:
        parts = {"point cloud": "", "samples": "", "graph": f", {self._core.faces:,} edges"}
        return (f"<geodome.Shape: {self.kind}, {len(self):,} vertices"
                f"{parts.get(self.kind, f', {self._core.faces:,} faces')}>")

    def __reduce__(self) -> Any:
        return _from_arrays, (self.kind, len(self), self.points, self._core.triangles, self._core.polygons,
                              self._core.normals, self._core.edges)

    def write(self, file: PathLike, colours: npt.ArrayLike | None = None) -> None:
        """Writes .obj, .off or .ply (meshes, clouds), .edges or .mtx (graphs), .npy or .csv (samples).
        `colours`: red, green and blue in [0, 255] for every vertex."""
        self._core.write(path(file), _colours(colours))

    def picture(self, colours: npt.ArrayLike | None = None, *, width: int = 640, height: int = 480,
                azimuth: float = -60, elevation: float = 20) -> npt.NDArray[np.uint8]:
        """Renders a mesh to an array, height by width by 3; `save_picture` writes it to a file."""
        return self._core.picture(_colours(colours), width, height, azimuth, elevation)


def _from_arrays(kind: str, vertices: int, points: Any, triangles: Any, polygons: Any, normals: Any, edges: Any
                 ) -> Shape:
    """Restores a pickled shape."""
    if kind == "triangle mesh":
        return Shape(_core.triangle_mesh(points, triangles))
    if kind == "polygon mesh":
        return Shape(_core.polygon_mesh(points, *polygons))
    if kind == "point cloud":
        return Shape(_core.point_cloud(points, normals))
    if kind == "graph":
        return Shape(_core.graph(vertices, *edges))
    return Shape(_core.samples(points))


def _colours(colours: npt.ArrayLike | None) -> npt.NDArray[np.uint8] | None:
    return None if colours is None else np.ascontiguousarray(colours, dtype=np.uint8)


def save_picture(picture: npt.ArrayLike, file: PathLike) -> None:
    """Writes a picture (height by width by 3, in [0, 255]) as PNG.

    >>> import geodome
    >>> geodome.save_picture(geodome.make_shape("torus", vertices=300).picture(), "torus.png")
    """
    _core.save_png(np.ascontiguousarray(picture, dtype=np.uint8), path(file))


def read_shape(file: PathLike, format: str = "") -> Shape:
    """Reads OBJ, PLY, OFF, STL, GIFTI, FreeSurfer, VTK, XYZ, edge lists, Matrix Market, NPY, CSV, IDX or SRTM
    files, gzipped or not. The format is detected by content. Warns if anything is dropped. Raises OSError.

    >>> import geodome
    >>> geodome.make_shape("torus", vertices=300).write("torus.ply")
    >>> geodome.read_shape("torus.ply")
    <geodome.Shape: triangle mesh, 297 vertices, 594 faces>
    """
    return _warned(_core.read(path(file), format))


def make_shape(name: str, vertices: int = 10000, pose: int = 0, seed: int = 0) -> Shape:
    """A built-in shape, such as "sphere", "torus", "swiss-roll" or "creature" (which has poses), with about the given
    number of vertices. `shape_names` lists them.

    >>> import geodome
    >>> geodome.make_shape("creature", vertices=500, pose=2)
    <geodome.Shape: triangle mesh, 500 vertices, 996 faces>
    """
    return Shape(_core.builtin(name, vertices, pose, seed))


def shape_names() -> list[str]:
    """Names of the built-in shapes for `make_shape`.

    >>> import geodome
    >>> "creature" in geodome.shape_names()
    True
    """
    return _core.builtin_names()


def _warned(core: _core.Shape) -> Shape:
    for note in core.notes:
        warnings.warn(note, ShapeWarning, stacklevel=_depth())
    return Shape(core)


def _depth() -> int:
    """The stack level of the first caller outside this package, for warnings."""
    here, depth = os.path.dirname(__file__), 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame, depth = frame.f_back, depth + 1
    return depth


def as_shape(shape: Any = None, faces: Any = None, *, points: Any = None, normals: Any = None,
             graph: Any = None, samples: Any = None) -> Shape:
    """Converts the shape arguments of `build` to a `Shape`. Raises ValueError unless exactly one shape is given.

    >>> import geodome
    >>> geodome.as_shape([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1, 2], [0, 2, 3]])
    <geodome.Shape: triangle mesh, 4 vertices, 2 faces>
    >>> geodome.as_shape(points=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    <geodome.Shape: point cloud, 3 vertices>
    """
    given = {"a shape": shape, "points=": points, "graph=": graph, "samples=": samples}
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        raise ValueError(f"expected one shape, got {len(names)}: pass vertices and faces, a file, an object with vertices "
                         "and faces, points=, graph= or samples=")
    if normals is not None and points is None:
        raise ValueError("normals= requires points=")
    if points is not None:
        return _warned(_core.point_cloud(_coordinates(points), None if normals is None else reals(normals, "normals")))
    if graph is not None:
        return _graph(graph)
    if samples is not None:
        return _warned(_core.samples(_matrix(samples, "samples")))
    if faces is not None:
        return _mesh(shape, faces)
    return _from_object(shape)


def is_several(shape: Any) -> bool:
    """Whether the argument is a list of shapes, or a tuple of shapes instead of (vertices, faces)."""
    return isinstance(shape, list) or (isinstance(shape, tuple) and len(shape) > 0 and all(
        is_path(one) or isinstance(one, Shape) or any(hasattr(one, name) for name in ("vertices", "points", "darrays"))
        for one in shape))


def warn_of_gaps(shape: Shape, component: npt.NDArray[np.int32]) -> None:
    """Files for rendering duplicate vertices along seams, so faces there share no vertices; readers such as trimesh keep
    the duplicates."""
    points = shape.points
    if shape.faces is None or points is None:
        return
    order = np.lexsort(points.T)
    near, far = order[:-1], order[1:]
    apart = (points[near] == points[far]).all(axis=1) & (component[near] != component[far])
    count = int((apart & (component[near] >= 0) & (component[far] >= 0)).sum())
    if count:
        warnings.warn(f"the mesh has {component.max() + 1:,} components, and {count:,} vertices have the same position as "
                      "a vertex of another component. Faces are connected only by shared vertices: merge such vertices "
                      "first if the surfaces should be connected (trimesh: mesh.merge_vertices(merge_tex=True, "
                      "merge_norm=True); pyvista: mesh.clean())",
                      ShapeWarning, stacklevel=_depth())


def _from_object(shape: Any) -> Shape:
    if isinstance(shape, Shape):
        return shape
    if is_path(shape):
        return read_shape(shape)
    if isinstance(shape, tuple):
        if len(shape) < 2:
            raise ValueError(f"a tuple must be (vertices, faces), got {len(shape)} entries")
        return _mesh(shape[0], shape[1])
    if hasattr(shape, "darrays"):
        return _gifti(shape)
    if hasattr(shape, "celltypes"):
        return _unstructured_grid(shape)
    if hasattr(shape, "cells") and hasattr(shape, "points") and not hasattr(shape, "faces"):
        return _meshio(shape)
    for vertices, faces in (("vertices", "faces"), ("vertices", "triangles"), ("points", "faces")):
        if hasattr(shape, vertices) and hasattr(shape, faces):
            return _mesh(getattr(shape, vertices), getattr(shape, faces))
    for vertices in ("vertices", "points"):
        if hasattr(shape, vertices):
            return as_shape(points=getattr(shape, vertices))
    if isinstance(shape, np.ndarray):
        raise ValueError("an array without faces is ambiguous: pass faces, or use points=, samples= or graph=")
    raise ValueError(f"cannot convert {type(shape).__name__} to a shape: it has neither vertices nor points")


def _matrix(value: Any, name: str) -> npt.NDArray[np.float64]:
    array = reals(value, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix with one vertex per row, got an array of {array.ndim} dimensions")
    return array


def _coordinates(value: Any) -> npt.NDArray[np.float64]:
    """Points in space; a third coordinate of zero is added to points in the plane."""
    array = _matrix(value, "points")
    if array.shape[1] == 2:
        array = np.column_stack([array, np.zeros(len(array))])
    return array


def _mesh(vertices: Any, faces: Any) -> Shape:
    coordinates = _coordinates(vertices)
    if getattr(faces, "dtype", None) == object:
        faces = faces.tolist()
    if not hasattr(faces, "dtype") and isinstance(faces, Sequence) and len({len(face) for face in faces}) > 1:
        return _polygons(coordinates, faces)
    array = integers(faces, "faces")
    if array.ndim == 1:
        return _padded_polygons(coordinates, array)
    if array.ndim != 2:
        raise ValueError(f"faces must be a matrix with one face per row, got an array of {array.ndim} dimensions")
    if array.shape[0] == 0:
        raise ValueError("faces is empty: pass the vertices as points= instead")
    if array.shape[1] < 3:
        raise ValueError(f"faces must have at least 3 corners, got {array.shape[1]}")
    if array.shape[1] == 3:
        return _warned(_core.triangle_mesh(coordinates, array))
    offsets = np.arange(0, array.size + 1, array.shape[1], dtype=np.int64)
    return _warned(_core.polygon_mesh(coordinates, array.ravel(), offsets))


def _polygons(coordinates: npt.NDArray[np.float64], faces: Sequence[Any]) -> Shape:
    offsets = np.concatenate([[0], np.cumsum([len(face) for face in faces])]).astype(np.int64)
    corners = integers(np.concatenate([np.asarray(face) for face in faces]), "faces")
    return _warned(_core.polygon_mesh(coordinates, corners, offsets))


def _padded_polygons(coordinates: npt.NDArray[np.float64], faces: npt.NDArray[np.int32]) -> Shape:
    """Faces in the format of VTK and pyvista: each begins with its number of corners."""
    if faces.size == 0:
        return _warned(_core.point_cloud(coordinates))
    if faces[0] >= 1 and faces.size % (faces[0] + 1) == 0 and np.all(faces[:: faces[0] + 1] == faces[0]):
        return _mesh(coordinates, faces.reshape(-1, faces[0] + 1)[:, 1:])
    polygons, at = [], 0
    while at < faces.size:
        if faces[at] < 1 or at + faces[at] >= faces.size:
            raise ValueError("one-dimensional faces must be corner counts, each followed by its corners; "
                             f"entry {at} is {faces[at]}")
        polygons.append(faces[at + 1 : at + 1 + faces[at]])
        at += faces[at] + 1
    return _polygons(coordinates, polygons)


def _gifti(image: Any) -> Shape:
    by_intent = {int(array.intent): array.data for array in image.darrays}
    if _GIFTI_POINTS not in by_intent or _GIFTI_TRIANGLES not in by_intent:
        raise ValueError("this GIFTI image contains no surface: an array of points and one of triangles are required")
    return _mesh(by_intent[_GIFTI_POINTS], by_intent[_GIFTI_TRIANGLES])


def _unstructured_grid(grid: Any) -> Shape:
    """A pyvista grid whose cells are faces."""
    if not set(np.unique(grid.celltypes)) <= _VTK_FACES:
        raise ValueError("this grid has cells that are not faces: pass grid.extract_surface()")
    return _mesh(grid.points, np.asarray(grid.cells))


def _meshio(mesh: Any) -> Shape:
    faces = [np.asarray(block.data) for block in mesh.cells if block.type in ("triangle", "quad", "polygon")]
    if not faces:
        return as_shape(points=mesh.points)
    if len(faces) == 1:
        return _mesh(mesh.points, faces[0])
    return _polygons(_coordinates(mesh.points), [face for block in faces for face in block])


def _graph(graph: Any) -> Shape:
    if not hasattr(graph, "tocoo"):
        raise ValueError(f"graph= must be a SciPy sparse matrix of edge lengths, not {type(graph).__name__}")
    entries = graph.tocoo()
    if entries.shape[0] != entries.shape[1]:
        raise ValueError(f"graph= must be a square matrix, got {entries.shape[0]} by {entries.shape[1]}")
    a, b = integers(entries.row, "vertices"), integers(entries.col, "vertices")
    return edges_to_shape(entries.shape[0], np.column_stack([a, b]), reals(entries.data, "lengths"))


def edges_to_shape(vertices: int, ends: npt.NDArray[np.int32], lengths: npt.NDArray[np.float64]) -> Shape:
    """A graph. Of several edges between two vertices, in either direction, the shortest is kept; loops are dropped."""
    ends = np.sort(ends, axis=1)
    order = np.lexsort((lengths, ends[:, 1], ends[:, 0]))
    ends, lengths = ends[order], lengths[order]
    keep = ends[:, 0] != ends[:, 1]
    keep[1:] &= np.any(ends[1:] != ends[:-1], axis=1)
    return _warned(_core.graph(vertices, np.ascontiguousarray(ends[keep], dtype=np.int32),
                               np.ascontiguousarray(lengths[keep], dtype=np.float64)))


def weights_by_length(shape: Shape) -> str:
    """The weights of a neighbourhood graph: by length, unless coincident samples give edges of length zero."""
    edges = shape.edges
    return "gaussian" if edges is not None and (edges[1] > 0).all() else "unit"


def as_mask(mask: Any, vertices: int) -> npt.NDArray[np.uint8]:
    """One byte per vertex, 0 or 1, from an array of zero and nonzero values or from a file."""
    if is_path(mask):
        return _core.read_mask(path(mask), vertices)
    array = np.asarray(mask)
    if array.shape != (vertices,):
        raise ValueError(f"the mask must have one value for each of the {vertices} vertices, got shape {array.shape}")
    return np.ascontiguousarray(array != 0, dtype=np.uint8)
