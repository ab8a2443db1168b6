"""Type checkers accept the examples and find mistakes."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted(map(str, (ROOT / "examples").rglob("*.py")))

# Every line that ends with "# wrong" is one mistake.
MISTAKES = """
import geodome
import numpy as np

V, F = geodome.make_shape("creature", vertices=500)
m = geodome.build(V, F, landmarks=100)
both = geodome.build([(V, F), (V, F)], method="sbha")
d, i = m.nearest(0, 5)
print(m[0, 1] + 1, m[[0, 1], 2].shape, m[0].mean(), d.shape, i.dtype, len(both), m.embed(2).T, V.shape)

V.magic()  # wrong
geodome.build(V, F, landmark=100)  # wrong
geodome.build(V, F, method="cel")  # wrong
geodome.distances(V, F, 0, geodesic="exakt")  # wrong
geodome.build(V, F, precision="float16")  # wrong
m[0, 1].shape  # wrong
m[[0, 1], 2].magic  # wrong
m.embed(3, methd="dense")  # wrong
m.nearest(0, 5).vertices  # wrong
both.nearest(0, 5)  # wrong
geodome.plan(V, F, speed=9)  # wrong
geodome.Solver(V, F).distance(0)  # wrong
geodome.match([m, m], landmark=5)  # wrong
built = geodome.build_many({"a": (V, F), "b": "b.ply"}, "folder", n_jobs=2, landmarks=50, mean_error=0.01)
print(built[0].mean_error, geodome.match_many([one.file for one in built], "folder", landmarks=50).names)
geodome.build_many({"a": (V, F)}, "folder", landmark=50)  # wrong
geodome.build_many({"a": (V, F)}, "folder", errors="ignore")  # wrong
geodome.match_many({"a": (V, F)}, "folder", mean_error=0.01)  # wrong
built[0].eror  # wrong
"""


def check_with_mypy(files, folder):
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", *files],
                          stdout=subprocess.PIPE, text=True, cwd=folder)


def check_with_pyright(files, folder):
    """Types of packages that are not typed are not guessed from their code."""
    config = {"include": files, "useLibraryCodeForTypes": False, "reportMissingModuleSource": False,
              "reportMissingTypeStubs": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    return subprocess.run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", "pyrightconfig.json"],
                          stdout=subprocess.PIPE, text=True, cwd=folder)


def lines_of(output, file):
    return {int(line) for line in re.findall(rf"{re.escape(file.name)}:(\d+)\S*\s*(?:-\s*)?error", output)}


@pytest.mark.parametrize("check", [check_with_mypy, check_with_pyright])
def test_examples_are_accepted_and_mistakes_found(check, tmp_path):
    done = check(EXAMPLES, tmp_path)
    assert done.returncode == 0, done.stdout
    file = tmp_path / "mistakes.py"
    file.write_text(MISTAKES)
    done = check([str(file)], tmp_path)
    wrong = {at for at, line in enumerate(MISTAKES.split("\n"), 1) if line.endswith("# wrong")}
    assert lines_of(done.stdout, file) == wrong, done.stdout
