"""What `import geodome` imports."""

import subprocess
import sys

import geodome


def imported_by(statement):
    code = f"import numpy, sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_packages_and_modules_that_few_need_are_imported_later():
    imported = imported_by("import geodome")
    assert "geodome._matrix" in imported
    assert not {"sklearn", "scipy", "joblib", "matplotlib", "IPython", "tqdm", "tempfile", "hashlib", "geodome._many",
                "geodome._match_many", "geodome._distribute", "geodome._notebook"} & imported
    assert "geodome._many" in imported_by("from geodome import build_many")


def test_every_name_is_there():
    for name in geodome.__all__:
        assert getattr(geodome, name) is not None
        assert name in dir(geodome)
    assert geodome.match_many.__module__ == "geodome._match_many"
