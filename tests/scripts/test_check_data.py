"""The data check finds agreement, refusal and difference, and never passes over words it does not know."""

import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CLEAN = {
    "format": "OBJ", "vertices": 1234, "faces": 10, "faces_by_degree": {"3": 4, "4": 6}, "components": 2,
    "closed": True, "manifold": True, "boundary_edges": 0, "nonmanifold_edges": 0, "nonmanifold_vertices": 0,
    "unreferenced_vertices": 0, "duplicate_faces": 0, "duplicate_positions": 0, "zero_area_faces": 0,
    "zero_length_edges": 0, "nonfinite_vertices": 0, "inconsistent_edges": 0,
}

# Stands in for geodome: says what the file says, or refuses it.
PROGRAM = """#!/bin/sh
case $(cat "$2") in
  refuse*) cat "$2" >&2; exit 2 ;;
  crash*) exit 1 ;;
esac
cat "$2"
"""


@pytest.fixture
def check(tmp_path):
    program = tmp_path / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)

    def run(table, content):
        (tmp_path / "README.md").write_text(table)
        if content is not None:
            (tmp_path / "a.obj").write_text(content if isinstance(content, str) else json.dumps(content))
        return subprocess.run([sys.executable, ROOT / "scripts" / "check_data", tmp_path, "--program", program],
                              capture_output=True, text=True)

    return run


def mesh_table(faces="10 (4 3-gons, 6 4-gons)", defects="closed, manifold", components="2", kind="OBJ"):
    return (f"| file | kind | vertices | faces | components | boundary, manifold and defects |\n|---|---|---|---|---|---|\n"
            f"| a.obj | {kind} | 1,234 | {faces} | {components} | {defects} |\n")


def data_table(size, notes):
    return f"Text.\n\n| file | what it is | size | notes |\n|:--|---|---|--:|\n| a.obj | data | {size} | {notes} |\n"


def test_agreement(check):
    result = check(mesh_table(), CLEAN)
    assert result.returncode == 0 and "1 agree, 0 refused, 0 differ" in result.stdout


def test_refusal_tells_the_reason(check):
    result = check(mesh_table(), "refuse: vertex 7")
    assert result.returncode == 0
    assert "vertex 7" in result.stdout and "0 agree, 1 refused, 0 differ" in result.stdout


@pytest.mark.parametrize("content", ["crash", None])
def test_failure_and_missing_file_differ(check, content):
    assert check(mesh_table(), content).returncode == 1


@pytest.mark.parametrize("key", [key for key in CLEAN])
def test_every_value_matters(check, key):
    changed = {"format": "PLY", "faces_by_degree": {"3": 10}}.get(key, False if CLEAN[key] is True else 77)
    result = check(mesh_table(), {**CLEAN, key: changed})
    assert result.returncode == 1 and f"{key} should be" in result.stdout


def test_named_defects(check):
    found = {**CLEAN, "closed": False, "boundary_edges": 1223, "inconsistent_edges": 4, "duplicate_positions": 1}
    named = "1,223 boundary edges, manifold, 1 duplicate positions, orientation not consistent (4 edges)"
    assert check(mesh_table(defects=named), found).returncode == 0
    assert check(mesh_table(defects=named.replace("4 edges", "5 edges")), found).returncode == 1
    assert check(mesh_table(defects="1,223 boundary edges, manifold"), found).returncode == 1


def test_unknown_words_are_not_passed_over(check):
    for words in ("closed, manifold, haunted", "closed, manifold, 3 ghosts"):
        result = check(mesh_table(defects=words), CLEAN)
        assert result.returncode == 1 and "not understood" in result.stdout
    assert check(data_table("large", "pretty"), {"vertices": 1}).returncode == 1


def test_counts_in_free_text(check):
    graph = {"vertices": 5242, "edges": 14496, "components": 355, "largest_component": 4158, "self_loops": 12}
    table = data_table("5,242 nodes, 28,980 lines = 14,496 undirected edges", "355 components (largest 4,158), 12 self-loops")
    assert check(table, graph).returncode == 0
    for key in graph:
        assert check(table, {**graph, key: 1}).returncode == 1
    images = {"vertices": 10000, "dimension": 784}
    assert check(data_table("10,000 x 28 x 28 bytes", ""), images).returncode == 0
    assert check(data_table("10,000 x 28 x 27 bytes", ""), images).returncode == 1
    digits = {"vertices": 1797, "dimension": 65}
    assert check(data_table("1,797 rows, 64 values + label", ""), digits).returncode == 0
    assert check(data_table("1,797 rows, 64 values", ""), digits).returncode == 1
    cloud = {"vertices": 5, "dimension": 3, "normals": True, "duplicate_positions": 0}
    assert check(data_table("5 points, 6 columns", "no duplicates"), cloud).returncode == 0
    assert check(data_table("5 points, 3 columns", "no duplicates"), cloud).returncode == 1


def test_no_table_is_an_error(check):
    assert check("nothing here\n", CLEAN).returncode != 0
