"""Everything that can be built from, and the same answer whatever form it comes in."""

import gc
import pickle
import types
import warnings
import weakref

import geodome
import nibabel
import numpy as np
import pytest
import scipy.sparse
import trimesh
from scipy.sparse.csgraph import dijkstra


def rows(matrix):
    return matrix.rows([0, 11, 222])


@pytest.mark.parametrize("change", [
    lambda V, F: (V, F), lambda V, F: (np.asfortranarray(V), np.asfortranarray(F)),
    lambda V, F: (V, F.astype(np.int64)), lambda V, F: (V, F.astype(np.uint16)), lambda V, F: (V, F.astype(np.uint64)),
    lambda V, F: (V.astype(">f8"), F.astype(">i4")), lambda V, F: (V.astype(np.longdouble), F),
    lambda V, F: (V.tolist(), F.tolist()), lambda V, F: (np.repeat(V, 2, axis=1)[:, ::2], np.repeat(F, 3, axis=0)[::3]),
], ids=["as they are", "Fortran", "int64", "uint16", "uint64", "big-endian", "long double", "lists", "strides"])
def test_arrays_of_any_kind(animal, matrix, change):
    np.testing.assert_array_equal(rows(geodome.build(*change(*animal), landmarks=120)), rows(matrix))


def test_single_precision(animal):
    V, F = animal
    m = geodome.build(V, F, landmarks=120, method="sbha")
    np.testing.assert_allclose(rows(geodome.build(V.astype(np.float32), F, landmarks=m.landmarks, method="sbha")), rows(m),
                               rtol=1e-3, atol=1e-3)


def test_files(animal, matrix, tmp_path):
    animal.write(tmp_path / "animal.ply")
    np.testing.assert_array_equal(rows(geodome.build(tmp_path / "animal.ply", landmarks=120)), rows(matrix))
    np.testing.assert_array_equal(rows(geodome.build(str(tmp_path / "animal.ply"), landmarks=120)), rows(matrix))
    with pytest.raises(OSError, match="missing.ply"):
        geodome.build(tmp_path / "missing.ply")


def gifti(V, F):
    array = lambda intent, data: types.SimpleNamespace(intent=intent, data=data)
    return types.SimpleNamespace(darrays=[array(1009, F), array(1008, V)])


def padded(F):
    return np.column_stack([np.full(len(F), F.shape[1]), F]).ravel()


def pyvista(V, F):
    return types.SimpleNamespace(points=V, faces=padded(F), cells=None)


def unstructured_grid(V, F, kind=5):
    return types.SimpleNamespace(points=V, cells=padded(F), celltypes=np.full(len(F), kind, dtype=np.uint8))


@pytest.mark.parametrize("wrap", [
    lambda V, F: (V, F), lambda V, F: types.SimpleNamespace(vertices=V, faces=F), gifti, pyvista,
    unstructured_grid, lambda V, F: types.SimpleNamespace(vertices=V, triangles=F),
    lambda V, F: types.SimpleNamespace(points=V, cells=[types.SimpleNamespace(type="triangle", data=F)]),
], ids=["tuple", "trimesh", "nibabel", "pyvista", "unstructured grid", "open3d", "meshio"])
def test_objects_of_other_packages(animal, matrix, wrap):
    np.testing.assert_array_equal(rows(geodome.build(wrap(*animal), landmarks=120)), rows(matrix))


def test_real_objects_of_other_packages(animal, matrix):
    mesh = trimesh.Trimesh(*animal, process=False)
    np.testing.assert_array_equal(rows(geodome.build(mesh, landmarks=120)), rows(matrix))
    arrays = [nibabel.gifti.GiftiDataArray(data, intent=intent) for data, intent in (
        (animal.points.astype(np.float32), "NIFTI_INTENT_POINTSET"), (animal.faces, "NIFTI_INTENT_TRIANGLE"))]
    image = nibabel.gifti.GiftiImage(darrays=arrays)
    expected = geodome.distances(animal, sources=[0, 11, 222])
    np.testing.assert_allclose(geodome.distances(image, sources=[0, 11, 222]), expected, rtol=1e-3, atol=1e-3)


def grid(n):
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    V = np.column_stack([x.ravel(), y.ravel(), np.zeros(n * n)]).astype(float)
    at = np.arange(n * n).reshape(n, n)
    quads = np.column_stack([at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()])
    return V, quads


