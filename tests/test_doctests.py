"""The examples in the docstrings of the public names are true."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import pytest

import scorekeeper

if TYPE_CHECKING:
    from pathlib import Path


def examples(name: str) -> list[doctest.DocTest]:
    found = doctest.DocTestFinder(recurse=False).find(getattr(scorekeeper, name), name, globs={})
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", scorekeeper.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    assert examples(name)


@pytest.mark.parametrize("name", scorekeeper.__all__)
def test_examples_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    for test in examples(name):
        doctest.DocTestRunner().run(test, out=told.append)
    assert "".join(told) == ""
