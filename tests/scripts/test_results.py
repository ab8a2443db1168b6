"""scripts/results: pages and registry agree, and measurements of a small registry replace their tables."""

import datetime
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "scripts" / "results"

REGISTRY = """MEASUREMENTS = [
    Measurement("sizes", "docs/install.md", 0.1, ("bench/sizes.py geodome DATA/one.off DATA/pose*.off --rows 3",)),
    Measurement("drawn", "docs/install.md", 2, ("geodome --quiet", "bench/draw.py new.svg"), figures={"new.svg": "plot.svg"},
                keep=("drawn.json",)),
    Measurement("digest", "README.md", 0.5, ("bench/digest.py build/results/drawn.json",), uses=("drawn.json",), shown=False),
    Measurement("broken", "docs/index.md", 1, ("bench/broken.py",)),
    Measurement("missing", "docs/index.md", 90, ("bench/sizes.py DATA/two.off",), needs=("import no_such_module",)),
]
"""
SIZES = """import pathlib, sys
print("| file | bytes |\\n|---|---|")
for word in sys.argv[2:-2]:
    print(f"| {pathlib.Path(word).name} | {pathlib.Path(word).stat().st_size} |")
"""
DRAW = """import pathlib, sys
pathlib.Path(sys.argv[1]).write_text("<svg>new</svg>")
pathlib.Path("drawn.json").write_text("17")
print("Seventeen.")
"""
DIGEST = "import pathlib, sys; print(f'The number is {pathlib.Path(sys.argv[1]).read_text()}.')"
BROKEN = "import sys; print('| half a table |'); sys.exit('out of luck')"


@pytest.fixture
def project(tmp_path):
    """A repository of three pages, and a folder of data."""
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    write("bench/measurements.py", REGISTRY)
    for name, text in (("sizes", SIZES), ("draw", DRAW), ("digest", DIGEST), ("broken", BROKEN)):
        write(f"bench/{name}.py", text)
    write("CMakeLists.txt", "project(x VERSION 7.8.9)\n")
    write("README.md", "# x\n\n<!-- results: digest -->\nold\n<!-- end -->\nlast line\n")
    write("docs/install.md", "First.\n\n<!-- results: sizes -->\nold sizes\n<!-- end -->\n\nBetween.\n\n"
                       "<!-- results: drawn -->\nold drawing\n<!-- end -->\n")
    write("docs/index.md", "<!-- results: broken -->\nold\n<!-- end -->\n<!-- results: missing -->\nolder\n<!-- end -->\n")
    write("docs/figures/plot.svg", "<svg>old</svg>")
    write("data/one.off", "12345")
    write("data/deep/pose2.off", "1234567")
    write("data/deep/pose1.off", "123456")
    write("build/bench/CMakeFiles/3.25/CMakeCXXCompiler.cmake",
          'set(CMAKE_CXX_COMPILER_ID "GNU")\nset(CMAKE_CXX_COMPILER_VERSION "12.2.0")\n')
    write("build/bench/geodome", "#!/bin/sh\n").chmod(0o755)
    return tmp_path


def run(project, *words):
    return subprocess.run([sys.executable, PROGRAM, *words, "--root", project], cwd=project, capture_output=True, text=True)


def measure(project, *names):
    return run(project, "build/bench", "data", *names)


