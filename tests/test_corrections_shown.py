"""The output of an amendment: one line for each line, and every suggested command works."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.helpers import program

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def own_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide an empty book."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def test_each_finding_on_an_amendment_is_a_line_of_its_own() -> None:
    program("new", "dudo", "Ana", "Ben", "Cleo")
    program("record", "Ana: 2x3")
    saved = program("amend", "1", "Ana: 99x3")
    assert saved.out.splitlines()[1].startswith("  note: there are fewer dice")
    refused = program("amend", "1", "Ben: 2x3")
    assert refused.code == 1
    assert [line[:10] for line in refused.out.splitlines()] == [
        "Ben: 2x3  ",
        "  illegal:",
        "  nothing ",
    ]
    assert "\\n" not in saved.out + refused.out


def test_what_an_amendment_says_to_type_is_what_the_match_s_language_reads() -> None:
    program("new", "doppelkopf", "Ana", "Ben", "Cleo", "Dan", "--language", "fr")
    assert program("record", "all: sain", "AP", "9P").code == 0
    account = program("amend", "2", "--remove")
    wanted = re.search(r"amend (\S+) '(.*)'", account.out)
    assert wanted is not None, account.out
    assert wanted[2] == "Ben: 9P !stands"
    assert program("amend", "2", "--remove", "--yes").code == 0
    assert program("amend", wanted[1], wanted[2]).code == 0


def test_a_round_that_had_no_score_and_is_gone_is_not_told_as_scored_anew() -> None:
    program("new", "dudo", "Ana", "Ben", "Cleo")
    program("record", "Ana: 2x3")
    gone = program("amend", "1", "--remove").out
    assert "is removed" in gone
    assert "no score" not in gone
