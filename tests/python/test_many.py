"""Files and canonical forms of many shapes, distributed."""

import os
import pathlib
import pickle
import subprocess
import sys
import time

import geodome
import joblib
import numpy as np
import pytest
from geodome import _distribute, _many

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "many"
OPTIONS = {"landmarks": 60}


@pytest.fixture(scope="module")
def poses():
    return [geodome.make_shape("creature", vertices=400, pose=pose) for pose in range(4)]


@pytest.fixture(scope="module")
def shapes(poses, tmp_path_factory):
    """The same shapes in all forms in which they can be given."""
    file = tmp_path_factory.mktemp("shapes") / "first.ply"
    poses[0].write(file)
    V, F = poses[1]
    lists = [list(point) for point in poses[3].points], poses[3].faces
    return {"first": file, "second": (V, F), "third": poses[2], "fourth": lists,
            "cloud": geodome.as_shape(points=poses[0].points)}


@pytest.fixture(scope="module")
def files(shapes, tmp_path_factory):
    """Bytes of the files that builds one by one write."""
    folder = tmp_path_factory.mktemp("serial")
    for name, shape in shapes.items():
        geodome.build(shape, **OPTIONS).save(folder / f"{name}.geodome")
    return contents(folder)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def changed(folder):
    """Names of the files that are not those of the last call."""
    before = changed.times.get(folder, {})
    changed.times[folder] = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    return {name for name, time_ in changed.times[folder].items() if before.get(name) != time_}


changed.times = {}


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing", "sequential"])
def test_files_are_those_of_single_builds(shapes, files, tmp_path, backend):
    with joblib.parallel_config(backend, n_jobs=1 if backend == "sequential" else 2):
        built = geodome.build_many(shapes, tmp_path, **OPTIONS)
    assert contents(tmp_path) == files
    assert [one.name for one in built] == list(shapes)
    for one in built:
        matrix = geodome.load(one.file)
        assert (one.error, one.skipped, one.vertices, one.landmarks) == (None, False, len(matrix), 60)
        assert one.nbytes == matrix.nbytes and one.file_bytes == os.path.getsize(one.file)
        assert one.mean_error == matrix.recipe["measured_error"]["mean_relative_error"] and one.seconds > 0


def test_finished_files_are_kept(shapes, files, tmp_path):
    geodome.build_many(shapes, tmp_path, n_jobs=2, **OPTIONS)
    changed(tmp_path)
    (tmp_path / "second.geodome").unlink()
    again = geodome.build_many(shapes, tmp_path, n_jobs=2, **OPTIONS)
    assert [one.name for one in again if not one.skipped] == ["second"]
    assert changed(tmp_path) == {"second.geodome"} and contents(tmp_path) == files
    assert all(one.landmarks == 60 and one.mean_error and one.file_bytes for one in again)
    assert not any(one.skipped for one in geodome.build_many(shapes, tmp_path, n_jobs=2, rebuild=True, **OPTIONS))
    assert contents(tmp_path) == files


@pytest.mark.parametrize("other", [
    {"landmarks": 50}, {"landmarks": None}, {"seed": 1}, {"squared": True}, {"method": "sbha"}, {"nonzeros": 20},
    {"method": "ctg"}, {"geodesic": "heat"}, {"rounding": 0.5}, {"evaluate": 11}, {"certificate": False},
    {"mean_error": 0.05}, {"landmarks": [0, 50, 100, 150, 200, 250, 300, 350]}, {"with_shape": False}, {"positional": True},
    {"landmark_method": "random"}, {"mask": np.arange(400) > 7}, {"save_every": 8}], ids=str)
def test_files_of_other_options_are_replaced(poses, tmp_path, other):
    def build(**more):
        [one] = geodome.build_many({"pose": poses[0]}, tmp_path, **{**OPTIONS, **more})
        assert one.error is None
        return one.skipped

    assert [build(), build(), build(**other), build(**other), build()] == [False, True, False, True, False]


