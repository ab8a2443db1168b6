"""What documentation shows runs and gives what it says."""

import ast
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import geodome
import pytest

MODULES = ["geodome"] + [f"geodome.{module.name}" for module in pkgutil.iter_modules(geodome.__path__)
                         if module.name != "_core"]


README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


@pytest.fixture(autouse=True)
def folder_for_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.failed == 0


def test_everything_public_says_what_it_does():
    for name in geodome.__all__:
        thing = getattr(geodome, name)
        if not isinstance(thing, str):
            assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            assert ">>>" in thing.__doc__, name


def test_every_question_to_a_matrix_is_shown():
    for name, thing in inspect.getmembers(geodome.DistanceMatrix, inspect.isfunction):
        if not name.startswith("_") and name != "save":  # `load` shows it
            assert ">>>" in thing.__doc__, name


def test_stubs_are_python():
    """Which they are not where an argument without a default follows one that has it."""
    stubs = pathlib.Path(geodome.__file__).with_name("_core.pyi").read_text()
    functions = {one.name for one in ast.parse(stubs).body if isinstance(one, ast.FunctionDef)}
    assert {"build", "distances", "embed_matrix", "align"} <= functions


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def test_the_readme_prints_what_it_says(capsys):
    (code, shown), = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", README.read_text(), re.DOTALL)
    exec(code, {})
    printed = capsys.readouterr().out
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", shown)
    numbers = [[float(number.replace(",", "")) for number in NUMBER.findall(text)] for text in (printed, shown)]
    assert numbers[0] == pytest.approx(numbers[1], rel=0.02)
