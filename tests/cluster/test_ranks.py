"""geodome-mpi: the files of one process from any number of ranks, and runs that end, however they end."""

import ctypes
import fcntl
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GEODOME", str(ROOT / "build" / "release" / "geodome"))
RANKS_PROGRAM = os.environ.get("GEODOME_MPI", str(ROOT / "build" / "mpi" / "geodome-mpi"))
SECONDS = 100  # nothing may hang

# As root, and more ranks than cores; the rest makes the ranks talk to each other on this machine only.
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl": "self,vader,tcp",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
}


def geodome(*arguments):
    words = [PROGRAM, *map(str, arguments), "--json"]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


def command(ranks, *arguments):
    return ["mpirun", "-n", str(ranks), RANKS_PROGRAM, *map(str, arguments)]


def run(words, **options):
    return subprocess.run(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS, check=False, **options)


def on_ranks(ranks, *arguments, **options):
    result = run(command(ranks, *arguments, "--threads", 1, "--json"), **options)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def torus(tmp_path_factory):
    """A torus of 20,000 vertices, and its files built by one process."""
    folder = tmp_path_factory.mktemp("torus")
    geodome("shape", "torus", "--vertices", 20000, "-o", folder / "torus.ply")
    geodome("shape", "torus", "--vertices", 6000, "-o", folder / "small.ply")
    for method in ("sbha", "cell"):
        geodome("build", folder / "torus.ply", "-o", folder / f"{method}.geodome", "--method", method, "-l", 400,
                "--save-every", 100)
    return folder


def same(a, b):
    return pathlib.Path(a).read_bytes() == pathlib.Path(b).read_bytes()


