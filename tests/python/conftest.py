import json
import os
import pathlib
import subprocess

os.environ["SCIPY_ARRAY_API"] = "1"  # without it scikit-learn leaves out some of its checks

import geodome
import pytest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "geodome"


@pytest.fixture(scope="session")
def animal():
    return geodome.make_shape("creature", vertices=600)


@pytest.fixture(scope="session")
def matrix(animal):
    return geodome.build(animal, landmarks=120)


@pytest.fixture(scope="session")
def program():
    """Runs the command line and returns what it says."""
    assert os.access(PROGRAM, os.X_OK), f"{PROGRAM} is not built"

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    return run