def test_pages_and_measurements_agree():
    done = run(ROOT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_list_states_durations_and_data():
    lines = run(ROOT, "--list").stdout.splitlines()
    assert lines[-1].endswith(" h") and int(lines[-1].split()[0]) == len(lines) - 4
    assert len(run(ROOT, "--list", "near").stdout.splitlines()) == 6


def test_a_table_is_replaced_with_its_command_and_the_machine(project):
    done = measure(project, "sizes")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (project / "docs/install.md").read_text().split("\n")
    assert lines[:13] == ["First.", "", "<!-- results: sizes -->", "```sh",
                          "bench/sizes.py geodome DATA/one.off DATA/pose*.off --rows 3", "```", "", "| file | bytes |",
                          "|---|---|", "| one.off | 5 |", "| pose1.off | 6 |", "| pose2.off | 7 |", ""]
    for part in (datetime.date.today().isoformat(), "geodome 7.8.9", "core", "g++ 12.2.0"):
        assert part in lines[13]
    assert lines[14:] == ["<!-- end -->", "", "Between.", "", "<!-- results: drawn -->", "old drawing", "<!-- end -->", ""]
    before = (project / "docs/install.md").read_text()
    measure(project, "sizes")
    assert (project / "docs/install.md").read_text() == before
    assert sorted(path.name for path in (project / "docs").iterdir()) == ["figures", "index.md", "install.md"]


def test_figures_are_replaced_and_results_kept_for_others(project):
    assert "SKIPPED: drawn.json was not kept" in measure(project, "digest").stdout
    assert measure(project, "drawn", "README.md").returncode == 0
    assert (project / "docs/figures/plot.svg").read_text() == "<svg>new</svg>"
    assert [path.name for path in (project / "docs/figures").iterdir()] == ["plot.svg"]
    readme = (project / "README.md").read_text()
    assert "<!-- results: digest -->\nThe number is 17.\n" in readme and "```" not in readme and readme.endswith("last line\n")


def test_a_failure_and_a_missing_file_leave_their_tables(project):
    before = (project / "docs/index.md").read_text()
    done = measure(project, "index")
    assert done.returncode == 1
    assert "FAILED: exit code 1 of: bench/broken.py\nout of luck" in done.stdout
    assert f"SKIPPED: two.off not in {project / 'data'}" in done.stdout
    assert done.stdout.endswith("skipped: missing\nfailed: broken\n")
    assert (project / "docs/index.md").read_text() == before
    (project / "data/two.off").write_text("")
    done = measure(project, "missing")
    assert done.returncode == 0 and "SKIPPED: Python has no module no_such_module" in done.stdout


def test_the_other_measurements_are_run_after_a_failure(project):
    assert measure(project).returncode == 1
    assert "old sizes" not in (project / "docs/install.md").read_text()


def test_resume_leaves_out_what_is_newer_than_the_program(project):
    measure(project, "sizes")
    assert "kept" in measure(project, "sizes", "--resume").stdout
    later = (project / "build/results/sizes.md").stat().st_mtime + 1
    os.utime(project / "build/bench/geodome", (later, later))
    assert "kept" not in measure(project, "sizes", "--resume").stdout


@pytest.mark.parametrize("name, old, new, fault", [
    ("docs/install.md", "<!-- results: sizes -->", "", "docs/install.md: <!-- end --> without a beginning"),
    ("docs/install.md", "old drawing\n<!-- end -->", "old drawing", "docs/install.md: drawn has no <!-- end -->"),
    ("docs/install.md", "results: sizes", "results: size", "docs/install.md: no measurement is named size"),
    ("docs/install.md", "results: sizes", "results: broken",
     "broken should be in docs/index.md once, is in docs/index.md, docs/install.md"),
    ("bench/measurements.py", '"docs/install.md", 0.1', '"docs/index.md", 0.1',
     "sizes should be in docs/index.md once, is in docs/install.md"),
    ("bench/measurements.py", "bench/sizes.py DATA/two.off", "bench/none.py", "missing: bench/none.py does not exist"),
    ("bench/measurements.py", '"plot.svg"', '"other.svg"', "drawn: docs/figures/other.svg does not exist"),
    ("bench/measurements.py", 'uses=("drawn.json",)', 'uses=("none.json",)', "digest uses none.json, which no measurement keeps"),
    ("bench/measurements.py", '"missing"', '"broken"', "broken is listed twice"),
])
def test_check_names_every_fault(project, name, old, new, fault):
    assert run(project, "--check").returncode == 0
    path = project / name
    path.write_text(path.read_text().replace(old, new))
    done = run(project, "--check")
    assert done.returncode == 1 and f"results: {fault}" in done.stderr
    assert measure(project, "sizes").returncode == 1


def test_unknown_names_and_folders_are_refused(project):
    done = measure(project, "nowhere")
    assert "no page or measurement is named nowhere; pages with measurements are README, index, install" in done.stderr
    assert run(project, "build/bench", "no_such_folder").returncode == 2
    assert run(project, "build/bench").returncode == 2