def test_polygons_as_matrix_list_or_padded():
    V, quads = grid(9)
    first = geodome.build(V, quads)
    mixed = [quads[0, :3].tolist(), quads[0, [0, 2, 3]].tolist()] + quads[1:].tolist()
    for faces in (quads.tolist(), padded(quads), quads.astype(object)):
        np.testing.assert_array_equal(first.row(3), geodome.build(V, faces).row(3))
    flat = geodome.build(V[:, :2], mixed)
    ragged = np.empty(len(mixed), dtype=object)
    ragged[:] = mixed
    np.testing.assert_array_equal(flat.row(3), geodome.build(V, ragged).row(3))
    np.testing.assert_allclose(flat[0, 80], np.hypot(8, 8), rtol=0.02)
    assert first.geometry.kind == flat.geometry.kind == "polygon mesh"
    assert len(flat.geometry.faces) == len(mixed) and len(flat.geometry.faces[0]) == 3


def test_shapes_pickle(animal, tmp_path):
    sphere = geodome.make_shape("sphere", vertices=200).points
    (tmp_path / "graph.edges").write_text("10 20 1.5\n20 40 2.5\n")
    shapes = [animal, geodome.as_shape(*grid(5)), geodome.as_shape(points=sphere, normals=sphere),
              geodome.as_shape(points=sphere), geodome.as_shape(samples=np.eye(9)),
              geodome.read_shape(tmp_path / "graph.edges")]
    for shape in shapes:
        again = pickle.loads(pickle.dumps(shape))
        assert repr(again) == repr(shape)
        suffix = {"graph": ".edges", "samples": ".npy"}.get(shape.kind, ".ply")
        shape.write(tmp_path / f"before{suffix}")
        again.write(tmp_path / f"after{suffix}")
        assert (tmp_path / f"before{suffix}").read_bytes() == (tmp_path / f"after{suffix}").read_bytes()


def test_points_lie_on_their_surface():
    sphere = geodome.make_shape("sphere", vertices=900).points
    m = geodome.build(points=sphere, normals=sphere)
    angle = np.arccos(np.clip(sphere @ sphere[0], -1, 1))
    np.testing.assert_allclose(m.row(0), angle, atol=0.15)


def test_graphs_are_sparse_matrices():
    generator = np.random.default_rng(1)
    points = generator.uniform(size=(300, 2))
    dense = np.linalg.norm(points[:, None] - points[None], axis=2)
    dense[dense > 0.2] = 0
    graph = scipy.sparse.csr_array(dense)
    expected = dijkstra(graph)
    m = geodome.build(graph=graph, landmarks=300, method="sbha")
    np.testing.assert_allclose(np.asarray(m), expected, rtol=1e-5)
    upper = geodome.build(graph=scipy.sparse.triu(graph), landmarks=300, method="sbha")
    np.testing.assert_array_equal(upper.row(0), m.row(0))
    np.testing.assert_allclose(geodome.distances(graph=graph, sources=[4, 9]), expected[[4, 9]], rtol=1e-12)


def test_samples_of_any_dimension():
    generator = np.random.default_rng(2)
    flat = generator.uniform(size=(400, 2))
    turn = np.linalg.qr(generator.normal(size=(7, 7)))[0][:2]
    m = geodome.build(samples=flat @ turn, landmarks=400)
    straight = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    found = np.asarray(m)
    assert (found >= straight - 1e-6).all() and found.max() < 1.3 * straight.max()


def test_vertices_out_of_range_are_index_errors(animal):
    solver = geodome.Solver(animal)
    for use in (lambda: geodome.distances(animal, sources=[600]), lambda: solver.distances(-601),
                lambda: geodome.distances(animal, sources=np.ones(5, bool))):
        with pytest.raises(IndexError):
            use()


def test_padded_and_masked_faces():
    V, quads = grid(9)
    mixed = [quads[0, :3].tolist(), quads[0, [0, 2, 3]].tolist()] + quads[1:].tolist()
    padded_faces = np.array([face + [-1] * (4 - len(face)) for face in mixed])
    expected = geodome.build(V, mixed).row(3)
    for faces in (padded_faces, np.ma.masked_equal(padded_faces, -1)):
        np.testing.assert_array_equal(geodome.build(V, faces).row(3), expected)
    np.testing.assert_array_equal(geodome.build(np.ma.array(V), quads).row(3), geodome.build(V, quads).row(3))


