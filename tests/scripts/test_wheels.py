"""scripts/build_wheels and scripts/check_wheels: for which Pythons wheels are built, and which wheels fit a Python."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def load(name: str):
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


build_wheels, check_wheels = load("build_wheels"), load("check_wheels")


def fake_python(folder: pathlib.Path, name: str, version: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return str(path)


def test_one_wheel_per_old_python_and_one_for_all_with_the_stable_abi(tmp_path, monkeypatch):
    pythons = [fake_python(tmp_path, f"p{k}", f"3 {minor}") for k, minor in enumerate([13, 10, 12, 9, 11, 12])]
    pythons += [fake_python(tmp_path, "old", "2 7"), str(tmp_path / "missing")]
    monkeypatch.setenv("PYTHONS", " ".join(pythons))
    assert list(build_wheels.find_all_pythons()) == [10, 11, 12, 13]
    assert build_wheels.find_pythons() == {10: pythons[1], 11: pythons[4], 12: pythons[2]}


def test_an_interpreter_that_fails_is_none(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PYTHONS", str(broken))
    assert build_wheels.find_pythons() == {}


@pytest.mark.parametrize("name, fitting", [
    ("geodome-1.0-cp311-cp311-manylinux_2_35_x86_64.whl", [11]),
    ("geodome-1.0-cp312-abi3-manylinux_2_35_x86_64.whl", [12, 13, 14]),
])
def test_wheels_fit_the_pythons_in_their_names(name, fitting):
    assert [minor for minor in range(9, 15) if check_wheels.supported(pathlib.Path(name), minor)] == fitting


def test_libraries_of_the_system_are_found():
    linked = """	linux-vdso.so.1 (0x00007f2de5984000)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x0)
	libblas-12345678.so.3 => /tmp/x/venv/libblas-12345678.so.3 (0x0)
	libopenblas.so.0 => /usr/lib/x86_64-linux-gnu/libopenblas.so.0 (0x0)
	libgone.so.1 => not found
	/lib64/ld-linux-x86-64.so.2 (0x0)
"""
    assert check_wheels.foreign_libraries(linked, pathlib.Path("/tmp/x")) == ["libopenblas.so.0", "libgone.so.1"]


def test_a_library_without_an_origin_has_no_licence():
    with pytest.raises(SystemExit, match="libstrange"):
        build_wheels.packages_of(["libstrange-1234abcd.so.1"], "libc.so.6 => /lib/libc.so.6 (0x0)\n")
