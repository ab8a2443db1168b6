"""scripts/fuzz on a build folder whose targets are shell scripts."""

import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fuzz"


def make_build(folder: pathlib.Path, **targets: str) -> pathlib.Path:
    """A build folder with these targets, each the body of a script."""
    programs = folder / "fuzz"
    programs.mkdir(parents=True)
    targets["make_seeds"] = "mkdir -p " + " ".join(f'"$1/{name}"' for name in targets)
    for name, body in targets.items():
        path = programs / f"fuzz_{name}"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    return folder


def run(build: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([SCRIPT, build, "--seconds", "600", "--jobs", "2", *arguments], capture_output=True, text=True)


GOOD = "echo 'stat::number_of_executed_units: 1234' >&2"
BAD = "echo '#77 NEW' >&2; echo 'fuzz: d(0, 1) = 2, backwards 3' >&2; echo 'Test unit written to /x/crash-1' >&2; exit 77"


def test_all_targets_that_find_nothing_pass(tmp_path):
    result = run(make_build(tmp_path, a=GOOD, b=GOOD))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "2 passed, 0 failed"
    assert "1,234 executions" in result.stdout


def test_findings_are_counted_and_named(tmp_path):
    result = run(make_build(tmp_path, a=GOOD, b=BAD))
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "1 passed, 1 failed"
    # The target is started again after a finding, but not for ever.
    assert result.stdout.count("fuzz: d(0, 1) = 2, backwards 3 [/x/crash-1]") == 10
    assert "770 executions" in result.stdout


def test_a_table_has_one_row_for_each_target_and_one_for_all(tmp_path):
    lines = run(make_build(tmp_path, a=GOOD, b=BAD), "--table").stdout.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 5
    assert table[2].startswith("| `a` | 1,234 |") and table[2].endswith("| 0 |")
    assert table[3].startswith("| `b` | 770 |") and table[3].endswith("| 10 |")
    assert table[4].startswith("| all | 2,004 |")


def test_only_the_named_targets_run_and_unknown_ones_are_refused(tmp_path):
    build = make_build(tmp_path, a=GOOD, b=BAD)
    assert run(build, "a").stdout.splitlines()[-1] == "1 passed, 0 failed"
    refused = run(build, "c")
    assert refused.returncode == 2
    assert "there is no target c; targets are a, b" in refused.stderr
