"""The examples in the docstrings of the public names are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import scorekeeper

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


PACKAGE = Path(scorekeeper.__file__).parent
WITH_EXAMPLES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>>" in path.read_text("utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_of_other_names_are_true(module: str) -> None:
    printed: list[str] = []
    for test in doctest.DocTestFinder().find(import_module(module)):
        name = test.name.removeprefix(f"{module}.").partition(".")[0]
        if name not in NAMES:
            test.globs = NAMES | test.globs
            doctest.DocTestRunner().run(test, out=printed.append)
    assert "".join(printed) == ""