def test_masks_of_any_kind(animal, tmp_path):
    keep = animal.points[:, 0] < 0.5
    expected = geodome.build(animal, mask=keep, landmarks=60).component
    array = nibabel.gifti.GiftiDataArray(keep.astype(np.float32), intent="NIFTI_INTENT_SHAPE")
    image = nibabel.gifti.GiftiImage(darrays=[array])
    np.save(tmp_path / "mask.npy", keep)
    nibabel.save(image, tmp_path / "mask.shape.gii")
    hidden = np.ma.masked_array(np.ones(600), mask=~keep)
    for mask in (image, tmp_path / "mask.npy", tmp_path / "mask.shape.gii", hidden, keep.astype(int)[:, None]):
        np.testing.assert_array_equal(geodome.build(animal, mask=mask, landmarks=60).component, expected)
    two = nibabel.gifti.GiftiImage(darrays=[array, array])
    with pytest.raises(ValueError, match="2 arrays"):
        geodome.build(animal, mask=two)


def test_graphs_of_other_kinds():
    A = scipy.sparse.random_array((60, 60), density=0.2, rng=3).tocsr()
    A = A + A.T
    expected = dijkstra(A)
    upper = scipy.sparse.triu(A).tocoo()
    dense = A.toarray()
    for graph in (A, dense, np.where(dense == 0, np.inf, dense), np.ma.masked_equal(dense, 0),
                  (np.column_stack([upper.row, upper.col]), upper.data), graph_object(A)):
        np.testing.assert_allclose(geodome.distances(graph=graph, sources=[4, -1]), expected[[4, -1]], rtol=1e-12)


def graph_object(A):
    """What networkx's Graph offers, as far as it is used."""
    entries = scipy.sparse.triu(A).tocoo()

    class Graph:
        nodes = [f"node {v}" for v in range(A.shape[0])]

        def edges(self, data):
            assert data == "weight"
            return [(self.nodes[a], self.nodes[b], length) for a, b, length in zip(*entries.coords, entries.data)]

    Graph.__module__ = "networkx.classes.graph"
    return Graph()


def test_other_packages_surfaces():
    """Attributes of brainspace's surfaces raise KeyError where VTK has none; meshio may have tetrahedra."""
    V, quads = grid(5)

    class Surface:
        Points = V

        def __getattr__(self, name):
            raise KeyError(name)

        def GetCells2D(self):
            return quads

        def GetPolys(self):
            return None

    np.testing.assert_array_equal(geodome.as_shape(Surface()).points, V)
    block = types.SimpleNamespace(type="tetra", data=np.arange(4)[None])
    with pytest.raises(ValueError, match="tetra.*extract_surface"):
        geodome.build(types.SimpleNamespace(points=V, cells=[block]))


def test_a_prepared_solver(animal):
    keep = animal.points[:, 0] < 0.5
    for options in ({}, {"method": "marching"}, {"method": "heat"}, {"method": "edges"}, {"mask": keep}):
        solver = geodome.Solver(animal, **options)
        plain = {"geodesic" if name == "method" else name: value for name, value in options.items()}
        chosen = [0, 5, 9]
        np.testing.assert_allclose(solver.distances(chosen), geodome.distances(animal, sources=chosen, **plain), rtol=2e-3)
        np.testing.assert_allclose(solver.distances(5), solver.distances(chosen)[1], rtol=2e-3)
        ends = [int(np.flatnonzero(keep)[7]), int(np.flatnonzero(keep)[40])]
        on_edges = options.get("method") == "edges"  # otherwise paths are exact, whatever the method
        exact = geodome.distances(animal, sources=ends[0], geodesic="edges" if on_edges else "exact",
                                  mask=options.get("mask"))[ends[1]]
        assert solver.path(*ends).length == pytest.approx(exact, rel=1e-9)
        assert [path.length for path in solver.path(ends[0], ends)] == pytest.approx([0, exact], rel=1e-9)
    near = solver.distances(0, radius=0.3)
    assert np.isinf(near).any() and near[np.isfinite(near)].max() <= 0.3
    assert geodome.Solver(animal, rows=1).method == "exact" and len(solver) == 600


