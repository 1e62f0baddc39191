"""The first lines that `new` suggests can be typed as they are in every game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from tests.helpers import SHIPPED, program, seated

NAMES = ["Ana", "Ben O'Neil", "Cléo", "D$v", "Eva"]
BEGUN = "scorekeeper "


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def commands(said: str) -> Iterator[list[str]]:
    """Yield the arguments of each command that records, split as a shell does."""
    for line in said.splitlines():
        if line.strip().startswith(f"{BEGUN}record"):
            yield shlex.split(line.strip().removeprefix(BEGUN), comments=True)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_line_works_as_it_is_typed(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    players = NAMES[: len(seated(ruleset))]
    said = program("new", ruleset, *players)
    assert said.code == 0
    before, _, after = said.out.partition("or enter only the result of a whole round:")
    happening, outcomes = ([entry for _, entry in commands(part)] for part in (before, after))
    assert happening
    match = Match(rules, players)
    for entry in happening:
        assert match.record(entry).verdict == "legal"
    for outcome in outcomes:
        assert Match(rules, players).record(outcome).verdict == "legal"


def test_they_are_typed_at_the_command_line_one_after_the_other() -> None:
    *happening, outcome = commands(program("new", "durak", *NAMES[:3]).out)
    assert [program(*command).code for command in happening] == [0] * len(happening)
    assert [program("undo").code for _ in happening] == [0] * len(happening)
    assert program(*outcome).code == 0


def test_they_stand_in_the_letters_and_words_of_the_match() -> None:
    *happening, _ = commands(program("new", "durak", *NAMES[:3], "--language", "fr").out)
    assert [command[1].split()[0] for command in happening[:2]] == ["retourne", "atout"]
    assert [program(*command).code for command in happening] == [0] * len(happening)


def test_a_book_that_was_named_is_named_in_them(tmp_path: Path) -> None:
    other = str(tmp_path / "our book.sqlite")
    said = program("new", "dudo", "Ana", "Ben", "--book", other).out
    assert all(command[1:3] == ["--book", other] for command in commands(said))
    assert [program(*command).code for command in commands(said)] == [0, 0]


def test_the_live_table_comes_first_and_no_hand_is_asked_for() -> None:
    said = program("new", "durak", *NAMES[:3]).out
    advised = [line for line in said.splitlines() if line.startswith(f"  {BEGUN}")]
    assert advised[0] == "  scorekeeper table"
    assert "hand" not in said
