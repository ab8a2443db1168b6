"""Many shapes on a Dask cluster and with Snakemake."""

import os
import pathlib
import subprocess
import sys

import geodome
import joblib
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "many"
OPTIONS = {"landmarks": 60}


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def poses():
    return {f"pose{k}": geodome.make_shape("creature", vertices=400, pose=k) for k in range(4)}


@pytest.fixture(scope="module")
def shapes(poses, tmp_path_factory):
    """A path, arrays, and shapes."""
    file = tmp_path_factory.mktemp("shapes") / "pose0.ply"
    poses["pose0"].write(file)
    return {**poses, "pose0": file, "pose1": tuple(poses["pose1"])}


@pytest.fixture(scope="module")
def serial(shapes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial")
    for name, shape in shapes.items():
        geodome.build(shape, **OPTIONS).save(folder / f"{name}.geodome")
    return contents(folder)


@pytest.fixture(scope="module")
def cluster():
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers, Client(workers) as client:
        yield client


def test_files_from_a_dask_cluster_are_those_of_single_builds(cluster, shapes, serial, tmp_path):
    with joblib.parallel_config("dask"):
        built = geodome.build_many(shapes, tmp_path, **OPTIONS)
        assert contents(tmp_path) == serial and [one.name for one in built] == list(shapes)
        (tmp_path / "pose2.geodome").unlink()
        again = geodome.build_many(shapes, tmp_path, **OPTIONS)
    assert [one.skipped for one in again] == [True, True, False, True] and contents(tmp_path) == serial


def test_a_dask_cluster_returns_an_error_per_shape(cluster, shapes, tmp_path):
    with joblib.parallel_config("dask"), pytest.warns(geodome.ShapeWarning, match="2 of 6 shapes failed"):
        built = geodome.build_many({**shapes, "missing": "missing.ply", "number": 17}, tmp_path, **OPTIONS)
    assert [type(one.error) for one in built] == [type(None)] * 4 + [FileNotFoundError, ValueError]
    assert len(contents(tmp_path)) == 4


def test_a_dask_cluster_matches(cluster, shapes, tmp_path):
    expected = geodome.match(list(shapes.values()), **OPTIONS)
    with joblib.parallel_config("dask"):
        found = geodome.match_many(shapes, tmp_path, **OPTIONS)
        assert all(one.reused for one in geodome.match_many(shapes, tmp_path, **OPTIONS).files)
    np.testing.assert_array_equal(found.distances, expected.distances)


def test_tasks_of_a_dask_cluster_are_stopped(cluster, tmp_path):
    """Also those that a worker has begun, which would take minutes: it looks whether their caller is still there."""
    shapes = {f"s{k}": geodome.make_shape("sphere", vertices=400 if k == 0 else 40000) for k in range(3)}
    with joblib.parallel_config("dask"), pytest.raises(geodome.Cancelled):
        geodome.build_many(shapes, tmp_path, landmarks=3000, geodesic="exact", errors="return",
                           progress=lambda stage, fraction: fraction == 0)
    workers = list(cluster.scheduler_info()["workers"])
    free = [cluster.submit(int, k, workers=[worker], pure=False) for k, worker in enumerate(workers)]
    assert [one.result(timeout=60) for one in free] == [0, 1]
    assert set(contents(tmp_path)) <= {"s0.geodome"}


def run(words, folder):
    path = f"{ROOT / 'build' / 'release'}:{os.environ['PATH']}"
    done = subprocess.run(words, cwd=folder, text=True, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_example_with_dask_continues(tmp_path):
    words = [sys.executable, EXAMPLES / "dask_cluster.py", "--vertices", "400", "--landmarks", "60"]
    first = run(words, tmp_path)
    assert first.count("mean error") == 6 and "kept" not in first
    (tmp_path / "matrices" / "pose3.geodome").unlink()
    assert run(words, tmp_path).count("kept") == 5


def test_snakemake_builds_the_same_files(poses, serial, tmp_path):
    (tmp_path / "in").mkdir()
    for name, pose in poses.items():
        pose.write(tmp_path / "in" / f"{name}.ply")
    words = [sys.executable, "-m", "snakemake", "--snakefile", EXAMPLES / "Snakefile", "--cores", "2"]

    def config(landmarks):
        return ["--config", "shapes=in", "matrices=out", f"options=--landmarks {landmarks}"]

    dry = run([*words, "--dry-run", *config(60)], tmp_path)
    assert dry.count("rule build:") == 4 and not (tmp_path / "out").exists()
    run([*words, *config(60)], tmp_path)
    folder = tmp_path / "python"
    folder.mkdir()
    geodome.build_many([tmp_path / "in" / f"{name}.ply" for name in poses], folder, **OPTIONS)
    assert contents(tmp_path / "out") == contents(folder)
    assert "Nothing to be done" in run([*words, *config(60)], tmp_path)
    assert run([*words, "--dry-run", *config(50)], tmp_path).count("rule build:") == 4
