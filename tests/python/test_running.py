"""How calls run: progress, cancelling, threads, memory, time to import."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import types

import geodome
import numpy as np
import pytest
from geodome import _progress


@pytest.fixture(scope="module")
def large():
    """Takes some seconds to measure."""
    return geodome.make_shape("sphere", vertices=12000)


def test_progress_is_told():
    told = []
    geodome.distances(geodome.make_shape("sphere", vertices=6000), sources=np.arange(200), geodesic="marching",
                      progress=lambda stage, fraction: told.append((stage, fraction)))
    assert told and all(isinstance(stage, str) and 0 <= fraction <= 1 for stage, fraction in told)


def test_quick_work_is_told_too():
    told = []
    geodome.distances(geodome.make_shape("sphere", vertices=300), sources=[0], progress=lambda *news: told.append(news))
    assert told


def test_false_cancels(large):
    with pytest.raises(geodome.Cancelled):
        geodome.build(large, landmarks=3000, progress=lambda stage, fraction: False)


def test_every_stage_can_be_refused(animal):
    """However quick it is."""
    told = []
    geodome.build(animal, landmarks=60, progress=lambda stage, fraction: told.append(stage))
    stages = list(dict.fromkeys(told))
    assert "landmark distances" in stages and "weights" in stages
    for refused in stages:
        with pytest.raises(geodome.Cancelled):
            geodome.build(animal, landmarks=60, progress=lambda stage, fraction: stage != refused)


def broken_off(shape, file, **options):
    """A build that is stopped when all distances have been measured."""
    with pytest.raises(geodome.Cancelled):
        geodome.build(shape, resume=file, progress=lambda stage, fraction: stage != "weights", **options)
    assert file.stat().st_size > 0


def test_a_build_goes_on_where_it_was_broken_off(animal, tmp_path):
    file, options = tmp_path / "animal.progress", {"landmarks": 60, "save_every": 8, "geodesic": "marching"}
    geodome.build(animal, **options).save(tmp_path / "whole.geodome")
    broken_off(animal, file, **options)
    content = file.read_bytes()
    for share, recalled in ((1, {60}), (0.6, {24, 32}), (0, {0})):
        file.write_bytes(content[: int(share * len(content))])  # as where the power went
        m = geodome.build(animal, resume=file, **options)
        assert m.summary["recalled_landmarks"] in recalled and not file.exists()
        m.save(tmp_path / "resumed.geodome")
        assert (tmp_path / "resumed.geodome").read_bytes() == (tmp_path / "whole.geodome").read_bytes()


def test_what_another_build_left_is_not_used(animal, tmp_path):
    broken_off(animal, tmp_path / "log", landmarks=60)
    assert geodome.build(animal, resume=tmp_path / "log", landmarks=50).summary["recalled_landmarks"] == 0
    broken_off(animal, tmp_path / "log", landmarks=60)
    first, second = geodome.build([animal, animal], resume=[tmp_path / "log", None], landmarks=60)
    assert first.summary["recalled_landmarks"] == 60 and second.summary["recalled_landmarks"] == 0


@pytest.mark.parametrize("options, message", [
    ({"distances": lambda vertex: np.zeros(600)}, "given"), ({"save_every": -1}, "-1"),
    ({"method": "fmds"}, "resume= .*fmds.*sbha, bha and cell"),
])
def test_what_cannot_be_resumed_is_refused(animal, tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        geodome.build(animal, resume=tmp_path / "log", **options)


def test_a_log_that_cannot_be_written_is_an_os_error(animal, tmp_path):
    with pytest.raises(OSError, match="missing"):
        geodome.build(animal, landmarks=60, resume=tmp_path / "missing" / "log")


def test_errors_in_progress_arrive(large):
    def fail(stage, fraction):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        geodome.build(large, landmarks=3000, progress=fail)


@pytest.fixture
def heeds_interrupts():
    """Also where the tests run in the background, which makes shells ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_stops_a_long_build(large, heeds_interrupts):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        geodome.distances(large, sources=np.arange(12000), geodesic="exact")
    timer.join()


