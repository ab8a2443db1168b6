"""What documentation shows runs and gives what it says."""

import doctest
import importlib
import inspect
import pkgutil

import geodome
import pytest

MODULES = ["geodome"] + [f"geodome.{module.name}" for module in pkgutil.iter_modules(geodome.__path__)
                         if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_everything_public_says_what_it_does():
    for name in geodome.__all__:
        thing = getattr(geodome, name)
        if not isinstance(thing, str):
            assert inspect.getdoc(thing), name