def test_stale_damaged_and_foreign_files_are_replaced(poses, tmp_path):
    file = tmp_path / "pose.geodome"

    def build(shape):
        [one] = geodome.build_many({"pose": shape}, tmp_path, **OPTIONS)
        assert one.error is None and geodome.load(file, verify=True).shape[0] == len(geodome.as_shape(shape))
        return one.skipped

    assert not build(poses[0])
    content = file.read_bytes()
    V, F = poses[0]
    moved = V.copy()
    moved[17, 1] += 1e-12
    assert not build((moved, F)) and not build(poses[0]) and build(poses[0])
    for at in np.linspace(0, len(content) - 1, 9).astype(int):
        damaged = bytearray(content)
        damaged[at] ^= 4
        file.write_bytes(damaged)
        assert not build(poses[0]) and file.read_bytes() == content
    for other in (b"", content[:-1], b"not a matrix"):
        file.write_bytes(other)
        assert not build(poses[0]) and file.read_bytes() == content
    geodome.build(poses[1], **OPTIONS).save(file)
    assert not build(poses[0]) and file.read_bytes() == content
    geodome.build(poses[0], **OPTIONS).save(file)  # the file that this would write
    assert build(poses[0])


def test_an_error_is_of_one_shape(poses, tmp_path):
    V, F = poses[0]
    shapes = {"good": poses[1], "missing": tmp_path / "missing.ply", "wrong": (V, F + 400), "unknown": 17, "last": poses[2]}
    with pytest.warns(geodome.ShapeWarning, match="3 of 5 shapes failed.*'missing'"):
        built = geodome.build_many(shapes, tmp_path, n_jobs=2, **OPTIONS)
    assert [type(one.error) for one in built] == [type(None), FileNotFoundError, ValueError, ValueError, type(None)]
    assert "400" in str(built[2].error) and "int" in str(built[3].error)
    assert set(contents(tmp_path)) == {"good.geodome", "last.geodome"}
    with pytest.raises(ValueError, match="shape 'wrong': .*400"):
        geodome.build_many({"wrong": (V, F + 400), "good": poses[1]}, tmp_path, errors="raise", **OPTIONS)
    with pytest.raises(FileNotFoundError, match="missing.ply"):
        geodome.build_many([tmp_path / "missing.ply"], tmp_path, n_jobs=2, errors="raise", **OPTIONS)
    assert set(contents(tmp_path)) <= {"good.geodome", "last.geodome"}


def test_numerical_failure_is_of_one_shape(poses, tmp_path):
    with pytest.warns(geodome.ShapeWarning, match="failed"):
        [one] = geodome.build_many({"pose": poses[0]}, tmp_path, n_jobs=2, mean_error=1e-9, geodesic="heat")
    assert isinstance(one.error, geodome.NumericalError) and "not reached" in str(one.error)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_warnings_of_workers_arrive(poses, tmp_path, n_jobs):
    V, F = poses[0]
    seam = (np.vstack([V, V]), np.vstack([F, F + len(V)]))  # all vertices twice
    with pytest.warns(geodome.ShapeWarning, match="1 of 2 shapes have warnings.*'seam'.*same position"):
        built = geodome.build_many({"pose": poses[0], "seam": seam}, tmp_path, n_jobs=n_jobs, **OPTIONS)
    assert built[0].warnings == () and "same position" in " ".join(built[1].warnings)