def test_laplacians_and_resampling(animal):
    for shape in (animal, geodome.as_shape(points=animal.points)):
        L, mass = geodome.laplacian(shape)
        assert abs(L - L.T).max() < 1e-12 and abs(L.sum(axis=1)).max() < 1e-9 and mass.min() > 0
        assert np.linalg.eigvalsh(L.toarray())[0] > -1e-9
    V, F = animal
    areas = np.linalg.norm(np.cross(V[F[:, 1]] - V[F[:, 0]], V[F[:, 2]] - V[F[:, 0]]), axis=1) / 2
    np.testing.assert_allclose(geodome.laplacian(animal)[1].sum(), areas.sum())
    coarse, origin = geodome.decimate(animal, vertices=200)
    assert len(coarse) == len(origin) == 200 and np.abs(coarse.points - V[origin]).max() < 0.2
    fine = geodome.subdivide(animal)
    assert len(fine.faces) == 4 * len(F) and (fine.points[:600] == V).all()
    np.testing.assert_allclose(geodome.distances(fine, sources=0)[:600], geodome.distances(animal, sources=0), rtol=1e-9)
    with pytest.warns(geodome.ShapeWarning):
        geodome.decimate(geodome.make_shape("torus", vertices=300), vertices=4)


def test_warns_where_only_products_are_far_off():
    samples = np.random.default_rng(0).normal(size=(300, 5))
    with pytest.warns(geodome.AccuracyWarning, match="products .*60 of 300 vertices") as seen:
        geodome.build(samples=samples)
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        geodome.build(samples=samples, landmarks=300)
    with pytest.warns(geodome.AccuracyWarning, match="use more landmarks"):
        geodome.build(distances=np.linalg.norm(samples[:, None] - samples, axis=2) ** 2)


def test_masked_vertices_are_left_out(animal):
    V, F = animal
    keep = V[:, 0] > V[:, 0].min() + 0.3
    m = geodome.build(V, F, mask=keep, landmarks=100)
    np.testing.assert_array_equal(m.component >= 0, keep)
    assert np.isinf(m[int(np.argmin(keep)), int(np.argmax(keep))])
    lengths = geodome.distances(V, F, int(np.argmax(keep)), mask=keep)
    np.testing.assert_array_equal(np.isfinite(lengths), keep)
    np.testing.assert_allclose(m.row(int(np.argmax(keep)))[keep], lengths[keep], atol=0.15)
    with pytest.raises(ValueError, match="mask"):
        geodome.build(V, F, mask=keep[:-1])


def test_a_list_of_shapes_gives_a_list(animal, matrix):
    sphere = geodome.make_shape("sphere", vertices=400)
    mask = np.ones(600)
    mask[:20] = 0
    first, second = geodome.build([tuple(animal), sphere], landmarks=120)
    np.testing.assert_array_equal(rows(first), rows(matrix))
    assert len(second) == len(sphere)
    masked, whole = geodome.build([animal, sphere], mask=[mask, None], landmarks=120)
    assert (masked.component[:20] == -1).all() and (whole.component == 0).all()
    V, F = animal
    with pytest.raises(ValueError, match="shape 1 of 2: .*600"):
        geodome.build([animal, (V, F + 1)], landmarks=60)


def test_a_tuple_of_shapes_is_several_too(animal, tmp_path):
    animal.write(tmp_path / "animal.ply")
    for pair in ((tmp_path / "animal.ply", str(tmp_path / "animal.ply")), (animal, animal)):
        assert [len(m) for m in geodome.build(pair, landmarks=60)] == [600, 600]


def test_gaps_between_faces_are_told_of(animal):
    """Where every face has corners of its own, as in files for rendering."""
    V, F = animal
    with pytest.warns(geodome.ShapeWarning, match="1,196 components.*merge") as seen:
        geodome.build(V[F.ravel()], np.arange(F.size).reshape(-1, 3))
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", geodome.ShapeWarning)
        geodome.build(np.vstack([V, V + 10]), np.vstack([F, F + 600]), landmarks=60)  # apart, and so meant


def test_given_landmarks(animal):
    chosen = np.arange(0, 600, 10)
    m = geodome.build(animal, landmarks=chosen, method="sbha")
    assert sorted(m.landmarks) == list(chosen)
    expected = geodome.distances(animal, sources=chosen)[:, chosen]
    order = np.searchsorted(chosen, m.landmarks)
    np.testing.assert_allclose(m.W, expected[np.ix_(order, order)], rtol=1e-5, atol=1e-6)


