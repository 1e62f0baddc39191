"""Long lists of legal acts: they are shown in few lines, and no act is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import program

LINES = 22  # the turn, the list, and how to see all of it


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def legal(ruleset: str, *entries: str, players: str = "Ana Ben Cleo Dov") -> list[str]:
    """Return the list as lines of text, after these entries of a new match."""
    assert program("new", ruleset, *players.split()).code == 0
    if entries:
        assert program("record", *entries).code == 0
    answer = program("legal")
    assert answer.code == 0
    return answer.out.splitlines()


def test_of_bids_the_least_of_each_face_is_told_and_then_the_calls() -> None:
    assert legal("dudo", "Ana: 3x4")[1:] == [
        "  Ben: 2x1 | 3x5 | 3x6 | 4x2 | 4x3 | 4x4, or more of the same",
        "  Ben: dudo | calzo",
        "108 entries in all; to list each one: legal --all",
    ]


def test_cards_stand_by_suit_and_who_may_do_the_same_together() -> None:
    first, *lines = legal("durak", "turnup 6D", "Ana: attack 7C")
    assert first.startswith("to act: Ben (")
    assert lines[:5] == [
        "  Ben: cover 7C AC | KC | QC | JC | TC | 9C | 8C | AD | KD | QD | JD | TD | 9D |",
        "    8D | 7D",
        "  Ben: take",
        "  Ana, Cleo or Dov: attack 7S",
        "  Ana, Cleo or Dov: attack 7H",
    ]
    lines = legal("whist", "trump C")
    assert lines[1] == "  Ana: AC | KC | QC | JC | TC | 9C | 8C | 7C | 6C | 5C | 4C | 3C | 2C"


def test_all_are_told_one_by_one_where_that_is_asked_and_in_json() -> None:
    legal("dudo")
    listed = program("legal", "--format", "json").data["entries"]
    assert program("legal", "--all").out.splitlines()[1:] == [f"  {entry}" for entry in listed]
    assert len(listed) > 100


def test_a_short_list_is_told_one_by_one() -> None:
    assert "  Ana: gesund" in legal("doppelkopf")


def test_what_adds_a_word_to_a_wish_is_told_where_all_are() -> None:
    short = legal("doppelkopf")
    assert "  Ana: damensolo re" not in short
    assert short[-1] == "46 entries in all; to list each one: legal --all"
    whole = program("legal", "--all").out.splitlines()
    assert {f"  Ana: damensolo {call}" for call in ("re", "keine90", "schwarz")} <= set(whole)
    assert "  Ana: hochzeit re" not in whole  # no call raises it
    legal("doppelkopf-ddv")
    assert "  Ana: damensolo lust" in program("legal", "--all").out.splitlines()


@pytest.mark.parametrize("ruleset", ["bluff", "podkidnoy", "skat", "sheng-ji", "hearts", "spades"])
def test_no_list_is_long_or_wide(ruleset: str) -> None:
    lines = legal(ruleset, players=" ".join(letter * 12 for letter in "ABCD"))[1:]
    assert len(lines) <= LINES
    assert all(len(line) <= 80 for line in lines), lines


def test_in_the_letters_of_the_match() -> None:
    assert program("new", "doppelkopf", *"ABCD", "--language", "fr").code == 0
    assert program("record", "all: gesund").code == 0
    assert "  A: AC | 10C | RC | DC | VC | 9C" in program("legal").out.splitlines()
