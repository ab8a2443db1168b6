"""What `geodome export` writes is read by the programs it is written for, and holds the same distances everywhere."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import scipy.io

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GEODOME", str(ROOT / "build" / "release" / "geodome"))


def geodome(*arguments):
    words = [PROGRAM, *map(str, arguments), "--json"]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


@pytest.fixture(scope="module")
def torus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("torus")
    geodome("shape", "torus", "--vertices", 600, "-o", folder / "torus.off")
    geodome("build", folder / "torus.off", "-o", folder / "torus.geodome", "--landmarks", 60, "--nonzeros", 15)
    return folder


def export(torus, name, *options):
    """The files written, by name."""
    files = geodome("export", torus / "torus.geodome", "--to", name, "-o", *options)["files"]
    return {pathlib.Path(file).name: file for file in files}


@pytest.fixture(scope="module")
def distances(torus):
    export(torus, "npy", torus / "K.npy", "--precision", "float64")
    return np.load(torus / "K.npy", mmap_mode="r")


def surface_area(path):
    numbers = path.read_text().split()
    vertices, faces = int(numbers[1]), int(numbers[2])
    points = np.array(numbers[4:4 + 3 * vertices], dtype=float).reshape(-1, 3)
    triangles = np.array(numbers[4 + 3 * vertices:4 + 3 * vertices + 4 * faces], dtype=int).reshape(-1, 4)[:, 1:]
    corners = points[triangles]
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2


def test_npy_is_a_distance_matrix(torus, distances):
    n = len(distances)
    assert distances.shape == (n, n) and distances.dtype == np.float64
    assert (np.diagonal(distances) == 0).all() and (distances[~np.eye(n, dtype=bool)] > 0).all()
    np.testing.assert_allclose(distances, distances.T, rtol=1e-12)
    answer = geodome("query", torus / "torus.geodome", 3, 77, 12, 401)["distances"]
    np.testing.assert_allclose(answer, [distances[3, 77], distances[12, 401]], rtol=1e-12)
    export(torus, "npy", torus / "K32.npy")
    single = np.load(torus / "K32.npy")
    assert single.dtype == np.float32
    np.testing.assert_array_equal(single, np.asarray(distances, dtype=np.float32))


def test_csv_is_read_by_numpy(torus, distances):
    export(torus, "csv", torus / "K.csv")
    read = np.loadtxt(torus / "K.csv", delimiter=",", dtype=np.float32)
    np.testing.assert_array_equal(read, np.asarray(distances, dtype=np.float32))


@pytest.mark.parametrize("precision, kind", [("float32", np.float32), ("float64", np.float64)])
def test_mat_is_read_by_scipy(torus, distances, precision, kind):
    export(torus, "mat", torus / "K.mat", "--precision", precision)
    assert {(name, shape) for name, shape, _ in scipy.io.whosmat(torus / "K.mat")} == {
        ("geodist", distances.shape), ("sqrt_area", (1, 1))}
    content = scipy.io.loadmat(torus / "K.mat")
    assert content["geodist"].dtype == kind
    np.testing.assert_allclose(content["geodist"], np.asarray(distances, dtype=kind), rtol=1e-12)
    np.testing.assert_allclose(content["sqrt_area"][0, 0] ** 2, surface_area(torus / "torus.off"), rtol=1e-9)


def test_factors_are_read_by_scipy(torus):
    files = export(torus, "mtx", torus / "factors")
    P, W = scipy.io.mmread(files["P.mtx"]).tocsr(), scipy.io.mmread(files["W.mtx"])
    landmarks = scipy.io.mmread(files["landmarks.mtx"]).ravel()
    assert W.shape == (60, 60) and P.shape[1] == 60
    np.testing.assert_array_equal(W, W.T)
    np.testing.assert_array_equal(P[landmarks].toarray(), np.eye(60))
    export(torus, "npy", torus / "raw.npy", "--raw", "--precision", "float64")
    np.testing.assert_allclose(P @ W @ P.T.toarray(), np.load(torus / "raw.npy"), rtol=1e-5, atol=1e-6 * W.max())


@pytest.mark.parametrize("neighbours", [30, 0])
def test_brainsmash_files_are_sorted_memory_maps(torus, distances, neighbours):
    files = export(torus, "brainsmash", torus / "brainsmash", "--neighbours", neighbours)
    D, index = (np.load(files[name], mmap_mode="r") for name in ("distmat.npy", "index.npy"))
    n = len(distances)
    length = neighbours + 1 if neighbours else n
    assert D.shape == index.shape == (n, length)
    assert D.dtype == np.float32 and index.dtype == np.int32
    assert (index[:, 0] == np.arange(n)).all() and (D[:, 0] == 0).all()
    assert (np.diff(D, axis=1) >= 0).all()
    single = np.asarray(distances, dtype=np.float32)
    np.testing.assert_array_equal(D, np.sort(single, axis=1)[:, :length])
    np.testing.assert_array_equal(D, np.take_along_axis(single, np.asarray(index, dtype=np.int64), axis=1))