# Works until it is interrupted, mostly in a factorisation, which cannot be.
INTERRUPTED = """
import os, signal, sys, threading
import geodome
signal.signal(signal.SIGINT, signal.default_int_handler)
shape = geodome.make_shape("sphere", vertices=60000)
threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        geodome.distances(shape, sources=[0], geodesic="heat", progress=False)
except KeyboardInterrupt:
    if "caught" not in sys.argv:
        raise
del shape
print(geodome.distances(geodome.make_shape("sphere", vertices=300), sources=[0]).max() > 3)
sys.exit(3)
"""


@pytest.mark.parametrize("how, code, said", [("caught", 3, "True\n"), ("uncaught", -signal.SIGINT, "")])
def test_an_interrupt_ends_what_cannot_be_interrupted(how, code, said):
    run = subprocess.run([sys.executable, "-c", INTERRUPTED, how], capture_output=True, text=True, timeout=300)
    assert run.returncode == code, run.stderr
    assert run.stdout == said
    assert ("KeyboardInterrupt" in run.stderr) == (how == "uncaught")


def test_dimensions_are_bounded(animal):
    m = geodome.build(animal, landmarks=60)
    for dimensions in (0, m.shape[0] + 1, 10**6):
        with pytest.raises(ValueError, match=str(dimensions)):
            m.embed(dimensions)


@pytest.mark.parametrize("threads", [-1, 4097, 2**31 - 1])
def test_threads_are_bounded(animal, threads):
    with pytest.raises(ValueError, match=str(threads)):
        geodome.distances(animal, sources=[0, 1], threads=threads)


def test_other_threads_go_on(large):
    ticks, done = 0, threading.Event()

    def work():
        geodome.distances(large, sources=np.arange(1000), geodesic="marching", threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 10


def test_a_bar_appears_late_and_goes():
    now, lines = [0.0], []
    bar = _progress.Bar(lines.append, lambda: now[0])
    bar("W", 0.1)
    assert lines == []
    now[0] = 4
    bar("W", 0.5)
    assert "W" in lines[-1] and "50 %" in lines[-1] and "0:04 left" in lines[-1]
    now[0] = 4.01
    bar("W", 0.51)
    assert len(lines) == 1
    bar.close()
    assert lines[-1] == ""


@pytest.fixture
def without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm.notebook", None)


def test_the_bar_is_in_the_terminal(monkeypatch, capsys, without_tqdm):
    monkeypatch.setattr(_progress, "_PATIENCE", 0)
    geodome.distances(geodome.make_shape("sphere", vertices=6000), sources=np.arange(200), geodesic="marching",
                      progress=True)
    assert "%" in capsys.readouterr().err


class Tqdm:
    """What a bar asks of tqdm."""

    made: list = []

    def __init__(self, *, total, desc, delay, leave, **options):
        assert total == 1 and not leave
        self.desc, self.delay, self.n, self.told, self.closed = desc, delay, 0.0, [], False
        self.made.append(self)

    def update(self, step):
        assert not self.closed
        self.n += step
        self.told.append(self.n)

    def close(self):
        self.closed = True


@pytest.fixture
def with_tqdm(monkeypatch):
    monkeypatch.setattr(Tqdm, "made", [])
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Tqdm))
    return Tqdm.made


def test_tqdm_shows_every_stage(with_tqdm, animal, capsys):
    geodome.build(animal, landmarks=60, method="sbha", progress=True)
    assert {"landmark distances", "interpolation"} <= {bar.desc for bar in with_tqdm}
    assert all(bar.closed and all(0 <= n <= 1 for n in bar.told) for bar in with_tqdm)
    assert capsys.readouterr().err == ""
    with_tqdm.clear()
    geodome.build(animal, landmarks=60, progress=False)
    assert with_tqdm == []