@pytest.mark.parametrize("method", ["sbha", "cell"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_files_are_those_of_one_process(torus, tmp_path, method, ranks):
    facts = on_ranks(ranks, "build", torus / "torus.ply", "-o", tmp_path / "x.geodome", "--method", method, "-l", 400,
                     "--save-every", 100)
    assert facts["landmarks"] == 400
    assert same(tmp_path / "x.geodome", torus / f"{method}.geodome")
    assert [one.name for one in tmp_path.iterdir()] == ["x.geodome"]  # no log, no temporary file


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("precision", ["float32", "uint16"])
def test_distances_in_a_file_change_nothing(torus, tmp_path, precision, ranks):
    options = ["--method", "sbha", "-l", 400, "--save-every", 100, "--precision", precision]
    expected = torus / "sbha.geodome" if precision == "float32" else tmp_path / "alone.geodome"
    if precision != "float32":
        geodome("build", torus / "torus.ply", "-o", expected, *options)
    (tmp_path / "ranks").mkdir()
    output = tmp_path / "ranks" / "x.geodome"
    facts = on_ranks(ranks, "build", torus / "torus.ply", "-o", output, *options, "--landmark-memory", 0)
    assert facts["scratch_bytes"] == 400 * 401 // 2 * (4 if precision == "float32" else 2)
    assert same(output, expected)
    assert [one.name for one in output.parent.iterdir()] == ["x.geodome"]


def principal_cosine(a, b):
    """Of the largest angle between the spaces of two sets of columns."""
    bases = [np.linalg.qr(one - one.mean(axis=0))[0] for one in (a, b)]
    return np.linalg.svd(bases[0].T @ bases[1], compute_uv=False).min()


@pytest.mark.parametrize("shape", ["torus", "sphere", "line"])
def test_embeddings_are_those_of_one_process(torus, tmp_path, shape):
    if shape == "line":  # of rank one: Lanczos iteration breaks down
        edges = "\n".join(f"{k} {k + 1} 0.5" for k in range(2999))
        (tmp_path / "line.txt").write_text(edges + "\n")
        geodome("build", tmp_path / "line.txt", "-o", tmp_path / "line.geodome", "-l", 60)
        path = tmp_path / "line.geodome"
    elif shape == "sphere":  # whose eigenvalues are repeated
        geodome("shape", "sphere", "--vertices", 6000, "-o", tmp_path / "sphere.ply")
        geodome("build", tmp_path / "sphere.ply", "-o", tmp_path / "sphere.geodome", "-l", 200)
        path = tmp_path / "sphere.geodome"
    else:
        path = torus / "sbha.geodome"
    alone = geodome("embed", path, "-o", tmp_path / "alone.npy", "--stress-rows", 8)
    facts = on_ranks(3, "embed", path, "-o", tmp_path / "ranks.npy", "--stress-rows", 8)
    expected = np.array(alone["eigenvalues"])
    found = np.array(facts["eigenvalues"])
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
    # Of a line it is rounding, and what the residuals leave.
    assert facts["stress"] == pytest.approx(alone["stress"], rel=1e-6, abs=1e-6 * np.abs(expected).max())
    Z, ranks = np.load(tmp_path / "alone.npy"), np.load(tmp_path / "ranks.npy")
    used = np.abs(Z).max(axis=0) > 0
    assert (used == (np.abs(ranks).max(axis=0) > 0)).all()
    assert principal_cosine(Z[:, used], ranks[:, used]) > 1 - 1e-6


def test_errors_are_measured_alike(torus):
    words = ["evaluate", torus / "sbha.geodome", torus / "torus.ply", "--rows", 30]
    alone, facts = geodome(*words), on_ranks(3, *words)
    for name in ("relative_error", "mean_relative_error", "p99_relative_error", "interval", "by_distance"):
        assert facts[name] == alone[name]


def children(process):
    """The ranks below an mpirun."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, _, rest = (entry / "stat").read_text().rpartition(")")
        except OSError:
            continue
        if "geodome-mpi" in name and int(rest.split()[1]) == process.pid:
            found.append(int(entry.name))
    return sorted(found)


def slow_build(torus, output):
    """Some seconds of exact distances between landmarks, saved often."""
    return ["build", torus / "small.ply", "-o", output, "--method", "sbha", "-l", 300, "--save-every", 20,
            "--geodesic", "exact", "--no-certificate", "--landmark-memory", 0]


def interrupted_build(torus, output, end):
    """Starts a build on two ranks and calls `end` while the distances between landmarks are measured."""
    words = command(2, *slow_build(torus, output), "--threads", 1)
    with subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        log = pathlib.Path(f"{output}.progress")
        started = time.monotonic()
        while not (log.exists() and log.stat().st_size > 60 * 300 * 4):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() - started < SECONDS
            time.sleep(0.02)
        end(process)
        _, errors = process.communicate(timeout=SECONDS)
        return process.returncode, errors


def test_a_build_is_resumed_after_a_rank_was_killed(torus, tmp_path):
    output = tmp_path / "x.geodome"
    code, _ = interrupted_build(torus, output, lambda process: os.kill(children(process)[-1], signal.SIGKILL))
    assert code != 0
    assert [one.name for one in tmp_path.iterdir()] == ["x.geodome.progress"]
    facts = on_ranks(3, *slow_build(torus, output))
    assert facts["recalled_landmarks"] >= 60
    geodome(*slow_build(torus, tmp_path / "alone.geodome"))
    assert same(output, tmp_path / "alone.geodome")


def test_a_cancelled_run_ends_all_ranks(torus, tmp_path):
    output = tmp_path / "x.geodome"
    code, errors = interrupted_build(torus, output,
                                     lambda process: [os.kill(one, signal.SIGINT) for one in children(process)])
    assert code == 130
    assert "geodome: cancelled" in errors
    assert [one.name for one in tmp_path.iterdir()] == ["x.geodome.progress"]


def messages(result):
    return [line for line in result.stderr.splitlines() if line.startswith("geodome:")]


def test_bad_input_is_said_once(torus, tmp_path):
    result = run(command(3, "build", tmp_path / "none.ply", "-o", tmp_path / "x.geodome"))
    assert result.returncode == 2
    assert len(messages(result)) == 1 and "none.ply" in messages(result)[0]
    result = run(command(2, "build", torus / "torus.ply", "--landmarks", "many", "-o", tmp_path / "x.geodome"))
    assert result.returncode == 2
    assert len(messages(result)) == 1
    result = run(command(2, "query", torus / "sbha.geodome", 0, 1))
    assert result.returncode == 2
    assert list(tmp_path.iterdir()) == []


def each_rank(*lists):
    """Ranks with arguments of their own."""
    words = ["mpirun"]
    for k, arguments in enumerate(lists):
        words += [":"] * (k > 0) + ["-n", "1", *map(str, arguments)]
    return words


def test_a_rank_that_fails_ends_all(torus, tmp_path):
    build = [RANKS_PROGRAM, "build", torus / "torus.ply", "-o", tmp_path / "x.geodome", "--method", "sbha", "-l", 100]
    other = [*build[:2], tmp_path / "none.ply", *build[3:]]
    result = run(each_rank(build, other))  # the second does not find its shape
    assert result.returncode == 2
    assert len(messages(result)) == 1 and "none.ply" in messages(result)[0]

    different = [*build[:-1], 101]
    result = run(each_rank(build, different))
    assert result.returncode == 1
    assert len(messages(result)) == 1 and "ranks 0 and 1 differ" in messages(result)[0]

    limited = ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", *build]  # as on a disk that is full
    result = run(each_rank(limited, build))
    assert result.returncode == 1
    assert len(messages(result)) == 1 and "cannot write" in messages(result)[0]
    assert list(tmp_path.iterdir()) == []


def test_the_plan_is_of_each_rank(torus):
    words = ["build", torus / "torus.ply", "--dry-run", "--method", "sbha", "-l", 19000]
    plan = on_ranks(2, *words, "--landmark-memory", 100)
    assert plan["ranks"] == 2
    assert plan["scratch_bytes"] == 0
    divided = on_ranks(2, *words, "--landmark-memory", 0)
    assert divided["scratch_bytes"] == 19000 * 19001 // 2 * 4
    assert 0 < divided["peak_bytes"] < plan["peak_bytes"]
    assert plan["most_landmarks"] > 0


def without_network():
    """In the child: only the loopback interface, which is off in a new network and has to be started."""
    clone_newnet, siocgifflags, siocsifflags, up = 0x40000000, 0x8913, 0x8914, 1
    if ctypes.CDLL(None, use_errno=True).unshare(clone_newnet) != 0:
        os._exit(77)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as some:
        request = fcntl.ioctl(some, siocgifflags, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack("16sh14x", request)[1]
        fcntl.ioctl(some, siocsifflags, struct.pack("16sh14x", b"lo", flags | up))


def test_the_loopback_interface_is_enough(torus, tmp_path):
    probe = subprocess.run(["true"], preexec_fn=without_network, check=False)
    if probe.returncode == 77:
        pytest.skip("a network of its own needs root")
    on_ranks(2, "build", torus / "torus.ply", "-o", tmp_path / "x.geodome", "--method", "sbha", "-l", 400,
             "--save-every", 100, preexec_fn=without_network)
    assert same(tmp_path / "x.geodome", torus / "sbha.geodome")