def test_names_come_from_files(poses, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.ply", "b.c.off", "d.obj"):
        poses[0].write(tmp_path / "in" / name)
    built = geodome.build_many([*sorted((tmp_path / "in").iterdir()), poses[1], ("mine", poses[2])], tmp_path, **OPTIONS)
    assert [one.name for one in built] == ["a", "b.c", "d", "shape_3", "mine"]
    assert _distribute.stem("x/lh.pial.gii.gz") == "lh.pial"


@pytest.mark.parametrize("shapes, message", [
    (["one/lh.ply", "two/lh.ply"], "'lh' and 'lh'.*dictionary"), ({"A": 1, "a": 2}, "'A' and 'a'"),
    ([("../x", 1)], "'../x' cannot"), ({"": 1}, "cannot"), ({".x": 1}, "dot"), ({7: 1}, "string, not int"),
    ("one.ply", "several shapes"), (np.zeros((3, 3)), "several shapes"),
    ((np.zeros((3, 3)), np.array([[0, 1, 2]])), "several shapes"), (geodome.make_shape("sphere", 300), "several shapes"),
    (7, "several shapes"),
])
def test_bad_names_are_refused(tmp_path, shapes, message):
    with pytest.raises(ValueError, match=message):
        geodome.build_many(shapes, tmp_path)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("options, message", [
    ({"landmark": 5}, "no option 'landmark'"), ({"method": "fmds"}, "fmds.*cannot be stored"), ({"method": "cel"}, "cel"),
    ({"distances": "d.npy"}, "distances= is not an option"), ({"resume": "x"}, "resume= is not"),
    ({"points": 1}, "as_shape"), ({"errors": "ignore"}, "'ignore'"), ({"threads": -1}, "-1"), ({"mean_error": 2}, "between"),
    ({"mask": {"other": 1}}, "'other'"), ({"mask": [1, 2, 3]}, "3 entries for 2"), ({"evaluate": 0}, "at least 1"),
])
def test_options_that_suit_no_shape_are_refused(poses, tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        geodome.build_many(poses[:2], tmp_path, **options)
    assert contents(tmp_path) == {}


def test_bad_folders_are_refused(poses, tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        geodome.build_many(poses, tmp_path / "missing")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="file"):
        geodome.build_many(poses, tmp_path / "file")
    with pytest.raises(OSError, match="cannot write into the folder.*'/proc'"):  # not even for root
        geodome.build_many(poses, "/proc")
    (tmp_path / "pose.geodome").mkdir()
    with pytest.warns(geodome.ShapeWarning, match="folder"):
        [one] = geodome.build_many({"pose": poses[0]}, tmp_path, **OPTIONS)
    assert isinstance(one.error, IsADirectoryError)


def test_masks(poses, tmp_path):
    masks = [np.arange(400) >= k for k in (0, 5, 9)]
    np.save(tmp_path / "mask.npy", masks[1].astype(np.int32))
    shapes = dict(zip("xyz", poses))
    for folder, own in (("each", masks), ("all", masks[2:] * 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / f"{folder}-expected").mkdir()
        for (name, shape), mask in zip(shapes.items(), own):
            geodome.build(shape, mask=mask, **OPTIONS).save(tmp_path / f"{folder}-expected" / f"{name}.geodome")
    geodome.build_many(shapes, tmp_path / "each", n_jobs=2, mask=[masks[0], tmp_path / "mask.npy", masks[2]], **OPTIONS)
    kept = geodome.build_many(shapes, tmp_path / "each", mask=dict(zip("xyz", masks)), **OPTIONS)
    assert [one.skipped for one in kept] == [True] * 3
    geodome.build_many(shapes, tmp_path / "all", mask=masks[2], **OPTIONS)
    for folder in ("each", "all"):
        assert contents(tmp_path / folder) == contents(tmp_path / f"{folder}-expected")


def test_progress_is_told_and_cancels(poses, tmp_path):
    told = []
    geodome.build_many(poses, tmp_path, n_jobs=2, progress=lambda stage, fraction: told.append((stage, fraction)), **OPTIONS)
    assert told == [("shapes", fraction) for fraction in (0, 0.25, 0.5, 0.75, 1)]
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend, n_jobs=2), pytest.raises(geodome.Cancelled):
            geodome.build_many(poses, tmp_path, rebuild=True, progress=lambda stage, fraction: fraction < 0.25, **OPTIONS)
    assert {name[-8:] for name in contents(tmp_path)} == {".geodome"}


def test_results_and_errors_can_be_pickled(poses, tmp_path):
    [one] = geodome.build_many({"x": poses[0]}, tmp_path, **OPTIONS)
    assert pickle.loads(pickle.dumps(one)) == one

    class Own(Exception):
        def __reduce__(self):
            raise TypeError("no")

    assert "Own: why" in str(pickle.loads(pickle.dumps(_distribute.portable_error(Own("why")))))


def test_the_extra_is_named(poses, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(ImportError, match=r"build_many needs joblib.*pip install 'geodome\[many\]'"):
        geodome.build_many(poses, tmp_path)


def test_workers_without_the_folder_say_so(poses, tmp_path):
    settings = _many._Settings(str(tmp_path), str(tmp_path / "gone"), {}, 1, True, False)
    one = _many.build_one(_many._BuildJob("x", poses[0], None, settings))
    assert isinstance(one.error, FileNotFoundError) and "all workers share" in str(one.error)


def test_work_of_a_caller_that_is_gone_is_stopped(tmp_path):
    now = [0.0]
    watch = _distribute.Watch(str(tmp_path / "staging"), lambda: now[0])
    (tmp_path / "staging").mkdir()
    assert watch("W", 0.1)
    (tmp_path / "staging").rmdir()
    now[0] = 0.5
    assert watch("W", 0.2)  # not looked yet
    now[0] = 1.5
    assert not watch("W", 0.3)


INTERRUPTED = """
import os, pathlib, signal, sys, threading, time
import geodome, joblib
signal.signal(signal.SIGINT, signal.default_int_handler)
folder = pathlib.Path(sys.argv[1])

def interrupt():
    while len(list(folder.glob("*.geodome"))) < 2:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
shapes = [geodome.make_shape("sphere", vertices=1000 + 100 * k) for k in range(8)]
with joblib.parallel_config(sys.argv[2], n_jobs=1 if sys.argv[2] == "sequential" else 2):
    try:
        geodome.build_many(shapes, folder, landmarks=100)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("backend", ["loky", "threading", "sequential"])
def test_an_interrupt_leaves_whole_files_only(tmp_path, backend):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, tmp_path, backend], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.stdout == "interrupted\n", done.stderr
    time.sleep(0.2)
    left = sorted(file.name for file in tmp_path.iterdir())
    assert 2 <= len(left) < 8 and all(name.endswith(".geodome") for name in left)
    for name in left:
        geodome.load(tmp_path / name, verify=True)
    shapes = [geodome.make_shape("sphere", vertices=1000 + 100 * k) for k in range(8)]
    again = geodome.build_many(shapes, tmp_path, n_jobs=2, landmarks=100)
    assert sorted(f"{one.name}.geodome" for one in again if one.skipped) == left and len(contents(tmp_path)) == 8


# Canonical forms.

@pytest.fixture(scope="module")
def animals(poses):
    return {"a0": poses[0], "a1": poses[1], "ring": geodome.make_shape("torus", vertices=400)}


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_many_match_as_few(animals, tmp_path, backend):
    one_by_one = geodome.match(list(animals.values()), **OPTIONS)
    with joblib.parallel_config(backend, n_jobs=2):
        found = geodome.match_many(animals, tmp_path, **OPTIONS)
    np.testing.assert_array_equal(found.distances, one_by_one.distances)
    np.testing.assert_array_equal(found.nearest, one_by_one.nearest)
    np.testing.assert_array_equal(found.embedding, one_by_one.embedding)
    for form, expected in zip(found.forms, one_by_one.forms):
        np.testing.assert_array_equal(form, expected)
    assert found.unit == one_by_one.unit and found.names == list(animals) and "3 shapes" in repr(found)


@pytest.mark.filterwarnings("ignore::geodome.ShapeWarning")  # few landmarks are too few for fmds
def test_forms_are_reused(animals, tmp_path):
    def reused(**options):
        return [one.reused for one in geodome.match_many(animals, tmp_path, n_jobs=2, **{**OPTIONS, **options}).files]

    assert reused() == [False] * 3 and reused() == [True] * 3
    for other in ({"landmarks": 50}, {"n_components": 2}, {"seed": 3}, {"method": "fmds"},
                  {"method": "fmds", "softening": 20.0}, {"landmarks": [0, 100, 200, 300, 350, 399]}):
        assert reused(**other) == [False] * 3 and reused(**other) == [True] * 3
    files = sorted(tmp_path.glob("a0-*.npy"))
    for file in files:
        file.write_bytes(file.read_bytes()[:-1])
    assert reused() == [False, True, True]


def test_built_files_and_matrices_are_matched(animals, tmp_path):
    built = geodome.build_many(animals, tmp_path, n_jobs=2, **OPTIONS)
    expected = geodome.match([geodome.load(one.file) for one in built])
    for shapes in ([one.file for one in built], [(one.name, geodome.load(one.file)) for one in built]):
        found = geodome.match_many(shapes, tmp_path, n_jobs=2)
        np.testing.assert_array_equal(found.distances, expected.distances)
    assert [one.reused for one in found.files] == [True] * 3
    geodome.build(animals["ring"], landmarks=50).save(built[0].file)
    assert [one.reused for one in geodome.match_many([one.file for one in built], tmp_path).files] == [False, True, True]


def test_shapes_that_fail_are_left_out(animals, tmp_path):
    shapes = {"a0": animals["a0"], "bad": "missing.ply", "a1": animals["a1"], "ring": animals["ring"]}
    with pytest.raises(FileNotFoundError, match="missing.ply"):
        geodome.match_many(shapes, tmp_path, **OPTIONS)
    with pytest.warns(geodome.ShapeWarning, match="1 of 4 shapes failed"):
        found = geodome.match_many(shapes, tmp_path, errors="return", **OPTIONS)
    assert found.estimated.shape == found.distances.shape and not found.estimated.any()
    assert found.nearest.tolist()[:3] == [2, -1, 0] and np.isnan(found.distances[1]).all() and found.forms[1].shape == (0, 3)
    assert isinstance(found.files[1].error, FileNotFoundError) and "nan" not in repr(found)
    whole = geodome.match_many(animals, tmp_path, **OPTIONS)
    np.testing.assert_array_equal(found.distances[np.ix_([0, 2, 3], [0, 2, 3])], whole.distances)
    with pytest.raises(ValueError, match="at least two shapes, got 1"):
        geodome.match_many([animals["a0"]], tmp_path)
    with pytest.raises(ValueError, match="candidates must be at least 0, got -1"):
        geodome.match_many(animals, tmp_path, candidates=-1)


# The script for SLURM, without SLURM.

@pytest.fixture
def array_task(tmp_path, poses, program):
    names = ["a.ply", "b.c.off", "d.obj"]
    (tmp_path / "in").mkdir()
    for name, pose in zip(names, poses):
        pose.write(tmp_path / "in" / name)
    (tmp_path / "list.txt").write_text("".join(f"in/{name}\n" for name in names))
    path = f"{pathlib.Path(__file__).resolve().parents[2] / 'build' / 'release'}:{os.environ['PATH']}"

    def run(task, *arguments):
        extra = {} if task is None else {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_CPUS_PER_TASK": "1"}
        return subprocess.run(["bash", EXAMPLES / "slurm_array.sh", *arguments], cwd=tmp_path, text=True,
                              env={**os.environ, "PATH": path, **extra}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return run


def test_tasks_of_a_slurm_array_build_what_python_builds(array_task, tmp_path, poses):
    assert subprocess.run(["bash", "-n", EXAMPLES / "slurm_array.sh"]).returncode == 0
    for task in (1, 2, 3):
        done = array_task(task, "list.txt", "out", "--landmarks", "60")
        assert done.returncode == 0, done.stderr
    (tmp_path / "python").mkdir()
    geodome.build_many(sorted((tmp_path / "in").iterdir()), tmp_path / "python", **OPTIONS)
    assert contents(tmp_path / "out") == contents(tmp_path / "python")
    # Python knows these files as its own.
    kept = geodome.build_many(sorted((tmp_path / "in").iterdir()), tmp_path / "out", **OPTIONS)
    assert [one.skipped for one in kept] == [True] * 3


def test_the_slurm_script_refuses_what_it_cannot_do(array_task, tmp_path):
    for task, arguments, message in ((None, ("list.txt", "out"), "--array"), (9, ("list.txt", "out"), "1-3"),
                                     (1, ("list.txt",), "usage")):
        done = array_task(task, *arguments)
        assert done.returncode != 0 and message in done.stderr
    (tmp_path / "list.txt").write_text("in/a.ply\nother/a.obj\n")
    done = array_task(1, "list.txt", "out")
    assert done.returncode == 2 and "different names" in done.stderr
    assert not (tmp_path / "out").exists()
