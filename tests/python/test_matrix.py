"""The matrix answers like the array it stands for."""

import copy
import errno
import pickle

import geodome
import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import aslinearoperator, eigsh


@pytest.fixture(scope="module")
def all_distances(matrix):
    return np.asarray(matrix)


def test_it_is_a_distance_matrix(matrix, all_distances):
    assert matrix.shape == all_distances.shape == (600, 600) and len(matrix) == 600
    assert matrix.dtype == all_distances.dtype == np.float64
    np.testing.assert_allclose(all_distances, all_distances.T, rtol=1e-9)
    assert (np.diag(all_distances) == 0).all() and (all_distances >= 0).all()


@pytest.mark.parametrize("key", [
    (3, 5), (3, [1, 2]), ([1, 2, 3], [4, 5, 6]), (np.array([[1], [2]]), [7, 8, 9]), 17, [3, 4], (slice(2, 9, 3), 4),
    (slice(None), 5), (5, slice(None)), (slice(3), slice(4, 8)), ([7, 1], slice(10, 400)), np.ix_([1, 5], [2, 3, 4]),
    (np.uint8(3), np.int64(4)), np.arange(600) % 50 == 0, (np.arange(600) < 7, slice(3)), (np.arange(600) < 2, [4, 5]),
    (-1, 0), -5, ([-1, 3, -600], [2, -2, -7]), (slice(-9, None), slice(None, -595)), (slice(9, 2, -2), -3),
    (Ellipsis, 4), (4, Ellipsis), (np.array([3, 4], dtype=np.uint16), 9), (np.zeros((2, 3), dtype=int), 1), ([], []),
], ids=str)
def test_indices_work_as_in_numpy(matrix, all_distances, key):
    expected = all_distances[key]
    found = matrix[key]
    assert np.shape(found) == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_one_pair_is_a_number(matrix):
    assert type(matrix[3, 5]) is float


def test_masks_choose_vertices(matrix, all_distances):
    mask = np.arange(600) % 40 == 7
    np.testing.assert_allclose(matrix.rows(mask), all_distances[mask], rtol=1e-9)
    np.testing.assert_allclose(matrix.block(mask, ~mask), all_distances[mask][:, ~mask], rtol=1e-9)
    with pytest.raises(IndexError, match="mask"):
        matrix.rows(mask[:-1])


def test_it_iterates_over_its_rows():
    few = geodome.build(geodome.make_shape("sphere", vertices=60), landmarks=20)
    np.testing.assert_allclose(list(few), np.asarray(few), rtol=1e-9)


def test_rows_and_blocks(matrix, all_distances):
    I, J = [5, 5, 2], list(range(0, 600, 7))
    np.testing.assert_allclose(matrix.row(5), all_distances[5], rtol=1e-9)
    np.testing.assert_allclose(matrix.rows(I), all_distances[I], rtol=1e-9)
    np.testing.assert_allclose(matrix.block(I, J), all_distances[np.ix_(I, J)], rtol=1e-9)
    np.testing.assert_allclose(matrix.block(I, J[:3]), all_distances[np.ix_(I, J[:3])], rtol=1e-6)


def test_neighbours_are_the_smallest_of_the_row(matrix, all_distances):
    for vertex in (0, 17, 599):
        distances, vertices = matrix.nearest(vertex, 10)
        others = np.delete(all_distances[vertex], vertex)
        np.testing.assert_allclose(distances, np.sort(others)[:10], rtol=1e-6)
        np.testing.assert_allclose(distances, all_distances[vertex, vertices], rtol=1e-6)
        distances, vertices = matrix.within(vertex, 0.4)
        assert vertices[0] == vertex and (distances <= 0.4).all()
        assert len(vertices) == (all_distances[vertex] <= 0.4).sum()


