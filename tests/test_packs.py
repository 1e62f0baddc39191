"""Packs with suits of any letter, and with suits that have their own ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from tests.helpers import program

TEXT = "# Mine\n\n## 1. All\nAll.\n"
RULES = """
name = "mine"
title = "Mine"
rules = "mine"
players = { counts = [2] }
deal = { dealt = true, cards = 4 }
tally = { name = "points" }
[pack]
PACK
[orders]
usual = { trumps = ["*T"], outside = ["XX"] }
[phases.tricks]
order = "usual"
points = { "3T" = 5, K = 2 }
cite = "1"
counted = "1"
[scores]
points = { for = "each", points = "own.points", cite = "1" }
"""
TRUMPS = 'ranks = "K Q"\njokers = ["XX"]\nsuits = { H = "", S = "", T = "3 2 1" }'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the rule text that the rulesets cite."""
    (tmp_path / "mine.md").write_text(TEXT, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))


def write(tmp_path: Path, pack: str) -> None:
    (tmp_path / "mine.toml").write_text(RULES.replace("PACK", pack), "utf-8")


def test_a_suit_may_have_its_own_ranks(tmp_path: Path) -> None:
    write(tmp_path, TRUMPS)
    assert load_ruleset("mine").pack.kinds == ("KH", "QH", "KS", "QS", "3T", "2T", "1T", "XX")


def test_the_ranks_of_a_suit_are_in_its_own_order(tmp_path: Path) -> None:
    write(tmp_path, TRUMPS)
    match = Match(load_ruleset("mine"), ["Ana", "Ben"])
    for entry in ("Ana: KH", "Ben: 1T", "Ben: 2T", "Ana: 3T"):
        match.record(entry)
    assert match.score_sentences(match.rounds[-1]) == []
    assert [trick.winner for trick in match.live_round.tricks] == [1, 0]


def test_a_card_that_only_another_suit_has_is_no_card(tmp_path: Path) -> None:
    write(tmp_path, TRUMPS)
    assert program("new", "mine", "Ana", "Ben", "--book", str(tmp_path / "b")).code == 0
    assert program("record", "Ben: KT", "--book", str(tmp_path / "b")).code == 2


def test_the_page_shows_the_ranks_of_each_suit(tmp_path: Path) -> None:
    write(tmp_path, TRUMPS)
    page = program("rules", "show", "mine").out
    assert "ranks of T (T): 3 2 1" in page
    assert "\nwithout: " not in page


@pytest.mark.parametrize(
    ("pack", "key"),
    [
        ('ranks = "K Q"\nsuits = "H HS"', "pack.suits"),
        ('ranks = "K Q"\nsuits = { H = "", "1" = "" }', "pack.suits"),
        ('ranks = "K Q"\nsuits = { H = "", T = "3 3" }', "pack.suits.T"),
        ('ranks = "K Q"\nsuits = { H = "", T = "x" }', "pack.suits.T"),
        ('ranks = ""\nsuits = { H = "", T = "3" }', "pack.ranks"),
        ('ranks = "K Q"\nsuits = 7', "pack.suits"),
        ('ranks = "K Q"\nsuits = { H = 7 }', "pack.suits.H"),
        ('ranks = "K Q"\nsuits = "H T"\njokers = ["AT"]', "pack.jokers"),
    ],
)
def test_a_pack_that_cannot_be_is_a_fault(tmp_path: Path, pack: str, key: str) -> None:
    write(tmp_path, pack)
    faults = program("rules", "check", "mine", "--format", "json").data["faults"]
    assert key in [fault["key"] for fault in faults]
