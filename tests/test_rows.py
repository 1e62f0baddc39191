"""Several cards in a row after a name are the rest of the trick, if cards are played one at a time.

Two cards that one player played at once do not become two players' cards.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match, Unreadable, load_ruleset
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import match_of, program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
UNREADABLE = 2


@pytest.fixture
def entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a match in which Ana has led the first trick."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "doppelkopf-ddv", *FOUR)
    assert program("record", "all: gesund", "Ana: AS").code == 0


def entries() -> list[str]:
    rows = program("status", "--log", "--format", "json").data
    return [row["entry"] for row in rows]


@pytest.mark.parametrize("row", ["Ben: KS TS", "Ben: KS TS 9S AC", "Cleo: KS TS", "Cleo: KS TS 9S"])
def test_any_other_row_is_refused_with_what_may_be_typed(entered: None, row: str) -> None:
    name, _, cards = row.partition(": ")
    first, second, *_ = cards.split()
    for command in ("record", "judge"):
        answer = program(command, row)
        assert answer.code == UNREADABLE
        assert f"{name}: {first} for that card alone" in answer.err
        assert f"{', '.join(cards.split())} if" in answer.err
        assert f"{name}: {second} !withdrawn" in answer.err
    assert entries() == ["all: gesund", "Ana: AS"]


def test_the_rest_of_the_trick_is(entered: None) -> None:
    assert program("record", "Ben: KS TS 9S").code == 0
    assert entries()[2:] == ["Ben: KS", "Cleo: TS", "Dan: 9S"]
    assert program("record", "AC 9C KC KC").code == 0
    assert program("record", "Ana: TC TC").code == UNREADABLE


def test_it_is_asked_as_things_stand_by_then(entered: None) -> None:
    assert program("judge", "KS, Cleo: TS 9S").code == 0
    assert program("judge", "KS", "Cleo: TS 9S").code == 0
    assert program("record", "KS, Cleo: TS 9S AC").code == UNREADABLE
    # the whole line is read before its first entry is recorded
    assert entries() == ["all: gesund", "Ana: AS"]
    assert program("record", "KS, TS 9S, Ana: AC 9C KC KC").code == 0


def test_two_cards_at_once_are_entered_as_the_refusal_says(entered: None) -> None:
    hint = program("record", "Ben: KS TS").err
    line = "Ben: KS, Ben: TS !withdrawn"
    assert line in hint
    answer = program("record", line)
    assert answer.code == 0
    assert "may claim 4 (Ben: TS !withdrawn)" in answer.out
    late = program("record", "Ben: 9S !stands")
    assert late.code == UNREADABLE
    assert "Ben: CARD !withdrawn" in late.err
    assert program("record", "TS, 9S").code == 0


def test_an_amendment_is_asked_as_things_stood_there(entered: None) -> None:
    program("record", "Ben: KS TS 9S", "AC 9C KC KC")
    assert program("amend", "3", "Ben: KS TC").code == UNREADABLE
    assert program("amend", "3", "--before", "Ben: KS TC 9S", "--yes").code == 0
    assert "Cleo: TC" in entries()[-1]


@pytest.mark.parametrize("decision", ["stands", "withdrawn"])
def test_a_row_with_a_decision_is_refused_too(entered: None, decision: str) -> None:
    answer = program("record", f"Ben: KS TS !{decision}")
    assert answer.code == UNREADABLE
    assert "Ben: KS for that card alone" in answer.err


def test_the_live_table_reads_it_as_well(tmp_path: Path) -> None:
    with Book(tmp_path / "book.sqlite") as book:
        table = Session([begin_match(book, load_ruleset("doppelkopf"), FOUR)], "").current
        table.enter("all: gesund, Ana: AS")
        assert table.hint("Ben: KS TS").kind == "failed"
        assert table.enter("Ben: KS TS") == "Ben: KS TS"
        assert table.enter("Ben: KS, Cleo: TS 9S") == ""
        assert table.match.to_act == ["Ana"]


def test_a_call_of_the_library_says_it() -> None:
    match = match_of("whist", FOUR, "trump H", "Ana: AC")
    with pytest.raises(Unreadable, match="cards are played one at a time"):
        match.record("Ben: KC QC")
    with pytest.raises(Unreadable, match="cards are played one at a time"):
        match.record("Ben: KC QC JC")


def test_in_the_letters_of_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "doppelkopf", *FOUR, "--language", "fr")
    program("record", "all: gesund", "Ana: AC")
    answer = program("record", "Ben: 9C 10C")
    assert answer.code == UNREADABLE
    assert "Ben: 9C pour cette seule carte, 9C, 10C si" in answer.err
    assert program("record", "Ben: 9C 10C RC").code == 0
    assert entries()[-3:] == ["Ben: 9H", "Cleo: TH", "Dan: KH"]


@pytest.mark.parametrize("ruleset", ["durak", "sheng-ji"])
def test_where_several_are_laid_at_once_a_row_is_one_entry(ruleset: str) -> None:
    match = Match(load_ruleset(ruleset), FOUR)
    assert match.notation.split_line("Ana: 6S 6S") == ["Ana: 6S 6S"]