def test_neighbours_of_many_vertices(matrix, all_distances):
    I = np.array([[0, 17], [-1, 30]])
    distances, vertices = matrix.nearest(I, 6)
    assert distances.shape == vertices.shape == (2, 2, 6) and vertices.dtype == np.int32
    np.testing.assert_array_equal(vertices[0, 1], matrix.nearest(17, 6)[1])
    np.testing.assert_allclose(distances, np.sort(all_distances[I], axis=2)[..., 1:7], rtol=1e-6)
    distances, vertices = matrix.within([3, 4], [0.2, 0.3])
    np.testing.assert_array_equal(vertices[1], matrix.within(4, 0.3)[1])
    assert len(distances[0]) == (all_distances[3] <= 0.2).sum()
    few = geodome.build(geodome.make_shape("torus", vertices=60))
    distances, vertices = few.nearest(0, 70)
    assert (vertices[-5:] == -1).all() and np.isinf(distances[-5:]).all() and (vertices == -1).sum() == 71 - len(few)


def test_it_works_where_numpy_and_scipy_expect_a_matrix(matrix, all_distances):
    raw, x = matrix.rows(np.arange(600), raw=True), np.arange(600.0)
    np.testing.assert_allclose(matrix.dot(x), raw @ x, rtol=1e-9)
    np.testing.assert_allclose(aslinearoperator(matrix) @ x, raw @ x, rtol=1e-9)
    np.testing.assert_allclose(eigsh(matrix, k=2, return_eigenvectors=False), np.linalg.eigvalsh(raw)[[0, -1]], rtol=1e-9)
    assert matrix.toarray("float32").dtype == np.float32 and matrix.size == 360000
    np.testing.assert_allclose(matrix.toarray(), all_distances, rtol=1e-9)


def test_arrays_that_do_not_fit_into_memory_are_refused(matrix, monkeypatch):
    monkeypatch.setattr(geodome._matrix.DistanceMatrix, "_size", 3_000_000)
    for use in (matrix.toarray, lambda: np.asarray(matrix)):
        with pytest.raises(MemoryError, match="72000.0 GB.*to_npy"):
            use()