def test_tqdm_bars_appear_late_and_go():
    now = [0.0]
    bar = _progress.TqdmBar(Tqdm, lambda: now[0])
    bar("P", 0.5)
    now[0] = 1.5
    bar("W", 0.25)
    bar("W", 0.75)
    first, second = Tqdm.made[-2:]
    assert first.closed and first.delay == 2 and first.told == [0.5]
    assert not second.closed and second.delay == 0.5 and second.told == [0.25, 0.75]
    now[0] = 4
    bar("P", 0.1)
    assert Tqdm.made[-1].delay == 0
    bar.close()
    assert all(one.closed for one in Tqdm.made)


def test_an_error_removes_the_bar(with_tqdm, animal):
    with pytest.raises(ValueError, match="landmarks"):
        geodome.build(animal, landmarks=10**6, progress=True)
    assert all(bar.closed for bar in with_tqdm)


class Notebook:
    """What a bar asks of IPython there."""

    def __init__(self, monkeypatch):
        self.shown = []
        shell = type("ZMQInteractiveShell", (), {})()
        monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
        monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=self.display))

    def display(self, line, display_id):
        assert display_id
        self.update(line)
        return self

    def update(self, line):
        self.shown.append(line._repr_mimebundle_() if hasattr(line, "_repr_mimebundle_") else line)


def test_the_bar_is_in_the_notebook(monkeypatch, capsys, animal, without_tqdm):
    monkeypatch.setattr(_progress, "_PATIENCE", 0)
    monkeypatch.setattr(_progress, "_INTERVAL", 0)
    notebook = Notebook(monkeypatch)
    geodome.build(animal, landmarks=60)
    assert any(line["text/plain"].startswith("landmark distances [") for line in notebook.shown[:-1])
    assert notebook.shown[-1] == {"text/html": ""} and capsys.readouterr().err == ""


def test_tqdm_leaves_nothing_in_a_notebook(monkeypatch, capsys, animal):
    class Widget(Tqdm):
        container = "a widget"

        def __init__(self, *, display, **options):
            assert not display
            super().__init__(delay=0, **options)

        def set_description(self, desc, refresh):
            self.desc = desc

        def reset(self):
            self.n = 0.0

    monkeypatch.setattr(Tqdm, "made", [])
    monkeypatch.setattr(_progress, "_PATIENCE", 0)
    monkeypatch.setitem(sys.modules, "ipywidgets", types.ModuleType("ipywidgets"))
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.notebook", types.SimpleNamespace(tqdm=Widget))
    notebook = Notebook(monkeypatch)
    geodome.build(animal, landmarks=60)
    [bar] = Tqdm.made  # for all stages
    assert bar.closed and bar.desc and len(bar.told) > 2 and notebook.shown == ["a widget", {"text/html": ""}]
    assert capsys.readouterr().err == ""


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not tell memory")
def test_no_leak_over_a_hundred_builds(animal):
    def use():
        m = geodome.build(animal, landmarks=60, geodesic="edges", nonzeros=20)
        m.rows(np.arange(200))
        m.nearest(0, 5)
        m.embed(2)
        m @ np.ones(600)
        return m.nbytes

    for _ in range(20):
        size = use()
    gc.collect()
    before = resident()
    for _ in range(100):
        use()
    gc.collect()
    assert resident() - before < 100 * size / 2  # the matrices alone would take twice that, if they stayed


def test_importing_is_quick_and_light():
    code = ("import sys, numpy; known = set(sys.modules); import geodome; "
            "print([name for name in set(sys.modules) - known if name.split('.')[0] in "
            "('scipy', 'sklearn', 'pandas', 'matplotlib', 'IPython', 'nibabel', 'trimesh', 'tqdm', 'joblib')])")
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == "[]"


def test_the_licence_is_told():
    assert (geodome.cholesky, geodome.licence) in (("CHOLMOD", "GPL-2.0-or-later"), ("Eigen", "MIT"))
    from importlib import metadata
    files = [file for file in metadata.files("geodome") if "LICENSE" in file.name]
    assert len(files) >= 2
    told = " ".join(file.read_text() for file in files if "wheel" in file.name)
    assert ("the GPL only" in told) == (geodome.cholesky == "CHOLMOD")
