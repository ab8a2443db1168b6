"""Shapes from arrays, files, names, and objects of other packages, none of which is imported here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import PathLike, input_path, integers, is_path, output_path, reals, seed_of
from ._warnings import warn

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
    def points(self) -> npt.NDArray[np.float64]:
        """Coordinates, one vertex per row. A read-only view. A graph has none."""
        if self._core.points is None:
            raise AttributeError(f"a {self.kind} has no points")
        return self._core.points

    @property
    def vertices(self) -> npt.NDArray[np.float64]:
        """The same as `points`."""
        return self.points

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

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        if self.faces is None:
            raise TypeError(f"a shape of kind '{self.kind}' has no faces to unpack")
        return iter((self.points, self.faces))

    def __repr__(self) -> str:
        parts = {"point cloud": "", "samples": "", "graph": f", {self._core.faces:,} edges"}
        return (f"<geodome.Shape: {self.kind}, {len(self):,} vertices"
                f"{parts.get(self.kind, f', {self._core.faces:,} faces')}>")

    def __reduce__(self) -> Any:
        return _from_arrays, (self.kind, len(self), self._core.points, self._core.triangles, self._core.polygons,
                              self._core.normals, self._core.edges)

    def write(self, file: PathLike, colours: npt.ArrayLike | None = None) -> None:
        """Writes .obj, .off or .ply (meshes, clouds), .edges or .mtx (graphs), .npy or .csv (samples).
        `colours`: red, green and blue in [0, 255] for every vertex."""
        self._core.write(output_path(file), _colours(colours))

    def _repr_html_(self) -> str:
        from ._notebook import html_of
        return html_of(repr(self), self)

    def picture(self, colours: npt.ArrayLike | None = None, *, values: npt.ArrayLike | None = None, cmap: Any = None,
                width: int = 640, height: int = 480, azimuth: float = -60, elevation: float = 20) -> npt.NDArray[np.uint8]:
        """Renders a mesh to an array, height by width by 3; `save_picture` writes it to a file. `colours`: red, green and
        blue in [0, 255] for every vertex; or `values`, one for every vertex, in the colours of `cmap`, a name of matplotlib's
        or a function of values in [0, 1]. Values that are not finite are grey.

        >>> import geodome
        >>> animal = geodome.make_shape("creature", vertices=600)
        >>> animal.picture(values=geodome.distances(animal, sources=0)).shape
        (480, 640, 3)
        """
        if values is not None:
            if colours is not None:
                raise ValueError("expected colours or values=, got both")
            if np.shape(values) != (len(self),):
                raise ValueError(f"values= must have one value for each of the {len(self)} vertices, got shape {np.shape(values)}")
            from ._notebook import colours_of
            colours = colours_of(values, cmap)
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
    _core.save_png(np.ascontiguousarray(picture, dtype=np.uint8), output_path(file))


def read_shape(file: PathLike, format: str = "") -> Shape:
    """Reads OBJ, PLY, OFF, STL, GIFTI, FreeSurfer, VTK, XYZ, edge lists, Matrix Market, NPY, CSV, IDX or SRTM
    files, gzipped or not. The format is detected by content. Warns if anything is dropped. Raises OSError.

    >>> import geodome
    >>> geodome.make_shape("torus", vertices=300).write("torus.ply")
    >>> geodome.read_shape("torus.ply")
    <geodome.Shape: triangle mesh, 297 vertices, 594 faces>
    """
    return _warned(_core.read(input_path(file), format))


def make_shape(name: str, vertices: int = 10000, pose: int = 0, seed: int | None = 0) -> Shape:
    """A built-in shape, such as "sphere", "torus", "swiss-roll" or "creature" (which has poses), with about the given
    number of vertices. `shape_names` lists them.

    >>> import geodome
    >>> geodome.make_shape("creature", vertices=500, pose=2)
    <geodome.Shape: triangle mesh, 500 vertices, 996 faces>
    """
    return Shape(_core.builtin(name, vertices, pose, seed_of(seed)))


def shape_names() -> list[str]:
    """Names of the built-in shapes for `make_shape`.

    >>> import geodome
    >>> "creature" in geodome.shape_names()
    True
    """
    return _core.builtin_names()


def _warned(core: _core.Shape) -> Shape:
    for note in core.notes:
        warn(note, ShapeWarning)
    return Shape(core)


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
    if shape.faces is None:
        return
    points = shape.points
    order = np.lexsort(points.T)
    near, far = order[:-1], order[1:]
    apart = (points[near] == points[far]).all(axis=1) & (component[near] != component[far])
    count = int((apart & (component[near] >= 0) & (component[far] >= 0)).sum())
    if count:
        warn(f"the mesh has {component.max() + 1:,} components, and {count:,} vertices have the same position as a vertex "
             "of another component. Faces are connected only by shared vertices: merge such vertices first if the surfaces "
             "should be connected (trimesh: mesh.merge_vertices(merge_tex=True, merge_norm=True); pyvista: mesh.clean())",
             ShapeWarning)


def _from_object(shape: Any) -> Shape:
    if isinstance(shape, Shape):
        return shape
    if is_path(shape):
        return read_shape(shape)
    if isinstance(shape, tuple):
        if len(shape) < 2:
            raise ValueError(f"a tuple must be (vertices, faces), got {len(shape)} entries")
        return _mesh(shape[0], shape[1])
    if _has(shape, "darrays"):
        return _gifti(shape)
    if type(shape).__module__.startswith("networkx"):
        return _graph(shape)
    if _has(shape, "GetPolys"):
        return _vtk_surface(shape)
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
    if array.shape[1] != 3:
        hint = ": pass its transpose" if array.shape[0] in (2, 3) else ""
        raise ValueError(f"points must have 2 or 3 coordinates, got an array of shape {array.shape}{hint}")
    return array


def _mesh(vertices: Any, faces: Any) -> Shape:
    coordinates = _coordinates(vertices)
    if getattr(faces, "dtype", None) == object:
        faces = faces.tolist()
    if not hasattr(faces, "dtype") and isinstance(faces, Sequence) and len({len(face) for face in faces}) > 1:
        return _polygons(coordinates, faces)
    if isinstance(faces, np.ma.MaskedArray) and faces.ndim == 2:
        faces = faces.filled(-1)  # as in UGRID files: masked beyond the last corner
    transposed = isinstance(faces, np.ndarray) and faces.ndim == 2 and faces.shape[0] == 3 < faces.shape[1]
    array = integers(faces, "faces")
    if array.ndim == 1:
        return _padded_polygons(coordinates, array)
    if array.ndim != 2:
        raise ValueError(f"faces must be a matrix with one face per row, got an array of {array.ndim} dimensions")
    if array.shape[0] == 0:
        raise ValueError("faces is empty: pass the vertices as points= instead")
    if array.shape[1] < 3:
        raise ValueError(f"faces must have at least 3 corners, got {array.shape[1]}")
    repeated = array.shape[1] > 3 and _first_repeated(array)
    if transposed and (repeated or array.shape[1] > _MANY_CORNERS):
        raise ValueError(f"faces has 3 rows and {array.shape[1]:,} columns; expected one face per row: pass faces.T, or a list "
                         "of lists if these are 3 polygons")
    if array.shape[1] > 3 and array.min() == -1:
        return _polygons(coordinates, [_without_padding(face, row) for row, face in enumerate(array)])
    if repeated:
        raise ValueError(f"face {repeated[0]} repeats corner {repeated[1]}: pad faces of fewer corners with -1, or pass a list "
                         "of lists")
    if array.shape[1] == 3:
        return _warned(_core.triangle_mesh(coordinates, array))
    offsets = np.arange(0, array.size + 1, array.shape[1], dtype=np.int64)
    return _warned(_core.polygon_mesh(coordinates, array.ravel(), offsets))


_MANY_CORNERS = 16  # of a polygon in an array of three: more often a transposed array of triangles


def _first_repeated(faces: npt.NDArray[np.int32]) -> tuple[int, int] | None:
    """The first face with a corner that it has twice, and the corner; padding does not count."""
    order = np.sort(faces, axis=1)
    rows, columns = np.nonzero((order[:, 1:] == order[:, :-1]) & (order[:, 1:] != -1))
    return (int(rows[0]), int(order[rows[0], columns[0]])) if len(rows) else None


def _without_padding(face: npt.NDArray[np.int32], row: int) -> npt.NDArray[np.int32]:
    count = len(face) if face[-1] != -1 else int(np.argmax(face == -1))
    if count < 3 or (face[:count] == -1).any() or (face[count:] != -1).any():
        raise ValueError(f"face {row} is {face.tolist()}: -1 may only follow the corners, of which there must be at least 3")
    return face[:count]


def _polygons(coordinates: npt.NDArray[np.float64], faces: Sequence[Any]) -> Shape:
    lengths = [len(face) for face in faces]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    corners = integers(np.concatenate([np.asarray(face) for face in faces]), "faces")
    row = np.repeat(np.arange(len(faces)), lengths)
    order = np.lexsort((corners, row))
    twice = (row[order][1:] == row[order][:-1]) & (corners[order][1:] == corners[order][:-1])
    if twice.any():
        at = order[np.flatnonzero(twice)[0]]
        raise ValueError(f"face {row[at]} repeats corner {corners[at]}")
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


def _has(value: Any, name: str) -> bool:
    """As `hasattr`, for classes whose look-up raises other errors."""
    try:
        return getattr(value, name, None) is not None
    except Exception:
        return False


def _vtk_surface(surface: Any) -> Shape:
    """vtkPolyData, and what wraps it: brainspace's BSPolyData, pyvista's PolyData."""
    if _has(surface, "faces") and _has(surface, "points"):
        return _mesh(surface.points, surface.faces)  # pyvista
    if _has(surface, "Points") and _has(surface, "GetCells2D"):
        return _mesh(surface.Points, surface.GetCells2D())  # brainspace
    from vtk.util.numpy_support import vtk_to_numpy
    polygons = surface.GetPolys()
    offsets, corners = (vtk_to_numpy(part) for part in (polygons.GetOffsetsArray(), polygons.GetConnectivityArray()))
    return _mesh(vtk_to_numpy(surface.GetPoints().GetData()), np.split(corners, offsets[1:-1]))


_FLAT_CELLS = {"vertex", "line", "triangle", "quad", "polygon"}


def _meshio(mesh: Any) -> Shape:
    solid = sorted({block.type for block in mesh.cells} - _FLAT_CELLS)
    if solid:
        raise ValueError(f"the mesh has cells of type {', '.join(solid)}: distances are measured on surfaces. Extract the "
                         "boundary first, for instance by pyvista.wrap(mesh).extract_surface()")
    faces = [np.asarray(block.data) for block in mesh.cells if block.type in ("triangle", "quad", "polygon")]
    if not faces:
        return as_shape(points=mesh.points)
    if len(faces) == 1:
        return _mesh(mesh.points, faces[0])
    return _polygons(_coordinates(mesh.points), [face for block in faces for face in block])


def _graph(graph: Any) -> Shape:
    """A sparse or dense matrix of edge lengths, a networkx graph, or a pair of edges and lengths."""
    if type(graph).__module__.startswith("networkx"):
        return _networkx(graph)
    if isinstance(graph, tuple):
        return _edge_list(*graph)
    if not hasattr(graph, "tocoo"):
        return _adjacency(graph)
    entries = graph.tocoo()
    if entries.shape[0] != entries.shape[1]:
        raise ValueError(f"graph= must be a square matrix, got {entries.shape[0]} by {entries.shape[1]}")
    a, b = integers(entries.row, "vertices"), integers(entries.col, "vertices")
    return edges_to_shape(entries.shape[0], np.column_stack([a, b]), reals(entries.data, "lengths"))


def _networkx(graph: Any) -> Shape:
    """Vertices are numbered in the order of `graph.nodes`; edges without a weight have length 1."""
    number = {node: at for at, node in enumerate(graph.nodes)}
    edges = [(number[a], number[b], 1.0 if length is None else length) for a, b, length in graph.edges(data="weight")]
    table = np.array(edges, dtype=np.float64).reshape(-1, 3)
    return edges_to_shape(len(number), table[:, :2].astype(np.int32), table[:, 2])


def _edge_list(*parts: Any) -> Shape:
    if len(parts) != 2:
        raise ValueError(f"graph= must be a pair (edges, lengths), got {len(parts)} entries")
    ends, lengths = integers(parts[0], "edges"), reals(parts[1], "lengths")
    if ends.ndim != 2 or ends.shape[1] != 2 or lengths.shape != (len(ends),):
        raise ValueError(f"graph= must be edges with two vertices per row and a length for each, got shapes {ends.shape} and "
                         f"{lengths.shape}")
    if ends.size and ends.min() < 0:
        raise ValueError(f"edge {int(np.argmin(ends.min(axis=1)))} has the negative vertex {ends.min()}")
    return edges_to_shape(int(ends.max(initial=-1)) + 1, ends, lengths)


def _adjacency(graph: Any) -> Shape:
    """A dense matrix of edge lengths; zero, infinite or masked: no edge."""
    if isinstance(graph, np.ma.MaskedArray):
        graph = graph.filled(0)
    try:
        matrix = reals(graph, "graph=")
    except ValueError:
        matrix = np.zeros(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("graph= must be a square sparse or dense matrix of edge lengths, a networkx graph or a pair (edges, "
                         f"lengths), not {type(graph).__name__}" + (f" of shape {matrix.shape}" if matrix.ndim == 2 else ""))
    a, b = np.nonzero((matrix != 0) & (matrix != np.inf))
    return edges_to_shape(len(matrix), np.column_stack([a, b]).astype(np.int32), matrix[a, b])


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
    """One byte per vertex, 0 or 1, from an array of zero and nonzero values, in which masked entries count as zero; from a
    GIFTI image of nibabel; or from a file."""
    if is_path(mask):
        return _core.read_mask(input_path(mask), vertices)
    if _has(mask, "darrays"):
        if len(mask.darrays) != 1:
            raise ValueError(f"the mask is a GIFTI image of {len(mask.darrays)} arrays: expected one value for each of the "
                             f"{vertices} vertices")
        mask = mask.darrays[0].data
    array = mask.filled(0) if isinstance(mask, np.ma.MaskedArray) else np.asarray(mask)
    array = array.reshape(-1) if array.ndim == 2 and 1 in array.shape else array
    if array.shape != (vertices,):
        raise ValueError(f"the mask must have one value for each of the {vertices} vertices, got shape {array.shape}")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"the mask must contain numbers or truth values, not {array.dtype}")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"the mask is NaN at vertex {int(np.argmax(np.isnan(array)))} ({np.isnan(array).sum():,} in all): use 0 "
                         "for vertices to leave out")
    return np.ascontiguousarray(array != 0, dtype=np.uint8)


def decimate(shape: Any, faces: Any = None, *, vertices: int, threads: int = 0, progress: Any = None
             ) -> tuple[Shape, npt.NDArray[np.int32]]:
    """A triangle mesh with fewer vertices, by collapsing edges with the smallest change first, and the input vertex of each of
    them. Components, boundary loops and genus are kept; warns if that leaves more vertices.

    >>> import geodome
    >>> coarse, origin = geodome.decimate(geodome.make_shape("creature", vertices=600), vertices=200)
    >>> len(coarse), len(origin)
    (200, 200)
    """
    from ._progress import working
    with working(threads, progress) as run:
        core, origin, note = _core.decimate(as_shape(shape, faces)._core, vertices, run)
    if note:
        warn(note, ShapeWarning)
    return Shape(core), origin


def subdivide(shape: Any, faces: Any = None, *, times: int = 1, smooth: bool = False) -> Shape:
    """A finer mesh: every face is split into four (polygons: into quads), `times` times. Vertices of the input keep their
    numbers. `smooth`: by the rules of Loop or, for polygons, Catmull and Clark; otherwise distances stay the same.

    >>> import geodome
    >>> geodome.subdivide([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]])
    <geodome.Shape: triangle mesh, 6 vertices, 4 faces>
    """
    if not 0 <= times <= 15:
        raise ValueError(f"times must be from 0 to 15, got {times}")
    return Shape(_core.subdivide(as_shape(shape, faces)._core, times, smooth))


def laplacian(shape: Any = None, faces: Any = None, *, points: Any = None, normals: Any = None, graph: Any = None,
              samples: Any = None, threads: int = 0, progress: Any = None, **options: Any) -> tuple[Any, npt.NDArray[np.float64]]:
    """The Laplacian of a shape: the stiffness matrix, a positive semi-definite sparse matrix whose rows sum to zero, and the
    lumped mass of every vertex. Options: `intrinsic_delaunay`, `graph_weights`, `perplexity`, `seed`, as in `build`.

    >>> import geodome
    >>> L, mass = geodome.laplacian(geodome.make_shape("sphere", vertices=500))
    >>> L.shape, bool(abs(L.sum(axis=1)).max() < 1e-9), round(float(mass.sum()), 1)
    ((492, 492), True, 12.5)
    """
    from ._extras import needs
    from ._progress import working
    with needs("laplacian", "scipy"):
        from scipy.sparse import csr_array
    unknown = sorted(options.keys() - {"intrinsic_delaunay", "graph_weights", "perplexity", "seed"})
    if unknown:
        raise ValueError(f"laplacian has no option '{unknown[0]}'")
    target = as_shape(shape, faces, points=points, normals=normals, graph=graph, samples=samples)
    with working(threads, progress) as run:
        *rows, mass = _core.laplacian(target._core, options, run)
    return csr_array(tuple(rows), shape=(len(target), len(target))), mass


def path_options(target: Shape, mask: Any, geodesic: str | None, seed: int | None, expert: Any) -> dict[str, Any]:
    """How paths run on a shape, for the core."""
    options: dict[str, Any] = {"seed": seed_of(seed), **expert}
    if geodesic is not None:
        options["geodesic"] = geodesic
    if mask is not None:
        options["mask"] = as_mask(mask, len(target))
    return options