def test_squared_means_one_thing(animal):
    """Products, factors and raw entries are of squared distances, all other queries distances."""
    m = geodome.build(animal, landmarks=120, squared=True)
    plain = geodome.build(animal, landmarks=120)
    raw = m.rows(np.arange(600), raw=True)
    np.testing.assert_allclose(m @ np.eye(600), raw, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(m.block([3, 5], [7], raw=True), raw[[3, 5]][:, [7]], rtol=1e-9)
    A, B = m.factors()
    np.testing.assert_allclose(A @ B.T, raw, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(m.rows([3]), plain.rows([3]))
    assert abs(np.sqrt(raw[0, 500]) / m[0, 500] - 1) < 0.05


def test_errors_in_root_mean_square(matrix):
    error = matrix.evaluate(rows=20)
    assert error["rms_error"] == np.sqrt(error["relative_error"]) > 0
    assert matrix.summary["measured_error"]["rms_error"] == matrix.recipe["measured_error"]["relative_error"] ** 0.5


def test_seeds_from_the_system(animal):
    first, second = (geodome.build(animal, landmarks=60, landmark_method="random", seed=None) for _ in range(2))
    assert set(first.landmarks) != set(second.landmarks)


@pytest.fixture(scope="module")
def masked(animal):
    keep = animal.points[:, 0] < 0.4
    return geodome.build(animal, landmarks=90, mask=keep), np.flatnonzero(keep)


def test_masked_vertices_do_not_take_part(masked, tmp_path):
    m, kept = masked
    x = np.random.default_rng(0).normal(size=600)
    raw = m.block(kept, kept, raw=True)
    part = m.restrict()
    np.testing.assert_array_equal(part.vertices, kept)
    np.testing.assert_allclose((m @ x)[kept], raw @ x[kept], rtol=1e-9, atol=1e-9)
    assert ((m @ x)[m.component < 0] == 0).all()
    np.testing.assert_allclose(part @ x[kept], raw @ x[kept], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.sort(eigsh(m, k=3)[0]), np.sort(eigsh(part, k=3)[0]), rtol=1e-8)
    for matrix, expected in ((m, m @ np.eye(600)), (part, raw)):
        for rank in (None, len(kept) - 1):
            A, B = matrix.factors(rank)
            np.testing.assert_allclose(A @ B.T, expected, rtol=1e-6, atol=1e-6)
    Z = m.embed(2)
    np.testing.assert_array_equal(np.isnan(Z).any(axis=1), m.component < 0)
    np.testing.assert_array_equal(part.embed(2), Z[kept])
    assert geodome.align(Z, Z).distance < 1e-6
    D = part.to_npy(tmp_path / "D.npy", dtype=np.float64)
    np.testing.assert_allclose(D, m.block(kept, kept), rtol=1e-9)
    assert np.isfinite(D).all() and D.shape == part.shape
    np.testing.assert_allclose(part.toarray(), D, rtol=1e-9)


def test_a_restriction_answers_as_the_block_that_it_is(matrix, all_distances):
    chosen = [7, 3, 99, 500]
    part = matrix.restrict(chosen)
    block = all_distances[np.ix_(chosen, chosen)]
    np.testing.assert_allclose(part.toarray(), block, rtol=1e-9)
    np.testing.assert_allclose(part[[0, -1], 1], block[[0, -1], 1], rtol=1e-6)
    np.testing.assert_allclose(part[1:, ::2], block[1:, ::2], rtol=1e-6)
    np.testing.assert_allclose(part @ np.eye(4), matrix.block(chosen, chosen, raw=True), rtol=1e-9)
    np.testing.assert_array_equal(matrix.restrict(np.arange(600) < 5).vertices, np.arange(5))
    with pytest.raises(IndexError, match="4"):
        part[4, 0]


def test_points_off_the_vertices(matrix, animal):
    corners = animal.faces[[3, 90]]
    at_corner = matrix.at((corners, np.eye(3)[[0, 0]]), 200)
    np.testing.assert_allclose(at_corner, matrix[corners[:, 0], 200], rtol=1e-9)
    np.testing.assert_allclose(matrix.at(([3, 90], np.eye(3)[[0, 0]]), 200), at_corner, rtol=1e-12)
    middle = matrix.at((3, [1 / 3, 1 / 3, 1 / 3]), [200, 300])
    for value, target in zip(middle, (200, 300)):
        corner_values = matrix[corners[0], target]
        assert corner_values.min() - 0.05 < value < corner_values.max() + 0.05
    with pytest.raises(ValueError, match="sum"):
        matrix.at((3, [1.0, 1.0, 1.0]), 0)


def test_products_are_those_of_the_linear_form(matrix):
    raw = matrix.rows(np.arange(600), raw=True)
    P, W = matrix.P, matrix.W
    np.testing.assert_allclose((P @ W) @ P.T.toarray(), raw, rtol=1e-9, atol=1e-12)
    X = np.random.default_rng(0).normal(size=(600, 5))
    np.testing.assert_allclose(matrix @ X, raw @ X, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(matrix @ X[:, 0], raw @ X[:, 0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(X.T @ matrix, X.T @ raw, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(matrix @ np.asfortranarray(X), raw @ X, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(matrix @ X.astype(np.float32), raw @ X, rtol=1e-4, atol=1e-4)
    largest = eigsh(matrix.as_linear_operator(), k=1, return_eigenvectors=False)
    np.testing.assert_allclose(largest, np.linalg.eigvalsh(raw)[-1], rtol=1e-9)


def test_factors_multiply_to_the_matrix(matrix):
    raw = matrix.rows(np.arange(600), raw=True)
    A, B = matrix.factors()
    np.testing.assert_allclose(A @ B.T, raw, rtol=1e-9, atol=1e-12)
    A, B = matrix.factors(rank=40)
    assert A.shape == B.shape == (600, 40)
    assert np.linalg.norm(A @ B.T - raw) < 0.01 * np.linalg.norm(raw)


def test_factors_give_the_cost_of_gromov_and_wasserstein():
    """Of a coupling T: the sum over i, j, k, l of (E_ik - E'_jl)² T_ij T_kl, by factors and term by term."""
    first, second = (geodome.build(geodome.make_shape(name, vertices=80), squared=True, landmarks=50)
                     for name in ("sphere", "torus"))
    E1, E2 = (m @ np.eye(len(m)) for m in (first, second))
    T = np.random.default_rng(4).uniform(size=(len(first), len(second)))
    T /= T.sum()
    terms = sum((T[i][:, None] * T[k][None] * (E1[i, k] - E2) ** 2).sum() for i in range(len(T)) for k in range(len(T)))
    (A, B), (C, D) = first.factors(), second.factors()
    p, q = T.sum(axis=1), T.sum(axis=0)
    squares = ((A.T * p @ A) * (B.T * p @ B)).sum() + ((C.T * q @ C) * (D.T * q @ D)).sum()
    np.testing.assert_allclose(squares - 2 * ((B.T @ T @ D) * (A.T @ T @ C)).sum(), terms, rtol=1e-9)


def test_landmarks_are_unit_rows_of_P(animal):
    matrix = geodome.build(animal, landmarks=120, method="sbha")
    np.testing.assert_array_equal(matrix.P[matrix.landmarks].toarray(), np.eye(120))
    np.testing.assert_array_equal(matrix.W, matrix.W.T)


def test_save_and_load_give_the_same(matrix, tmp_path):
    matrix.save(tmp_path / "animal.geodome")
    loaded = geodome.load(tmp_path / "animal.geodome", verify=True)
    np.testing.assert_array_equal(loaded.rows([0, 7]), matrix.rows([0, 7]))
    assert loaded.recipe == matrix.recipe and loaded.nbytes == matrix.nbytes
    np.testing.assert_array_equal(loaded.geometry.points, matrix.geometry.points)
    matrix.save(tmp_path / "bare.geodome", shape=False)
    assert geodome.load(tmp_path / "bare.geodome").geometry is None
    assert (tmp_path / "bare.geodome").stat().st_size < (tmp_path / "animal.geodome").stat().st_size


def test_pickle_and_copy(matrix):
    again = pickle.loads(pickle.dumps(matrix))
    np.testing.assert_array_equal(again.rows([3]), matrix.rows([3]))
    assert again.summary == matrix.summary
    assert copy.deepcopy(matrix) is matrix


def test_it_tells_what_it_is(matrix):
    assert "600 × 600" in repr(matrix) and "120 landmarks" in repr(matrix)
    summary = matrix.summary
    assert summary["vertices"] == 600 and summary["landmarks"] == 120 and summary["nbytes"] == matrix.nbytes
    assert repr(matrix.embedding(2)) == "<geodome.Embedding: 600 points in 2 dimensions>"
    assert repr(geodome.match([matrix, matrix])).startswith("<geodome.Match: 2 shapes, 0 to 0 radii")
    assert repr(geodome.align(np.eye(3), np.eye(3))).startswith("<geodome.Alignment: a motion in 3 dimensions")
    assert summary["seconds"]["total"] > 0 and summary["components"] == 1
    assert geodome.build(matrix.geometry, landmarks=60, evaluate=10).summary["measured_error"]["rows"] == 10


def test_the_error_falls_with_landmarks(animal, matrix):
    few = geodome.build(animal, landmarks=40).evaluate(rows=50)["relative_error"]
    assert matrix.evaluate(rows=50)["relative_error"] < few / 2


@pytest.mark.parametrize("use, message", [
    (lambda m: m[0, 600], "600 is out of range for 600 vertices"), (lambda m: m[-601, 0], "-601"), (lambda m: m.rows([600]), "600"),
    (lambda m: m.block([0], [-700]), "-700"), (lambda m: m.nearest(600, 3), "600"), (lambda m: m.within([0, 600], 1), "600"),
    (lambda m: m[0.5, 1], "integers"), (lambda m: m[2**40, 1], str(2**40)), (lambda m: m.nearest(3.7, 2), "integers"),
    (lambda m: m.row([3, 4]), "one integer"), (lambda m: m.rows([[3], [4]]), "one dimension"), (lambda m: m[1, 2, 3], "2 dimensions"),
    (lambda m: m.at((-2000, [1.0, 0.0, 0.0]), 3), "face -2000"), (lambda m: m[np.ones(7, bool)], "mask"), (lambda m: m[None, 1], "object"),
])
def test_wrong_vertices_are_index_errors(matrix, use, message):
    with pytest.raises(IndexError, match=message):
        use(matrix)


@pytest.mark.parametrize("use, message", [
    (lambda m: m.nearest(0, -1), "-1"), (lambda m: m @ np.ones(5), "sizes do not match"),
    (lambda m: m.within(0, -1), "-1"), (lambda m: m.within(0, np.nan), "nan"),
    (lambda m: m @ scipy.sparse.eye_array(600), "toarray"), (lambda m: m.embed(0), "0"), (lambda m: m.within([0, 1], [1, -2]), "-2"),
    (lambda m: m @ np.ma.masked_less(np.arange(600), 3), "3 masked"), (lambda m: m.restrict([3, 3]), "distinct"), (lambda m: m.embed(2.5), "n_components"),
    (lambda m: m.factors(rank=600), "600"), (lambda m: m.factors(rank=0), "0"), (lambda m: m.to_npy("x.npy", dtype=int), "float32"),
    (lambda m: m.embed(method="magic"), "magic"),
])
def test_bad_questions_are_value_errors(matrix, use, message):
    with pytest.raises(ValueError, match=message):
        use(matrix)


def test_bad_files_are_os_errors(matrix, tmp_path):
    for use in (lambda: geodome.load(tmp_path / "missing.geodome"), lambda: geodome.read_shape(tmp_path / "missing.ply"),
                lambda: matrix.to_npy(tmp_path / "no" / "K.npy"), lambda: geodome.build(tmp_path / "missing.obj"),
                lambda: geodome.build(matrix.geometry, mask=tmp_path / "missing.npy"),
                lambda: geodome.build(matrix.geometry, distances=tmp_path / "missing.npy")):
        with pytest.raises(FileNotFoundError) as raised:
            use()
        assert raised.value.errno == errno.ENOENT
    (tmp_path / "bad.geodome").write_bytes(b"nothing of the kind")
    with pytest.raises(OSError, match="bad.geodome"):
        geodome.load(tmp_path / "bad.geodome")
    with pytest.raises(OSError):
        matrix.save(tmp_path / "no" / "folder.geodome")


def test_components_are_infinitely_far(animal):
    V, F = animal
    m = geodome.build(np.vstack([V, V + 10]), np.vstack([F, F + 600]), landmarks=100)
    assert m[0, 700] == np.inf and m[0, 5] < np.inf
    assert (m.component == np.repeat([0, 1], 600)).all()
    assert np.isinf(m.W).any() and "2 components" in repr(m)
    with pytest.raises(ValueError, match="component"):
        m @ np.ones(1200)
    one = m.restrict(m.component == 1)
    raw = m.block(one.vertices, one.vertices, raw=True)
    np.testing.assert_allclose(one @ np.eye(600), raw, rtol=1e-9, atol=1e-12)
    A, B = one.factors()
    np.testing.assert_allclose(A @ B.T, raw, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="restrict"):
        m.factors()
    assert np.isfinite(m.embed(2)).all()


@pytest.mark.parametrize("method", [name for name in geodome.method_names() if name not in ("sbha", "bha", "cell")])
def test_baselines_answer_the_same_queries(animal, method):
    m = geodome.build(animal, method=method, landmarks=100)
    exact = geodome.distances(animal, sources=[0, 50], geodesic="exact")
    rows = m.rows([0, 50])
    assert rows.shape == (2, 600) and m.shape == (600, 600) and m.summary["method"] == method
    np.testing.assert_allclose(m[[0, 50], [7, 8]], rows[[0, 1], [7, 8]], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(m.block([50], [3, 9]), rows[1:, [3, 9]], rtol=1e-6, atol=1e-9)
    if method == "exact":
        np.testing.assert_allclose(rows, exact, rtol=1e-5)
        np.testing.assert_allclose((m @ np.ones(600))[0], rows[0].sum(), rtol=1e-6)
    assert m.embed(3).shape == (600, 3) and 0 < m.nbytes == m.summary["nbytes"]
    distances, vertices = m.nearest(50, 9)
    np.testing.assert_allclose(distances, np.sort(np.delete(rows[1], 50))[:9], rtol=1e-9)
    np.testing.assert_allclose(rows[1, vertices], distances, rtol=1e-9)
    assert len(m.within(50, 0.5)[0]) == (rows[1] <= 0.5).sum()
    with pytest.raises(ValueError, match="-1"):
        m.nearest(0, -1)
    assert type(m) is geodome.DistanceMatrix and f"600 × 600 distances by {method}" in repr(m)
    error = m.evaluate(rows=0)
    assert error["rows"] == 600 and (error["relative_error"] < 1e-9 if method == "exact" else error["relative_error"] < 1)


def test_every_matrix_states_its_error(animal, tmp_path):
    m = geodome.build(animal, landmarks=100)
    error = m.recipe["measured_error"]
    assert error["rows"] >= 4 and error["interval"][0] <= error["relative_error"] <= error["interval"][1]
    assert m.certificate in repr(m) and m.certificate.startswith("mean error ")
    assert m.certificate.endswith(f"measured on {error['rows']} rows of exact distances")
    better = m.certify(rows=200, seed=3)
    assert better.recipe["measured_error"]["rows"] == 200
    better.save(tmp_path / "m.geodome")
    assert geodome.load(tmp_path / "m.geodome").certificate == better.certificate
    bare = geodome.build(animal, landmarks=100, certificate=False)
    assert bare.certificate == "" and "measured_error" not in bare.recipe
    np.testing.assert_array_equal(bare.rows([0, 7]), m.rows([0, 7]))
    for wrong in ({"evaluate": 0}, {"evaluate": 5, "certificate": False}):
        with pytest.raises(ValueError, match="certificate=False"):
            geodome.build(animal, **wrong)


def test_baselines_can_be_evaluated_as_they_are_built(animal):
    m = geodome.build(animal, method="fmds", landmarks=100, evaluate=20)
    error = m.evaluate(rows=20)
    assert all(m.summary["measured_error"][name] == error[name] for name in error if "interval" not in name)
    K = np.asarray(m)
    exact = geodome.distances(animal, sources=np.arange(600), geodesic="exact")
    expected = ((K - exact) ** 2).sum() / (exact**2).sum()
    np.testing.assert_allclose(m.evaluate(rows=0)["relative_error"], expected, rtol=1e-6)


@pytest.mark.parametrize("method", ["ctg", "spectrometer"])
@pytest.mark.parametrize("squared", [False, True])
def test_some_baselines_can_be_saved(animal, tmp_path, method, squared):
    m = geodome.build(animal, method=method, landmarks=80, squared=squared, evaluate=20)
    m.save(tmp_path / "m.geodome")
    loaded = geodome.load(tmp_path / "m.geodome", verify=True)
    assert isinstance(loaded, geodome.DistanceMatrix) and loaded.squared == squared and loaded.nbytes == m.nbytes
    assert loaded.recipe == m.recipe and loaded.recipe["method"] == loaded.summary["method"] == method
    assert loaded.recipe["measured_error"]["relative_error"] == m.summary["measured_error"]["relative_error"]
    np.testing.assert_array_equal(loaded.rows([0, 50]), m.rows([0, 50]))
    np.testing.assert_array_equal(loaded.within(50, 0.5)[1], m.within(50, 0.5)[1])
    np.testing.assert_array_equal(loaded @ np.ones(600), m @ np.ones(600))
    np.testing.assert_array_equal(loaded.geometry.points, animal.points)
    assert (loaded.component == 0).all() and loaded.evaluate(rows=30) == m.evaluate(rows=30)
    np.testing.assert_array_equal(loaded.to_npy(tmp_path / "K.npy", dtype=np.float64)[[0, 50]], m.rows([0, 50]))
    assert set(loaded.to_brainsmash(tmp_path / "b", neighbours=20)) == {"distmat.npy", "index.npy"}
    m.save(tmp_path / "bare.geodome", shape=False)
    bare = geodome.load(tmp_path / "bare.geodome")
    assert bare.geometry is None and bare.evaluate(animal, rows=30) == m.evaluate(rows=30)
    with pytest.raises(ValueError, match="shape"):
        bare.evaluate()


@pytest.mark.parametrize("use", [
    lambda m: m.P, lambda m: m.W, lambda m: m.landmarks, lambda m: m.factors(), lambda m: m.factors(rank=3),
    lambda m: m.at(0, 5), lambda m: m.to_mtx("factors"),
], ids=["P", "W", "landmarks", "factors", "factors of a rank", "at", "to_mtx"])
@pytest.mark.parametrize("method", ["fmds", "ctg"])
def test_baselines_have_no_factors(animal, method, use):
    with pytest.raises(ValueError, match=f"'{method}' has no|factors P W Pᵀ; '{method}' has none"):
        use(geodome.build(animal, method=method, landmarks=50))


@pytest.mark.parametrize("method", ["bha", "ctg", "lmds", "exact", "fmds"])
def test_stress_of_any_method(animal, method):
    found = geodome.build(animal, method=method, landmarks=100, squared=True).embedding(3, stress_rows=50)
    assert found.stress["exact"] and 0 < found.stress["normalised"] < 1 and found.model_stress["normalised"] < 1
    if method == "fmds":
        with pytest.raises(ValueError, match="squared=True"):
            geodome.build(animal, method=method, landmarks=100).embedding(3, stress_rows=50)


def test_scalings_agree(animal):
    m = geodome.build(animal, method="ctg", landmarks=80)
    own, dense = m.embedding(3), m.embedding(3, method="dense")
    np.testing.assert_allclose(own.eigenvalues, dense.eigenvalues, rtol=1e-6)
    with pytest.raises(ValueError, match="P W Pᵀ"):
        m.embedding(3, method="bmds")


def test_raw_rows_of_baselines_are_those_of_products(animal):
    m = geodome.build(animal, method="exact", squared=True)
    np.testing.assert_allclose(m.row(3, raw=True), m.row(3) ** 2, rtol=1e-6)
    np.testing.assert_allclose(m @ np.eye(600)[3], m.row(3, raw=True), rtol=1e-6)


def test_baselines_pickle_if_they_can_be_saved(animal):
    m = geodome.build(animal, method="ctg", landmarks=80)
    again = pickle.loads(pickle.dumps(m))
    np.testing.assert_array_equal(again.rows([3]), m.rows([3]))
    assert again.summary == m.summary
    with pytest.raises(ValueError, match="no file"):
        pickle.dumps(geodome.build(animal, method="fmds", landmarks=50))


def test_given_distances_are_evaluated_against_a_file(animal, matrix, tmp_path):
    D = geodome.distances(animal, sources=np.arange(600), geodesic="exact")
    np.save(tmp_path / "D.npy", (D + D.T) / 2)
    m = geodome.build(animal, distances=tmp_path / "D.npy", landmarks=matrix.landmarks)
    m.save(tmp_path / "m.geodome")
    with pytest.raises(ValueError, match="user-supplied"):
        geodome.load(tmp_path / "m.geodome").evaluate()
    assert m.evaluate(rows=0) == m.evaluate(rows=0, distances=tmp_path / "D.npy")
    error = m.evaluate(rows=0, distances=tmp_path / "D.npy")
    K = np.asarray(m)
    np.testing.assert_allclose(error["relative_error"], ((K - D) ** 2).sum() / (D**2).sum(), rtol=1e-3)


def test_no_file_holds_the_other_baselines(animal, tmp_path):
    with pytest.raises(ValueError, match="ctg"):
        geodome.build(animal, method="fmds", landmarks=50).save(tmp_path / "m.geodome")
    assert not (tmp_path / "m.geodome").exists()


def test_all_of_P(animal, matrix):
    dense = geodome.build(animal, landmarks=matrix.landmarks, method="bha")
    assert dense.nbytes > matrix.nbytes and dense.recipe["method"] == "bha"
    np.testing.assert_allclose(np.asarray(dense.P.sum(axis=1)).ravel(), 1, rtol=1e-5)


def test_cells_answer_as_factors_do(animal):
    m = geodome.build(animal, method="cell", landmarks=100)
    rows = m.rows([0, 50])
    np.testing.assert_allclose(m[[0, 50], [7, 8]], rows[[0, 1], [7, 8]], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(m.block([50], [3, 9]), rows[1:, [3, 9]], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose((m @ np.ones(600))[0], m.rows([0], raw=True).sum(), rtol=1e-9)
    assert m.embed(3).shape == (600, 3) and 0 < m.nbytes < geodome.build(animal, method="sbha", landmarks=100).nbytes / 4
    with pytest.raises(ValueError, match="rounding"):
        geodome.build(animal, method="cell", landmarks=100, rounding=0)


def test_near_distances_are_those_of_the_shape(tmp_path):
    shape = geodome.make_shape("torus", vertices=400)
    m = geodome.build(shape, landmarks=40)
    assert m.near_field == "exact"
    truth = geodome.distances(shape, sources=[0, 50], geodesic="exact")
    spacing = np.median(np.sort(m.W + np.diag(np.full(len(m.W), np.inf)), axis=1)[:, 0])
    near = truth < spacing
    assert near.sum() > 20
    np.testing.assert_allclose(m.rows([0, 50])[near], truth[near], rtol=1e-9)
    assert abs(m.blended().rows([0, 50])[near] - truth[near]).max() > 1e-6
    m.save(tmp_path / "bare.geodome", shape=False)
    bare = geodome.load(tmp_path / "bare.geodome")
    assert bare.near_field == "blend"
    assert geodome.build(shape, method="ctg", landmarks=40).near_field is None


def test_bounds_contain_the_distances_of_the_shape(animal, tmp_path):
    m = geodome.build(animal, landmarks=60, geodesic="exact")
    exact = geodome.distances(animal, sources=[3, 40], geodesic="exact")
    low, high = m.bounds([[3], [40]], np.arange(len(m)))
    assert m.certain_bounds and low.shape == high.shape == exact.shape
    assert (low <= exact * (1 + 1e-9)).all() and (exact <= high * (1 + 1e-9)).all()
    assert low[0, 3] == high[0, 3] == 0 and (low < high).any()
    assert m.bounds(3, 99) == (low[0, 99], high[0, 99]) and type(m.bounds(3, 99)[0]) is float
    m.save(tmp_path / "bare.geodome", shape=False)
    for ask in (lambda bare: bare.bounds(3, 4), lambda bare: bare.certain_bounds):
        with pytest.raises(ValueError, match="does not contain it"):
            ask(geodome.load(tmp_path / "bare.geodome"))
    with pytest.raises(IndexError, match="out of range"):
        m.bounds(3, len(m))