def test_geodesics_on_the_sphere():
    V, F = geodome.make_shape("sphere", vertices=2500)
    angle = np.arccos(np.clip(V @ V[[0, 1000]].T, -1, 1)).T
    np.testing.assert_allclose(geodome.distances(V, F, [0, 1000], geodesic="exact"), angle, atol=0.01)
    near = geodome.distances(V, F, 0, radius=0.5)
    assert np.isinf(near).any() and near[np.isfinite(near)].max() <= 0.5


def test_threads_do_not_matter(animal, matrix):
    np.testing.assert_array_equal(rows(geodome.build(animal, landmarks=120, threads=1)), rows(matrix))


def test_distances_of_the_user(animal, matrix, tmp_path):
    D = 2 * geodome.distances(animal, sources=np.arange(600), geodesic="exact")
    D = (D + D.T) / 2
    expected = 2 * rows(matrix)
    np.save(tmp_path / "D.npy", D)
    for given in (D, np.asfortranarray(D), tmp_path / "D.npy", np.load(tmp_path / "D.npy", mmap_mode="r"),
                  D.astype(np.float32), lambda vertex: D[vertex]):
        m = geodome.build(animal, distances=given, landmarks=matrix.landmarks)
        assert m.summary["geodesic"] == "given"
        far = expected > 1
        np.testing.assert_allclose(rows(m)[far], expected[far], rtol=0.1)
    alone = geodome.build(distances=D, landmarks=200)
    assert np.linalg.norm(np.asarray(alone) - D) < 0.02 * np.linalg.norm(D)
    called = geodome.build(distances=lambda vertex: D[vertex], landmarks=200)
    np.testing.assert_array_equal(called.row(4), alone.row(4))


def test_given_distances_are_not_kept(animal):
    class Rows:
        def __init__(self, D):
            self.D = D

        def __call__(self, vertex):
            return self.D[vertex]

    rows = Rows(geodome.distances(animal, sources=np.arange(600), geodesic="edges"))
    gone = weakref.ref(rows)
    m = geodome.build(animal, distances=rows, landmarks=60, evaluate=5)
    del rows
    gc.collect()
    assert gone() is None and m[0, 0] == 0 and m.embed(2).shape == (600, 2)


@pytest.mark.parametrize("method", [name for name in geodome.method_names() if name not in ("sbha", "bha", "cell")])
def test_baselines_take_given_distances(animal, tmp_path, method):
    D = geodome.distances(animal, sources=np.arange(600), geodesic="exact")
    D = (D + D.T) / 2
    np.save(tmp_path / "D.npy", D)
    mapped = np.load(tmp_path / "D.npy", mmap_mode="r")
    if method == "spectrometer":
        with pytest.raises(ValueError, match="spectrometer"):
            geodome.build(animal, method=method, distances=D, landmarks=60)
        return
    expected = rows(geodome.build(animal, method=method, distances=mapped, landmarks=60))
    for given in (D, lambda vertex, D=D: D[vertex]):
        m = geodome.build(animal, method=method, distances=given, landmarks=60)
        assert m.recipe["geodesic"]["method"] == "given"
        np.testing.assert_allclose(rows(m), expected, rtol=1e-6, atol=1e-9)
    del D, given
    gc.collect()
    assert m.embed(3).shape == (600, 3) and m.evaluate(rows=5)["rows"] == 5


def test_errors_of_given_distances_arrive(animal):
    def fail(vertex):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        geodome.build(animal, distances=fail)
    for bad, message in ((lambda vertex: np.ones(600), "zero"), (lambda vertex: np.zeros(599), "599"),
                         (lambda vertex: np.full(600, np.nan), "number"), (np.zeros((600, 5)), "square"),
                         (lambda vertex: np.zeros(600) if vertex == 0 else np.zeros(7), "7 distances")):
        with pytest.raises(ValueError, match=message):
            geodome.build(animal, distances=bad, landmarks=20)


