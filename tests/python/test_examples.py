"""Every example runs, at a small size."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SMALL = {
    "quick_start": ["--vertices", "600"],
    "cortex_brainsmash": ["--vertices", "700", "--neighbours", "50"],
    "correspondence": ["--vertices", "600"],
    "isomap_swiss_roll": ["--points", "1500"],
    "canonical_forms": ["--vertices", "500"],
    "recipes/functional_map": ["--vertices", "500"],
    "recipes/sklearn_pipeline": ["--samples", "300"],
}
MADE = {"isomap_swiss_roll": "swiss_roll.png", "canonical_forms": "canonical_forms.png",
        "cortex_brainsmash": "brainsmash/distmat.npy", "recipes/functional_map": "functional_map.png",
        "recipes/sklearn_pipeline": "sklearn_pipeline.npy"}


def test_no_example_is_forgotten():
    """Other recipes need packages of other projects: tests/recipes."""
    assert {file.stem for file in EXAMPLES.glob("*.py")} == {name for name in SMALL if "/" not in name}


@pytest.mark.parametrize("name", SMALL)
def test_example(name, tmp_path):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *SMALL[name]], cwd=tmp_path, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    if name in MADE:
        assert (tmp_path / MADE[name]).stat().st_size > 1000
