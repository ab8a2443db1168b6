"""The folder-order check accepts our own tree and catches what it is there to catch."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts" / "check_folder_order", *arguments],
                          capture_output=True, text=True)


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_our_tree_is_in_order():
    assert run().returncode == 0


def test_an_include_of_a_later_stage_is_named(tmp_path):
    write(tmp_path, "shape/a.h", '#include "geodome/base/types.h"\n#include "geodome/geodesic/solver.h"\n')
    result = run(tmp_path)
    assert result.returncode == 1
    assert "a.h:2: shape/ may not include geodesic/" in result.stderr


def test_an_unknown_folder_is_named(tmp_path):
    write(tmp_path, "misc/a.h", "")
    result = run(tmp_path)
    assert result.returncode == 1 and "misc/" in result.stderr


def test_an_earlier_stage_is_fine(tmp_path):
    write(tmp_path, "geodesic/a.cpp", '#include "geodome/geodesic/a.h"\n#include "geodome/shape/shape.h"\n')
    assert run(tmp_path).returncode == 0
