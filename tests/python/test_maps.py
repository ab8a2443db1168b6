"""Paths, samples, maps, partitions and interpolation give what the distances say."""

import geodome
import numpy as np
import pytest


def test_paths_have_the_length_of_the_distance(animal, matrix):
    V, F = animal
    exact = geodome.distances(animal, sources=3, geodesic="exact")
    for path, target in zip(geodome.path(V, F, 3, [50, 400, 599]), [50, 400, 599]):
        np.testing.assert_allclose(path.length, exact[target], rtol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(np.diff(path.points, axis=0), axis=1).sum(), path.length, rtol=1e-12)
        np.testing.assert_allclose(np.einsum("pk,pkd->pd", path.weights, V[path.corners]), path.points, atol=1e-12)
    assert matrix.path(3, 50).length == geodome.path(animal, source=3, target=50).length
    assert len(matrix.path(3, [50, 400])) == 2


def test_pygeodesic_agrees(animal):
    pygeodesic = pytest.importorskip("pygeodesic.geodesic")
    V, F = animal
    solver = pygeodesic.PyGeodesicAlgorithmExact(V, F)
    for target in (50, 400, 599):
        length, _ = solver.geodesicDistance(3, target)
        np.testing.assert_allclose(geodome.path(V, F, 3, target).length, length, rtol=1e-9)


@pytest.mark.parametrize("method", ["marching", "marching-1ring", "carried", "heat"])
def test_paths_by_descent_are_little_longer(animal, method):
    V, F = animal
    targets = list(range(1, 600, 7))
    exact = geodome.path(V, F, 0, targets)
    found = geodome.path(V, F, 0, targets, geodesic=method)
    longer = np.array([path.length / best.length for path, best in zip(found, exact)]) - 1
    assert longer.min() > -1e-12 and longer.mean() < 0.005
    assert all(best.exact for best in exact) and not any(path.exact for path in found)
    for path in found:
        np.testing.assert_allclose(np.linalg.norm(np.diff(path.points, axis=0), axis=1).sum(), path.length, rtol=1e-12)
    assert repr(found[0]).endswith(", approximate>")


def test_paths_of_a_solver_are_those_of_its_method(animal):
    V, F = animal
    solver = geodome.Solver(V, F, method="heat")
    path = solver.path(3, 400)
    assert not path.exact and path.distance == solver.distances(3)[400]
    np.testing.assert_array_equal(path.points, geodome.path(V, F, 3, 400, geodesic="heat").points)
    exact = geodome.path(V, F, 3, 400).length
    assert solver.path(3, 400, geodesic="exact").length == geodome.Solver(V, F).path(3, 400).length == exact
    assert not geodome.Solver(V, F).path(3, 400, geodesic="carried").exact
    along = geodome.Solver(V, F, method="edges").path(3, [400])[0]
    assert along.exact and along.length == geodome.distances(animal, sources=3, geodesic="edges")[400]
    with pytest.raises(ValueError, match="unknown geodesic method"):
        solver.path(3, 400, geodesic="magic")


def test_paths_between_points_of_faces(animal):
    V, F = animal
    a, b = (F[0], [0.2, 0.3, 0.5]), (F[0], [0.6, 0.3, 0.1])
    straight = np.linalg.norm((V[F[0]] * np.array([0.4, 0.0, -0.4])[:, None]).sum(axis=0))
    np.testing.assert_allclose(geodome.path(V, F, a, b).length, straight, rtol=1e-12)
    there, back = geodome.path(V, F, a, 300), geodome.path(V, F, 300, a)
    np.testing.assert_allclose(there.length, back.length, rtol=1e-12)


def test_paths_keep_to_the_mask_and_to_components(animal):
    V, F = animal
    mask = np.ones(len(V))
    mask[geodome.path(V, F, 0, 300).corners[3:-3]] = 0
    mask[[0, 300]] = 1
    path = geodome.path(V, F, 0, 300, mask=mask)
    used = path.corners[path.weights > 0]
    assert path.length == np.inf or mask[used].all()
    none = geodome.path(V, F, 0, int(np.flatnonzero(mask == 0)[0]), mask=mask)
    assert none.length == np.inf and len(none) == 0


@pytest.mark.parametrize("bad", [-1, 600, 1.5, ([0, 1, 2], [1, 1, 1]), ([0, 1], [0.5, 0.5])], ids=str)
def test_paths_refuse_points_that_are_none(animal, bad):
    with pytest.raises(ValueError):
        geodome.path(animal, source=0, target=bad)


