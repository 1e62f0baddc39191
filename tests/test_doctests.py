"""The examples in the docstrings of the public names are true."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import pytest

import scorekeeper

if TYPE_CHECKING:
    from pathlib import Path

# Examples of methods need not import the public names.
NAMES = {name: getattr(scorekeeper, name) for name in scorekeeper.__all__}
MATCH = (
    *("judge", "record", "undo", "amended", "play_round", "legal", "position", "from_position"),
    *("state", "scores", "to_act", "over", "winners", "prompt", "players", "standing", "review"),
)


def examples(name: str) -> list[doctest.DocTest]:
    """Return the examples of a public name, of its methods and of those it inherits."""
    value = NAMES[name]
    finder = doctest.DocTestFinder()
    found = finder.find(value, name, globs={})
    for base in getattr(value, "__mro__", ())[1:]:
        if base.__module__.startswith("scorekeeper."):
            found += finder.find(base, f"{name} ({base.__name__})", globs={})
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", scorekeeper.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    assert name in [test.name for test in examples(name)]


def test_each_public_method_of_a_match_has_an_example() -> None:
    known = {test.name.rpartition(".")[2] for test in examples("Match")}
    assert known >= set(MATCH)


@pytest.mark.parametrize("name", scorekeeper.__all__)
def test_examples_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    for test in examples(name):
        test.globs.update(NAMES)
        doctest.DocTestRunner().run(test, out=printed.append)
    assert "".join(printed) == ""


def test_the_library_has_many_examples() -> None:
    counts = {t.docstring: len(t.examples) for name in NAMES for t in examples(name)}
    assert sum(counts.values()) >= 160