@pytest.mark.parametrize("call, message", [
    (lambda V, F: geodome.build(), "one shape"), (lambda V, F: geodome.build(V), "faces"),
    (lambda V, F: geodome.build(V, F + 1), "600"), (lambda V, F: geodome.build(V, F.astype(float)), "integers"),
    (lambda V, F: geodome.build(V.astype(complex), F), "real"), (lambda V, F: geodome.build(V, F[:, :2]), "3 corners"),
    (lambda V, F: geodome.build(np.where(np.arange(600)[:, None] == 5, np.nan, V), F), "vertex 5"),
    (lambda V, F: geodome.build(V, F, landmarks=10**6), "landmarks"), (lambda V, F: geodome.build(V, F, landmarks=-3), "-3"),
    (lambda V, F: geodome.build(V, F, threads=-3), "threads must be positive.*-3"), (lambda V, F: geodome.build(V, F, threads="x"), "threads"),
    (lambda V, F: geodome.build(V, F, method="magic"), "magic"), (lambda V, F: geodome.build(V, F, speed=9), "speed"),
    (lambda V, F: geodome.build(V, F, points=V), "one shape"), (lambda V, F: geodome.build(object()), "object"),
    (lambda V, F: geodome.build(graph=np.ones((3, 2))), "square.*3, 2"), (lambda V, F: geodome.build(V, F.T), r"3 rows and 1,196 col.*faces.T"),
    (lambda V, F: geodome.build(V[F.ravel()], np.arange(F.size).reshape(-1, 3).T), r"faces.T"), (lambda V, F: geodome.build(V.T, F), "transpose"),
    (lambda V, F: geodome.build(V, [[0, 1, 2, 1], [3, 4, 5, 6]]), "face 0 repeats corner 1"),
    (lambda V, F: geodome.build(V, [[0, 1, 2], [3, 4, 5, 3]]), "face 1 repeats corner 3"),
    (lambda V, F: geodome.build(V, np.array([[0, -1, 2, 3], [3, 4, 5, 6]])), "face 0 is .* -1"),
    (lambda V, F: geodome.build(V, np.array([[3, 4, 5, 6], [0, 2, -1, -1]])), "face 1 is .*at least 3"),
    (lambda V, F: geodome.build(np.ma.masked_less(V, 0), F), "masked entries"),
    (lambda V, F: geodome.build(V, F, mask=np.where(np.arange(600) == 7, np.nan, 1)), "NaN at vertex 7"),
    (lambda V, F: geodome.build(V, F, mask=np.array(["a"] * 600)), "numbers or truth"),
    (lambda V, F: geodome.build(graph="nonsense"), "networkx"), (lambda V, F: geodome.build(graph=([[0, 1]], [1, 2])), "a length for each"),
    (lambda V, F: geodome.build(graph=([[0, -1]], [1])), "negative vertex"), (lambda V, F: geodome.laplacian(V, F, speed=3), "speed"),
    (lambda V, F: geodome.subdivide(V, F, times=99), "99"), (lambda V, F: geodome.Solver(V, F, method="magic"), "magic"),
    (lambda V, F: geodome.distances(V, F), "sources"), (lambda V, F: geodome.distances(V, F, 0, radius=-1), "radius"),
    (lambda V, F: geodome.build(V, F, nonzeros="5"), "nonzeros.*'5'"), (lambda V, F: geodome.build(V, F, seed=-1), "seed.*-1"),
    (lambda V, F: geodome.build(V, F, method="fmds", softening="x"), "softening"),
    (lambda V, F: geodome.build(V, F, softening=5.0), "cell has no option 'softening'"),
    (lambda V, F: geodome.build(V, F, method="ctg", repair=-1.0), "-1"),
    (lambda V, F: geodome.plan(V, F, method="fmds"), "fmds"),
    (lambda V, F: geodome.build(unstructured_grid(V, np.column_stack([F, F[:, 0]]), kind=10)), "extract_surface"),
    (lambda V, F: geodome.build(V, F, landmarks=[1, 1]), "1"), (lambda V, F: geodome.make_shape("cube-ish"), "cube-ish"),
])
def test_bad_input_is_a_value_error(animal, call, message):
    with pytest.raises(ValueError, match=message):
        call(*animal)


def test_what_is_dropped_is_said(animal):
    V, F = animal
    with pytest.warns(geodome.ShapeWarning, match="duplicate") as seen:
        geodome.build(V, np.vstack([F, F[:2]]), landmarks=60)
    assert seen[0].filename == __file__


def test_the_plan_bounds_the_result(animal):
    plan = geodome.plan(animal, landmarks=120)
    m = geodome.build(animal, landmarks=120)
    assert m.nbytes <= plan["nbytes"] < 2 * m.nbytes