def test_farthest_points(animal):
    sample = geodome.farthest_points(animal, n=20, start=7)
    assert sample.vertices[0] == 7 and len(set(sample.vertices)) == 20
    assert (np.diff(sample.cover_radius) <= 0).all()
    assert sample.cell[sample.vertices].tolist() == list(range(20))
    np.testing.assert_array_equal(geodome.farthest_points(animal, n=9, start=7).vertices, sample.vertices[:9])
    assert len(geodome.farthest_points(animal, n=20, method="random", seed=2)) == 20
    for wrong in ({"n": 0}, {"n": 10000}, {"n": 5, "start": [900]}, {"method": "poisson"}):
        with pytest.raises(ValueError):
            geodome.farthest_points(animal, **wrong)


def test_mean_distance_is_that_of_the_rows(matrix):
    all_rows = matrix.rows(np.arange(600), raw=True)
    np.testing.assert_allclose(matrix.mean_distance(), all_rows.mean(axis=1), rtol=1e-6)
    areas = matrix.vertex_areas()
    np.testing.assert_allclose(matrix.mean_distance("area"), all_rows @ areas / areas.sum(), rtol=1e-6)
    np.testing.assert_allclose(matrix.mean_distance(areas), matrix.mean_distance("area"), rtol=1e-12)
    for wrong in (np.ones(7), -np.ones(600), "volume", np.ones((600, 2))):
        with pytest.raises(ValueError):
            matrix.mean_distance(wrong)


def test_eccentricity_is_the_largest_of_the_row(matrix):
    largest = matrix.rows(np.arange(600), raw=True).max(axis=1)
    exact = matrix.eccentricity(tolerance=0, most_rows=0)
    np.testing.assert_allclose(exact.values, largest, rtol=0.01)
    found = matrix.eccentricity(tolerance=0.05)
    assert (found.values >= largest - found.bound - 0.01 * largest).all() and found.rows < 300
    assert found.diameter == found.values.max() and found.radius == found.values[found.centre]


def test_partitions(matrix):
    areas = matrix.vertex_areas()
    found = matrix.partition(9)
    np.testing.assert_allclose(np.bincount(found.labels, areas), found.areas, rtol=1e-9)
    assert found.areas.max() < 1.5 * found.areas.min()
    cells = matrix.partition(seeds=[3, 70, 400])
    np.testing.assert_array_equal(cells.labels, np.argmin(matrix.rows([3, 70, 400]), axis=0))
    for wrong in ({}, {"k": 0}, {"k": 601}, {"k": 3, "seeds": [1]}, {"seeds": [1, 1]}):
        with pytest.raises(ValueError):
            matrix.partition(**wrong)


def test_regions(matrix):
    labels = matrix.partition(6).labels
    mean, least = matrix.between_regions(labels)
    raw, rows = matrix.rows(np.arange(600), raw=True), matrix.rows(np.arange(600))
    for r in range(6):
        for s in range(6):
            pairs = np.ix_(labels == r, labels == s)
            np.testing.assert_allclose(mean[r, s], raw[pairs].mean(), rtol=1e-6)
            assert rows[pairs].min() * 0.999 - 1e-9 <= least[r, s] <= rows[pairs].min() + 0.05
    for wrong in (labels[:-1], labels - 2, np.full(600, -1), labels + 0.5):
        with pytest.raises(ValueError):
            matrix.between_regions(wrong)


def test_interpolation(animal):
    V, _ = animal
    some = geodome.farthest_points(animal, n=100).vertices
    full = geodome.interpolate(animal, values=V[some], vertices=some)
    np.testing.assert_array_equal(full[some], V[some])
    assert np.abs(full - V).max() < 0.2
    values = np.full(600, np.nan)
    values[some] = V[some, 2]
    np.testing.assert_allclose(geodome.interpolate(animal, values=values), full[:, 2], atol=1e-9)
    for wrong in (np.zeros(5), np.full(600, np.nan), np.full(600, np.inf), np.zeros((600, 2, 2))):
        with pytest.raises(ValueError):
            geodome.interpolate(animal, values=wrong)
    with pytest.raises(ValueError):
        geodome.interpolate(animal, values=[1.0], vertices=[600])


def test_the_command_line_agrees(animal, matrix, program, tmp_path):
    animal.write(tmp_path / "a.ply")
    matrix.save(tmp_path / "a.geodome")
    told = program("path", tmp_path / "a.ply", 3, 400)["paths"][0]
    path = matrix.path(3, 400)
    assert told["length"] == path.length and len(told["points"]) == len(path)
    assert program("sample", tmp_path / "a.ply", "-n", 9)["sample"] == geodome.farthest_points(animal, n=9).vertices.tolist()
    program("map", tmp_path / "a.geodome", "-o", tmp_path / "mean.npy")
    np.testing.assert_allclose(np.load(tmp_path / "mean.npy").ravel(), matrix.mean_distance(), rtol=1e-6)