@pytest.mark.parametrize("method", ["sbha", "bha"])
def test_what_does_not_fit_into_memory_is_refused(method):
    size = 700_000  # W alone takes a terabyte
    path = scipy.sparse.diags_array(np.ones(size - 1), offsets=1, shape=(size, size))
    with pytest.raises(ValueError, match="GB of memory.*, or pass check_memory=False"):
        geodome.build(graph=path, method=method, landmarks=size)


def test_baselines_can_be_planned(animal):
    for method in ("ctg", "spectrometer"):
        plan = geodome.plan(animal, method=method, landmarks=60)
        assert plan.keys() == geodome.plan(animal).keys() and plan["landmarks"] == 60
        assert geodome.build(animal, method=method, landmarks=60).nbytes <= plan["nbytes"]
    assert geodome.plan(animal, method="ctg", repair=2.0)["nbytes"] > geodome.plan(animal, method="ctg")["nbytes"]


def test_warns_where_distances_are_far_off():
    samples = np.random.default_rng(0).normal(size=(300, 5))
    with pytest.warns(geodome.AccuracyWarning, match="mean relative error"):
        m = geodome.build(samples=samples, landmarks=10)
    assert m.summary["warnings"]


def test_vertices_of_a_graph_are_never_at_distance_zero():
    star = scipy.sparse.csr_array((np.ones(30), (np.zeros(30, int), np.arange(1, 31))), shape=(31, 31))
    m = geodome.build(graph=star, landmarks=3)
    assert m.summary["check"]["rows"] == m.summary["measured_error"]["rows"] >= 4
    rows = m.rows(range(31))
    assert np.allclose(rows, m[np.arange(31)[:, None], np.arange(31)])
    assert (rows[~np.eye(31, dtype=bool)] > 0).all()


@pytest.mark.parametrize("scale", [1e-100, 1e-30, 1e30, 1e100])
def test_any_unit_of_length(scale):
    V, F = geodome.make_shape("sphere", vertices=300)
    plain, scaled = (geodome.build(V * unit, F, landmarks=80, method="sbha") for unit in (1, scale))
    assert np.allclose(scaled.row(7) / scale, plain.row(7), rtol=0, atol=0.01)
    assert np.allclose(scaled.embedding(3).eigenvalues / scale**2, plain.embedding(3).eigenvalues, rtol=1e-3)
    with pytest.raises(ValueError, match="sizes from"):
        geodome.build(V * 1e150, F)


def test_a_build_reaches_a_wanted_error():
    V, F = geodome.make_shape("creature", vertices=600)
    m = geodome.build(V, F, mean_error=0.02)
    error = m.recipe["measured_error"]
    assert error["mean_interval"][1] <= 0.02 and m.recipe["target"] == {"mean_relative_error": 0.02, "met": True}
    again = geodome.build(V, F, landmarks=len(m.landmarks), evaluate=error["rows"])
    np.testing.assert_array_equal(again.rows([0, 5]), m.rows([0, 5]))
    with pytest.raises(geodome.NumericalError, match="was not reached"):
        geodome.build(V, F, mean_error=1e-4, geodesic="heat")
    with pytest.raises(ValueError, match="between 0 and 1"):
        geodome.build(V, F, error=2)


def test_landmarks_on_a_coarser_mesh(animal):
    m = geodome.build(*animal, landmarks=120, method="sbha", coarsen=3, certificate=False)
    mesh = m.summary["coarse_mesh"]
    assert mesh["share"] == 3 and mesh["vertices"] == len(animal.vertices) // 3 and 0 < mesh["mean_relative_error"] < 0.1
    assert m.recipe["geodesic"]["coarse_mesh"] == mesh and m.summary["tried_meshes"] == [mesh]
    for none in ("auto", "off"):
        assert geodome.build(*animal, landmarks=120, coarsen=none).summary["coarse_mesh"] is None
    assert geodome.plan(*animal, landmarks=120, method="sbha", coarsen="8")["coarsen"] == 8
    for bad in (1, -3, 1025, 2.5, "half", True, None):
        with pytest.raises(ValueError, match="coarser mesh must be"):
            geodome.build(*animal, landmarks=120, method="sbha", coarsen=bad)
    with pytest.raises(ValueError, match="coarser mesh"):
        geodome.build(graph=scipy.sparse.eye(50, k=1), method="sbha", coarsen=4)
